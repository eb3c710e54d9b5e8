"""A session as a whole: drawn views with faults that are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from capture.selection.annotations import DrawnOn
from capture.selection.page import selection_page
from capture.selection.policy import SelectionPolicy
from capture.selection.records import Selection, ViewJudgement
from capture.selection.selecting import select_views
from capture.selection.table import format_table
from mira.errors import WorkspaceError
from mira.schema.annotation import AnnotationSource, ImageAnnotation, Instance, Surface
from mira.schema.record import FileRef
from mira.store.session import Session
from mira.store.workspace import Workspace

POLICY = SelectionPolicy()
WIDTH, HEIGHT = 160, 120
MakeSession = Callable[..., Session]
RING = ((40.0, 20.0), (110.0, 20.0), (110.0, 90.0), (40.0, 90.0))


def select(session: Session, **given) -> dict[str, ViewJudgement]:
    return {view.name: view for view in chosen(session, **given).views}


def chosen(session: Session, **given) -> Selection:
    return select_views(session, policy=POLICY, **given).selection


def codes(view: ViewJudgement) -> set[str]:
    return {remark.code for remark in view.remarks}


def annotate(workspace: Workspace, image_id: str, annotator: str = "anna", **more) -> None:
    instances = tuple(
        Instance(
            instance_id=k,
            visibility="reflected" if k % 2 else "direct",
            polygons_px=(RING,),
        )
        for k in range(2, 10)
    )
    content = {
        "image_id": image_id,
        "annotator": annotator,
        "revision": 1,
        "status": "done",
        "width_px": WIDTH,
        "height_px": HEIGHT,
        "surfaces": (Surface(surface_id=1, polygons_px=(RING,)),),
        "instances": instances,
        "source": AnnotationSource(
            format="labelme", file=FileRef(path="a", sha256="0" * 64, size_bytes=1)
        ),
    }
    workspace.put_annotation(ImageAnnotation.model_validate({**content, **more}))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.create(tmp_path / "work")


def test_a_view_moved_a_little_is_a_duplicate_and_one_with_other_content_is_none(
    make_session: MakeSession,
    drawn,
) -> None:
    base = drawn()
    session = make_session(
        {
            "hall": {
                "v0": base,
                "v1": replace(base, shift_px=1, blur_px=0.4),
                "v2": replace(base, reflection=9),
            }
        }
    )
    found = select(session)
    assert found["hall/v1"].twin_of == "v0"
    assert found["hall/v1"].verdict == "drop"
    assert found["hall/v1"].standings["reflections"] == "failed"
    assert found["hall/v0"].twin_of is found["hall/v2"].twin_of is None
    assert found["hall/v2"].standings["reflections"] == "met"


def test_a_mirror_that_fills_the_view_is_dropped_and_a_speck_too(
    make_session: MakeSession, drawn
) -> None:
    found = select(
        make_session(
            {
                "hall": {
                    "whole": drawn(boxes=((1, 1, WIDTH - 1, HEIGHT - 1),)),
                    "speck": drawn(boxes=((70, 60, 74, 64),)),
                    "none": drawn(boxes=()),
                }
            }
        )
    )
    assert codes(found["hall/whole"]) >= {"surface-fills-view", "runs-out-everywhere"}
    assert codes(found["hall/speck"]) >= {"surface-small", "surface-narrow"}
    assert "surface-absent" in codes(found["hall/none"])
    assert {view.verdict for view in found.values()} == {"drop"}


def test_without_mask_and_annotation_a_person_decides(make_session: MakeSession, drawn) -> None:
    view = drawn(masked=False, depth=False)
    found = select(make_session({"hall": {"v0": view, "v1": replace(view, wall=8)}}))
    for judged in found.values():
        assert judged.verdict == "look"
        assert codes(judged) == {
            "surface-unknown",
            "objects-unknown",
            "compared-whole",
            "no-depth",
        }
        assert judged.standings["objects"] == judged.standings["surface"] == "unmeasured"


def test_an_annotation_is_counted_instead_of_structure(
    make_session: MakeSession, drawn, workspace: Workspace
) -> None:
    session = make_session({"hall": {"v0": drawn(masked=False), "v1": drawn(reflection=8)}})
    annotate(workspace, "hall_v0")
    found = select(session, drawn_on=DrawnOn(workspace))
    measures = found["hall/v0"].measures
    assert measures is not None
    assert measures.objects is not None
    assert measures.structure is None
    assert (measures.region, measures.objects.direct, measures.objects.reflected) == (
        "annotation",
        4,
        4,
    )
    assert found["hall/v0"].verdict == "keep"
    assert found["hall/v1"].measures.region == "surfaces"


def test_several_annotators_want_a_choice(
    make_session: MakeSession, drawn, workspace: Workspace
) -> None:
    session = make_session({"hall": {"v0": drawn()}})
    annotate(workspace, "hall_v0")
    annotate(workspace, "hall_v0", "bela", instances=())
    with pytest.raises(WorkspaceError, match="annotated by anna, bela"):
        select(session, drawn_on=DrawnOn(workspace))
    found = select(session, drawn_on=DrawnOn(workspace, annotator="bela"))
    assert codes(found["hall/v0"]) == {"few-direct", "few-reflected"}


def test_a_workspace_of_other_pictures_is_refused(
    make_session: MakeSession, drawn, workspace: Workspace
) -> None:
    annotate(workspace, "elsewhere")
    with pytest.raises(WorkspaceError, match="holds no annotation of a view of"):
        select(make_session({"hall": {"v0": drawn()}}), drawn_on=DrawnOn(workspace))


def test_damage_is_a_verdict_and_stops_nothing(
    make_session: MakeSession, drawn, workspace: Workspace
) -> None:
    views = {f"v{k}": drawn(reflection=10 + k) for k in range(7)}
    session = make_session({"hall": views})
    for k in range(7):
        annotate(workspace, f"hall_v{k}")
    faults = {
        "v0": ("color.png", b"no picture"),
        "v1": ("depth_aligned.png", b""),
        "v2": ("surfaces.png", (session.view_folder("hall", "v3") / "color.png").read_bytes()),
    }
    for view_id, (name, data) in faults.items():
        (session.view_folder("hall", view_id) / name).write_bytes(data)
    (session.view_folder("hall", "v4") / "SHA256SUMS").unlink()
    (workspace.root / "annotations" / "hall_v5" / "anna" / "r0001.json").write_text("{")
    (session.root / "scenes" / "hall" / "scene.json").write_text("{")
    selection = chosen(session, drawn_on=DrawnOn(workspace))
    found = {view.view_id: view for view in selection.views}
    for view_id in faults:
        assert found[view_id].verdict == "drop"
        assert codes(found[view_id]) == {"damaged"}
        assert faults[view_id][0] in found[view_id].remarks[0].text
    assert selection.uncommitted == ("hall/v4",)
    assert "annotation-unusable" in codes(found["v5"])
    assert found["v6"].verdict == "keep"
    assert len(selection.faults) == 1


def test_the_same_reflection_in_two_scenes_is_told(make_session: MakeSession, drawn) -> None:
    selection = chosen(
        make_session(
            {
                "hall": {"v0": drawn(), "v1": drawn(reflection=8)},
                "shop": {"v0": drawn(wall=5)},
            }
        )
    )
    (pair,) = selection.across_scenes
    assert (pair.first, pair.second) == ("hall/v0", "shop/v0")


def test_another_mirror_in_one_scene_is_noted(make_session: MakeSession, drawn) -> None:
    other = drawn(reflection=3, boxes=((0, 0, 0, 0), (40, 20, 110, 90)))
    found = select(make_session({"hall": {"v0": drawn(), "v1": other}}))
    assert "other-surface" in codes(found["hall/v1"])
    assert any("round mirror" in remark.text for remark in found["hall/v1"].remarks)


def test_equal_sessions_give_equal_pages_and_tables(make_session: MakeSession, drawn) -> None:
    session = make_session({"hall": {"v0": drawn(), "v1": drawn(shift_px=1)}, "b": {"v": drawn()}})
    made = []
    for _ in range(2):
        selected = select_views(session, policy=POLICY)
        page = selection_page(selected, session=session, out=session.root / "selection.html")
        made.append((page, format_table(selected.selection), selected.selection.model_dump_json()))
    assert made[0] == made[1]


def test_progress_ends_at_all(make_session: MakeSession, drawn) -> None:
    told: list[tuple[int, int]] = []
    session = make_session({"a": {"v": drawn()}, "b": {"v": drawn(), "w": drawn()}})
    select_views(session, policy=POLICY, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_an_empty_session_has_an_empty_selection(make_session: MakeSession, drawn) -> None:
    session = make_session({"hall": {}})
    assert chosen(session).views == ()
    selected = select_views(session, policy=POLICY)
    assert "holds no committed view" in selection_page(selected, session=session, out=Path("x"))


def test_views_are_left_as_they_were(make_session: MakeSession, drawn) -> None:
    session = make_session({"hall": {"v0": drawn()}})

    def state() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in session.root.rglob("*") if path.is_file()}

    before = state()
    select(session)
    assert state() == before
