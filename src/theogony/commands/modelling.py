"""Commands for language models: measure one on the ladder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer import Argument, Option

from theogony.commands import arguments as given
from theogony.envs.core.untrusted.outside import parse_json

Rules = Literal["given", "renamed", "none"]

LADDER = "ladder"  # its anchors


def models(
    game: Annotated[
        str, Argument(metavar="GAME|SUITE", help="a game's name, or quick, medium, standard, ladder, unseen")
    ],
    model: Annotated[
        list[str],
        Option(
            metavar="ADDRESS#MODEL|MODULE:CALLABLE|FILE.py|COMMAND",
            help="who answers: http://host/v1#name, a function of texts, a program with act(view), a command of lines; "
            "with --seats NAME=... for each",
        ),
    ],
    seats: Annotated[
        str,
        Option(
            metavar="model:NAME,NAME...",
            help="everybody meets everybody: models, players, `ladder`; in a cooperative game teams: model:a+greedy",
        ),
    ] = "",
    against: Annotated[str, Option(metavar="ladder|NAME,NAME...", help="who sits in the other seats")] = LADDER,
    games: Annotated[int, Option(min=1, max=10**6, help="games against each, every deal in every seat")] = 20,
    out: Annotated[str, Option(metavar="FILE", help="the results file; transcripts are beside it")] = "",
    name: Annotated[str, Option(help="what the model is called; by default as it is named")] = "",
    moves: Annotated[given.Moves, Option(help="how legal moves are shown")] = "listed",
    rules: Annotated[Rules, Option(help="whether rules are told, or told with other names")] = "given",
    names: Annotated[int, Option(min=0, help="seed of the other names")] = 0,
    conversation: Annotated[bool, Option(help="send all of a game so far, not the position alone")] = False,
    brief: Annotated[bool, Option(help="of a position tell only what has changed; sends all of a game")] = False,
    forced: Annotated[bool, Option("--skip-forced", help="play decisions with one legal move unasked")] = False,
    scratchpad: Annotated[bool, Option(help="the model may keep notes from decision to decision")] = False,
    whole_turns: Annotated[bool, Option(help="a reply may hold several moves")] = False,
    learn: Annotated[int, Option(min=1, max=1000, help="so many games in a row share the model's lessons")] = 1,
    hint: Annotated[str, Option(metavar="PLAYER", help="tell with each position what it would play")] = "",
    tries: Annotated[int, Option(min=1, max=100, help="replies until the model loses its word")] = 3,
    forfeit: Annotated[bool, Option("--forfeit", help="and its game; by default a move is drawn")] = False,
    temperature: Annotated[float | None, Option(min=0.0, help="of an endpoint; by default its own")] = None,
    set: Annotated[
        list[str] | None,
        Option(metavar="KEY=VALUE", help="a further parameter of requests: reasoning_effort=high, top_p, seed"),
    ] = None,
    reply_tokens: Annotated[int | None, Option(min=1, help="of a reply, at most")] = None,
    timeout: Annotated[float, Option(min=0.1, help="seconds that a reply may take")] = 120.0,
    retries: Annotated[int, Option(min=0, max=100, help="how often a request that failed is sent again")] = 6,
    key_variable: Annotated[
        str, Option(metavar="VARIABLE", help="of the environment, which holds the key")
    ] = "THEOGONY_MODEL_KEY",
    max_tokens: Annotated[int | None, Option(min=1, help="read and written in all, former runs too")] = None,
    max_cost: Annotated[float | None, Option(min=0.0, help="dollars in all; needs --price")] = None,
    price: Annotated[
        list[str] | None,
        Option(metavar="READ,WRITTEN", help="dollars a million tokens; NAME=READ,WRITTEN is that of one model"),
    ] = None,
    contamination: Annotated[
        bool, Option("--contamination", help="play with other names and unseen components too: what is memory?")
    ] = False,
    at_once: Annotated[int, Option(min=1, max=256, help="games that are played at the same time")] = 4,
    cluster: given.OnCluster = None,
    option: given.Options = None,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Let language models play against players of known strength or each other, and rate them. A run that was stopped
    goes on.

    The key of an endpoint comes from the environment and is written nowhere. `theogony benchmark verify FILE` plays the
    transcripts again.
    """
    from theogony.models.named import Manner
    from theogony.models.run import Measurement, run
    from theogony.models.table import Settings, seats_named

    models = _models(model) if seats else {}
    seated = seats_named(seats, models) if seats else []
    if not seats and len(model) > 1:
        raise typer.BadParameter("--model: expected one, or --seats to say who meets whom")
    if seats and against != LADDER:
        raise typer.BadParameter("--against: who sits in the other seats is said by --seats")
    given.consent([*(models.values() or model), hint, *against.split(","), *seated], allow_modules)
    called = (name or "+".join(models) or model[0].rpartition("#")[2])[:100]  # of an address the model alone
    file = Path(out or f"{given.as_file(called)}-{given.as_file(game)}.json")
    given.writable(file)
    settings = Settings(
        moves=moves,
        rules=rules,
        names=names,
        memory="conversation" if conversation or brief or learn > 1 else "position",
        brief=brief,
        forced=forced,
        scratchpad=scratchpad,
        whole_turns=whole_turns,
        learn=learn,
        hint=hint,
        tries=tries,
        after_tries="forfeit" if forfeit else "random",
    )
    manner = Manner(temperature, reply_tokens, timeout, retries, key_variable, _parameters(set or []))
    prices = _prices(price or [], models)
    if contamination:
        from theogony.models.contamination import run
    run(
        Measurement(
            game=game,
            model=model[0],
            out=file,
            against=against,
            seats=seated,
            models=models,
            games=games,
            name=name,
            settings=settings,
            manner=manner,
            options=given.options_of(option),
            max_tokens=max_tokens,
            max_cost=max_cost,
            price=prices.pop("", None),
            prices=prices,
            at_once=at_once,
            cluster=cluster,
        )
    )


