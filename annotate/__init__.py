"""Annotation files in, checked annotations out."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["AnnotationPolicy", "FileCheck", "ImportReport", "check_paths", "import_annotations"]

_HOMES = {
    "AnnotationPolicy": "annotate.policy",
    "FileCheck": "annotate.checking",
    "ImportReport": "annotate.importing",
    "check_paths": "annotate.checking",
    "import_annotations": "annotate.importing",
}


def __getattr__(name: str) -> Any:
    """A public name, its module imported on use so that `import annotate` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'annotate' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
