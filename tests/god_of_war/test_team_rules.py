"""Mimir, knocked-out players, heroes and what stays between scenes, named after what they settle."""

from typing import Any

import pytest
from god_of_war.moves import kind

from theogony.envs.core.game import OptionError
from theogony.envs.core.position import Position
from theogony.envs.god_of_war.components.pieces import HEROES
from theogony.envs.god_of_war.game import SPEC
from theogony.envs.god_of_war.rules.scene_effects import complete_scene

ASKED = ["melee", "block_1", "melee", "k_resolve", "block", "plus1", "plus2"]
MIMIR = ["m_tip1", "m_tale", "m_fore", "m_or_r", "plus1", "m_lore", "m_gaze"]


@pytest.fixture
def asked(table: Any) -> Any:
    """Mimir, seat 1, hangs on Kratos, who is hurt and whose turn it is."""
    hands = {"kratos": ASKED, "mimir": MIMIR}
    game = table(["kratos", "mimir", "freya"], 2, hands=hands, figures={"kratos": {"damage": 3}})
    game.do(do="place", column=3).do(do="place", column=0).do(do="hang", on="kratos")
    return game


def test_mimirs_player_decides_for_mimir(asked: Any) -> None:
    """The bearer's player hands over; Mimir's player plays his cards until done (R46)."""
    assert kind(asked) == (0, "turn")
    assert not asked.legal(figure="mimir", do="special")
    asked.do(do="ask", figure="mimir")
    assert kind(asked) == (1, "mimir")
    assert asked.state["pending"]["context"] == {"bearer": "kratos"}
    asked.do(do="special", card="m_tale", target="kratos")
    assert asked.figure("kratos")["damage"] == 2
    asked.do(do="done")
    assert kind(asked) == (0, "turn")
    assert asked.legal(do="ask")  # something was done, so he may be asked again


def test_a_hand_over_answered_with_done_is_not_repeated(asked: Any) -> None:
    """Not before the bearer's player has done something else (R46)."""
    asked.do(do="ask").do(do="done")
    assert not asked.legal(do="ask")
    asked.do(do="move", column=2)
    assert asked.legal(do="ask")


def test_mimir_or_bearer_for_boxed_damage(table: Any) -> None:
    """One hero takes boxed damage; Mimir's player says which of the two (R44)."""
    cards = {card: {"side": "back"} for card in ("10-20", "10-21")}
    game = table(["kratos", "mimir"], 10, scene_cards={**cards, "10-00": {"dead": True}}, upgrades=["u01:fehu"])
    game.do(do="place", column=3).do(do="end")
    while kind(game)[1] != "shield":
        game.do(**(game.legal(do="pass") or game.legal(do="done"))[0])
    assert game.state["pending"]["context"]["type"] == "boxed"
    assert game.state["pending"]["context"]["figure"] == "kratos"
    game.do(do="take", figure="mimir")
    assert game.state["pending"]["context"]["figure"] == "mimir"  # an effect on all is two instances
    game.do(do="take", figure="mimir")
    assert (game.figure("kratos")["damage"], game.figure("mimir")["damage"]) == (0, 2)


def test_mimir_or_bearer_for_poison(table: Any) -> None:
    """(R44)"""
    decks = [["poison", *["melee"] * 8], ["plus1"] * 7]
    game = table(["kratos", "mimir"], 2, decks=decks, supply={"stun": 10, "poison": 9, "crystal": 10})
    game.do(do="place", column=3)
    assert kind(game) == (1, "shield")
    assert game.state["pending"]["context"] | {"type": "poison", "card": None} == game.state["pending"]["context"]
    game.do(do="take", figure="mimir")
    assert (game.figure("kratos")["damage"], game.figure("mimir")["damage"]) == (0, 1)
    assert len(game.state["players"][0]["hand"]) == 7


def test_knocked_out_players_draw(table: Any) -> None:
    """Freya falls by the first poison and goes on drawing; the second does no damage (R13, R51)."""
    decks = [["poison", "poison", "f_mend", *["melee"] * 8], ["melee", "plus1", *["ranged"] * 5]]
    start = {"figures": {"freya": {"damage": 9}}, "supply": {"stun": 10, "poison": 8, "crystal": 10}}
    game = table(["freya", "kratos"], 1, decks=decks, **start)
    game.do(do="place", column=0).do(do="place", column=3)
    assert not game.figure("freya")["standing"]
    assert game.figure("freya")["damage"] == 10
    assert len(game.state["players"][0]["hand"]) == 7


