"""Text and picture: what is public, what a seat may see, and that it is drawn."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

import numpy as np
import pytest

from theogony.envs.core.draw.svg import rasterise
from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.breakdown import account
from theogony.envs.push_of_faith.render import render_svg, render_text
from theogony.envs.push_of_faith.render.svg import FACES, STANDS_HERE
from theogony.envs.push_of_faith.render.text import tile_text

DRAWERS = [render_text, render_svg]


def shown(draw: Callable, position: Position, viewer: int | str | None) -> str:
    return draw(position.game, position.g, viewer)


@pytest.mark.parametrize("draw", DRAWERS)
def test_nothing_hidden_is_shown(draw: Callable, new: Callable, play: Callable) -> None:
    """Redraw what a viewer cannot know, and nothing that is drawn for them changes (rules §8)."""
    position = play(new(4, seed=3), 5)
    rng = np.array([7], np.uint64)
    for viewer in (0, 1, 2, 3):
        before, public, everything = (shown(draw, position, v) for v in (viewer, None, "all"))
        for _ in range(20):
            position.resample(viewer, rng)
            assert shown(draw, position, viewer) == before
            assert shown(draw, position, None) == public
            if shown(draw, position, "all") != everything:
                break
        else:
            pytest.fail("there is nothing hidden to redraw, or 'all' does not show it")


def test_tokens(new: Callable) -> None:
    position = new(3)
    position.g.tokens[:3], position.g.spent[:3] = [2, 4, 0], [0, 1, 0]
    tokens = [re.findall(r"token (\w+(?: \(spent\))?)", shown(render_text, position, v)) for v in (None, 0, 2, "all")]
    assert tokens[0] == ["hidden", "desert (spent)", "hidden"]
    assert tokens[1] == ["mountain", "desert (spent)", "hidden"]
    assert tokens[2] == ["hidden", "desert (spent)", "plains"]
    assert tokens[3] == ["mountain", "desert (spent)", "plains"]


@pytest.mark.parametrize("draw", DRAWERS)
@pytest.mark.parametrize("viewer", [2, -1, "everything"])
def test_unknown_viewer(draw: Callable, viewer: int | str, new: Callable) -> None:
    with pytest.raises(ValueError, match="a viewer is a seat from 0 to 1, 'all' or None"):
        shown(draw, new(2), viewer)


def test_text_of_a_position(new: Callable) -> None:
    """The worked example of the rules (§9): the north marker moves to column 2."""
    position = new(2)
    g = position.g
    g.map[:] = [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    position.refresh()
    position.play(position.game.actions.parse("push N to c"))
    text = shown(render_text, position, None)
    assert "turn 1 of 18, player 1 places the tile in hand" in text
    drawn = [line[:22].rstrip() for line in text.split("\n")[3:18]]
    assert drawn[0] == "Neutral Map" and drawn[2] == "                v"
    assert [line[4:] for line in drawn[4:6]] == ["|pp F|pp M|hole|", "|fw  |mf  |    |"]
    assert "    +----+" in text and "c3" not in text


def pushes(position: Position, side: str) -> list[str]:
    """The names of the lines that a marker of a side can be moved to, from any place it may stand at."""
    actions = (position.game.actions.decode(action) for action in range(position.game.actions.size))
    return [str(arguments[0])[-1] for kind, arguments in actions if kind == "push" and str(arguments[0])[0] == side]


def test_lines_of_the_map_bear_the_names_of_the_actions(new: Callable) -> None:
    """In the text they head columns and rows, in the picture they stand along all four sides."""
    position = new(2)
    lines = shown(render_text, position, None).split("\n")
    assert lines[4][:22].split() == pushes(position, "N") == pushes(position, "S") == ["a", "b", "c"]
    rows = [line[0] for line in lines[6:20] if line[:1].strip()]
    assert rows[:3] == pushes(position, "W") == pushes(position, "E") == ["1", "2", "3"]
    found = {}
    for place in ET.fromstring(shown(render_svg, position, None)).iter():
        if (name := place.get("data-place", "")).startswith("push "):
            found[name] = next(str(node.text) for node in place.iter() if node.tag.endswith("text"))
    assert found == {f"push {side} to {name}": name for side in "NSEW" for name in pushes(position, side)}


@pytest.mark.parametrize(("push", "column"), [("N to a", "a"), ("S to c", "c")])
def test_a_marker_moves_to_the_column_of_its_name(push: str, column: str, new: Callable) -> None:
    position = new(2)
    position.play(position.game.actions.parse(f"push {push}"))
    lines = shown(render_text, position, None).split("\n")
    arrows = lines[5] if push[0] == "N" else next(line for line in lines[6:] if "^" in line)
    assert arrows.index("v" if push[0] == "N" else "^") == lines[4].index(column)


@pytest.mark.parametrize(("push", "row"), [("W to 1", "1"), ("E to 3", "3")])
def test_a_marker_moves_to_the_row_of_its_name(push: str, row: str, new: Callable) -> None:
    position = new(2)
    position.play(position.game.actions.parse(f"push {push}"))
    map_lines = [line[:26].rstrip() for line in shown(render_text, position, None).split("\n")[6:19]]
    marked = [line[0] for line in map_lines if (line[2:3] == ">" if push[0] == "W" else line.endswith("<"))]
    assert marked == [row]


def test_places_of_a_world_bear_the_names_of_the_actions(new: Callable) -> None:
    """In the picture wherever a tile may be placed; in the text every row and column of the window has its name."""
    position = new(2, refill="choose")
    for text in ("push N to a", "place at c3 turned 0", "refill from 0", "push S to c", "place at c3 turned 0"):
        position.play(position.game.actions.parse(text))
    for text in ("refill from 0", "push W to 1"):
        position.play(position.game.actions.parse(text))
    legal = [position.game.actions.text(int(action)) for action in position.legal_actions()]
    cells = {text.split()[2] for text in legal}
    assert cells == {"c2", "b3", "d3", "c4"}
    tree = ET.fromstring(shown(render_svg, position, None))
    labels = [str(node.text) for node in tree.iter() if node.tag.endswith("text")]
    hole = "a1"  # the map cell that waits for its refill
    assert sorted(label for label in labels if re.fullmatch("[a-e][1-5]", label)) == sorted([hole, *cells, *cells])
    text = shown(render_text, position, None).partition("* player 1")[2]
    heads = next(line for line in text.split("\n") if line.split()[:5] == list("abcde"))
    assert heads and [line[0] for line in text.split("\n") if line[:1] in list("12345")] == list("12345")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_picture(players: int, new: Callable, play: Callable) -> None:
    position = new(players, seed=players)
    for decisions in (0, 9 * players, 18 * players):
        play(position, decisions)
        drawn = shown(render_svg, position, None)
        tree = ET.fromstring(drawn)
        pixels = rasterise(drawn)
        assert pixels.shape == (round(float(tree.get("height", 0))), round(float(tree.get("width", 0))), 3)
        assert len(np.unique(pixels.astype(int) @ [65_536, 256, 1])) > 50
        tiles = re.findall(r"<title>tile (\d+):", drawn)
        assert sorted(map(int, tiles)) == sorted(
            int(i) for i in (*position.g.map.flat, *position.g.tiles.flat, position.g.hand) if i >= 0
        )


def test_every_side_of_the_map_says_why_nothing_is_pushed_from_there(new: Callable) -> None:
    """Every push that is not legal has a reason, and no other."""
    position = new()
    for push in ("push N to a", "push W to 1", "push S to c"):
        sides = re.findall(r'data-place="(push [^"]*)"[^>]*?(?: data-now="([^"]*)")?>', shown(render_svg, position, 0))
        assert len(sides) == 12 and {why for _, why in sides} <= {"", STANDS_HERE, FACES}
        legal = {position.game.actions.text(int(a)) for a in position.legal_actions()}
        assert {place for place, why in sides if not why} == {text for text in legal if text.startswith("push")}
        position.play(position.game.actions.parse(push))
        position.play(int(position.legal_actions()[0]))  # the tile is placed


def test_result_in_words(new: Callable, play: Callable) -> None:
    position = play(new(2))
    g = position.g
    g.statues[:2], g.largest[:2] = [[1, 0, 0, 0, 0], [0, 2, 0, 0, 0]], [[4, 1, 1, 1, 1], [1, 2, 1, 1, 1]]
    assert "player 1 wins, tie broken by a group of 4" in shown(render_text, position, None)
    assert account(position.game, g).decided == "Equal points: the largest group decides."
    g.largest[1, 4] = 4
    assert "player 1 and player 2 share the win\n" in shown(render_text, position, None)
    assert account(position.game, g).decided == "Equal points and largest groups: the win is shared."
    g.statues[1, 0] = 1
    assert "player 2 wins\n" in shown(render_text, position, None)
    assert "Turn 18 of 18, player 2 wins" in shown(render_svg, position, None)


def test_what_is_still_to_come_is_counted_and_tells_no_order(new: Callable) -> None:
    """The squares and statues of all tiles of the set that nobody has seen yet; the same whatever lies where."""
    position, rng, lines = new(3, seed=4), np.random.default_rng(4), []
    while not position.over:
        line = next((one for one in shown(render_text, position, 0).split("\n") if one.startswith("in all stacks")), "")
        other = position.clone()
        other.resample(0, np.array([7], np.uint64))
        assert not line or line in shown(render_text, other, 0).split("\n")
        numbers = [int(number) for number in re.findall(r" (\d+)", line)]
        assert sum(numbers[:5]) == 4 * sum(int(height) for height in position.g.heights)
        assert numbers[5:] in ([], position.g.unseen.tolist())
        lines.append(line)
        position.play(int(rng.choice(position.legal_actions())))
    assert lines[0] and len(set(lines)) > 20


def test_the_tile_in_hand_has_a_line_of_its_own(new: Callable) -> None:
    """A reader who is told what changed knows which tile is to be placed, and that the map is as before."""
    position = new(2)
    assert "\nin hand: nothing\n" in render_text(position.game, position.g, 0)
    position.play(position.game.actions.parse("push N to a"))
    above, *below = (row.strip() for row in tile_text(position.game, int(position.g.hand)))
    assert f"\nin hand: {above} over {below[0]}\n" in render_text(position.game, position.g, 0)
