"""The pictures of all cards and scenes: what they say stands on them in full, whatever is dealt."""

from __future__ import annotations

import itertools
import re

import pytest
from pictures import faults

from theogony.envs import load
from theogony.envs.core.draw.style import page
from theogony.envs.core.draw.svg import group
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.envs.god_of_war.render.seats import action_card, mini_card, seat_area
from theogony.envs.god_of_war.render.words import hero_name
from theogony.envs.god_of_war.snapshot import snapshot
from theogony.envs.god_of_war.state import SCENES


@pytest.fixture(scope="module")
def game() -> Game:
    return load("god_of_war").configure({"players": 2})


def test_every_card_is_read_in_full(game: Game) -> None:
    designs = [*game.components["action_cards"], "stun", "poison"]
    for design, (copies, rune) in itertools.product(designs, ((1, None), (4, None), (1, "gebo"))):
        assert faults(page("", "", 400, group(action_card(game, design, copies, rune), x=100, y=200))) == [], design
        assert faults(page("", "", 400, group(mini_card(game, design, copies), x=100, y=200))) == [], design


@pytest.mark.parametrize(("hand", "beside"), [(5, True), (6, False)])
def test_cards_in_play_lie_beside_the_hand_where_it_has_room(game: Game, hand: int, beside: bool) -> None:
    position, designs = Position(game, 3), list(game.components["action_cards"])
    found = snapshot(game, position.g)
    player = found["players"][0] | {"hand": designs[:hand], "in_play": designs[7:8]}
    area, _ = seat_area(game, position.g, player, found, 0)
    drawn = re.findall(r'translate\(([\d.]+) ([\d.]+)\)"[^>]*>\s*<g [^>]*data-place="(hand|played) 0', area)
    places = [(kind, float(x), float(y)) for x, y, kind in drawn]
    [(_, x, y)] = [one for one in places if one[0] == "played"]
    assert len(places) == hand + 1 and (y == places[0][2]) == beside
    assert not beside or x > max(one[1] for one in places if one[0] == "hand")


@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_is_read_in_full(scene: str) -> None:
    """Both sides of its cards."""
    position = Position(load("god_of_war").configure({"players": 2, "scene": scene}), 3)
    while not position.over and not (position.g.columns >= 0).any():
        position.play(int(position.legal_actions()[0]))
    for side in (0, 1):
        position.g.side[:] = side
        assert faults(position.svg("all")) == [], side


def test_the_line_above_the_scene_is_never_empty(game: Game) -> None:
    """It says who is to act while nothing is open, so that the board below stays where it is."""
    position = Position(game, 3)
    seen = set()
    for _ in range(80):
        if position.over:
            break
        picture = position.svg(0)
        if (position.g.columns >= 0).any():
            calm = len(re.findall(" (?:is|are) to act", picture))
            seen.add(calm)
            assert calm in (0, 2)  # in the headline of the picture, and in that line
        position.play(int(position.legal_actions()[-1]))
    assert seen == {0, 2}


def test_heroes_and_figures_are_called_as_the_components_say(game: Game) -> None:
    for hero in game.components["heroes"]:
        assert hero_name(game, hero["id"]) == hero["name"]
        assert [hero_name(game, one["id"]) for one in hero["figures"]] == [one["name"] for one in hero["figures"]]
