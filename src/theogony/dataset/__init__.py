"""Games of players as tables: `games.py` plays and writes them, `metadata.py` says what they are, `offline.py` hands
them to Minari. `theogony dataset GAME --parquet` is the command."""
