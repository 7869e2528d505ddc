"""docs/lab/gap.md and its pictures, from the figures of benchmarks/gap.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from theogony.envs.core.draw.svg import FAINT, circle, element, line, picture, text
from theogony.envs.core.registry import load
from theogony.training.rating.evaluate import TEAM, wilson

WIDTH, HEIGHT, LEFT, TOP = 360.0, 200.0, 60.0, 40.0  # of a picture
LINES = (("trained", "with packs of training", "#1f6fb2"), ("unseen", "with unseen packs", "#c4501e"))
HEAD = """\
# The gap to unseen components

Written by `python benchmarks/gap.py`. An agent learns with N packs of components, and then plays with the packs of its
training and with a hundred that nobody learns with; [Unseen components](../packs.md) says what a pack is.
Share of games won, the mean over seeds, which stand in brackets; what stands behind ± is the 95 % interval that the
number of games leaves to a gap. Greedy, where it is the opponent, knows every pack by its rules.
"""
SUMMARY = """\
Games won with the packs of training less those won with unseen ones, in points of a hundred, over the number of packs
that one learns with; the least and the most of the seeds in brackets. A player that learns nothing plays with the same
packs:
"""


def same(one: dict[str, Any], wanted: dict[str, Any]) -> bool:
    """Whether a figure is the one that is wanted."""
    return all(one[key] == value for key, value in wanted.items())


def summary(figures: Sequence[dict[str, Any]]) -> list[str]:
    """A line for every curve: the gap at each number of packs."""
    curves = [runs for runs in _sections(figures).values() if _is_curve(runs)]
    counts = sorted({one["packs"] for runs in curves for one in runs})
    if not curves:
        return []
    lines = ["", SUMMARY.rstrip(), "", f"| | {' | '.join(f'{packs:,}' for packs in counts)} |"]
    lines.append("|---" * (len(counts) + 1) + "|")
    for runs in curves:
        cells = [_gap([one for one in runs if one["packs"] == packs]) for packs in counts]
        who = runs[0]["player"] or f"{runs[0]['config']}.yaml"
        lines.append(f"| {load(runs[0]['game']).title}, `{who}` | {' | '.join(cells)} |")
    return lines


def _gap(runs: Sequence[dict[str, Any]]) -> str:
    gaps = [100 * (one["trained"] - one["unseen"]) + 0.0 for one in runs]
    if not gaps:
        return "-"
    seeds = f" ({min(gaps):+.1f} to {max(gaps):+.1f})" if len(gaps) > 1 else ""
    return f"{np.mean(gaps):+.1f} ± {_spread(runs):.1f}{seeds}"


def _spread(runs: Sequence[dict[str, Any]]) -> float:
    """Half of the 95 % interval of the gap of these runs, in points of a hundred, from their numbers of games."""
    parts = [one[name] * (1 - one[name]) / one["games"] for one in runs for name in ("trained", "unseen")]
    return 100 * 1.96 * float(np.sqrt(sum(parts))) / len(runs)


def tables(figures: Sequence[dict[str, Any]]) -> list[str]:
    """A section for each game, training file and opponent: a table, and a picture where there is a curve."""
    lines: list[str] = []
    for name, runs in _sections(figures).items():
        one, ways = runs[0], _ways(runs)
        low, high = wilson(one["games"] / 2, one["games"])
        lines += ["", f"## {_title(one)}", ""]
        who = f"`configs/{one['game']}/{one['config']}.yaml`, {one['steps']:,} decisions, then"
        who = f"`{one['player']}`, which learns nothing:" if one["player"] else who
        lines += [
            f"{who} {one['games']:,} games {_opponent(one)} of each figure,",
            f"which is known to within {50 * (high - low):.0f} points (95 %).",
        ]
        for way, found in ways.items():
            lines += ["", f"{way}:" if way else "", ""] if len(ways) > 1 or way else [""]
            lines += ["| packs of training | won with them | won with unseen packs | gap |", "|---|---|---|---|"]
            counts = sorted({one["packs"] for one in found})
            lines += [_row([one for one in found if one["packs"] == packs]) for packs in counts]
        if _is_curve(runs):
            lines += ["", f"![Gap over packs](pictures/{name}.svg)"]
    return lines


def _sections(figures: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Figures by the name of their picture: those that are as long as the last of their section."""
    found: dict[str, list[dict[str, Any]]] = {}
    last = {tuple(one[key] for key in ("game", "config", "against", "player")): one for one in figures}
    for (game, config, against, player), one in sorted(last.items(), key=lambda item: item[0][0]):  # game by game
        wanted = {key: one[key] for key in ("game", "config", "against", "player", "steps", "games")}
        how = (player.replace(":", "-") or config, against)
        name = f"gap-{game}" if how == ("td", "greedy") else f"gap-{game}-{how[0]}-{how[1]}"
        found[name] = [each for each in figures if same(each, wanted)]
    return found


