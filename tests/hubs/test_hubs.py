"""Each hub's own library plays our environment: the same game as without it, offline."""

import ast
import asyncio
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from played import ARGUMENTS, SEED, reply

from theogony.envs.core.players import Views
from theogony.wrappers.text import Turn, Turns

ROOT, HERE = Path(__file__).parents[2], Path(__file__).parent
EXAMPLES = ROOT / "examples" / "hubs"
FOLDER = Path(os.environ.get("THEOGONY_HUBS", ROOT / ".venv-hubs"))
HUBS = ("verifiers", "openenv", "inspect_ai", "textarena")
SEATED: dict[str, dict[str, Any]] = {"inspect_ai": {"seat": 1}}  # its samples name the seat


def plain(invalid: float, **arguments: Any) -> dict[str, Any]:
    """The same game without a hub."""
    game = Turns("push_of_faith", invalid=invalid, **{**ARGUMENTS, **arguments})
    turn = game.reset(SEED)
    texts, rewards = [turn.text], []
    while not turn.over:
        turn = game.step(reply(len(rewards)))
        texts.append(turn.text)
        rewards.append(turn.reward)
    kept = {name: turn.metadata[name] for name in ("seat", "reward", "decisions", "invalid")}
    return {"texts": texts, "rewards": rewards, "result": kept}


@pytest.mark.slow
@pytest.mark.parametrize("hub", HUBS)
def test_a_hub_plays_the_same_game(hub: str, tmp_path: Path) -> None:
    python = FOLDER / hub / "bin" / "python"
    if not python.exists():
        pytest.skip(f"no environment for {hub}: `make hubs` makes it, or THEOGONY_HUBS names its folder")
    paths = (ROOT / "src", EXAMPLES / hub, HERE, ROOT / "tests" / "models")
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "HOME": str(tmp_path)}
    surroundings["THEOGONY_CACHE_DIR"] = os.environ.get("THEOGONY_CACHE_DIR", str(Path.home() / ".cache" / "theogony"))
    done = subprocess.run(
        [python, HERE / f"run_{hub}.py"],
        capture_output=True,
        text=True,
        env=surroundings,
        cwd=tmp_path,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    expected = plain(0.0 if hub == "inspect_ai" else -0.01, **SEATED.get(hub, {}))
    if hub == "verifiers":  # the text behind the last move is sent to nobody
        expected["texts"].pop()
    assert found == expected
    assert expected["result"]["invalid"] == 1


@pytest.mark.slow
def test_the_client_of_the_protocol() -> None:
    pytest.importorskip("mcp", reason="the package mcp is not installed")
    command = [sys.executable, EXAMPLES / "mcp" / "play.py", "push_of_faith"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.startswith("The game is over.")


def test_a_hub_is_short_and_has_a_readme() -> None:
    for hub in (*HUBS, "mcp"):
        assert (EXAMPLES / hub / "README.md").is_file()
        for file in (EXAMPLES / hub).rglob("*.py"):
            assert len(file.read_text("utf-8").splitlines()) < 100, file


class Meeting:
    """An opponent that decides only when another is deciding too."""

    name = "meeting"

    def __init__(self, place: threading.Barrier) -> None:
        self._place = place

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        self._place.wait(60)
        return views.masks.argmax(1)


def test_two_samples_run_side_by_side() -> None:
    """And the loop itself goes on: neither is held up while the opponent of the other thinks."""
    place = threading.Barrier(2)
    games = [Turns("push_of_faith", seat=0, opponents=Meeting(place), moves="numbered") for _ in range(2)]

    async def sample(game: Turns) -> Turn:
        turn = await game.areset(SEED)
        while not turn.over:
            turn = await game.astep("Move: 1")
        return turn

    async def both() -> list[Turn]:
        return await asyncio.gather(*map(sample, games))

    one, other = asyncio.run(both())
    assert one.over and one == other and not place.broken


def test_no_loop_of_a_hub_waits_for_a_game() -> None:
    """What may take long is awaited wherever samples share a loop."""
    found: set[str] = set()
    for file in EXAMPLES.rglob("*.py"):
        for function in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(function, ast.AsyncFunctionDef):
                calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
                names = [call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls]
                assert not {"step", "reset", "made", "make"} & set(names), f"{file}: {function.name}"
                found |= {file.parent.name} if "astep" in names else set()
    assert found == {"inspect_ai", "verifiers"}


def test_rewards_of_turns_add_up() -> None:
    found = plain(-0.01)
    assert sum(found["rewards"]) == pytest.approx(found["result"]["reward"] - 0.01)
    assert found["rewards"][3] == -0.01 and not any(found["rewards"][:3])


def test_legal_moves_are_metadata_unless_they_are_hidden() -> None:
    game = Turns("push_of_faith", seat=0)
    metadata = game.reset(1).metadata
    text = game.env.game.actions.text
    assert metadata["legal_moves"] == [text(k) for k, there in enumerate(metadata["action_mask"]) if there]
    hidden = Turns("push_of_faith", seat=0, moves="hidden").reset(1).metadata
    assert hidden["legal_moves"] == [] == hidden["action_mask"]
