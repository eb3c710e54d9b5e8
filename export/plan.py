"""What goes out, and to which split, before a row is written."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple, Self

from pydantic import Field

from export.requirements import require_split
from mira.errors import ExportError, WorkspaceError
from mira.schema.capture import Scene, View
from mira.schema.export import Stage
from mira.schema.qa import QAItem
from mira.schema.record import Record
from mira.store.atomic import file_ref
from mira.store.descriptions import DescriptionShelf
from mira.store.item_heads import ItemHead
from mira.store.workspace import Workspace

_UNSETTLED = ("not accepted", "rejected")


class PlannedPicture(Record):
    """A picture with questions that goes out, and the annotation they rest on."""

    image_id: str
    """The picture."""
    scene_id: str
    """Its scene."""
    annotator: str
    """Whose annotation."""
    annotation_sha256: str
    """Digest of it."""
    size_bytes: int
    """Length of its files."""
    has_depth: bool
    """Whether depth goes out with it."""
    records_sha256: str
    """Digest of the records of scene and view; see `picture_records`."""
    raw_bytes: int
    """Length of its depth on the sensor's own grid; 0 without."""
    described: dict[int, str] = Field(default_factory=dict)
    """What people say of its instances, by id; goes before what the annotation says."""


class ReleasePlan(Record):
    """What goes out."""

    pictures: dict[str, tuple[PlannedPicture, ...]]
    """Pictures that go out, by split, in the order of the workspace."""
    closed_groups: tuple[str, ...]
    """Joint groups of which a question does not go out, so that none does."""
    left_out: dict[str, int]
    """What does not go out, by reason."""
    stage: Stage
    """Whether only what may be published goes out."""
    records_sha256: str
    """Digest of the records that it was made from; see `records_digest`."""
    items_stamp: tuple[int, int] | None
    """Length of the file of questions and when it was written last, by which processes see that
    somebody writes it; absent without questions."""

    @classmethod
    def of_nothing(cls, stage: Stage) -> Self:
        """The plan of a release without pictures."""
        return cls(
            pictures={},
            closed_groups=(),
            left_out={},
            stage=stage,
            records_sha256="",
            items_stamp=None,
        )

    def only(self, image_ids: Collection[str]) -> Self:
        """The plan with so many of its pictures, and the splits that have any of them."""
        kept = {
            split: tuple(one for one in pictures if one.image_id in image_ids)
            for split, pictures in self.pictures.items()
        }
        pictures = {split: some for split, some in kept.items() if some}
        return self.model_copy(update={"pictures": pictures})

    def takes(self, item: QAItem | ItemHead) -> bool:
        """Whether review lets an item out, and all that it counts with."""
        return _is_settled(item, self.stage) and item.joint_group not in self._closed

    @cached_property
    def _closed(self) -> frozenset[str]:
        return frozenset(self.closed_groups)


class _Asked(NamedTuple):
    """The annotation that the questions about a picture rest on."""

    annotator: str
    annotation_sha256: str


def plan_release(
    workspace: Workspace, *, split: str | None, unsplit: str, stage: Stage
) -> ReleasePlan:
    """Decide what goes out.

    A draft holds all pictures with questions, and all items but those that review rejected. A final
    release holds items that review accepted, of scenes with a licence and consent.

    Args:
        workspace: Read only.
        split: Split of all scenes; only where nobody split them.
        unsplit: Split of all scenes where nobody split them, and none is given.
        stage: What may go out.

    Raises:
        ExportError: Nothing goes out, a picture or a scene is gone, a scene has no split, or a
            split is named for scenes that have theirs.
    """
    stamp = items_stamp(workspace)
    scenes = {scene.scene_id: scene for scene in workspace.scenes()}
    gaps = {scene_id: open_matters(one) for scene_id, one in scenes.items()}
    left_out: Counter[str] = Counter()
    closed: set[str] = set()
    settled: dict[tuple[str | None, str, str], Counter[_Asked]] = {}
    for item in workspace.item_heads():
        if _is_settled(item, stage):
            rests_on = _Asked(item.annotator, item.annotation_sha256)
            where = (item.joint_group, item.scene_id, item.image_id)
            settled.setdefault(where, Counter())[rests_on] += 1
            continue
        left_out[f"items {_UNSETTLED[item.review == 'rejected']} by review"] += 1
        if item.joint_group is not None:
            closed.add(item.joint_group)
    asked: dict[str, dict[str, _Asked]] = {}
    for (joint_group, scene_id, image_id), rests in settled.items():
        if joint_group in closed:
            left_out["items count with one that does not go out"] += rests.total()
        elif scene_id not in scenes:
            problem = f"the scene {scene_id!r} of picture {image_id!r} is gone"
            raise ExportError(workspace.root, problem, "run: mira qa generate")
        elif stage == "final" and gaps[scene_id]:
            left_out["items of scenes that may not be published"] += rests.total()
        else:
            asked.setdefault(scene_id, {})[image_id] = list(rests)[-1]
    if stage == "final":
        left_out.update(f"scenes {gap}" for some in gaps.values() for gap in some)
    if not asked:
        raise _nothing(workspace, left_out, stage)
    pictures = _pictures(workspace, asked)
    return ReleasePlan(
        pictures=_by_split(workspace, pictures, split, unsplit),
        closed_groups=tuple(sorted(closed)),
        left_out=dict(sorted(left_out.items())),
        stage=stage,
        records_sha256=records_digest(workspace, pictures),
        items_stamp=stamp,
    )


