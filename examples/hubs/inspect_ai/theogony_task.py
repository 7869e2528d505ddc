"""Modern board games as a task of inspect_ai: one sample a deal, a solver that plays it, a scorer that counts.

inspect eval theogony_task.py -T game=orbis -T opponents=reference -T deals=20 --model openai/gpt-4o
"""

from __future__ import annotations

import asyncio

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from theogony.wrappers.text import Turns


def made(metadata: dict) -> Turns:
    """The game of a sample, by its metadata."""
    arguments = {name: metadata[name] for name in ("opponents", "moves", "players", "seat")}
    return Turns(metadata["game"], marked=True, **arguments)


@solver
def play() -> Solver:
    """Ask the model until the game is over; what followed a move is the next user message."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        game, rewards = await asyncio.to_thread(made, state.metadata), []
        turn = await game.areset(state.metadata["seed"])
        while not turn.over and not state.completed:
            output = await get_model().generate(state.messages)
            state.messages.append(output.message)
            state.output = output
            turn = await game.astep(output.completion)  # samples go on while an opponent thinks
            rewards.append(turn.reward)
            state.messages.append(ChatMessageUser(content=turn.text))
            state.metadata["action_mask"] = turn.metadata["action_mask"]
        state.metadata |= {"turn_rewards": rewards, "result": game.env.result()}
        return state

    return solve


@scorer(metrics={"reward": [mean(), stderr()], "win": [mean(), stderr()], "invalid": [mean()]})
def outcome() -> Scorer:
    """The reward of the game, whether it was won, and replies without a legal move."""

    async def score(state: TaskState, target: Target) -> Score:
        result = state.metadata["result"]
        value = {"reward": result["reward"], "win": float(result["reward"] > 0), "invalid": result["invalid"]}
        return Score(value=value, metadata=result)

    return score


@task
def theogony(
    game: str = "push_of_faith", opponents: str = "greedy", moves: str = "listed", deals: int = 10, players: int = 2
) -> Task:
    """Every deal once in each seat against players by name: random, greedy, mcts:100, greedy@reference, reference."""
    samples = []
    for seed in range(deals):
        for seat in range(players):
            about = {"game": game, "opponents": opponents, "moves": moves, "players": players}
            about |= {"seed": seed, "seat": seat}
            first = made(about).reset(seed).text
            samples.append(Sample(input=first, id=f"{game}-{seed}-{seat}", target="win", metadata=about))
    return Task(dataset=samples, solver=play(), scorer=outcome(), message_limit=None)
