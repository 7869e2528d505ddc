"""What is said of scenes, cards and decisions holds for the options, the sides and the moment it is said of."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.position import Position
from theogony.envs.core.story import told
from theogony.envs.god_of_war.codes import C_HP_LE, NONE
from theogony.envs.god_of_war.game import SPEC
from theogony.envs.god_of_war.render.text import render_text
from theogony.envs.god_of_war.render.words import Scene, other_side
from theogony.envs.god_of_war.rules.attack import TOLD_BY
from theogony.envs.god_of_war.state import (
    ATTACK_WINDOW,
    FIGURE,
    IN_SCENE_ACTIVATION,
    NEXT_BOSS,
    NEXT_QUEST,
    PAY,
    REVEAL_WINDOW,
    SCENES,
    SHIELD,
    TARGET,
    TURN,
)
from theogony.envs.god_of_war.story import about
from theogony.play.seen import PREVIEWS, preview

BOSS = {"players": 2, "scene": "sigrun", "heroes": ("kratos", "freya")}
SIGRUN, RECORD = SCENES.index("sigrun"), 8  # the side card that carries her


def legal(position: Position, text: str = "") -> list[int]:
    """The legal actions whose text holds these words."""
    return [int(a) for a in position.legal_actions() if text in position.game.actions.text(int(a))]


def line_of(position: Position, place: str) -> str:
    """What the text says of a scene card."""
    text = render_text(position.game, position.g, 0)
    return next(line for line in text.splitlines() if line.startswith(place + ","))


@pytest.mark.parametrize(
    ("options", "health", "turns"),
    [({}, 46, 23), ({"boss_hp": 50}, 23, 11), ({"difficulty": "ragnarok"}, 55, 27), ({"boss_hp": 10}, 4, 2)],
)
def test_health_that_cards_name_goes_by_the_percentage_of_their_enemies(
    options: dict[str, Any], health: int, turns: int
) -> None:
    game = SPEC.configure({**BOSS, **options})
    t = game.tables[0]
    flips = range(int(t.flips_first[SIGRUN, RECORD, 0]), int(t.flips_end[SIGRUN, RECORD, 0]))
    assert [int(t.flip_n[k]) for k in flips if t.flip_when[k] == C_HP_LE] == [turns]
    said = line_of(Position(game, 1), "side 1")
    assert f"{health}/{health} health" in said
    assert f"at {turns} health or less: turns over with top 2, 3, bottom 2, 3, side 2" in said


def test_a_boss_of_half_the_health_does_not_turn_over_before_half_of_that_is_gone() -> None:
    position, rng = Position(SPEC.configure({**BOSS, "boss_hp": 50}), 1), np.random.default_rng(1)
    for _ in range(300):
        if position.over or position.g.side[RECORD]:
            break
        assert position.g.hurt[RECORD] < 12
        position.play(int(rng.choice(position.legal_actions())))
    else:
        pytest.fail("she never turned")
    assert position.over or position.g.hurt[RECORD] >= 12


def test_health_and_strengths_are_told_as_the_options_make_them() -> None:
    solo, story = SPEC.configure({"players": 1}), SPEC.configure({"players": 2, "difficulty": "story"})
    assert solo.vocabulary["hero", "kratos"].does.startswith("10 health")
    assert SPEC.configure().vocabulary["hero", "kratos"].does.startswith("14 health")
    assert story.vocabulary["hero", "freya"].does.startswith("13 health")
    baldur = Position(SPEC.configure({"players": 2, "scene": "baldur", "difficulty": "ragnarok"}), 1)
    baldur.g.side[9] = 1
    strength = re.search(r"attacks: melee (\d)", line_of(baldur, "side 2"))
    card = next(e for e in SPEC.configure().vocabulary.of("scene card") if e.key == "7-21")
    plain = re.search(r"attacks: melee (\d)", card.does)
    assert strength and plain and int(strength[1]) == int(plain[1]) + 1


def test_an_attack_that_was_made_is_not_told_as_one_that_was_suffered() -> None:
    position = Position(SPEC.configure({"players": 2, "scene": "wanderers"}), 1)
    assert "after it has made a ranged attack: turns over" in line_of(position, "top 3")


def test_cards_have_the_names_of_the_sides_that_lie_up() -> None:
    position = Position(SPEC.configure({"players": 2, "scene": "helheim"}), 1)
    back = SPEC.configure().components["scenes"][3]["cards"]
    enemy = {card["id"]: (card["back"]["enemy"] or {}).get("name") for card in back}["4-12"]
    position.g.side[5] = 1
    assert enemy and enemy not in line_of(position, "bottom 2")
    position.g.side[6] = 1
    assert f"stun {enemy}" in line_of(position, "bottom 2")


def test_tokens_say_where_they_lie_and_that_more_is_enough() -> None:
    text = render_text(*_scene("grendels"), 0)
    assert re.search(r"melee \d \(\d \+\d for the tokens on [A-Z]", text)
    assert "at 3+ tokens: turns over" in text
    assert "if a token on this card" in text
    assert "8+ tokens on Light of Alfheim" in render_text(*_scene("alfheim"), 0)
    card = next(e for e in SPEC.configure().vocabulary.of("scene card") if "for each token on" in e.does)
    assert re.search(r"ranged \d \(\+1 for each token on [A-Z]", card.does)


def _scene(name: str) -> tuple[Any, Any]:
    position = Position(SPEC.configure({"players": 2, "scene": name}), 1)
    return position.game, position.g


def reveals(options: dict[str, Any], figure: int, wanted: str) -> list[tuple[Any, list[str], Any]]:
    """Decisions in reveal windows that use the full rage track of a figure, as before, story and after."""
    game, found = SPEC.configure({"players": 2, "scene": "wanderers", "hero_hp": 30, **options}), []
    for seed in range(30):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over and position.now < 150:
            acts, rage = legal(position), legal(position, "hero: rage")
            if position.g.decision == TURN:
                position.g.rage[figure] = game.tables[0].rage_max[figure]
                position.g.hand[:] = 0
                acts = legal(position, "end activation")
            window = position.g.decision in (REVEAL_WINDOW, TARGET) and position.g.phase == IN_SCENE_ACTIVATION
            action = rage[0] if window and rage else int(rng.choice(acts))
            before = position.g.copy()
            position.play(action)
            if window and wanted in game.actions.text(action):
                found.append((before, told(game, before, action, position.g, None).story, position.g.copy()))
    return [(before, story, after) for before, story, after in found if after.revealed_cards > before.revealed_cards]


def test_a_rune_that_is_cancelled_makes_nobody_act() -> None:
    found = reveals({"heroes": ("kratos", "mimir")}, 2, "hero: rage")
    assert found
    for before, story, after in found:
        runes = [line for line in story if line.startswith("Rune ")]
        assert len(runes) == after.revealed_cards - before.revealed_cards
        assert runes[0].endswith("it triggers nothing.")
        assert not any(line.endswith("it triggers nothing.") for line in runes[1:])
    assert any(line.startswith("Rune ") and "melee" in line for _, story, _ in found for line in story[1:])


def test_an_enemy_that_fell_before_the_rune_was_revealed_does_not_act() -> None:
    found = reveals({"heroes": ("atreus", "freya")}, 1, "target")
    fell = 0
    for _, story, _ in found:
        for line in story:
            gone = re.match(r"(.+) (is defeated|turns over)", line)
            if gone and gone[1] != "Draugr Spear-thrower":  # who turns over by attacking
                fell += 1
                acting = story[0].partition(": ")[2].split("; ")
                assert not any(re.match(rf"{re.escape(gone[1])} (melee|ranged)", one) for one in acting), story
    assert fell


def test_status_cards_that_hinder_a_scene_are_told_as_shuffled_in() -> None:
    game, told_of = SPEC.configure({"players": 2, "first_quest": "ogre"}), 0
    for seed in range(12):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over and position.now < 200 and position.g.decision not in (NEXT_QUEST, NEXT_BOSS):
            if position.g.decision in (TURN, ATTACK_WINDOW):
                position.g.dead[:] = 1
            position.play(int(rng.choice(position.legal_actions())))
        for action in legal(position) if position.g.decision == NEXT_QUEST else ():
            other = position.clone()
            before = other.g.copy()
            other.play(action)
            story = " ".join(told(game, before, action, other.g, 0).story)
            assert "on top of a deck" not in story
            assert "Hindrance of " in story
            told_of += "shuffled into each deck" in story
    assert told_of


def test_who_is_named_for_what_is_said() -> None:
    """A log that says `choose Mimir` does not tell that he takes the damage."""
    game = SPEC.configure({"players": 2})
    mimir = next(a for a in range(game.actions.size) if game.actions.text(a) == "choose mimir")
    assert game.vocabulary.say(game.actions, mimir, SHIELD) == "Mimir suffers what is not blocked"
    assert game.vocabulary.say(game.actions, mimir, FIGURE) == "choose Mimir"


def test_who_chooses_a_hero_or_a_target_reads_for_what() -> None:
    """The card that was played, and what it does; nothing where an action is chosen."""
    game, rng, named = SPEC.configure({"players": 2}), np.random.default_rng(3), set()
    for seed in range(20):
        position, text = Position(game, seed), ""
        while not position.over and len(named) < 3:
            said, asked = about(game, position.g), int(position.g.decision)
            assert bool(said) == (asked in (FIGURE, TARGET))
            if said and "plays" in text:
                name = text.partition(" plays ")[2]
                assert said.startswith(f"{name}: ") and len(said) > len(name) + 10
                named.add(name)
            action = int(rng.choice(position.legal_actions()))
            text = game.vocabulary.say(game.actions, action, asked)
            position.play(action)
    assert len(named) == 3


def test_a_target_is_asked_for_with_what_falls_on_it_and_decks_are_open_but_for_their_order() -> None:
    """Two lists of the same targets may be for a stun or for damage; a deck's cards are known, in whatever order."""
    game, asked, skills = SPEC.configure({"players": 1}), 0, 0
    for seed in range(6):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over and position.now < 150:
            text = render_text(game, position.g, 0)
            if position.g.decision in (TARGET, FIGURE, PAY):
                asked += 1
                assert re.search(r"^asked for: \S", text, re.MULTILINE), text
            if asked and position.now % 30 == 0:
                other = position.clone()
                other.resample(0, np.array([seed + 1], np.uint64))
                assert render_text(game, other.g, 0) == text
            deck = re.search(
                r"deck (\d+) cards(?: \(in unknown order: (.*?)(?:; from the top: .*?)?\))?$", text, re.MULTILINE
            )
            assert deck is not None
            counted = [re.match(r"(?:(\d+) × )?", card) for card in (deck[2] or "").split(", ") if card]
            assert int(deck[1]) == sum(int(found[1] or 1) for found in counted if found)
            skills += "skills used in this scene: " in text
            position.play(int(rng.choice(position.legal_actions())))
    assert asked > 5 and skills


