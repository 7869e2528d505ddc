"""The vocabulary of component files: action cards, heroes, companions."""

from __future__ import annotations

from typing import Annotated, Literal

from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field

Small = Annotated[int, Field(ge=0, le=99)]
Positive = Annotated[int, Field(ge=1, le=99)]
Rune = Literal["gebo", "fehu", "tiwaz", "algiz"]
Strike = Literal["melee", "ranged"]
Scope = Literal["acting", "column", "front", "all", "chosen"]
Condition = Annotated[
    str,
    Field(
        pattern=r"^(defeated|armour_broken|attacked:(melee|ranged)|rune:(gebo|fehu|tiwaz|algiz)|hp<=\d{1,2}|tokens>=\d{1,2}|scene_clear)$"
    ),
]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


# ---------------------------------------------------------------------------------------------------- action cards


class RageGain(Part):
    op: Literal["rage"]
    n: Positive


class Draw(Part):
    op: Literal["draw"]
    n: Positive
    target: Literal["self", "bearer"]


class Heal(Part):
    op: Literal["heal"]
    n: Positive
    target: Literal["self", "any"]


class Boost(Part):
    op: Literal["boost"]
    n: Positive
    target: Literal["any", "bearer"]


class Guard(Part):
    op: Literal["guard", "ward"]
    n: Positive
    target: Literal["any"]


class StunOne(Part):
    op: Literal["stun"]
    reach: Literal["column"]


class Damage(Part):
    op: Literal["damage"]
    n: Positive
    reach: Literal["column", "any"]


class Scry(Part):
    op: Literal["scry"]
    n: Annotated[int, Field(ge=1, le=4)]


class ExtraMove(Part):
    op: Literal["move"]
    target: Literal["self"]


class NextAttack(Part):
    op: Literal["next_attack"]
    n: Positive
    target: Literal["own_pair"] | None = None


class BlockBoost(Part):
    op: Literal["block_boost"]
    n: Positive
    target: Literal["own_pair"]


class Plain(Part):
    op: Literal["cancel_rune", "die_to_bonus"]


HeroEffect = Annotated[
    RageGain | Draw | Heal | Boost | Guard | StunOne | Damage | Scry | ExtraMove | NextAttack | BlockBoost | Plain,
    Field(discriminator="op"),
]


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
