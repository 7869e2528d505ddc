"""Recordings of other implementations, played through our rules by `theogony verify` and compared step by step.

A package for each game with its `recordings(path, lines)`, which `envs/core/verify.py` imports when it is asked for. No
game imports it, so nothing of it is loaded in play.
"""