def at_once(games: int) -> list[tuple[Position, int]]:
    """Attacks of random games that end with the decision which makes them: nothing can be added, nobody can help."""
    rng, found = np.random.default_rng(2), []
    for seed in range(games):
        position = Position(SPEC.configure({"players": 2}), seed)
        while not position.over and position.now < 120:
            action = int(rng.choice(position.legal_actions()))
            before = position.clone()
            position.play(action)
            if SPEC.configure({"players": 2}).actions.decode(action)[0] == "attack" and position.g.attacker == NONE:
                found.append((before, action))
    return found


def test_what_came_of_an_attack_that_ends_at_once_is_told() -> None:
    """Also when it takes nothing, since who has attacked must see that it is over."""
    said = []
    for position, action in at_once(games=6):
        before = position.g.copy()
        position.play(action)
        said.append(" ".join(told(position.game, before, action, position.g, 0).story))
        assert re.search("health|is defeated|armour|turns over|The scene|is over", said[-1]), said[-1]
    assert sum("takes no health" in one for one in said) > 1, said


def test_a_preview_tells_no_throw_of_the_die() -> None:
    """What is the same in a few throws is often so by chance."""
    looked, uncertain = 0, 0
    for position, action in at_once(games=6)[:8]:
        rng, outcomes = np.random.default_rng(5), []
        for _ in range(4 * PREVIEWS):
            other = position.clone()
            other.resample(position.actor, rng.integers(2**64, size=1, dtype=np.uint64))
            before = other.g.copy()
            other.play(action)
            outcomes.append(set(told(other.game, before, action, other.g, position.actor).story))
        certain = set.intersection(*outcomes)
        uncertain += any(one != certain for one in outcomes)
        for draw in range(12):
            lines = preview(position, action, np.random.default_rng(draw))
            looked += 1
            assert {line for line in lines if not line.startswith("What else")} <= certain
    assert looked > 40 and uncertain > 2


