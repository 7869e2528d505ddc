"""Portraits of enemies, one for each kind: head, what is worn on it, what is borne, drawn around (0, 0), 16 in radius.

They are line art of this project: a portrait is put together from a few paths.
"""

from __future__ import annotations

from typing import NamedTuple

from theogony.envs.core.draw.style import ICONS
from theogony.envs.core.draw.svg import circle, element, group, shape, use

EDGE, DISC = "#2b2326", "#3a3033"
BONE, DEAD, PALE, ASHEN, ICE, STONE = "#e8dcc0", "#9db0a0", "#e6c9ab", "#a79a94", "#b8dbe6", "#a9a294"
STEEL, IRON, WOOD, GOLD, FLAME, LEATHER = "#c3cad0", "#7d8790", "#b98a55", "#e2b63c", "#f08a3c", "#a8794e"

HEADS = {
    "man": "M-7-4A7 8 0 1 1 7-4Q7 4 0 8Q-7 4-7-4Z",
    "skull": "M0-13C-6-13-9-9-9-4C-9 0-7 1-6 2V7H6V2C7 1 9 0 9-4C9-9 6-13 0-13Z",
    "elf": "M0-12C5-12 7-8 7-4L14-9L8 1C6 6 3 8 0 8C-3 8-6 6-8 1L-14-9L-7-4C-7-8-5-12 0-12Z",
    "brute": "M-6-11Q0-14 6-11Q11-5 10 3Q8 10 0 10Q-8 10-10 3Q-11-5-6-11Z",
    "stone": "M-8-10L2-13L9-8L10 2L5 9L-6 9L-10 2Z",
}
MOUTHS = {
    "man": "M-3 3.5H3", "skull": "M-3 3.5V7M0 3.5V7M3 3.5V7M-1.2 1L0-1L1.2 1Z", "elf": "M-2.5 4L2.5 4",
    "brute": "M-6 5H6M-5 5V1.5L-3 5M5 5V1.5L3 5", "stone": "M-5 5H5M-8-4L-3-1L-5 3M6-11L4-6L7-3",
}  # fmt: skip
WORN = {
    "helmet": "M-9-3Q-9.5-14 0-14Q9.5-14 9-3L5-4V-6H1.4V1H-1.4V-6H-5V-4Z",
    "cap": "M-9-5Q-8-14.5 0-14.5Q8-14.5 9-5Q0-8.5-9-5Z",
    "horned": "M-9-4Q-15-6-13-14Q-10-10-7-10Q0-14 7-10Q10-10 13-14Q15-6 9-4Q0-8-9-4Z",
    "hood": "M0-16C9-14 12-5 12 9H6C10-2 7-9 0-9C-7-9-10-2-6 9H-12C-12-5-9-14 0-16Z",
    "hair": "M-8-2Q-9.5-13.5 0-14Q9.5-13.5 8-2Q6-9 0-9Q-6-9-8-2Z",
    "long": "M-10 9Q-11-14 0-14Q11-14 10 9Q6 6 7-3Q4-9 0-9Q-4-9-7-3Q-6 6-10 9Z",
    "crest": "M-2.4-6L-3.4-16L0-13L3.4-16L2.4-6Z",
    "wings": "M-7-6Q-16-8-15-16Q-9-14-5-10Q0-13 5-10Q9-14 15-16Q16-8 7-6Q0-9-7-6Z",
    "crown": "M-8-6L-9-15L-4.5-11L0-16L4.5-11L9-15L8-6Q0-9-8-6Z",
    "flames": "M-9-3Q-13-10-8-15Q-7-12-4.5-11.5Q-4-16 1-16.5Q0-13 3.5-11.5Q6-13 6-16Q13-11 9-3Q5-9 0-9Q-5-9-9-3Z",
    "spikes": "M-9-3L-12-13L-6-10L-4-16L0-11L4-16L6-10L12-13L9-3Q0-10-9-3Z",
    "horns": "M-7-8Q-14-8-13-16Q-10-12-4-11.5ZM7-8Q14-8 13-16Q10-12 4-11.5Z",
    "mask": "M-7.5-8H7.5L6 5L0 10L-6 5ZM-5-4V-1H-1.5V-3ZM5-4V-1H1.5V-3Z",
    "rocks": "M-9-7L-6-15L-1-11L4-15L9-8L2-10Z",
    "veil": "M-7 0Q0 3 7 0L5 9L0 13L-5 9Z",
}
BORNE = {
    "spear": "M-12 15L-9.5-7H-12L-8-16L-5.5-6.6H-8L-10.4 15Z",
    "sword": "M-13-15L-10-14L-8 2H-5.5V4H-8L-7.6 12H-10L-10.2 4H-13V2H-10.4Z",
    "axe": "M-11 15V-14H-9V-12Q-3-14-3-8Q-3-4-9-5V15Z",
    "bow": "M-15-14Q-4 0-15 14L-14 14Q-1 0-14-14ZM-14.6-13V13H-14V-13Z",
    "sling": "M-14-5a4 4 0 1 0 .1 0ZM-11 2L-5 12L-7 13L-13 3Z",
    "mace": "M-12-15L-9-12.5L-6-14L-6.5-10.5L-4-8L-7.5-6.5V14H-10V-6.5L-13.5-8L-11-10.5Z",
    "club": "M-14-14Q-9-17-6-12L-6 14H-9Z",
    "staff": "M-11 15V-6a4 4 0 1 1 2.4 0V15Z",
    "scythe": "M-10 15L-8-13Q0-17 7-15Q-2-12-6-9L-8 15Z",
    "rock": "M-15-8L-11-13L-6-11L-5-6L-9-3L-14-4Z",
    "trophy": "M-15 3V-14H-4V3ZM-12.5-10V0H-6.5V-10Z",
    "maces": "M-14-12a3.4 3.4 0 1 0 .1 0ZM14-12a3.4 3.4 0 1 0 .1 0ZM-13-6L-6 12L-8 12L-15-6ZM13-6L6 12L8 12L15-6Z",
    "blades": "M-15-15L-12-14L-7 11H-9ZM15-15L12-14L7 11H9Z",
    "halo": "M0-15.5a11 11 0 1 0 .1 0ZM0-13a8.5 8.5 0 1 1-.1 0Z",
}
BEFORE = {  # what is borne before the body
    "shield": "M3 3Q8 3 9 1.5Q10.5 3 14.5 3Q15 12 9 15Q3 12 3 3ZM8.4 4.5H9.6V12.5H8.4Z",
    "core": "M0 8L4 11.5L0 15L-4 11.5Z",
    "broken": "M3 3Q6 3 8 2L7 7L9.5 9L7.5 14Q3 11 3 3Z",
    "scar": "M-6.4-9L-4.6-9.6L-.6 1.5L-2.2 2Z",
}
SHOULDERS = "M-13 9.3A16 16 0 0 0 13 9.3Q10 5.5 0 5.5Q-10 5.5-13 9.3Z"
WIDE = "M-14.5 6.5A16 16 0 0 0 14.5 6.5Q12 1-0 1Q-12 1-14.5 6.5Z"
ALONE = {  # what is no head and shoulders: paths in a square from (0, 0) to (24, 24)
    "dragon": ICONS["dragon"], "hive": ICONS["hive"], "hand": ICONS["hand"],
    "breached": "M12 1.5L17 4.5L14 7L15.5 11L12 13L10 10L7 10V4.5ZM6.5 11.5L11.5 14.5V20L6.5 23L5 18L1.5 20V14.5Z"
    "M17.5 11.5L22.5 14.5L19 17L22.5 20L17.5 23L12.5 20V14.5Z",
    "bleeding": ICONS["dragon"] + " M3 20C4.5 22 5 22.6 5 23.4A1.6 1.6 0 0 1 1.4 23.4C1.4 22.6 2 22 3 20Z",
}  # fmt: skip


