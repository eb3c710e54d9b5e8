"""A whole session, view by view: each is read once, and only small things are kept of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from capture.selection.annotations import DrawnOn
from capture.selection.candidate import Candidate
from capture.selection.comparing import Likeness, compare_across_scenes, compare_within_scene
from capture.selection.fingerprints import Fingerprints, take_fingerprints
from capture.selection.judging import remarks_on
from capture.selection.measuring import measure_view
from capture.selection.pictures import read_pictures
from capture.selection.policy import SelectionPolicy
from capture.selection.records import (
    VERDICTS,
    Remark,
    Selection,
    ViewJudgement,
    ViewMeasures,
    standings_of,
    worst,
)
from capture.selection.regions import find_regions
from capture.selection.thumbnails import Thumbnail, make_thumbnail
from mira.errors import MiraError, RecordError, WorkspaceError
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import Scene
from mira.store.session import Session, image_id_of

Progress = Callable[[int, int], None]


class SelectedViews(NamedTuple):
    """A selection with what a page shows of it.

    Attributes:
        selection: The result.
        thumbnails: Small pictures, by scene and view as `hall/v1`.
        scenes: Records of the scenes that can be read, by id.
    """

    selection: Selection
    thumbnails: dict[str, Thumbnail]
    scenes: dict[str, Scene]


class _Seen(NamedTuple):
    view_id: str
    remarks: tuple[Remark, ...]
    measures: ViewMeasures | None = None
    prints: Fingerprints | None = None
    thumbnail: Thumbnail | None = None
    annotated: bool = False


def select_views(
    session: Session,
    *,
    policy: SelectionPolicy,
    drawn_on: DrawnOn | None = None,
    progress: Progress | None = None,
) -> SelectedViews:
    """What is to become of each committed view of a session, and why; nothing is changed.

    Args:
        session: The session.
        policy: The bounds.
        drawn_on: Annotations, where there are any.
        progress: Called with how many views are done and how many there are.

    Raises:
        WorkspaceError: Annotations are given and none is of this session, or a view has several
            annotators and none of them was chosen.
    """
    committed = {scene_id: session.committed(scene_id) for scene_id in session.scenes()}
    total = sum(map(len, committed.values()))
    scenes, faults = _read_scenes(session)
    judged: list[ViewJudgement] = []
    thumbnails: dict[str, Thumbnail] = {}
    left: dict[str, list[Candidate]] = {}
    annotated = 0
    for scene_id, view_ids in committed.items():
        seen = []
        for view_id in view_ids:
            view = _look_at(session, scenes.get(scene_id), scene_id, view_id, drawn_on, policy)
            if view.thumbnail is not None:
                thumbnails[f"{scene_id}/{view_id}"] = view.thumbnail
            annotated += view.annotated
            seen.append(view._replace(thumbnail=None))
            if progress is not None:
                progress(len(judged) + len(seen), total)
        candidates = tuple(_candidates(seen))
        alike = compare_within_scene(candidates, policy=policy)
        judged += [_judgement(scene_id, view, alike.get(view.view_id)) for view in seen]
        left[scene_id] = [view for view in candidates if alike[view.view_id].twin_of is None]
    if drawn_on is not None and total and not annotated:
        problem = f"holds no annotation of a view of {session.root}"
        raise WorkspaceError(drawn_on.root, problem, "mira annotate import, or leave --workspace")
    selection = Selection(
        session_id=session.read_session().session_id,
        policy=policy,
        views=tuple(judged),
        uncommitted=tuple(
            f"{scene_id}/{view_id}"
            for scene_id, view_ids in committed.items()
            for view_id in session.views(scene_id)
            if view_id not in view_ids
        ),
        across_scenes=compare_across_scenes(left, policy=policy.reflections),
        faults=tuple(faults),
    )
    return SelectedViews(selection, thumbnails, scenes)


def _read_scenes(session: Session) -> tuple[dict[str, Scene], list[str]]:
    scenes: dict[str, Scene] = {}
    faults: list[str] = []
    for scene_id in session.scenes():
        try:
            scenes[scene_id] = session.read_scene(scene_id)
        except MiraError as error:
            faults.append(str(error))
    return scenes, faults


def _look_at(
    session: Session,
    scene: Scene | None,
    scene_id: str,
    view_id: str,
    drawn_on: DrawnOn | None,
    policy: SelectionPolicy,
) -> _Seen:
    """All that is kept of a view; its pictures are let go again."""
    annotation, remarks = _annotation_of(drawn_on, image_id_of(scene_id, view_id))
    try:
        pictures = read_pictures(session.view_folder(scene_id, view_id))
    except MiraError as error:
        text = f"cannot be read: {error}"
        damage = Remark(code="damaged", verdict="drop", text=text)
        return _Seen(view_id, (damage,), annotated=annotation is not None)
    regions = find_regions(pictures, annotation, scene)
    measures = measure_view(pictures, regions, policy=policy)
    return _Seen(
        view_id,
        (
            *remarks,
            *regions.remarks,
            *remarks_on(measures, complete=regions.complete, policy=policy),
        ),
        measures,
        take_fingerprints(pictures.color_rgb, regions, policy=policy.reflections),
        make_thumbnail(pictures.color_rgb, regions.masks),
        annotated=annotation is not None,
    )


def _annotation_of(
    drawn_on: DrawnOn | None, image_id: str
) -> tuple[ImageAnnotation | None, tuple[Remark, ...]]:
    if drawn_on is None:
        return None, ()
    try:
        return drawn_on.annotation_of(image_id), ()
    except RecordError as error:
        text = f"the annotation cannot be read and is left aside: {error}"
        return None, (Remark(code="annotation-unusable", verdict="look", text=text),)


def _candidates(seen: Iterable[_Seen]) -> Iterator[Candidate]:
    for view in seen:
        verdict = worst(remark.verdict for remark in view.remarks)
        if verdict != "drop" and view.measures is not None and view.prints is not None:
            yield Candidate(view.view_id, verdict, view.measures, view.prints)


def _judgement(scene_id: str, view: _Seen, likeness: Likeness | None) -> ViewJudgement:
    alike = likeness or Likeness(())
    remarks = sorted(
        (*view.remarks, *alike.remarks), key=lambda remark: -VERDICTS.index(remark.verdict)
    )
    return ViewJudgement(
        scene_id=scene_id,
        view_id=view.view_id,
        image_id=image_id_of(scene_id, view.view_id),
        verdict=worst(remark.verdict for remark in remarks),
        standings=standings_of(remarks, compared=likeness is not None),
        remarks=tuple(remarks),
        twin_of=alike.twin_of,
        measures=view.measures,
    )
