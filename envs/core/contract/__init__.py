"""What stands behind `core/game.py`: options, what is refused, defaults, errors in a user's code, reserved seeds."""
