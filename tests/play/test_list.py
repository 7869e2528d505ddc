"""The list of moves: what each costs, kinds that open and close, keys; in a real browser, and in plain positions."""

from __future__ import annotations

import numpy as np
import pytest
from browser import Browser, Tab
from serving import Opener
from test_browser import READY, open_seat

from theogony.envs import GAMES, load
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.play.seen import choices, frame, in_list, kinds, moment, notes

VISIBLE = "choices.visible().map((one) => one.dataset.kind || one.dataset.action)"
NUMBERED = "choices.numbered().map((one) => one.dataset.kind || Number(one.dataset.action))"
OPEN = "[...choices.open]"


def to_main(game: str, players: int, most: int = 20) -> Position:
    """Terra Mystica after its setup, or so: the first decision with many moves after `most` decisions of greedy."""
    position = Position(load(game).configure({"players": players}), 5)
    player, rng = make_player("greedy", position.game), np.random.default_rng(1)
    while position.now < most or len(position.legal_actions()) < most:
        position.play(int(player.act(Views.at(position), rng)[0]))
    return position


@pytest.mark.parametrize("game", GAMES)
def test_notes_hold_for_everything_that_a_seat_may_not_know(game: str) -> None:
    """They are the same for every position that the seat holds possible, in the game's own words, and soon made."""
    position = Position(load(game).configure({"players": max(min(load(game).players), 2)}), 3)
    rng, told = np.random.default_rng(3), 0
    words = position.game.vocabulary
    for k in range(90):
        if position.over:
            break
        at = moment(position, position.now)
        if k % 5 == 0:
            said = notes(at)
            told += len(said)
            for draw in range(3):
                other = position.clone()
                other.resample(position.actor, np.array([17 * k + draw], np.uint64))
                assert notes(moment(other, other.now)) == said
            assert not [words.unknown(note) for note in said.values() if words.unknown(note)]
            assert sum(number for _, _, number, _ in kinds(at)) == len(choices(at)) == len(at.legal)
        position.play(int(rng.choice(position.legal_actions())))
    assert told > 10


@pytest.mark.parametrize("game", GAMES)
def test_what_ends_a_turn_stands_last(game: str) -> None:
    """In the list and on the page, with its kinds in the same order; so keys and quick clicks do not end a turn."""
    position = Position(load(game).configure({"players": max(min(load(game).players), 2)}), 3)
    rng, ended = np.random.default_rng(3), 0
    ends = {block.kind for block in position.game.actions.blocks if block.ends}
    while not position.over and position.now < 200:
        at = moment(position, position.now)
        shown = [position.game.actions.decode(one)[0] in ends for one in in_list(at)]
        assert shown == sorted(shown) and len(shown) == len(at.legal)
        assert [flag for _, _, number, flag in kinds(at) for _ in range(number)] == shown
        ended += 0 < sum(shown) < len(shown)
        position.play(int(rng.choice(position.legal_actions())))
    assert bool(ended) == bool(ends)


def test_terra_mystica_tells_what_a_move_costs() -> None:
    """Beside every move stands exactly what the goods of the seat lose and gain by it."""
    position, checked = to_main("terra_mystica", 3), 0
    for action, text, _, note in choices(moment(position, position.now)):
        other = position.clone()
        seat, before = other.actor, other.g.copy()
        other.play(action)
        if text.startswith(("convert", "pass")):
            continue
        for name in ("coins", "workers", "priests"):
            change = int(other.g[name][seat]) - int(before[name][seat])
            said = f"{'−' if change < 0 else '+'}{abs(change)} {name.removesuffix('s') if abs(change) == 1 else name}"
            now = note.partition("income ")[0].rstrip("; ")  # what is said of the income comes later
            assert (said in now.split(", ")) == bool(change), (text, note)
            checked += bool(change)
        change = int(other.g.vp[seat]) - int(before.vp[seat])
        assert (f"+{change} point" in note) == (change > 0), (text, note)
    assert checked > 10


def test_points_of_a_tile_are_those_that_it_brings() -> None:
    position = Position(load("push_of_faith").configure({"players": 2}), 7)
    rng, seen = np.random.default_rng(1), set()
    while not position.over:
        at = moment(position, position.now)
        for action, _, _, note in choices(at):
            if position.game.actions.decode(action)[0] == "place":
                other = position.clone()
                before = int(other.scores()[other.actor])
                seat = other.actor
                other.play(action)
                more = int(other.scores()[seat]) - before
                assert note == (f"+{more} point{'' if more == 1 else 's'}" if more else "")
                seen.add(more)
        position.play(int(rng.choice(position.legal_actions())))
    assert len(seen) > 3