def test_what_lies_in_the_triangle_is_told_until_it_is_chosen() -> None:
    game, rng = SPEC.configure({"players": 2, "enemy_strength": -9, "hero_hp": 99}), np.random.default_rng(1)
    position = Position(game, 3)
    name, seen = position.game.vocabulary.name, set()
    while not position.over and position.now < 400:
        g = position.g
        quests = " or ".join(name("scenario", SCENES[int(k)]) for k in g.quests[1:])
        bosses = "boss " + " or ".join(name("scenario", SCENES[int(k)]) for k in g.bosses)
        said = re.findall(r"^to come: (.*)$", render_text(position.game, g, 0), re.MULTILINE)
        assert said == [[f"quest {quests}, then {bosses}"], [bosses], []][int(g.stage) - 1]
        seen.add(int(g.stage))
        position.play(int(rng.choice(position.legal_actions())))
    assert 1 in seen


def test_a_hand_limit_is_told_where_tokens_change_it() -> None:
    position = Position(SPEC.configure({"players": 2}), 3)
    assert "hand limit" not in render_text(position.game, position.g, 0)
    position.g.hand_limit[1] = 5
    assert re.search(r"^player 2.*, hand limit 5$", render_text(position.game, position.g, 0), re.MULTILINE)


def test_no_name_of_a_card_falls_apart_in_a_list() -> None:
    words = SPEC.configure().vocabulary
    assert words.name("card", "melee_stun") == "Melee with stun"
    assert not [entry.name for entry in words.of("card") if "," in entry.name]


