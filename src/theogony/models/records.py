"""`theogony dataset --text`: games of strong players as conversations, to tune a model on.

A line of JSON holds the conversation of one seat in one game (or of one decision): the messages that a model would be
sent, and the player's moves as its replies, with an empty slot for reasoning. Deals are split, not lines: no deal of
the test is played in training, from whatever seat. Deals of the benchmark are never played here.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from theogony.benchmark.tasks import TEAM
from theogony.console.progress import Progress
from theogony.envs.core.rng import mixed
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.models.ask import Message, ModelError, tokens
from theogony.models.game import ModelGame, played_by
from theogony.models.table import Job, ModelTable, Seats, Settings, usual_table

SPLITS = ("train", "validation", "test")
TENTHS = (8, 1, 1)  # of the deals, in this order
DEALS = 35  # what the seed of a dataset is mixed with
STATISTICS = "statistics.json"
Form = Literal["game", "decision"]


@dataclass(frozen=True)
class Wanted:
    """Which games: `player` plays one seat after the other of each deal against `against`."""

    game: str
    folder: Path
    player: str = "reference"
    against: str = "reference"
    deals: int = 100
    seed: int = 0
    form: Form = "game"
    won: bool = False  # keep games that were won only
    settings: Settings = field(default_factory=lambda: Settings(memory="conversation"))
    options: dict[str, Any] = field(default_factory=dict)


def write(wanted: Wanted) -> dict[str, Any]:
    """Play, and write a file for each split and `statistics.json`. Returns the statistics.

    Raises OptionError, PlayerError, CheckpointError or ModelError before anything is written, and OSError.
    """
    if wanted.deals < sum(TENTHS):
        raise ModelError(f"--games: {wanted.deals} deals cannot be split; expected {sum(TENTHS)} or more")
    table = usual_table(wanted.game, wanted.options)
    seats = Seats({table.name: table}, wanted.settings, alone=wanted.form == "decision")
    seats.player(wanted.player, table.name, table.made)
    lines: dict[str, list[str]] = {split: [] for split in SPLITS}
    counts = {split: Count() for split in SPLITS}
    with Progress("dataset", wanted.deals, "deals") as progress:
        for deal in range(wanted.deals):
            split = split_of(deal)
            for example in _of_deal(wanted, table, seats, deal, counts[split]):
                lines[split].append(json.dumps(example, ensure_ascii=False))
            progress.add()
    make_folder(wanted.folder)
    for split, kept in lines.items():
        replace_file(wanted.folder / f"{split}.jsonl", "".join(f"{line}\n" for line in kept).encode())
    found = _about(wanted, table) | {"splits": {split: counts[split].as_json() for split in SPLITS}}
    replace_file(wanted.folder / STATISTICS, json.dumps(found, indent=1, ensure_ascii=False).encode() + b"\n")
    return found


def split_of(deal: int) -> str:
    """The split of a deal: eight of ten are for training."""
    place = deal % sum(TENTHS)
    return next(split for split, end in zip(SPLITS, np.cumsum(TENTHS), strict=True) if place < end)


@dataclass
class Count:
    """What a split holds; tokens are estimated, four characters each."""

    games: int = 0
    left_out: int = 0
    decisions: int = 0
    tokens: int = 0
    rewards: list[float] = field(default_factory=list)
    moves: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, Any]:
        """For the file of statistics."""
        found = dict(vars(self))
        rewards, moves = found.pop("rewards"), found.pop("moves")
        mean = round(float(np.mean(rewards)), 4) if rewards else None
        return found | {"mean_reward": mean, "moves": dict(moves.most_common())}


def _of_deal(wanted: Wanted, table: ModelTable, seats: Seats, deal: int, count: Count) -> Iterator[dict[str, Any]]:
    """The examples of a deal, from every seat."""
    against = TEAM if table.made.spec.cooperative else wanted.against
    for seat in range(table.made.players):
        job = Job(table.name, against, deal, seat)
        game = ModelGame(seats, [job], [wanted.settings], seed=mixed(wanted.seed, deal, DEALS))
        end, replies = played_by(wanted.player, seats, game, wanted.seed)
        if wanted.won and end.result != "W":
            count.left_out += 1
            continue
        codec = game.sides[0].env.game.actions
        count.games += 1
        count.decisions += end.decisions
        count.rewards.append(end.reward)
        count.moves.update(codec.decode(action)[0] for action in replies)
        about = {"game": wanted.game, "deal": deal, "seat": seat, "player": wanted.player, "against": against}
        for example in _examples(game.sides[0].conversation.messages(), wanted.form):
            count.tokens += sum(tokens(message["content"]) for message in example)
            yield {"messages": example, "metadata": {**about, "reward": end.reward, "score": end.score}}


def _examples(said: Sequence[Message], form: Form) -> Iterator[list[dict[str, str]]]:
    """The whole conversation; or for each decision what stands at the head, the position and the move. A reply has room
    for the reasoning that led to it."""
    slots = [{"reasoning_content": ""} if message["role"] == "assistant" else {} for message in said]
    messages = [{"role": one["role"], **slot, "content": one["content"]} for one, slot in zip(said, slots, strict=True)]
    if form == "game":
        yield messages
        return
    head = [message for message in messages if message["role"] == "system"]
    for k in range(len(head), len(messages) - 1, 2):
        yield [*head, *messages[k : k + 2]]


def _about(wanted: Wanted, table: ModelTable) -> dict[str, Any]:
    """What was played, for the file of statistics."""
    game = table.made
    return {
        "format": "theogony-conversations-1",
        "game": game.spec.name,
        "version": game.spec.version,
        "components": game.component_digest,
        "players": game.players,
        "player": wanted.player,
        "against": wanted.against,
        "seed": wanted.seed,
        "deals": wanted.deals,
        "form": wanted.form,
        "won": wanted.won,
        "track": wanted.settings.track,
    }
