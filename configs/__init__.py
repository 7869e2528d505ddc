"""Training configurations in YAML, one folder a game."""
