"""Games on a device are those of a CPU, bit for bit: the PTX of their rules is run as C (see `ptx_as_c.py`)."""

import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch
from ptx_as_c import Emulated

import theogony
from theogony.cuda import driver
from theogony.cuda.batch import CudaVectorEnv
from theogony.cuda.emit import ptx_of
from theogony.envs import load
from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.batch import Batch
from theogony.envs.core.batches.kernels import ROW
from theogony.envs.core.record import ENDED, RUNNING
from theogony.envs.core.registry import GAMES
from theogony.wrappers.sb3_vec import BatchVecEnv

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler as `cc`")]
ROOT = Path(__file__).parents[2]
SEED, SIZE, STEPS = 7, 16, 200
LENGTH = 300  # decisions after which long games are cut off, so that all end
MIXED = [(0.4, "random"), (0.3, "greedy"), (0.3, "greedy:0.3")]


@pytest.fixture(scope="module", params=list(GAMES))
def name(request, tmp_path_factory) -> str:
    """A game whose kernels are compiled: as PTX and that as C."""
    Emulated.folder = tmp_path_factory.mktemp("ptx")
    Emulated.compiled(ptx_of(load(request.param).configure({})))
    return request.param


@pytest.fixture
def emulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "Driver", Emulated)


def on_cpu(name: str, size: int = SIZE, **given: Any) -> BatchVecEnv:
    return cast(BatchVecEnv, theogony.make_vec(name, size, seed=SEED, **given))


def on_device(name: str, size: int = SIZE, **given: Any) -> CudaVectorEnv:
    return theogony.make_vec(name, size, seed=SEED, device="cuda", **given)


def assert_same(envs: CudaVectorEnv, batch: Batch) -> None:
    """All memory of the games is the same, byte for byte."""
    theirs = batch.states, batch.rows, batch.codes, batch.masks, batch.last_codes
    for mine, array in zip((*envs.records(), envs.codes, envs.masks, envs.last_codes), theirs, strict=True):
        assert mine.numpy().tobytes() == array.tobytes()


@pytest.mark.usefixtures("emulated")
@pytest.mark.parametrize(
    ("seat", "opponents", "steps"), [("random", "random", STEPS), (0, "greedy", 100), ("random", MIXED, 100)]
)
def test_the_same_seeds_give_the_same_games(name: str, seat, opponents, steps: int) -> None:
    """States, masks, observations, rewards and ends after every step, also after a second reset."""
    given = {"seat": seat, "opponents": opponents, "max_decisions": LENGTH}
    envs, theirs = on_device(name, **given), on_cpu(name, **given)
    ended = 0
    for count in (steps, 10):
        seen, infos = envs.reset()
        assert seen.numpy().tobytes() == theirs.reset().tobytes()
        for _ in range(count):
            actions = envs.sample()
            assert actions.tolist() == theirs.batch.sample().tolist()
            seen, rewards, terminated, truncated, infos = envs.step(actions)
            wanted, paid, dones, _ = theirs.step(actions.numpy())
            assert seen.numpy().tobytes() == wanted.tobytes() and rewards.numpy().tobytes() == paid.tobytes()
            ended += dones.sum()
            assert (terminated | truncated).tolist() == dones.tolist() and not infos["illegal"].any()
            assert infos["action_mask"].numpy().tobytes() == theirs.action_masks().tobytes()
            assert_same(envs, theirs.batch)
    assert ended and cast(Emulated, envs._driver).misaligned() == 0


