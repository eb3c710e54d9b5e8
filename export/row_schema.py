"""The rows of a release as JSON Schema, for programs that know neither Parquet nor `datasets`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from mira.release.columns import CONFIGS, features

SCHEMA_PATH = Path("meta") / "rows.schema.json"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_KINDS = {
    "string": "string",
    "int32": "integer",
    "int64": "integer",
    "float64": "number",
    "bool": "boolean",
}


def write_row_schema(root: Path) -> Path:
    """Write the schema of every table into a release."""
    path = root / SCHEMA_PATH
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "$schema": _DIALECT,
        "title": "Rows of a MIRA release, by table",
        "$defs": {config: row_schema(config) for config in CONFIGS},
    }
    path.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n")
    return path


def row_schema(config: str) -> dict[str, Any]:
    """The schema of a row of a table; pictures are objects with their file in base64.

    Args:
        config: Name of the table.
    """
    return _object({name: _of(feature) for name, feature in features(config).items()})


def _of(feature: Any) -> dict[str, Any]:
    if isinstance(feature, dict):
        return _nullable(_object({name: _of(part) for name, part in feature.items()}))
    kind = type(feature).__name__
    if kind == "List":
        return _nullable({"type": "array", "items": _of(feature.feature)})
    if kind == "Image":
        file = {"type": "string", "contentEncoding": "base64"}
        return _nullable(_object({"bytes": file, "path": {"type": "string"}}))
    return _nullable({"type": _KINDS[feature.dtype]})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """Parquet columns may hold null everywhere; which do not is in the guide."""
    return {**schema, "type": [schema["type"], "null"]}
