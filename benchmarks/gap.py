"""What is left with unseen components, over the number of packs that one learns with.

    python benchmarks/gap.py orbis                       train and measure what is missing; write the page
    python benchmarks/gap.py innovation --seeds 0 1 2    the same with more seeds
    python benchmarks/gap.py innovation --config selfplay --against random --packs 1 100
    python benchmarks/gap.py orbis --player mcts:100     a player that learns nothing, with the same packs
    python benchmarks/gap.py god_of_war --set options.players=1 --steps 1_000_000 --games 1000 --seeds 0
    python benchmarks/gap.py --page                      only write the page and its pictures anew

As in Procgen (Cobbe et al. 2020): an agent learns by `configs/GAME/td.yaml`, or another of the game's files, with the
packs 0 to N - 1, and then plays greedy with these packs and with packs 1000 to 1099, which nobody learns with. Greedy
knows every pack by its rules. In God of War there is nobody to play against: the agent plays all heroes itself. Figures
are kept in docs/gap.json after every run, so it goes on where it was stopped; other settings are other figures.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from theogony.benchmark.training import train_in
from theogony.console.progress import Progress
from theogony.envs.core.players import make_player
from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.training.config.file import load_config
from theogony.training.rating.evaluate import evaluate

sys.path.append(str(Path(__file__).parent))  # for those who load this file by its path
from gap_page import curves, page_of, same

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
