"""Searches of several trees in a browser, which has no threads: `mcts:400x4`.

The trees grow in helpers, workers of the page that have the module of the game and nothing else, and here one after
another as long as some are left. Each has the stream that it has natively, so what is found depends neither on how many
helpers there are nor on which of them grew what.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from theogony.training.players.search import Search
from theogony.training.players.search.kernels import Question
from theogony.training.players.search.tree import Tree


class Helpers(Protocol):
    """Workers of a page that grow trees."""

    def start(self, count: int) -> None:
        """Have so many ready, or as many as the browser allows."""

    def ask(self, question: str) -> bool:
        """Give a question to one that is free; whether there was one."""
        return False

    def answers(self) -> str:
        """What has been answered since the last time, a JSON list; without `children` what could not be grown."""
        return "[]"

    def stop(self) -> None:
        """Let all come to an end, and forget what they answer."""


class Nobody(Helpers):
    """Where there are no helpers: none is free, and nothing is answered."""


class WideSearch(Search):
    """A search of several trees; `trees` are those that have grown so far."""

    def __init__(self, helpers: Helpers, *given: Any) -> None:
        super().__init__(*given)
        self._helpers, self._all = helpers, self.trees
        helpers.start(len(self.trees) - 1)

    def choose(self, *given: Any) -> int:
        """See `Search.choose`."""
        *_, last = self.improving(*given)
        return last

    def _asked(self, *given: Any) -> tuple[Question, list[tuple[Tree, np.ndarray]]]:
        self.trees = self._all
        return super()._asked(*given)

    def _growing(self, q: Question, work: list[tuple[Tree, np.ndarray]]) -> Iterator[int]:
        there = _Trees(self._helpers, [_question(k, q, *of, self) for k, of in enumerate(work)], self._all)
        here: int | None = 0
        try:
            while here is not None or there.asked:
                self.trees = there.heard()
                if here is not None:
                    for _ in self._in_pieces(q, *work[here], 0.0):
                        yield self._best()
                        self.trees = there.heard()
                    there.grown.add(here)
                else:
                    yield self._best()
                here = there.waiting.pop(0) if there.waiting else None
            self.trees = there.heard()
            yield self._best()
        finally:
            there.end()


class _Trees:
    """Which trees of a search have grown, grow elsewhere, and wait for somebody."""

    def __init__(self, helpers: Helpers, questions: list[str], trees: list[Tree]) -> None:
        self._helpers, self._questions, self._trees = helpers, questions, trees
        self.grown, self.asked, self.waiting = {0}, set[int](), list(range(1, len(trees)))

    def heard(self) -> list[Tree]:
        """Take what helpers have found, and ask those that are free. Returns the trees that have grown."""
        for answer in json.loads(self._helpers.answers()):
            number = answer["tree"]
            self.asked.discard(number)
            if "children" in answer:
                _put(self._trees[number], answer)
                self.grown.add(number)
            else:  # it could not be grown there
                self.waiting.append(number)
        while self.waiting and self._helpers.ask(self._questions[self.waiting[0]]):
            self.asked.add(self.waiting.pop(0))
        return [self._trees[k] for k in sorted(self.grown)]

    def end(self) -> None:
        """Nobody waits any more for what is asked."""
        if self.asked:
            self._helpers.stop()


def _question(number: int, q: Question, tree: Tree, rng: np.ndarray, search: Search) -> str:
    """A tree to grow, as `searcher.mjs` takes it."""
    return json.dumps({
        "tree": number,
        "state": base64.b64encode(q.states[q.i : q.i + 1].tobytes()).decode(),
        "seat": q.seat,
        "rng": str(int(rng[0])),
        "nodes": len(tree.nodes),
        "iterations": search.options.iterations,
        "halving": search.options.halving,
        "learnt": bool(len(q.net)),
        "prior": q.prior.tolist(),
        "how": {f"how {name}": value for name, value in q.settings._asdict().items()},
    })  # fmt: skip


def _put(tree: Tree, answer: dict[str, Any]) -> None:
    """The root of a tree as a helper has found it, with its actions and nothing below."""
    nodes, children = tree.nodes, answer["children"]
    nodes["child"][0] = 1 if children else -1
    for k, child in enumerate(children, 1):
        nodes[k] = nodes[0]
        nodes["child"][k], nodes["next"][k] = -1, k + 1 if k < len(children) else -1
        for field in ("action", "visits", "total"):
            nodes[field][k] = child[field]
        if child["action"] == answer["stayed"]:
            tree.alive[0] = k
