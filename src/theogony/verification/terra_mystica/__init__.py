"""Terra Mystica: recorded games, and datasets made from them and from ledgers."""

from theogony.verification.terra_mystica.dataset import dataset
from theogony.verification.terra_mystica.reader import recordings

__all__ = ["dataset", "recordings"]
