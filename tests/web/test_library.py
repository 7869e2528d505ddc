"""`theogony.mjs` in Node: games, views and searches are those of Python."""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from theogony.envs.core.players import make_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import from_bytes
from theogony.envs.core.registry import load
from theogony.training.players.search import Search
from theogony.training.players.search.options import parse_search
from theogony.web.folder import LIBRARY
from theogony.web.library import description
from theogony.web.modules import name_of
from theogony.web.players import learnt_files
from theogony.web.wide import WideSearch

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
const rows = Object.entries(game.rows).map(([kind, { places, ...more }]) => [kind, { ...more, places: [...places] }]);
console.log(JSON.stringify({ ...found, ...ended, rows: Object.fromEntries(rows), sums: sums.digest("hex") }));
"""

LEARNT = """
import fs from "node:fs";
import { Game, Searchers } from "FOLDER/theogony.mjs";
const read = (name) => new Uint8Array(fs.readFileSync(`FOLDER/games/${name}`));
const about = JSON.parse(new TextDecoder().decode(read("push_of_faith-2p.json")));
const game = Game.of(about, read(about.module)).learn(read(about.weights)).reset(7), found = { games: [], refused: [] };
for (let k = 0; k < 5; k++) {
  found.games.push(game.search({ iterations: 64, seed: k }));
  const steps = await game.think({ iterations: 64, seed: k });
  found.games.at(-1).steps = JSON.stringify(steps) === JSON.stringify(game.search({ iterations: 64, seed: k }));
  game.apply(found.games.at(-1).action);
}
const all = await Searchers.start(game, 1);
const asked = { iterations: 64, seed: 9 }, helped = JSON.stringify(await all.search(game, asked));
found.helped = helped === JSON.stringify(game.search(asked));
all.close();
const refused = (bytes) => { try { game.learn(bytes); return ""; } catch (error) { return error.message; } };
const whole = read(about.weights), short = whole.subarray(0, whole.length - 2);
console.log(JSON.stringify({ ...found, refused: [new Uint8Array(9), short].map(refused) }));
"""

GROWN = """
import fs from "node:fs";
import { Worker } from "node:worker_threads";
const read = (name) => new Uint8Array(fs.readFileSync(`FOLDER/games/${name}`));
const about = JSON.parse(new TextDecoder().decode(read("push_of_faith-2p.json")));
const { tree, state, ...grow } = JSON.parse(fs.readFileSync(0, "utf-8"));
const worker = new Worker("FOLDER/searcher.mjs"), heard = () => new Promise((done) => worker.once("message", done));
worker.postMessage({ about, bytes: read(about.module), learnt: read(about.weights) });
await heard();
worker.postMessage({ grow: { ...grow, state: Uint8Array.from(atob(state), (c) => c.charCodeAt(0)) } });
console.log(JSON.stringify({ tree, ...(await heard()) }));
await worker.terminate();
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
found["whole 64"] = visits(game.search({ ...asked, iterations: 64 }));
const quick = game.think({ ...asked, iterations: 64 }), next = refused(() => game.think({ ...asked, seed: 4 }));
found.quick = visits(await quick); // whether it had ended before the next one began or not
await next;
const now = performance.now, late = () => now.call(performance) + 1000 * (found.looks = (found.looks ?? 0) + 1);
performance.now = late; // a machine on which every piece takes long
const thinking = game.think(asked);
found.second = await refused(() => game.think(asked));
performance.now = now;
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
    ((file, content),) = learnt_files([game])
    (out / "weights").mkdir()
    (out / "weights" / file).write_bytes(content)
    net = np.load(io.BytesIO(content)).astype(np.float32)
    text = json.dumps(description(game, f"../kernels/{name_of(game)}", net, f"../weights/{file}"))
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
        there, redrawn = (from_bytes(one.key(), one.game.state) for one in (position, drawn))  # as they lie in memory
        for part in (there, position.mask, position.observe(0), position.observe(1), redrawn):
            sums.update(part.tobytes())
        if k == 5:
            assert found["search"] == searched(position)
        position.play(int(legal[(7 * k) % len(legal)]))
        k += 1
    assert found["sums"] == sums.hexdigest()
    assert found["scores"] == position.scores().tolist()
    assert found["rewards"] == position.rewards().tolist()
    assert found["margin"] == position.rewards("margin").tolist()
    kinds = position.game.action_rows
    assert kinds is not None and list(found["rows"]) == list(kinds)
    for kind, rows in kinds.items():
        told = found["rows"][kind]
        assert told["places"] == rows.places.reshape(-1).tolist() and told["first"] == position.game.actions.first[kind]
        assert told["columns"] == {name: [at.start, at.stop] for name, at in rows.columns.items()}
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
    assert found["steps"] == found["whole"] and found["quick"] == found["whole 64"]
    assert visits_of(found["by 1"]) == whole != apart
    assert visits_of(found["by 2"]) == {a: whole.get(a, 0) + apart.get(a, 0) for a in {*whole, *apart}}
    assert found["by 2"]["action"] == max(visits_of(found["by 2"]), key=lambda a: visits_of(found["by 2"])[a])
    assert 0 < found["stopped"] < 1000
    assert 0 < found["stopped 1"] < 1000 and 0 < found["stopped 2"] < 2000
    assert found["second"].startswith("another search of this module is running")
    assert found["busy"] == "these workers are searching already"
    assert found["over"] == "iterations=0: 1 to 1000 were expected"
    assert found["none"] == "count=0: at least one worker was expected"


