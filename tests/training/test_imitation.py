"""Imitation: a network learns what it is shown, from records and from arrays, and training goes on from there."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.training.loaded import loaded
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import read_record, write_record
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.game import SPEC
from theogony.training.config import ConfigError
from theogony.training.config.engines import Sb3Config
from theogony.training.learning import imitation
from theogony.training.learning.imitation import LessonError, Study, read_lessons, split
from theogony.training.learning.train import run as train
from theogony.training.rating.standings import run as run_tournament
from theogony.training.storage import checkpoint
from theogony.training.storage.header import read_header

Write = Callable[..., Path]
STUDY = Study(epochs=10, rate=1e-2, batch=64, held_out=0.2)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Games of a player that always takes the last legal action, against a random one."""
    folder = tmp_path_factory.mktemp("records")
    players = ["own_players:Last", "own_players:First"]
    run_tournament("push_of_faith", players, 16, workers=1, records=folder)
    return sorted(folder.glob("*.jsonl"))


def imitate(path: Path, files: list[Path], *overrides: str, epochs: int = 10) -> Path:
    return imitation.run(path, files, overrides, study=STUDY._replace(epochs=epochs))


def as_arrays(files: list[Path], write: Write, game: Game) -> dict[str, np.ndarray]:
    lessons = read_lessons(files, game, loaded(Sb3Config, write(shaping="none")))
    return {**lessons._asdict(), "episodes": lessons.games}


def last_mover(game: Game, folder: Path, seed: int) -> float:
    """How often the agent takes the last or first legal action, in decisions it has not seen."""
    player, position, agreed, asked = make_player(str(folder), game), Position(game, seed), 0, 0
    rng = np.random.default_rng(0)
    while not position.over:
        legal = position.legal_actions()
        if len(legal) > 1:
            agreed += int(player.act(Views.at(position), rng)[0]) in (legal[0], legal[-1])
            asked += 1
        position.play(int(rng.choice(legal[[0, -1]])))
    return agreed / asked


@pytest.mark.slow
def test_an_agent_decides_as_its_teachers_did(write: Write, game: Game, records: list[Path], tmp_path: Path) -> None:
    assert len(records) == 16
    folder = imitate(write(), records)
    assert folder == tmp_path / "run"
    figures = json.loads((folder / "imitation.json").read_text())
    assert len(figures) == 10 and figures[-1]["loss"] < figures[0]["loss"] / 2
    assert max(figure["agrees"] for figure in figures) > 0.8
    assert np.mean([last_mover(game, folder, seed) for seed in (100, 101)]) > 0.8


def test_training_begins_where_imitation_ended(write: Write, records: list[Path], tmp_path: Path) -> None:
    pupil = imitate(write(), records[:4], epochs=1)
    train(write(start_from=str(pupil), folder=str(tmp_path / "next")), ["algorithm.total_steps=40"], None)
    begun = checkpoint.read(tmp_path / "next" / "checkpoints" / f"{0:012d}").policy
    learnt = checkpoint.read(checkpoint.latest(pupil)).policy
    assert all(torch.equal(begun[name], learnt[name]) for name in learnt)


def test_records_and_arrays_teach_the_same(write: Write, game: Game, records: list[Path], tmp_path: Path) -> None:
    np.savez(tmp_path / "set.npz", **as_arrays(records[:4], write, game))  # pyright: ignore[reportArgumentType]
    path = write(shaping="none")
    one, other = imitate(path, records[:4], epochs=2), imitate(path, [tmp_path / "set.npz"], epochs=2)
    assert one != other
    assert (one / "imitation.json").read_text() == (other / "imitation.json").read_text()
    weights = [checkpoint.read(checkpoint.latest(folder)).policy for folder in (one, other)]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


def test_arrays_may_hold_codes_or_floats(write: Write, game: Game, records: list[Path], tmp_path: Path) -> None:
    codes = as_arrays(records[:1], write, game)
    floats = {**codes, "observations": game.features.decode(codes["observations"])}
    np.savez(tmp_path / "set.npz", **floats)  # pyright: ignore[reportArgumentType]
    read = read_lessons([tmp_path / "set.npz"], game, loaded(Sb3Config, write(shaping="none")))
    assert read.observations.dtype == np.uint8 and (read.observations == codes["observations"]).all()
    codes["observations"][0, 0] = 9  # a bit
    np.savez(tmp_path / "set.npz", **codes)  # pyright: ignore[reportArgumentType]
    with pytest.raises(LessonError, match="observations hold codes beyond their bounds"):
        read_lessons([tmp_path / "set.npz"], game, loaded(Sb3Config, write()))


def test_returns_are_final_rewards_less_what_shaping_paid(write: Write, game: Game, records: list[Path]) -> None:
    plain = read_lessons(records[:1], game, loaded(Sb3Config, write(shaping="none")))
    shaped = read_lessons(records[:1], game, loaded(Sb3Config, write(shaping="value")))
    position = Position(game, 0)
    end = read_record(records[0])
    position.reset(end.seed)
    for k, action in enumerate(end.actions):
        assert plain.returns[k] == pytest.approx(end.rewards("margin")[position.actor])
        assert shaped.returns[k] == pytest.approx(plain.returns[k] - position.value(position.actor), abs=1e-5)
        position.play(action)


def test_an_unfinished_game_teaches_no_value(write: Write, game: Game, tmp_path: Path) -> None:
    position = Position(game, 1)
    for _ in range(5):
        position.play(int(position.legal_actions()[0]))
    write_record(position, tmp_path / "half.jsonl")
    lessons = read_lessons([tmp_path / "half.jsonl"], game, loaded(Sb3Config, write()))
    assert len(lessons.actions) == 5 and np.isnan(lessons.returns).all()


