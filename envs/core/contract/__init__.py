"""What stands behind `core/game.py`: defaults of a game, errors in a user's own code, reserved seeds."""
