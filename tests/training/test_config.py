"""Training files: what they may say, and errors that name the place and what was expected."""

import re
import sys
from pathlib import Path

import pytest

from tests.training.loaded import loaded
from theogony.envs.core.registry import GAMES
from theogony.training.config import ConfigError
from theogony.training.config.engines import Sb3Config, TdConfig
from theogony.training.config.file import load_config, resumed_config

ROOT = Path(__file__).parents[2]
SMALL = """game: push_of_faith
options:
  players: 3
algorithm:
  total_steps: 1_000
  n_steps: 8
  learning_rate: 1e-3
  net_arch:
    policy: [32]
opponents:
  - player: random
    weight: 2
"""


def error_of(path: Path, *overrides: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load_config(path, overrides)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL, "utf-8")
    return path


@pytest.mark.parametrize(
    "path",
    [path for game in GAMES for path in sorted((ROOT / "configs" / game).glob("*.yaml"))],
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_every_file_of_the_project_is_valid(path: Path) -> None:
    assert load_config(path).game == path.parent.name


def test_files_of_the_package_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_config(Path("orbis/quickstart")) == load_config(ROOT / "configs" / "orbis" / "quickstart.yaml")
    message = error_of(Path("orbis/quick"))
    assert message.startswith("orbis/quick: is no file, and none of that name comes with the package: ")
    for path in (ROOT / "configs").glob("*/*.yaml"):
        assert f"{path.parent.name}/{path.stem}" in message
    for outside in ("../configs/orbis/quickstart", "orbis/../orbis/quickstart", "/orbis/quickstart"):
        assert "is no file" in error_of(Path(outside))
    (tmp_path / "orbis").mkdir()
    (tmp_path / "orbis" / "quickstart").write_text(SMALL, "utf-8")
    assert load_config(Path("orbis/quickstart")).game == "push_of_faith", "a file of one's own comes first"


def test_values_and_defaults(small: Path) -> None:
    config = loaded(Sb3Config, small)
    assert config.algorithm.learning_rate == 0.001
    assert config.algorithm.net_arch.policy == [32]
    assert config.environment.num_envs == 256
    assert config.opponents[0].weight == 2.0


def test_overrides(small: Path) -> None:
    rate = "algorithm.learning_rate={start: 1e-3, end: 1e-5}"
    config = loaded(Sb3Config, small, ["seed=7", rate, "opponents.0.player=greedy:0.5", "evaluation.games=9"])
    assert config.seed == 7
    assert config.algorithm.learning_rate.end == 1e-5  # pyright: ignore
    assert config.opponents[0].player == "greedy:0.5"
    assert config.evaluation.games == 9


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("n_steps: 8", "nsteps: 8", r"line 6: algorithm\.nsteps: there is no such key; did you mean n_steps\?$"),
        ("n_steps: 8", "n_steps: eight", r"line 6: algorithm\.n_steps: .*integer.*'eight'"),
        ("n_steps: 8", "n_steps: true", r"line 6: algorithm\.n_steps: .*integer.*True"),
        ("n_steps: 8", "n_steps: 0", r"line 6: algorithm\.n_steps: .*greater than or equal to 1, found 0"),
        ("  total_steps: 1_000\n", "", r"line 4: algorithm\.total_steps: is missing"),
        ("1e-3", "{start: 1e-3, ends: 0}", r"line 7: algorithm\.learning_rate"),
        ("policy: [32]", "policy: [32, wide]", r"line 9: algorithm\.net_arch\.policy\.1: .*integer.*'wide'"),
        ("    weight: 2", "    weight: -2", r"line 12: opponents\.0\.weight: .*greater than or equal to 0"),
        ("weight: 2", "weight: 0", r"opponents: the weights are all zero"),
        ("game: push_of_faith", "game: chess", r"line 1: game: there is no game 'chess'; known games: .*push_of_faith"),
        ("players: 3", "players: 9", r"line 2: options: push_of_faith is for 2, 3, 4 or 5 players, not 9"),
        ("players: 3", "seats: 3", r"line 2: options: push_of_faith has no option 'seats'; its options are players"),
        ("options:", "engine: jax\noptions:", r"line 2: engine: there is no engine 'jax'; expected sb3 or rllib"),
        ("options:", "game: x\noptions:", r"line 2: the key 'game' is given twice"),
        ("game: push_of_faith", "game: [", r"is not YAML"),
        ("game: push_of_faith", "game: !!python/object/apply:os.getcwd []", r"is not YAML: could not determine"),
        (SMALL, "- 1\n", r"expected keys and values"),
        ("options:", "environment: {seat: 3}\noptions:", r"line 2: environment\.seat: 3 is no seat; expected 0 to 2"),
        (
            "  n_steps: 8",
            "  batch_size: 5000\n  n_steps: 8",
            r"line 6: algorithm\.batch_size: 5000 .* at most .* = 2048",
        ),
    ],
)
def test_errors_name_line_key_and_what_was_expected(small: Path, old: str, new: str, expected: str) -> None:
    assert old in SMALL
    small.write_text(SMALL.replace(old, new), "utf-8")
    message = error_of(small)
    assert message.startswith(str(small))
    assert re.search(expected, message), message


