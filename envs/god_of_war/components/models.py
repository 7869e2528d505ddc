"""The vocabulary of component files: action cards, heroes, companions; scenes, quests, bosses; and a whole file."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field
from theogony.envs.god_of_war.components.pieces import COLUMNS

Small = Annotated[int, Field(ge=0, le=99)]
Positive = Annotated[int, Field(ge=1, le=99)]
Rune = Literal["gebo", "fehu", "tiwaz", "algiz"]
Strike = Literal["melee", "ranged"]
Scope = Literal["acting", "column", "front", "all", "chosen"]
MOMENTS = "defeated|armour_broken|attacked:(melee|ranged)|rune:(gebo|fehu|tiwaz|algiz)"
Moment = Annotated[str, Field(pattern=f"^({MOMENTS})$")]
Condition = Annotated[str, Field(pattern=rf"^({MOMENTS}|hp<=\d{{1,2}}|tokens>=\d{{1,2}}|scene_clear)$")]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


# ---------------------------------------------------------------------------------------------------- action cards

Fields = dict[str, Any]  # by name: a type, or a type with its default

HERO_EFFECTS: dict[str, Fields] = {  # by `op`, what an effect of a card or a rage ability says besides
    "rage": {"n": Positive},
    "draw": {"n": Positive, "target": Literal["self", "bearer"]},
    "heal": {"n": Positive, "target": Literal["self", "any"]},
    "boost": {"n": Positive, "target": Literal["any", "bearer"]},
    "guard": {"n": Positive, "target": Literal["any"]},
    "ward": {"n": Positive, "target": Literal["any"]},
    "stun": {"reach": Literal["column"]},
    "damage": {"n": Positive, "reach": Literal["column", "any"]},
    "scry": {"n": Annotated[int, Field(ge=1, le=4)]},
    "move": {"target": Literal["self"]},
    "next_attack": {"n": Positive, "target": (Literal["own_pair"] | None, None)},
    "block_boost": {"n": Positive, "target": Literal["own_pair"]},
    "cancel_rune": {},
    "die_to_bonus": {},
}


def one_of(effects: dict[str, Fields]) -> Any:
    """The type of an effect, whose `op` says which fields it has."""
    models: list[Any] = []
    for op, fields in effects.items():
        kinds = {name: kind[0] if isinstance(kind, tuple) else kind for name, kind in fields.items()}
        defaults = {name: kind[1] for name, kind in fields.items() if isinstance(kind, tuple)}
        content = {"__module__": __name__, "__annotations__": {"op": Literal[op], **kinds}, **defaults}
        models.append(type(op, (Part,), content))
    return Annotated[reduce(or_, models), Field(discriminator="op")]


if TYPE_CHECKING:
    HeroEffect = Any
else:
    HeroEffect = one_of(HERO_EFFECTS)


class Option(Part):
    """One way to play a card: an attack or block symbol, a bare number, or a special."""

    symbols: Annotated[list[Literal["melee", "ranged", "block"]], Field(max_length=1)]
    number: Small
    stun: bool
    rage: Small
    special: list[HeroEffect]


class ActionCard(Part):
    id: str
    name: str
    options: Annotated[list[Option], Field(min_length=1, max_length=4)]


class Copies(Part):
    card: str
    copies: Positive


class UpgradeEntry(Copies):
    rune: Rune


class Supply(Part):
    copies: Positive
    number_attack_only: Small = 0
    effect: str = ""


# ---------------------------------------------------------------------------------------------------- heroes


class RageAbility(Part):
    id: str
    name: str
    effects: Annotated[list[HeroEffect], Field(min_length=1)]


class FigureModel(Part):
    id: Literal["kratos", "atreus", "mimir", "freya", "brok", "sindri"]
    name: str
    hp: Positive
    rage_max: Positive
    rage: RageAbility


class Hero(Part):
    id: Literal["kratos", "atreus", "mimir", "freya", "brok_sindri"]
    name: str
    board_double_sided: bool = False
    can_attack: bool
    tokens: list[str] = []
    figures: Annotated[list[FigureModel], Field(min_length=1, max_length=2)]
    deck: list[Copies]


class CompanionAttack(Part):
    type: Strike
    strength: Small
    stun: bool
    targets: Annotated[int, Field(ge=1, le=2)]
    any_column: bool = False


class SkillOption(Part):
    """One alternative of a companion's skill: exactly one of the four kinds."""

    id: str
    attack: CompanionAttack | None = None
    number: Positive | None = None
    block: Positive | None = None
    special: list[HeroEffect] | None = None


class Skill(Part):
    id: str
    owner: str
    options: Annotated[list[SkillOption], Field(min_length=1, max_length=4)]


class Solo(Part):
    hero: Literal["kratos"]  # as printed (§10): the companions are Atreus and Mimir
    hp: Positive
    refresh: str
    uses_per_quest: Literal[1] = 1
    companions: Annotated[list[Skill], Field(min_length=1, max_length=8)]


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


Dirs, Status = list[Literal[-1, 0, 1]], Literal["stun", "poison"]
SCENE_EFFECTS: dict[str, Fields] = {  # by `op`, what an effect of a scene card says besides
    "flip": {"cards": str | list[str]},
    "attack": {"card": str, "type": Strike, "strength": Small, "dirs": (Dirs, []), "effect": (Status | None, None)},
    **{op: {"target": str, "n": Positive} for op in ("damage_enemy", "heal_enemy")},
    **{op: {"target": str} for op in ("stun_enemy", "break_armour")},
    **{op: {"card": str, "n": Positive} for op in ("add_token", "remove_token")},
    **{op: {"scope": Scope, "n": Positive} for op in ("damage_heroes", "heal_heroes", "draw", "rage")},
    "status": {"kind": Status, "scope": Scope, "n": Positive},
    "crystal": {"n": Positive},
    "hand_limit": {"scope": Scope, "n": Annotated[int, Field(ge=-9, le=9)]},
}
if TYPE_CHECKING:
    Effect = Any
else:
    Effect = one_of(SCENE_EFFECTS)


class Flip(Part):
    when: Condition
    cards: Annotated[list[str], Field(min_length=1)]


class Trigger(Part):
    when: Moment
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
