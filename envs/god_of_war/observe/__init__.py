"""What each seat sees: the fields (`layout`) and the rule that writes them (`seen`)."""

from theogony.envs.god_of_war.observe.layout import layout as layout
from theogony.envs.god_of_war.observe.seen import observe as observe
