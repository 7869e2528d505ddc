"""The header of a checkpoint: whose weights it holds, and the digests by which damage is noticed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from theogony.envs.core.features import Feature
from theogony.envs.core.game import ComponentError, Game, OptionError
from theogony.envs.core.registry import UnknownGame
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.outside import SHOWN, read_json
from theogony.training.config.modules import find_game
from theogony.training.config.sections import Network, ValueNetwork
from theogony.training.networks.weights import CheckpointError

FORMAT = "theogony-checkpoint-2"
HEADER = "header.json"
Count = Annotated[int, Field(ge=0, lt=10**12)]
Precision = Literal["float32", "float16", "int8"]  # int8: matrices in bytes, as `networks/quantisation.py` has them
LONGEST = 200  # characters of options that an error repeats
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class CheckpointHeader(BaseModel, extra="forbid", frozen=True, strict=True):
    """Whose weights a checkpoint holds. `files` and `digest` are there once it is written, see `sealed`."""

    format: str
    game: str
    version: int
    options: dict[str, Any]
    components: Any
    component_digest: str
    observation_length: Count
    actions: Count
    features: str  # digest of names, shapes and order of the features
    network: Network | ValueNetwork
    steps: Count
    precision: Precision = "float32"  # of the weights
    files: dict[str, Digest] = {}  # SHA-256 of every other file
    digest: Digest | Literal[""] = ""  # SHA-256 of all of this but itself

    @classmethod
    def of(cls, game: Game, network: Network | ValueNetwork, steps: int) -> CheckpointHeader:
        """The header for an agent of a game."""
        changed = {"players", *game.options.model_dump(exclude_defaults=True)}
        return cls(
            format=FORMAT,
            game=game.spec.name,
            version=game.spec.version,
            options={name: value for name, value in _plain(game.options).items() if name in changed},
            components=game.components,
            component_digest=game.component_digest,
            observation_length=game.features.length,
            actions=game.actions.size,
            features=feature_digest(game.features.features),
            network=network,
            steps=steps,
        )

    def sealed(self, files: Mapping[str, bytes], precision: Precision = "float32") -> CheckpointHeader:
        """The header with the digests of the files beside it and its own."""
        digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        whole = self.model_copy(update={"precision": precision, "files": digests})
        return whole.model_copy(update={"digest": _digest_of(whole.model_dump(mode="json"))})

    def as_bytes(self) -> bytes:
        """The file."""
        return (self.model_dump_json() + "\n").encode()

    def make_game(self, path: Path) -> Game:
        """The game that the agent was trained in. Raises CheckpointError when this version of it is another one."""
        try:
            spec = find_game(self.game, path / HEADER)
            if spec.version != self.version:
                raise CheckpointError(
                    f"{path}: is for {self.game} v{self.version}; this is {self.game} v{spec.version}: "
                    "train the agent anew, or use the Theogony that it was trained with"
                )
            game = spec.configure(_without_files(spec.check_options(self.options), self.options))
            if game.component_digest != self.component_digest:
                game = spec.configure(self.options, self.components)
        except (UnknownGame, OptionError, ComponentError, OverflowError) as error:
            raise CheckpointError(f"{path}: {error}") from None
        self.check_same(game, path)
        return game

    def check(self, game: Game, path: Path) -> None:
        """Raise CheckpointError, saying what differs, unless the agent can play this game."""
        expected = CheckpointHeader.of(game, self.network, self.steps)
        differ = [name for name in ("game", "version", "actions") if getattr(self, name) != getattr(expected, name)]
        if not self.saw_fields_of(game):
            differ += ["observation_length" if self.observation_length != game.features.length else "features"]
        if differ:
            found, wanted = (getattr(header, differ[0]) for header in (self, expected))
            what = f"{differ[0]} is {found!r:.{SHOWN}}, but this game has {wanted!r}"
            raise CheckpointError(f"{path}: {what}; {self._reason(game)}")

    def saw_fields_of(self, game: Game) -> bool:
        """Whether the agent learnt with the first fields of the game's observation, or all: new ones come last."""
        fields, ends = game.features.features, [where.stop for where in game.features.slices().values()]
        if self.observation_length not in ends:
            return False
        return self.features == feature_digest(fields[: ends.index(self.observation_length) + 1])

    def _reason(self, game: Game) -> str:
        """Why the agent cannot play a game."""
        players = self.options.get("players")
        if (self.game, players) != (game.spec.name, game.players):
            learnt = f"{self.game:.{SHOWN}} with {players!r:.{SHOWN}} players"
            return f"the agent plays {learnt}, not {game.spec.name} with {game.players}"
        return (
            f"what {self.game} shows its players has changed since: train the agent anew, or use the Theogony that it "
            "was trained with"
        )

    def check_network(self, wanted: Network | ValueNetwork, path: Path) -> None:
        """Raise CheckpointError unless a network of this kind can begin with its weights: the layers must be the same.

        What was learnt may differ (`reward`), and with how much weight lookahead scores begin.
        """
        if not isinstance(self.network, type(wanted)):
            holds, expected = ("a policy", "a learnt value")[:: 1 if isinstance(self.network, Network) else -1]
            raise CheckpointError(f"{path}: holds {holds}; {expected} was expected")
        found, expected = _layers(self.network), _layers(wanted)
        other = [name for name in expected if found[name] != expected[name]]
        if other:
            dumped = [network.model_dump() for network in (self.network, wanted)]
            here, there = (", ".join(f"{name} {one[name]}" for name in other) for one in dumped)
            raise CheckpointError(f"{path}: its network has {here}, that of this run {there}; expected the same")

    def check_same(self, game: Game, path: Path) -> None:
        """Raise CheckpointError unless a run in this game can go on with the checkpoint.

        `check` must pass, and options and components must be equal.
        """
        self.check(game, path)
        if self.component_digest != game.component_digest:
            raise CheckpointError(f"{path}: was made with other components ({self.component_digest:.{SHOWN}})")
        try:
            options = _plain(game.spec.check_options(self.options))
        except OptionError as error:
            raise CheckpointError(f"{path}: {error}") from None
        if options != _plain(game.options):
            raise CheckpointError(
                f"{path}: was made with the options {options!s:.{LONGEST}}, not {_plain(game.options)}"
            )


