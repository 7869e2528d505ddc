"""The command line: the real command, in a process of its own. Every error is one line and a non-zero exit code."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import typer

import theogony
from theogony.commands.learning import _split_arguments
from theogony.envs import load
from theogony.envs.core.gamerecord import write_record
from theogony.envs.core.position import Position

COMMAND = Path(sys.executable).with_name("theogony")
TOY = Path(__file__).with_name("toy")


def run(*arguments: str | Path, folder: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """The installed command. `folder` is where it runs: modules there are found."""
    return subprocess.run(
        [COMMAND, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def record(path: Path, game: str = "push_of_faith") -> Path:
    position, generator = Position(load(game).configure(), 5), np.random.default_rng(5)
    while not position.over:
        position.play(generator.choice(position.legal_actions()))
    write_record(position, path)
    return path


def assert_one_line(done: subprocess.CompletedProcess[str], code: int, message: str) -> None:
    assert done.returncode == code, done.stderr
    lines = [line for line in done.stderr.splitlines() if "compiling rules" not in line]
    assert len(lines) == 1
    assert lines[0].startswith("theogony: ")
    assert message in lines[0]
    assert "Traceback" not in done.stderr


BAD_INPUT = [
    (["chess"], 2, "No such command 'chess'"),
    (["check"], 2, "Missing argument 'GAME'"),
    (["check", "chess"], 1, "there is no game 'chess'; known games: "),
    (["check", "no.such.module"], 1, "'no.such.module' is no game: no.such.module cannot be imported"),
    (["check", "json.decoder"], 1, "module json.decoder has no GameSpec SPEC"),
    (["check", "push_of_faith", "--games", "0"], 2, "'--games'"),
    (["check", "push_of_faith", "--games", "many"], 2, "'--games'"),
    (["check", "push_of_faith", "--speed", "9"], 2, "No such option: --speed"),
    (["verify", "push_of_faith"], 2, "Missing argument 'FILE...'"),
    (["verify", "chess", "x"], 1, "there is no game 'chess'"),
    (["replay"], 2, "Missing argument 'FILE'"),
    (["replay", "nothing.jsonl"], 1, "nothing.jsonl: cannot be read: No such file or directory"),
    (["replay", "."], 1, "Is a directory"),
    (["bench", "chess"], 1, "there is no game 'chess'"),
    (["train"], 2, "give a training file or --resume RUN"),
    (["train", "a.yaml", "--resume", "run"], 2, "give a training file or --resume RUN"),
    (["train", "a.yaml", "seed"], 2, "'seed' is not KEY=VALUE"),
    (["train", "nothing.yaml"], 1, "nothing.yaml"),
    (["train", "--resume", "nothing"], 1, "nothing"),
    (["dataset", "push_of_faith", "x", "--out", "y.npz", "--seed", "3"], 2, "--seed is for data made with --text"),
    (["dataset", "push_of_faith", "x", "--out", "y", "--text"], 2, "LEDGER is for data made without --text"),
    (["dataset", "push_of_faith", "x", "--out", "y.npz"], 1, "push_of_faith has no reader of written games"),
    (["evaluate"], 2, "Missing argument 'RUN|PLAYER'"),
    (["evaluate", "nothing"], 1, "nothing"),
    (["evaluate", "random", "--games", "-1"], 2, "'--games'"),
    (["evaluate", "random"], 1, "which game? Name it with --game"),
    (["evaluate", "random", "--game", "chess"], 1, "there is no game 'chess'"),
    (["evaluate", "random", "--against", "clever", "--game", "orbis"], 1, "there is no player 'clever'"),
    (["tournament", "push_of_faith"], 2, "Missing option '--players'"),
    (["tournament", "chess", "--players", "random,greedy"], 1, "there is no game 'chess'"),
    (["tournament", "push_of_faith", "--players", "random"], 1, "random: a tournament needs at least two"),
    (["tournament", "push_of_faith", "--players", "random,nobody"], 1, "there is no player 'nobody'"),
    (["tournament", "push_of_faith", "--players", "random,greedy", "--games", "0"], 2, "'--games'"),
    (["tournament", "push_of_faith", "--players", "random,greedy", "--option", "players"], 1, "expected key=value"),
    (["tournament", "push_of_faith", "--players", "random,greedy", "--option", "players=9"], 1, "not 9"),
    (["benchmark", "join", "quick"], 2, "Missing argument 'FILE...'"),
    (["benchmark", "join", "quick", "nothing.json"], 2, "Missing option '--out'"),
    (["benchmark", "join", "quick", "nothing.json", "--out", "new.json"], 1, "nothing.json: cannot be read"),
    (["benchmark", "join", "quick", "nothing.json", "--out", "no/new.json"], 2, "there is no folder no"),
    (["imitate", "nothing.yaml", "game.jsonl"], 1, "nothing.yaml"),
    (["imitate", "nothing.yaml"], 2, "Missing argument"),
]
NO_PLACE = [  # in a folder that has a folder `there` and a file `file`
    (["bench", "push_of_faith", "--json", "no/f.json"], "'--json': no/f.json: there is no folder no"),
    (["bench", "push_of_faith", "--json", "there"], "'--json': there: is a folder; expected a file"),
    (["tournament", "push_of_faith", "--players", "random,greedy", "--svg", "no/f.svg"], "there is no folder no"),
    (["tournament", "push_of_faith", "--players", "random,greedy", "--folder", "file/run"], "is no folder"),
    (["tournament", "push_of_faith", "--players", "random,greedy", "--records", "file"], "is no folder"),
    (["imitate", "a.yaml", "x.jsonl", "--folder", "file"], "is no folder"),
    (["evaluate", "random", "--game", "orbis", "--json", "no/f.json"], "there is no folder no"),
]
MANY = """
import contextlib, io, json, sys
from theogony.cli import main

