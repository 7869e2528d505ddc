"""A mistake in a game is reported once, with its place and reason, before anything is compiled."""

import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from interpreted import said_interpreted

from theogony.envs import load
from theogony.envs.core.conformance.mistakes import in_text
from theogony.envs.core.contract import _of_others, place_of
from theogony.envs.core.jit import rule
from theogony.envs.core.registry import UnknownGame

TOY = Path(__file__).parents[1] / "toy" / "bluff"

# what is written instead of what, in rules.py, and what is said of it
MISTAKES = {
    "misspelt_field": ("g.strikes[loser]", "g.strike[loser]", "g has no field 'strike'; did you mean 'strikes'?"),
    "misspelt_twice": ("g.strikes", "g.strike", "g has no field 'strike'; did you mean 'strikes'?"),
    "misspelt_table": ("t.highest + 1", "t.higest + 1", "t has no field 'higest'; did you mean 'highest'?"),
    "undefined_name": ("g.over = ENDED", "g.over = END", "END is not defined; did you mean"),
    "wrong_argument_count": (
        "roll(g, t, g.rng, NONE)\n\n\n",
        "roll(g, t, g.rng)\n\n\n",
        "roll takes 4 arguments (g, t, rng, keep), 3 are given",
    ),
    "missing_return": (
        "    if g.over == 0:\n        roll(",
        "    if g.over == 0:\n        return 1\n    if g.over == 1:\n        roll(",
        "resample returns a value elsewhere, but not when it ends here",
    ),
    "return_of_nothing": (
        "t.faces[below(rng",
        "t.faces[score(g, t, g.strikes) + below(rng",
        "score returns nothing, but a value is taken from it",
    ),
    "overflow": ("action + 1, g.actor", "1000 * (action + 1), g.actor", "OverflowError: Python integer"),
    "turn_not_set": ("    g.turn = g.actor\n", "", "no rule sets g.turn"),
    "list": ("    total = 0\n", "    total = sum([g.dice[0]])\n", "a list in a rule: loop over the record instead"),
    "dict": ("    total = 0\n", "    total = {0: 0}[0]\n", "a dict in a rule: look numbers up in an array"),
    "text_in_rule": ("    total = 0\n", "    total = 0\n    print(f'')\n", "text in a rule: rules know numbers only"),
    "never_over": ("        g.over = ENDED\n", "", "no rule sets g.over: expected g.over = ENDED where the game ends"),
    "compared_text": ("action == DOUBT", "action == 'doubt'", "a comparison with a text: rules know numbers only"),
    "numpy_random": ("below(rng, t.faces.shape[0])", "np.random.randint(6)", "chance from outside of the record"),
    "raised": ("    total = 0\n", "    raise ValueError('no')\n", "ValueError: no; 2 players, seed 0, decision "),
    "index_out_of_bounds": ("t.faces[below(rng", "t.faces[6 + below(rng", "IndexError: index"),
}  # fmt: skip


# the same for what a game does in plain Python
ELSEWHERE = {
    "text": ("render.py", "g.strikes[s]", "g.strike[s]", "the record has no field 'strike'; did you mean 'strikes'?"),
    "invariant": ("game.py", "int(g.rounds_over)", "int(g.dice[9])", "IndexError: index 9 is out of bounds"),
    "tables": ("components.py", "t.rounds = t.scale", "t.rouns = t.scale", "the record has no field 'rouns'"),
    "observe": (
        "observe.py",
        "observe = PLAIN.rule\n",
        "from theogony.envs.core.jit import rule\n\nplain = PLAIN.rule\n\n\n@rule\ndef observe(g, t, seat, f):\n"
        "    plain(g, t, seat, f)\n    f.bid[70] = 1\n",
        "IndexError: index 70 is out of bounds",
    ),
}

