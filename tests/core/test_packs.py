"""Packs: components that games draw by themselves, and games that draw one of several packs."""

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import theogony
from theogony.envs import GAMES, load
from theogony.envs.core.batch import Batch
from theogony.envs.core.conformance import check
from theogony.envs.core.game import ComponentError, GameSpec, OptionError
from theogony.envs.core.gamerecord import RecordError, read_record, record_lines, write_record
from theogony.envs.core.packs import MOST_PACKS, Draw, packs_named
from theogony.envs.core.players import Views
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.lookahead_scores import _scores, batch_lookahead

NAMES = [name for name in GAMES if load(name).generate is not None]
SMALL = load("push_of_faith")
SEEDS = range(25)


def digests(spec: GameSpec, seeds: Any) -> list[str]:
    return [spec.configure({"components": f"random:{seed}"}).component_digest for seed in seeds]


def played(position: Position, decisions: int = 1000) -> Position:
    generator = np.random.default_rng(0)
    while not position.over and position.now < decisions:
        position.play(generator.choice(position.legal_actions()))
    return position


# ---------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "name", ["random:x", "random:-1", "random:", "random", "random:1-", "random:3-1", "random: 1", "PRINTED", "",
             f"random:{2**31}", f"random:0-{MOST_PACKS}", "random:1-2-3", "random:٣"]
)  # fmt: skip
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(OptionError, match=r"components=.*(expected|were expected)"):
        SMALL.configure({"components": name})


@pytest.mark.parametrize("value", [3, None, ["random:3"]])
def test_other_values_are_refused(value: Any) -> None:
    with pytest.raises(OptionError, match="components"):
        SMALL.configure({"components": value})


def test_a_pack_leaves_no_place_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="leaves no place for tile_file"):
        SMALL.configure({"components": "random:3", "tile_file": tmp_path / "tiles.json"})


def test_names_of_packs() -> None:
    assert packs_named(f"random:5-{MOST_PACKS + 4}") == range(5, MOST_PACKS + 5)
    assert SMALL.configure({"components": "random:7-7"}).component_digest == digests(SMALL, [7])[0]


def test_draws_are_the_same_everywhere() -> None:
    draw = Draw(7, "game")
    assert [draw.below(1000) for _ in range(5)] == EXPECTED_DRAWS
    assert sorted(Draw(1, "g").shuffled(range(50))) == list(range(50))
    counts = np.bincount([Draw(k, "g").below(3) for k in range(3000)])
    assert (abs(counts - 1000) < 120).all()


EXPECTED_DRAWS = [545, 772, 145, 636, 471]


# ---------------------------------------------------------------------------------------------------- packs


@pytest.mark.parametrize("name", NAMES)
def test_packs_follow_from_their_seed(name: str) -> None:
    spec = load(name)
    found = digests(spec, SEEDS)
    assert found == digests(spec, SEEDS)
    assert len({*found, spec.configure().component_digest}) == len(SEEDS) + 1


def test_packs_are_the_same_in_every_process() -> None:
    """Also where Python hashes texts otherwise, so that sets have another order."""
    program = (
        "import sys; from theogony.envs import load\n"
        "for name in sys.argv[1:]: print(*(load(name).configure({'components': f'random:{k}'}).component_digest "
        "for k in (0, 1, 2)))"
    )
    ways = [
        subprocess.run(
            [sys.executable, "-c", program, *NAMES],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2", "3")
    ]  # fmt: skip
    assert ways[0] == ways[1] == ways[2]
    assert ways[0].split() == [digest for name in NAMES for digest in digests(load(name), (0, 1, 2))]


@pytest.mark.parametrize("name", NAMES)
def test_packs_are_like_print_in_layout(name: str) -> None:
    """So that kernels that are compiled for the printed components play any pack."""
    spec = load(name)
    for players in spec.players:
        printed = spec.configure({"players": players})
        for seed in (0, 1):
            assert spec.configure({"players": players, "components": f"random:{seed}"}).layout() == printed.layout()


@pytest.mark.parametrize("name", NAMES)
def test_packs_pass_the_check_of_strangers(name: str) -> None:
    spec = load(name)
    assert spec.check_components is not None
    for seed in SEEDS:
        game = spec.configure({"components": f"random:{seed}"})
        assert spec.configure(None, spec.check_components(game.components, "here")).components == game.components


@pytest.mark.parametrize("name", NAMES)
def test_pieces_of_packs_have_names_and_pictures(name: str) -> None:
    spec = load(name)
    printed = spec.configure()
    for seed in (0, 1):
        game = spec.configure({"components": f"random:{seed}"})
        kinds = {entry.kind for entry in game.vocabulary}
        assert kinds == {entry.kind for entry in printed.vocabulary}
        position = played(Position(game, seed), 30)
        assert position.svg("all").startswith("<svg")
        assert game.spec.render_text(game, position.g, None)


@pytest.mark.parametrize("name", NAMES)
def test_games_with_packs_are_played_to_their_end(name: str) -> None:
    spec = load(name)
    batch = Batch(spec.configure({"components": "random:0-19"}), 40, seed=1)
    ended = np.zeros(batch.size, bool)
    for _ in range(6000):
        batch.step(batch.sample())
        ended |= batch.rows["over"] != 0
        if ended.all():
            break
    assert ended.all() and len(np.unique(batch.packs())) > 5


# ---------------------------------------------------------------------------------------------------- records


def test_records_hold_their_pack(tmp_path: Path) -> None:
    position = played(Position(SMALL.configure({"components": "random:3"}), 5))
    path = tmp_path / "game.jsonl"
    write_record(position, path)
    again = read_record(path)
    assert again.key() == position.key() and again.game.components == position.game.components
    object.__setattr__(SMALL, "generate", generate := SMALL.generate)
    try:  # a version that draws otherwise
        object.__setattr__(SMALL, "generate", lambda options, draw: SMALL.components(options))
        assert read_record(path).key() == position.key()
    finally:
        object.__setattr__(SMALL, "generate", generate)


def test_a_record_is_of_one_pack_of_several(tmp_path: Path) -> None:
    position = played(Position(SMALL.configure({"components": "random:0-9"}), 5))
    assert position.game.options.components.count("-") == 0
    lines = record_lines(position)
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(lines) + "\n")
    assert read_record(path).key() == position.key()
    path.write_text("\n".join([lines[0].replace(position.game.options.components, "random:0-9"), *lines[1:]]) + "\n")
    with pytest.raises(RecordError, match="a game is of one pack"):
        read_record(path)