done = []
for arguments in json.load(sys.stdin):
    sys.argv = ["theogony", *arguments]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            main()
        except SystemExit as end:
            done.append([end.code, said.getvalue()])
print(json.dumps(done))
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], subprocess.CompletedProcess[str]]:
    """What the command answers to all bad input, in one process: its start takes longer than an answer."""
    folder = tmp_path_factory.mktemp("bad_input")
    (folder / "there").mkdir()
    (folder / "file").touch()
    inputs = [arguments for arguments, *_ in (*BAD_INPUT, *NO_PLACE)]
    done = subprocess.run(
        [sys.executable, "-c", MANY], cwd=folder, input=json.dumps(inputs), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert {path.name for path in folder.iterdir()} == {"there", "file"}, "nothing is begun"
    return {
        tuple(arguments): subprocess.CompletedProcess(arguments, code, "", stderr)
        for arguments, (code, stderr) in zip(inputs, json.loads(done.stdout), strict=True)
    }


@pytest.mark.parametrize(("arguments", "code", "message"), BAD_INPUT)
def test_bad_input(arguments: list[str], code: int, message: str, said: dict) -> None:
    assert_one_line(said[tuple(arguments)], code, message)


@pytest.mark.parametrize(("arguments", "message"), NO_PLACE)
def test_where_something_is_written_is_looked_at_before_the_work(
    arguments: list[str], message: str, said: dict
) -> None:
    assert_one_line(said[tuple(arguments)], 2, message)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["chess"], ["check", "chess"], ["train", "nothing.yaml"]])
def test_the_installed_command_says_the_same(arguments: list[str], said: dict, tmp_path: Path) -> None:
    done = run(*arguments, folder=tmp_path)
    assert (done.returncode, done.stderr) == (said[tuple(arguments)].returncode, said[tuple(arguments)].stderr)


def test_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"theogony {theogony.__version__}\n")


ESCAPE = "\x1b]0;title\x07\x1b[31m\u202e"


@pytest.mark.slow
def test_text_of_others_does_not_reach_the_terminal(tmp_path: Path) -> None:
    """Neither in errors that quote a file, nor on stdout, nor in a warning."""
    (tmp_path / "file.yaml").write_text(json.dumps({"game": "push_of_faith", ESCAPE: 1, "algorithm": {}}))
    path = record(tmp_path / "game.jsonl")
    lines = path.read_text("utf-8").splitlines()
    header = {**json.loads(lines[0]), "version": 99, "theogony": ESCAPE}
    path.write_text("\n".join([json.dumps(header), *lines[1:]]), "utf-8")
    (tmp_path / "loud.py").write_text(f"import warnings\nprint({ESCAPE!r})\nwarnings.warn({ESCAPE!r})\n")
    for arguments in (["train", "file.yaml"], ["replay", "game.jsonl"], ["check", "loud:SPEC"], ["evaluate", ESCAPE]):
        done = run(*arguments, folder=tmp_path)
        assert done.returncode == 1
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", done.stdout + done.stderr), arguments
        assert "\\x1b" in done.stdout + done.stderr, arguments


