"""The state record, the kinds of decision, the phases and the options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args

import numpy as np

from theogony.envs.core.game import PackOptions
from theogony.envs.core.record import header, record_dtype
from theogony.envs.core.untrusted.models import Field, model_validator
from theogony.envs.god_of_war.codes import DEPTH, NONE, ROLLS, TOLD_WIDTH, WIDTH
from theogony.envs.god_of_war.components.pieces import COLUMNS, DEFAULT_COMPONENTS, FIGURES, HEROES, SLOTS, STATUS

SEATS = 4
REVEALED = 16  # upgrade cards beside the scene
HAND_LIMIT = 7
STEPS = 5_000  # frames that one decision may run through: more is a loop of a component file, reported as a cut-off

# kinds of decision
DECISIONS = (
    "hero", "place", "bearer", "turn", "mimir", "target", "figure", "pay", "step", "set", "attack_window", "die",
    "reveal_window", "end_window", "ranged_target", "shield", "block", "block_window", "poison", "chosen", "scry",
    "upgrade", "next_quest", "next_boss",
)  # fmt: skip
(
    HERO, PLACE, BEARER, TURN, MIMIR_TURN, TARGET, FIGURE, PAY, STEP, SET, ATTACK_WINDOW, DIE,
    REVEAL_WINDOW, END_WINDOW, RANGED_TARGET, SHIELD, BLOCK, BLOCK_WINDOW, POISON, CHOSEN, SCRY,
    UPGRADE, NEXT_QUEST, NEXT_BOSS,
) = range(len(DECISIONS))  # fmt: skip

PHASES = (
    "heroes", "placement", "hindrance", "preparation", "hero_activation", "scene_activation", "extra_activation",
    "round_end", "upgrade", "choice", "over",
)  # fmt: skip
(
    IN_HEROES, IN_PLACEMENT, IN_HINDRANCE, IN_PREPARATION, IN_HERO_ACTIVATION, IN_SCENE_ACTIVATION,
    IN_EXTRA_ACTIVATION, IN_ROUND_END, IN_UPGRADE, IN_CHOICE, IS_OVER,
) = range(len(PHASES))  # fmt: skip

REASONS = ("", "boss defeated", "scene completed", "all heroes knocked out", "quest failed", "round limit", "loop")
BOSS_DEFEATED, SCENE_COMPLETED, ALL_OUT, QUEST_FAILED, ROUND_LIMIT, LOOP = range(1, 7)

SceneName = Literal[
    "wanderers", "ogre", "alfheim", "helheim", "grendels", "thamur", "baldur", "magni_modi", "hraezlyr", "sigrun"
]
HeroName = Literal["kratos", "atreus", "mimir", "freya", "brok_sindri"]
SCENES = get_args(SceneName)
BOSSES_FROM = 6  # the first six are quests


class Level(NamedTuple):
    """What a named difficulty changes; the options of the same names come on top of it."""

    hero_hp: int  # added to the health of every figure
    enemy_strength: int  # added to the strength of every enemy attack
    boss_hp: int  # health of the enemies of boss scenes, in percent
    max_rounds: int  # rounds after which a game is truncated at the latest; 0: as the option says


LEVELS = {
    "story": Level(hero_hp=3, enemy_strength=0, boss_hp=80, max_rounds=0),
    "norns": Level(hero_hp=0, enemy_strength=0, boss_hp=100, max_rounds=0),  # the pieces as they are
    "ragnarok": Level(hero_hp=0, enemy_strength=1, boss_hp=120, max_rounds=60),
}


class Options(PackOptions):
    """Options of God of War."""

    players: int = 2
    max_decisions: int = Field(
        default=10_000, ge=0, description="number of decisions after which a game is truncated; 0: never"
    )
    max_rounds: Annotated[int, Field(ge=0, le=30_000)] = Field(
        default=100, description="number of rounds after which a game is truncated; 0: never"
    )
    heroes: tuple[HeroName, ...] = Field(default=(), description="hero of each seat; empty: drawn from the seed")
    hero_choice: Literal["dealt", "choose"] = Field(
        default="dealt", description="without `heroes`: dealt from the seed, or chosen by the players"
    )
    scene: SceneName | None = Field(default=None, description="play one scene only, a shorter task")
    hindrances: tuple[SceneName, ...] = Field(default=(), description="single scene: quests or bosses passed over")
    upgrades: Annotated[int, Field(ge=0, le=9)] = Field(
        default=0, description="upgrade cards drawn into each starting deck"
    )
    path: tuple[SceneName, ...] = Field(
        default=(), description="first quest, second quest and boss; empty: drawn and chosen by the players"
    )
    first_quest: SceneName | None = Field(
        default=None, description="the first quest alone; the others are drawn and chosen by the players"
    )
    difficulty: Literal["story", "norns", "ragnarok"] = Field(
        default="norns", description="named level; hero_hp, enemy_strength and boss_hp come on top of it"
    )
    hero_hp: Annotated[int, Field(ge=-5, le=99)] = Field(
        default=0, description="added to the health of every figure, which must outlast the damage a scene begins with"
    )
    enemy_strength: Annotated[int, Field(ge=-9, le=9)] = Field(
        default=0, description="added to the strength of every enemy attack"
    )
    boss_hp: Annotated[int, Field(ge=10, le=500)] = Field(
        default=100, description="health of the enemies of boss scenes, and what cards say of it, in percent"
    )
    component_file: Path = Field(default=DEFAULT_COMPONENTS, description="JSON file with other components")

    @model_validator(mode="after")
    def _fits(self) -> Options:
        if self.heroes and len(self.heroes) != self.players:
            raise ValueError(f"{len(self.heroes)} heroes are named for {self.players} players")
        if len(set(self.heroes)) != len(self.heroes):
            raise ValueError("every player takes a different hero")
        if self.players == 1 and self.heroes not in ((), ("kratos",)):
            raise ValueError(
                f"{self.heroes[0]} cannot play alone: one player is Kratos with Atreus and Mimir as companions; "
                'expected heroes=("kratos",), or none'
            )
        if self.path and self.scene:
            raise ValueError("a path is for full games, a scene for a single one: give one of them")
        if self.heroes and self.hero_choice == "choose":
            raise ValueError("heroes that are given are not chosen: leave heroes or hero_choice out")
        if self.first_quest and (self.path or self.scene):
            raise ValueError("first_quest is for full games without a path: give only one of first_quest, path, scene")
        if self.first_quest and SCENES.index(self.first_quest) >= BOSSES_FROM:
            raise ValueError(
                f"first_quest is one of {', '.join(SCENES[:BOSSES_FROM])}, not the boss {self.first_quest}"
            )
        if self.hindrances and not self.scene:
            raise ValueError("hindrances are chosen only for a single scene: give one with scene=...")
        if (
            len(set(self.hindrances)) != len(self.hindrances)
            or self.scene in self.hindrances
            or len(self.hindrances) > 4
        ):
            raise ValueError("hindrances are up to four different scenes, none of them the one that is played")
        if self.path:
            kinds = [SCENES.index(name) >= BOSSES_FROM for name in self.path]
            if kinds != [False, False, True] or self.path[0] == self.path[1]:
                raise ValueError("a path is two different quests and a boss")
        return self


def settings(options: Options) -> dict[str, Any]:
    """The values of the tables that options decide."""
    scenes = [SCENES.index(name) for name in (*options.path, *options.hindrances)]
    path, hindered = scenes[: len(options.path)], scenes[len(options.path) :]
    heroes = [HEROES.index(name) for name in options.heroes]
    level = LEVELS[options.difficulty]
    return {
        "players": options.players,
        "max_decisions": options.max_decisions,
        "max_rounds": min(filter(None, (options.max_rounds, level.max_rounds)), default=0),
        "heroes": heroes + [NONE] * (4 - len(heroes)),
        "path": path or [NONE if options.first_quest is None else SCENES.index(options.first_quest), NONE, NONE],
        "chosen_heroes": options.hero_choice == "choose" and options.players > 1,
        "single": NONE if options.scene is None else SCENES.index(options.scene),
        "hindered": hindered + [NONE] * (4 - len(hindered)),
        "upgrades": options.upgrades,
        "hero_hp": options.hero_hp + level.hero_hp,
        "enemy_strength": options.enemy_strength + level.enemy_strength,
        "boss_hp": options.boss_hp * level.boss_hp // 100,
    }


FLAG, SMALL, COUNT = (0, 1), (0, 2**7 - 1), (0, 2**15 - 1)


def state_fields(t: Any, upgrades: int, deck: int) -> tuple[tuple[Any, ...], ...]:
    """The fields of the state for so many upgrade cards and cards of the largest deck: name, type, lowest and highest
    value of each number (-1 is nothing; None: any that its type holds) and shape."""
    figures, designs = len(FIGURES), len(t.pays)
    seat, figure, scene, slot = ((NONE, count - 1) for count in (SEATS, figures, len(SCENES), SLOTS))
    design, upgrade, play = ((NONE, count - 1) for count in (designs, len(t.upgrade_design), len(t.play_design)))
    return (
        ("phase", "i1", (0, len(PHASES) - 1)),
        ("stage", "i1", (0, 3)),  # 1 first quest, 2 second quest, 3 boss
        ("reason", "i1", (0, len(REASONS) - 1)),  # why the game is over
        ("round_number", "i2", COUNT),
        ("starting_player", "i1", seat),
        ("active", "i1", seat),  # seat whose turn it is, as the rules say it
        ("scenario", "i1", scene),  # quest or boss of the scene
        ("quests", "i1", scene, (3,)),  # the triangle: first quest, then the two of the middle row
        ("bosses", "i1", scene, (3,)),
        ("hindrances", "i1", scene, (4,)),  # scenarios whose hindrances apply
        ("passed_over", "i1", scene, (4,)),
        ("heroes", "i1", (NONE, len(HEROES) - 1), (SEATS,)),  # hero of each seat
        ("seat_of", "i1", seat, (figures,)),  # seat of each figure, -1 not in the game
        ("damage", "i2", COUNT, (figures,)),
        ("rage", "i1", SMALL, (figures,)),
        ("standing", "i1", FLAG, (figures,)),
        ("wards", "i1", SMALL, (figures,)),
        ("column", "i1", (NONE, COLUMNS - 1), (figures,)),  # -1: not in the scene
        ("columns", "i1", figure, (COLUMNS, 2)),  # figure in front and behind
        ("moved", "i1", FLAG, (figures,)),  # in this hero activation
        ("bearer", "i1", figure),  # figure that carries Mimir
        ("hand", "i1", SMALL, (SEATS, designs)),  # copies of each design
        ("discard", "i1", SMALL, (SEATS, designs)),
        ("in_play", "i1", SMALL, (SEATS, designs)),  # cards of a set or special not yet discarded
        ("deck", "i1", design, (SEATS, deck)),  # designs, the top card last
        ("deck_cards", "i2", (0, deck), (SEATS,)),
        ("deck_known", "i2", (0, deck), (SEATS,)),  # number of cards on top that are known to all
        ("hand_limit", "i1", None, (SEATS,)),
        ("limit_won", "i1", None, (SEATS,)),  # hand-limit tokens for the rest of the game
        ("limit_scene", "i1", None, (SEATS,)),  # and for this scene
        ("next_attack", "i2", COUNT, (SEATS,)),  # strength that waits for the next attack
        ("next_damage", "i2", COUNT, (SEATS,)),  # damage that waits for the next attack, after the die
        ("supply", "i1", SMALL, (len(STATUS),)),
        ("box", "i1", SMALL, (designs,)),
        ("upgrade", "i1", upgrade, (upgrades + 1,)),  # the upgrade deck, the top card last
        ("upgrade_cards", "i2", (0, upgrades)),  # one place is spare
        ("upgrade_known", "u1", (0, (1 << SEATS) - 1), (upgrades + 1,)),  # seats that know this card, as bits
        ("revealed", "i1", upgrade, (REVEALED,)),
        ("revealed_cards", "i1", (0, REVEALED)),
        ("cancel_rune", "i1", FLAG),  # the next reveal triggers nothing
        ("skills_used", "i1", SMALL, (8,)),
        ("side", "i1", FLAG, (SLOTS,)),  # visible side of each scene card
        ("hurt", "i2", COUNT, (SLOTS,)),  # damage on it
        ("armour", "i1", (0, (1 << 4) - 1), (SLOTS,)),  # intact armour markers, as bits, the highest first
        ("stunned", "i1", FLAG, (SLOTS,)),
        ("skipping", "i1", FLAG, (SLOTS,)),  # the enemy it carries makes no attack in this scene activation
        ("dead", "i1", FLAG, (SLOTS,)),
        ("tokens", "i1", SMALL, (SLOTS,)),
        ("turnings", "i2", COUNT),  # how often cards were turned over in this scene
        ("turned_at", "i2", COUNT, (SLOTS,)),  # and at which of them each card was, last
        ("set_play", "i1", play),  # the set that is open: play of its symbol card
        ("set_strength", "i2", None),
        ("attacker", "i1", figure),  # a hero's attack: figure, card hit, boosts
        ("aim", "i1", slot),
        ("boost", "i2", None),
        ("enemy_slot", "i1", slot),  # an enemy's attack: card, card that carries the enemy, type, strength, status card
        ("enemy_owner", "i1", slot),  # NONE once it is defeated
        ("enemy_ranged", "i1", FLAG),
        ("enemy_strength", "i2", None),
        ("enemy_status", "i1", (NONE, len(STATUS) - 1)),
        ("attacked", "i1", figure),  # figure that is attacked
        ("victim", "i1", figure),  # figure that takes the damage
        ("blocked", "i2", None),  # how much of it
        ("block_sets", "i1", SMALL),  # that were played
        ("drew", "i1", FLAG),  # the attacked player drew a card in the window
        ("agenda", "i2", None, (DEPTH, WIDTH)),  # what a number of a frame means depends on its kind
        ("depth", "i1", (0, DEPTH)),
        ("told", "i2", None, (ROLLS, TOLD_WIDTH)),  # attacks with a die in the last decision, as `rules/attack.py` says
    )  # fmt: skip


def state_dtype(t: Any, upgrades: int, deck: int) -> np.dtype:
    """The state record."""
    return record_dtype(*header(), *((name, kind, *shape) for name, kind, _, *shape in state_fields(t, upgrades, deck)))
