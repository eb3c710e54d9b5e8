"""Plans as a crew writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from mira.errors import CaptureError, MiraError, RecordError
from mira.schema.capture_plan import CapturePlan, PlannedView
from mira.schema.record import describe_fault
from mira.store.atomic import os_faults
from mira.store.names import require_name
from mira.store.session import image_id_of


def read_plan(path: Path) -> CapturePlan:
    """A plan from its YAML or JSON.

    Raises:
        RecordError: It is neither, or a field is missing, unknown or wrong.
        CaptureError: An id in it cannot name a folder.
        MiraError: It cannot be read.
    """
    with os_faults(path):
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise RecordError(path, "expected text in UTF-8, found other bytes") from None
    try:
        # JSON is YAML as well, but for how it escapes.
        is_json = path.suffix == ".json"
        content = json.loads(text, object_pairs_hook=_once) if is_json else _read_yaml(text)
    except (ValueError, yaml.YAMLError) as error:
        # Numbers and dates that are none are plain `ValueError`.
        fault = str(error).replace('in "<unicode string>", ', "").partition("\n\n")[0]
        raise RecordError(path, f"expected YAML or JSON, found a fault: {fault}") from None
    except RecursionError:
        raise RecordError(path, "expected a plan, found nesting without end") from None
    try:
        plan = CapturePlan.model_validate(content)
    except ValidationError as error:
        raise RecordError(path, describe_fault(error)) from None
    _require_names(plan, path)
    advanced = plan.camera.advanced_json
    if advanced is not None:
        read_advanced(path.parent / advanced)
    return plan


class _PlanLoader(yaml.SafeLoader):
    """YAML in which a key may stand once: of two, half a plan would be dropped."""


def _mapping(loader: _PlanLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    return _once(
        [
            (loader.construct_object(k, deep=True), loader.construct_object(v, deep=True))
            for k, v in node.value
        ]
    )


_PlanLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def _read_yaml(text: str) -> Any:
    # The loader is a safe one.
    return yaml.load(text, Loader=_PlanLoader)


def _once(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"expected every key once, found {key!r} twice")
        found[key] = value
    return found


def read_advanced(path: Path) -> str:
    """Advanced settings of a camera, as their file has them.

    Raises:
        MiraError: It cannot be read, or is no JSON.
    """
    with os_faults(path):
        data = path.read_bytes()
    try:
        text = data.decode()
        json.loads(text)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise CaptureError(path, f"expected JSON, found a fault: {error}") from None
    return text


def _require_names(plan: CapturePlan, path: Path) -> None:
    """Ids that can name folders, and views that annotation will tell apart."""
    known: dict[str, PlannedView] = {}
    for view in plan.planned_views():
        for field, name in (("scene_id", view.scene_id), ("views", view.view_id)):
            try:
                require_name(name)
            except MiraError as error:
                raise RecordError(
                    path, f"scenes: {field}: {error.where!r}: {error.problem}"
                ) from None
        image = image_id_of(*view).casefold()
        if image in known:
            problem = f"scenes: expected views that annotation can tell apart, found {view}"
            raise RecordError(path, f"{problem} and {known[image]}, both image {image!r}")
        known[image] = view


def plan_of_scene(scene_id: str, *, views: int, session_id: str) -> CapturePlan:
    """The plan of one scene, with the usual settings.

    Raises:
        CaptureError: The id cannot name a folder.
    """
    try:
        require_name(scene_id)
    except MiraError as error:
        raise CaptureError("--scene", f"{error.where!r}: {error.problem}") from None
    return CapturePlan.model_validate(
        {"session_id": session_id, "scenes": ({"scene_id": scene_id, "views": views},)}
    )
