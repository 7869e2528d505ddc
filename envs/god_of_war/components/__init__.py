"""The pieces: names and numbers (`pieces`), the component file and its checks, and the tables that the rules read."""

from theogony.envs.god_of_war.components.checks import check_components as check_components
