"""What goes out, and to which split, before a row is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from export.requirements import require_split
from mira.errors import ExportError
from mira.schema.capture import Scene
from mira.schema.export import Stage
from mira.schema.qa import QAItem
from mira.store.workspace import Workspace

_UNSETTLED = ("not accepted", "rejected")


class AskedPicture(NamedTuple):
    """The annotation that the questions about a picture rest on."""

    annotator: str
    annotation_sha256: str


class ReleasePlan(NamedTuple):
    """What goes out.

    Attributes:
        pictures: Pictures with questions that go out, by split: what they are asked on.
        scenes: Their scenes.
        closed_groups: Joint groups of which a question does not go out, so that none does.
        left_out: What does not go out, by reason.
        stage: Whether only what may be published goes out.
    """

    pictures: dict[str, dict[str, AskedPicture]]
    scenes: dict[str, Scene]
    closed_groups: frozenset[str]
    left_out: dict[str, int]
    stage: Stage

    def items(self, workspace: Workspace, split: str) -> Iterator[QAItem]:
        """The items of a split, in the order they are stored."""
        pictures = self.pictures[split]
        for item in workspace.items():
            if item.image_id in pictures and item.scene_id in self.scenes and self.takes(item):
                yield item

    def takes(self, item: QAItem) -> bool:
        """Whether review lets an item out, and all that it counts with."""
        return _is_settled(item, self.stage) and item.joint_group not in self.closed_groups


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
        ExportError: Nothing goes out, a scene has no split, or a split is named for scenes that
            have theirs.
    """
    scenes = {scene.scene_id: scene for scene in workspace.scenes()}
    gaps = {scene_id: open_matters(one) for scene_id, one in scenes.items()}
    left_out: Counter[str] = Counter()
    closed: set[str] = set()
    settled: dict[tuple[str | None, str, str], Counter[AskedPicture]] = {}
    for item in workspace.items():
        if _is_settled(item, stage):
            rests_on = AskedPicture(item.derivation.annotator, item.derivation.annotation_sha256)
            where = (item.joint_group, item.scene_id, item.image_id)
            settled.setdefault(where, Counter())[rests_on] += 1
            continue
        left_out[f"items {_UNSETTLED[item.review == 'rejected']} by review"] += 1
        if item.joint_group is not None:
            closed.add(item.joint_group)
    asked: dict[str, dict[str, AskedPicture]] = {}
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
    plan = ReleasePlan(
        pictures=_by_split(workspace, asked, split, unsplit),
        scenes={scene_id: scenes[scene_id] for scene_id in asked},
        closed_groups=frozenset(closed),
        left_out=dict(sorted(left_out.items())),
        stage=stage,
    )
    if not plan.pictures:
        raise _nothing(workspace, plan)
    return plan


def open_matters(scene: Scene) -> tuple[str, ...]:
    """What a scene lacks before it may be published."""
    gaps = {"without licence": not scene.licence, "without consent": scene.consent == "unknown"}
    return tuple(gap for gap, is_open in gaps.items() if is_open)


def _is_settled(item: QAItem, stage: Stage) -> bool:
    return item.review == "accepted" or (stage == "draft" and item.review != "rejected")


def _by_split(
    workspace: Workspace,
    asked: dict[str, dict[str, AskedPicture]],
    split: str | None,
    unsplit: str,
) -> dict[str, dict[str, AskedPicture]]:
    record = workspace.splits()
    if record is None:
        every = {image_id: one for pictures in asked.values() for image_id, one in pictures.items()}
        return {unsplit if split is None else split: every} if every else {}
    if split is not None:
        problem = f"expected none, for scenes have been split, found {split!r}"
        raise ExportError("split", problem, "see: mira export split")
    if lost := [scene_id for scene_id in asked if scene_id not in record.scenes]:
        problem = f"{len(lost)} scenes have no split, {lost[0]!r} for one"
        raise ExportError(workspace.root, problem, "run: mira export split")
    for name in record.order():
        require_split(name)
    found: dict[str, dict[str, AskedPicture]] = {name: {} for name in record.order()}
    for scene_id, pictures in asked.items():
        found[record.scenes[scene_id]].update(pictures)
    return {name: pictures for name, pictures in found.items() if pictures}


def _nothing(workspace: Workspace, plan: ReleasePlan) -> ExportError:
    if not plan.left_out:
        return ExportError(workspace.root, "holds no question to export", "see: mira qa generate")
    why = "; ".join(f"{reason}: {count:,}" for reason, count in plan.left_out.items())
    hint = "see: mira export build --help" if plan.stage == "final" else None
    return ExportError(workspace.root, f"holds nothing that may go out: {why}", hint)
