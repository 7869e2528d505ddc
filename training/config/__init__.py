"""Training files: what may stand in them, how they are read and checked."""
