"""`CudaVectorEnv`: many games on a GPU in one call, what they give as torch tensors that never leave it."""

from __future__ import annotations

import secrets
from typing import Any, Unpack

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv

from theogony.console.extras import install

try:
    import torch
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f'device="cuda" needs torch: {install("cuda")}', name=error.name) from error

from theogony.cuda import driver
from theogony.cuda.emit import ptx_of
from theogony.cuda.kernels import WORDS
from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.batch import NEXT_BATCH, position_of
from theogony.envs.core.batches.arguments import MOST_GAMES, OpponentTable, count, seat_mode
from theogony.envs.core.batches.kernels import ALL_SEATS, ROW
from theogony.envs.core.contract import check_reset_options
from theogony.envs.core.features import check_form
from theogony.envs.core.game import Game, OptionError, configured
from theogony.envs.core.players import in_kernel
from theogony.envs.core.portable.layouts import arrays_in, flattened, kind_of
from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF, ENDED, RUNNING
from theogony.envs.core.rng import mix, seed_bits
from theogony.envs.core.thinking.opponents import OpponentSpec, parse_opponents
from theogony.web.calls import batch_arrays
from theogony.wrappers.over_batch import DEFAULTS, VectorArguments

MOST_DECISIONS = 1 << 20  # of one call
CPU_ONLY = {"threads": (1, "on a device a thread plays each game"), "shaping": ("none", "a device pays final rewards")}


