"""What stands behind `core/game.py`: options, refusals, defaults, errors in a user's code, reserved seeds, Markdown."""
