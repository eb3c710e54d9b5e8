"""What a `scene.json` says of a scene."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from annotate.findings import FindingLog, brief
from annotate.names import id_of
from annotate.scenes.json_object import read_object
from mira.errors import SceneSourceError
from mira.schema.capture import Scene

Json = dict[str, Any]

_NOT_OURS = frozenset({"simulator"})
"""Keys of our own tools that no record has, passed over in silence."""
_NOT_SAID = frozenset({"schema_version", "scene_id"})


class SceneFile(NamedTuple):
    """A `scene.json` that names its scene."""

    path: Path
    scene: Scene
    gives_id: bool
    """Whether it says the id; else the folder's name is it."""

    @property
    def said(self) -> Json:
        """The fields that it gives, but for the id."""
        names = self.scene.model_fields_set - _NOT_SAID
        return {name: getattr(self.scene, name) for name in sorted(names)}


def read_scene(path: Path, log: FindingLog) -> SceneFile | None:
    """The scene in a file; None where there is no file.

    Args:
        path: The file.
        log: Takes the fields that are left unset, and the keys that are not kept.

    Raises:
        SceneSourceError: It is no JSON object, of a newer version, or its id cannot be one.
    """
    if not path.is_file():
        return None
    data = read_object(path)
    known = {key: value for key, value in data.items() if key in Scene.model_fields}
    if unknown := sorted(data.keys() - known.keys() - _NOT_OURS):
        named = ", ".join(_with_guess(key) for key in unknown)
        log.warning("scene-key-unknown", "", f"not kept: {named}", path=path)
    scene = _scene_of({"scene_id": id_of(path.resolve().parent.name), **known}, path, log)
    if id_of(scene.scene_id) != scene.scene_id or not scene.scene_id:
        raise _id_fault(scene.scene_id, path)
    return SceneFile(path=path, scene=scene, gives_id="scene_id" in known)


def _with_guess(key: str) -> str:
    near = get_close_matches(key.casefold(), Scene.model_fields, n=1, cutoff=0.75)
    return f"{brief(key)} (is {near[0]!r} meant?)" if near else brief(key)


def _scene_of(values: Json, path: Path, log: FindingLog) -> Scene:
    """The scene, less the fields at fault."""
    try:
        return Scene.model_validate(values)
    except ValidationError as error:
        faults = error.errors(include_url=False)
    refusal: SceneSourceError | None = None
    for fault in faults:
        where = _field(fault["loc"])
        if where == "scene_id":
            refusal = _id_fault(fault["input"], path)
        elif not where:
            raise SceneSourceError(path, fault["msg"].removeprefix("Value error, "))
        else:
            log.error("scene-invalid", where, f"{_problem(fault)}; not taken", path=path)
    if refusal is not None:
        raise refusal
    wrong = {fault["loc"][0] for fault in faults}
    return Scene.model_validate({key: values[key] for key in values.keys() - wrong})


def _id_fault(value: object, path: Path) -> SceneSourceError:
    expected = "expected letters, digits, '_', '-' and '.'"
    return SceneSourceError(path, f"scene_id: {expected}, found {brief(value)}")


def _field(parts: tuple[int | str, ...]) -> str:
    """A field's path, such as `surfaces[0].surface_type`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
    return text.removeprefix(".")


def _problem(fault: Any) -> str:
    if fault["type"] == "missing":
        return "expected a value, found none"
    if fault["type"] == "extra_forbidden":
        return f"expected no such field, found {brief(fault['input'])}"
    expected = fault["msg"].removeprefix("Input should be ")
    return f"expected {expected}, found {brief(fault['input'])}"
