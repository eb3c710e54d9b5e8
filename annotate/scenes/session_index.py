"""Which view of a session an annotation is of."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from annotate.findings import Refused
from annotate.names import relative_path
from mira.errors import MiraError
from mira.store.session import Session, image_id_of

_VIEWS = "views"


class ViewPlace(NamedTuple):
    """Where a view is in a session."""

    scene_id: str
    view_id: str

    @property
    def image_id(self) -> str:
        """The id of the view's image."""
        return image_id_of(self.scene_id, self.view_id)

    @classmethod
    def of(cls, color: Path) -> ViewPlace:
        """The place of a picture by its path in a session."""
        return cls(color.parts[-4], color.parts[-2])


class SessionIndex:
    """Finds views by their folders and by the ids of their images."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, annotation: Path, image_path: str) -> ViewPlace | None:
        """The view that an annotation names, or else the one that its own place or name tells.

        Args:
            annotation: The annotation file.
            image_path: Its `imagePath`; empty where it has none.

        Raises:
            Refused: Several views have that id.
        """
        here = annotation.absolute()
        named = image_path.replace("\\", "/")
        if named and (place := self._by_folder(here.parent / named)):
            return place
        last = relative_path(image_path)
        if last and (place := self._by_id(Path(last.name).stem)):
            return place
        return self._by_folder(here) or self._by_id(annotation.stem)

    def _by_folder(self, path: Path) -> ViewPlace | None:
        """The view whose folder the last parts of a path name, in this session or in a copy."""
        *_, scene_id, views, view_id, _ = ("", "", "", *Path(os.path.normpath(path)).parts)
        if views != _VIEWS:
            return None
        try:
            found = self._session.view_folder(scene_id, view_id).is_dir()
        except (MiraError, OSError, ValueError):
            return None
        return ViewPlace(scene_id, view_id) if found else None

    def _by_id(self, image_id: str) -> ViewPlace | None:
        places = self._by_image_id.get(image_id.casefold(), [])
        if len(places) > 1:
            listed = ", ".join(f"{place.scene_id}/{place.view_id}" for place in places[:4])
            message = f"expected one view of the name {image_id!r}, found {listed}"
            raise Refused("stem-collision", "imagePath", message)
        return places[0] if places else None

    @cached_property
    def _by_image_id(self) -> dict[str, list[ViewPlace]]:
        """All views, case aside; where two have one id, both."""
        found: dict[str, list[ViewPlace]] = {}
        for scene_id in self._session.scenes():
            for view_id in self._session.views(scene_id):
                place = ViewPlace(scene_id, view_id)
                found.setdefault(place.image_id.casefold(), []).append(place)
        return found
