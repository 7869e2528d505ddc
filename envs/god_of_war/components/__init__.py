"""The pieces: names and numbers (`pieces`), the component file and its checks, and the tables that the rules read."""

from theogony.envs.god_of_war.components.checks import check_components, check_health, load_components
from theogony.envs.god_of_war.components.pieces import DEFAULT_COMPONENTS
from theogony.envs.god_of_war.components.tables import build_tables, designs, plays, skill_options, upgrade_types

__all__ = [
    "DEFAULT_COMPONENTS",
    "build_tables",
    "check_components",
    "check_health",
    "designs",
    "load_components",
    "plays",
    "skill_options",
    "upgrade_types",
]
