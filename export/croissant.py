"""Croissant: what is in a release, for catalogues and loaders that read that format.

Croissant 1.0 (https://docs.mlcommons.org/croissant/docs/croissant-spec.html). Columns of numbers,
text and pictures are described; those that hold lists of records are in our own guide alone,
because its reader takes none from Parquet.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from mira.release.columns import features
from mira.schema.export import ConfigInfo

FILE_NAME = "croissant.json"
_PARQUET = "application/x-parquet"
_VERSION = "http://mlcommons.org/croissant/1.0"
_KEYS = {
    "qa": ("question_id",),
    "scenes": ("image_id",),
    "qa_preview": ("question_id",),
    "raw_depth": ("image_id",),
    "flat": ("question_id",),
    "episodes": ("episode_id",),
    "mirror_steps": ("episode_id", "step"),
    "mosaic_steps": ("episode_id", "round", "role"),
    "tom_qa": ("item_id",),
}
_ABOUT = {
    "qa": "Questions, one row for each referring protocol.",
    "scenes": "Pictures with depth, camera and outlines.",
    "qa_preview": "Some questions with their pictures as a model sees them.",
    "raw_depth": "Depth on the sensor's own grid, with its camera.",
    "flat": "Questions with their pictures as a model sees them.",
    "episodes": "Runs of interactive tasks: what was played, by whom, and how it ended.",
    "mirror_steps": "Moves of the mirror test, one row each.",
    "mosaic_steps": "Turns of two agents and two boxes, one row a round and agent.",
    "tom_qa": "Questions on what somebody knows, believes or will do.",
}
_TYPES = {
    "string": "sc:Text",
    "int32": "sc:Integer",
    "int64": "sc:Integer",
    "float64": "sc:Float",
    "bool": "sc:Boolean",
}
_OWN_TERMS = (
    *("citeAs", "column", "extract", "field", "fileObject", "fileProperty", "fileSet", "format"),
    *("includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet"),
    *("references", "regex", "repeated", "replace", "separator", "source", "subField"),
    *("transform", "samplingRate", "equivalentProperty"),
)
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _OWN_TERMS},
}


def write_croissant(
    root: Path, *, name: str, digest: str, configs: tuple[ConfigInfo, ...], licences: list[str]
) -> Path:
    """Write `croissant.json` of a release.

    Args:
        root: The release.
        name: Name of the data set.
        digest: Logical digest of the release.
        configs: Its tables.
        licences: Licences of its pictures.
    """
    described = {
        "@context": dict(sorted(_CONTEXT.items())),
        "@type": "sc:Dataset",
        "conformsTo": _VERSION,
        "name": name,
        "description": "RGB-D pictures of mirrors, and questions on what in them is real.",
        "version": f"0.0.0+{digest[:16]}",
        "license": licences or ["unknown"],
        "keywords": ["mirror", "reflection", "rgb-d", "spatial reasoning", "vision-language"],
        "distribution": [
            one for config in configs for one in (*_files(config), _file_set(config.name))
        ],
        "recordSet": [_record_set(config.name) for config in configs],
    }
    path = root / FILE_NAME
    path.write_bytes(orjson.dumps(described, option=orjson.OPT_INDENT_2) + b"\n")
    return path


def _files(config: ConfigInfo) -> Iterator[dict[str, Any]]:
    for part in config.splits:
        for ref in part.files:
            yield {
                "@type": "cr:FileObject",
                "@id": ref.path,
                "name": ref.path,
                "contentUrl": ref.path,
                "contentSize": f"{ref.size_bytes} B",
                "sha256": ref.sha256,
                "encodingFormat": _PARQUET,
            }


def _file_set(config: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": f"{config}-files",
        "name": f"{config}-files",
        "includes": f"{config}/*.parquet",
        "encodingFormat": _PARQUET,
    }


def _record_set(config: str) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": config,
        "name": config,
        "description": _ABOUT[config],
        "key": [{"@id": f"{config}/{name}"} for name in _KEYS[config]],
        "field": list(_fields(config)),
    }


def _fields(config: str) -> Iterator[dict[str, Any]]:
    for name, feature in features(config).items():
        source: dict[str, Any] = {
            "fileSet": {"@id": f"{config}-files"},
            "extract": {"column": name},
        }
        kind = _TYPES.get(getattr(feature, "dtype", ""))
        if type(feature).__name__ == "Image":
            kind = "sc:ImageObject"
            source["transform"] = {"jsonPath": "bytes"}
        if kind is not None:
            yield {
                "@type": "cr:Field",
                "@id": f"{config}/{name}",
                "name": f"{config}/{name}",
                "dataType": kind,
                "source": source,
            }
