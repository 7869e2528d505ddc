"""The beginning of a Terra Mystica ledger, and games that go on from there, for tests."""

from theogony.envs.terra_mystica.components import FACTIONS, SH
from theogony.envs.terra_mystica.ledger.importer import Importer
from theogony.envs.terra_mystica.ledger.ledger import Ledger, play_ledger, play_rows, read_ledger, read_line

HEAD = """option errata-cultist-power
score SCORE3,SCORE1,SCORE2,SCORE5,SCORE7,SCORE8   # rounds 1 to 6
delete BON1
delete BON2
delete BON3
delete BON4
setup giants
setup witches
giants: build A9
witches: BUILD A10
witches: build E9
giants: build D6
witches: pass BON5
giants: pass BON9
"""  # 14 lines; giants and witches sit side by side at A9 and A10


def text_with(*rows: str) -> str:
    return HEAD + "\n".join(rows) + "\n"


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


def stronghold(importer: Importer, seat: int) -> Importer:
    """A seat may use the special action of its stronghold."""
    importer.position.g.built[seat, SH] = 1
    importer.position.refresh()
    return importer
