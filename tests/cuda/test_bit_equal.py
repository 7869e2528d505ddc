"""The kernels for a device play the games of a batch, bit for bit: their PTX is run as C (see `ptx_as_c.py`)."""

import shutil

import numpy as np
import pytest
from ptx_as_c import Device

from theogony.cuda import emit
from theogony.cuda.kernels import arrays
from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.envs.core.portable.layouts import flattened, kind_of
from theogony.envs.core.registry import GAMES

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler as `cc`")]
SEED, SIZE, STEPS = 7, 32, 100
SEATS = {"all": -2, "random": -1}


@pytest.fixture(scope="module", params=list(GAMES))
def device(request, tmp_path_factory) -> tuple[str, Device]:
    [(_, ptx)] = emit.run([(request.param, {})], 1)
    return request.param, Device(ptx, tmp_path_factory.mktemp("ptx"))


@pytest.mark.parametrize(("seat", "greed"), [("all", 0.0), ("random", 0.0), ("random", 0.3)])
def test_the_same_seeds_give_the_same_games(device: tuple[str, Device], seat, greed: float) -> None:
    """States, rows, masks, observations and opponents, after every step; no access that a device would refuse."""
    name, emulated = device
    game = load(name).configure({})
    opponents = f"greedy:{greed}" if greed else "random"
    batch = Batch(game, SIZE, SEED, seat=seat, opponents=opponents)
    b = arrays(game, SIZE, SEATS[seat], game.spec.reward_index(batch.reward), greed)
    streams, actions, failed = np.zeros(SIZE, np.uint64), np.zeros(SIZE, np.int64), np.zeros((2, SIZE), np.int8)

    def launch(kernel: str, *given) -> None:
        flat = flattened(given, [kind_of(value) for value in given], lambda array: array.ctypes.data)
        head = (SIZE, len(b.scratch.states) // SIZE, failed[1].ctypes.data)
        emulated.launch(f"theogony_{kernel}", SIZE, [*head, *map(int, flat)])

    launch("reset", b, streams, np.uint64(SEED))
    for _ in range(STEPS):
        launch("sample", b, streams, actions)
        assert actions.tolist() == batch.sample().tolist()
        launch("step", b, actions, failed[0])
        batch.step(actions)
        for mine, theirs in zip(b[:8], batch._arrays[:8], strict=True):
            assert mine.tobytes() == theirs.tobytes()
    assert not failed.any()
    assert emulated.misaligned() == 0


def test_an_illegal_action_is_flagged_and_changes_nothing(device: tuple[str, Device]) -> None:
    name, emulated = device
    b = arrays(load(name).configure({}), SIZE)
    streams, actions, failed = np.zeros(SIZE, np.uint64), np.full(SIZE, 10**6), np.zeros((2, SIZE), np.int8)
    actions[::2] = -1
    for kernel, given in (("reset", (b, streams, np.uint64(SEED))), ("step", (b, actions, failed[0]))):
        before = b.states.tobytes()
        flat = flattened(given, [kind_of(value) for value in given], lambda array: array.ctypes.data)
        head = (SIZE, len(b.scratch.states) // SIZE, failed[1].ctypes.data)
        emulated.launch(f"theogony_{kernel}", SIZE, [*head, *map(int, flat)])
    assert b.states.tobytes() == before
    assert failed.sum(1).tolist() == [SIZE, 0]
