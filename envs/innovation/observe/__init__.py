"""What each seat sees: the fields and the rule that writes them (`seen`), and what cards are (`described`)."""

from theogony.envs.innovation.observe.seen import layout as layout
from theogony.envs.innovation.observe.seen import observe as observe
