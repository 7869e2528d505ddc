"""Reference players: small trained agents for games and tables of a size, shipped with the package, as plain data.

`training/agents/<game>/<players>p/` has the JSON header and the weights of a checkpoint, in half precision, of an agent
that tries actions on copies of the position: `greedy@reference`, and what the player `reference` thinks with
(`agents/thinking.json`). It is a learnt value or, where a policy with lookahead scores plays better, that policy.
Beside it `<players>p-policy/` has a policy that plays from the observation alone: `reference-policy`, and the agent of
`reference` as well where there is no `<players>p/` because none that looks ahead is as good; its weights are in bytes,
which halves them once more. They are written from a run:
`python -m theogony.training.players.reference RUN`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from safetensors.torch import save as save_tensors

from theogony.envs.core.game import Game
from theogony.envs.core.thinking.player_names import REFERENCES
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.training.config.sections import Network
from theogony.training.networks.quantisation import STEP, observations_of, rounded_weights
from theogony.training.networks.weights import CheckpointError, Tensors
from theogony.training.storage import checkpoint
from theogony.training.storage.checkpoint import POLICY
from theogony.training.storage.header import HEADER, CheckpointHeader, Precision, read_header

AGENTS = Path(__file__).parents[1] / "agents"
REFERENCE, POLICY_ALONE = REFERENCES
KINDS = {REFERENCE: "p", POLICY_ALONE: "p-policy"}  # how the folder of a player ends, after the number of players
# Steps of weights in bytes, by game and table: larger than `STEP` where they change few choices, one in two hundred,
# and in the largest networks.
STEPS = {("god_of_war", 1): 0.25, **{("god_of_war", players): 0.5 for players in (2, 3, 4)}}
STEPS |= {("terra_mystica", players): 0.4 for players in (4, 5)} | {("orbis", 4): 0.4}
LARGEST = 3_000_000  # bytes that the weights of a reference player may have


def reference_folder(game: Game, name: str = REFERENCE, nearest: bool = False) -> Path:
    """Where the reference player of this name for this game and this many players is; `reference` is the policy alone
    where none looks ahead. With `nearest`, that of the nearest number of players. Raises CheckpointError when there is
    none.
    """
    of, kinds = game.spec.name, (KINDS[name], KINDS[POLICY_ALONE])
    tables = {_players(path.parent): path.parent for kind in reversed(kinds) for path in _headers(of, kind)}
    if game.players in tables or (tables and nearest):
        return tables[min(sorted(tables), key=lambda table: abs(table - game.players))]
    if tables:
        known = " or ".join(map(str, sorted(tables)))
        raise CheckpointError(f'there is no player "{name}" of {of} for {game.players} players, only for {known}')
    known = ", ".join(sorted({path.parents[1].name for kind in kinds for path in _headers("*", kind)})) or "none"
    raise CheckpointError(f'there is no player "{name}" of {of}; games that have one: {known}')


def _headers(game: str, kind: str) -> list[Path]:
    return list(AGENTS.glob(f"{game}/*{kind}/{HEADER}"))


def _players(folder: Path) -> int:
    return int(folder.name.partition("p")[0])


def write(run: Path) -> Path:
    """Make the last checkpoint of a run the reference player of its game and table. Returns its folder.

    Raises CheckpointError when it is damaged or too large.
    """
    source = checkpoint.checkpoint_path(run)
    network = read_header(source).network
    alone = isinstance(network, Network) and not network.lookahead
    header, weights = in_bytes(source) if alone else in_half_precision(source)
    if len(weights) > LARGEST:
        raise CheckpointError(f"{run}: has {len(weights):,} bytes of weights; expected at most {LARGEST:,}")
    name = POLICY_ALONE if alone else REFERENCE
    folder = AGENTS / header.game / f"{header.options['players']}{KINDS[name]}"
    make_folder(folder)
    replace_file(folder / POLICY, weights)
    replace_file(folder / HEADER, header.as_bytes())
    return folder


def in_half_precision(run: Path) -> tuple[CheckpointHeader, bytes]:
    """The header and the weights of the last checkpoint of a run, sealed. Raises CheckpointError when it is damaged."""
    source = checkpoint.checkpoint_path(run)
    game = read_header(source).make_game(source)
    checkpoint.check_agent(source, game)
    weights = {name: tensor.to(torch.float16) for name, tensor in checkpoint.read_weights(source).items()}
    return _sealed(source, game, weights, "float16")


def in_bytes(run: Path) -> tuple[CheckpointHeader, bytes]:
    """The same of a policy that plays from the observation alone, its matrices in bytes."""
    source = checkpoint.checkpoint_path(run)
    game = read_header(source).make_game(source)
    policy = checkpoint.read_policy(source, game)
    step = STEPS.get((game.spec.name, game.players), STEP)
    return _sealed(source, game, rounded_weights(policy, observations_of(policy, game), step), "int8")


def _sealed(source: Path, game: Game, weights: Tensors, precision: Precision) -> tuple[CheckpointHeader, bytes]:
    """With the header of a checkpoint, without components that come with the game as well: they make a seventh of a
    small agent."""
    header, content = read_header(source), save_tensors(weights)
    printed = game.spec.configure({"players": game.players}).component_digest
    if game.component_digest == printed:
        header = header.model_copy(update={"components": None})
    return header.sealed({POLICY: content}, precision), content


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        try:
            print(write(Path(argument)))
        except CheckpointError as error:
            raise SystemExit(f"theogony.training.players.reference: {error}") from None
