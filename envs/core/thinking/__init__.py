"""What stands behind `core/players.py`: what players see, looking ahead, values, names, seats at the table."""
