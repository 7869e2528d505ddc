"""`theogony tune`: hyperparameters of a training file, or of a program, searched by Optuna.

Every trial is a short run with other values, measured afterwards against the players of `evaluation.against` on deals
that nothing else uses: not those of training and its evaluations, and never those of the benchmark. All is in one
folder: the journal of the study, and a run for each set of values. The same command goes on where it was stopped.

Trials are jobs of the arena, proposed in rounds of so many at once. A proposal follows from the rounds before it: not
from who made their trials, nor from stops.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import json
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Protocol

import yaml
from pydantic import Field, TypeAdapter, ValidationError

from theogony.console import interrupt
from theogony.console.extras import install
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.training.config import ConfigError
from theogony.training.config.engines import Config, parsed
from theogony.training.config.file import COMMAND_LINE, apply_override, entries, load_config, read_yaml
from theogony.training.config.sections import Schedule, Section
from theogony.training.learning.train import Limits, carry_out, is_done
from theogony.training.networks.weights import CheckpointError
from theogony.training.rating.arena import each
from theogony.training.rating.evaluate import evaluate, wilson
from theogony.training.storage.disk import only_here
from theogony.training.storage.folder import CONFIG

JOURNAL, STUDY = "study.log", "tune"
BEST = "best.yaml"  # what keeps the best values, in the folder of the search
GO_ON = "what was tried is in {}; go on with the same command"
DEALS = 0x7E57_0000_0000  # added to the seed: the deals of trials
ONCE = "nothing: a trial is measured once, when it is over"
FIXED = {  # entries that are the same in all trials, and what says them
    "algorithm.total_steps": "--steps",
    "seed": "--seed",
    "folder": "--folder",
    "evaluation.games": "--games",
    **dict.fromkeys(("evaluation.every", "evaluation.final_games", "checkpoint_every"), ONCE),
}


class Range(Section):
    """Numbers from `low` to `high`, whole ones where both are; `log`: evenly by their logarithm."""

    low: int | float
    high: int | float
    log: bool = False


class Choice(Section):
    """One of some values."""

    choices: Annotated[list[bool | int | float | str], Field(min_length=1)]


Space = dict[str, Range | Choice]
RATE = Range(low=1e-4, high=5e-3, log=True)
PPO: Space = {
    "algorithm.learning_rate": RATE,
    "algorithm.ent_coef": Range(low=1e-4, high=3e-2, log=True),
    "algorithm.gae_lambda": Range(low=0.7, high=1.0),
    "algorithm.n_epochs": Range(low=1, high=6),
    "algorithm.clip_range": Range(low=0.1, high=0.4),
}
SPACES: dict[str, Space] = {
    "sb3": PPO,
    "rllib": PPO,
    "td": {
        "algorithm.learning_rate": RATE,
        "td.td_lambda": Range(low=0.6, high=0.98),
        "td.explore": Range(low=3e-3, high=1e-1, log=True),
        "td.noise": Range(low=1e-3, high=1e-1, log=True),
    },
}


class Subject(Protocol):
    """What is tuned: a `TrainingFile`, or a program (`theogony.benchmark.tuning`). Its methods raise ConfigError."""

    def settings(self) -> dict[str, Any]:
        """What is the same in all trials, as plain data."""
        ...

    def former(self, settings: Any) -> dict[str, Any]:
        """The settings of a search that was stopped, as `settings` would give them today."""
        ...

    def default_space(self) -> Space:
        """What is searched where no file says it."""
        ...

    def own_values(self, space: Space) -> dict[str, Any]:
        """The values of the first trial; those left out are drawn."""
        ...

    def job(self, asked: Asked, values: Mapping[str, Any], folder: Path) -> Any:
        """What trains with these values in a folder, as it is sent to another process."""
        ...

    def made(self, job: Any, asked: Asked) -> tuple[float, int]:
        """Train, or go on, and measure: the mean share of games won over the players met, and the number of games."""
        ...

    def best(self, values: Mapping[str, Any]) -> str:
        """The text of a file that keeps these values."""
        ...

    def told(self, values: Mapping[str, Any]) -> str:
        """These values as arguments of a command."""
        ...

    def command(self, values: Mapping[str, Any]) -> str:
        """The command that trains with these values."""
        ...


@dataclass(frozen=True)
class Asked:
    """What is to be searched, and how much is spent on it."""

    subject: Subject
    folder: Path
    trials: int
    steps: int  # of every trial
    games: int  # of every trial, against each player
    seed: int
    space: Path | None
    at_once: int = 1
    cluster: str | None = None


def run(asked: Asked) -> None:
    """Search until so many trials are done, then print the best. Raises ConfigError, and as training does."""
    settings = asked.subject.settings()
    optuna = _optuna()
    space = read_space(asked.space) if asked.space else asked.subject.default_space()
    _check_space(asked, space)
    with only_here(asked.folder):
        study = _study(optuna, asked, settings, space)
        interrupt.say(GO_ON.format(asked.folder))
        while proposed := _round(optuna, study, asked, space):
            for made in each(functools.partial(Trials, asked), proposed, asked.at_once, asked.cluster):
                _tell(optuna, study, made)
    print(summary(study, asked, optuna))
    if study.get_trials(states=(optuna.trial.TrialState.COMPLETE,)):
        replace_file(asked.folder / BEST, asked.subject.best(study.best_params).encode())


def _optuna() -> Any:
    try:
        optuna = importlib.import_module("optuna")
    except ModuleNotFoundError:
        raise ConfigError(f"theogony tune needs Optuna, which is not installed here: {install('tune')}") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


# ---------------------------------------------------------------------------------------------------- the space


def read_space(path: Path) -> Space:
    """The space of a file: `key: {low, high, log}` or `key: {choices: [...]}`. Raises ConfigError."""
    content, _ = read_yaml(path)
    try:
        space = TypeAdapter(Space).validate_python(content)
    except ValidationError as error:
        wrong = next(map(str, error.errors()[0]["loc"]), "its content")
        raise ConfigError(f"{path}: {wrong}: expected {{low: 0.9, high: 1.0}} or {{choices: [1, 2]}}") from None
    for key, one in space.items():
        if isinstance(one, Range) and not (one.low < one.high and (one.low > 0 or not one.log)):
            raise ConfigError(f"{path}: {key}: expected low below high, and above 0 with log")
    if not space:
        raise ConfigError(f"{path}: names nothing to search; expected such as algorithm.gamma: {{low: 0.9, high: 1.0}}")
    return space


def _check_space(asked: Asked, space: Space) -> None:
    """Raise ConfigError where the file does not take the values at an end of a space."""
    for end in (0, -1):
        try:
            asked.subject.job(asked, {key: _values(one)[end] for key, one in space.items()}, asked.folder)
        except ConfigError as error:
            raise ConfigError(f"{asked.space or 'the usual space'}: {str(error).removeprefix(COMMAND_LINE)}") from None


def _values(one: Range | Choice) -> list[Any]:
    return [one.low, one.high] if isinstance(one, Range) else one.choices


def _suggest(trial: Any, key: str, one: Range | Choice) -> Any:
    if isinstance(one, Choice):
        return trial.suggest_categorical(key, one.choices)
    if isinstance(one.low, int) and isinstance(one.high, int):
        return trial.suggest_int(key, one.low, one.high, log=one.log)
    return trial.suggest_float(key, one.low, one.high, log=one.log)


# ---- A training file -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TrainingFile:
    """A training file with entries to change."""

    file: Path
    overrides: tuple[str, ...]

    def config(self, *more: str) -> Config:
        """The file with its entries, and more. Raises ConfigError."""
        return load_config(self.file, [*self.overrides, *more])

    def settings(self) -> dict[str, Any]:
        """The file as it is, but for the folder."""
        for key in (override.partition("=")[0] for override in self.overrides):
            if key in FIXED:
                raise ConfigError(f"command line: {key}: is the same in all trials; expected {FIXED[key]}")
        return _settings(self.config())

    def former(self, settings: Any) -> dict[str, Any]:
        """A file of a former search, with defaults of today."""
        return _settings(parsed(settings))

    def default_space(self) -> Space:
        """What is searched of an engine; of a schedule of the learning rate its beginning."""
        config = self.config()
        if config.engine not in SPACES:
            raise ConfigError(f"engine: {config.engine} has no values to search by default; expected --space FILE")
        scheduled = isinstance(config.algorithm.learning_rate, Schedule)
        names = {"algorithm.learning_rate": "algorithm.learning_rate.start"} if scheduled else {}
        return {names.get(key, key): one for key, one in SPACES[config.engine].items()}

    def own_values(self, space: Space) -> dict[str, Any]:
        """What the file itself has of a space."""
        found, settings = dict[str, Any](), self.settings()
        for key, one in space.items():
            value: Any = settings
            for part in key.split("."):
                value = value.get(part) if isinstance(value, dict) else None
            found |= within(key, one, value)
        return found

    def job(self, asked: Asked, values: Mapping[str, Any], folder: Path) -> Config:
        """The training file of a trial."""
        steps = asked.steps
        fixed = [f"algorithm.total_steps={steps}", f"evaluation.every={steps}", f"seed={asked.seed}"]
        fixed += ["evaluation.games=2", "evaluation.final_games=2", f"checkpoint_every={max(1, steps // 4)}"]
        return self.config(*fixed, f"folder={folder}", *entries(values))

    def made(self, job: Config, asked: Asked) -> tuple[float, int]:
        """Train, or go on, and measure."""
        folder = Path(str(job.folder))
        begun = (folder / CONFIG).is_file()
        if not is_done(job, folder):
            carry_out(job, folder, begun, Limits(GO_ON.format(asked.folder)))
        return measured(str(folder), job.make_game(), job.evaluation.against, asked)

    def best(self, values: Mapping[str, Any]) -> str:
        """The training file with these values."""
        best = self.config(*entries(values))
        content = best.model_dump(mode="json", exclude={"folder"}, exclude_defaults=True) | {"engine": best.engine}
        return yaml.safe_dump(content, sort_keys=False)

    def told(self, values: Mapping[str, Any]) -> str:
        """Values as entries that `theogony train` takes."""
        return shlex.join(entries(values))

    def command(self, values: Mapping[str, Any]) -> str:
        """`theogony train` with these entries."""
        return f"{shlex.join(['theogony', 'train', str(self.file), *self.overrides])} {self.told(values)}"


def within(key: str, one: Range | Choice, value: Any) -> dict[str, Any]:
    """A value of a space, the nearest of a range where it lies outside; nothing where it is of another kind."""
    if isinstance(one, Range) and isinstance(value, int | float):
        return {key: type(one.low)(min(max(value, one.low), one.high))}
    return {key: value} if isinstance(one, Choice) and value in one.choices else {}


def _settings(config: Config) -> dict[str, Any]:
    return config.model_dump(mode="json", exclude={"folder"})


def measured(player: str, game: Game, against: Sequence[str], asked: Asked) -> tuple[float, int]:
    """Share of games won and number of games. Deals are mixed from the seed, so that none is a reserved one."""
    one = make_player(player, game)
    results = [evaluate(one, other, game, asked.games, DEALS + asked.seed) for other in against]
    return sum(one.win_rate for one in results) / len(results), sum(one.games for one in results)


# ---------------------------------------------------------------------------------------------------- the trials


def _study(optuna: Any, asked: Asked, settings: dict[str, Any], space: Space) -> Any:
    """The study of a folder. Raises ConfigError where it is another one."""
    make_folder(asked.folder)
    journal = importlib.import_module("optuna.storages.journal")
    path = str(asked.folder / JOURNAL)
    storage = optuna.storages.JournalStorage(
        journal.JournalFileBackend(path, lock_obj=journal.JournalFileOpenLock(path))
    )
    study = optuna.create_study(study_name=STUDY, storage=storage, direction="maximize", load_if_exists=True)
    about = _about(asked, settings, space)
    known = study.user_attrs.get("about")
    if known is not None and (known := {**known, "file": asked.subject.former(known["file"])}) != about:
        key = next(key for key in about if known.get(key) != about[key])
        raise ConfigError(f"{asked.folder}: is of another search: {key} differs; expected another --folder")
    study.set_user_attr("about", about)
    return study


def _about(asked: Asked, settings: dict[str, Any], space: Space) -> dict[str, Any]:
    """What must be the same for trials to be compared."""
    return {
        "file": settings,
        "space": {key: one.model_dump() for key, one in space.items()},
        **{name: getattr(asked, name) for name in ("steps", "games", "seed", "at_once")},
    }


class Proposed(NamedTuple):
    """A trial that is to be made: its number, and what trains with its values."""

    number: int
    job: Any


class Made(NamedTuple):
    """A trial that was made: the share of games won, of how many; or why it failed, such as training that diverged."""

    number: int
    won: float = 0.0
    games: int = 0
    problem: str = ""


def _round(optuna: Any, study: Any, asked: Asked, space: Space) -> list[Proposed]:
    """The trials of a round that was stopped, or of the next one; none where all are made."""
    states = optuna.trial.TrialState
    found = [optuna.trial.Trial(study, one._trial_id) for one in study.get_trials(states=(states.RUNNING,))]
    begun = sum(one.state != states.WAITING for one in study.get_trials())
    proposed = []
    while found or (begun < asked.trials and (not proposed or begun % asked.at_once)):
        if not found:
            study.sampler = optuna.samplers.TPESampler(seed=(asked.seed + begun) % 2**32)
            if not study.get_trials():
                study.enqueue_trial(asked.subject.own_values(space))
            found, begun = [study.ask()], begun + 1
        trial = found.pop(0)
        values = {key: _suggest(trial, key, one) for key, one in space.items()}
        print(f"trial {trial.number}: {asked.subject.told(values)}", flush=True)
        digest = hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:8]
        try:
            job = asked.subject.job(asked, values, asked.folder / f"run-{digest}")
            proposed.append(Proposed(trial.number, job))
        except ConfigError as error:
            _tell(optuna, study, Made(trial.number, problem=str(error)))
    return proposed


def _tell(optuna: Any, study: Any, made: Made) -> None:
    """Write down what a trial came to."""
    trial = optuna.trial.Trial(study, study.get_trials()[made.number]._trial_id)
    if made.problem:
        print(f"trial {made.number} failed: {made.problem}", flush=True)
        return study.tell(trial, state=optuna.trial.TrialState.FAIL)
    trial.set_user_attr("games", made.games)
    study.tell(trial, made.won)
    print(f"trial {made.number}: {made.won:.1%} won", flush=True)


class Trials:
    """Makes trials: a worker of `training/rating/arena.py`. Of several at once none says how its training goes."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked

    def warm_up(self, jobs: Sequence[Proposed]) -> None:
        """What training compiles is known only when it trains."""

    def play(self, job: Proposed) -> Made:
        """Train with the values of a trial, or go on, and measure: the mean share of games won over the players met."""
        try:
            with open(os.devnull, "w") as nowhere, contextlib.ExitStack() as silent:
                if self.asked.at_once > 1:
                    silent.enter_context(contextlib.redirect_stdout(nowhere))
                    silent.enter_context(contextlib.redirect_stderr(nowhere))
                return Made(job.number, *self.asked.subject.made(job.job, self.asked))
        except (CheckpointError, ConfigError) as error:
            return Made(job.number, problem=str(error))


# ---------------------------------------------------------------------------------------------------- the best


def summary(study: Any, asked: Asked, optuna: Any) -> str:
    """The best trial, as YAML and as a command."""
    done = study.get_trials(states=(optuna.trial.TrialState.COMPLETE,))
    failed = len(study.get_trials(states=(optuna.trial.TrialState.FAIL,)))
    if not done:
        return f"none of {failed} trials ended; see {asked.folder}"
    best = study.best_trial
    low, high = wilson(best.value * best.user_attrs["games"], best.user_attrs["games"])
    nested: dict[str, Any] = {}
    for entry in entries(best.params):
        apply_override(nested, entry)
    return (
        f"# the best of {len(done)} trials of {asked.steps:,} steps{f', {failed} failed' if failed else ''}: "
        f"{best.value:.1%} won ({low:.1%} to {high:.1%}; the best of many looks better than it is)\n"
        f"{yaml.safe_dump(nested, sort_keys=False)}# {asked.subject.command(best.params)}"
    )