def test_god_of_war_warns_of_armour() -> None:
    """What it says of an attack and of an interaction is what comes of it: warned of, no health is lost."""
    warned = unwarned = 0
    for seed in range(12):
        position = Position(load("god_of_war").configure({"players": 1}), seed)
        player, rng = make_player("greedy", position.game), np.random.default_rng(seed)
        while not position.over and position.now < 260:
            for action, _, _, note in choices(moment(position, position.now)):
                if position.game.actions.decode(action)[0] not in ("commit", "interact"):
                    continue
                if note.startswith("careful") or "not enough" in note:
                    assert not _hurts(position, action), note
                    warned += 1
                elif "breaks armour" in note:
                    assert _breaks(position, action), note
                    unwarned += 1
            position.play(int(player.act(Views.at(position), rng)[0]))
    assert warned > 5 and unwarned > 5


def _after(position: Position, action: int) -> Position:
    """What comes of an attack or interaction at once, where nobody helps and the first cards pay."""
    other, t = position.clone(), position.game.actions
    other.play(action)
    while not other.over and int(other.g.round_number) == int(position.g.round_number):
        legal = {t.decode(int(one))[0]: int(one) for one in other.legal_actions()[::-1]}
        follow = next((legal[kind] for kind in ("pay", "pass") if kind in legal), None)
        if follow is None or "end" in legal:
            return other
        other.play(follow)
    return other


def _hurts(position: Position, action: int) -> bool:
    return bool((_after(position, action).g.hurt > position.g.hurt).any())


def _breaks(position: Position, action: int) -> bool:
    after = _after(position, action).g
    return bool((after.armour != position.g.armour).any() or (after.side != position.g.side).any())


@pytest.fixture
def listed(browser: Browser, served: Opener) -> Tab:
    """Terra Mystica at a decision with more than twenty moves."""
    at = served("terra_mystica", ["human", "greedy", "greedy"])
    tab = open_seat(browser, at.url(0))
    player, rng = make_player("greedy", at.table.game), np.random.default_rng(1)
    while tab.js("choices.words.size") < 20 or at.table.position.g.round_number < 1:
        action = int(player.act(Views.at(at.table.position), rng)[0])
        decision = tab.js("document.body.dataset.decision")
        tab.js(f"document.querySelector('#choices [data-action=\"{action}\"]').click()")
        tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
    return tab


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_moves_of_one_kind_stand_under_a_head(listed: Tab) -> None:
    """All kinds are seen at once; two keys make a move; what is looked for is found wherever it stands."""
    tab = listed
    shown, moves = tab.js(VISIBLE), tab.js("choices.words.size")
    heads = [one for one in shown if not one.isdigit()]
    assert len(shown) < 20 <= moves and len(heads) >= 2
    assert sum(tab.js("[...document.querySelectorAll('.kind .number')].map((one) => Number(one.innerText))")) == (
        moves - (len(shown) - len(heads))
    )
    first = tab.js(NUMBERED).index(heads[0]) + 1
    tab.key(str(first))
    assert tab.js(OPEN) == [heads[0]]
    of = tab.js(NUMBERED)  # now keys count within the kind
    assert len(of) >= 3 and all(isinstance(one, int) for one in of)
    tab.key("Escape")
    assert tab.js(OPEN) == [] and tab.js(VISIBLE) == shown
    word = tab.js(f"choices.words.get({of[-1]})")
    tab.js(f"document.getElementById('filter').value = {word!r}; choices.filter()")
    assert str(of[-1]) in tab.js(VISIBLE) and not set(heads) & set(tab.js(VISIBLE))
    tab.js("document.getElementById('filter').value = ''; choices.filter(); document.getElementById('filter').blur()")
    tab.key(str(first))
    decision = tab.js("document.body.dataset.decision")
    second = tab.js(f"choices.words.get({of[1]})")
    tab.key("2")
    tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}", moving="game.now")
    assert tab.js("game.moves.filter((move) => move.seat === game.you).map((move) => move.text)").count(second)
    tab.close()


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_arrows_go_through_the_list_and_it_can_be_flat(listed: Tab) -> None:
    tab = listed
    tab.js("choices.visible()[0].focus()")
    for _ in range(2):
        tab.key("ArrowDown")
    assert tab.js("choices.visible().indexOf(document.activeElement)") == 2
    tab.key("ArrowUp")
    assert tab.js("choices.visible().indexOf(document.activeElement)") == 1
    tab.js("document.getElementById('flaton').click()")
    assert tab.js("choices.visible().length") == tab.js("choices.words.size")
    assert tab.js("document.querySelectorAll('.kind').length") == 0
    tab.js("document.getElementById('flaton').click()")
    assert tab.js("document.querySelectorAll('.kind').length") > 1
    tab.close()


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_the_row_above_a_short_list_is_not_empty(browser: Browser, served: Opener) -> None:
    """Where there is nothing to look for it says what is asked, in the same room."""
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    for _ in range(4):
        field, about = (f"document.getElementById('{name}')" for name in ("filter", "about"))
        many = tab.js("choices.words.size") >= 12
        assert tab.js(f"{field}.hidden") == (not many) and tab.js(f"{about}.hidden") == many
        assert many or tab.js(f"{about}.innerText") in tab.js("document.getElementById('turn').innerText")
        decision = tab.js("document.body.dataset.decision")
        tab.js("choices.moves()[0].click()")
        tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
    tab.close()