def test_a_deck_and_a_discard_pile_are_lists_of_their_own() -> None:
    """So that of each is told what came and went, where texts are brief."""
    position = Position(SPEC.configure({"players": 1}), 3)
    lines = render_text(position.game, position.g, 0).splitlines()
    assert any(line.startswith("  deck 14 cards (") for line in lines) and "  discard pile: none" in lines


def test_every_roll_is_told_as_a_sum_that_is_right() -> None:
    """What the record tells of a die is what the story says and the picture shows, and is what the enemy loses."""
    game, rng, faces, exact = SPEC.configure({"players": 1}), np.random.default_rng(4), set(), 0
    for seed in range(4):
        position = Position(game, seed)
        while not position.over and position.now < 250:
            before = position.g.copy()
            position.play(action := int(rng.choice(position.legal_actions())))
            after = position.g
            for row in after.told[after.told[:, TOLD_BY] > 0]:
                _, owner, card, numbers, more, die, later, dealt = map(int, row)
                faces.add(die)
                assert dealt == max(card + numbers + more - die, 0) + later
                lines = " ".join(told(game, before, action, after, 0).story)
                assert f"die {abs(die)}" in lines and f"= {dealt} damage." in lines
                left = int(game.tables[0].enemy_hp[int(before.scenario), owner, int(before.side[owner])])
                if not after.over and not after.side[owner] != before.side[owner] and dealt < left - before.hurt[owner]:
                    exact += 1
                    assert after.hurt[owner] - before.hurt[owner] == dealt
    assert {0, 1, 2} <= faces and exact > 20


def test_what_is_told_of_a_die_stands_in_no_hash() -> None:
    """It follows from the position before; so a record stays the same whatever is told."""
    position = Position(SPEC.configure({"players": 2}), 1)
    key, digest = position.key(), position.hash()
    position.g.told[0] = 1
    assert position.key() != key and position.hash() == digest
    position.g.ply += 1
    assert position.hash() != digest


def test_the_other_side_of_a_card_is_told_as_it_is_once_the_card_is_turned() -> None:
    """Of every card that turns over in ten games: what was told before stands there afterwards, but for damage."""
    game, turned = SPEC.configure({"players": 1}), 0
    for seed in range(10):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over and turned < 20:
            before = position.g.copy()
            position.play(int(rng.choice(position.legal_actions())))
            if int(position.g.scenario) != int(before.scenario):
                continue
            for slot in Scene(game, before).slots:
                if position.g.side[slot] != before.side[slot] and not position.g.hurt[slot]:
                    told, now = other_side(game, before, slot), Scene(game, position.g).text(slot)
                    assert told.partition(";")[0].split(", ")[0] in now
                    turned += 1
    assert turned >= 5


def test_what_a_card_brings_as_it_turns_up_is_told_before_and_then() -> None:
    position = Position(SPEC.configure({"players": 1, "scene": "wanderers"}), 0)
    position.play(legal(position, "column 4")[0])
    assert line_of(position, "bottom 4").endswith("no enemy; as it turns up: hand limit +1: the acting hero")
    assert "armour 5 and 3;" in line_of(position, "bottom 3")
    rng, said = np.random.default_rng(0), ""
    for seed in range(12):
        position = Position(SPEC.configure({"players": 1, "scene": "wanderers", "hero_hp": 40}), seed)
        while not position.over:
            liked = [a for word in ("attack", "add", "commit") for a in legal(position, word)]
            before, action = position.g.copy(), int(rng.choice(liked or position.legal_actions()))
            position.play(action)
            said += "\n".join(told(position.game, before, action, position.g, 0).story) + "\n"
    assert (
        "turns over: Gully (chest) (hand limit +1: the acting hero)" in said
        and "turns over: Gully (chest)." not in said
    )
    assert "loses armour 5, 3 is left" in said and re.search(r"loses \d+ health by poison", said)