# ---------------------------------------------------------------------------------------------------- several packs

SEVERAL = SMALL.configure({"players": 2, "components": "random:0-9"})


def test_several_packs_take_no_components() -> None:
    with pytest.raises(ComponentError, match="draws its own"):
        SMALL.configure({"components": "random:0-9"}, SMALL.configure().components)


def test_several_packs_can_be_sent() -> None:
    again = pickle.loads(pickle.dumps(SEVERAL))
    assert again.component_digest == SEVERAL.component_digest
    assert (again.tables == SEVERAL.tables).all() and len(again.packs) == 10
    position = played(Position(SEVERAL, 3), 4)
    other = pickle.loads(pickle.dumps(position))
    assert other.key() == position.key() and other.game.component_digest == position.game.component_digest
    other.reset(4)
    assert other.game.component_digest == Position(SEVERAL, 4).game.component_digest
    clone = position.clone()
    clone.reset(4)
    assert clone.game.component_digest == other.game.component_digest


def test_every_game_draws_its_pack() -> None:
    found = {Position(SEVERAL, seed).game.options.components for seed in range(100)}
    assert found == {f"random:{k}" for k in range(10)}


def test_rows_play_what_single_positions_play() -> None:
    assert check(SMALL, games=1, sought=200, only=ONLY, options={"components": "random:0-9", "players": 2}).ok


ONLY = {"batches_play_the_same", "cut_off_games_pay_nothing", "seats_see_only_what_they_may", "invariant_holds",
        "stories_tell_only_what_they_may", "copies_are_equal_and_apart"}  # fmt: skip


def test_a_batch_goes_on_where_it_was_saved() -> None:
    batch, other = Batch(SEVERAL, 20, seed=1), Batch(SEVERAL, 20, seed=2)
    for _ in range(50):
        batch.step(batch.sample())
    other.load_state_dict(batch.state_dict())
    assert (other.codes == batch.codes).all() and (other.packs() == batch.packs()).all()
    for _ in range(50):
        batch.step(batch.sample())
        other.step(other.sample())
    assert (other.codes == batch.codes).all()
    with pytest.raises(ValueError, match="saved state is of"):
        Batch(SMALL.configure({"components": "random:1-10"}), 20, seed=1).load_state_dict(batch.state_dict())


def test_lookahead_looks_at_the_pack_in_play() -> None:
    batch = Batch(SEVERAL, 12, seed=3)
    for _ in range(9):
        batch.step(batch.sample())
    scores, packs = batch_lookahead(batch), batch.packs()
    assert len(np.unique(packs)) > 3
    for row in range(batch.size):
        game, position = SEVERAL.packs[packs[row]], batch.position(row)
        assert position.game is game
        seed = batch.rows["seed"][row] ^ np.uint64(batch.rows["episode"][row])
        alone = _scores(game, batch.states, batch.masks, np.array([row]), np.array([seed]))
        assert (alone[0] == scores[row]).all()


@pytest.mark.parametrize("name", ["mcts:20", "plan:8"])
def test_searches_look_at_the_pack_in_play(name: str) -> None:
    from theogony.envs.core.players import make_player

    for seed in range(6):
        position = played(Position(SEVERAL, seed), 8)
        chosen = [
            make_player(name, game).act(Views.at(position), np.random.default_rng(0))[0]
            for game in (SEVERAL, position.game)
        ]
        assert chosen[0] == chosen[1]


def test_environments_draw_packs() -> None:
    env: Any = theogony.make("push_of_faith", components="random:0-9", render_mode="ansi")
    packs = set()
    for seed in range(12):
        env.reset(seed=seed)
        inner = env.unwrapped
        packs.add(inner.position.game.options.components)
        assert inner.render()
    assert len(packs) > 3
    from theogony.envs.push_of_faith.push_of_faith_v0 import env as make

    assert make(components="random:3").game.component_digest == digests(SMALL, [3])[0]


def test_texts_tell_the_cards_in_play() -> None:
    from theogony.wrappers.text import TextEnv

    env = TextEnv("innovation", components="random:0-9", seat=0)
    text = env.reset(seed=1)
    assert "| Blue 1a |" in text and "Pottery" not in text.partition("## Rulings")[0]
    assert env.game.vocabulary["card", "Blue 1a"].does in text
    assert env.game is env.position.game
