"""What the server of processes imports once: with the rules loaded, a run begins at once."""

import torch

from theogony.envs import load
from theogony.envs.core.batches.shaping import Shaping
from theogony.training.learning import train  # noqa: F401
from theogony.wrappers.sb3_vec import BatchVecEnv

torch.set_num_threads(1)  # threads would not live on in a process that is forked
env = BatchVecEnv(load("push_of_faith").configure({"players": 2}), 2, 0)
env.batch.step(env.batch.sample())
Shaping(env.batch, "value", 1.0).begin()
