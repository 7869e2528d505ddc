"""Answers to offers of power, which people write late or not at all: who has no choice is not waited for."""

import pytest
from ledgers import go_on, rich

from theogony.envs.terra_mystica.ledger.importer import Importer

NEIGHBOURS = ("giants", "engineers")


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
