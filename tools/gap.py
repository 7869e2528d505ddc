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
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from theogony.benchmark.training import train_in
from theogony.console.progress import Progress
from theogony.envs.core.contract import table
from theogony.envs.core.players import make_player
from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.training.config.file import load_config
from theogony.training.rating.evaluate import TEAM, evaluate, wilson

sys.path.append(str(Path(__file__).parent))  # for those who load this file by its path
from shared import ROOT, curves_svg, keep, read_figures

Figure = dict[str, Any]

# ---- The page and its pictures

SHARES = {"trained": "with packs of training", "unseen": "with unseen packs"}
HEADS = ["packs of training", "won with them", "won with unseen packs", "gap"]
WAY = ("game", "config", "against", "player")
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


def write_page(figures: Sequence[Figure], page: Path | None = None, pictures: Path | None = None) -> None:
    """Write the page and a picture for each curve."""
    pictures, lines = pictures or PICTURES, [HEAD.rstrip(), *summary(figures)]
    make_folder(pictures)
    for name, runs in sections(figures).items():
        lines += section(runs)
        if is_curve(runs):
            lines += ["", f"![Gap over packs](pictures/{name}.svg)"]
            dots = [(said, one["packs"], one[key], 0.0) for key, said in SHARES.items() for one in runs]
            frame = pd.DataFrame(dots, columns=pd.Index(["curve", "x", "y", "half"]))
            svg = curves_svg(frame, title(runs[0]), "packs of training", shares=True)
            replace_file(pictures / f"{name}.svg", svg.encode())
    replace_file(page or PAGE, "\n".join([*lines, ""]).encode())


def sections(figures: Sequence[Figure]) -> dict[str, list[Figure]]:
    """Return figures by the name of their picture: those that are as long as the last of their section."""
    found = {}
    last = {tuple(one[key] for key in WAY): one for one in figures}
    for (game, config, against, player), one in sorted(last.items(), key=lambda item: item[0][0]):  # game by game
        wanted = {key: one[key] for key in (*WAY, "steps", "games")}
        how = (player.replace(":", "-") or config, against)
        name = f"gap-{game}" if how == ("td", "greedy") else f"gap-{game}-{how[0]}-{how[1]}"
        found[name] = [each for each in figures if same(each, wanted)]
    return found


def summary(figures: Sequence[Figure]) -> list[str]:
    """Return a line for every curve: the gap at each number of packs."""
    curves = [runs for runs in sections(figures).values() if is_curve(runs)]
    counts = sorted({one["packs"] for runs in curves for one in runs})
    rows = []
    for runs in curves:
        who = runs[0]["player"] or f"{runs[0]['config']}.yaml"
        cells = [cell_of_seeds(of) for of in by_packs(runs, counts)]
        rows.append([f"{load(runs[0]['game']).title}, `{who}`", *cells])
    return ["", SUMMARY, table(["", *(f"{packs:,}" for packs in counts)], rows)] if rows else []


def section(runs: Sequence[Figure]) -> list[str]:
    """Return what was measured of a game, training file and opponent: a table for each way to learn."""
    one, found = runs[0], ways(runs)
    low, high = wilson(one["games"] / 2, one["games"])
    who = f"`configs/{one['game']}/{one['config']}.yaml`, {one['steps']:,} decisions, then"
    who = f"`{one['player']}`, which learns nothing:" if one["player"] else who
    lines = [
        f"\n## {title(one)}\n",
        f"{who} {one['games']:,} games {opposed(one)} of each figure,",
        f"which is known to within {50 * (high - low):.0f} points (95 %).",
    ]
    for way, mine in found.items():
        rows = [row(of) for of in by_packs(mine, sorted({one["packs"] for one in mine}))]
        lines += [f"\n{way}:"] if way else []
        lines += ["", table(HEADS, rows)]
    return lines


def ways(runs: Sequence[Figure]) -> dict[str, list[Figure]]:
    """Return the figures of a section by the settings with which was learnt, in words."""
    found: dict[str, list[Figure]] = {}
    for one in runs:
        said = "With " + " and ".join(f"`{setting}`" for setting in one["settings"]) if one["settings"] else ""
        found.setdefault(said, []).append(one)
    return {way or ("As the file says" if len(found) > 1 else ""): of for way, of in found.items()}


def is_curve(runs: Sequence[Figure]) -> bool:
    """Return whether there are numbers of packs enough to compare, learnt in one way."""
    return len(ways(runs)) == 1 and len({one["packs"] for one in runs}) > 1


def by_packs(runs: Sequence[Figure], counts: Sequence[int]) -> list[list[Figure]]:
    """Return the seeds of each number of packs."""
    return [[one for one in runs if one["packs"] == packs] for packs in counts]


def title(one: Figure) -> str:
    """Return the game, and how it was learnt and played where that is not the usual way."""
    usual = not one["player"] and one["config"] == USUAL["config"]
    return load(one["game"]).title + ("" if usual else f", {one['player'] or one['config']}, {opposed(one)}")


def opposed(one: Figure) -> str:
    """Return who played against whom."""
    return "as a team" if one["against"] == TEAM else f"against {one['against']}"


