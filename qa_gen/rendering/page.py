"""The page on which rendered questions are looked through."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mira.render.depth import DepthScale
from mira.render.pictures import PictureMetadata, RenderedPicture
from mira.render.sizing import at_most
from mira.render.style_settings import NamedStyle
from mira.report.page import jpeg_uri, render_page
from mira.schema.qa import AxesAnswer, ChoiceTextAnswer, Modality, Protocol, QAItem
from mira.taxonomy.catalogue import taxonomy
from qa_gen.rendering.records import RenderedQuestion, RenderPagePolicy

_TEMPLATE = Path(__file__).with_name("render_page.html.j2")
_ROLES = {"rgb": "RGB", "mask": "Mask", "depth": "Depth"}


class RenderPage:
    """Gathers cards while questions are rendered; keeps thumbnails alone.

    Args:
        protocol: How questions point at objects.
        modality: Which pictures go along.
        styles: How pictures look; the values of the last setting swept stand in a row.
        items: Items in all.
        policy: What the page holds.
    """

    def __init__(
        self,
        protocol: Protocol,
        modality: Modality,
        styles: Sequence[NamedStyle],
        items: int,
        policy: RenderPagePolicy,
    ) -> None:
        self._protocol = taxonomy().protocol(protocol)
        self._modality = taxonomy().modality(modality)
        self._styles = styles
        self._items = items
        self._policy = policy
        self._cards: list[dict[str, Any]] = []
        self._thumbnails = 0

    @property
    def shown(self) -> int:
        """Items on the page."""
        return len(self._cards)

    def add(
        self,
        item: QAItem,
        in_styles: Sequence[tuple[RenderedQuestion, tuple[RenderedPicture, ...]]],
    ) -> None:
        """Take in an item; those that no longer fit are counted alone.

        Args:
            item: The item.
            in_styles: The question with its pictures, in each style.
        """
        wanted = sum(len(pictures) for _, pictures in in_styles)
        if self._cards and self._thumbnails + wanted > self._policy.max_thumbnails:
            return
        self._thumbnails += wanted
        question = in_styles[0][0]
        template = taxonomy().template(item.template_id)
        self._cards.append(
            {
                "question_id": question.question_id,
                "template_id": item.template_id,
                "subtask": taxonomy().subtask(template.subtask).name,
                "image_id": item.image_id,
                "prompt": question.prompt.split("\n"),
                "answer": answer_words(item),
                "in_styles": [
                    {"title": _title(style), "figures": self._figures(question, pictures)}
                    for style, (question, pictures) in zip(self._styles, in_styles, strict=True)
                ],
            }
        )

    def html(self) -> str:
        """The page."""
        return render_page(
            _TEMPLATE,
            protocol=self._protocol,
            modality=self._modality,
            styles=len(self._styles),
            columns=len({style.settings[-1:] for style in self._styles}),
            cards=self._cards,
            items=self._items,
            version=version("mira-toolkit"),
        )

    def _figures(
        self, question: RenderedQuestion, pictures: tuple[RenderedPicture, ...]
    ) -> list[dict[str, Any]]:
        return [
            {
                "link": file.path,
                "role": _ROLES[file.role],
                "caption": _caption(file.metadata),
                "thumbnail": jpeg_uri(
                    at_most(picture.image_rgb, self._policy.thumbnail_px),
                    quality=self._policy.jpeg_quality,
                ),
                "width_px": picture.metadata.width_px,
                "height_px": picture.metadata.height_px,
            }
            for file, picture in zip(question.pictures, pictures, strict=True)
        ]


def answer_words(item: QAItem) -> str:
    """The right answer for people."""
    answer = item.answer
    if isinstance(answer, AxesAnswer):
        return f"{answer.horizontal}, {answer.vertical}, {answer.depth.replace('_', ' ')}"
    if isinstance(answer, ChoiceTextAnswer) and answer.text:
        return f"{answer.value} ({answer.text})"
    return str(answer.value)


def _title(style: NamedStyle) -> str:
    return ", ".join(f"{name} {value}" for name, value in style.settings)


def _caption(metadata: PictureMetadata) -> str:
    parts = [f"{metadata.width_px} × {metadata.height_px}"]
    if metadata.depth is not None:
        parts.append(_range_text(metadata.depth))
    if metadata.mirror_overlay:
        parts.append("mirrors overlaid")
    return ", ".join(parts)


def _range_text(scale: DepthScale) -> str:
    if scale.near is None or scale.far is None:
        return "no reading"
    digits, unit = (2, " m") if scale.unit == "m" else (0, " raw")
    return f"{scale.color_map} from {scale.near:.{digits}f} to {scale.far:.{digits}f}{unit}"
