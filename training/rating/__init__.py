"""How strong players are: evaluation against fixed players, and tournaments."""
