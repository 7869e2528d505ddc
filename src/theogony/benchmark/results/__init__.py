"""What a results file holds, and the figures that follow from its games."""