def _parameters(given: list[str]) -> dict[str, Any]:
    """Parameters of requests, `seed=7` or `stop=["a"]`: values are JSON, or words. Raises BadParameter."""
    found: dict[str, Any] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not (name and equals) or name in found:
            raise typer.BadParameter(f"--set: {one!r:.80}: expected NAME=VALUE, such as reasoning_effort=high, once")
        try:
            found[name] = parse_json(value.encode(), name, ValueError)
        except ValueError:
            found[name] = value
    return found


def _models(given: list[str]) -> dict[str, str]:
    """Models by their names, `a=http://host/v1#name`. Raises BadParameter."""
    from theogony.models.table import OWN_NAME

    found: dict[str, str] = {}
    for one in given:
        name, equals, named = one.partition("=")
        if not equals or not OWN_NAME.fullmatch(name) or name in found:
            raise typer.BadParameter(f"--model: {one!r:.80}: with --seats expected NAME=MODEL, each name once")
        found[name] = named
    return found


def _prices(given: list[str], models: dict[str, str]) -> dict[str, tuple[float, float]]:
    """Prices by the names of models, that of all others by "". Raises BadParameter."""
    found: dict[str, tuple[float, float]] = {}
    for one in given:
        name, equals, price = one.rpartition("=")
        if name in found or (equals and name not in models):
            expected = f"one of {', '.join(models)}, once" if models else "READ,WRITTEN, once"
            raise typer.BadParameter(f"--price: {one!r:.80}: expected {expected}")
        try:
            read, written = (float(part) for part in price.split(","))
        except ValueError:
            read = written = -1.0
        if not (0 <= read < float("inf") and 0 <= written < float("inf")):
            raise typer.BadParameter(f"--price: {price!r}: expected two numbers from 0 on, such as 0.5,1.5")
        found[name] = read, written
    return found