def test_searches_by_a_learnt_value_are_those_of_python(library: Path, tmp_path: Path) -> None:
    """`mcts:64@reference`: actions, visits and values, at once, in steps and in a worker."""
    script = tmp_path / "learnt.mjs"
    script.write_text(LEARNT.replace("FOLDER", str(library)))
    done = subprocess.run(["node", str(script)], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    position = Position(load("push_of_faith").configure({}), 7)
    search = make_player("mcts:64@reference", position.game).search  # pyright: ignore[reportAttributeAccessIssue]
    for seed, game in enumerate(found["games"]):
        root = position.clone()
        root.resample(position.actor, np.array([seed ^ MIXED], np.uint64))
        assert game["action"] == search.choose(root.states, root.now, np.array([seed], np.uint64))
        expected = {action: (n, total / n) for action, (n, total) in search.results().items() if n}
        assert {one["action"]: (one["visits"], one["value"]) for one in game["options"]} == expected
        assert game["steps"]
        position.play(game["action"])
    assert found["helped"]
    assert found["refused"][0] == "these are no learnt weights"
    assert re.fullmatch(
        r"these weights are \d+ numbers, and Push of Faith with 2 players wants \d+", found["refused"][1]
    )


class Elsewhere:
    """Helpers of a page in Node: so many are free at once, and every `fails`-th answers that it cannot."""

    def __init__(self, script: Path, free: int, fails: int = 0) -> None:
        self.script, self.free, self.fails = script, free, fails
        self.asked, self.grown, self.waiting = 0, 0, list[str]()

    def start(self, count: int) -> None:
        assert count == 3

    def ask(self, question: str) -> bool:
        if len(self.waiting) >= self.free:
            return False
        self.asked += 1
        self.waiting.append(question)
        return True

    def answers(self) -> str:
        found, self.waiting = [self.answer(question) for question in self.waiting], []
        return json.dumps(found)

    def answer(self, question: str) -> dict:
        self.grown += 1
        if self.fails and self.grown % self.fails == 0:
            return {"tree": json.loads(question)["tree"], "error": "no memory"}
        done = subprocess.run(["node", str(self.script)], input=question, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def stop(self) -> None:
        self.waiting = []


@pytest.mark.parametrize(
    ("name", "guided"), [("mcts:40x4", False), ("mcts:40x4@reference", True), ("gumbel:30x4", None)]
)
@pytest.mark.parametrize(("free", "fails"), [(0, 0), (2, 0), (3, 2)])
def test_trees_that_grow_in_helpers_are_those_of_threads(
    name: str, guided: bool | None, free: int, fails: int, library: Path, tmp_path: Path
) -> None:
    """However many helpers there are, and where some fail; with a prior at the root as well (`guided` is None)."""
    game = load("push_of_faith").configure({})
    script = tmp_path / "grown.mjs"
    script.write_text(GROWN.replace("FOLDER", str(library)))
    native = make_player(name, game).search  # pyright: ignore[reportAttributeAccessIssue]
    helpers = Elsewhere(script, free, fails)
    search = WideSearch(helpers, game, native.options, native.net)
    assert bool(len(native.net)) == bool(guided)
    prior = np.linspace(0.1, 1.0, game.actions.size) if guided is None else None
    for seed in (3, 4):
        position = Position(game, seed)
        given = (position.states, position.now)
        expected = native.choose(*given, np.array([seed], np.uint64), prior)
        assert search.choose(*given, np.array([seed], np.uint64), prior) == expected
        assert search.results() == native.results()
    assert helpers.asked == (0 if not free else helpers.grown) and (helpers.grown > 2 or not free)


def visits_of(result: dict) -> dict[int, int]:
    return {option["action"]: option["visits"] for option in result["options"]}


def test_the_example_plays_a_game(library: Path) -> None:
    done = subprocess.run(
        ["node", str(ROOT / "examples" / "browser_game.mjs"), str(library), "push_of_faith"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("Push of Faith: 36 decisions, scores ")
