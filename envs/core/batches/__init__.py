"""What stands behind `core/batch.py`: compiled loops over many games, threads, arguments, opponents, saved batches."""