def test_a_game_that_was_cut_off_teaches_no_value(write: Write, tmp_path: Path) -> None:
    """It pays nothing, which says nothing of what it would have brought."""
    short = Position(SPEC.configure({"players": 2, "max_decisions": 10}), 3)
    while not short.over:
        short.play(int(short.legal_actions()[0]))
    write_record(short, tmp_path / "short.jsonl")
    found = read_lessons([tmp_path / "short.jsonl"], short.game, loaded(Sb3Config, write()))
    assert len(found.returns) == 10 and np.isnan(found.returns).all()


@pytest.mark.parametrize("share", [0.01, 0.5, 0.75, 0.99])
def test_there_is_a_game_to_learn_from_and_one_to_hold_out(
    write: Write, game: Game, records: list[Path], share: float
) -> None:
    learnt, held = split(read_lessons(records[:2], game, loaded(Sb3Config, write())), share, 0)
    assert len(learnt.actions) > 0 and len(held.actions) > 0


def test_whole_games_are_held_out(write: Write, game: Game, records: list[Path]) -> None:
    lessons = read_lessons(records, game, loaded(Sb3Config, write()))
    learnt, kept = split(lessons, 0.25, seed=3)
    assert len(set(learnt.games)) == 12 and len(set(kept.games)) == 4
    assert not set(learnt.games) & set(kept.games)
    assert len(learnt.actions) + len(kept.actions) == len(lessons.actions)


def test_a_network_with_lookahead_scores(write: Write, game: Game, records: list[Path], tmp_path: Path) -> None:
    np.savez(tmp_path / "set.npz", **as_arrays(records[:4], write, game))  # pyright: ignore[reportArgumentType]
    network = {"shared": [16], "policy": [8], "value": [8], "lookahead": 1.0}
    path = write(algorithm={"total_steps": 80, "n_steps": 5, "batch_size": 20, "net_arch": network})
    folder = imitate(path, records[:4], epochs=1)
    learnt: Any = read_header(checkpoint.latest(folder)).network
    assert learnt.lookahead == 1.0
    player, position = make_player(str(folder), game), Position(game, 3)
    assert position.mask[0, player.act(Views.at(position), np.random.default_rng(0))[0]] == 1
    with pytest.raises(LessonError, match=r"set\.npz: a network that takes lookahead scores learns from records only"):
        imitate(path, [tmp_path / "set.npz"])


def expect(message: str, path: Path, files: list[Path]) -> None:
    with pytest.raises(ValueError, match=message):
        imitate(path, files)


def test_bad_files_are_named(write: Write, game: Game, records: list[Path], tmp_path: Path) -> None:
    bad: dict[str, Any] = as_arrays(records[:2], write, game)
    file = tmp_path / "set.npz"
    expect("there are no decisions to learn from", write(), [])
    expect("there is one game only", write(), records[:1])
    for change, message in (
        ({"masks": bad["masks"][:, :3]}, r"set\.npz: masks is \(\d+, 3\), but .* needs"),
        ({"observations": bad["observations"][1:]}, "observations is"),
        ({"actions": bad["actions"] * 0 - 1}, "has actions that its masks do not allow"),
        ({"masks": bad["masks"] * 0}, "has actions that its masks do not allow"),
        ({"masks": np.array([None, {}])}, "cannot be read as a NumPy archive"),
    ):
        np.savez(file, **{**bad, **change})
        expect(message, write(shaping="none"), [file])
    np.savez(file, actions=bad["actions"])
    expect("observations is missing, but", write(), [file])
    file.write_bytes(b"nonsense")
    expect(re.escape(str(file)), write(), [file])
    expect(r"observation_length|is of <Push of Faith", write(options={"players": 3}), records[:2])
    expect(r"is of the game 'push_of_faith', not of 'orbis'", write(game="orbis"), records[:2])


def test_a_named_player_is_imitated(write: Write, game: Game, tmp_path: Path) -> None:
    """The teacher takes the first legal action in every seat; its games are seeded by the training file."""
    path = write()
    lessons = read_lessons([], game, loaded(Sb3Config, path), [make_player("own_players:First", game)], 3)
    assert (lessons.actions == lessons.masks.argmax(1)).all()
    assert np.unique(lessons.games).tolist() == [0, 1, 2] and not np.isnan(lessons.returns).any()
    folder = imitation.run(path, [], [], study=STUDY, teachers=["own_players:First"], played=10)
    figures = json.loads((folder / "imitation.json").read_text())
    assert max(figure["agrees"] for figure in figures) > 0.8
    with pytest.raises(ValueError, match="there is no player 'clever'"):
        imitation.run(path, [], [], study=STUDY, teachers=["clever"], played=10)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (
            "algorithm.learning_rate=1e-4",
            "algorithm.learning_rate: imitation does not read it; expected --learning-rate",
        ),
        ("start_from=runs/x", "start_from: imitation does not read it; expected engine, game, options"),
    ],
)
def test_entries_that_change_nothing_are_refused(write: Write, entry: str, expected: str) -> None:
    with pytest.raises(ConfigError, match=expected):
        imitation.run(write(), [], [entry])


def test_an_engine_that_learns_no_policy_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "td.yaml"
    path.write_text("game: push_of_faith\nengine: td\nalgorithm: {total_steps: 10}\n", "utf-8")
    with pytest.raises(ConfigError, match=r"td\.yaml: engine td learns a value, no policy; expected engine sb3"):
        imitation.run(path, [], [])
