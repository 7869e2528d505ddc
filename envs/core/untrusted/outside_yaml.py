"""Reading YAML files of others, within limits: plain data only, no bombs of aliases, no key twice."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml
from yaml.composer import Composer

from theogony.envs.core.untrusted.outside import LONGEST_NUMBER, MAX_DEPTH, MEGABYTE, SHOWN, read_text

MAX_YAML = MEGABYTE  # characters; a slow machine reads about as many in a second or two
MAX_NODES = 100_000  # values of a document; what an alias stands for counts each time
MAX_KEY = 1000  # characters
MAX_WHOLE_KEY = 20  # of a whole number: of longer ones any number can have the same hash
INT, FLOAT = "tag:yaml.org,2002:int", "tag:yaml.org,2002:float"
NUMBER = re.compile(r"[-+]?\d[\d_]*[eE][-+]?\d+$")  # 1e-3, which YAML 1.1 takes for text
BROKEN = (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError)
PLAIN_PYTHON, WITH_LIBYAML = (yaml.SafeLoader,), (Composer, yaml.CSafeLoader) if yaml.__with_libyaml__ else ()


def read_yaml(path: str | Path, what: str, problem: type[Exception]) -> tuple[Any, yaml.Node | None]:
    """The data of a YAML file, and its tree of nodes, which know their lines. Raises `problem`: see `parse_yaml`."""
    return parse_yaml(read_text(path, what, problem, MAX_YAML), what, problem)


def parse_yaml(text: str, what: str, problem: type[Exception]) -> tuple[Any, yaml.Node | None]:
    """The data of YAML text, and its tree of nodes; None for empty text.

    Plain data only; numbers such as 1e-3 are numbers. Raises `problem`: no YAML, too long, nested too deeply, too many
    values (an alias counts as what it stands for), a number that is too long, a key that stands twice, is too long or
    is no plain value. Time and memory are linear in the length of the text.
    """
    if len(text) > MAX_YAML:
        raise problem(f"{what}: is too large: at most {MAX_YAML // MEGABYTE} MB were expected")
    try:
        reader: Any = Loader(text)
        node = reader.get_single_node()
        return (None if node is None else reader.construct_document(node)), node
    except BROKEN as error:  # of those that no YAMLError tells, most are of a tag that the text does not fit
        raise problem(f"{what}: is not YAML: {' '.join(str(error).split()):.{MAX_KEY}}") from None


def loader_of(bases: tuple[Any, ...]) -> Any:
    """A loader of plain data with limits on what it composes, over one of PyYAML's."""

    class Limited(*bases):
        depth = 0
        nodes = 0  # so far, aliases counted as what they stand for

        def __init__(self, text: str) -> None:
            bases[-1].__init__(self, text)
            Composer.__init__(self)

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
                    raise _error(event, f"*{event.anchor:.{SHOWN}} stands inside of itself")
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
                most = MAX_WHOLE_KEY if key.tag == INT else MAX_KEY
                if len(key.value) > most:
                    raise _error(key, f"the key {key.value!r:.{SHOWN}} is longer than {most} characters")
                if key.value in seen:
                    raise _error(key, f"the key {key.value!r:.{SHOWN}} is given twice")
                seen.add(key.value)
            return node

        def construct_yaml_int(self, node: Any) -> int:
            return super().construct_yaml_int(_no_longer(node, SHOWN))

        def construct_yaml_float(self, node: Any) -> float:
            return super().construct_yaml_float(_no_longer(node, LONGEST_NUMBER))

    Limited.add_constructor(INT, Limited.construct_yaml_int)
    Limited.add_constructor(FLOAT, Limited.construct_yaml_float)
    Limited.yaml_implicit_resolvers = {k: list(v) for k, v in yaml.SafeLoader.yaml_implicit_resolvers.items()}
    Limited.add_implicit_resolver(FLOAT, NUMBER, list("-+0123456789"))
    return Limited


Loader = loader_of(WITH_LIBYAML or PLAIN_PYTHON)


def _no_longer(node: Any, longest: int) -> Any:
    """A number's node, unless it is too long: reading one takes time as the square of its length."""
    if isinstance(node, yaml.ScalarNode) and len(node.value) > longest:
        raise _error(node, f"{node.value:.{SHOWN}}... is too long for a number")
    return node


def _error(at: Any, message: str) -> yaml.YAMLError:
    return yaml.YAMLError(f"line {at.start_mark.line + 1}: {message}")
