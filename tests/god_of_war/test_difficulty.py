"""Named levels of difficulty change health, strength and rounds; the options of the same kind come on top."""

import numpy as np
import pytest

from theogony.envs.core.game import OptionError
from theogony.envs.god_of_war.game import SPEC
from theogony.envs.god_of_war.state import LEVELS


def test_the_default_is_the_game_as_it_is() -> None:
    game, norns = SPEC.configure({"players": 2}), SPEC.configure({"players": 2, "difficulty": "norns"})
    assert game.tables.tobytes() == norns.tables.tobytes()
    assert game.tables[0].hp.tolist() == [14, 11, 5, 10, 9, 9]
    assert game.tables[0].max_rounds == 100


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_changes_health_strength_and_rounds(name: str) -> None:
    level, plain = LEVELS[name], SPEC.configure({"players": 2}).tables[0]
    t = SPEC.configure({"players": 2, "difficulty": name}).tables[0]
    assert (t.hp - plain.hp == level.hero_hp).all()
    printed = np.flatnonzero(plain.attack_strength).max() + 1  # empty rows follow
    assert (t.attack_strength - plain.attack_strength == level.enemy_strength)[:printed].all()
    assert t.max_rounds == (level.max_rounds or 100)
    boss = plain.bosses[0]
    assert t.enemy_hp[boss].max() == plain.enemy_hp[boss].max() * level.boss_hp // 100


def test_levels_get_harder() -> None:
    story, norns, ragnarok = (LEVELS[name] for name in ("story", "norns", "ragnarok"))
    assert story.hero_hp > norns.hero_hp >= ragnarok.hero_hp
    assert story.enemy_strength <= norns.enemy_strength < ragnarok.enemy_strength
    assert story.boss_hp < norns.boss_hp < ragnarok.boss_hp


def test_options_come_on_top_of_a_level() -> None:
    options = {"players": 2, "difficulty": "ragnarok", "hero_hp": 4, "enemy_strength": -1, "max_rounds": 7}
    t, plain = SPEC.configure(options).tables[0], SPEC.configure({"players": 2}).tables[0]
    assert (t.hp == plain.hp + LEVELS["ragnarok"].hero_hp + 4).all()
    assert (t.attack_strength == plain.attack_strength).all()
    assert t.max_rounds == 7


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(OptionError, match="difficulty"):
        SPEC.configure({"players": 2, "difficulty": "hard"})
