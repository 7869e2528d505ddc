"""The commands, one module a topic. A command is a plain function: its name, docstring and parameters are what `--help`
shows. A new one is written into the module of its topic and named below.
"""

from __future__ import annotations

from theogony.commands import benchmarking, games, learning, machine, modelling, playing, rating

# In the order in which `theogony --help` lists them.
COMMANDS = (
    games.games, games.check, games.packs, games.verify,
    playing.play, playing.replay,
    machine.web, machine.compile_, machine.bench, machine.doctor,
    learning.train, learning.remake, learning.average, learning.curve, learning.tune,
    learning.dataset, learning.imitate,
    rating.evaluate, rating.tournament,
    learning.push, learning.pull,
    playing.text, playing.mcp,
    modelling.models,
)  # fmt: skip

# Commands of commands, `theogony benchmark run`: what the group is for, and what is in it.
GROUPS = {
    "benchmark": (
        "Measure agents on fixed tasks; check and compare results.",
        (
            benchmarking.run, benchmarking.join, benchmarking.verify, benchmarking.exploit, benchmarking.compare,
            benchmarking.regret, benchmarking.submit, benchmarking.report,
        ),
    ),
}  # fmt: skip
