"""Why the team stands where it does."""

import json
from typing import Any

from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF, ENDED
from theogony.envs.god_of_war.breakdown import breakdown
from theogony.envs.god_of_war.game import SPEC
from theogony.envs.god_of_war.state import ALL_OUT, BOSS_DEFEATED, SCENES


def reasons(position: Position) -> list[dict[str, Any]]:
    """The breakdown, after a way through JSON."""
    found = breakdown(position.game, position.g)
    assert json.loads(json.dumps(found)) == found
    return found


def full_game() -> Position:
    """A full game of two heroes in its first scene."""
    return Position(SPEC.configure({"heroes": ("freya", "brok_sindri"), "path": ("ogre", "helheim", "baldur")}), 4)


def test_a_fresh_scene_needs_all_its_damage() -> None:
    freya, pair = reasons(full_game())
    assert (freya["scene"], freya["scenes_done"], freya["scenes"], freya["reason"]) == ("ogre", 0, 3, None)
    assert freya["damage_left"] == freya["damage_needed"] > 20 and freya["progress"] == 0.0
    assert pair["health"] == {"brok": 9, "sindri": 9} and pair["knocked_out"] == []


def test_damage_and_knock_outs_are_counted() -> None:
    position = full_game()
    before = reasons(position)[0]
    position.g.hurt[0] += 2  # the Draugr Heavy, one of the enemies that count
    position.g.standing[5] = 0
    position.g.damage[3] = 3
    freya, pair = reasons(position)
    assert freya["damage_left"] == before["damage_left"] - 2 and freya["progress"] > 0.0
    assert freya["health"]["freya"] == before["health"]["freya"] - 3
    assert pair["health"] == {"brok": 9, "sindri": 0} and pair["knocked_out"] == ["sindri"]


def test_victory_defeat_and_limit() -> None:
    position = full_game()
    g = position.g
    g.stage, g.over, g.reason = 3, ENDED, BOSS_DEFEATED
    g.scenario = SCENES.index("baldur")
    won = reasons(position)
    assert all((seat["victory"], seat["scenes_done"], seat["damage_left"], seat["progress"]) == (True, 3, 0.0, 1.0)
               for seat in won)  # fmt: skip
    assert [seat["score"] for seat in won] == position.scores().tolist()
    g.reason = ALL_OUT
    lost = reasons(position)[0]
    assert (lost["victory"], lost["scenes_done"], lost["reason"]) == (False, 2, "all heroes knocked out")
    assert [seat["score"] for seat in reasons(position)] == position.scores().tolist()
    g.over, g.reason = CUT_OFF, 0
    assert reasons(position)[0]["reason"] == "decision limit"