@pytest.mark.slow
def test_modules_come_from_here_only_when_they_are_named(tmp_path: Path) -> None:
    """A library that somebody else's code looks for is not taken from the working directory."""
    for name in ("ray", "own"):
        (tmp_path / f"{name}.py").write_text(f"open('{name}-was-here', 'w').close()\n")
    (tmp_path / "file.yaml").write_text(
        "game: push_of_faith\nengine: rllib\nalgorithm: {total_steps: 10, n_steps: 5}\nenvironment: {num_envs: 300}\n"
    )
    run("train", "file.yaml", folder=tmp_path)
    run("train", "file.yaml", "algorithm.gamma=0.9", folder=tmp_path)
    assert not (tmp_path / "ray-was-here").exists()
    named = "opponents=[{player: 'own:Player'}]"
    lines = ("game: push_of_faith", "algorithm: {total_steps: 10}", "opponents: [{player: 'own:Player'}]")
    (tmp_path / "other.yaml").write_text("\n".join(lines))
    refused = run("train", "other.yaml", folder=tmp_path)
    assert_one_line(refused, 1, "other.yaml: line 3: opponents.0.player: 'own:Player' is a module, which executes code")
    assert refused.stderr.endswith("; if you trust it, type: theogony train other.yaml --allow-modules\n")
    assert not (tmp_path / "own-was-here").exists()
    assert_one_line(run("train", "other.yaml", named, folder=tmp_path), 1, "player 'own:Player': module 'own' has no")
    assert (tmp_path / "own-was-here").exists(), "naming it on the command line is consent"
    (tmp_path / "own-was-here").unlink()
    run("train", "other.yaml", "--allow-modules", folder=tmp_path)
    assert (tmp_path / "own-was-here").exists()


def test_without_arguments_there_is_help() -> None:
    for done, code in ((run(), 2), (run("--help"), 0)):
        assert done.returncode == code
        text = done.stdout + done.stderr
        for command in ("games", "check", "verify", "replay", "bench", "train", "evaluate", "tournament", "imitate"):
            assert command in text


def test_every_command_that_can_ask_for_consent_takes_it() -> None:
    """What is to be typed is the same command with the flag, so these commands must have it."""
    commands = "train remake tune imitate evaluate tournament play replay push models dataset"
    for command in commands.split():
        assert "--allow-modules" in run(command, "--help").stdout, command


@pytest.mark.slow
def test_games() -> None:
    done = run("games")
    assert done.returncode == 0
    assert "push_of_faith    Push of Faith, 2-5 players, version " in done.stdout


