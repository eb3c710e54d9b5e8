"""The questions about one picture, with its files: what one process does at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import orjson

from mira.errors import MiraError
from mira.published.entries import published_questions
from mira.published.pictures import ColorForm, PictureFiles
from mira.published.records import PublishedQuestion
from mira.render.depth import DepthScale
from mira.render.pictures import SourcePicture
from mira.render.style import RenderStyle
from mira.schema.qa import QAItem


class AskedPicture(NamedTuple):
    """A picture and what is asked about it."""

    image_id: str
    items: tuple[QAItem, ...]
    read: Callable[[], SourcePicture]
    """Gives the picture; with several workers it is pickled."""


class WrittenPicture(NamedTuple):
    """What was written about one picture."""

    number: int
    """Turn of the picture, from 0."""
    image_id: str
    entries: int
    depth: DepthScale | None
    by_template: Counter[str]
    """Items a template."""


@dataclass(frozen=True)
class PictureWriter:
    """Writes the files of a picture, and its entries as one part of the list.

    Attributes:
        root: Folder of `questions.json`.
        parts: Folder of parts of it.
        style: How pictures look.
        color_form: Kind of file of rendered colours.
    """

    root: Path
    parts: Path
    style: RenderStyle
    color_form: ColorForm

    def __call__(self, turn: tuple[int, AskedPicture]) -> WrittenPicture:
        """Write what is asked of one picture.

        Args:
            turn: Its number, from 0, and the picture.

        Raises:
            MiraError: The picture cannot be had, or is another.
        """
        number, asked = turn
        source = asked.read()
        if source.pictures.image_id != asked.image_id:
            found = source.pictures.image_id
            raise MiraError(asked.image_id, f"expected its picture, found {found!r}")
        files = PictureFiles(self.root, source, style=self.style, color_form=self.color_form)
        lines = [entry_line(question) for question in self._entries(files, asked.items)]
        part_path(self.parts, number).write_bytes(b",\n".join(lines))
        return WrittenPicture(
            number=number,
            image_id=asked.image_id,
            entries=len(lines),
            depth=files.depth_scale,
            by_template=Counter(item.template_id for item in asked.items),
        )

    def _entries(
        self, files: PictureFiles, items: tuple[QAItem, ...]
    ) -> Iterator[PublishedQuestion]:
        image_name = files.put_plain()
        for item in items:
            marked = files.put_marked(item)
            yield from published_questions(item, image_name=image_name, marked=marked)


def part_path(parts: Path, number: int) -> Path:
    """Where the entries about one picture wait."""
    return parts / f"{number}.json"


def entry_line(question: PublishedQuestion) -> bytes:
    """An entry as one line of JSON, without its end."""
    return orjson.dumps(question.plain())
