"""The scorer as one file: its own lines behind those that it imports from here."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

from export.harnesses.shipped import mira_scoring

_HOME = "mira."


def bundle_scorer() -> str:
    """The source of a scorer that needs Python's own library alone.

    What scores read replies with goes along line by line, so that both read alike.
    """
    source = Path(mira_scoring.__file__).read_text("utf-8")
    modules: list[str] = []
    _collect(source, modules)
    parts = [_body(_source_of(name)) for name in modules]
    head = f'"""{ast.get_docstring(ast.parse(source))}\n"""\n\nfrom __future__ import annotations\n'
    return "\n\n".join([head, *parts, _body(source)])


def _collect(source: str, modules: list[str]) -> None:
    """Add the modules that a source rests on, each behind those that it rests on itself."""
    for name in _imported(source):
        if name not in modules:
            _collect(_source_of(name), modules)
            modules.append(name)


def _imported(source: str) -> list[str]:
    nodes = (node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom))
    return [node.module for node in nodes if node.module and node.module.startswith(_HOME)]


def _source_of(name: str) -> str:
    spec = find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_text("utf-8")


def _body(source: str) -> str:
    """The lines of a module without its description and what it imports from here."""
    lines = source.splitlines()
    first, *rest = ast.parse(source).body
    gone = [first, *(node for node in rest if _is_from_here(node))]
    for node in gone:
        assert node.end_lineno is not None
        lines[node.lineno - 1 : node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
    return "\n".join(lines).strip() + "\n"


def _is_from_here(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and (
        node.module == "__future__" or (node.module or "").startswith(_HOME)
    )
