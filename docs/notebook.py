"""Runs docs/quickstart.ipynb and writes what its cells print and show: `python docs/notebook.py`."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

from theogony.envs.core.untrusted.files import replace_file

FILE = Path(__file__).with_name("quickstart.ipynb")
SHOWN = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_", "text/plain": "__repr__"}


def read() -> dict[str, Any]:
    """The notebook as it stands."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def run(notebook: dict[str, Any]) -> dict[str, Any]:
    """The same notebook with the outputs of its cells, which run one after another."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(code, 1):
        cell["execution_count"], cell["outputs"] = number, _outputs("".join(cell["source"]), scope, number)
    return notebook


def _outputs(source: str, scope: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree, value, printed = ast.parse(source), None, io.StringIO()
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, FILE.name, "exec"), scope)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), FILE.name, "eval"), scope)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(True)})
    if value is not None:
        forms = {kind: getattr(value, form)() for kind, form in SHOWN.items() if hasattr(value, form)}
        data = {kind: text.splitlines(True) for kind, text in forms.items() if text is not None}
        found.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return found


if __name__ == "__main__":
    replace_file(FILE, (json.dumps(run(read()), indent=1, ensure_ascii=False) + "\n").encode())