class Portrait(NamedTuple):
    """How an enemy looks."""

    word: str  # in its name
    head: str
    skin: str
    worn: str = ""
    metal: str = IRON  # the colour of what is worn
    borne: str = ""
    of: str = STEEL  # the colour of what is borne
    coat: str = "#8d7f78"
    eyes: str = EDGE


ENEMIES = (  # the first whose word stands in the name
    Portrait("breached", "breached", "#d9c26a"), Portrait("hive", "hive", "#f0d67a"),
    Portrait("hand", "hand", ICE),
    Portrait("hraezlyr wounded", "bleeding", "#f0a58f"), Portrait("hraezlyr", "dragon", "#9fd0d8"),
    Portrait("summoner", "elf", "#b7a6cf", "hood", "#8475a3", "staff", "#e0b8f0", "#8475a3", "#f6e04a"),
    Portrait("svartaljofurr enraged", "elf", "#c9b7dd", "flames", "#d1556b", "blades", STEEL, "#927686", "#ff5a3c"),
    Portrait("svartaljofurr", "elf", "#b7a6cf", "mask", GOLD, "blades", STEEL, "#927686", "#b7a6cf"),
    Portrait("elf warrior", "elf", "#c3d0b0", "cap", IRON, "sword", STEEL, "#6f8270", "#1d3a24"),
    Portrait("elf", "elf", "#d3cbe0", "", IRON, "bow", WOOD, "#81779a"),
    Portrait("slinger", "skull", DEAD, "", IRON, "sling", WOOD, "#827d68"),
    Portrait("spear-thrower", "skull", DEAD, "cap", LEATHER, "spear", STEEL, "#827d68"),
    Portrait("disarmed", "skull", DEAD, "cap", LEATHER, "", STEEL, "#827d68"),
    Portrait("burning draugr", "skull", "#f3c08a", "flames", FLAME, "", STEEL, "#9f7264", "#b3261e"),
    Portrait("helmless", "skull", BONE, "scar", "#b66760", "axe", STEEL, "#787d85"),
    Portrait("draugr heavy", "skull", BONE, "helmet", STEEL, "axe", STEEL, "#787d85"),
    Portrait("draugr thrower", "skull", DEAD, "", IRON, "rock", STONE, "#817d73"),
    Portrait("ice draugr", "skull", ICE, "spikes", "#e4f4fa", "sword", "#e4f4fa", "#608296", "#14557a"),
    Portrait("trophy", "skull", BONE, "horns", "#d9c9a0", "trophy", WOOD, "#92785d"),
    Portrait("draugr", "skull", BONE, "", IRON, "sword", IRON, "#8d7f78"),
    Portrait("unshielded", "man", ASHEN, "hood", "#72825d", "broken", WOOD, "#72825d"),
    Portrait("shield wanderer", "man", ASHEN, "hood", "#72825d", "shield", WOOD, "#72825d"),
    Portrait("ambusher", "man", ASHEN, "veil", "#867988", "blades", STEEL, "#867988", "#b3261e"),
    Portrait("bareheaded", "man", ASHEN, "scar", "#b66760", "mace", STEEL, "#91796f"),
    Portrait("champion", "man", ASHEN, "horned", STEEL, "mace", STEEL, "#91796f"),
    Portrait("wanderer", "man", ASHEN, "hood", "#8b7b5c", "", STEEL, "#8b7b5c"),
    Portrait("enraged ogre", "brute", "#d98f7a", "horns", BONE, "club", WOOD, "#9b746a", "#ffe04a"),
    Portrait("ogre", "brute", "#c7b08a", "horns", BONE, "club", WOOD, "#8c7c60"),
    Portrait("archer", "man", "#a9c4b4", "cap", IRON, "bow", WOOD, "#62857b", "#0c5a3a"),
    Portrait("shielded hel", "man", "#a9c4b4", "helmet", IRON, "shield", IRON, "#62857b", "#0c5a3a"),
    Portrait("reaver", "man", "#a9c4b4", "horned", GOLD, "axe", STEEL, "#69827b", "#0c5a3a"),
    Portrait("hel-walker", "man", "#a9c4b4", "hair", "#76807b", "sword", STEEL, "#62857b", "#0c5a3a"),
    Portrait("mattugr", "brute", "#b9c8c0", "crown", GOLD, "mace", IRON, "#6b817d", "#0c5a3a"),
    Portrait("frost revenant", "skull", ICE, "hood", "#7fa9c4", "", STEEL, "#7fa9c4", "#14557a"),
    Portrait("revenant", "skull", "#c8dcae", "hood", "#658565", "staff", "#b8e07a", "#658565", "#2f6a1c"),
    Portrait("grendel of ashes", "brute", "#e0a07a", "flames", FLAME, "", STEEL, "#9f7264", "#8c1f12"),
    Portrait("grendel", "brute", ICE, "spikes", "#e4f4fa", "", STEEL, "#608296", "#14557a"),
    Portrait("core bared", "stone", STONE, "core", FLAME, "", STEEL, "#817c72", "#c2410c"),
    Portrait("ancient", "stone", STONE, "rocks", "#8d877b", "", STEEL, "#817c72", "#1f5f7a"),
    Portrait("raging", "brute", "#9fc4d4", "flames", "#e4f4fa", "club", ICE, "#5f8193", "#b3261e"),
    Portrait("troll", "brute", "#9fc4d4", "spikes", "#e4f4fa", "club", ICE, "#5f8193"),
    Portrait("baldur mortal", "man", PALE, "scar", "#b66760", "", STEEL, "#a76f55"),
    Portrait("baldur", "man", PALE, "crest", "#a4725a", "halo", "#9fd0f0", "#7a8fa0", "#1a5a8c"),
    Portrait("magni", "man", PALE, "long", "#d7b25a", "sword", STEEL, "#9f716d"),
    Portrait("modi", "man", PALE, "hair", "#947863", "maces", IRON, "#748069"),
    Portrait("sigrun unmasked", "man", PALE, "long", "#e6d9b0", "scythe", STEEL, "#c9a23a", "#1a5a8c"),
    Portrait("sigrun", "man", GOLD, "wings", "#f6efd8", "scythe", STEEL, "#c9a23a", "#1a5a8c"),
    Portrait("kara", "man", PALE, "wings", "#9fb8d8", "bow", WOOD, "#637fa3"),
    Portrait("olrun", "man", PALE, "wings", "#b8d8a8", "staff", "#b8e07a", "#5c875c"),
    Portrait("gunnr", "man", PALE, "wings", "#e0a898", "blades", STEEL, "#a76f6a"),
    Portrait("hildr", "man", PALE, "wings", "#d0b8e0", "spear", STEEL, "#8b72a4"),
    Portrait("", "skull", BONE),
)  # fmt: skip


