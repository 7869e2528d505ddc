"""The rules as WebAssembly: what browsers and machines without Numba run.

* `calls.py`: which kernels a game needs there; `emit.py`: LLVM writes them from what Numba makes of the rules;
  `link.py`: one module of them; `modules.py`: those of all layouts. What runs them is `theogony.envs.core.portable`
* `folder.py`: the static folder of `theogony web`; `archives.py`: its Python; `page/`: its worker, its link to it, and
  the library `theogony.mjs`, for which `library.py` describes a game
* `desk.py`, `players.py`, `wide.py`: the table, the trained players (whose files `players.py` writes as well) and
  searches of several trees inside the browser's Python
"""
