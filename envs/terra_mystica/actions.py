"""The actions of Terra Mystica, written as the commands of a ledger."""

from __future__ import annotations

from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.terra_mystica.components import BOARD, BONUS, COLOURS, CULTS, FACTIONS, FAVOR, TOWN

NAMED_OFFERS = 5  # offers of more power than this are taken with a plain `leech`
POWER_ACTIONS = tuple(f"ACT{k}" for k in range(1, 7))
SPECIALS = ("BON1", "BON2", "FAV6", "ACTA", "ACTC", "ACTG", "ACTN", "ACTS", "ACTW", "ACTE")
CONVERSIONS = (  # power in amounts, which saves decisions; more at once is not needed often
    "5PW to 1P", "10PW to 2P", *(f"{3 * k}PW to {k}W" for k in range(1, 5)), *(f"{k}PW to {k}C" for k in range(1, 7)),
    "1P to 1W", "1W to 1C", "1VP to 1C", "2C to 1VP",
)  # fmt: skip
MOST_BURNT, MOST_PRIESTS = 6, 3  # at once: half of twelve tokens; workers that the Darklings may turn into priests
UPGRADES = ("TP", "TE", "SH", "SA")

CODEC = ActionCodec(
    Block("setup", FACTIONS),
    Block("build", BOARD.land),
    Block("transform", BOARD.land),
    Block("transform partly", BOARD.land, text="transform {} partly"),
    Block("to", COLOURS),
    Block("upgrade", BOARD.land, UPGRADES, text="upgrade {} to {}"),
    Block("bridge", [f"{BOARD.land[a]}:{BOARD.land[b]}" for a, b in BOARD.sites]),
    Block("connect", BOARD.river),
    Block("advance", ("ship", "dig")),
    Block("send", CULTS, (3, 2, 1), text="send p to {} for {}"),
    Block("power action", POWER_ACTIONS, text="action {}"),
    Block("special action", SPECIALS, text="action {}"),
    Block("convert", CONVERSIONS),
    Block("priest", range(1, MOST_PRIESTS + 1), text="convert {0}W to {0}P"),
    Block("burn", range(1, MOST_BURNT + 1)),
    Block("favor", FAVOR, text="+{}"),
    Block("town", TOWN, text="+{}"),
    Block("cult", CULTS, text="+{}"),
    Block("leech", range(1, NAMED_OFFERS + 1), FACTIONS, text="leech {} from {}"),
    Block("leech more", text="leech"),
    Block("decline", ends=True),
    Block("pass with", BONUS, text="pass {}", ends=True),
    Block("pass", ends=True),
    Block("done", ends=True),
)
(SETUP, BUILD, TRANSFORM, PARTLY, TO, UPGRADE, BRIDGE, CONNECT, ADVANCE, SEND, ACT, SPECIAL, CONVERT, TO_PRIEST, BURN,
 TAKE_FAVOR, TAKE_TOWN, STEP, LEECH_FROM, LEECH_MORE, DECLINE, PASS_WITH, PASS, DONE) = (
    CODEC.first[block.kind] for block in CODEC.blocks
)  # fmt: skip
