"""What stands behind `core/players.py`: looking ahead, value networks, names of players, seats at the table."""
