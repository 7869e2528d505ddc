"""A game in words: for language models, and for whoever reads and writes instead of handling tensors."""

from theogony.wrappers.text.env import TextEnv
from theogony.wrappers.text.prompt import rules_of
from theogony.wrappers.text.replies import ReplyError, read_reply

__all__ = ["ReplyError", "TextEnv", "read_reply", "rules_of"]
