"""The commands, one module a topic. A command is a plain function: its name, docstring and parameters are what `--help`
shows. A new one is written into the module of its topic and named below.
"""

from __future__ import annotations

from theogony.commands import games, learning, rating, speed

# In the order in which `theogony --help` lists them.
COMMANDS = (
    games.games,
    games.check,
    games.verify,
    games.replay,
    speed.bench,
    learning.train,
    learning.dataset,
    learning.imitate,
    rating.evaluate,
    rating.tournament,
)