def _path(d: str, fill: str) -> str:
    return element("path", d=d, fill=fill, fill_rule="evenodd", stroke=EDGE, stroke_width=0.8)


def _drawn(one: Portrait) -> list[str]:
    """The parts of a portrait, from behind to before."""
    if one.head in ALONE:
        return [group(_path(ALONE[one.head], one.skin), x=-13, y=-13, zoom=1.08)]
    parts = [_path(BORNE[one.borne], one.of)] if one.borne in BORNE else []
    body = WIDE if one.head in ("brute", "stone") else SHOULDERS
    parts += [_path(body, one.coat), _path(HEADS[one.head], one.skin)]
    parts.append(element("path", d=MOUTHS[one.head], fill="none", stroke=EDGE, stroke_width=1))
    wide = 2.5 if one.head == "skull" else 1.5
    parts += [circle(x, -3, wide, EDGE) for x in (-3.4, 3.4)]
    if one.eyes != EDGE:
        parts += [circle(x, -3, wide * 0.62, _bright(one.eyes)) for x in (-3.4, 3.4)]
    if one.worn:
        parts.append(_path({**WORN, **BEFORE}[one.worn], one.metal))
    if one.borne in BEFORE:
        parts.append(_path(BEFORE[one.borne], one.of))
    return parts


def _bright(colour: str) -> str:
    """A colour that glows in a dark eye."""
    return "#" + "".join(f"{min(255, int(colour[k : k + 2], 16) + 110):02x}" for k in (1, 3, 5))


_SHAPES = {  # clicks go to the card
    one.word: shape(f"enemy {one.word or 'other'}", "g", *_drawn(one), pointer_events="none") for one in ENEMIES
}


def portrait_of(name: str) -> Portrait:
    """How an enemy of this name looks."""
    return next(one for one in ENEMIES if one.word in name.lower())


def enemy_figure(name: str, x: float, y: float, zoom: float) -> str:
    """An enemy by head and shoulders; what has none, such as a hive, by itself."""
    return use(_SHAPES[portrait_of(name).word], x, y, zoom)


def enemy_token(name: str, x: float, y: float, radius: float) -> str:
    """An enemy on a dark disc."""
    return circle(x, y, radius, DISC) + enemy_figure(name, x, y, radius / 17)
