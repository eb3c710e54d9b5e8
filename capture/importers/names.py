"""Ids of scenes and views from the names of files."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from capture.importers.source_scene import ImportFault, SourceScene, SourceView
from mira.errors import MiraError
from mira.store.names import require_name
from mira.store.session import image_id_of

_ODD = re.compile(r"[^\w.\-]+")
_LONGEST_BYTES = 90
"""Scene and view together are the id of an image, which is a file's name too."""
_DEVICE_PREFIX = "x-"


@dataclass(frozen=True)
class PlannedView:
    """A view with its id."""

    view_id: str
    source: SourceView


@dataclass(frozen=True)
class PlannedScene:
    """A scene with its id."""

    scene_id: str
    views: tuple[PlannedView, ...]
    is_video: bool


def safe_id(text: str) -> str:
    """The id that a name gives: its letters, digits, `_`, `-` and `.`; the rest becomes `-`.

    Returns:
        A name that is safe as one part of a path; empty where nothing of it can be used.
    """
    known = _ODD.sub("-", unicodedata.normalize("NFC", text)).lstrip("_-.")
    name = known.encode()[:_LONGEST_BYTES].decode(errors="ignore").rstrip("-.")
    return name if not name or _is_safe(name) else f"{_DEVICE_PREFIX}{name}"


def give_ids(scenes: Sequence[SourceScene]) -> tuple[list[PlannedScene], list[ImportFault]]:
    """Scenes with the ids of all that can have one, and what cannot.

    A picture that is a scene for itself has its scene's id. Others have their own, with the
    scene's before it where they would otherwise be taken to carry it already, so that the id of an
    image is `<scene>_<view>`. Names that give one id, case aside, are refused, all of them.
    """
    owners: defaultdict[str, list[str]] = defaultdict(list)
    for scene in scenes:
        owners[safe_id(scene.name).casefold()].append(scene.views[0].color)
    planned: list[PlannedScene] = []
    faults: list[ImportFault] = []
    for scene in scenes:
        scene_id = safe_id(scene.name)
        sharing = owners[scene_id.casefold()]
        if scene_id and len(sharing) == 1:
            views = tuple(
                PlannedView(_view_id(scene_id, view, scene), view) for view in scene.views
            )
            planned.append(PlannedScene(scene_id, views, scene.is_video))
        else:
            faults += (_fault(view.color, "scene", scene_id, sharing) for view in scene.views)
    kept, more = _with_own_images(planned)
    return kept, faults + more


def _with_own_images(
    scenes: Sequence[PlannedScene],
) -> tuple[list[PlannedScene], list[ImportFault]]:
    """Scenes less the views whose image's id another has too."""
    owners: defaultdict[str, list[str]] = defaultdict(list)
    for scene in scenes:
        for view in scene.views:
            owners[_image_key(scene, view)].append(view.source.color)
    kept: list[PlannedScene] = []
    faults: list[ImportFault] = []
    for scene in scenes:
        good = []
        for view in scene.views:
            sharing = owners[_image_key(scene, view)]
            if view.view_id and len(sharing) == 1:
                good.append(view)
            else:
                faults.append(_fault(view.source.color, "view", view.view_id, sharing))
        if good:
            kept.append(replace(scene, views=tuple(good)))
    return kept, faults


def _view_id(scene_id: str, view: SourceView, scene: SourceScene) -> str:
    if scene.is_single:
        return scene_id
    view_id = safe_id(view.name)
    if view_id.startswith(scene_id) and not view_id.startswith(f"{scene_id}_"):
        return f"{scene_id}_{view_id}"
    return view_id


def _image_key(scene: PlannedScene, view: PlannedView) -> str:
    return image_id_of(scene.scene_id, view.view_id).casefold()


def _fault(file: str, kind: str, found: str, sharing: Sequence[str]) -> ImportFault:
    if not found:
        return ImportFault(file, f"expected a name that gives a {kind}'s id, found none")
    others = [other for other in sharing if other != file]
    more = f" and {len(others) - 1} more" if len(others) > 1 else ""
    return ImportFault(
        file, f"expected an id that no other {kind} has, found {found!r} of {others[0]}{more} too"
    )


def _is_safe(name: str) -> bool:
    try:
        return bool(require_name(name))
    except MiraError:
        return False
