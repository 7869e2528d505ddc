"""Modern board games for `verifiers` (0.4, `verifiers.v1`): one task a deal, the game plays the user.

    vf-eval theogony_games --env.taskset.game orbis --env.taskset.opponents reference -n 20 --no-push

The first position stands in the prompt. Every reply of the model is played, what the others answer comes back as the
next user message, and the rewards of all turns add up to that of the game.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any, Literal

import verifiers.v1 as vf

from theogony.wrappers.text import Turns


class GamesConfig(vf.TasksetConfig):
    """Which game, whom the model meets, and how it is told: as in `theogony.wrappers.text.TextEnv`."""

    game: str = "push_of_faith"
    opponents: str = "greedy"
    moves: Literal["listed", "numbered", "hidden"] = "listed"
    whole_turns: bool = False
    invalid: float = -0.01
    """Paid for every reply without a legal move."""

    def make(self) -> Turns:
        """The game of one episode."""
        shown: Any = {"moves": self.moves, "whole_turns": self.whole_turns, "marked": True}
        return Turns(self.game, invalid=self.invalid, opponents=self.opponents, **shown)


class DealData(vf.TaskData):
    """A deal, by its seed, and the settings of its game."""

    seed: int
    settings: dict[str, Any]


class DealTask(vf.Task[DealData, vf.State, vf.TaskConfig]):
    """Play one deal to its end."""


class GamesEnvConfig(vf.EnvConfig):
    """One seat is the model's; the others are players of Theogony. A conversation needs no tools."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class GamesEnv(vf.Env[GamesEnvConfig]):
    """The model's messages are moves, the game's are what follows."""

    async def run(self, task: DealTask, agents: vf.Agents) -> None:
        """One game. Raises what Theogony raises for an unknown game or player."""
        game = await asyncio.to_thread(GamesConfig(**task.data.settings).make)
        turn, rewards = await game.areset(task.data.seed), list[float]()
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                turn = await game.astep(segment.last_reply)  # other episodes go on while an opponent thinks
                rewards.append(turn.reward)
                if turn.over:
                    break
                segment = await interaction.turn(turn.text)
        trace = interaction.trace
        trace.record_reward("game", sum(rewards), 1.0)
        trace.record_metric("invalid_replies", float(turn.metadata["invalid"]))
        trace.info.update(turn_rewards=rewards, **turn.metadata)


class GamesTaskset(vf.Taskset[DealTask, GamesConfig]):
    """Deals without end."""

    INFINITE = True

    def load(self) -> Iterator[DealTask]:
        """A task for every seed."""
        settings = self.config.model_dump(include={"game", "opponents", "moves", "whole_turns", "invalid"})
        for seed in itertools.count():
            prompt = self.config.make().reset(seed).text
            data = DealData(name=f"{self.config.game} {seed}", prompt=prompt, seed=seed, settings=settings)
            yield DealTask(data, self.config.task)


__all__ = ["GamesEnv", "GamesTaskset"]