# what breaks a property without an exception, and what is said of it
PROPERTIES = {
    "empty_mask": ("rules.py", "    if g.bid > 0:\n        mask", "    if g.bid > 99:\n        mask",
                   "def legal(g, t, mask): mask_says_what_is_legal: 2 players, seed 0, decision 2: no action is legal"),
    "mask_of_twos": ("rules.py", "mask[DOUBT] = 1", "mask[DOUBT] = 2",
                     "the mask has other values than 0 and 1"),
    "index_mask": ("rules.py", "mask[DOUBT] = 1", "mask[DOUBT] = 1\n    if g.bid > 9:\n        mask[DOUBT + 40] = 1",
                   "mask[DOUBT + 40] = 1: IndexError: index 76 is out of bounds"),
    "leak": ("observe.py", 'of="dice", own=True', 'of="dice", per_seat=True',
             "seats_see_only_what_they_may: 2 players, seed 0, decision 0: the observation (my_die) of seat 0"),
    "leak_in_text": ("render.py", 'if who in (s, "all")', "if True",
                     "pictures_show_only_what_they_may: 2 players, seed 0, decision 0"),
    "no_such_seat": ("rules.py", "(g.actor + 1) % g.players", "g.actor + 1",
                     "header_is_sane: 2 players, seed 0, decision 4: actor is 2, not 0 to 1"),
    "score_not_finite": ("rules.py", "out[seat] = np.int64(t.rounds)", "out[seat] = np.nan",
                         "values_are_finite: 2 players, seed 0, decision 0: value of seat 0 is nan"),
    "division": ("rules.py", "total = 0\n", "total = 0 // (g.bid - g.bid)\n", "divide by zero"),
    "endless": ("rules.py", "g.bid, g.bidder = action + 1", "g.bid, g.bidder = 0",
                "games_end_in_time: 2 players, seed 0, decision 58: the game is longer than its decision_bound, 57"),
    "hidden_not_named": ("game.py", 'hidden=("dice",), ', "",
                         "resample_changes_what_is_hidden: 2 players, seed 0, decision 0: resample for seat 0 changes"),
    "hidden_forgotten": ("rules.py", "        roll(g, t, rng, seat)\n", "        return\n",
                         "resample(g, t, seat, rng): every_hidden_field_varies: resample never draws dice anew"),
    "hidden_one_forgotten": ("game.py", 'hidden=("dice",)', 'hidden=("dice", "shown")',
                             "resample(g, t, seat, rng): every_hidden_field_varies: resample never draws shown anew"),
    "hidden_kept": ("rules.py", "        roll(g, t, rng, seat)\n", "        g.dice[seat] = g.dice[seat]\n",
                    "def resample(g, t, seat, rng): every_hidden_field_varies: resample never changed dice"),
    "draw_from_truth": ("rules.py", "        roll(g, t, rng, seat)\n",
                        "        g.dice[seat - 1] = 1 + (g.dice[seat - 1] + below(rng, 3)) % 6\n",
                        "resample(g, t, seat, rng): resample_forgets_the_truth: 2 players, seed 0, decision 0: what"),
    "drawn_from_other_pieces": ("rules.py", "    roll(g, t, g.rng, NONE)\n\n\n@rule\ndef roll(",
                                "    g.dice[0] = 1\n    g.dice[1] = 2\n\n\n@rule\ndef roll(",
                                "drawn_worlds_are_possible: 2 players: for seat 0 resample draws"),
    "feature_not_written": ("observe.py", "observe = PLAIN.rule\n",
                            "from theogony.envs.core.jit import rule\n\n\n@rule\ndef observe(g, t, seat, f):\n"
                            "    f.bid[0] = g.bid\n", "no line writes f.actor, which the layout has"),
    "over_no_field": ("observe.py", 'over="highest"', 'over="round"',
                      "feature bid: over='round': expected a number or one of the tables' fields, max_decisions, "),
    "tables_header": ("components.py", "    *tables_header(),\n", "",
                      "expected TABLES = record_dtype(*tables_header(), ...)"),
    "option_sets_no_dicts": ("game.py", '({}, {"rounds": 1})', '({"rounds"},)', "expected a tuple of dicts of options"),
    "plain_feature": ("observe.py", 'of="dice"', 'of="dices"', "g has no field 'dices'; did you mean 'dice'?"),
    "look_that_changes": ("render.py", "rows = []", "rows = []\n    g.shown[0] = 1",
                          "pictures_are_drawn: 2 players, seed 0, decision 0: render_text or render_svg changes"),
    "no_text": ("render.py", '    return "\\n".join(rows)\n', "", "render_text for None gives None: a text was"),
    "no_header": ("state.py", "    *header(),\n", "", "expected a state record made by `record_dtype(*header(), ...)`"),
    "no_resample": ("rules.py", "def resample(", "def redraw(", "but there is no rule resample(g, t, seat, rng) that"),
    "code_wraps": ("observe.py", 'Plain("bid", "last bid, as a share of the highest that is possible", over="highest")',
                   'Plain("bid", "last bid", over="rounds")', "cut off what may be more or less with min and max"),
    "option_sets": ("game.py", '{"rounds": 1}', '{"round": 1}', "option_sets: option_sets_game has no option 'round'"),
    "hidden_unknown": ("game.py", 'hidden=("dice",)', 'hidden=("dic",)', "hidden names 'dic', which is no field"),
    "fact_unknown": ("game.py", 'title="Bluff"', 'title="Bluff", scal=2', "has no 'scal'; did you mean 'scale'?"),
    "players": ("game.py", "players=(2, 3, 4)", "players=3", "players=3: expected a tuple of numbers from 1 to 8"),
    "default": ("state.py", "default=3, ge=1", "default=30, ge=1", "option rounds=30: Input should be less than"),
}  # fmt: skip

IMPORTS = {
    "syntax": ("if g.bid > 0:", "if g.bid > 0", "if g.bid > 0: SyntaxError: expected ':'"),
    "import": ("import DOUBT", "import DUOBT", "import DUOBT: ImportError: cannot import name 'DUOBT' from 'import"),
    "exception": ("NONE = -1", "NONE = [-1][1]", "NONE = [-1][1]  # no seat: IndexError: list index out of range"),
}
IN_RULES = {name: ("rules.py", *mistake) for name, mistake in {**MISTAKES, **IMPORTS}.items()}
PLANTED = {f"{name}_game": mistake for name, mistake in {**IN_RULES, **ELSEWHERE, **PROPERTIES}.items()}

