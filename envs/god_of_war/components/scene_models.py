"""The vocabulary of component files: scenes, quests and bosses; and a whole file."""

from __future__ import annotations

from typing import Annotated, Literal

from theogony.envs.core.untrusted.models import Field
from theogony.envs.god_of_war.components.card_models import (
    ActionCard,
    Condition,
    Hero,
    Part,
    Positive,
    Rune,
    Scope,
    Small,
    Solo,
    Strike,
    Supply,
    UpgradeEntry,
)
from theogony.envs.god_of_war.components.pieces import COLUMNS

# ---------------------------------------------------------------------------------------------------- scenes


class EnemyAttack(Part):
    rune: Rune
    type: Strike
    strength: Small
    dirs: list[Literal[-1, 0, 1]] = []
    effect: Literal["stun", "poison"] | None = None
    plus_tokens: str | None = None


class OwnEnemy(Part):
    name: str
    hp: Positive
    armour: Annotated[list[Positive], Field(max_length=4)]
    invulnerable: bool
    attacks: list[EnemyAttack]


class BodyPart(Part):
    part_of: str
    attacks: list[EnemyAttack]


class Predicate(Part):
    """Exactly one of the four forms."""

    hp_le: tuple[str, Small] | None = None
    tokens_ge: tuple[str, Small] | None = None
    dead: str | None = None
    clear: Literal[True] | None = None


class FlipEffect(Part):
    op: Literal["flip"]
    cards: str | list[str]


class AttackEffect(Part):
    op: Literal["attack"]
    card: str
    type: Strike
    strength: Small
    dirs: list[Literal[-1, 0, 1]] = []
    effect: Literal["stun", "poison"] | None = None


class EnemyNumber(Part):
    op: Literal["damage_enemy", "heal_enemy"]
    target: str
    n: Positive


class EnemyState(Part):
    op: Literal["stun_enemy", "break_armour"]
    target: str


class TokenEffect(Part):
    op: Literal["add_token", "remove_token"]
    card: str
    n: Positive


class HeroNumber(Part):
    op: Literal["damage_heroes", "heal_heroes", "draw", "rage"]
    scope: Scope
    n: Positive


class StatusEffect(Part):
    op: Literal["status"]
    kind: Literal["stun", "poison"]
    scope: Scope
    n: Positive


class CrystalEffect(Part):
    op: Literal["crystal"]
    n: Positive


class LimitEffect(Part):
    op: Literal["hand_limit"]
    scope: Scope
    n: Annotated[int, Field(ge=-9, le=9)]


Effect = Annotated[
    FlipEffect
    | AttackEffect
    | EnemyNumber
    | EnemyState
    | TokenEffect
    | HeroNumber
    | StatusEffect
    | CrystalEffect
    | LimitEffect,
    Field(discriminator="op"),
]


class Flip(Part):
    when: Condition
    cards: Annotated[list[str], Field(min_length=1)]


class Trigger(Part):
    when: Annotated[
        str, Field(pattern=r"^(defeated|armour_broken|attacked:(melee|ranged)|rune:(gebo|fehu|tiwaz|algiz))$")
    ]
    if_: list[Predicate] = Field(alias="if", default=[])
    do: list[Effect]


class Interaction(Part):
    label: str
    cost: Annotated[list[Literal["melee", "ranged", "block", "number", "crystal"]], Field(min_length=1, max_length=4)]
    if_: list[Predicate] = Field(alias="if", default=[])
    do: list[Effect]


class TokenArea(Part):
    start: Small
    max: Positive


class SideModel(Part):
    name: str
    enemy: OwnEnemy | BodyPart | None = None
    flip: list[Flip] = []
    triggers: list[Trigger] = []
    interactions: Annotated[list[Interaction], Field(max_length=2)] = []
    reward: list[Effect] = []
    tokens: TokenArea | None = None


class SceneCard(Part):
    id: str
    pos: tuple[Annotated[int, Field(ge=0, le=2)], Annotated[int, Field(ge=0, lt=COLUMNS)]]
    front: SideModel
    back: SideModel


class Scene(Part):
    id: Annotated[int, Field(ge=1, le=10)]
    name: str
    kind: Literal["quest", "boss"]
    cards: list[SceneCard]


# ---------------------------------------------------------------------------------------------------- scenarios


class Success(Part):
    all: Annotated[list[Predicate], Field(min_length=1)]


class Failure(Part):
    any: Annotated[list[Predicate], Field(min_length=1)]


class Front(Part):
    success: Success
    fail: Failure | None = None


class Hindrance(Part):
    op: Literal["shuffle_status", "start_damage", "hand_limit", "extra_activation"]
    n: Annotated[int, Field(ge=-9, le=9)]
    kind: Literal["stun", "poison"] | None = None


class Back(Part):
    hindrance: list[Hindrance]


class Scenario(Part):
    id: Annotated[int, Field(ge=1, le=10)]
    name: str
    scene: Annotated[int, Field(ge=1, le=10)]
    front: Front
    back: Back


class Die(Part):
    faces: list[Small]


class StatusCards(Part):
    stun: Supply
    poison: Supply
    crystal: Supply


class ComponentFile(Part):
    """A whole component file."""

    die: Die
    action_cards: Annotated[dict[str, ActionCard], Field(min_length=5)]  # with status cards 8: rules read 8 at once
    heroes: list[Hero]
    solo: Solo
    upgrade_deck: list[UpgradeEntry]
    status_cards: StatusCards
    quests: list[Scenario]
    bosses: list[Scenario]
    scenes: list[Scene]
