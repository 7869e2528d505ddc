"""A class for each engine, with the keys that it reads; `schema.py` makes their union."""