def read_header(path: Path) -> CheckpointHeader:
    """The header of a checkpoint, whole. Raises CheckpointError."""
    file = path / HEADER
    content = read_json(file, str(file), CheckpointError)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        found = content.get("format") if isinstance(content, dict) else content
        raise CheckpointError(
            f"{file}: is no header of a checkpoint of this version: format is {found!r:.60}, expected {FORMAT!r}; "
            "train the agent anew, or use the Theogony that it was trained with"
        )
    header = checked(CheckpointHeader, content, str(file), CheckpointError)
    if header.digest != _digest_of(content):
        raise CheckpointError(f"{file}: is damaged: its digest is not that of what it holds")
    return header


def _digest_of(content: Mapping[str, Any]) -> str:
    """The digest of a header, as JSON data: of all but the digest itself."""
    text = json.dumps({name: value for name, value in content.items() if name != "digest"}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def feature_digest(fields: Sequence[Feature]) -> str:
    """16 hexadecimal digits that stand for these fields of an observation."""
    layout = json.dumps([[f.name, list(f.shape), f.low, f.high] for f in fields])
    return hashlib.sha256(layout.encode()).hexdigest()[:16]


def _layers(network: Network | ValueNetwork) -> dict[str, Any]:
    """What decides the shapes of the weights, and what is done with them."""
    layers = network.model_dump(exclude={"reward", "lookahead"})
    return layers | ({"lookahead": network.lookahead > 0} if isinstance(network, Network) else {})


def _plain(options: BaseModel) -> dict[str, Any]:
    """Options as JSON has them, but for those that name a file: what the file holds is in the components."""
    python = options.model_dump()
    return {k: v for k, v in options.model_dump(mode="json").items() if not isinstance(python[k], Path)}


def _without_files(options: BaseModel, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a header, which must not lead to files. Raises OptionError."""
    for name, value in options.model_dump().items():
        if isinstance(value, Path) and name in given:
            raise OptionError(f"option {name!r} names a file: a checkpoint holds its components itself")
    return dict(given)