def _ways(runs: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The figures of a section by the settings with which was learnt, in words."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in runs:
        said = "With " + " and ".join(f"`{setting}`" for setting in one["settings"]) if one["settings"] else ""
        found.setdefault(said, []).append(one)
    return {way or ("As the file says" if len(found) > 1 else ""): of for way, of in found.items()}


def _title(one: dict[str, Any]) -> str:
    """The game, and how it was learnt and played where that is not the usual way."""
    title = load(one["game"]).title
    if one["player"]:
        return f"{title}, {one['player']}, {_opponent(one)}"
    return title if one["config"] == "td" else f"{title}, {one['config']}, {_opponent(one)}"


def _opponent(one: dict[str, Any]) -> str:
    return "as a team" if one["against"] == TEAM else f"against {one['against']}"


def _is_curve(runs: Sequence[dict[str, Any]]) -> bool:
    """Whether there are numbers of packs enough to compare, learnt in one way."""
    return len(_ways(runs)) == 1 and len({one["packs"] for one in runs}) > 1


def _row(runs: Sequence[dict[str, Any]]) -> str:
    shares = {name: [one[name] for one in runs] for name in ("trained", "unseen")}
    cells = [f"{np.mean(of):.1%} ({', '.join(f'{share:.1%}' for share in of)})" for of in shares.values()]
    gap = np.mean(shares["trained"]) - np.mean(shares["unseen"])
    return f"| {runs[0]['packs']:,} | {' | '.join(cells)} | {100 * gap + 0.0:+.1f} ± {_spread(runs):.1f} points |"


def curve_svg(runs: Sequence[dict[str, Any]], title: str) -> str:
    """Both shares over the number of packs, a dot each seed, the means joined."""
    counts = sorted({one["packs"] for one in runs})
    across = max(1.0, float(np.log10(counts[-1] / counts[0])))

    def x(packs: int) -> float:
        return LEFT + 20 + (WIDTH - 40) * float(np.log10(packs / counts[0])) / across

    parts = [text(LEFT, TOP - 16, title, 14), *_axes({packs: x(packs) for packs in counts})]
    for k, (name, said, colour) in enumerate(LINES):
        shares = {packs: [one[name] for one in runs if one["packs"] == packs] for packs in counts}
        spots = " ".join(f"{x(packs):.1f},{_y(float(np.mean(found))):.1f}" for packs, found in shares.items())
        parts.append(element("polyline", points=spots, fill="none", stroke=colour, stroke_width=2))
        parts += [circle(x(packs), _y(share), 3, colour) for packs, found in shares.items() for share in found]
        parts.append(text(LEFT + WIDTH + 16, TOP + 16 * (k + 1), said, 13, colour))
    return picture(LEFT + WIDTH + 200, TOP + HEIGHT + 48, *parts)


def _axes(across: dict[int, float]) -> list[str]:
    """Shares upwards, numbers of packs across."""
    parts: list[str] = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(line(LEFT, _y(share), LEFT + WIDTH, _y(share), FAINT))
        parts.append(text(LEFT - 8, _y(share) + 4, f"{share:.0%}", 11, text_anchor="end"))
    parts += [text(x, TOP + HEIGHT + 18, f"{packs:,}", 11, text_anchor="middle") for packs, x in across.items()]
    return [*parts, text(LEFT + WIDTH, TOP + HEIGHT + 36, "packs of training", 11, text_anchor="end")]


def _y(share: float) -> float:
    return TOP + HEIGHT * (1 - share)


def curves(figures: Sequence[dict[str, Any]]) -> dict[str, str]:
    """The pictures, as SVG by their names."""
    sections = _sections(figures)
    return {name: curve_svg(runs, _title(runs[0])) for name, runs in sections.items() if _is_curve(runs)}


def page_of(figures: Sequence[dict[str, Any]]) -> str:
    """docs/lab/gap.md."""
    return "\n".join([HEAD.rstrip(), *summary(figures), *tables(figures), ""])
