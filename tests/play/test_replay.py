"""Replay pages: small, whole, from records and ledgers, with what a search says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from browser import Browser
from ledgers import text_with

import theogony
from theogony.envs import load
from theogony.envs.core.gamerecord import write_record
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.play.analysis import adviser, analyse, odds_of
from theogony.play.film import Film, FilmError, film_of, read_film
from theogony.play.look import write_page
from theogony.play.replay import (
    all_views,
    difference,
    film_data,
    in_pieces,
    rebuild,
    replay_page,
    squeeze,
    unsqueeze,
)
from theogony.play.seen import frame

LEDGER = text_with("giants: upgrade A9 to TP", "witches: upgrade A10 to TP")


def game_of(name: str, decisions: int, **options: int) -> Position:
    position, rng = Position(load(name).configure(options), 2), np.random.default_rng(1)
    while not position.over and position.now < decisions:
        position.play(int(rng.choice(position.legal_actions())))
    return position


def data_of(page: str) -> dict:
    """What is packed in a page."""
    found = re.search(r'id="data">([^<]*)</script>', page)
    assert found
    return unsqueeze(found[1])


@pytest.mark.parametrize(
    ("base", "picture"),
    [
        ([], []),
        ([], [1, 2]),
        ([1, 2, 3], [1, 2, 3]),
        ([1, 2, 3, 4], [1, 9, 3, 4]),
        ([5, 1, 5, 1, 2], [5, 1, 2, 5, 1, 7]),
    ],
)
def test_differences(base: list[int], picture: list[int]) -> None:
    assert rebuild(base, difference(base, picture)) == picture


def test_differences_of_anything() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        base, picture = (rng.integers(0, 6, rng.integers(0, 30)).tolist() for _ in range(2))
        assert rebuild(base, difference(base, picture)) == picture


@pytest.mark.slow
def test_a_page_holds_every_frame() -> None:
    film = film_of(game_of("push_of_faith", 14))
    page = data_of(replay_page(film))
    first: list[int] = []
    for k in range(len(film)):
        first = rebuild(first, page["frames"][0][k])
        for number, who in enumerate(page["views"]):
            picture = first if number == 0 else rebuild(first, page["frames"][number][k])
            shown = frame(film.moment(k), None if who == "public" else who)["svg"]
            assert "".join(page["pieces"][piece] for piece in picture) == shown
    say = film.game.vocabulary.say
    assert [move["text"] for move in page["moves"][0][1:]] == [say(film.game.actions, a) for a in film.actions]
    assert all(move["story"] for move in page["moves"][0][1:])
    assert ["piece", "tile"] in [entry[:2] for entry in page["words"]["entries"]]
    assert page["views"] == ["all", "public", 0, 1]


def test_a_page_needs_nothing_else(tmp_path: Path) -> None:
    page = replay_page(film_of(game_of("push_of_faith", 6)))
    assert "Content-Security-Policy" in page and "default-src 'none'" in page and "{{" not in page.split("<script")[0]
    assert not re.search(r"""(src|href)=["'](?!data:)""", page)


def test_where_nothing_is_hidden_there_is_one_view() -> None:
    assert all_views(film_of(game_of("terra_mystica", 20, players=3))) == ["all"]


@pytest.mark.slow
def test_long_games_stay_small() -> None:
    """A game of 500 decisions has to stay below 8 MB: so much for each, and 1 MB for pieces and the rest."""
    film = film_of(game_of("terra_mystica", 60, players=4))
    with_few, with_many = (len(squeeze(film_data(part(film, n), ["all"], None))) for n in (30, 60))
    assert (with_many - with_few) / 30 * 500 < 7_000_000 and with_few < 1_000_000


def part(film: Film, decisions: int) -> Film:
    return Film(film.game, film.states[: decisions + 1], film.actions[:decisions], film.names)


def test_a_ledger_opens(tmp_path: Path) -> None:
    ledger = tmp_path / "game.txt"
    ledger.write_text(LEDGER)
    film = read_film(ledger, load)
    assert film.names == ["giants", "witches"] and len(film.states) == len(film.actions) + 1
    texts = [film.game.actions.text(action) for action in film.actions]
    assert "build A9" in texts and "upgrade A10 to TP" in texts
    write_page(film, tmp_path / "game.html")
    assert data_of((tmp_path / "game.html").read_text())["seats"] == ["giants", "witches"]


def test_what_is_no_game_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    for content in ("", "hello\n", "{}\n", "score x\n"):
        other.write_text(content)
        with pytest.raises(ValueError, match=r"notes\.txt"):
            read_film(other, load)
    with pytest.raises(FilmError, match="seat 2 is not 0 to 1"):
        write_page(film_of(game_of("push_of_faith", 2)), tmp_path / "x.html", seat=2)


def test_analysis() -> None:
    film = film_of(game_of("push_of_faith", 36))
    found = analyse(film, "mcts:40", [0, 1])
    assert len(found["decisions"]) == len(film.actions)
    for entry, action, state in zip(found["decisions"], film.actions, film.states, strict=False):
        if entry is None:
            continue
        assert entry["seat"] == state.actor and 0 <= entry["odds"] <= 1
        said = film.game.vocabulary.say(film.game.actions, action)
        assert [one["text"] for one in entry["options"] if one["played"]] == [said]
        assert sum(one["share"] for one in entry["options"]) <= 1.001
        assert entry["loss"] is None or entry["loss"] >= 0
    own = analyse(film, "mcts:5", [1])
    assert {entry["seat"] for entry in own["decisions"] if entry} == {1}
    assert data_of(replay_page(film, 1, own))["analysis"]["by"] == "mcts:5"
    with pytest.raises(PlayerError, match="cannot analyse"):
        analyse(film, "greedy", [0])
    with pytest.raises(PlayerError, match=r'"mcts:400@runs/x", or a policy$'):
        analyse(film, "greedy@reference", [0])


