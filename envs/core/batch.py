"""Many games of one kind in one call: what vector environments, training and evaluation stand on."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.batches.arguments import (
    MOST_GAMES,
    MOST_THREADS,
    OpponentTable,
    checked_actions,
    count,
    each_slice,
    seat_mode,
    seat_option,
    slices_of,
)
from theogony.envs.core.batches.kernels import CALLER, ROW, BatchArrays, batch_kernels, first_illegal, seed_streams
from theogony.envs.core.batches.saved import identity, packed, read_saved, saved_forms
from theogony.envs.core.features import ObservationForm, check_form
from theogony.envs.core.game import Game, configured
from theogony.envs.core.players import Player, Views
from theogony.envs.core.position import NO_SEED, Position
from theogony.envs.core.record import RUNNING, byte_rows
from theogony.envs.core.rng import mix, seed_bits
from theogony.envs.core.thinking.opponents import OpponentSpec, parse_opponents
from theogony.envs.core.thinking.player_names import check_made_for
from theogony.envs.core.thinking.player_rng import player_rng
from theogony.envs.core.thinking.sampling import sample_rows
from theogony.envs.core.untrusted.outside import Form

SAMPLER, NEXT_BATCH, PLAYERS = 1, 2, 3  # what a seed is mixed with: for `sample`, for the next `reset`, for players


class Batch:
    """`size` games of one kind. Every row always waits for a decision: a game that ends is followed by the next.

    Args:
        game: a spec with its options in force.
        size: number of games played side by side.
        seed: game k of row i starts from `mix(seed, i, k)`; None draws one from the operating system.
        seat: "all" (the caller plays every seat), the caller's seat, or "random" (drawn for each game).
        opponents: who plays the other seats, drawn for each seat of each game; see
            `theogony.envs.core.thinking.opponents`.
        reward: "outcome" (default with two players), "rank" (default with more), "margin" or, where a game has them,
            "progress" or "points".
        threads: how many slices the rows are cut into, of at least 512 rows. Results do not depend on it.
        observation: "compact" for uint8 codes (`game.features.decode` gives the floats), or "float" for float32.

    The arrays belong to the batch and are overwritten by the next step; copy what you keep:

    * `observations` (size, length) and `masks` int8 (size, actions): what the seat due sees and may do;
    * `codes` uint8 (size, length): the observations in their compact form, whatever `observation` says;
    * `rows` records `ROW`: among them `seat` (due), `over` (how a game ended in this step: 0 not, 1 by rule, 2 cut
      off), `rewards` (size, 8), `ended_seat` and `ended_length` of that game, `episode` (games that are over);
    * `last_codes` uint8 (size, length): the caller's last view of the game that ended, where `over` is set;
    * `last_worth` float64 (size,): the game's own `value` of that game for the caller's seat (seat 0 of a team), where
      it was cut off.

    >>> from theogony.envs import load
    >>> batch = Batch(load("push_of_faith").configure({"players": 2}), 4, seed=0)
    >>> for _ in range(100):
    ...     batch.step(batch.masks.argmax(1))
    >>> batch.rows["episode"].shape
    (4,)
    """

    def __init__(
        self,
        game: Game,
        size: int,
        seed: int | None = None,
        *,
        seat: int | Literal["all", "random"] = "all",
        opponents: OpponentSpec = "random",
        reward: str | None = None,
        threads: int = 1,
        observation: ObservationForm = "compact",
    ) -> None:
        self.game = configured(game)
        self.observation: ObservationForm = check_form(observation)
        self.size: int = count(size, MOST_GAMES, "games")
        self.threads: int = count(threads, MOST_THREADS, "threads")
        self.reward: str = game.reward_of(reward)
        self._reward = game.spec.reward_index(self.reward)
        self.seat_mode: int = seat_mode(game, seat)
        self._others = OpponentTable()
        self._whole = True  # every row waits for the caller: no step stopped half-way
        self._kernels = batch_kernels(game.spec)
        try:
            self._make_arrays()
        except MemoryError as error:
            raise ValueError(f"there is not enough memory for {self.size} games of {game.spec.name}: {error}") from None
        self.set_opponents(opponents)
        self._warm_up()
        self.reset(secrets.randbits(63) if seed is None else seed)

    def __repr__(self) -> str:
        """The game, its options and how many there are."""
        return f"{self.game!r} {self.size} games side by side"

    def _make_arrays(self) -> None:
        game, size, layout = self.game, self.size, self.game.features
        self._slices = slices_of(size, self.threads, game.spec.lookahead + 1)
        self.states: np.ndarray = game.new_states(size)
        self.rows: np.ndarray = np.zeros(size, ROW)
        self._packs: np.ndarray = np.zeros(size, np.uint32)
        self.streams: np.ndarray = np.zeros(size, np.uint64)
        self.codes: np.ndarray = np.zeros((size, layout.length), np.uint8)
        self.last_codes: np.ndarray = np.zeros((size, layout.length), np.uint8)
        self.last_worth: np.ndarray = np.zeros(size)
        floats = self.observation == "float"
        self.observations: np.ndarray = np.zeros((size, layout.length), np.float32) if floats else self.codes
        self.masks: np.ndarray = np.zeros((size, game.actions.size), np.int8)
        self._scratch = game.scratch(len(self._slices))

    def _warm_up(self) -> None:
        """Compile once, before threads could do it at the same time: calls over no rows."""
        none = np.zeros(self.size, np.int64)
        self._kernels.batch_start(self._arrays, np.uint64(0), 0, 0, 0)
        self._kernels.batch_step(self._arrays, none, CALLER, 0, 0, 0)
        sample_rows(self.masks, self.streams, none, 0, 0)

    def reset(self, seed: int | None = None) -> None:
        """Begin anew in every row. Without a seed, the next one follows from the last.

        A seed is any integer, of which 64 bits count; TypeError otherwise.
        """
        self._seed = np.uint64(mix(self._seed, 0, NEXT_BATCH) if seed is None else seed_bits(seed))
        self._whole = False
        seed_streams(self.streams, self._seed, SAMPLER)
        self._rng = player_rng(int(mix(self._seed, 0, PLAYERS)))
        self.secret: bytes = secrets.token_bytes(16)  # behind which `Views.episode_ids` hides row and episode
        each_slice(self._slices, lambda cut: self._kernels.batch_start(self._arrays, self._seed, *cut))
        self._play_others()
        self._decode()
        self._whole = True

    def step(self, actions: Any) -> None:
        """One decision of the caller in every row; then the others play until every row waits for the caller again.

        `actions` are integers (size,). Raises IllegalAction, with every game as it was, when one is not legal. When an
        opponent fails, its error is raised and the games stand half-way: from then on `step` raises
        RuntimeError, until `reset` or `load_state_dict`.
        """
        self._check_whole()
        checked = checked_actions(actions, self.size, "step")
        self._check_legal(checked, CALLER, "step")
        self._whole = False
        self._take(checked, CALLER)
        self._play_others()
        self._decode()
        self._whole = True

    def _check_whole(self) -> None:
        if not self._whole:
            raise RuntimeError("a step stopped half-way, since an opponent failed: call reset() or load_state_dict()")

    @property
    def last_observations(self) -> np.ndarray:
        """The caller's last view of the game that ended, where `over` is set in `rows`: (size, length)."""
        return self.in_form(self.last_codes)

    def in_form(self, codes: np.ndarray) -> np.ndarray:
        """Codes (n, length) in the form of this batch's observations."""
        return self.game.features.in_form(codes, self.observation)

    def _decode(self) -> None:
        """The floats of all rows, where they are wanted."""
        if self.observation == "float":
            into = self.game.features.decode_into
            each_slice(self._slices, lambda cut: into(self.codes[cut[1] : cut[2]], self.observations[cut[1] : cut[2]]))

    def sample(self) -> np.ndarray:
        """A uniformly drawn legal action for every row, int64 (size,), from the batch's own streams."""
        actions = np.empty(self.size, np.int64)
        each_slice(self._slices, lambda cut: sample_rows(self.masks, self.streams, actions, cut[1], cut[2]))
        return actions

    def ended(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows whose game ended in the last step, and the final reward of the caller's seat in each (float64).

        With seat="all" the rewards are those of seat 0; `rows["rewards"]` has every seat's.
        """
        ended = np.flatnonzero(self.rows["over"])
        return ended, self.rows["rewards"][ended, np.maximum(self.rows["ended_seat"][ended], 0)]

    # ------------------------------------------------------------------------------------------------ opponents

    def set_opponents(self, spec: OpponentSpec) -> None:
        """Other opponents, in games that begin from now on; games in play keep theirs."""
        self._others.put(parse_opponents(spec, self.game), self.rows)
        self._gather()

    @property
    def opponents(self) -> list[tuple[float, str | Player]]:
        """The opponents in force, as (weight, player); those that the kernel plays by name."""
        return self._others.weighed()

    @property
    def players(self) -> dict[int, Player]:
        """The opponents that the batch does not make of itself, by the number that stands for each in a saved state."""
        return self._others.players

    def _gather(self) -> None:
        """Put together what the kernels work on, with the opponents in force."""
        layout = self.game.features
        nets, net_ends = self._others.nets()
        self._arrays = BatchArrays(
            states=self.states,
            tables=self.game.tables,
            rows=self.rows,
            packs=self._packs,
            features=layout.records(self.codes),
            masks=self.masks,
            last_features=layout.records(self.last_codes),
            last_worth=self.last_worth,
            opponents=self._others.records,
            nets=nets,
            net_ends=net_ends,
            scratch=self._scratch,
            seat_mode=self.seat_mode,
            reward=self._reward,
        )

    def _play_others(self) -> None:
        """Let players decide, each all rows that wait for it in one call, until every row waits for the caller."""
        due = self.rows["due"]
        while self.players and due.any():
            for number in np.unique(due[due > CALLER]):
                waiting, player = np.flatnonzero(due == number), self.players[int(number)]
                who = f"opponent {player.name!r:.60}"
                actions = np.zeros(self.size, np.int64)
                actions[waiting] = checked_actions(player.act(Views.of(self, waiting), self._rng), len(waiting), who)
                self._check_legal(actions, int(number), who)
                self._take(actions, int(number))

    # ------------------------------------------------------------------------------------------------ kernels

    def _check_legal(self, actions: np.ndarray, due: int, who: str) -> None:
        row = first_illegal(self.masks, self.rows, actions, due)
        if row >= 0:
            raise self._illegal(row, int(actions[row]), due, who)

    def _take(self, actions: np.ndarray, due: int) -> None:
        """Play legal actions in the rows that wait for the controller `due`."""
        each_slice(self._slices, lambda cut: self._kernels.batch_step(self._arrays, actions, due, *cut))

    def _illegal(self, row: int, action: int, due: int, who: str) -> IllegalAction:
        """The error of a row; what would be legal is told of the caller's seat alone."""
        if due != CALLER:
            return IllegalAction(f"{who}, row {row}: action {action} is not legal", action)
        error = self.position(row).illegal(action)
        return IllegalAction(f"{who}, row {row}: {error}", action, error.legal)

    def position(self, row: int) -> Position:
        """An independent copy of one game, to look at, search from or draw. Its `seed` is `NO_SEED`."""
        number = range(self.size)[row]
        return position_of(self.game, self.states[number][None], self.rows[number], number)

    def games_of(self, rows: np.ndarray) -> Iterator[tuple[Game, np.ndarray]]:
        """The game of every pack that these rows are played with, and the places in `rows`, int64, where it is."""
        if not self.game.packs:
            yield self.game, np.arange(len(rows))
            return
        packs = self._packs[rows]
        for pack in np.unique(packs):
            yield self.game.packs[int(pack)], np.flatnonzero(packs == pack)

    def packs(self) -> np.ndarray:
        """The pack that each row is played with, its place in `game.packs`, int64 (size,); zeros where it has none."""
        return self._packs.astype(np.int64)

    # ------------------------------------------------------------------------------------------------ saving

    def state_dict(self) -> dict[str, np.ndarray]:
        """All that decides how the batch goes on, as plain arrays (for `np.savez`), without the players themselves.

        Raises RuntimeError when a step stopped half-way.
        """
        self._check_whole()
        ended = self.rows["over"] != RUNNING
        return {
            "identity": np.array(identity(self)),
            "seed": np.array([self._seed], np.uint64),
            "states": byte_rows(self.states),
            "rows": byte_rows(self.rows),
            "streams": self.streams.copy(),
            "rng": packed(self._rng),
            "opponents": byte_rows(self._others.records),
            "ended_codes": self.last_codes[ended],
        }

    def load_state_dict(self, state: Mapping[str, np.ndarray], players: Mapping[int, Player] | None = None) -> None:
        """Go on from a saved state, bit by bit as the saved batch would have.

        `players` are those of the saved batch by their numbers (its `players`); None: those this batch has.
        Raises ValueError, changing nothing, when the state is of another game, options, size, seat or reward, when a
        player is missing or made for another game, or when a value is out of its range.
        """
        known = dict(self.players if players is None else players)
        for player in known.values():
            check_made_for(player, self.game)
        saved = read_saved(self, state, known)
        self._others.load(saved.opponents, known, saved.rows)
        self._seed, self._rng, self.secret = saved.seed, saved.rng, secrets.token_bytes(16)
        self._gather()
        self.states.view(np.uint8)[:] = saved.states.view(np.uint8)
        self.rows.view(np.uint8)[:] = saved.rows.view(np.uint8)
        self.streams[:] = saved.streams
        self.last_codes[saved.rows["over"] != RUNNING] = saved.ended_codes
        self._kernels.batch_refresh(self._arrays)
        self._decode()
        self._whole = True

    def saved_forms(self) -> dict[str, Form]:
        """What the arrays of a saved state must be, for `core.untrusted.outside.read_arrays`."""
        return saved_forms(self)

    def __getstate__(self) -> dict[str, Any]:
        arguments = {name: getattr(self, name) for name in ("reward", "threads", "observation")}
        arguments["seat"] = seat_option(self.seat_mode)
        kept = {"players": self.players, "state": self.state_dict()}
        return {"game": self.game, "size": self.size, "arguments": arguments, **kept}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        Batch.__init__(self, kept["game"], kept["size"], 0, **kept["arguments"])
        self.load_state_dict(kept["state"], kept["players"])


def position_of(game: Game, state: np.ndarray, about: Any, row: int) -> Position:
    """A copy of the game in a row of a batch, from its state (1,) and what the batch notes `about` it."""
    position = Position(game.dealt(int(mix(about["seed"], row, about["episode"]))), 0)
    position.begin_at(state)
    position.seed = NO_SEED
    return position