LOOK = """
import json, sys
import numpy as np
from theogony.envs import load
from theogony.envs.core.conformance.mistakes import first_of_all, in_text

def look(name):
    try:
        spec = load(f"{name}.game")
        found = in_text(spec)
        return found or [first_of_all([spec.configure({"players": n}) for n in spec.players], 0, 100)]
    except ValueError as error:
        return [str(error)]

with np.errstate(over="raise", divide="raise"):
    json.dump({name: look(name) for name in sys.argv[1:]}, sys.stdout)
"""


def plant(folder: Path, package: str, mistake: tuple[str, str, str, str]) -> str:
    """Write the toy game under another name, with a mistake in one of its files. Returns the text of that file."""
    name, right, wrong, _ = mistake
    shutil.copytree(TOY, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (folder / package).glob("*.py"):
        text = file.read_text().replace("bluff", package)
        if file.name == name:
            assert right in text
            text = text.replace(right, wrong)
        file.write_text(text)
    return (folder / package / name).read_text()


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The files with mistakes, and what a first look says: in one interpreter, where nothing is compiled."""
    folder = tmp_path_factory.mktemp("planted")
    texts = {package: plant(folder, package, mistake) for package, mistake in PLANTED.items()}
    return texts, said_interpreted("-c", LOOK, *PLANTED, folder=folder)


@pytest.mark.slow
@pytest.mark.parametrize("package", PLANTED)
def test_a_mistake_is_reported_once(package: str, looked: tuple[dict[str, str], dict[str, list[str]]]) -> None:
    [line] = looked[1][package]
    assert line and PLANTED[package][3] in line and "\n" not in line


@pytest.mark.parametrize("package", [f"{name}_game" for name in {**IN_RULES, **ELSEWHERE}])
def test_a_mistake_in_a_line_is_shown_with_it(
    package: str, looked: tuple[dict[str, str], dict[str, list[str]]]
) -> None:
    texts, lines = looked
    file = f"{package}/{PLANTED[package][0]}:"
    assert file in lines[package][0]
    number, said = lines[package][0].partition(file)[2].split(":", 1)
    source = texts[package].splitlines()[int(number) - 1].strip().removesuffix(":")
    assert source and said.startswith(f" {source}: ")


def test_a_function_that_is_no_rule_is_said_before_anything_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    plant(tmp_path, "no_rule_below", ("rules.py", "@rule\ndef roll(", "def roll(", ""))  # called further down as well
    with pytest.raises(UnknownGame, match="roll is no rule: write @rule above it"):
        load("no_rule_below.game")
    plant(tmp_path, "no_rule_above", ("rules.py", "@rule\ndef end_round(", "def end_round(", ""))
    said = in_text(load("no_rule_above.game"))
    assert said[0].endswith("end_round(g, t): end_round is no rule: write @rule above it")


def test_a_place_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error of a rule that names a list has a place of its own."""
    listed = ("rules.py", "NONE = -1", "NONE = [-1]", "")
    plant(tmp_path, "global_list", listed)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UnknownGame) as caught:
        load("global_list.game")
    said = str(caught.value)
    assert said.count("rules.py:") == 1 and "names a list" in said


def check(folder: Path, mistake: tuple[str, str, str, str]) -> list[str]:
    """What `theogony check` prints of the toy game with a mistake."""
    plant(folder, "planted", mistake)
    command = [sys.executable, "-m", "theogony", "check", "planted.game", "--games", "1"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_the_check_ends_with_the_first_mistake(tmp_path: Path) -> None:
    said, verdict = check(tmp_path, PROPERTIES["empty_mask"])
    assert said.startswith("  planted/rules.py:") and said.endswith(PROPERTIES["empty_mask"][3])
    assert verdict == "planted: that has to be mended before anything else is checked"


def test_what_cannot_be_compiled_has_a_place() -> None:
    @rule
    def mixed(number):
        what = "a" if number > 1 else 0
        return what

    with pytest.raises(Exception) as caught:
        mixed(2)
    said = str(place_of(caught.value))
    assert "test_mistakes.py:" in said and "TypingError: Cannot unify" in said
    assert "\x1b" not in said and "Failed in nopython" not in said


def test_lines_of_this_package_are_nobodys_mistake_but_those_of_its_games_are() -> None:
    for name in ("theogony.envs", "theogony.envs.core.jit", "theogony.cli", "theogony.training.config.file"):
        assert _of_others(str(importlib.import_module(name).__file__)), name
    for name in ("theogony.envs.orbis", "theogony.envs.orbis.state"):
        assert not _of_others(str(importlib.import_module(name).__file__)), name
    assert not _of_others(__file__)
