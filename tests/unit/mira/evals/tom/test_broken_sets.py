"""Whatever is in a file, a reader takes it or says in one line why not."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mira.errors import MiraError
from mira.evals.tom.catalogue import SETS, SetName
from mira.evals.tom.drafts import sort_drafts
from mira.evals.tom.sets.choices import ImportChoices
from mira.evals.tom.source_files import SourceFile

NAMES: tuple[SetName, ...] = tuple(SETS)
_LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
_QUIET = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def take(name: SetName, files: dict[str, bytes]) -> None:
    found = [SourceFile(file, file, data) for file, data in files.items()]
    one = SETS[name]
    for file in found:
        one.recognises(file)
    with suppress(MiraError):
        list(sort_drafts(one.read(found, ImportChoices()), source="x", licence="y"))


@pytest.mark.parametrize("name", NAMES)
@_QUIET
@given(data=st.data())
def test_mangled_bytes_raise_nothing_but_an_error_of_ours(
    name: SetName, layouts: dict[str, dict[str, str]], data: st.DataObject
) -> None:
    files = {file: text.encode() for file, text in layouts[name].items()}
    chosen = data.draw(st.sampled_from(sorted(files)))
    text = files[chosen]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    put = data.draw(
        st.binary(max_size=8) | st.sampled_from([b"{", b'"', b"\n", b"\t", b";", b"[]"])
    )
    take(name, files | {chosen: text[:start] + put + text[end:]})


@pytest.mark.parametrize("name", [one for one in NAMES if one not in ("tomi", "bigtom")])
@_QUIET
@given(data=st.data())
def test_values_of_another_kind_raise_nothing_but_an_error_of_ours(
    name: SetName, layouts: dict[str, dict[str, str]], data: st.DataObject
) -> None:
    file = sorted(layouts[name])[0]
    text = layouts[name][file]
    is_lines = file.endswith(".jsonl") or name == "mmtom"
    documents = [json.loads(line) for line in text.splitlines()] if is_lines else [json.loads(text)]
    place = data.draw(st.sampled_from(list(_places(documents))))
    _put(documents, place, data.draw(_VALUES))
    take(name, {file: "\n".join(map(json.dumps, documents)).encode("utf-8", "replace")})


def _places(value: Any, path: tuple[Any, ...] = ()) -> Any:
    """Paths of all values in a document."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _places(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _places(inner, (*path, number))


def _put(document: Any, path: tuple[Any, ...], value: Any) -> None:
    for part in path[:-1]:
        document = document[part]
    document[path[-1]] = value
