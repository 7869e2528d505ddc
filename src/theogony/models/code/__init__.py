"""Programs that models (or people) write: a file with `act(view)`, run apart from the game."""
