"""Rows of a release fit the schema that lies beside them."""

from __future__ import annotations

import base64
import json

import pytest

from mira.release.columns import QUESTION_CONFIGS
from mira.release.reader import read_rows

jsonschema = pytest.importorskip("jsonschema", reason="needs the package `jsonschema`")


def plain(value):
    """A row as JSON has it."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("config", QUESTION_CONFIGS)
def test_every_row_fits_and_a_changed_one_does_not(release, config):
    document = json.loads((release / "meta" / "rows.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(document)
    validator = jsonschema.Draft202012Validator({**document, "$ref": f"#/$defs/{config}"})
    rows = [plain(row) for row in read_rows(release, config)]
    for row in rows:
        row.pop("split")
        validator.validate(row)
    for odd in ({**rows[0], "more": 1}, {**rows[0], "scene_id": 1}):
        assert not validator.is_valid(odd)
    rows[0].pop("scene_id")
    assert not validator.is_valid(rows[0])
