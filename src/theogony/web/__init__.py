"""The rules as WebAssembly: what browsers and machines without Numba run.

`calls.py` says which kernels a game needs there, `emit.py` has LLVM write them from what Numba makes of the rules,
`link.py` makes one module of them, `modules.py` builds those of all layouts. What runs them is
`theogony.envs.core.portable`.
"""