def cell_of_seeds(runs: Sequence[Figure]) -> str:
    """Return the mean gap of some seeds, its interval, and between which gaps they lie."""
    gaps = [100 * (one["trained"] - one["unseen"]) + 0.0 for one in runs]
    seeds = f" ({min(gaps):+.1f} to {max(gaps):+.1f})" if len(gaps) > 1 else ""
    return f"{np.mean(gaps):+.1f} ± {spread(runs):.1f}{seeds}" if gaps else "-"


def row(runs: Sequence[Figure]) -> list[str]:
    """Return the shares of one number of packs, mean and seeds, and the gap."""
    shares = [[one[name] for one in runs] for name in SHARES]
    cells = [f"{np.mean(of):.1%} ({', '.join(f'{share:.1%}' for share in of)})" for of in shares]
    gap = 100 * (np.mean(shares[0]) - np.mean(shares[1])) + 0.0
    return [f"{runs[0]['packs']:,}", *cells, f"{gap:+.1f} ± {spread(runs):.1f} points"]


def spread(runs: Sequence[Figure]) -> float:
    """Return half of the 95 % interval of the gap of these runs, in points of a hundred, by their numbers of games."""
    parts = [one[name] * (1 - one[name]) / one["games"] for one in runs for name in SHARES]
    return 100 * 1.96 * float(np.sqrt(sum(parts))) / len(runs)


# ---- The figures

FIGURES, PAGE, PICTURES = ROOT / "docs/gap.json", ROOT / "docs/lab/gap.md", ROOT / "docs/lab/pictures"
PACKS = (1, 10, 100, 1000)
UNSEEN = "random:1000-1099"
# The training file and the opponent where a figure says neither; a player that is measured as it is, learning nothing.
USUAL: Figure = {"config": "td", "against": "greedy", "player": ""}
SEED = 9  # of the deals that are played after learning


def same(one: Figure, wanted: Figure) -> bool:
    """Return whether a figure is the one that is wanted."""
    return all(one[key] == value for key, value in wanted.items())


def packs_of(count: int) -> str:
    """Return the first so many packs, as the option `components` names them."""
    return "random:0" if count == 1 else f"random:0-{count - 1}"


def opponent(game: str) -> str:
    """Return who is played against where nobody is named: in a cooperative game the agent plays every seat."""
    return TEAM if load(game).cooperative else USUAL["against"]


def trained(one: Figure, folder: Path) -> Path:
    """Return a run that learnt with so many packs. Raises ConfigError or CheckpointError."""
    steps = one["steps"]
    fixed = [f"options.components={packs_of(one['packs'])}", f"seed={one['seed']}", f"algorithm.total_steps={steps}"]
    fixed += [f"folder={folder}", "evaluation.games=2", "evaluation.final_games=2", "environment.threads=1"]
    fixed += [f"evaluation.every={steps}", f"checkpoint_every={steps}", *one["settings"]]
    file = ROOT / f"configs/{one['game']}/{one['config']}.yaml"
    train_in(folder, load_config(file, fixed), "go on with the same command")
    return folder


def won(player: str, one: Figure, options: Figure, components: str) -> float:
    """Return the share of games that a player wins with these packs."""
    made = load(one["game"]).configure({**options, "components": components})
    return round(evaluate(make_player(player, made), one["against"], made, one["games"], SEED).win_rate, 4)


def measure(one: Figure) -> Figure:
    """Learn, where the figure names no player, then play with packs of training and with others."""
    one, begun = {**USUAL, **one}, time.process_time()
    options = load_config(ROOT / f"configs/{one['game']}/{one['config']}.yaml", one["settings"]).options
    with tempfile.TemporaryDirectory() as folder:
        player = one["player"] or str(trained(one, Path(folder) / "run"))
        shares = [won(player, one, options, packs) for packs in (packs_of(one["packs"]), UNSEEN)]
    return {**one, **dict(zip(SHARES, shares, strict=True)), "cpu": round(time.process_time() - begun, 1)}


def known(file: Path | None = None) -> list[Figure]:
    """Return what was measured so far."""
    return [{**USUAL, **one} for one in read_figures(file or FIGURES)]


def run(wanted: Sequence[Figure], file: Path | None = None) -> None:
    """Measure what is missing, and keep it."""
    left = [one for one in wanted if not any(same(found, one) for found in known(file))]
    with Progress("gap", len(wanted), "runs", len(wanted) - len(left)) as progress:
        for one in left:
            found = measure(one)
            progress.say(
                f"{found['game']}, {found['packs']} packs, seed {found['seed']}: {found['trained']:.1%} with them, "
                f"{found['unseen']:.1%} with unseen ones"
            )
            keep(file or FIGURES, [*known(file), found])
            progress.add()


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", help="orbis, innovation, ...")
    parser.add_argument("--packs", type=int, nargs="+", default=list(PACKS), help="how many to learn with")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1], help="of the training")
    parser.add_argument("--steps", type=int, default=200_000, help="decisions to learn from")
    parser.add_argument("--games", type=int, default=400, help="behind every figure")
    parser.add_argument("--config", default=USUAL["config"], help="configs/GAME/CONFIG.yaml, by which is learnt")
    parser.add_argument("--against", help="the opponent; by default greedy, or team, who plays all seats of God of War")
    parser.add_argument("--player", default="", help="one that learns nothing, such as mcts:100, instead of a training")
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
