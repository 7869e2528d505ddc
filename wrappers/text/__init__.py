"""A game in words: for language models, and for whoever reads and writes instead of handling tensors."""

from theogony.wrappers.text.brief import rules_of
from theogony.wrappers.text.env import TextEnv, Turn, Turns
from theogony.wrappers.text.replies import ReplyError, read_reply

__all__ = ["ReplyError", "TextEnv", "Turn", "Turns", "read_reply", "rules_of"]
