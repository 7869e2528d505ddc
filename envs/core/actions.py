"""The action codec: id <-> (kind, arguments) <-> text, both ways and total.

A game lists its actions as named blocks, each the product of its axes in row-major order. Ids are frozen per version.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from theogony.envs.core.arguments import integer
from theogony.envs.core.contract import did_you_mean

Label = str | int
LONGEST = 200  # characters of a text that is no action's that are looked at, and repeated


class IllegalAction(ValueError):
    """The action is not legal now. `action` is its id (or what was given), `legal` the ids that are.

    Both message and `legal` tell what the seat may do that asked; of an opponent that failed they tell nothing.
    """

    def __init__(self, message: str, action: Any = None, legal: Sequence[int] = ()) -> None:
        super().__init__(message)
        self.action = action
        self.legal: list[int] = list(legal)


def action_id(action: Any) -> int:
    """An action that somebody gave, as an id: any integer, also NumPy's, or an array or tensor of shape ().

    Raises IllegalAction for all else: True is no action, nor is an array of one entry.
    """
    try:
        return integer(action)
    except TypeError:
        shape = tuple(getattr(action, "shape", ()))
        why = f" of shape {shape}: take the entry, such as action[0]" if shape else ""
        raise IllegalAction(f"an action is an integer id, not {action!r:.80}{why}", action) from None


class Block:
    """Actions of one kind, one for each combination of labels of its axes.

    `text` is a `str.format` pattern over the arguments: `Block("push", "NSWE", range(3), text="push {} to {}")`;
    by default the kind and the arguments, separated by spaces. `does` says what an action of this kind does, in a game
    without a vocabulary, whose entries say it otherwise. What `ends` a turn or a window stands last where moves are
    listed for people, so that no quick key or click ends it.
    """

    def __init__(
        self, kind: str, *axes: Sequence[Label], text: str | None = None, does: str = "", ends: bool = False
    ) -> None:
        self.kind = kind
        self.axes: list[list[Label]] = [list(axis) for axis in axes]
        self.text: str = text if text is not None else " ".join([kind, *("{}" for _ in axes)])
        self.does, self.ends = does, ends
        self.actions: list[tuple[Label, ...]] = list(itertools.product(*self.axes))


class ActionCodec:
    """All actions of a game. `codec.size` is the number of ids, `codec.first[kind]` the first id of a block.

    >>> from theogony.envs import load
    >>> codec = load("push_of_faith").configure({}).actions
    >>> kind, arguments = codec.decode(0)
    >>> codec.encode(kind, *arguments)
    0
    >>> codec.parse(codec.text(0))
    0
    """

    def __init__(self, *blocks: Block) -> None:
        self.blocks = blocks
        self._patterns = {block.kind: block.text for block in blocks}
        self.first: dict[str, int] = {}
        self._decoded: list[tuple[str, tuple[Label, ...]]] = []
        self._texts: list[str] = []
        for block in blocks:
            if block.kind in self.first:
                raise ValueError(f"two blocks of actions are called {block.kind!r}")
            self.first[block.kind] = len(self._decoded)
            self._decoded += [(block.kind, arguments) for arguments in block.actions]
            self._texts += [block.text.format(*arguments) for arguments in block.actions]
        self._id_of = {action: i for i, action in enumerate(self._decoded)}
        self._id_of_text = {text: i for i, text in enumerate(self._texts)}
        if len(self._id_of_text) != len(self._texts):
            twice = next(t for t in self._texts if self._texts.count(t) > 1)
            raise ValueError(f"two actions have the text {twice!r}")

    @property
    def size(self) -> int:
        """Number of action ids."""
        return len(self._decoded)

    def encode(self, kind: str, *arguments: Label) -> int:
        """The id of an action. Raises IllegalAction when there is none."""
        try:
            return self._id_of[kind, arguments]
        except KeyError:
            raise IllegalAction(f"there is no action {kind!r} with arguments {arguments}", (kind, arguments)) from None

    def decode(self, action: int) -> tuple[str, tuple[Label, ...]]:
        """The kind and the arguments of an id. Raises IllegalAction when it is none or out of range."""
        self._check(action)
        return self._decoded[action]

    def text(self, action: int) -> str:
        """The text of an id. Raises IllegalAction when it is none or out of range."""
        self._check(action)
        return self._texts[action]

    def named(self, action: int, names: Sequence[Label]) -> str:
        """The text of an id with other names for its arguments. Raises IllegalAction when it is none."""
        kind, _ = self.decode(action)
        return self._patterns[kind].format(*names)

    def parse(self, text: str) -> int:
        """The id of a text, white space folded. Raises IllegalAction when no action is written so."""
        folded = " ".join(text.split())
        try:
            return self._id_of_text[folded]
        except KeyError:
            near = did_you_mean(folded[:LONGEST], self._texts)
            raise IllegalAction(f"{text!r:.{LONGEST}} is not an action of this game{near}", text) from None

    def _check(self, action: int) -> None:
        if not 0 <= action_id(action) < self.size:
            raise IllegalAction(f"action {action} is out of range: ids go from 0 to {self.size - 1}", action)