def test_a_frame_tells_notes_and_kinds_to_the_seat_that_decides_alone() -> None:
    position = to_main("terra_mystica", 2)
    at = moment(position, position.now)
    own, other = frame(at, position.actor), frame(at, 1 - position.actor)
    assert any(one[3] for one in own["choices"]) and own["kinds"]
    assert other["choices"] == [] and other["kinds"] == []


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_the_log_gives_its_room_to_the_list(browser: Browser, served: Opener) -> None:
    """Two lines of it are seen beside a decision, and all of it after a click; who looks back is told so."""
    tab = open_seat(browser, served("push_of_faith", ["human", "greedy"]).url(0))
    for _ in range(4):
        decision = tab.js("document.body.dataset.decision")
        tab.js("choices.moves()[0].click()")
        tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
    lines = "[...document.querySelectorAll('#log li')].filter((one) => one.offsetHeight).length"
    assert tab.js(lines) == 2 and tab.js("document.getElementById('choices').offsetHeight") > 300
    x, y = tab.js("(r => [r.left + 40, r.top + 20])(document.getElementById('log').getBoundingClientRect())")
    tab.click(x, y)
    tab.wait(f"{lines} > 2")
    assert tab.js("looking") is None  # it has opened, no more
    tab.key("ArrowLeft")
    tab.wait("document.getElementById('choices').inert")
    assert "earlier position" in tab.js("document.getElementById('about').innerText")
    tab.close()


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize("width", [800, 1280])
def test_the_list_begins_below_what_is_asked(browser: Browser, served: Opener, width: int) -> None:
    """No row above it is empty, whatever the shape of the window."""
    at = served("innovation", ["human", "greedy"])
    tab = open_seat(browser, at.url(0), (width, 900))
    tab.js("document.getElementById('guideno').click()")
    bottom = "Math.max(...['hint', 'about'].map((id) => document.getElementById(id).getBoundingClientRect().bottom))"
    assert 0 <= tab.js(f"document.getElementById('choices').getBoundingClientRect().top - {bottom}") < 12
    tab.close()


ENDED = """showResult({decided: '', places: [2, 1], cooperative: false, counted: ['0 of 6', '6 of 6'], rows: [
  ['for ages', ['-', '1, 2, 3, 4, 5, 6']], ['special', ['Empire, Monument', '-']]]}, ['You', 'Greedy player'])"""


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_reasons_fit_beside_the_board_and_a_replay_says_who_decides(browser: Browser, served: Opener) -> None:
    at = served("innovation", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    tab.js(ENDED)
    assert tab.js("document.querySelector('.account').offsetWidth <= document.querySelector('.wide').offsetWidth")
    tab.go(f"{at.url(0)}replay.html")
    tab.wait("document.body && document.body.dataset.ply === '0'")
    assert tab.js("document.getElementById('turn').innerText") == "You decide"
    tab.close()


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_who_plays_alone_sees_no_holes_in_a_new_round(browser: Browser, served: Opener) -> None:
    """Nobody else decides in between: there a round that begins gives parts the room that they need."""
    at = served("god_of_war", ["human"])
    tab = open_seat(browser, at.url(0))
    player, rng, rounds = make_player("greedy", at.table.game), np.random.default_rng(1), 0
    while rounds < 2 and tab.js("document.body.dataset.ready") != "over":
        before = int(at.table.position.g.round_number)
        action = int(player.act(Views.at(at.table.position), rng)[0])
        decision = tab.js("document.body.dataset.decision")
        tab.js(f"document.querySelector('#choices [data-action=\"{action}\"]').click()")
        tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
        if int(at.table.position.g.round_number) > before:
            rounds += 1
            assert tab.js("[...board.parts.values()].every((part) => part.height - part.own <= HOLE)")
    assert rounds
    tab.close()
