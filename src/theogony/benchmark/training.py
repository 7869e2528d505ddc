"""Training inside `theogony benchmark run` by a training file: a run for each task, within a track."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from theogony.benchmark.agents import HELD_BACK, Agent, Kind, filled
from theogony.benchmark.programs import Program, check_seed, is_program, refuse_another
from theogony.benchmark.tasks import (
    SLACK,
    TEAM,
    TRACKS,
    BenchmarkError,
    Point,
    Task,
    TrackName,
    Trained,
    TrainingSeconds,
)
from theogony.envs.core.game import Game
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.player_names import parse_player
from theogony.envs.core.untrusted.checked import checked

POINTS = 10  # of a learning curve
GAMES = 100  # of each evaluation behind a point
LENGTHS = 5  # games that say how long one is
OF_THE_TASK = ("game", "options", "seed", "folder", "evaluation", "checkpoint_every")  # not the training file's to say
FILE = re.compile(r"(.+?\.ya?ml)((?: +[^ =]+=.*)?)")
ENGINES = ("sb3", "td")  # that are trained within a track
HERE = f"{Path(__file__).parent}{os.sep}"  # names of players that lie there are told without it: former/...
LEFT_OUT = {"folder", "torch_threads", "logging"}  # of a configuration: they do not decide what is learnt


def is_learner(player: str) -> bool:
    """Whether an agent is given by a program, or by a training file: `td.yaml`, or with settings of one's own,
    `td.yaml td.search=8`."""
    return is_program(player) or FILE.fullmatch(player) is not None


def train(player: str, task: Task, game: Game, track: TrackName, seed: int, folder: Path, again: str) -> None:
    """Train an agent for a task, or go on, or do nothing where it is ready. `again`: what Ctrl-C says.

    Raises ConfigError or CheckpointError, and BenchmarkError when the folder is of something else.
    """
    found = FILE.fullmatch(player)
    if found is None:
        raise BenchmarkError(f"{player}: expected a training file")
    try:
        settings = shlex.split(found[2])
    except ValueError as problem:
        raise BenchmarkError(f"{player}: {problem}; expected settings such as td.search=8") from None
    config = _config(Path(found[1]), settings, task, game, track, seed, folder)
    train_in(folder, config, again, TRACKS[track].cpu)


def train_in(folder: Path, config: Any, again: str, cpu: float = math.inf) -> None:
    """Train by a configuration, or go on, or do nothing where all steps, or so many seconds of the processor, are done.

    Raises ConfigError or CheckpointError, and BenchmarkError when the folder is of something else.
    """
    from theogony.training.config.file import load_config
    from theogony.training.learning.train import Limits, carry_out
    from theogony.training.storage.checkpoint import any_checkpoint
    from theogony.training.storage.folder import CONFIG, read_metrics

    resumed = (folder / CONFIG).is_file()
    if resumed:
        refuse_another(folder, load_config(folder / CONFIG).model_dump(), config.model_dump(exclude=LEFT_OUT))
        lines = read_metrics(folder)
        ready = lines and (lines[-1]["steps"] >= config.algorithm.total_steps or lines[-1]["cpu"] >= cpu)
        if ready and any_checkpoint(folder):
            return
    carry_out(config, folder, resumed, Limits(again, cpu))


def _config(file: Path, settings: list[str], task: Task, game: Game, track: TrackName, seed: int, folder: Path) -> Any:
    """The training file, with settings behind it, as it is used for a task. Raises ConfigError or BenchmarkError."""
    from theogony.training.config.file import config_file, load_config, read_yaml

    content, _ = read_yaml(config_file(file))
    named = content.get("game") if isinstance(content, dict) else None
    if named not in (task.game, game.spec.name):
        raise BenchmarkError(f"{file}: trains {named}, but {task.id} is of {task.game}: {{game}} stands for a task's")
    for setting in settings:
        if (key := setting.partition("=")[0]).partition(".")[0] in OF_THE_TASK:
            raise BenchmarkError(f"{setting}: {key} is set by the task, the track and the seed of the benchmark")
    fixed = [*settings, f"options={json.dumps(task.options_of_training)}", f"seed={seed}", f"folder={folder}"]
    fixed += ["evaluation.final_games=2", f"evaluation.games={GAMES}"]
    fixed.append(f"evaluation.against=[{TEAM if game.spec.cooperative else 'greedy'}]")
    config = load_config(file, fixed)
    if problem := not_allowed(config.model_dump()):
        raise BenchmarkError(f"{file}: {problem}")
    steps = _steps(config, game, track, file)
    every = max(1, steps // POINTS)
    fixed += [f"algorithm.total_steps={steps}", f"evaluation.every={every}", f"checkpoint_every={every}"]
    return load_config(file, fixed)


def _steps(config: Any, game: Game, track: TrackName, file: Path) -> int:
    """Decisions to learn from, so that the last rollout ends within the track; for a time those of the file."""
    most = TRACKS[track].decisions
    if config.engine not in ENGINES:
        raise BenchmarkError(
            f"{file}: engine: {config.engine} is not trained within a track; train it with `theogony train`, "
            "and name the run as the agent"
        )
    if math.isinf(most):
        return config.algorithm.total_steps
    length = length_of(game) if config.engine == "td" else config.algorithm.n_steps
    rollout = config.environment.num_envs * length
    steps = int(most) - rollout if config.engine == "td" else int(most) // rollout * rollout
    if steps < 1:
        raise BenchmarkError(f"{file}: a rollout has {rollout:,} decisions, too many for the track of {track}")
    return steps


def length_of(game: Game) -> int:
    """About how many decisions a game takes, by a few greedy ones: `engine: td` learns from whole games."""
    plies: list[int] = []
    position, player, rng = Position(game, 0), KernelPlay(game), np.array([1], np.uint64)
    for seed in range(LENGTHS):
        position.reset(seed)
        while not position.over:
            position.play(player.choose(position, 1.0, rng))
        plies.append(int(position.g.ply))
    return max(plies)


def not_allowed(config: dict[str, Any]) -> str | None:
    """What of a configuration breaks the rules of a track, if anything does."""
    if config["start_from"] is not None:
        return "start_from: an agent of a track begins with nothing learnt"
    names = [one["player"] for one in config.get("opponents", [])]
    names += (config.get("league") or {}).get("anchors", [])
    for name in names:
        if HELD_BACK.name in Path(parse_player(name).run or "").parts:
            return f"opponents: {name} is kept for the evaluation, and nobody trains against it"
    return None


# ---------------------------------------------------------------------------------------------------- what is reported


def trained(task: Task, folder: Path) -> tuple[Trained, TrainingSeconds]:
    """What a results file says of a training that has ended."""
    from theogony.training.config.file import load_config
    from theogony.training.storage.folder import CONFIG, read_metrics

    lines = read_metrics(folder)
    config = load_config(folder / CONFIG).model_dump(mode="json", exclude=LEFT_OUT)
    config = json.loads(json.dumps(config).replace(json.dumps(HERE)[1:-1], ""))
    points, last = [line for line in lines if "evaluation" in line], lines[-1]
    curve = []
    for line in points:
        won = {name.replace(HERE, ""): round(one["won"], 6) for name, one in line["evaluation"].items()}
        curve.append(Point(decisions=line["steps"], won=won))
    one = Trained(task=task.id, config=config, decisions=last["steps"], curve=curve)
    times = [(line["seconds"], line["cpu"]) for line in points]
    return one, TrainingSeconds(task=task.id, wall=last["seconds"], cpu=last["cpu"], curve=times)


def check_training(one: Trained, times: TrainingSeconds, agent: Agent, task: Task, game: Game) -> None:
    """Raise BenchmarkError when a training breaks the rules of its track, or is of another game, seed or agent."""
    where, track = f"training of {one.task}", agent.track
    assert track is not None
    limit = TRACKS[track]
    if one.decisions > SLACK * limit.decisions:
        raise BenchmarkError(f"{where}: {one.decisions:,} decisions are more than the track of {track} allows")
    if times.cpu > SLACK * limit.cpu:
        raise BenchmarkError(f"{where}: {times.cpu:,.0f} s are more than the track of {track} allows")
    _check_curve(one, times, where)
    if ("program" in one.config) != is_program(agent.player):
        raise BenchmarkError(f"{where}: its settings are not those of {agent.player}")
    if "program" in one.config:
        found = _checked_program(one.config, filled(agent.player, task, game, agent.seed), track, where)
    else:
        found = _checked_file(one.config, track, task, game, where)
    if found != agent.seed:
        raise BenchmarkError(f"{where}: the seed is {found}, but the agent's is {agent.seed}")


def kind_of_training(one: Trained) -> Kind:
    """The kind of what was learnt, of a training that was checked: networks of programs see observations alone, a
    learnt value looks ahead."""
    from theogony.training.config.engines import TdConfig, parsed

    if "program" in one.config:
        return "observation-only"
    config = parsed(one.config)
    looks_ahead = isinstance(config, TdConfig) or config.network.lookahead > 0
    return "lookahead" if looks_ahead else "observation-only"


def _check_curve(one: Trained, times: TrainingSeconds, where: str) -> None:
    """A learning curve goes forward, and no further than the training. Raises BenchmarkError."""
    if len(times.curve) != len(one.curve):
        raise BenchmarkError(f"{where}: its curve has {len(one.curve)} points, and times of {len(times.curve)}")
    for name, values, end in (
        ("decisions", [point.decisions for point in one.curve], one.decisions),
        ("seconds", [wall for wall, _ in times.curve], times.wall + 1e-3),
        ("seconds of the processor", [cpu for _, cpu in times.curve], times.cpu + 1e-3),
    ):
        if values != sorted(values) or (values and values[-1] > end):
            raise BenchmarkError(f"{where}: the {name} of its curve do not go forward to those of the training")


def _checked_program(content: dict[str, Any], player: str, track: TrackName, where: str) -> int:
    """The seed of a program that keeps the rules of a track. Raises BenchmarkError."""
    asked, steps = checked(Program, content, where, BenchmarkError), TRACKS[track].decisions
    if math.isinf(steps):
        raise BenchmarkError(f"{where}: a program is given a number of decisions, and {track} is a track of time")
    if asked.steps != steps or asked.program != player:
        raise BenchmarkError(
            f"{where}: {asked.program} was asked for {asked.steps:,} decisions; expected {steps:,} of {player}"
        )
    check_seed(asked.seed)
    return asked.seed


def _checked_file(content: dict[str, Any], track: TrackName, task: Task, game: Game, where: str) -> int:
    """The seed of a training file of the task's game that keeps the rules of a track. Raises BenchmarkError."""
    from theogony.training.config.engines import DEFAULT, parsed

    if content.get("engine", DEFAULT) not in ENGINES:
        raise BenchmarkError(f"{where}: engine: {content['engine']} is not trained within a track")
    try:
        config = parsed(content)
    except ValidationError as error:
        first = error.errors()[0]
        key, message = ".".join(map(str, first["loc"][1:])), first["msg"].removeprefix("Value error, ")
        raise BenchmarkError(f"{where}: {key}: {message}") from None
    if problem := not_allowed(config.model_dump()):
        raise BenchmarkError(f"{where}: {problem}")
    expected = task.options_of_training
    if config.game not in (task.game, game.spec.name) or config.options != expected:
        raise BenchmarkError(
            f"{where}: is of {config.game} with {config.options}; expected {task.game} with {expected}"
        )
    steps = config.algorithm.total_steps
    if steps > SLACK * TRACKS[track].decisions:
        raise BenchmarkError(f"{where}: total_steps: {steps:,} are more than the track of {track} allows")
    return config.seed