def items_stamp(workspace: Workspace) -> tuple[int, int]:
    """Length of the file of questions, and the nanosecond it was written last."""
    found = workspace.items_path().stat()
    return found.st_size, found.st_mtime_ns


def picture_records(workspace: Workspace, scene_id: str, image_id: str) -> tuple[Scene, View, str]:
    """The scene and the view of a picture, and the SHA-256 of both records as they are written."""
    paths = workspace.scene_path(scene_id), workspace.view_path(scene_id, image_id)
    try:
        texts = [path.read_bytes() for path in paths]
    except FileNotFoundError as error:
        raise WorkspaceError(str(error.filename), "is gone", "run it again") from None
    scene = Scene.from_json(texts[0], where=paths[0])
    view = View.from_json(texts[1], where=paths[1])
    return scene, view, hashlib.sha256(b"\0".join(texts)).hexdigest()


def records_digest(workspace: Workspace, pictures: Iterable[PlannedPicture]) -> str:
    """SHA-256 over the files that say what goes out: questions, splits, scenes and pictures.

    Raises:
        WorkspaceError: One of them is gone.
    """
    items = workspace.items_path()
    digest = hashlib.sha256(file_ref(items, relative_to=items.parent).sha256.encode())
    if workspace.splits_path.is_file():
        digest.update(workspace.splits_path.read_bytes())
    for picture in sorted(pictures, key=lambda one: (one.scene_id, one.image_id)):
        for path in (
            workspace.scene_path(picture.scene_id),
            workspace.view_path(picture.scene_id, picture.image_id),
        ):
            try:
                digest.update(path.read_bytes())
            except FileNotFoundError:
                raise WorkspaceError(path, "is gone", "run it again") from None
    return digest.hexdigest()


def open_matters(scene: Scene) -> tuple[str, ...]:
    """What a scene lacks before it may be published."""
    gaps = {"without licence": not scene.licence, "without consent": scene.consent == "unknown"}
    return tuple(gap for gap, is_open in gaps.items() if is_open)


def _is_settled(item: QAItem | ItemHead, stage: Stage) -> bool:
    return item.review == "accepted" or (stage == "draft" and item.review != "rejected")


def _pictures(
    workspace: Workspace, asked: Mapping[str, Mapping[str, _Asked]]
) -> tuple[PlannedPicture, ...]:
    """The pictures that are asked about, in the order of the workspace.

    Raises:
        ExportError: One is gone, or in another scene now.
    """
    found: list[PlannedPicture] = []
    described = DescriptionShelf(workspace).by_image()
    scene_of = {image_id: scene_id for scene_id, some in asked.items() for image_id in some}
    for view in workspace.views():
        if view.image_id not in scene_of:
            continue
        if scene_of[view.image_id] != view.scene_id:
            problem = f"is in scene {view.scene_id!r} now, which its questions are not of"
            raise ExportError(view.image_id, problem, "run: mira qa generate")
        rests_on = asked[view.scene_id][view.image_id]
        _, view, records_sha256 = picture_records(workspace, view.scene_id, view.image_id)
        files = [ref for ref in (view.color, view.depth_aligned) if ref is not None]
        found.append(
            PlannedPicture(
                image_id=view.image_id,
                scene_id=view.scene_id,
                annotator=rests_on.annotator,
                annotation_sha256=rests_on.annotation_sha256,
                size_bytes=sum(ref.size_bytes for ref in files),
                has_depth=view.depth_aligned is not None,
                records_sha256=records_sha256,
                raw_bytes=0 if view.depth is None else view.depth.size_bytes,
                described=described.get(view.image_id, {}),
            )
        )
    if gone := len(scene_of) - len(found):
        problem = f"{gone} pictures with questions are gone"
        raise ExportError(workspace.root, problem, "run: mira qa generate")
    return tuple(found)


def _by_split(
    workspace: Workspace, pictures: tuple[PlannedPicture, ...], split: str | None, unsplit: str
) -> dict[str, tuple[PlannedPicture, ...]]:
    record = workspace.splits()
    if record is None:
        return {unsplit if split is None else split: pictures}
    if split is not None:
        problem = f"expected none, for scenes have been split, found {split!r}"
        raise ExportError("split", problem, "see: mira export split")
    asked = dict.fromkeys(picture.scene_id for picture in pictures)
    if lost := [scene_id for scene_id in asked if scene_id not in record.scenes]:
        problem = f"{len(lost)} scenes have no split, {lost[0]!r} for one"
        raise ExportError(workspace.root, problem, "run: mira export split")
    for name in record.order():
        require_split(name)
    found: dict[str, list[PlannedPicture]] = {name: [] for name in record.order()}
    for picture in pictures:
        found[record.scenes[picture.scene_id]].append(picture)
    return {name: tuple(some) for name, some in found.items() if some}


def _nothing(workspace: Workspace, left_out: Counter[str], stage: Stage) -> ExportError:
    if not left_out:
        return ExportError(workspace.root, "holds no question to export", "see: mira qa generate")
    why = "; ".join(f"{reason}: {count:,}" for reason, count in sorted(left_out.items()))
    hint = "see: mira export build --help" if stage == "final" else None
    return ExportError(workspace.root, f"holds nothing that may go out: {why}", hint)
