"""Ledgers as people write them: gifts, spades, conversions, the forms of each command."""

import pytest
from ledgers import HEAD, go_on, rich, stronghold, text_with

from theogony.envs.terra_mystica.actions import BOARD
from theogony.envs.terra_mystica.components import COLOURS, TE, D
from theogony.envs.terra_mystica.ledger.commands import LedgerError, read_command
from theogony.envs.terra_mystica.ledger.importer import Importer
from theogony.envs.terra_mystica.ledger.ledger import play_ledger, read_ledger


def colour(importer: Importer, space: str) -> str:
    return COLOURS[importer.position.g.terrain[BOARD.land.index(space)]]


def built(importer: Importer, space: str) -> int:
    return int(importer.position.g.building[BOARD.land.index(space)])


@pytest.mark.parametrize(
    ("rows", "field"),
    [
        (["witches: action ACTW. -free_d"], "free_dwelling"),
        (["witches: action BON1. -SPADE"], "spades"),
        (["witches: action ACT6. -2SPADES"], "spades"),
        (["witches: action ACT1. -bridge"], "bridge_due"),
        (
            ["witches: upgrade A10 to TP", "giants: advance dig", "witches: upgrade A10 to TE. -gain_favor"],
            "favors_due",
        ),
    ],
)
def test_a_gift_declined(rows: list[str], field: str) -> None:
    importer = stronghold(rich(), 1)
    g = importer.position.g
    g.card_place[g.card[1]] = -1
    g.card[1], g.card_place[0] = 0, 1  # BON1, for its spade
    structures = (g.built[1, D], g.bridges, g.terrain.tolist())
    go_on(importer, "giants: send p to AIR", *rows, "giants: pass BON7")
    g = importer.position.g
    assert g[field] == 0 and g.passed[0] and g.turn == 1
    assert (g.built[1, D] + g.built[1, TE], g.bridges, g.terrain.tolist()) == structures


def test_an_action_that_declined_its_spade_may_still_build() -> None:
    rows = ["giants: send p to AIR", "witches: action ACT5. -spade. dig 1. build A11", "giants: pass BON7"]
    g = go_on(rich(), *rows).position.g
    assert g.built[1, D] == 3 and g.passed[0] and g.turn == 1


def test_a_gift_that_is_not_open_cannot_be_declined() -> None:
    with pytest.raises(LedgerError, match="line 1: giants: -free_d: no such gift is open"):
        go_on(rich(), "giants: -free_d")


def test_an_action_that_does_nothing_may_be_wasted() -> None:
    importer = rich(priests=7)
    go_on(importer, "giants: action ACT2", "witches: advance ship")
    assert importer.position.g.priests[0] == 7 and importer.position.g.power_used[1] and importer.position.g.turn == 0


def test_cult_spades_are_used_in_any_order() -> None:
    importer = rich(cult=4, scoring=5)
    importer.position.g.scoring[0] = 1  # SCORE2: spades for earth
    rows = ["giants: pass BON7", "witches: pass BON8", "witches: transform A11 to green", "giants: -SPADE"]
    played = go_on(importer, *rows)
    assert colour(played, "A11") == "green" and played.position.g.round_number == 2


@pytest.mark.parametrize("rows", [["giants: -SPADE"], []])
def test_cult_spades_that_no_space_takes_need_no_row(rows: list[str]) -> None:
    importer = rich(cult=4, scoring=5)
    importer.position.g.scoring[0] = 1  # SCORE2: spades for earth
    passed = ["giants: pass BON7", "witches: pass BON8", "witches: -SPADE"]
    assert go_on(importer, *passed, *rows, "giants: advance dig").position.g.dig[0] == 1


def test_the_only_colour_of_a_space_has_to_be_the_written_one() -> None:
    """From blue, one spade leads to the own green or to black: nobody is asked (R18)."""
    played = go_on(rich(workers=3), "giants: advance dig", "witches: dig 1. transform A11 to black")
    assert colour(played, "A11") == "black"
    with pytest.raises(LedgerError, match="A11 cannot be turned to brown"):
        go_on(rich(workers=3), "giants: advance dig", "witches: dig 2. transform A11 to brown")


def test_alchemists_dig_convert_and_dig_on() -> None:
    head = HEAD.replace("setup giants", "setup alchemists").replace("giants: build A9", "alchemists: build A8")
    head = head.replace("giants: build D6", "alchemists: build E5").replace("giants: pass", "alchemists: pass")
    importer = rich(head)
    g = importer.position.g
    g.workers[0], g.bowls[0] = 6, (0, 2, 5)
    row = "alchemists: dig 2. convert 3 power to a worker. dig 1. burn 1. convert 1PW to 1C. build A7"
    played = go_on(importer, row.replace("a worker", "worker"))
    assert built(played, "A7") == 1 and played.position.g.workers[0] >= 0


