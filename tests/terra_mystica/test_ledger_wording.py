"""Ledgers as people write them: late answers, gifts, several turns in one row, the forms of each command."""

import pytest
from ledgers import HEAD, text_with

from theogony.envs.terra_mystica.actions import BOARD
from theogony.envs.terra_mystica.components import COLOURS, FACTIONS, FAV6, SH, TE, D
from theogony.envs.terra_mystica.ledger.commands import LedgerError, read_command
from theogony.envs.terra_mystica.ledger.importer import Importer
from theogony.envs.terra_mystica.ledger.ledger import (
    Ledger,
    play_ledger,
    play_rows,
    read_ledger,
    read_line,
)  # fmt: skip

AIR = 3
NEIGHBOURS = ("giants", "engineers")


DOUBLE = HEAD.replace("setup giants", "setup chaosmagicians").replace("setup witches", "setup engineers")
DOUBLE = (
    DOUBLE[: DOUBLE.index("giants: build")]
    + """engineers: build C2
engineers: build C5
chaosmagicians: build D4
engineers: pass BON5
chaosmagicians: pass BON9
"""
)  # E6, which is brown, lies beside D4


def rich(head: str = HEAD, **fields: int) -> Importer:
    """A game after its first rows, in which nobody lacks anything; and further fields of the first seat."""
    importer = play_ledger(read_ledger(head))
    g = importer.position.g
    g.coins[:], g.workers[:], g.priests[:], g.bowls[:] = 60, 30, 3, (0, 0, 12)
    for name, value in fields.items():
        g[name][:2] = value
    importer.position.refresh()
    return importer


def go_on(importer: Importer, *rows: str) -> Importer:
    """Play further rows, numbered from 1."""
    ledger = Ledger(factions=[name for name in FACTIONS if FACTIONS.index(name) in importer.position.g.faction])
    for number, row in enumerate(rows, 1):
        read_line(ledger, number, row)
    play_rows(importer, ledger.rows)
    return importer


def cultists_between(*able: str) -> Importer:
    """The Cultists at E6 touch the Giants and the Engineers, of whom only those in `able` can take power."""
    head = """option errata-cultist-power
score SCORE3,SCORE1,SCORE2,SCORE5,SCORE7,SCORE8
delete BON1
delete BON2
delete BON3
setup cultists
setup giants
setup engineers
cultists: build E6
giants: build D4
engineers: build E7
engineers: build I9
giants: build A6
cultists: build D8
engineers: pass BON5
giants: pass BON9
cultists: pass BON4
"""
    importer = rich(head)
    g = importer.position.g
    for seat, faction in enumerate(("cultists", "giants", "engineers")):
        g.bowls[seat] = (6, 6, 0) if faction in ("cultists", *able) else (0, 0, 12)
    importer.position.refresh()
    return importer


def stronghold(importer: Importer, seat: int) -> Importer:
    """A seat may use the special action of its stronghold."""
    importer.position.g.built[seat, SH] = 1
    importer.position.refresh()
    return importer


def colour(importer: Importer, space: str) -> str:
    return COLOURS[importer.position.g.terrain[BOARD.land.index(space)]]


def built(importer: Importer, space: str) -> int:
    return int(importer.position.g.building[BOARD.land.index(space)])


def test_several_turns_of_one_faction_in_one_row() -> None:
    row = "witches: upgrade A10 to TP. send p to AIR. upgrade A10 to TE. +FAV11. dig 1. build A11. advance ship. pass"
    played = go_on(rich(), "giants: pass BON7", f"{row} BON6")
    g = played.position.g
    assert (g.round_number, g.built[1, TE], g.built[1, D], g.ship[1]) == (1, 1, 2, 1) and played.held


def test_the_cult_step_of_a_favor_action_in_a_later_row() -> None:
    importer = rich()
    importer.position.g.favors[1, FAV6] = 1
    before = int(importer.position.g.cult[1, AIR])
    go_on(importer, "giants: pass BON7", "witches: Action fav6. burn 0. Pass bon8")
    assert importer.held and importer.position.g.cult[1, AIR] == before
    go_on(importer, "witches: +AIR")
    assert importer.position.g.cult[1, AIR] == before + 1 and importer.position.g.round_number == 2


