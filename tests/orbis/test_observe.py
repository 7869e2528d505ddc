"""What a seat sees: everything but the order of the piles, its own things first."""

from collections.abc import Callable

import numpy as np
import pytest


def seen(game, seat: int) -> dict[str, np.ndarray]:
    """The observation of a seat by field."""
    flat, layout = game.position.observe(seat), game.game.features
    return {f.name: flat[layout.slices()[f.name]].reshape(f.shape) for f in layout.features}


def test_seats_are_rotated(table: Callable) -> None:
    game = table(3).realm("5 red", seat=1).god("goddess_of_fire", seat=2).universe("W1-4 ~W1-1", seat=1)
    for observer, place in ((1, 0), (0, 1), (2, 2)):
        found = seen(game, observer)
        assert found["realm"][place].tolist() == [0, 0, 0, 0, 1]
        assert found["placed"][place] == pytest.approx(2 / 14) and found["points"][place] == 0
        assert found["pyramid"][place, 1, :6].tolist() == [1] * 6
        assert found["pyramid"][place, 0, :6].tolist() == [1, 0, 0, 0, 0, 0]
    assert seen(game, 0)["god"][2, 7] == 1 and seen(game, 2)["god"][0, 7] == 1
    assert [seen(game, seat)["my_turn"][0] for seat in range(3)] == [1, 0, 0]


def test_every_tile_looks_different(table: Callable) -> None:
    faces = table(4).t.face
    assert len({face.tobytes() for face in faces}) == len(faces) == 65


def test_tiles_to_come_are_known_but_not_their_order(table: Callable) -> None:
    game = table(2, seed=6)
    found = seen(game, 0)
    assert found["unseen"].sum() == 28 and found["next_level"].tolist() == [1, 0, 0]
    game.play("take tile from a1", "wilderness", "place bottom right")
    assert seen(game, 0)["unseen"].sum() == 27
    before = game.position.observe(0).tobytes()
    game.position.resample(0, np.array([3], np.uint64))
    assert game.position.observe(0).tobytes() == before


def test_what_is_due_and_in_hand(table: Callable) -> None:
    game = table().display("Y3-4").realm("3 white 3 blue").play("take tile from a1", "face up", "place bottom right")
    found = seen(game, 0)
    assert found["due"].tolist() == pytest.approx([0, 0, 0, 0, 0, 4 / 6]) and found["begun"][0] == 0
    assert found["face"].tolist() == [1, 0] and found["hand"][1] == 1 and found["display"][0].sum() == 0
    assert found["decision"].argmax() == 5
    assert seen(game.play("discard white"), 0)["begun"][0] == 1


def test_forest_conditions_and_marks(table: Callable) -> None:
    """G2-1 asks for two blue neighbours and is worth 3."""
    game = table().universe("G2-1 R2-1+ R2-2x")
    cells = seen(game, 0)["pyramid"][0]
    assert cells[0, 8:].tolist() == pytest.approx([0, 0, 0, 2 / 6, 0, 0, 3 / 5])
    assert cells[1, 6:8].tolist() == [1, 0] and cells[2, 6:8].tolist() == [0, 1]