def test_three_coins_are_a_point_for_everybody() -> None:
    g = go_on(rich(), "giants: convert 6C to 2VP").position.g
    assert (g.coins[0], g.vp[0]) == (54, 22)
    with pytest.raises(LedgerError, match="the rate is 3C to 1VP"):
        go_on(rich(), "giants: convert 4C to 1VP")
    with pytest.raises(LedgerError, match="there are only 60"):
        go_on(rich(), "giants: convert 63C to 21VP")


def test_goods_given_back() -> None:
    g = go_on(rich(), "giants: -4w. -c. -2pw. -1p").position.g
    assert (g.workers[0], g.coins[0], g.priests[0], g.bowls[0].tolist()) == (26, 59, 2, [2, 0, 10])


def test_transform_without_a_colour_goes_as_near_as_the_spades_reach() -> None:
    assert colour(go_on(rich(), "giants: send p to AIR", "witches: dig 1. transform A11"), "A11") == "green"
    assert colour(go_on(rich(), "giants: send p to AIR", "witches: dig 1. transform B5"), "B5") == "blue"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("build E4", "build"), ("dig 2", "dig"), ("transform F5 to green", "transform"), ("transform f5", "transform"),
        ("upgrade F5 to Trading Post", "upgrade"), ("UPGRADE f5 TO sanctuary", "upgrade"), ("action ACTA", "action"),
        ("bridge C3:A7", "bridge"), ("Bridge E8 : D6", "bridge"), ("send p to AIR for 3", "send"),
        ("send priest to water", "send"), ("Send  P  to Earth", "send"), ("advance ship", "advance"),
        ("advance digging", "advance"), ("pass", "pass"), ("pass bon10", "pass"), ("+Bon1", "pass"), ("burn 6", "burn"),
        ("convert 3PW to 1W", "convert"), ("convert pw to c", "convert"), ("convert 3 power to 3 coins", "convert"),
        ("convert 1 priest to 1 worker", "convert"), ("leech 2", "leech"), ("leech 2 from giants", "leech"),
        ("decline", "decline"), ("decline 2 from giants", "decline"), ("+FAV7", "favor"), ("+ fav12", "favor"),
        ("+2TW5", "town"), ("+tw8", "town"), ("+2AIR", "cult"), ("+fire", "cult"), ("-WATER", "not cult"),
        ("-1SPADE", "give up"), ("-spades", "give up"), ("-3CONVERT_W_TO_P", "give up"), ("-free_tf", "give up"),
        ("-4w", "lose"), ("connect r12", "connect river"), ("connect E4:F3:G1", "connect"),
        ("wait", "wait"), ("done", "done"), ("convert 2w to bridge", "engineers' bridge"),
        ("other_income_for_faction", "automatic"), ("[opponent accepted power]", "automatic"),
        ("[all opponents declined power]", "automatic"), ("+4vp for FIRE", "automatic"),
        ("+12vp for network", "automatic"), ("score_resources", "automatic"), ("setup", "automatic"),
        ("income", "automatic"), ("start", "automatic"),
    ],
)  # fmt: skip
def test_every_form_of_a_command_is_read(text: str, name: str) -> None:
    assert read_command(text).name == name


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("giants: fly", "line 15: fly: 'fly' is not a command of the ledger; known are build, dig, transform, upgrade"),
        ("giants: upgrade D4", "line 15: upgrade D4: expected `upgrade H to TP|TE|SH|SA`"),
        ("giants: burn many", "line 15: burn many: expected `burn n`"),
        ("giants: +TW", "expected `+FAVn` or `+[n]TWn` or `+[n]CULT`"),
        ("giants: transform E4 to pink", "'pink' is no colour; known are yellow, brown"),
        ("giants: leech 2 from elves", "'elves' is no faction; known are alchemists, auren"),
        ("giants: send p to love", "'LOVE' is no cult; known are FIRE, WATER, EARTH, AIR"),
        ("giants: drop-faction witches", "a game that a player leaves cannot be played on"),
        ("giants: score SCORE1", "line 15: giants: score SCORE1: belongs before the first row"),
        ("randomize v1 seed x", "tiles drawn by another program are not known here"),
    ],
)
def test_unknown_words_are_named_with_what_was_expected(row: str, reason: str) -> None:
    with pytest.raises(LedgerError) as error:
        play_ledger(read_ledger(text_with(row)))
    assert reason in str(error.value) and "\n" not in str(error.value)