class CudaVectorEnv(VectorEnv[torch.Tensor, torch.Tensor, torch.Tensor]):
    """`num_envs` games in one call; the caller plays one seat of each, the opponents the others.

    The same seeds give the same games as on a CPU, bit for bit, and a game that ends is followed by the next in the
    same step (`AutoresetMode.SAME_STEP`). All that is given are tensors on the device. Those marked * are the memory in
    which the games lie, and are overwritten by the next step: clone what you keep. Codes and masks lie there
    transposed: entry k of all games side by side.

    * observations (num_envs, length): float32, or with observation="compact" uint8 codes *, for `decode`;
    * rewards float32 (num_envs,), which come at the end of a game; with seat="all" in a game that is no cooperative one
      (num_envs, players);
    * terminations and truncations, bool (num_envs,);
    * infos: `action_mask` bool (num_envs, actions) *; `seat` int8 (num_envs,), that of the caller or with seat="all"
      the one that decides; `illegal` bool (num_envs,) *, where an action was not legal.

    Args:
        game: a spec with its options in force.
        num_envs: number of games played side by side.
        seed: of the first games; None draws one from the operating system.
        device: "cuda", or "cuda:1" for the second one.
        arguments: `seat`, `opponents`, `reward` and `observation`, as `make_vec` has them. The opponents are "random",
            "greedy", "greedy:0.3", networks that judge positions for the greedy player, or a list of these.

    Raises OptionError for what a device cannot do, NoDevice, or ModuleNotFoundError that says what to install.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seed: int | None = None,
        *,
        device: str = "cuda",
        **arguments: Unpack[VectorArguments],
    ) -> None:
        given: Any = {**DEFAULTS, "opponents": "random", "reward": None, **arguments}
        self.game = configured(game)
        self.num_envs: int = count(num_envs, MOST_GAMES, "games")
        for name, (only, reason) in CPU_ONLY.items():
            if given.get(name, only) != only:
                raise OptionError(f'{name}={given[name]!r} is for device="cpu": {reason}')
        self.observation = check_form(given["observation"])
        self._seat_mode = seat_mode(game, given["seat"])
        self._reward = game.spec.reward_index(game.reward_of(given["reward"]))
        others = _in_kernel(given["opponents"], game)
        self._driver = driver.Driver(device)
        self._driver.load(ptx_of(game))
        self.device: torch.device = self._driver.device
        self._allocate(others)
        low, high = self.game.features.bounds(self.observation)
        self.single_observation_space: spaces.Box = spaces.Box(low, high, dtype=low.dtype.type)
        self.single_action_space: spaces.Discrete = spaces.Discrete(self.game.actions.size)
        self._fresh = False
        self.reset(seed=secrets.randbits(63) if seed is None else seed)
        self._fresh = True

    def _allocate(self, others: OpponentTable) -> None:
        """Memory on the device for all arrays of the kernels; those on the host only say what lies where."""
        game, n, device = self.game, self.num_envs, self.device
        b = batch_arrays(game, n, self._seat_mode, self._reward, others)
        memory: dict[int, torch.Tensor] = {}  # by the address that it has on the host
        layers = () if len(b.nets) else (b.scratch.layers,)  # which networks alone use
        unused = {array.ctypes.data for array in (b.scratch.states, b.scratch.masks, *layers)}
        for array in arrays_in(b):
            if any(array is given for given in (b.tables, b.opponents, b.nets, b.net_ends)):
                memory[array.ctypes.data] = torch.from_numpy(array.copy().view(np.uint8)).to(device)
            elif array.ctypes.data not in unused:
                memory[array.ctypes.data] = torch.zeros(array.nbytes, dtype=torch.uint8, device=device)
        place = {address: tensor.data_ptr() for address, tensor in memory.items()}
        self._memory, self._scratch_rows = list(memory.values()), len(b.scratch.states) // n
        self._games = list(flattened((b,), [kind_of(b)], lambda array: place.get(array.ctypes.data, 0)))
        self._states, self._rows, codes, masks = (
            memory[array.ctypes.data].view(-1, n, WORDS[name]) for name, array in b._asdict().items() if name in WORDS
        )
        self.codes: torch.Tensor = codes[:, :, 0].t()
        self.masks: torch.Tensor = masks[:, :, 0].t().view(torch.bool)
        self.last_codes: torch.Tensor = memory[b.last_features.ctypes.data].view(n, -1)
        self._illegal, self._failed = torch.zeros(2, n, dtype=torch.bool, device=device)
        self._streams = torch.zeros(n, dtype=torch.int64, device=device)
        self._zeros, self._scales = (
            torch.from_numpy(x).to(device) for x in (game.features.zeros, game.features.scales)
        )

    def _launch(self, kernel: str, *given: torch.Tensor | int) -> None:
        """Run a kernel in every row, with tensors of one axis, or numbers, behind the arrays of the games."""
        flat: list[Any] = [self.num_envs, self._scratch_rows, self._failed.data_ptr(), *self._games]
        for value in given:
            if isinstance(value, torch.Tensor):
                flat += [0, 0, len(value), value.element_size(), value.data_ptr(), len(value), value.element_size()]
            else:
                flat.append(value)
        self._driver.launch(f"theogony_{kernel}", self.num_envs, flat)

    # ------------------------------------------------------------------------------------------------ play

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """New games in all rows, from one seed for all. Without one they follow from the last. No options are known."""
        check_reset_options(options, self.game)
        if seed is not None or not self._fresh:
            self._seed = np.uint64(mix(self._seed, 0, NEXT_BATCH) if seed is None else seed_bits(seed))
            self._illegal.zero_()
            self._failed.zero_()
            self._launch("reset", self._streams, int(self._seed))
        self._fresh = False
        return self.observations(), self._infos()

    def step(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, actions: Any, check: bool = True
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, dict[str, torch.Tensor]]:
        """One decision of the caller in every row.

        Args:
            actions: integers (num_envs,), on the device or not.
            check: wait for the device, and raise IllegalAction, with every game as it was, when one is not legal;
                RuntimeError when a rule has failed. Without it nothing waits, and a game whose action is not legal
                stays as it was and is marked in `infos["illegal"]`.
        """
        chosen = torch.as_tensor(actions, device=self.device)
        if chosen.shape != (self.num_envs,) or chosen.is_floating_point() or chosen.dtype == torch.bool:
            raise ValueError(f"step takes {self.num_envs} integers, not {chosen.dtype} of shape {tuple(chosen.shape)}")
        chosen = chosen.to(torch.int64).contiguous()
        if check:
            self._check(chosen)
        self._fresh = False
        self._launch("step", chosen, self._illegal)
        over = self.field("over")
        return self.observations(), self._rewards(), over == ENDED, over == CUT_OFF, self._infos()

    def play(self, decisions: int) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Random decisions of the caller, so many in every row, as by `step(sample())` without looking in between."""
        self._fresh = False
        self._launch("play", self._streams, count(decisions, MOST_DECISIONS, "decisions"))
        return self.observations(), self._infos()

    def sample(self) -> torch.Tensor:
        """A uniformly drawn legal action for every row, int64 (num_envs,), from the games' own streams."""
        actions = torch.empty(self.num_envs, dtype=torch.int64, device=self.device)
        self._launch("sample", self._streams, actions)
        return actions

    def _check(self, actions: torch.Tensor) -> None:
        inside = actions.clamp(0, self.masks.shape[1] - 1)
        wrong = (inside != actions) | ~self.masks.gather(1, inside[:, None])[:, 0]
        illegal, failed = torch.stack([wrong.any(), self._failed.any()]).tolist()
        if failed:
            rows = self._failed.nonzero()[:3, 0].tolist()
            raise RuntimeError(f'a rule failed in rows {rows}: reset() begins anew, and device="cpu" says why')
        if illegal:
            row = int(wrong.nonzero()[0, 0])
            error = self.position(row).illegal(int(actions[row]))
            raise IllegalAction(f"step, row {row}: {error}", error.action, error.legal)

    # ------------------------------------------------------------------------------------------------ what is seen

    def observations(self) -> torch.Tensor:
        """What the seat that is due sees in every row now, (num_envs, length)."""
        return self.codes if self.observation == "compact" else self.decode(self.codes)

    def last_observations(self) -> torch.Tensor:
        """The caller's last views of games that ended in the last step, (num_envs, length); other rows are older."""
        return self.last_codes if self.observation == "compact" else self.decode(self.last_codes)

    def decode(self, codes: torch.Tensor) -> torch.Tensor:
        """Codes, uint8 (..., length), as the float32 that they stand for."""
        return (codes - self._zeros).div_(self._scales)

    def field(self, name: str) -> torch.Tensor:
        """A field of the bookkeeping of all rows: `seat`, `scores`, `ended_length`, `episode` ...

        See `ROW` (core/batches/kernels.py).
        """
        fields: Any = ROW.fields
        kind, offset = fields[name][:2]
        size, per = kind.base.itemsize, WORDS["rows"] // kind.base.itemsize
        words = self._rows.view(torch.from_numpy(np.zeros(0, kind.base)).dtype)
        first = offset // size
        if not kind.shape:
            return words[first // per, :, first % per]
        each = torch.arange(first, first + kind.itemsize // size, device=self.device)
        return words.permute(0, 2, 1)[each // per, each % per].t()

    def records(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Positions and bookkeeping of all rows, uint8 (num_envs, bytes), as the records of a CPU's batch."""
        states, rows = (words.transpose(0, 1).reshape(self.num_envs, -1) for words in (self._states, self._rows))
        return states, rows

    def position(self, row: int) -> Position:
        """An independent copy of one game, to look at, search from or draw."""
        number = range(self.num_envs)[row]
        state, about = (words[:, number].reshape(-1).cpu().numpy() for words in (self._states, self._rows))
        return position_of(self.game, state.view(self.game.state), about.view(ROW)[0], number)

    def _rewards(self) -> torch.Tensor:
        pay, over = self.field("rewards"), self.field("over") != RUNNING
        if self._seat_mode == ALL_SEATS and not self.game.spec.cooperative:
            return torch.where(over[:, None], pay[:, : self.game.players], 0).float()
        seats = self.field("ended_seat").clamp(min=0).long()
        return torch.where(over, pay.gather(1, seats[:, None])[:, 0], 0).float()

    def _infos(self) -> dict[str, torch.Tensor]:
        learner = self.field("learner")
        seats = torch.where(learner < 0, self.field("seat"), learner).long()
        return {"action_mask": self.masks, "seat": seats, "illegal": self._illegal}


def _in_kernel(opponents: OpponentSpec, game: Game) -> OpponentTable:
    """Who plays the other seats. Raises OptionError for those that a kernel does not play."""
    table, found = OpponentTable(), parse_opponents(opponents, game)
    for opponent in found:
        if in_kernel(opponent.player) is None:
            raise OptionError(
                f'opponents={opponent.player.name!r:.60} is for device="cpu": on a device "random", "greedy" and '
                '"greedy:0.3" play, networks that judge positions for the greedy player, and lists of these'
            )
    table.put(found, np.zeros(0, ROW))
    return table