def test_a_search_by_a_learnt_value_tells_no_odds() -> None:
    """What it counts may be places or points; one that only has a policy's prior judges by the game's `value`."""
    film = film_of(game_of("push_of_faith", 36))
    looked = [entry for entry in analyse(film, "mcts:16@reference", [0])["decisions"] if entry]
    assert len(looked) > 3 and all(entry["odds"] is None and entry["loss"] is None for entry in looked)
    assert all(0.5 < sum(one["share"] for one in entry["options"]) <= 1.001 for entry in looked)
    game = load("god_of_war").configure({"players": 1})
    position = Position(game, 3)
    advice = adviser("reference", game).look(position, np.random.default_rng(3))
    assert advice.odds is not None and advice.options[0][0] in position.legal_actions()


def test_the_last_decision_of_a_game_shows_who_wins() -> None:
    """At the end of a game played out, a search sees the odds as they are."""
    film = film_of(game_of("push_of_faith", 36))
    odds = [entry["odds"] for entry in analyse(film, "mcts:60:random", [0, 1])["decisions"] if entry]
    assert odds[-1] in (0.0, 0.5, 1.0)


def test_odds() -> None:
    assert [odds_of(reward, 2, False) for reward in (-1, 0, 1, 3)] == [0, 0.5, 1, 1]
    assert odds_of(-1 / 3, 4, False) == pytest.approx(0) and odds_of(0, 4, True) == 0.5


def test_a_notebook_shows_steps(tmp_path: Path) -> None:
    env = theogony.make("push_of_faith")
    env.reset(seed=3)
    env.step(int(env.position.legal_actions()[0]))
    shown = theogony.show(env)
    assert shown._repr_html_().startswith("<iframe srcdoc=") and len(data_of(shown.page)["actors"]) == 2
    assert data_of(theogony.show(env.position, seat=1).page)["views"] == [1]
    write_record(env.position, tmp_path / "game.jsonl")
    assert data_of(theogony.show(str(tmp_path / "game.jsonl")).page)["moves"] == data_of(shown.page)["moves"]
    with pytest.raises(TypeError, match="is no environment that was reset"):
        theogony.show(3)


def test_human_without_a_display_prints_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    env = theogony.make("push_of_faith", render_mode="human")
    env.reset(seed=3)
    env.render()
    env.step(int(env.position.legal_actions()[0]))
    env.close()
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "there is no display: positions are printed as text"
    assert sum("Neutral Map" in line for line in said) == 2


def test_pieces_are_cut_between_elements() -> None:
    pieces: dict[str, int] = {}
    assert in_pieces("<g><a/>x<b/></g>", pieces) == [0, 1, 2] and list(pieces) == ["<g>", "<a/>x<b/>", "</g>"]


NOTEBOOK = Path(__file__).parents[2] / "docs" / "quickstart.ipynb"


def code_cells() -> list[dict]:
    """The cells of the quickstart notebook that run."""
    return [cell for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]


def test_the_quickstart_notebook_shows_its_outputs() -> None:
    """A reader who runs nothing sees pictures, and nothing of the machine that drew them."""
    outputs = [output for cell in code_cells() for output in cell["outputs"]]
    assert all(cell["outputs"] for cell in code_cells())
    assert sum("image/svg+xml" in output.get("data", {}) for output in outputs) == 2
    assert not re.search("(/home/|/root/|/tmp/|/work/|0x[0-9a-f]{6}|stderr)", json.dumps(outputs))
    assert NOTEBOOK.stat().st_size < 300_000


@pytest.mark.slow
def test_the_quickstart_notebook() -> None:
    """Every cell runs, one after another, in one interpreter of its own."""
    cells = code_cells()
    code = "\n\n".join("".join(cell["source"]) for cell in cells)
    done = subprocess.run([sys.executable, "-"], input=code, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_the_recorded_game_is_read_at_its_size() -> None:
    """Pages of a repository show a picture about 860 pixels wide: what is wider is made smaller there."""
    pytest.importorskip("PIL")
    from PIL import Image

    path = Path(__file__).parents[2] / "docs" / "play.gif"
    with Image.open(path) as film:
        assert film.width <= 860 and film.n_frames >= 12  # pyright: ignore[reportAttributeAccessIssue]
    assert path.stat().st_size < 1_000_000


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_seats_have_one_colour_from_the_start_to_the_end(browser: Browser, tmp_path: Path) -> None:
    """That of their pieces, also in the charts before a faction is chosen: as at the table."""
    position = Position(load("terra_mystica").configure({"players": 2}), 4)
    for _ in range(8):
        position.play(int(position.legal_actions()[0]))
    path = tmp_path / "game.html"
    path.write_text(replay_page(film_of(position)), encoding="utf-8")
    tab = browser.tab(path.as_uri())
    tab.wait("document.body.dataset.ply === '0'")
    colours = "[0, 1].map((seat) => document.body.style.getPropertyValue(`--seat-${seat}`))"
    at_first = tab.js(colours)
    tab.key("End")
    tab.wait(f"document.body.dataset.ply === '{position.now}'")
    assert all(at_first) and tab.js(colours) == at_first
    tab.close()
