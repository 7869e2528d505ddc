"""Ten things a first-timer asks at each game, and that the page answers them, in a real browser.

The table of docs/lab/2026-11-23-ten-questions.md says where.
"""

from __future__ import annotations

import re

import pytest
from browser import Browser, Tab
from serving import Opener
from test_browser import click_once, open_seat

from theogony.envs import load

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

MOST = 30  # own decisions within which an answer must have come up
SHOWN = """(found => { if (!found) return ''; panel.hide(); panel.show(found, 0);
  const said = document.getElementById('panel').innerText; panel.hide(); return said; })"""
BOOK = """(said => { document.getElementById('book').close(); return said; })(
  (guide.open('{tab}'), bookfilter.value = '{word}', guide.fill(), document.getElementById('bookpage').innerText))"""
FIND = "[...document.querySelectorAll('#board [data-word]')].find((one) => one.dataset.word.startsWith('{word}'))"
WAYS = {  # where an answer stands -> how to read it; `{word}` is what stands behind it
    "headline": "document.getElementById('turn').innerText",
    "rules": BOOK.replace("{tab}", "rules"),
    "glossary": BOOK.replace("{tab}", "glossary"),
    "panel": f"{SHOWN}({FIND})",
    "now": f"{SHOWN}(document.querySelector('#board [data-now]'))",
    "guide": "(guideon.checked || guideon.click(), document.getElementById('guidance').innerText)",
    "log": "document.getElementById('log').textContent",
    "picture": "[...document.querySelectorAll('#board text')].map((one) => one.textContent).join(' ')",
    "brings": "(([action]) => link.ask('preview?' + new URLSearchParams({decision: game.decision, action})))("
    "shown.choices.find((one) => one[1].includes('{word}')) || shown.choices[0]).then((lines) => lines.join(' '))",
}
QUESTIONS: dict[str, list[tuple[str, str, str]]] = {  # what is asked, where the answer stands, what it holds
    "push_of_faith": [
        ("What am I to do now?", "headline", "Take a tile: push a line"),
        ("Which tile do I get if I push there?", "brings push", "take the tile"),
        ("Why can I not push at every column and row?", "rules", "not face to face"),
        ("What do the figures on the tiles mean?", "panel piece:tile", "statues?: "),
        ("How do I score?", "rules", "largest connected group"),
        ("What would this placement bring?", "brings place", "points \\d+ → \\d+"),
        ("What is my god token good for?", "panel piece:token", "once a game"),
        ("What do the others not know of me?", "rules", "Who knows what"),
        ("What did the other one do?", "log", "Greedy player takes the tile"),
        ("How long does it last, and who wins a tie?", "rules", "Tie: the larger"),
    ],
    "orbis": [
        ("What am I to do now?", "headline", "Take a tile of the display, or a god"),
        ("What does this tile cost and do?", "panel tile:", "points?\\."),
        ("What happens with the cubes when I take a tile?", "guide", "neighbours get one each"),
        ("What does a god pay?", "panel god:", "points?"),
        ("What is wilderness, and what does it cost?", "glossary wilderness", "a point at the end"),
        ("Where may I place a tile?", "rules", "Placement"),
        ("What do farm, village, volcano and forest do?", "glossary volcano", "destroyed"),
        ("How many worshippers may I keep?", "picture", "of 10"),
        ("What did the other one do?", "log", "Greedy player takes the tile"),
        ("What will it bring to place the tile here?", "brings place", "build"),
    ],
    "innovation": [
        ("What am I to do now?", "headline", "draw, meld, use a top card"),
        ("What does this card do?", "panel card:", "draw|meld|score|splay|tuck|return|hand over|exchange|choose"),
        ("Who shares, whom does the demand strike?", "now", "Used by (you|random player|greedy player) now"),
        ("What are the icons for?", "panel icon:", "who shows as many shares it"),
        ("Which card do I draw?", "guide", "highest top value"),
        ("What does splayed left, right, up mean?", "glossary covered", "bottom right"),
        ("How do I claim an achievement?", "panel achievement:", "points in the score pile"),
        ("What are Empire, Monument and the others?", "panel special achievement:", "three of each icon"),
        ("What did the other one's dogma do?", "log", "Greedy player (gets|melds|scores)"),
        ("When does it end, and who wins?", "rules", "§8 End"),
    ],
    "terra_mystica": [
        ("What am I to do now?", "headline", "Choose your faction"),
        ("What can this faction do?", "panel faction:", "Stronghold"),
        ("What are the three bowls of power?", "glossary bowl", "only those in bowl III can be spent"),
        ("What does it cost to build here?", "brings build", "stands at"),
        ("How does a space get another colour?", "glossary spade", "wheel of colours"),
        ("What does this favor tile do?", "panel favor tile:", "steps? on"),
        ("How far is a space from my colour?", "panel space:", "steps? from your colour"),
        ("What scores in this round?", "panel scoring tile:", "points a"),
        ("What are the cult tracks for?", "panel cult:", "8, 4 and 2 points"),
        ("Why am I asked to take power for points?", "glossary take power", "neighbour's building offers"),
    ],
    "god_of_war": [
        ("What am I to do now?", "headline", "Choose where your hero enters"),
        ("What must we do to win the scene?", "panel scenario:", "goal"),
        ("What does this enemy do, and when?", "panel scene card:", "(melee|ranged) \\d"),
        ("What do the runes do?", "panel rune:", "scene cards act"),
        ("What does this card of mine do?", "panel card:", "melee|ranged|block|set|draw|heal"),
        ("How do symbols and numbers go together?", "rules", "needs at least one number"),
        ("What does a full rage track bring?", "panel figure:", "at \\d rage"),
        ("Who is attacked, and how hard?", "log", "attacks \\w+: (melee|ranged) \\d|damage"),
        ("Why did the enemies act?", "log", "Rune \\w+: "),
        ("What do stun and poison cards do?", "glossary poison", "1 damage"),
    ],
}  # fmt: skip


def answer(tab: Tab, where: str) -> str:
    """What stands there now."""
    way, _, word = where.partition(" ")
    return tab.js(WAYS[way].replace("{word}", word)) or ""


@pytest.mark.parametrize("game", QUESTIONS)
def test_the_page_answers_what_a_first_timer_asks(browser: Browser, served: Opener, game: str) -> None:
    assert len(QUESTIONS[game]) == 10
    at = served(game, ["human", *["greedy"] * (max(2, min(load(game).players)) - 1)])
    tab = open_seat(browser, at.url(0))
    tab.wait("document.body.dataset.words")
    open_ = list(QUESTIONS[game])
    for k in range(MOST):
        open_ = [
            (asked, where, wanted) for asked, where, wanted in open_ if not re.search(wanted, answer(tab, where), re.I)
        ]
        if not open_ or tab.js("document.body.dataset.ready") == "over":
            break
        click_once(tab, 7 * k)
    tab.js("localStorage.removeItem('guide')")
    assert not open_, open_
    tab.close()
