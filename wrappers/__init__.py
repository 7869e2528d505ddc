"""Other shapes of the same environment."""