def test_unknown_keys_come_first_and_all_at_once(small: Path) -> None:
    """Also before what is missing or wrong, which may follow from them."""
    text = SMALL.replace("n_steps: 8", "nsteps: eight").replace("policy: [32]", "polisy: [32]")
    small.write_text(text.replace("player: random", "playr: random").replace("total_steps: 1_000", "steps: 1_000"))
    message = error_of(small, "evaluation.evry=1", "algorithm.learning_rate={start: 1.0, ends: 0}", "zzz=1")
    keys = re.findall(r"(\S+): there is no such key; (did you mean \w+|expected one of game, options)", message)
    assert keys == [
        ("algorithm.steps", "did you mean n_steps"),
        ("algorithm.nsteps", "did you mean n_steps"),
        ("algorithm.learning_rate.ends", "did you mean end"),
        ("algorithm.net_arch.polisy", "did you mean policy"),
        ("opponents.0.playr", "did you mean player"),
        ("evaluation.evry", "did you mean every"),
        ("zzz", "expected one of game, options"),
    ]


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (SMALL, BOMB, r"is not YAML: line \d+: more than 100000 values"),
        ("policy: [32]", f"policy: {'[' * 5000}{']' * 5000}", r"is nested more than 64 deep"),
        ("players: 3", "players: {? [1, 2] : 3}", r"line 3: a key must be a plain value"),
        ("n_steps: 8", "? [1, 2]\n  : 3", r"a key must be a plain value"),
        ("game:", "1: 2\ngame:", r"line 1: 1: there is no such key"),
        ("n_steps: 8", "n_steps: 1000000000000", r"line 6: algorithm\.n_steps: .*less than or equal to 1000000"),
        ("n_steps: 8", f"n_steps: {'9' * 5000}", r"line 6|is not YAML"),
        (
            "n_steps: 8",
            "n_steps: 1000000",
            r"environment\.num_envs: with algorithm\.n_steps, a rollout takes about .* GB",
        ),
        ("[32]", "[65536, 65536, 65536, 65536]", r"line 8: algorithm\.net_arch: such a network takes about \d+ GB"),
        ("[32]", f"[{', '.join(['2'] * 100)}]", r"line 9: algorithm\.net_arch\.policy: .* at most 64 items"),
        ("1e-3", ".inf", r"line 7: algorithm\.learning_rate: .*finite number"),
        ("1e-3", "{start: .nan, end: 0}", r"line 7: algorithm\.learning_rate: .*finite number"),
        ("weight: 2", "weight: .inf", r"line 12: opponents\.0\.weight: .*finite number"),
        ("players: 3", "max_decisions: 2147483648", r"line 3|line 2: options: .*max_decisions"),
        ("players: 3", "players: 10000000000000000000000", r"options: push_of_faith is for"),
        ("policy: [32]", "rows: [100000000000000]", r"rows\.0: .*less than or equal"),
    ],
)
def test_files_that_ask_for_too_much(small: Path, old: str, new: str, expected: str) -> None:
    assert old in SMALL
    small.write_text(SMALL.replace(old, new), "utf-8")
    message = error_of(small)
    assert len(message) < 600
    assert re.search(expected, message), message


TRAP = "from pathlib import Path\nPath({!r}).touch()\nfrom theogony.envs.push_of_faith.game import SPEC\n"


