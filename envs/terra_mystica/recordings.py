"""Reader of recorded games for `theogony verify`: random games (`turn` lines) and real ones (`row` lines).

Each line states what was played and the whole state after it; many also what was legal before. The importer plays the
commands, and every stated fact is compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from theogony.envs.core.verify import Case, Differ, RecordingError, compare
from theogony.envs.terra_mystica.actions import BOARD, CODEC, POWER_ACTIONS, SPECIALS
from theogony.envs.terra_mystica.commands import LedgerError, in_order, read_command
from theogony.envs.terra_mystica.components import CULTISTS, FACTIONS, POWER_COST
from theogony.envs.terra_mystica.importer import Importer
from theogony.envs.terra_mystica.ledger import Ledger, read_setup
from theogony.envs.terra_mystica.rules.actions import has_special
from theogony.envs.terra_mystica.rules.offers import can_take
from theogony.envs.terra_mystica.rules.reach import reached, tunnel_priests, tunnel_workers, tunnelled
from theogony.envs.terra_mystica.snapshot import snapshot, spaces_of, spades_open
from theogony.envs.terra_mystica.state import LEECH, MAIN, REWARD

KINDS = ("setup", "first_dwelling", "first_bonus", "turn", "leech", "cult", "phase3_spade", "row")


def recordings(path: Path, lines: Iterable[dict[str, Any]]) -> Iterator[Case]:
    """One case: the game of the file."""
    yield path.name.split(".")[0], lambda differ: _play(list(lines), differ)


def _play(lines: list[dict[str, Any]], differ: Differ) -> None:
    if not lines or lines[0].get("kind") != "setup":
        raise RecordingError("the first line is not of kind `setup`")
    importer = _begin(lines[0], late=any(line.get("kind") == "row" for line in lines))
    for line in lines:
        if line.get("kind") not in KINDS:
            raise RecordingError(f"step {line.get('step')}: unknown kind {line.get('kind')!r}")
        if "legal_before" in line:
            _compare_legal(differ, line, importer)
        if line["kind"] != "setup":
            _row(line, importer)
        _compare_state(differ, line, importer)


def _begin(line: dict[str, Any], *, late: bool) -> Importer:
    try:
        written = Ledger()
        for text in line["commands"]:
            read_setup(written, read_command(text))
        importer = Importer(written.game(), late=late)
        importer.arrange(written.scoring, written.removed, written.factions)
    except LedgerError as error:
        raise RecordingError(f"step {line.get('step')}: {error}") from None
    return importer


def _row(line: dict[str, Any], importer: Importer) -> None:
    try:
        commands = [read_command(text) for text in line["commands"]]
        importer.row(line["faction"], in_order(commands) if line["kind"] == "row" else commands)
    except LedgerError as error:
        raise RecordingError(f"step {line['step']}: {line['faction']}: {error}") from None


# ---------------------------------------------------------------------------------------------------- state


def _compare_state(differ: Differ, line: dict[str, Any], importer: Importer) -> None:
    """Everything the line states about the position after it."""
    expected = _sorted_lists(dict(line["state"]))
    found = snapshot(importer.game, importer.position.g)
    found["pending"] = _pending(importer)
    expected["pending"] = _expected_pending(expected.get("pending", []), importer.late)
    if expected.get("active") is None:
        expected.pop("active", None)
    for name in ("scoring", "order"):
        if name in line and line["kind"] == "setup":
            expected[name] = line[name]
    compare(differ, line["step"], expected, found)


def _sorted_lists(state: dict[str, Any]) -> dict[str, Any]:
    """Lists whose order means nothing are sorted; bridges are written with their lower end first."""
    state["power_actions_used"] = sorted(state.get("power_actions_used", []))
    number = {label: k for k, label in enumerate(BOARD.land)}
    state["bridges"] = sorted([*sorted(b[:2], key=number.__getitem__), b[2]] for b in state.get("bridges", []))
    players = {}
    for name, values in state.get("players", {}).items():
        values = {k: sorted(v) if isinstance(v, list) else v for k, v in values.items()}
        if "buildings" in values:
            values["buildings"] = {k: sorted(v) for k, v in values["buildings"].items()}
        players[name] = values
    state["players"] = players
    return state


def _expected_pending(pending: list[dict[str, Any]], late: bool) -> list[list[Any]]:
    """Open power offers, cult steps and spades of a recording. Who can gain nothing is not asked by the engine."""
    out = []
    for entry in pending:
        if entry["type"] == "leech" and (late or entry["actual"] > 0):
            out.append(["leech", entry["faction"], entry["from_faction"], entry["amount"]])
        elif entry["type"] in ("cult", "transform"):
            if [entry["type"], entry["faction"], entry["amount"]] not in out:
                out.append([entry["type"], entry["faction"], entry["amount"]])
    return sorted(out, key=str)


def _pending(importer: Importer) -> list[list[Any]]:
    """The same of the engine and the importer."""
    g, t = importer.position.g, importer.game.tables[0]
    names = [FACTIONS[f] for f in g.faction[: g.players]]
    out: list[list[Any]] = [["leech", names[o.seat], names[o.builder], o.power] for o in importer.offers]
    for k in range(int(g.offer_next), int(g.offer_count)):
        seat, power = int(g.offer_seat[k]), int(g.offer_power[k])
        if can_take(g, t, seat, power) > 0:
            out.append(["leech", names[seat], names[g.turn], power])
    out += [["transform", name, spades] for name, spades in spades_open(g).items()]
    taken = g.decision == LEECH and g.offer_taken and g.faction[g.turn] == CULTISTS
    if importer.rewards or g.decision == REWARD or taken:
        out.append(["cult", FACTIONS[CULTISTS], 1])
    return sorted(out, key=str)


# ---------------------------------------------------------------------------------------------------- legal


def _compare_legal(differ: Differ, line: dict[str, Any], importer: Importer) -> None:
    """What a line says was legal before it, without converting first."""
    g, seat = importer.position.g, importer.seat_of(line["faction"])
    if not importer.mine(seat, MAIN):
        differ(line["step"], "legal_before", "a turn", f"decision {int(g.decision)} of seat {int(g.actor)}")
        return
    legal = {name: sorted(values) for name, values in line["legal_before"].items() if name != "reach"}
    found = _legal(importer)
    if "action" in legal:
        useless = _useless(importer, seat)
        found["action"] = sorted(set(found["action"]) | useless & set(legal["action"]))
    compare(differ, line["step"], legal, found, "legal_before")
    if "reach" in line["legal_before"]:
        compare(differ, line["step"], line["legal_before"]["reach"], _reach(importer, seat), "legal_before.reach")


def _legal(importer: Importer) -> dict[str, list[str]]:
    """The legal single commands, in the words of the recordings."""
    legal = [CODEC.decode(int(a)) for a in importer.position.legal_actions()]
    out: dict[str, list[str]] = {name: [] for name in ("build", "upgrade", "action", "advance", "send")}
    for kind, arguments in legal:
        if kind in ("power action", "special action"):
            if kind == "special action" or _at_hand(importer, str(arguments[0])):
                out["action"].append(str(arguments[0]))
        elif kind in out:
            out[kind].append(":".join(map(str, arguments)))
    return {name: sorted(values) for name, values in out.items()}


def _at_hand(importer: Importer, action: str) -> bool:
    """Whether a power action is paid without burning."""
    g = importer.position.g
    return bool(g.bowls[g.actor, 2] >= POWER_COST[POWER_ACTIONS.index(action)])


def _useless(importer: Importer, seat: int) -> set[str]:
    """Actions a seat could pay for and we bar because they would do nothing: the recordings list them."""
    g, legal = importer.position.g, set(_legal(importer)["action"])
    power = {name for k, name in enumerate(POWER_ACTIONS) if not g.power_used[k] and g.bowls[seat, 2] >= POWER_COST[k]}
    special = {name for k, name in enumerate(SPECIALS) if has_special(g, seat, k) and not g.specials_used[seat, k]}
    return (power | special) - legal


def _reach(importer: Importer, seat: int) -> dict[str, dict[str, int]]:
    """Free spaces in reach, with the extra price of a tunnel or carpet flight."""
    g, t = importer.position.g, importer.game.tables[0]
    near = spaces_of(reached(g, t, seat))
    price = {"W": tunnel_workers(g, t, seat)} if tunnel_workers(g, t, seat) else {"P": tunnel_priests(g, seat)}
    skipped = spaces_of(tunnelled(g, t, seat))
    return {space: {} for space in near} | {space: price for space in skipped}
