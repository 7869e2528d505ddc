"""`theogony models`: a model plays against the ladder, and one results file says how it did."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from theogony.benchmark.digests import digest_of
from theogony.benchmark.play.run import machine
from theogony.benchmark.tasks import TEAM
from theogony.console import interrupt
from theogony.envs.core.gamerecord import plain_options
from theogony.envs.core.untrusted.files import replace_file
from theogony.models.ask.budget import Budget
from theogony.models.ask.named import Manner, model_named
from theogony.models.ask.said import Closed, Model, ModelError, Opened
from theogony.models.play.run import Plan, Play
from theogony.models.play.series import chains_of, opponents_of, tables_of
from theogony.models.play.settings import Settings
from theogony.models.play.table import ModelTable
from theogony.models.play.transcript import Transcript, path_of
from theogony.models.results.file import FORMAT, Manners, PlayedGame, PlayedTable, Results, games_folder, write_results
from theogony.models.results.score import figures_of
from theogony.models.results.table import as_text, pictures
from theogony.models.results.verify import prompt_digest
from theogony.training.storage.lock import only_here

DEFAULT_REPLY = 4096  # tokens set aside for a reply whose length nobody limits


@dataclass
class Asked:
    """What is to be measured: a model by its name, on the tables of a game or a suite, against the ladder or others."""

    game: str
    model: str
    out: Path
    against: str = "ladder"
    games: int = 20
    name: str = ""
    settings: Settings = field(default_factory=Settings)
    manner: Manner = field(default_factory=Manner)
    options: dict[str, Any] = field(default_factory=dict)
    max_tokens: int | None = None
    max_cost: float | None = None
    price: tuple[float, float] | None = None
    at_once: int = 4

    def budget(self) -> Budget:
        """What may be spent. Raises ModelError for a budget of dollars without prices."""
        if self.max_cost is not None and self.price is None:
            raise ModelError("--max-cost needs to know what tokens cost: --price READ,WRITTEN, dollars a million")
        read, written = self.price or (0.0, 0.0)
        return Budget(
            tokens=math.inf if self.max_tokens is None else self.max_tokens,
            cost=math.inf if self.max_cost is None else self.max_cost,
            price_read=read,
            price_written=written,
            longest=self.manner.reply_tokens or DEFAULT_REPLY,
        )


def measure(asked: Asked, model: Model | None = None) -> tuple[Results, str]:
    """Play all games that the transcripts beside `out` do not hold. Returns the results, and why games are missing, "".

    The results file and pictures are written when all are played. Raises ModelError, PlayerError, OptionError and
    others before anything is played, and OSError.
    """
    for what in ("learn", "brief"):  # lessons are drawn from a whole game, changes are those of what was told before
        if int(getattr(asked.settings, what)) > (what == "learn") and asked.settings.memory != "conversation":
            raise ModelError(f"{what}: takes all of a game so far; expected the memory of a conversation")
    answers = model if model is not None else model_named(asked.model, asked.manner)
    if isinstance(answers, Opened):  # a program that fails has lost: it is no matter of form
        asked.settings = asked.settings.model_copy(update={"tries": 1, "after_tries": "forfeit"})
    budget = asked.budget()
    tables = {table.name: table for table in tables_of(asked.game, asked.options)}
    against = {name: opponents_of(table, asked.against) for name, table in tables.items()}
    chains = [
        chain
        for name, table in tables.items()
        for chain in chains_of(table, against[name], asked.games, asked.settings)
    ]
    folder = games_folder(asked.out)
    interrupt.say(f"what was played is in {folder}; go on with the same command")
    with only_here(folder), contextlib.ExitStack() as ended:
        if isinstance(answers, Closed):
            ended.callback(answers.close)
        plan = Plan(asked.model, answers, tables, chains, asked.settings, folder, budget, asked.at_once)
        play = Play(plan)
        games = play.run()
        results = _results(asked, plan, games, against, answers.sha256 if isinstance(answers, Opened) else None)
    if not play.stopped:
        write_results(results, asked.out)
        for name, picture in pictures(results).items():
            replace_file(asked.out.with_name(f"{asked.out.stem}-{name}.svg"), picture.encode())
    left = sum(map(len, chains)) - len(games)
    why = f"{play.stopped}; {left} games are left: {play.further}" if play.stopped else ""
    return results, why


def run(asked: Asked) -> None:
    """The command: measure, print the table. Raises ModelError when games are left."""
    results, why = measure(asked)
    if results.games:
        print(as_text(results))
    if why:
        raise ModelError(why)
    print(f"{asked.out}: written", flush=True)


def _results(
    asked: Asked, plan: Plan, games: list[PlayedGame], against: dict[str, list[str]], sha256: str | None
) -> Results:
    from theogony import __version__

    tables = [_played_table(table, against[name], plan) for name, table in plan.tables.items()]
    return Results(
        format=FORMAT,
        kind="language model" if sha256 is None else "program",
        theogony=__version__,
        name=asked.name or asked.model,
        model=asked.model,
        sha256=sha256,
        settings=asked.settings,
        track=asked.settings.track,
        manners=Manners(temperature=asked.manner.temperature, reply_tokens=asked.manner.reply_tokens),
        tables=tables,
        games=games,
        figures=figures_of(games, asked.settings),
        machine=machine(),
    )


def _played_table(table: ModelTable, against: list[str], plan: Plan) -> PlayedTable:
    game = table.made
    first = next(job for chain in plan.chains for job in chain if job.table == table.name)
    head = Transcript(path_of(plan.folder, first)).head
    return PlayedTable(
        name=table.name,
        game=game.spec.name,
        version=game.spec.version,
        options=plain_options(game),
        components=game.component_digest,
        prompt=prompt_digest(head.system if head is not None else ""),
        against={name: None if name == TEAM else digest_of(name, game) for name in against},
    )