@pytest.mark.slow
def test_replay(tmp_path: Path) -> None:
    path = record(tmp_path / "game.jsonl")
    done = run("replay", path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "Push of Faith, seed 5, <Push of Faith>"
    assert lines[1].split(maxsplit=3)[:3] == ["1", "Player", "1:"]
    assert lines[-1] == f"{path}: 36 decisions of push_of_faith, every position as recorded"
    assert run("replay", path, "--verify").stdout.splitlines() == lines[-1:]


@pytest.mark.slow
def test_replay_names_the_first_bad_line(tmp_path: Path) -> None:
    path = record(tmp_path / "game.jsonl")
    lines = path.read_text("utf-8").splitlines()
    lines[7] = lines[7].replace('"hash": "', '"hash": "0')
    path.write_text("\n".join(lines), "utf-8")
    assert_one_line(run("replay", path, "--verify"), 1, f"{path}: line 8: state hash")


@pytest.mark.slow
def test_replay_to_a_reader_that_leaves(tmp_path: Path) -> None:
    path = record(tmp_path / "game.jsonl")
    done = subprocess.run(
        f"{COMMAND} replay {path} | head -1", shell=True, capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.stderr, len(done.stdout.splitlines())) == ("", 1)


@pytest.mark.slow
def test_replay_of_a_game_of_ones_own(tmp_path: Path) -> None:
    path = record(tmp_path / "game.jsonl", "bluff.game")
    assert_one_line(run("replay", path, folder=TOY), 1, "line 1: there is no game 'bluff'")
    done = run("replay", path, "--verify", "--game", "bluff.game", folder=TOY)
    assert done.returncode == 0, done.stderr
    assert_one_line(run("replay", path, "--game", "push_of_faith", folder=TOY), 1, "the game is 'bluff'")


@pytest.mark.slow
def test_verify_says_how_many_passed(tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text("hello\n")
    done = run("verify", "push_of_faith", "broken.jsonl", "missing.jsonl", folder=tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "0 passed, 2 failed"
    assert "broken.jsonl: line 1: is not JSON" in done.stdout
    assert "missing.jsonl: cannot be read" in done.stdout
    (tmp_path / "empty.jsonl").write_text("")
    assert run("verify", "push_of_faith", "empty.jsonl", folder=tmp_path).returncode == 1


@pytest.mark.slow
def test_verify_without_a_reader(tmp_path: Path) -> None:
    assert_one_line(run("verify", "bluff.game", "x", folder=TOY), 1, "bluff has no reader for recordings")


@pytest.mark.slow
def test_check_of_a_broken_game_fails() -> None:
    done = run("check", "broken:text_of_two_lines", "--games", "1", folder=TOY, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert "3 players: actions_have_texts: action 36 has the text 'doubt\\nit'" in done.stdout
    assert lines[-2].startswith("bluff: ") and lines[-2].endswith("1 do not")
    assert lines[-1].startswith("mend first: 3 players: actions_have_texts: action 36")


@pytest.mark.slow
def test_bench_writes_json(tmp_path: Path) -> None:
    done = run(
        "bench", "push_of_faith", "--json", "figures.json", "--seconds", "0.01", "--repeats", "2", folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "figures.json").read_text("utf-8"))
    found = {figure["measure"]: figure for figure in result["figures"] if figure["game"] == "push_of_faith"}
    assert set(found) == {"aec_numpy", "aec_sampler", "playouts", "batch_1", "batch_2"}
    for figure in found.values():
        assert len(figure["bursts"]) == 2
        assert min(figure["bursts"]) <= figure["median"] <= max(figure["bursts"])
        assert f"{figure['median']:,.0f}" in done.stdout
    assert found["playouts"]["median"] > found["aec_numpy"]["median"] > 0
    assert {"python", "numba", "cores", "processor"} <= set(result["machine"])


@pytest.mark.slow
def test_what_fails_in_own_code_is_said_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text("1 / 0\n")
    said = "odd.py:1: 1 / 0: ZeroDivisionError: division by zero"
    assert_one_line(run("check", "odd:SPEC", folder=tmp_path), 1, f"'odd:SPEC' cannot be imported: {said}")
    done = run("evaluate", "odd:Player", "--game", "push_of_faith", folder=tmp_path)
    assert_one_line(done, 1, f"player 'odd:Player': {said}")


@pytest.mark.slow
def test_internal_errors_are_one_line_too(tmp_path: Path) -> None:
    """A player that fails in play; the traceback is there for who asks."""
    (tmp_path / "odd.py").write_text(
        "class Player:\n    def __init__(self, game):\n        pass\n    def act(self, views, rng):\n        1 / 0\n"
    )
    command = ("evaluate", "odd:Player", "--game", "push_of_faith", "--games", "1")
    done = run(*command, folder=tmp_path)
    assert_one_line(done, 1, "internal error: ZeroDivisionError: division by zero (THEOGONY_TRACEBACK=1 shows where)")
    assert "Traceback" in run(*command, folder=tmp_path, THEOGONY_TRACEBACK="1").stderr


@pytest.mark.parametrize("seed", ["-1", "123456789012345678901234567890"])
@pytest.mark.parametrize(
    "line",
    [
        "evaluate greedy --game push_of_faith --against random --games 2",
        "tournament push_of_faith --players greedy,random --games 2 --workers 1",
        "dataset push_of_faith --text --out {out} --games 10",
    ],
)
def test_any_integer_is_a_seed(line: str, seed: str, tmp_path: Path) -> None:
    done = run(*line.format(out=tmp_path / "data").split(), "--seed", seed)
    assert done.returncode == 0, done.stderr


def test_a_training_file_may_lie_in_a_folder_with_an_equals_sign(tmp_path: Path) -> None:
    """Sweeps call runs so; what is no file changes an entry."""
    file = tmp_path / "lr=0.1" / "config.yaml"
    with pytest.raises(typer.BadParameter, match="give a training file"):
        _split_arguments([str(file)], None)
    file.parent.mkdir()
    file.touch()
    assert _split_arguments([str(file), "seed=1"], None) == (file, ["seed=1"])
