"""`mira.load`: questions of a release with their pictures rendered on the fly."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mira.errors import MissingExtraError, ReleaseError
from mira.geometry.mask import Rle
from mira.release.reader import Row, read_info
from mira.render.pictures import RenderedPicture, ScenePictures
from mira.render.question import render_question
from mira.render.source import decode_color, decode_depth
from mira.render.style import RenderStyle
from mira.schema.qa import Mark, Modality, Protocol
from mira.taxonomy.catalogue import taxonomy

if TYPE_CHECKING:
    from datasets import Dataset

_SCENES_KEPT = 8
_RENDER_FROM = {"question_id", "image_id", "marks", "protocol"}


def load(
    path: str | Path,
    *,
    protocol: Protocol,
    modality: Modality = "rgb",
    split: str = "test",
    style: RenderStyle | None = None,
    cache_dir: str | Path | None = None,
) -> Dataset:
    """Questions of one referring protocol, each with the pictures a model is to see.

    Args:
        path: A release folder.
        protocol: How questions point at objects.
        modality: Which pictures go along.
        split: Which split.
        style: Looks of boxes, masks, overlays and depth; the default style where none is given.
        cache_dir: Where `datasets` keeps its files; a folder of the release's own digest is made
            in it, so that another release is never served from the cache.

    Returns:
        A `datasets.Dataset` with the columns of `qa` and, rendered when a row is read, `images`
        (a list of PIL pictures: RGB, mask if any, depth if any) and `image_roles`.

    Raises:
        ReleaseError: The folder is no release, or it has no such split or protocol.
        MissingExtraError: `datasets` is not installed.
    """
    try:
        import datasets
    except ImportError:
        raise MissingExtraError("datasets", "export") from None
    release = Path(path)
    if protocol not in {known.id for known in taxonomy().protocols}:
        raise ReleaseError("protocol", f"expected one of the taxonomy's, found {protocol!r}")
    if modality not in {known.id for known in taxonomy().modalities}:
        raise ReleaseError("modality", f"expected one of the taxonomy's, found {modality!r}")
    digest = read_info(release).digest
    cache = Path(cache_dir or datasets.config.HF_DATASETS_CACHE) / f"mira-{digest[:16]}"
    questions = _table(datasets, release, "qa", split, cache)
    scenes = _table(datasets, release, "scenes", split, cache)
    rows = [k for k, known in enumerate(questions["protocol"]) if known == protocol]
    renderer = QuestionRenderer(scenes, modality=modality, style=style or RenderStyle())
    return questions.select(rows).with_transform(renderer)


def _table(hf: Any, release: Path, config: str, split: str, cache: Path) -> Any:
    try:
        return hf.load_dataset(str(release), config, split=split, cache_dir=str(cache))
    except ValueError as error:
        raise ReleaseError(release, f"config {config!r}, split {split!r}: {error}") from None


class QuestionRenderer:
    """Adds pictures to a batch of `qa` rows; keeps the scenes it decoded last."""

    def __init__(self, scenes: Dataset, *, modality: Modality, style: RenderStyle) -> None:
        import datasets

        self._scenes = scenes.cast_column("image", datasets.Image(decode=False)).cast_column(
            "depth", datasets.Image(decode=False)
        )
        self._row_of = {image_id: k for k, image_id in enumerate(scenes["image_id"])}
        self._modality = modality
        self._style = style
        self._pictures = lru_cache(_SCENES_KEPT)(self._read_pictures)

    def __call__(self, batch: dict[str, list[Any]]) -> dict[str, list[Any]]:
        """The batch with `images` and `image_roles`; a batch of chosen columns stays as it is."""
        if not batch.keys() >= _RENDER_FROM:
            return batch
        rendered = [self._render(k, batch) for k in range(len(batch["question_id"]))]
        return {
            **batch,
            "images": [[_pil(picture) for picture in pictures] for pictures in rendered],
            "image_roles": [[picture.role for picture in pictures] for pictures in rendered],
        }

    def _render(self, k: int, batch: dict[str, list[Any]]) -> tuple[RenderedPicture, ...]:
        return render_question(
            self._pictures(batch["image_id"][k]),
            marks_of_row({"marks": batch["marks"][k]}),
            protocol=batch["protocol"][k],
            modality=self._modality,
            style=self._style,
        )

    def _read_pictures(self, image_id: str) -> ScenePictures:
        return pictures_of_row(self._scenes[self._row_of[image_id]])


def pictures_of_row(row: Row) -> ScenePictures:
    """A row of `scenes`, its pictures undecoded, as the renderer takes it."""
    return ScenePictures(
        image_id=row["image_id"],
        color_rgb=decode_color(row["image"]["bytes"], where=row["image_id"]),
        depth=None
        if row["depth"] is None
        else decode_depth(row["depth"]["bytes"], where=row["image_id"]),
        depth_unit_m=row["depth_unit_m"],
        depth_kind=row["depth_kind"],
        surface_masks=tuple(_rle(region) for region in row["surfaces"]),
        instance_masks={region["instance_id"]: _rle(region) for region in row["instances"]},
    )


def marks_of_row(row: Row) -> tuple[Mark, ...]:
    """The marks of a row of `qa`."""
    return tuple(Mark.model_validate(mark) for mark in row["marks"])


def _rle(region: dict[str, Any]) -> Rle:
    return Rle.model_validate(region["segmentation"])


def _pil(picture: RenderedPicture) -> Any:
    from PIL import Image

    return Image.fromarray(picture.image_rgb)
