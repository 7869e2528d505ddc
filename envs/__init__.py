"""The games, one folder each, and `core`, which they stand on."""
