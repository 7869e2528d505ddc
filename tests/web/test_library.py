"""`theogony.mjs` in Node: games, views and searches are those of Python."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from theogony.envs.core.position import Position
from theogony.envs.core.registry import load
from theogony.training.players.search import Search
from theogony.training.players.search.names import parse_search
from theogony.web.folder import LIBRARY
from theogony.web.library import description
from theogony.web.modules import name_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("wasm"),
    pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed"),
]
ROOT = Path(__file__).parents[2]
MIXED = 0x5BD1E995  # what the library mixes into the seed with which it draws what is hidden
PLAY = """
import crypto from "node:crypto";
import fs from "node:fs";
import { Game } from "FOLDER/theogony.mjs";
const about = JSON.parse(fs.readFileSync("FOLDER/games/push_of_faith-2p.json"));
const game = Game.of(about, new Uint8Array(fs.readFileSync(`FOLDER/games/${about.module}`)));
const sums = crypto.createHash("sha256"), found = {};
const refused = (act) => { try { act(); return ""; } catch (error) { return error.message; } };
game.reset(7n);
for (let k = 0; !game.over; k++) {
  const legal = game.legal(), drawn = game.clone().resample(game.actor, 3);
  const parts = [game.state, game.mask(), game.observe(0), game.observe(1), drawn.state];
  for (const part of parts) sums.update(Buffer.from(part.buffer));
  if (k === 5) {
    found.search = game.search({ iterations: 64, seed: 3 });
    const acts = [() => game.apply(-1), () => game.observe(2), () => game.search({ iterations: 0 })];
    found.refused = acts.map(refused);
  }
  game.apply(legal[(7 * k) % legal.length]);
}
const ended = { scores: game.scores(), rewards: game.rewards(), margin: game.rewards("margin") };
console.log(JSON.stringify({ ...found, ...ended, sums: sums.digest("hex") }));
"""

STEPS = """
import fs from "node:fs";
import { Game, Searchers } from "FOLDER/theogony.mjs";
const about = JSON.parse(fs.readFileSync("FOLDER/games/push_of_faith-2p.json"));
const game = Game.of(about, new Uint8Array(fs.readFileSync(`FOLDER/games/${about.module}`))).reset(7);
const asked = { iterations: 1000, seed: 3 }, found = {};
const refused = async (act) => { try { await act(); return ""; } catch (error) { return error.message; } };
const visits = ({ options }) => options.reduce((sum, option) => sum + option.visits, 0);
found.whole = game.search(asked);
const thinking = game.think(asked);
found.second = await refused(() => game.think(asked));
while (game.core.searching) { game.clone().resample(1, 5).observe(1); await new Promise((go) => setTimeout(go)); }
found.steps = await thinking;
found.stopped = visits(await game.think({ ...asked, signal: AbortSignal.abort() }));
for (const count of [1, 2]) {
  const all = await Searchers.start(game, count);
  found[`by ${count}`] = await all.search(game, asked);
  found[`stopped ${count}`] = visits(await all.search(game, { ...asked, signal: AbortSignal.abort() }));
  const end = new AbortController(), less = all.search(game, { ...asked, signal: end.signal });
  end.abort();
  found.busy = await refused(() => all.search(game));
  await less;
  found.over = await refused(() => all.search(game, { iterations: 0 }));
  all.close();
}
found.apart = game.search({ iterations: 1000, seed: 3n + 0x9e3779b97f4a7c15n });
found.none = await refused(() => Searchers.start(game, 0));
console.log(JSON.stringify(found));
"""


@pytest.fixture(scope="module")
def library(modules: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as `theogony web` writes it, without pages."""
    out, game = tmp_path_factory.mktemp("library"), load("push_of_faith").configure({})
    shutil.copytree(modules, out / "kernels")
    for name in LIBRARY:
        shutil.copyfile(ROOT / "src" / "theogony" / "web" / "page" / name, out / name)
    (out / "games").mkdir()
    text = json.dumps(description(game, f"../kernels/{name_of(game)}"))
    (out / "games" / "push_of_faith-2p.json").write_text(text)
    return out


def test_a_game_in_node_is_that_of_python(library: Path, tmp_path: Path) -> None:
    script = tmp_path / "play.mjs"
    script.write_text(PLAY.replace("FOLDER", str(library)))
    done = subprocess.run(["node", str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found, sums = json.loads(done.stdout), hashlib.sha256()
    position, k = Position(load("push_of_faith").configure({}), 7), 0
    while not position.over:
        legal, drawn = position.legal_actions(), position.clone()
        drawn.resample(position.actor, np.array([3], np.uint64))
        for part in (position.key(), position.mask, position.observe(0), position.observe(1), drawn.key()):
            sums.update(part if isinstance(part, bytes) else part.tobytes())
        if k == 5:
            assert found["search"] == searched(position)
        position.play(int(legal[(7 * k) % len(legal)]))
        k += 1
    assert found["sums"] == sums.hexdigest()
    assert found["scores"] == position.scores().tolist()
    assert found["rewards"] == position.rewards().tolist()
    assert found["margin"] == position.rewards("margin").tolist()
    refused = ["action -1 is not legal; legal: ", "seat 2 is not 0 to 1", "iterations=0: 1 to 1000 were expected"]
    assert all(said.startswith(words) for said, words in zip(found["refused"], refused, strict=True))


def searched(position: Position) -> dict[str, object]:
    """What `Game.search` gives for seed 3."""
    root = position.clone()
    root.resample(position.actor, np.array([3 ^ MIXED], np.uint64))
    search = Search(position.game, parse_search("mcts:64")[0])
    action = search.choose(root.states, root.now, np.array([3], np.uint64))
    found = [(a, *search.results()[a]) for a, _ in search.ranked()]
    return {"action": action, "options": [{"action": a, "visits": n, "value": total / n} for a, n, total in found]}


def test_searches_in_steps_and_in_workers(library: Path, tmp_path: Path) -> None:
    """A search in steps comes to the same, can be stopped, and nobody disturbs it; workers add up their visits."""
    script = tmp_path / "steps.mjs"
    script.write_text(STEPS.replace("FOLDER", str(library)))
    done = subprocess.run(["node", str(script)], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    whole, apart = (visits_of(found[name]) for name in ("whole", "apart"))
    assert found["steps"] == found["whole"]
    assert visits_of(found["by 1"]) == whole != apart
    assert visits_of(found["by 2"]) == {a: whole.get(a, 0) + apart.get(a, 0) for a in {*whole, *apart}}
    assert found["by 2"]["action"] == max(visits_of(found["by 2"]), key=lambda a: visits_of(found["by 2"])[a])
    assert 0 < found["stopped"] < 1000
    assert 0 < found["stopped 1"] < 1000 and 0 < found["stopped 2"] < 2000
    assert found["second"].startswith("another search of this module is running")
    assert found["busy"] == "these workers are searching already"
    assert found["over"] == "iterations=0: 1 to 1000 were expected"
    assert found["none"] == "count=0: at least one worker was expected"


def visits_of(result: dict) -> dict[int, int]:
    return {option["action"]: option["visits"] for option in result["options"]}


def test_the_example_plays_a_game(library: Path) -> None:
    done = subprocess.run(
        ["node", str(ROOT / "examples" / "browser_game.mjs"), str(library), "push_of_faith"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("Push of Faith: 36 decisions, scores ")
