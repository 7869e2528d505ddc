"""The actions of Terra Mystica, written as the commands of a ledger."""

from __future__ import annotations

from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.terra_mystica.components import (
    BOARD,
    BONUS,
    COLOURS,
    CULTS,
    FACTIONS,
    FAVOR,
    TOWN,
)

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
    Block("setup", FACTIONS, does="Takes this faction."),
    Block(
        "build",
        BOARD.land,
        does="Builds a dwelling here, for workers and coins; a space of another terrain is dug first.",
    ),
    Block("transform", BOARD.land, does="Turns the space to your own terrain and buys the spades that are missing."),
    Block(
        "transform partly",
        BOARD.land,
        text="transform {} partly",
        does="Turns the space some steps of the way only; the terrain is chosen next.",
    ),
    Block("to", COLOURS, does="Turns the space to this terrain."),
    Block(
        "upgrade",
        BOARD.land,
        UPGRADES,
        text="upgrade {} to {}",
        does="Replaces the building: by a trading house (TP), temple (TE), stronghold (SH) or sanctuary (SA).",
    ),
    Block(
        "bridge",
        [f"{BOARD.land[a]}:{BOARD.land[b]}" for a, b in BOARD.sites],
        does="Builds a bridge over the river, which makes the two spaces neighbours.",
    ),
    Block("connect", BOARD.river, does="Founds a town over this river space."),
    Block(
        "advance",
        ("ship", "dig"),
        does="Advances on the track: shipping reaches farther (ship), or spades need fewer workers (dig).",
    ),
    Block(
        "send",
        CULTS,
        (3, 2, 1),
        text="send p to {} for {}",
        does="Sends a priest to the cult for so many steps; on a numbered space he stays for good.",
    ),
    Block(
        "power action",
        POWER_ACTIONS,
        text="action {}",
        does="Takes a power action of the board; each can be taken once a round, by one player.",
    ),
    Block(
        "special action",
        SPECIALS,
        text="action {}",
        does="Uses the action of your tile, card or faction, once a round.",
    ),
    Block(
        "convert",
        CONVERSIONS,
        does="Exchanges power (PW), priests (P), workers (W), coins (C) or points (VP); it does not end your turn.",
    ),
    Block(
        "priest", range(1, MOST_PRIESTS + 1), text="convert {0}W to {0}P", does="Turns workers (W) into priests (P)."
    ),
    Block(
        "burn", range(1, MOST_BURNT + 1), does="Moves so much power to the third bowl; as much again leaves the game."
    ),
    Block("favor", FAVOR, text="+{}", does="Takes this favour tile."),
    Block("town", TOWN, text="+{}", does="Takes this town tile."),
    Block("cult", CULTS, text="+{}", does="Takes a step on this cult track."),
    Block(
        "leech",
        range(1, NAMED_OFFERS + 1),
        FACTIONS,
        text="leech {} from {}",
        does="Takes the power that is offered; it costs a point less than the power gained.",
    ),
    Block(
        "leech more", text="leech", does="Takes the power that is offered; it costs a point less than the power gained."
    ),
    Block("decline", does="Takes nothing of what is offered."),
    Block(
        "pass with",
        BONUS,
        text="pass {}",
        does="Passes for the rest of the round, and takes this bonus card for the next.",
    ),
    Block("pass", does="Passes in the last round: you take no more actions."),
    Block("done", does="Ends what is being done; what is left of it lapses."),
)
(SETUP, BUILD, TRANSFORM, PARTLY, TO, UPGRADE, BRIDGE, CONNECT, ADVANCE, SEND, ACT, SPECIAL, CONVERT, TO_PRIEST, BURN,
 TAKE_FAVOR, TAKE_TOWN, STEP, LEECH_FROM, LEECH_MORE, DECLINE, PASS_WITH, PASS, DONE) = (
    CODEC.first[block.kind] for block in CODEC.blocks
)  # fmt: skip
(S_BON1, S_BON2, S_FAV6, S_ACTA, S_ACTC, S_ACTG, S_ACTN, S_ACTS, S_ACTW, S_ACTE) = range(10)