@pytest.mark.parametrize(
    "entry",
    [
        "game: trap_{number}:SPEC",
        "game: trap_package.trap_{number}",
        "opponents: [{{player: 'trap_{number}:Player'}}]",
        "evaluation: {{against: [random, 'trap_{number}:Player']}}",
        "league: {{anchors: ['trap_{number}:Player']}}\nopponents: [{{player: self}}]",
    ],
)
def test_a_file_executes_nothing_without_consent(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    """What it names is not even imported; with consent it is, which shows that the trap works."""
    sprung, number = tmp_path / "sprung", abs(hash(entry))
    (tmp_path / "trap_package").mkdir()
    for folder in (tmp_path, tmp_path / "trap_package"):
        (folder / f"trap_{number}.py").write_text(TRAP.format(str(sprung)))
    monkeypatch.syspath_prepend(tmp_path)
    key = entry.partition(":")[0]
    lines = [line for line in SMALL.splitlines() if not line.startswith((f"{key}:", "opponents", "  - ", "    weight"))]
    small.write_text("\n".join([*lines, *([SMALL.splitlines()[0]] * (key != "game")), entry.format(number=number)]))
    if key != "game":
        small.write_text("\n".join(dict.fromkeys(small.read_text().splitlines())))
    message = error_of(small)
    assert "is a module, which executes code; say --allow-modules if you trust it" in message
    assert message.startswith(f"{small}: line ")
    assert not sprung.exists() and f"trap_{number}" not in sys.modules
    small.rename(tmp_path / "config.yaml")
    with pytest.raises(ConfigError, match="which executes code"):
        resumed_config(tmp_path)
    monkeypatch.setenv("THEOGONY_ALLOW_MODULES", "1")
    resumed_config(tmp_path)
    assert sprung.exists() == (key == "game"), "players are made when they play"


def test_naming_a_module_on_the_command_line_is_consent(small: Path) -> None:
    config = loaded(
        Sb3Config, small, ["opponents=[{player: 'own_players:First'}]", "evaluation.against=['own_players:Last']"]
    )
    assert config.opponents[0].player == "own_players:First"
    small.write_text(SMALL + "engine: rllib\nray: {address: 'somewhere:6379'}\n")
    assert "the cluster at 'somewhere:6379' can execute code here" in error_of(small)


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("algorithm.gama=1", r"^command line: algorithm\.gama: there is no such key; did you mean gamma\?$"),
        ("algorithm.gamma=2", r"^command line: algorithm\.gamma: .*less than or equal to 1, found 2"),
        ("reward=progress", r"^command line: reward: push_of_faith pays outcome, rank, margin, points, not progress"),
        ("algorithm.gamma", r"^command line: 'algorithm.gamma': expected key=value"),
        ("seed=[", r"^command line: seed: '\[': is not YAML"),
        ("seed.first=1", r"seed"),
        ("opponents.7.player=random", r"^command line: opponents\.7\.player: there is nothing called '7'"),
        ("options={players: 1}", r"^command line: options: push_of_faith is for"),
    ],
)
def test_errors_of_overrides(small: Path, override: str, expected: str) -> None:
    assert re.search(expected, error_of(small, override))


def test_opponents_whom_nobody_meets_are_refused(small: Path) -> None:
    small.write_text("game: push_of_faith\nengine: td\nalgorithm: {total_steps: 9}\nopponents: [{player: greedy}]\n")
    assert "line 4: opponents: no game is played against them; expected td.opponents above 0" in error_of(small)
    assert loaded(TdConfig, small, ["td.opponents=0.5"]).opponents[0].player == "greedy"
    team = "game: god_of_war\nenvironment: {seat: all}\nalgorithm: {total_steps: 9}\n"
    small.write_text(f"{team}opponents: [{{player: greedy}}]\n")
    assert "line 4: opponents: environment.seat: all leaves no seat to them" in error_of(small)
    small.write_text(team)
    assert load_config(small)


def test_missing_and_unreadable_file(tmp_path: Path) -> None:
    missing = tmp_path / "none.yaml"
    assert error_of(missing) == f"{missing}: cannot be read: No such file or directory"
    missing.write_bytes(b"\xff\xfe\x00")
    assert "is not UTF-8 text" in error_of(missing)


def test_what_may_change_when_a_run_goes_on(small: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"is no run: there is no config\.yaml"):
        resumed_config(tmp_path)
    small.rename(tmp_path / "config.yaml")
    assert resumed_config(tmp_path, ["algorithm.total_steps=2000"]).algorithm.total_steps == 2000
    with pytest.raises(
        ConfigError, match=r"algorithm\.gamma: cannot change when a run goes on; expected algorithm\.total"
    ):
        resumed_config(tmp_path, ["algorithm.gamma=0.5"])


def test_resolved_config_is_a_training_file(small: Path, tmp_path: Path) -> None:
    import yaml

    config = load_config(small)
    copy = tmp_path / "copy.yaml"
    copy.write_text(yaml.safe_dump(config.model_dump(mode="json")), "utf-8")
    assert load_config(copy) == config
    assert set(config.model_dump()) == set(Sb3Config.model_fields)


# ---------------------------------------------------------------------------------------------------- engines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("engine: td\nexport_sb3: true", r"line 4: export_sb3: engine td does not read it; sb3 does$"),
        ("td: {search: 3, epochs: 1}", r"line 3: td\.search: engine sb3 does not read it; td does$"),
        (
            "curriculum: {}\ndistil: {epochs: 1}\nrllib: {wrkers: 2}",
            r"line 5: rllib: engine sb3 does not read it; rllib",
        ),
        ("device: auto", r"line 3: device: engine sb3 does not read it; td and distil do$"),
        (
            "engine: rllib\nenvironment: {threads: 2}",
            r"line 4: environment\.threads: engine rllib does not read it; sb3",
        ),
    ],
)
def test_a_key_of_another_engine_is_named_with_its_line(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "file.yaml"
    path.write_text(f"game: push_of_faith\nalgorithm: {{total_steps: 1000}}\n{text}\n", "utf-8")
    assert re.search(expected, message := error_of(path)), message
