"""The actions of God of War. Composite actions of the rules are sequences of these small decisions.

`hero` and `second` are roles: the deciding player's figure, and Sindri beside Brok. Columns and places are counted from
1, from the left.
"""

from __future__ import annotations

from typing import Any

from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.god_of_war.components.pieces import COLUMNS, FIGURES, HEROES, SIDE_CARDS
from theogony.envs.god_of_war.components.tables import designs, option_kind, plays, skill_options, upgrade_types
from theogony.envs.god_of_war.state import SCENES

ROLES = ("hero", "second")
ROWS = ("top", "bottom")
STANDS = ("front", "back")
PLACES = tuple(f"{row} {k + 1}" for row in ROWS for k in range(COLUMNS)) + tuple(
    f"side {k + 1}" for k in range(SIDE_CARDS)
)
LOOKS = 4  # most upgrade cards that are looked at

BLOCKS = (
    "hero", "place", "move", "attack", "special", "rage", "skill", "interact", "ask", "end", "target", "figure", "pay",
    "step", "add", "commit", "block", "done", "pass", "column", "top", "bottom", "take", "remove", "choose",
)  # fmt: skip
(
    A_HERO, A_PLACE, A_MOVE, A_ATTACK, A_SPECIAL, A_RAGE, A_SKILL, A_INTERACT, A_ASK, A_END, A_TARGET, A_FIGURE, A_PAY,
    A_STEP, A_ADD, A_COMMIT, A_BLOCK, A_DONE, A_PASS, A_COLUMN, A_TOP, A_BOTTOM, A_TAKE, A_REMOVE, A_CHOOSE,
) = range(len(BLOCKS))  # fmt: skip


def play_names(data: dict[str, Any]) -> list[str]:
    """A name for every way to play a card: the design, and for cards with a choice which option."""
    names = []
    for design, k in plays(data):
        options: list[Any] = data["action_cards"][design]["options"] if design != "crystal" else [None]
        names.append(design if len(options) == 1 else f"{design}/{option_kind(options[k])}")
    twice = {name for name in names if names.count(name) > 1}
    return [f"{name}{plays(data)[i][1]}" if name in twice else name for i, name in enumerate(names)]


def play_number(data: dict[str, Any], name: Any) -> int:
    """The number of a way to play a card, by its name."""
    return play_names(data).index(str(name))


def codec(data: dict[str, Any], fields: Any) -> ActionCodec:
    """The actions for these components. `fields` (of the tables) say which plays are attacks, numbers and so on."""
    names, cards = play_names(data), designs(data)
    columns = range(1, COLUMNS + 1)
    of = {kind: [names[i] for i in fields[f"{kind}_plays"]] for kind in ("attack", "number", "block", "special")}
    skills = [f"{skill} {option['id']}" for _, skill, option in skill_options(data)]
    return ActionCodec(
        Block("hero", HEROES, text="play {}"),
        Block("place", columns, STANDS, text="enter column {} {}"),
        Block("move", ROLES, columns, STANDS, text="{}: move to column {} {}"),
        Block("attack", ROLES, ROWS, of["attack"], text="{}: attack {} with {}"),
        Block("special", ROLES, of["special"], text="{}: play {}"),
        Block("rage", ROLES, text="{}: rage"),
        Block("skill", skills, text="skill {}"),
        Block("interact", ROLES, ROWS, (1, 2), text="{}: interact with {}, {}"),
        Block("ask", text="ask mimir"),
        Block("end", text="end activation", ends=True),
        Block("target", PLACES, text="target {}"),
        Block("figure", FIGURES, text="choose {}"),
        Block("pay", cards, text="pay {}"),
        Block("step", columns, STANDS, text="extra move to column {} {}"),
        Block("add", of["number"], text="add {}"),
        Block("commit", text="commit set", ends=True),
        Block("block", of["block"], text="block with {}"),
        Block("done", text="done", ends=True),
        Block("pass", text="pass", ends=True),
        Block("column", columns, text="hit column {}"),
        Block("top", range(1, LOOKS + 1), text="card {} on top"),
        Block("bottom", range(1, LOOKS + 1), text="card {} to the bottom"),
        Block("take", upgrade_types(data), text="take {}"),
        Block("remove", cards, text="remove {}"),
        Block("choose", SCENES, text="next scene {}"),
    )


def codec_fields(actions: ActionCodec) -> dict[str, list[int]]:
    """What the rules need of the codec: the first id of each block, and the block of each id."""
    blocks = [BLOCKS.index(actions.decode(action)[0]) for action in range(actions.size)]
    return {"at": [actions.first[name] for name in BLOCKS], "block_of": blocks}
