"""Networks: layers, encoders of observations, weights as plain data."""
