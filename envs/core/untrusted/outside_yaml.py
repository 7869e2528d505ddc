"""Reading YAML files of others, within limits: plain data only, no bombs of aliases, no key twice."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import yaml

from theogony.envs.core.untrusted.outside import MAX_DEPTH, MEGABYTE, SHOWN, read_text

MAX_YAML = MEGABYTE  # characters; PyYAML reads about as many in a second or more
MAX_NODES = 100_000  # values of a document; what an alias stands for counts each time


def read_yaml(
    path: str | Path, what: str, problem: type[Exception], loader: type[yaml.SafeLoader] = yaml.SafeLoader
) -> tuple[Any, yaml.Node | None]:
    """The data of a YAML file, and its tree of nodes, which know their lines. Raises `problem`: see `parse_yaml`."""
    return parse_yaml(read_text(path, what, problem, MAX_YAML), what, problem, loader)


def parse_yaml(
    text: str, what: str, problem: type[Exception], loader: type[yaml.SafeLoader] = yaml.SafeLoader
) -> tuple[Any, yaml.Node | None]:
    """The data of YAML text, and its tree of nodes; None for empty text.

    `loader` is a SafeLoader: plain data only. Raises `problem`: no YAML, too long, nested too deeply, too many values
    (an alias counts as what it stands for), a key that stands twice or is no plain value.
    """
    if len(text) > MAX_YAML:
        raise problem(f"{what}: is too large: at most {MAX_YAML // MEGABYTE} MB were expected")
    try:
        reader: Any = _limited(loader)(text)
        node = reader.get_single_node()
        return (None if node is None else reader.construct_document(node)), node
    except (yaml.YAMLError, ValueError, TypeError, RecursionError, OverflowError) as error:
        raise problem(f"{what}: is not YAML: {' '.join(str(error).split())}") from None


@functools.cache
def _limited(loader: type[yaml.SafeLoader]) -> type[yaml.SafeLoader]:
    """The loader, with limits on what it composes."""

    class Limited(loader):
        depth = 0
        nodes = 0  # so far, aliases counted as what they stand for

        def compose_node(self, parent: Any, index: Any) -> Any:
            event: Any = self.peek_event()
            if self.depth > MAX_DEPTH:
                raise _error(event, f"is nested more than {MAX_DEPTH} deep")
            before = self.nodes
            self.depth += 1
            node: Any = super().compose_node(parent, index)
            self.depth -= 1
            if isinstance(event, yaml.AliasEvent):
                if not hasattr(node, "expanded"):
                    raise _error(event, f"*{event.anchor} stands inside of itself")
                self.nodes += node.expanded
            else:
                self.nodes += 1
                node.expanded = self.nodes - before
            if self.nodes > MAX_NODES:
                raise _error(event, f"more than {MAX_NODES} values")
            return node

        def compose_mapping_node(self, anchor: Any) -> Any:
            node: Any = super().compose_mapping_node(anchor)
            seen: set[str] = set()
            for key, _ in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    raise _error(key, "a key must be a plain value")
                if key.value in seen:
                    raise _error(key, f"the key {key.value!r:.{SHOWN}} is given twice")
                seen.add(key.value)
            return node

    return Limited


def _error(at: Any, message: str) -> yaml.YAMLError:
    return yaml.YAMLError(f"line {at.start_mark.line + 1}: {message}")
