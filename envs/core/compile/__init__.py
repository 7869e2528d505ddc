"""How rules are compiled and kept: linking of machine code, digests, the cache, rules that a wheel carries.

`core/jit.py` has `@rule`, which is all that a game needs of it.
"""