@pytest.mark.usefixtures("emulated")
def test_all_seats_play_themselves(name: str) -> None:
    """The rewards are those of every seat, but of the team in a cooperative game; games are cut off as well."""
    game = load(name).configure({"max_decisions": 30})
    envs = on_device(name, seat="all", observation="compact", max_decisions=30)
    batch = Batch(game, SIZE, SEED, seat="all")
    for _ in range(STEPS // 2):
        actions = envs.sample().numpy()
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        batch.step(actions)
        assert_same(envs, batch)
        over = batch.rows["over"]
        paid = np.where(over[:, None] != RUNNING, batch.rows["rewards"][:, : game.players], 0)
        assert rewards.tolist() == (paid[:, 0] if game.spec.cooperative else paid).astype(np.float32).tolist()
        assert terminated.tolist() == (over == ENDED).tolist() and seen.data_ptr() == envs.codes.data_ptr()
        assert (terminated | truncated).tolist() == (over != RUNNING).tolist()
        assert infos["seat"].tolist() == batch.rows["seat"].tolist()
    assert envs.last_observations().numpy().tobytes() == batch.last_codes.tobytes()


@pytest.mark.usefixtures("emulated")
def test_many_decisions_in_one_call(name: str) -> None:
    """`play` is `step(sample())` so many times: the games, their streams, and what is seen at the end."""
    at_once, one_by_one = on_device(name, seat="all"), on_device(name, seat="all")
    for decisions in (1, 40):
        at_once.play(decisions)
        for _ in range(decisions):
            one_by_one.step(one_by_one.sample())
        for mine, theirs in zip(
            (*at_once.records(), at_once.codes, at_once.masks),
            (*one_by_one.records(), one_by_one.codes, one_by_one.masks),
            strict=True,
        ):
            assert torch.equal(mine, theirs)
        assert at_once.sample().tolist() == one_by_one.sample().tolist()
    with pytest.raises(ValueError, match="decisions"):
        at_once.play(0)


@pytest.mark.usefixtures("emulated")
def test_illegal_actions(name: str) -> None:
    """They are refused and change nothing; unchecked they are marked, and their games stay as they were."""
    envs = on_device(name)
    before, actions = envs.records()[0], envs.sample()
    actions[3] = -1
    with pytest.raises(IllegalAction, match="step, row 3: ") as refused:
        envs.step(actions)
    assert refused.value.legal == envs.masks[3].nonzero()[:, 0].tolist() and torch.equal(before, envs.records()[0])
    with pytest.raises(ValueError, match=f"step takes {SIZE} integers"):
        envs.step(actions[1:])
    infos = envs.step(actions, check=False)[-1]
    assert infos["illegal"].nonzero().tolist() == [[3]]
    same = (before == envs.records()[0]).all(1)
    assert same.nonzero().tolist() == [[3]]
    assert envs.position(3).mask[0].tolist() == envs.masks[3].int().tolist()


def test_networks_and_several_component_sets(emulated: None) -> None:
    """A network judges positions for the greedy player; each game draws its tiles by its seed."""
    given = {"opponents": "greedy@reference", "components": "random:0-3"}
    envs, theirs = on_device("push_of_faith", 4, **given), on_cpu("push_of_faith", 4, **given)
    for _ in range(STEPS):
        actions = envs.sample()
        envs.step(actions)
        theirs.step(actions.numpy())
        assert_same(envs, theirs.batch)


def test_threads_that_do_the_same_touch_neighbouring_bytes(emulated: None) -> None:
    """Codes and masks of all games lie side by side, and what a kernel asks of the device are these and few more."""
    envs = on_device("push_of_faith", seat="all", observation="compact")
    assert envs.codes.stride() == (1, SIZE) and envs.masks.stride() == (1, SIZE)
    device = cast(Emulated, envs._driver)
    actions = envs.sample()
    device.outside()
    envs.step(actions)
    moved = 2 * (len(envs._states) + len(envs._rows) + envs.masks.shape[1]) + envs.codes.shape[1]
    assert device.outside() < SIZE * 1.5 * moved, "tables, packs and actions are the rest"


def test_kernels_fit_a_device(tmp_path: Path) -> None:
    """NVIDIA's assembler takes them; what a thread has for itself stays small, and hardly a register is spilled."""
    assembler = shutil.which("ptxas") or next(Path(sys.prefix).rglob("nvidia/cuda_nvcc/bin/ptxas"), None)
    if assembler is None:
        pytest.skip("needs ptxas: pip install nvidia-cuda-nvcc-cu12")
    ptx = tmp_path / "kernels.ptx"
    ptx.write_text(ptx_of(load("push_of_faith").configure({})), "utf-8")
    command = [str(assembler), "-v", "-arch=sm_90", str(ptx), "-o", str(tmp_path / "kernels.cubin")]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    found = {
        what: [int(n) for n in re.findall(rf"(\d+) bytes {what}", said)] for what in ("stack frame", "spill stores")
    }
    assert len(found["stack frame"]) >= 4 and max(found["stack frame"]) < 16384 and max(found["spill stores"]) < 1024


def test_fields_of_the_bookkeeping(emulated: None) -> None:
    envs = on_device("push_of_faith", seat=0, opponents="greedy")
    for _ in range(60):
        envs.step(envs.sample())
    rows = envs.records()[1].numpy().reshape(-1).view(ROW)
    for field in ROW.names or ():
        assert envs.field(field).numpy().tolist() == rows[field].tolist()


def test_the_script_for_a_device(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What `tools/device.py` would print there: equality, speeds, and PPO end to end."""
    monkeypatch.setattr(driver, "Driver", driver.Driver)  # put back at the end
    monkeypatch.setattr(sys, "path", [*sys.path])
    runpy.run_path(str(ROOT / "tools" / "device.py"))["main"](["--emulated", "push_of_faith"])
    said = capsys.readouterr().out
    assert said.count("8 of 8 games equal") == 2 and "misaligned 0" in said
    assert "| push_of_faith | 32 |" in said and "after 320 decisions" in said
