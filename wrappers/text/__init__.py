"""A game in words: for language models, and for whoever reads and writes instead of handling tensors."""

from theogony.wrappers.text.env import TextEnv
from theogony.wrappers.text.prompt import rules_of
from theogony.wrappers.text.replies import ReplyError, read_reply
from theogony.wrappers.text.turns import Turn, Turns

__all__ = ["ReplyError", "TextEnv", "Turn", "Turns", "read_reply", "rules_of"]
