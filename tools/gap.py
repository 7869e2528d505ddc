"""What is left with unseen components, over the number of packs that one learns with.

    python tools/gap.py orbis                       train and measure what is missing; write the page
    python tools/gap.py innovation --seeds 0 1 2    the same with more seeds
    python tools/gap.py innovation --config selfplay --against random --packs 1 100
    python tools/gap.py orbis --player mcts:100     a player that learns nothing, with the same packs
    python tools/gap.py god_of_war --set options.players=1 --steps 1_000_000 --games 1000 --seeds 0
    python tools/gap.py --page                      only write the page and its pictures anew

As in Procgen (Cobbe et al. 2020): an agent learns by `configs/GAME/td.yaml`, or another of the game's files, with the
packs 0 to N - 1, and then plays greedy with these packs and with packs 1000 to 1099, which nobody learns with. Greedy
knows every pack by its rules. In God of War there is nobody to play against: the agent plays all heroes itself. Figures
are kept in docs/gap.json after every run, so it goes on where it was stopped; other settings are other figures.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from theogony.benchmark.training import train_in
from theogony.console.progress import Progress
from theogony.envs.core.draw.svg import FAINT, circle, element, line, picture, text
from theogony.envs.core.players import make_player
from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.training.config.file import load_config
from theogony.training.rating.evaluate import TEAM, evaluate, wilson

# ---- The page and its pictures

WIDTH, HEIGHT, LEFT, TOP = 360.0, 200.0, 60.0, 40.0  # of a picture
LINES = (("trained", "with packs of training", "#1f6fb2"), ("unseen", "with unseen packs", "#c4501e"))
HEAD = """\
# The gap to unseen components

Written by `python tools/gap.py`. An agent learns with N packs of components, and then plays with the packs of its
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


# ---- The figures


ROOT = Path(__file__).parents[1]
FIGURES, PAGE, PICTURES = ROOT / "docs/gap.json", ROOT / "docs/lab/gap.md", ROOT / "docs/lab/pictures"
PACKS = (1, 10, 100, 1000)
UNSEEN = "random:1000-1099"
# The training file and the opponent where a figure says neither; a player that is measured as it is, learning nothing.
USUAL: dict[str, Any] = {"config": "td", "against": "greedy", "player": ""}
SEED = 9  # of the deals that are played after learning


def packs_of(count: int) -> str:
    """The first so many packs, as the option `components` names them."""
    return "random:0" if count == 1 else f"random:0-{count - 1}"


def opponent(game: str) -> str:
    """Against whom the figures are made where nobody is named: in a cooperative game the agent plays every seat."""
    return "team" if load(game).cooperative else USUAL["against"]


def trained(one: dict[str, Any], folder: Path) -> Path:
    """A run that learnt with so many packs. Raises ConfigError or CheckpointError."""
    steps = one["steps"]
    fixed = [f"options.components={packs_of(one['packs'])}", f"seed={one['seed']}", f"algorithm.total_steps={steps}"]
    fixed += [f"folder={folder}", "evaluation.games=2", "evaluation.final_games=2", "environment.threads=1"]
    fixed += [f"evaluation.every={steps}", f"checkpoint_every={steps}", *one["settings"]]
    file = ROOT / f"configs/{one['game']}/{one['config']}.yaml"
    train_in(folder, load_config(file, fixed), "go on with the same command")
    return folder


def won(player: str, one: dict[str, Any], options: dict[str, Any], components: str) -> float:
    """The share of games that a player wins with these packs."""
    made = load(one["game"]).configure({**options, "components": components})
    return round(evaluate(make_player(player, made), one["against"], made, one["games"], SEED).win_rate, 4)


def measure(one: dict[str, Any]) -> dict[str, Any]:
    """Learn, where the figure names no player, then play with packs of training and with others."""
    one, begun = {**USUAL, **one}, time.process_time()
    both = (packs_of(one["packs"]), UNSEEN)
    options = load_config(ROOT / f"configs/{one['game']}/{one['config']}.yaml", one["settings"]).options
    with tempfile.TemporaryDirectory() as folder:
        player = one["player"] or str(trained(one, Path(folder) / "run"))
        shares = [won(player, one, options, components) for components in both]
    return {**one, "trained": shares[0], "unseen": shares[1], "cpu": round(time.process_time() - begun, 1)}


def known(file: Path = FIGURES) -> list[dict[str, Any]]:
    """What was measured so far."""
    found = json.loads(file.read_text("utf-8")) if file.exists() else []
    return [{**USUAL, **one} for one in found]


def run(wanted: Sequence[dict[str, Any]], file: Path = FIGURES) -> None:
    """Measure what is missing, and keep it."""
    left = [one for one in wanted if not any(same(found, one) for found in known(file))]
    with Progress("gap", len(wanted), "runs", len(wanted) - len(left)) as progress:
        for one in left:
            found = measure(one)
            progress.say(
                f"{found['game']}, {found['packs']} packs, seed {found['seed']}: {found['trained']:.1%} with them, "
                f"{found['unseen']:.1%} with unseen ones"
            )
            lines = ",\n".join(json.dumps(each) for each in [*known(file), found])
            replace_file(file, f"[\n{lines}\n]\n".encode())
            progress.add()


def write_page(figures: Sequence[dict[str, Any]], page: Path = PAGE, pictures: Path = PICTURES) -> None:
    """The page and a picture for each game."""
    make_folder(pictures)
    for name, svg in curves(figures).items():
        replace_file(pictures / f"{name}.svg", svg.encode())
    replace_file(page, page_of(figures).encode())


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="*", help="orbis, innovation, ...")
    parser.add_argument("--packs", type=int, nargs="+", default=list(PACKS), help="how many to learn with")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1], help="of the training")
    parser.add_argument("--steps", type=int, default=200_000, help="decisions to learn from")
    parser.add_argument("--games", type=int, default=400, help="behind every figure")
    parser.add_argument("--config", default=USUAL["config"], help="configs/GAME/CONFIG.yaml, by which is learnt")
    parser.add_argument(
        "--against", help="the opponent; by default greedy, or team, who plays every seat of God of War"
    )
    parser.add_argument(
        "--player", default="", help="one that learns nothing, such as mcts:100, in place of a training"
    )
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE", help="settings of the training file")
    parser.add_argument("--page", action="store_true", help="only write the page")
    asked = parser.parse_args()
    same_for_all = {"steps": 0 if asked.player else asked.steps, "games": asked.games, "settings": asked.set}
    same_for_all |= {"config": asked.config, "player": asked.player}
    seeds = asked.seeds[:1] if asked.player else asked.seeds
    try:
        wanted = [
            {"game": game, "packs": packs, "seed": seed, "against": asked.against or opponent(game), **same_for_all}
            for game in asked.game for seed in seeds for packs in asked.packs
        ]  # fmt: skip
        run([] if asked.page else wanted)
    except ValueError as error:
        raise SystemExit(f"gap.py: {error}") from None
    write_page(known())
    print(f"{PAGE}: written")


if __name__ == "__main__":
    main()