def test_tiles_after_the_next_action() -> None:
    played = go_on(stronghold(rich(DOUBLE), 0), "chaosmagicians: action ACTC. upgrade D4 to TP. send p to AIR")
    assert played.position.g.turn == 1
    played = stronghold(rich(DOUBLE), 0)
    go_on(played, "chaosmagicians: upgrade D4 to TP", "engineers: send p to AIR")
    go_on(
        played, "chaosmagicians: action ACTC. upgrade D4 to TE. dig 2. build E6. +FAV11. +FAV5", "engineers: pass BON6"
    )
    g = played.position.g
    assert g.favors[0].sum() == 2 and g.built[0, D] == 1 and g.turn == 0


def test_a_double_turn_that_builds_in_a_later_row_and_then_passes() -> None:
    rows = [
        "chaosmagicians: action ACTC. burn 0. dig 2. transform E6 to red",
        "engineers: convert 1PW to 1C",
        "chaosmagicians: build E6. pass BON6",
        "engineers: advance ship",
    ]
    g = go_on(stronghold(rich(DOUBLE), 0), *rows).position.g
    assert g.built[0, D] == 2 and g.passed[0] and g.turn == 1


def test_a_row_with_two_readings_is_read_as_the_next_row_needs_it() -> None:
    """The dwelling is the second action when the next row is of another faction: the first reading leaves none."""
    rows = ["chaosmagicians: action ACTC. dig 2. transform E6 to red", "engineers: convert 1PW to 1C"]
    rows += ["chaosmagicians: build E6", "engineers: advance ship"]
    g = go_on(stronghold(rich(DOUBLE), 0), *rows).position.g
    assert g.built[0, D] == 2 and g.ship[1] == 1 and g.turn == 0
    with pytest.raises(LedgerError, match="line 2: engineers: advance ship: it is not this faction's turn"):
        go_on(stronghold(rich(DOUBLE), 0), rows[0], *rows[3:])


@pytest.mark.parametrize("cuts", range(16))
@pytest.mark.parametrize("between", [[], ["engineers: convert 1PW to 1C"]])
def test_a_double_turn_over_any_rows(cuts: int, between: list[str]) -> None:
    """The dwelling belongs to the first action and the pass is the second, wherever the rows are cut."""
    commands = ["action ACTC", "dig 2", "transform E6 to red", "build E6", "pass BON7"]
    text = "".join(c + ("\n" if cuts >> k & 1 else ". ") for k, c in enumerate(commands[:-1])) + commands[-1]
    rows = [row for line in text.split("\n") for row in (f"chaosmagicians: {line}", *between)]
    g = go_on(stronghold(rich(DOUBLE), 0), *rows, "engineers: advance ship").position.g
    assert (g.built[0, D], g.card[0], g.ship[1], g.turn, g.round_number) == (2, 6, 1, 1, 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["send p to AIR"], ["pass BON7"]), (["upgrade D4 to TP"], ["pass BON7"]),
        (["upgrade D4 to TP", "done"], ["pass BON7"]),
        (["dig 2", "transform E6 to red"], ["pass BON7"]), (["action ACT6", "build E6"], ["pass BON7"]),
        (["advance ship"], ["dig 2", "transform E6 to red", "build E6"]), (["dig 2", "build E6"], ["send p to FIRE"]),
        (["action ACT1", "bridge D4:C2"], ["pass BON7"]), (["pass BON7"], []),
        (["dig 1", "transform E6", "dig 1", "transform E6", "build E6"], ["convert 1W to 1C", "pass BON7"]),
    ],
)  # fmt: skip
def test_both_actions_of_a_double_turn_in_one_row_and_in_many(first: list[str], second: list[str]) -> None:
    """Afterwards the next faction may act; passing as the first action ends the double turn."""
    commands = ["action ACTC", *first, *second]
    ends = []
    for rows in ([". ".join(commands)], commands):
        played = go_on(
            stronghold(rich(DOUBLE), 0), *(f"chaosmagicians: {row}" for row in rows), "engineers: advance ship"
        )
        g = played.position.g
        ends.append((g.built[0].tolist(), g.passed[0], g.bridges, g.ship[:2].tolist(), g.workers[0], int(g.turn)))
        assert g.ship[1] == 1 and g.passed[0] == ("pass BON7" in commands)
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("giants", "witches"),
    [
        (["pass"], ["pass"]), (["pass bon1"], ["Pass BON7"]), (["pass BON7"], ["pass BON7"]),
        (["pass. +BON7"], ["+bon8"]),
        (["pass BON9"], ["pass BON10"]), (["convert 1PW to 1C. pass bon6"], ["pass BON6. convert 1PW to 1C"]),
    ],
)  # fmt: skip
def test_no_card_is_taken_in_the_last_round_though_one_is_written(giants: list[str], witches: list[str]) -> None:
    """A card that lies free, one that is taken, the own one, one that is not in the game: it means nothing (§6.8)."""
    importer = rich()
    importer.position.g.round_number = 6
    importer.position.refresh()
    rows = [f"giants: {row}" for row in giants] + [f"witches: {row}" for row in witches]
    played = go_on(importer, *rows).position
    assert played.over and played.g.card[:2].tolist() == [-1, -1]


