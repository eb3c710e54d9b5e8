"""Many questions about one picture: what they share is rendered once."""

from __future__ import annotations

from collections.abc import Sequence

from mira.errors import MiraError
from mira.render.boxes import draw_boxes
from mira.render.masks import render_masks
from mira.render.pictures import PictureMetadata, RenderedPicture, ScenePictures
from mira.render.question import render_question
from mira.render.style import RenderStyle
from mira.schema.qa import Mark, Modality, Protocol
from mira.taxonomy.catalogue import taxonomy


class SceneRenderer:
    """Renders the questions about one picture; gives what `render_question` gives, sooner.

    Colours, depth in colours and overlays are made when the first question needs them and kept:
    at most seven pictures.

    Args:
        pictures: Colours, depth and masks of the scene.
        style: How it all looks.
    """

    def __init__(self, pictures: ScenePictures, *, style: RenderStyle) -> None:
        self.pictures = pictures
        self.style = style
        self._unmarked: dict[Modality, tuple[RenderedPicture, ...]] = {}

    def unmarked(self, modality: Modality) -> tuple[RenderedPicture, ...]:
        """The pictures of a modality with nothing drawn on them: RGB, depth if any.

        Raises:
            MiraError: Depth is asked for and the scene has none.
        """
        if modality not in self._unmarked:
            self._unmarked[modality] = render_question(
                self.pictures, (), protocol="bbox_text", modality=modality, style=self.style
            )
        return self._unmarked[modality]

    def render(
        self, marks: Sequence[Mark], *, protocol: Protocol, modality: Modality
    ) -> tuple[RenderedPicture, ...]:
        """The pictures of a question in the order they are shown: RGB, mask if any, depth if any.

        Args:
            marks: Instances that the question and its options point at; none is allowed.
            protocol: Whether boxes are drawn or a mask picture is added.
            modality: Whether depth is shown and reflective regions are overlaid.

        Raises:
            MiraError: Depth is asked for and the scene has none, a marked instance has no mask, or
                a box is empty or leaves the picture.
        """
        pointing = taxonomy().protocol(protocol)
        color, *depth = self.unmarked(modality)
        self._require_inside(marks)
        boxes = tuple(marks) if pointing.drawn_box else ()
        masks = (self.mask(marks),) if pointing.mask_picture and marks else ()
        return (
            self._with_boxes(color, boxes),
            *masks,
            *(self._with_boxes(picture, boxes) for picture in depth),
        )

    def mask(self, marks: Sequence[Mark]) -> RenderedPicture:
        """White regions of the marked instances on black."""
        size = {"width_px": self.pictures.width_px, "height_px": self.pictures.height_px}
        image_rgb = render_masks(
            self.pictures.instance_masks,
            marks,
            **size,
            style=self.style,
            where=self.pictures.image_id,
        )
        labels = tuple(mark.label for mark in marks)
        return RenderedPicture("mask", image_rgb, PictureMetadata(**size, marked=labels))

    def _with_boxes(self, picture: RenderedPicture, boxes: tuple[Mark, ...]) -> RenderedPicture:
        if not boxes:
            return picture
        labels = tuple(mark.label for mark in boxes)
        return RenderedPicture(
            picture.role,
            draw_boxes(picture.image_rgb, boxes, style=self.style),
            picture.metadata.model_copy(update={"marked": labels}),
        )

    def _require_inside(self, marks: Sequence[Mark]) -> None:
        width_px, height_px = self.pictures.width_px, self.pictures.height_px
        for mark in marks:
            x1, y1, x2, y2 = mark.box_xyxy_px
            if not (0 <= x1 < x2 <= width_px and 0 <= y1 < y2 <= height_px):
                raise MiraError(
                    self.pictures.image_id,
                    f"expected the box of {mark.label} inside {width_px} x {height_px} px, "
                    f"found {mark.box_xyxy_px}",
                )
