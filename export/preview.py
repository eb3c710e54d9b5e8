"""About a hundred questions with their pictures as a model sees them, for viewers.

All else of a release is stored once, so that a viewer shows questions without pictures, or pictures
without questions. These rows stand for themselves.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from export.plan import ReleasePlan
from mira.release.loading import marks_of_row, pictures_of_row
from mira.release.reader import Row
from mira.render.pictures import RenderedPicture
from mira.render.scene import SceneRenderer
from mira.render.style import RenderStyle
from mira.schema.qa import Modality

ROWS = 100
_PICTURES = 25
_KEPT_COLUMNS = (
    *("question_id", "item_id", "scene_id", "image_id", "level", "subtask", "template_id"),
    *("protocol", "format", "question", "options", "answer"),
)
_COLUMN_OF = {"rgb": "image", "mask": "mask", "depth": "depth"}


class PreviewPicker:
    """Chooses a few questions of a few pictures, of all templates and protocols alike.

    Attributes:
        pictures: The pictures.
    """

    def __init__(self, plan: ReleasePlan) -> None:
        every = [image_id for pictures in plan.pictures.values() for image_id in pictures]
        self.pictures = frozenset(sorted(every, key=_rank)[:_PICTURES])
        self._rows: dict[str, list[Row]] = defaultdict(list)
        self._picked: dict[str, list[Row]] | None = None

    def watching(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows of `qa`, noted on their way."""
        for row in rows:
            if row["image_id"] in self.pictures:
                self._rows[row["image_id"]].append(row)
            yield row

    def rows_of(self, image_id: str) -> list[Row]:
        """Questions about a picture that were chosen; to be asked when all rows have passed."""
        if self._picked is None:
            self._picked = self._pick()
        return self._picked.get(image_id, [])

    def _pick(self) -> dict[str, list[Row]]:
        """A row of each picture in turn: the one whose template and protocol were taken least."""
        used: Counter[str] = Counter()
        picked: dict[str, list[Row]] = defaultdict(list)
        left = {image_id: list(self._rows[image_id]) for image_id in sorted(self._rows, key=_rank)}
        count = 0
        while count < ROWS and any(left.values()):
            for image_id, rows in left.items():
                if not rows or count == ROWS:
                    continue
                best = min(rows, key=lambda row: (_taken(row, used), _rank(row["question_id"])))
                rows.remove(best)
                used.update((best["template_id"], best["protocol"]))
                picked[image_id].append(best)
                count += 1
        return picked


def preview_rows(questions: Iterable[Row], scene: Row) -> Iterator[Row]:
    """Rows of `qa_preview`.

    Args:
        questions: Rows of `qa` about one picture.
        scene: The picture's row of `scenes`.
    """
    renderer: SceneRenderer | None = None
    modality: Modality = "rgb_m" if scene["depth"] is None else "rgb_dm"
    for row in questions:
        renderer = renderer or SceneRenderer(pictures_of_row(scene), style=RenderStyle())
        shown = renderer.render(marks_of_row(row), protocol=row["protocol"], modality=modality)
        yield {
            **{name: row[name] for name in _KEPT_COLUMNS},
            "modality": modality,
            **_shown(row["question_id"], shown),
        }


def _shown(question_id: str, pictures: Iterable[RenderedPicture]) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for column in _COLUMN_OF.values():
        columns[column] = columns[f"{column}_sha256"] = None
    for picture in pictures:
        column, data = _COLUMN_OF[picture.role], picture.jpeg()
        columns[column] = {"bytes": data, "path": f"{question_id}_{picture.role}.jpg"}
        columns[f"{column}_sha256"] = hashlib.sha256(data).hexdigest()
    return columns


def _taken(row: Row, used: Counter[str]) -> int:
    return used[row["template_id"]] + used[row["protocol"]]


def _rank(name: str) -> bytes:
    return hashlib.blake2b(name.encode(), digest_size=8).digest()