def test_a_card_that_does_not_exist_is_refused_in_the_last_round_too() -> None:
    importer = rich()
    importer.position.g.round_number = 6
    with pytest.raises(LedgerError, match="there is no pass with BON99"):
        go_on(importer, "giants: pass BON99")


@pytest.mark.parametrize(
    ("rows", "gain", "steps"),
    [
        (["{a}: decline 1 from cultists"], 1, 0),
        (["{a}: decline"], 1, 0),
        (["{b}: decline 1 from cultists"], 0, 0),  # it had no choice: its word counts for nothing
        (["{b}: leech 1 from cultists", "{a}: decline 1 from cultists"], 1, 0),
        (["{b}: decline 1 from cultists", "{a}: decline 1 from cultists"], 1, 0),
        (["{a}: decline 1 from cultists", "{b}: decline 1 from cultists"], 1, 0),
        (["{a}: leech 1 from cultists"], 0, 1),
        (["{a}: leech 1 from cultists", "{b}: leech 1 from cultists"], 0, 1),
        (["{b}: leech 1 from cultists"], 0, 0),
        (["giants: advance ship", "engineers: advance ship"], 1, 0),  # full actions decline (L1)
    ],
)  # fmt: skip
@pytest.mark.parametrize("swapped", [False, True])
def test_nobody_waits_for_a_seat_that_can_take_no_power(rows: list[str], gain: int, steps: int, swapped: bool) -> None:
    """The Cultists' power or step comes with the answer of the seat that has a choice (§12)."""
    able, unable = ("engineers", "giants") if swapped else ("giants", "engineers")
    importer = cultists_between(able)
    before = int(importer.position.g.bowls[0, 1])
    played = go_on(importer, "cultists: upgrade E6 to TP", *(row.format(a=able, b=unable) for row in rows))
    assert int(played.position.g.bowls[0, 1]) - before == gain and played.rewards == steps


def test_the_cultists_wait_for_all_that_have_a_choice() -> None:
    for answers, gain, steps in (
        (("decline", None), 0, 0), (("decline", "decline"), 1, 0), (("decline", "leech"), 0, 1),
        (("leech", None), 0, 1),
        (("leech", "decline"), 0, 1), (("leech", "leech"), 0, 1),
    ):  # fmt: skip
        importer = cultists_between("giants", "engineers")
        rows = [f"{name}: {word} 1 from cultists" for name, word in zip(NEIGHBOURS, answers, strict=True) if word]
        before = int(importer.position.g.bowls[0, 1])
        played = go_on(importer, "cultists: upgrade E6 to TP", *rows)
        assert int(played.position.g.bowls[0, 1]) - before == gain and played.rewards == steps


def test_bowls_that_fill_up_take_a_choice_away() -> None:
    """Of two offers the Engineers take one, which fills their bowls: of the other the Giants' answer was the last."""
    importer = cultists_between("giants", "engineers")
    importer.position.g.bowls[2] = (0, 1, 11)
    rows = ["cultists: send p to AIR", "giants: advance ship", "engineers: pass BON7", "cultists: upgrade E6 to TP"]
    rows += ["giants: send p to AIR", "cultists: upgrade E6 to TE. +FAV11", "giants: decline 1 from cultists"]
    played = go_on(importer, *rows)
    before = int(played.position.g.bowls[0, 1])
    assert [offer.open for offer in played.offers] == [True, True] and played.rewards == 0
    go_on(played, "engineers: leech 1 from cultists")
    assert [offer.open for offer in played.offers] == [False] and played.rewards == 1
    assert int(played.position.g.bowls[0, 1]) == before + 1


def test_a_round_ends_without_answers_of_those_who_can_take_nothing() -> None:
    """The last pass of the round, then the next one begins; in the last round the game is over."""
    for number in (1, 6):
        importer = cultists_between()
        importer.position.g.round_number = number
        importer.position.refresh()
        rows = ["cultists: upgrade E6 to TP", "giants: pass BON7", "engineers: pass BON8", "cultists: pass BON6"]
        played = go_on(importer, *rows, *(["giants: send p to AIR"] if number == 1 else []))
        assert played.offers == [] and (played.position.over or played.position.g.round_number == 2)


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
