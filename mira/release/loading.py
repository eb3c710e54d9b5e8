"""`mira.load`: questions of a release with their pictures rendered on the fly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal, get_args

from pydantic import ValidationError

from mira.errors import MissingExtraError, ReleaseError
from mira.geometry.mask import Rle
from mira.release.loadable import load_fault, require_loadable_path
from mira.release.reader import Row, config_info, read_info
from mira.render.pictures import RenderedPicture, ScenePictures, SourcePicture
from mira.render.scene import SceneRenderer
from mira.render.source import decode_color, decode_depth
from mira.render.style import RenderStyle
from mira.schema.qa import Mark, Modality, Protocol
from mira.schema.record import describe_fault
from mira.taxonomy.catalogue import taxonomy

if TYPE_CHECKING:
    from datasets import Dataset

MissingDepth = Literal["refuse", "skip"]
"""What becomes of questions that are to show depth and whose picture has none."""
PictureFormat = Literal["pil", "numpy", "torch"]
"""What pictures are given as; see `load`."""
_SCENES_KEPT = 8
_RENDER_FROM = {"question_id", "image_id", "marks", "protocol"}


def load(
    path: str | Path,
    *,
    protocol: Protocol,
    modality: Modality = "rgb",
    split: str = "test",
    style: RenderStyle | None = None,
    missing_depth: MissingDepth = "refuse",
    format: PictureFormat = "pil",
    cache_dir: str | Path | None = None,
) -> Dataset:
    """Questions of one referring protocol, each with the pictures a model is to see.

    Args:
        path: A release folder.
        protocol: How questions point at objects.
        modality: Which pictures go along.
        split: Name of one split.
        style: Looks of boxes, masks, overlays and depth; the default style where none is given.
        missing_depth: With a modality that shows depth, whether questions about pictures without
            it are refused or left out.
        format: What pictures are given as, laid out as `datasets` does: `numpy` arrays of shape
            (height, width, 3), or `torch` tensors of shape (3, height, width); both uint8.
        cache_dir: Where `datasets` keeps its files; a folder of the release's own digest is made
            in it, so that another release is never served from the cache.

    Returns:
        A `datasets.Dataset` with the columns of `qa` and, rendered when a row is read, `images`
        (a list of pictures: RGB, mask if any, depth if any) and `image_roles`.

    Raises:
        ReleaseError: The folder is no release or is damaged, it has no such split or protocol, or
            pictures lack the depth that is to be shown.
        MiraError: The cache cannot be written.
        MissingExtraError: `datasets` is not installed, or `torch` where its tensors are asked for.
    """
    try:
        import datasets
    except ImportError:
        raise MissingExtraError("datasets", "export") from None
    release = Path(path)
    _require_known("protocol", protocol, [known.id for known in taxonomy().protocols])
    _require_known("modality", modality, [known.id for known in taxonomy().modalities])
    _require_one_of("missing_depth", missing_depth, get_args(MissingDepth))
    _require_one_of("format", format, get_args(PictureFormat))
    info = read_info(release)
    splits = [part.split for part in config_info(info, "qa", release).splits]
    if split not in splits:
        raise ReleaseError(
            release, f"expected one of its splits ({', '.join(splits)}), found split {split!r}"
        )
    require_loadable_path(release)
    cache = Path(cache_dir or datasets.config.HF_DATASETS_CACHE) / f"mira-{info.digest[:16]}"
    questions = _table(datasets, release, "qa", split, cache)
    scenes = _table(datasets, release, "scenes", split, cache)
    rows = [
        k
        for k, (known, template_id) in enumerate(
            zip(questions["protocol"], questions["template_id"], strict=True)
        )
        if known == protocol or taxonomy().points_at_nothing(template_id)
    ]
    if not rows:
        raise ReleaseError(release, f"split {split!r} has no question in protocol {protocol!r}")
    rows = _showable(release, questions, scenes, rows, modality, missing_depth)
    renderer = QuestionRenderer(
        scenes, modality=modality, style=style or RenderStyle(), given_as=_MADE_BY[format]()
    )
    return questions.select(rows).with_transform(renderer)


def _require_one_of(name: str, value: object, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise ReleaseError(name, f"expected {' or '.join(allowed)}, found {value!r}")


def _require_known(name: str, value: object, known: Sequence[str]) -> None:
    if value not in known:
        raise ReleaseError(
            name, f"expected one of the taxonomy's ({', '.join(known)}), found {value!r}"
        )


def _table(hf: Any, release: Path, config: str, split: str, cache: Path) -> Any:
    try:
        return hf.load_dataset(str(release.absolute()), config, split=split, cache_dir=str(cache))
    except (ValueError, OSError, RuntimeError, hf.exceptions.DatasetsError) as error:
        fault = load_fault(
            error, release=release, config=config, scratch=cache, setting="cache_dir"
        )
        raise fault from None


def _showable(
    release: Path,
    questions: Dataset,
    scenes: Dataset,
    rows: list[int],
    modality: Modality,
    missing_depth: MissingDepth,
) -> list[int]:
    """Those rows whose picture has all that the modality shows."""
    digests = dict(zip(scenes["image_id"], scenes["depth_sha256"], strict=True))
    image_ids = list(questions["image_id"])
    unknown = sum(image_ids[k] not in digests for k in rows)
    if unknown:
        raise ReleaseError(
            release,
            f"{unknown} of {len(rows)} questions are about pictures that it does not hold",
            "see: mira export verify",
        )
    if not taxonomy().modality(modality).depth:
        return rows
    kept = [k for k in rows if digests[image_ids[k]] is not None]
    if len(kept) < len(rows) and missing_depth == "refuse":
        others = " or ".join(known.id for known in taxonomy().modalities if not known.depth)
        raise ReleaseError(
            release,
            f"expected depth for modality {modality!r}, found {len(rows) - len(kept)} of "
            f"{len(rows)} questions about a picture without",
            f"choose {others}, or leave them out: missing_depth='skip'",
        )
    return kept


class QuestionRenderer:
    """Adds pictures to a batch of `qa` rows; keeps the scenes it decoded last.

    It travels to other processes without what it keeps.
    """

    def __init__(
        self,
        scenes: Dataset,
        *,
        modality: Modality,
        style: RenderStyle,
        given_as: Callable[[RenderedPicture], Any],
    ) -> None:
        import datasets

        self._scenes = scenes.cast_column("image", datasets.Image(decode=False)).cast_column(
            "depth", datasets.Image(decode=False)
        )
        self._row_of = {image_id: k for k, image_id in enumerate(scenes["image_id"])}
        self._modality = modality
        self._style = style
        self._given_as = given_as
        self._scene = lru_cache(_SCENES_KEPT)(self._read_scene)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_scene"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._scene = lru_cache(_SCENES_KEPT)(self._read_scene)

    def __call__(self, batch: dict[str, list[Any]]) -> dict[str, list[Any]]:
        """The batch with `images` and `image_roles`; a batch of chosen columns stays as it is."""
        if not batch.keys() >= _RENDER_FROM:
            return batch
        rendered = [self._render(k, batch) for k in range(len(batch["question_id"]))]
        return {
            **batch,
            "images": [list(map(self._given_as, pictures)) for pictures in rendered],
            "image_roles": [[picture.role for picture in pictures] for pictures in rendered],
        }

    def _render(self, k: int, batch: dict[str, list[Any]]) -> tuple[RenderedPicture, ...]:
        return self._scene(batch["image_id"][k]).render(
            marks_of_row({"marks": batch["marks"][k]}),
            protocol=batch["protocol"][k],
            modality=self._modality,
        )

    def _read_scene(self, image_id: str) -> SceneRenderer:
        shows_depth = taxonomy().modality(self._modality).depth
        row = self._scenes[self._row_of[image_id]]
        return SceneRenderer(pictures_of_row(row, with_depth=shows_depth), style=self._style)


def pictures_of_row(row: Row, *, with_depth: bool = True) -> ScenePictures:
    """A row of `scenes`, its pictures undecoded, as the renderer takes it.

    Args:
        row: The row.
        with_depth: Whether depth will be looked at; it is decoded only then.
    """
    depth = row["depth"] if with_depth else None
    return ScenePictures(
        image_id=row["image_id"],
        color_rgb=decode_color(row["image"]["bytes"], where=row["image_id"]),
        depth=None if depth is None else decode_depth(depth["bytes"], where=row["image_id"]),
        depth_unit_m=row["depth_unit_m"],
        depth_kind=row["depth_kind"],
        surface_masks=tuple(_rle(region) for region in row["surfaces"]),
        instance_masks={region["instance_id"]: _rle(region) for region in row["instances"]},
    )


def source_of_row(row: Row) -> SourcePicture:
    """A row of `scenes`, its pictures undecoded, as the renderer takes it, with its colour file.

    Raises:
        ReleaseError: The row misses something, or a region is none.
        SceneSourceError: A picture does not decode.
    """
    try:
        return SourcePicture(
            pictures=pictures_of_row(row),
            color=row["image"]["bytes"],
            ending=PurePosixPath(row["image"]["path"] or "").suffix.lower(),
        )
    except (KeyError, TypeError, AttributeError, ValidationError) as error:
        raise damaged_picture(row, error) from None


def damaged_picture(row: Row, error: Exception) -> ReleaseError:
    """What to raise in place of what a damaged row of `scenes` raised."""
    problem = describe_fault(error) if isinstance(error, ValidationError) else str(error)
    where = f"picture {row.get('image_id')}"
    return ReleaseError(where, f"misses something: {problem}", "see: mira export verify")


def marks_of_row(row: Row) -> tuple[Mark, ...]:
    """The marks of a row of `qa`."""
    return tuple(Mark.model_validate(mark) for mark in row["marks"])


def _rle(region: dict[str, Any]) -> Rle:
    return Rle.model_validate(region["segmentation"])


def _pil(picture: RenderedPicture) -> Any:
    from PIL import Image

    return Image.fromarray(picture.image_rgb)


def _array(picture: RenderedPicture) -> Any:
    # Rows about one picture share it; who writes into an array would change theirs.
    return picture.image_rgb.copy()


def _tensor(picture: RenderedPicture) -> Any:
    import torch

    return torch.from_numpy(picture.image_rgb.copy()).permute(2, 0, 1)


def _with_torch() -> Callable[[RenderedPicture], Any]:
    try:
        import torch  # noqa: F401
    except ImportError:
        raise MissingExtraError("torch", "local") from None
    return _tensor


_MADE_BY: dict[PictureFormat, Callable[[], Callable[[RenderedPicture], Any]]] = {
    "pil": lambda: _pil,
    "numpy": lambda: _array,
    "torch": _with_torch,
}
