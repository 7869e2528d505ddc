"""Training files: what may stand in them, how they are read and checked."""


class ConfigError(ValueError):
    """A training file, an override or a run cannot be used: says where, and what was expected."""
