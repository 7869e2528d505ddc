"""Text and picture."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pictures import places_of

from theogony.envs.core.draw.svg import rasterise
from theogony.envs.core.position import Position
from theogony.envs.orbis.actions import CELL_NAMES, SLOT_NAMES
from theogony.envs.orbis.breakdown import account
from theogony.envs.orbis.game import SPEC
from theogony.envs.orbis.render import render_svg, render_text
from theogony.envs.orbis.render.text import BOX
from theogony.envs.orbis.state import DESTROY, GIVE, NONE, PAY
from theogony.envs.orbis.vocabulary import effect_words


def without_room(text: str) -> str:
    """In small letters, and without the room that a page has for the name of another seat."""
    return re.sub(r' data-room="\d+"', "", text.lower())


@pytest.mark.parametrize("draw", [render_text, render_svg])
def test_all_see_the_same_and_not_the_piles(draw: Callable, table: Callable) -> None:
    game = table(3, seed=3).play("take tile from b2")
    drawn = {viewer: draw(game.game, game.g, viewer) for viewer in (None, 0, 1, 2, "all")}
    shown = {
        re.sub(r"\byou\b", f"player {who + 1}" if isinstance(who, int) else "", without_room(text))
        for who, text in drawn.items()
    }
    assert len(shown) == 1
    game.position.resample(0, np.array([3], np.uint64))
    assert {without_room(draw(game.game, game.g, None))} == shown
    with pytest.raises(ValueError, match="a viewer is a seat from 0 to 2, 'all' or None"):
        draw(game.game, game.g, 3)


def test_text_of_a_position(table: Callable) -> None:
    game = table().display("B2-1 Y3-4").lying(p1="2 white 1 red").offer("god_of_death", "god_of_the_sea")
    game.universe("R2-1+ ~W1-1 W1-4", "_ R2-2x").god("goddess_of_fire").realm("2 red")
    lines = render_text(game.game, game.g).splitlines()
    assert lines[0] == "Orbis, round 1 of 15, player 1 chooses a tile or a god"
    assert lines[1].startswith("(w white")
    assert lines[4].startswith("| a1 B2-1 blue, gb*       | b1 Y3-4 yellow, wb      |")
    assert "lying: wwr" in lines[7]
    assert "gods on offer: god of death (3 points if 6 worshippers are discarded at once); god of the sea" in "\n".join(
        lines
    )
    at = next(k for k, line in enumerate(lines) if line.startswith("* player 1"))
    assert lines[at:][:5] == [
        "* player 1: 5 points = volcano 2, holy stone 1, 1 wilderness -1, goddess of fire 3",
        "  worshippers: 2 red",
        "  god: goddess of fire; farms: none; temples: 0",
        "  2        a2   [R2-2× ]",
        "  1 [R2-1+ ][ ~~~~ ][ W1-4 ]",
    ]


def labels(drawn: str) -> list[str]:
    """What is written in a picture, titles apart."""
    return [str(node.text) for node in ET.fromstring(drawn).iter() if node.tag.endswith("text")]


def test_places_of_the_display_bear_the_names_of_the_actions(table: Callable) -> None:
    game = table(2, seed=1)
    names = [text.removeprefix("tile from ") for text in game.legal("take") if text.startswith("tile")]
    assert len(names) == 9
    assert [label for label in labels(render_svg(game.game, game.g)) if label in names] == names
    drawn = render_text(game.game, game.g)
    for name, tile in zip(names, game.g.display, strict=True):
        assert f"| {name} {game.name(int(tile))} " in drawn
    game.play(f"take tile from {names[5]}")
    assert f"| {names[5]} taken " in render_text(game.game, game.g)


@pytest.mark.parametrize(
    "universe",
    [
        (),
        ("W1-1",),
        ("W1-1 W1-2 R1-1", "_ R2-2x"),
        ("W1-1 W1-2 R1-1 R1-2 R1-3", "~Y1-1 ~Y1-2 ~Y1-3", "~G1-1"),
    ],
)
def test_places_of_a_pyramid_bear_the_names_of_the_actions(universe: tuple[str, ...], table: Callable) -> None:
    """In the picture all, in the text those above the bottom row, wherever a wilderness may be placed."""
    game = table().universe(*universe).display("B1-1").play("take tile from a1", "wilderness")
    slots = set(game.legal("place"))
    drawn = {name.removeprefix("seat 0 ") for name in places_of(render_svg(game.game, game.g))}
    assert drawn & {*SLOT_NAMES, *CELL_NAMES} == slots
    pyramid = render_text(game.game, game.g).partition("* player 1")[2].partition("  player 2")[0]
    rows = {line.split()[0]: line.split()[1:] for line in pyramid.splitlines()[3:] if line}
    shown = {word: row for row, words in rows.items() for word in words if word in CELL_NAMES}
    assert set(shown) == {slot for slot in slots if "bottom" not in slot}
    assert all(name[1] == row for name, row in shown.items())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_picture(players: int, table: Callable, finish: Callable) -> None:
    game = table(players, seed=players)
    for position in (game.position, finish(game.position)):
        drawn = render_svg(position.game, position.g)
        tree = ET.fromstring(drawn)
        pixels = rasterise(drawn)
        assert pixels.shape == (round(float(tree.get("height", 0))), round(float(tree.get("width", 0))), 3)
        tiles = re.findall(r"<title>(?:wilderness \()?([WYGBR]\d-\d)", drawn)
        g = position.g
        lie = [int(tile) for tile in (*g.display, *g.tiles.flat) if tile != NONE]
        assert sorted(tiles) == sorted(position.game.components["regions"][tile]["id"] for tile in lie)
    assert "win" in drawn


def test_result_in_words(table: Callable, finish: Callable) -> None:
    position = finish(table(2, seed=1).position)
    g = position.g
    g.cp[:2], g.god[:2], g.icons[:2], g.wild[:2], g.forests[:2] = 5, 0, 0, 0, 0
    g.realm[:2] = [[1, 0, 0, 0, 0], [0, 0, 0, 0, 2]]
    assert "player 2 wins, by worshippers left" in render_text(position.game, g)
    assert account(position.game, g).decided == "Equal points: worshippers that are left decide."
    g.realm[0, 0] = 2
    assert "player 1 and player 2 share the win" in render_text(position.game, g)
    assert account(position.game, g).decided == "Equal points and worshippers left: the win is shared."
    g.cp[0] = 6
    assert "round 15 of 15, player 1 wins\n" in render_text(position.game, g)


ASKED = [
    ({"type": "farm", "waives": "green"}, "farm: no green to pay from then on", "farm: no green to pay"),
    ({"type": "village", "discard": 2}, "village: with 2 worshippers discarded", "village: discard 2"),
    (
        {"type": "volcano", "destroy": {"any": 3}},
        "volcano: with 3 of any colour destroyed on the display",
        "volcano: destroy 3 any",
    ),
    ({"type": "irrigation", "below": ["green"]}, "irrigation: with 1 green directly below", "irrigation: g below"),
    (
        {"type": "forest", "count": 2, "neighbour_colour": "blue"},
        "forest: with at least 2 blue neighbours",
        "forest: bb around",
    ),
    (
        {"type": "forest", "count": 6, "neighbour_colour": "any"},
        "forest: with at least 6 neighbours",
        "forest: 6 around",
    ),
]


@pytest.mark.parametrize(("effect", "long", "short"), ASKED)
def test_an_effect_says_what_its_points_ask_for(effect: dict[str, Any], long: str, short: str) -> None:
    """§5: the colour that a tile shows is meant, not its own."""
    assert effect_words(effect) == long
    assert effect_words(effect, short=True) == short


@pytest.mark.parametrize("components", ["printed", "random:0", "random:7"])
def test_short_effects_fit_their_boxes(components: str) -> None:
    game = SPEC.configure({"players": 4, "components": components})
    for tile in game.components["regions"]:
        assert len(effect_words(tile["effect"], short=True)) <= BOX - 3


def test_the_question_before_a_discard_is_right_for_the_god_of_death_too() -> None:
    words = SPEC.configure().vocabulary
    assert "god" in words["phase", str(GIVE)].does and "god" in words["first game", str(GIVE)].does


def test_a_text_tells_what_the_tiles_of_a_pyramid_still_count_for() -> None:
    """Forests are checked at the end, and mythology values break ties: a tile is called by its name alone there."""
    rng, forests = np.random.default_rng(3), 0
    for seed in range(3):
        position = Position(SPEC.configure({"players": 3}), seed)
        while not position.over:
            position.play(int(rng.choice(position.legal_actions())))
        game, g = position.game, position.g
        for owner, part in enumerate(re.split(r"^  player \d", render_text(game, g, None), flags=re.M)[1:]):
            laid = [(cell, int(tile)) for cell, tile in enumerate(g.tiles[owner]) if tile >= 0]
            up = [game.components["regions"][tile] for cell, tile in laid if not int(g.wild[owner]) >> cell & 1]
            named = [tile["id"] for tile in up if tile["effect"]["type"] == "forest"]
            assert re.findall(r"(\S+) \(forest: .+? around, \d points?\)", part) == named
            values = re.search(r"mythology: (.*)", part)
            assert sorted(map(int, values[1].split(", ")) if values else []) == sorted(
                tile["mythology"] for tile in up if tile["mythology"]
            )
            forests += len(named)
    assert forests


def test_very_many_worshippers_on_a_tile_are_counted_and_not_cut_off() -> None:
    position = Position(SPEC.configure(), 1)
    position.g.lying[4] = (12, 9, 0, 8, 10)
    assert "lying: 12w9y8b10r" in render_text(position.game, position.g, None)
    position.g.lying[4] = (9, 8, 0, 0, 0)
    assert "lying: 9 w 8 y" in render_text(position.game, position.g, None)
    position.g.lying[4] = (2, 0, 1, 0, 0)
    assert "lying: wwg" in render_text(position.game, position.g, None)


def test_a_text_tells_what_is_still_due(table: Callable) -> None:
    """How many, and of which colours: of a decision that is taken one by one the seat must see how it goes on."""

    def due(game: Any) -> str:
        return "".join(line for line in render_text(game.game, game.g, 0).splitlines() if line.startswith("still"))

    game = table().display("Y1-4").realm("3 white 1 red").play("take tile from a1")
    assert due(game) == ""
    assert due(game.play("face up")) == "still to pay: 2 of any colour"
    assert due(game.play("pay red")) == "still to pay: 1 of any colour"
    game = table().display("R2-4").realm("3 white 3 red").lying(p4="2 white 3 green")
    game.play("take tile from a1", "face up", "pay white", "place bottom right")
    assert due(game) == "still to destroy: 1 white + 2 green"
    assert due(game.play("destroy green from b2")) == "still to destroy: 1 white + 1 green"
    game = table().offer("god_of_death").realm("7 white").play("take god of death")
    assert due(game) == "still to discard: 6 of any colour"
    game = table().offer("goddess_of_love").realm("6 white 3 red").play("take goddess of love")
    assert due(game) == "still to gain: 5 of any colour"
    assert due(game.play(*["gain red"] * 5)) == "still to discard: 4 of any colour"


def test_declining_and_ending_a_turn_are_offered_as_the_words_say() -> None:
    """Declining before the first worshipper only; ending a turn only while three of a colour could be exchanged."""
    game, seen = SPEC.configure({"players": 2}), set()
    decline, end = game.actions.parse("decline"), game.actions.parse("end turn")
    for seed in range(12):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over:
            g, legal = position.g, [int(action) for action in position.legal_actions()]
            if g.decision in (GIVE, DESTROY):
                assert (decline in legal) == (g.begun == 0)
                seen.add(("decline", int(g.begun)))
            if end in legal:
                assert g.realm[int(g.actor)].max() >= 3 and g.begun == 0
                seen.add("end")
            position.play(int(rng.choice(legal)))
    assert len(seen) >= 2


def test_a_text_says_why_a_tile_cannot_be_kept_face_up() -> None:
    game, found = SPEC.configure({"players": 2}), set()
    for seed in range(20):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over:
            if position.g.decision == PAY:
                text, legal = render_text(game, position.g, 0), position.legal_actions()
                said = re.search(r"; not face up: (it cannot be paid|no place where \w+ may lie)$", text, re.MULTILINE)
                assert (said is None) == (game.actions.parse("face up") in legal)
                found |= {said[1][:2]} if said else set()
            position.play(int(rng.choice(position.legal_actions())))
    assert found == {"it", "no"}