def test_knocked_out_players_help(table: Any) -> None:
    """They play specials for others in every window, but do not act, gain rage or heal themselves (R13)."""
    decks = [["poison", "f_mend", "u21", *["melee"] * 6], ["melee", "plus1", *["ranged"] * 5]]
    start = {"figures": {"freya": {"damage": 9}, "kratos": {"damage": 4}}, "upgrades": ["u01:fehu", "u02:fehu"]}
    game = table(["freya", "kratos"], 1, decks=decks, supply={"stun": 10, "poison": 9, "crystal": 10}, **start)
    game.do(do="place", column=0).do(do="place", column=3)
    assert kind(game) == (0, "reveal_window")  # no hero activation, but her scene activation
    assert {move.get("target") for move in game.legal(do="special")} == {"kratos"}
    assert not game.legal(card="u21")  # heals its own figure
    game.do(do="special", card="f_mend", target="kratos")
    assert game.figure("kratos")["damage"] == 2
    assert game.figure("freya")["rage"] == 0


def full_game(**options: Any) -> Position:
    """A full game of Kratos and Freya with the heroes placed."""
    position = Position(SPEC.configure({"players": 2, "heroes": ("kratos", "freya"), **options}), 3)
    while position.g.decision == 1:
        position.play(int(position.legal_actions()[0]))
    return position


def test_wards_stay_between_scenes() -> None:
    """(R34, R73)"""
    position = full_game()
    position.g.wards[0] = 1
    complete_scene(position.g, position.tables[0])
    assert position.g.wards[0] == 1


def test_hand_limit_tokens_that_were_won_stay() -> None:
    """Those of a hindrance go with the scene it was for (R34)."""
    position = full_game()
    position.g.limit_won[0], position.g.limit_scene[0], position.g.limit_scene[1] = 1, -1, -1
    complete_scene(position.g, position.tables[0])
    assert position.g.hand_limit[:2].tolist() == [8, 7]


def test_spartan_rage_outlasts_the_scene() -> None:
    """The waiting damage stays, waiting Arms go (R50)."""
    position = full_game()
    position.g.next_damage[0], position.g.next_attack[0] = 3, 3
    complete_scene(position.g, position.tables[0])
    assert (position.g.next_damage[0], position.g.next_attack[0]) == (3, 0)


def test_heroes_are_chosen_from_the_starting_player_clockwise() -> None:
    """Nobody takes a hero twice; then the scene is laid out (R70)."""
    position = Position(SPEC.configure({"players": 3, "hero_choice": "choose"}), 4)
    actions, order = position.game.actions, []
    start = int(position.g.starting_player)
    for k, hero in enumerate(("freya", "mimir", "kratos")):
        order.append(position.actor)
        assert len(position.legal_actions()) == 5 - k
        position.play(actions.encode("hero", hero))
    assert order == [(start + k) % 3 for k in range(3)]
    assert [HEROES[position.g.heroes[seat]] for seat in order] == ["freya", "mimir", "kratos"]
    assert actions.decode(int(position.legal_actions()[0]))[0] == "place"


def test_the_first_quest_alone_may_be_fixed() -> None:
    """The two above it are drawn from the others (§2)."""
    seen = set()
    for seed in range(12):
        g = Position(SPEC.configure({"players": 2, "first_quest": "helheim"}), seed).g
        assert int(g.quests[0]) == int(g.scenario) == 3
        seen |= set(g.quests[1:].tolist())
    assert len(seen) > 2 and 3 not in seen


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"hero_choice": "choose", "heroes": ("kratos", "freya")}, "heroes that are given are not chosen"),
        ({"first_quest": "sigrun"}, "first_quest is one of wanderers, .*, not the boss sigrun"),
        ({"first_quest": "ogre", "scene": "ogre"}, "give only one of first_quest, path, scene"),
    ],
)
def test_choices_that_do_not_fit_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        SPEC.configure({"players": 2, **options})
