"""Games of other programs, played through our rules: compared step by step, or turned into data.

A module for each game, with `recordings(path, lines)` for `theogony verify`, and where people write games down with
`dataset(...)` for `theogony dataset`. `envs/core/verify.py` imports them when they are asked for. No game imports them,
so nothing of them is loaded in play.
"""
