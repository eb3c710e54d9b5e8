"""What a model would see of chosen items: pictures, text, and a page to look through."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from mira.errors import MiraError
from mira.item_pictures import PictureAccess
from mira.render.pictures import RenderedPicture
from mira.render.prompt import format_prompt
from mira.render.scene import SceneRenderer
from mira.render.style_settings import NamedStyle
from mira.schema.qa import Modality, Protocol, QAItem, Wording
from mira.store.atomic import replace_folder
from mira.store.replacing import require_replaceable
from qa_gen.rendering.choice import wording_in
from qa_gen.rendering.page import RenderPage
from qa_gen.rendering.records import (
    RenderedFile,
    RenderedQuestion,
    RenderPagePolicy,
    RenderRecord,
)

META_NAME, PAGE_NAME, QUESTIONS_FOLDER = "meta.json", "index.html", "questions"
Progress = Callable[[int, int], None]
"""Takes items done and items in all."""


class RenderSummary(NamedTuple):
    """What was rendered."""

    out: str
    """The folder."""
    page: str
    """The page."""
    items: int
    styles: int
    pictures: int
    on_page: int
    """Items that the page shows; the others are in the folder alone."""


class _Shown(NamedTuple):
    """A question in one style, with its pictures."""

    style: NamedStyle
    question: RenderedQuestion
    pictures: tuple[RenderedPicture, ...]


def write_renders(
    items: Sequence[QAItem],
    pictures: PictureAccess,
    out: Path,
    *,
    protocol: Protocol,
    modality: Modality,
    styles: Sequence[NamedStyle],
    policy: RenderPagePolicy,
    progress: Progress | None = None,
) -> RenderSummary:
    """Write what a model would be given of each item, in place of `out`, in one step.

    The same items, pictures and styles give the same bytes.

    Args:
        items: Those that can be asked in the protocol; those of one picture stand together.
        pictures: Gives the picture of an item.
        out: The folder; one that this wrote before is replaced.
        protocol: How the questions point at objects.
        modality: Which pictures go along.
        styles: How pictures look; each question is rendered in every one.
        policy: What the page holds.
        progress: Called after each item.

    Raises:
        MiraError: `out` holds anything else, a picture cannot be had, or it has no depth and is to
            show it.
    """
    own = (META_NAME, PAGE_NAME, QUESTIONS_FOLDER)
    require_replaceable(out, mark=META_NAME, own=own)
    page = RenderPage(protocol, modality, styles, len(items), policy)
    questions: list[RenderedQuestion] = []
    with replace_folder(out) as root:
        for done, (item, shown) in enumerate(
            _rendered(items, pictures, protocol, modality, styles), start=1
        ):
            for one in shown:
                _write_question(root, one)
                questions.append(one.question)
            page.add(item, [(one.question, one.pictures) for one in shown])
            if progress is not None:
                progress(done, len(items))
        record = RenderRecord(
            protocol=protocol,
            modality=modality,
            styles={style.name: style.style for style in styles},
            questions=tuple(questions),
        )
        (root / META_NAME).write_bytes(record.to_json())
        (root / PAGE_NAME).write_text(page.html(), "utf-8")
    return RenderSummary(
        out=str(out),
        page=str(out / PAGE_NAME),
        items=len(items),
        styles=len(styles),
        pictures=sum(len(question.pictures) for question in questions),
        on_page=page.shown,
    )


def _rendered(
    items: Sequence[QAItem],
    pictures: PictureAccess,
    protocol: Protocol,
    modality: Modality,
    styles: Sequence[NamedStyle],
) -> Iterator[tuple[QAItem, list[_Shown]]]:
    for _, group in groupby(items, lambda item: item.image_id):
        renderers: list[SceneRenderer] = []
        for item in group:
            if not renderers:
                scene = pictures(item).pictures
                renderers = [SceneRenderer(scene, style=style.style) for style in styles]
            wording = wording_in(item, protocol)
            if wording is None:
                raise MiraError(item.item_id, f"expected a wording in {protocol}, found none")
            shown = []
            for style, renderer in zip(styles, renderers, strict=True):
                rendered = renderer.render(item.marks, protocol=protocol, modality=modality)
                shown.append(_Shown(style, _question(item, wording, style, rendered), rendered))
            yield item, shown


def _question(
    item: QAItem, wording: Wording, style: NamedStyle, rendered: tuple[RenderedPicture, ...]
) -> RenderedQuestion:
    question_id = f"{item.item_id}-{wording.protocol}"
    folder = "/".join(filter(None, (QUESTIONS_FOLDER, style.name, question_id)))
    return RenderedQuestion(
        question_id=question_id,
        item_id=item.item_id,
        template_id=item.template_id,
        image_id=item.image_id,
        style=style.name,
        prompt=format_prompt(
            wording.question,
            zip((option.label for option in item.options), wording.option_texts, strict=True),
        ),
        pictures=tuple(
            RenderedFile(
                path=f"{folder}/{number}-{picture.role}.png",
                role=picture.role,
                metadata=picture.metadata,
            )
            for number, picture in enumerate(rendered, start=1)
        ),
    )


def _write_question(root: Path, shown: _Shown) -> None:
    for file, picture in zip(shown.question.pictures, shown.pictures, strict=True):
        path = root / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture.png())
    folder = (root / shown.question.pictures[0].path).parent
    (folder / "prompt.txt").write_text(shown.question.prompt + "\n", "utf-8")
