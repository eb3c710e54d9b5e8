"""A list tells all views, whatever state their folders and the journal are in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capture.selection.listing import ListedView, list_session
from mira.cli.capture_list import table_lines
from mira.schema.capture import FrameTiming, ViewQuality
from mira.store.session import Session


@pytest.fixture
def session(make_session: Callable[..., Session], drawn) -> Session:
    base = drawn()
    made = make_session({"hall": {f"v{k}": replace(base, wall=k) for k in range(6)}})
    for view_id in ("v6", "v7", "v8"):
        made.note("planned", "hall", view_id)
    made.note("started", "hall", "v7")
    made.note("failed", "hall", "v8", reason="no frames\nfor 5 s")
    return made


def listed(session: Session) -> dict[str, ListedView]:
    return {view.view_id: view for view in list_session(session).views}


def test_views_are_listed_with_their_numbers(session: Session) -> None:
    folder = session.view_folder("hall", "v0")
    for name in ("color.json", "raw.db3", "color_emitter_off.png"):
        (folder / name).write_bytes(b"x")
    found = listed(session)
    view = found["v0"]
    entry = next(entry for entry in session.journal() if entry.view_id == "v0")
    assert (view.state, view.width_px, view.height_px) == ("committed", 160, 120)
    assert view.at == entry.at
    assert view.extras == ("raw", "emitter_pair", "surfaces", "annotation")
    assert view.quality == session.read_frame("hall", "v0").quality
    assert found["v1"].extras == ("surfaces",)


def test_views_that_are_not_there_are_told_with_the_reason(session: Session) -> None:
    found = listed(session)
    states = {view_id: found[view_id].state for view_id in ("v6", "v7", "v8")}
    assert states == {"v6": "planned", "v7": "started", "v8": "failed"}
    assert found["v8"].problem == "no frames\nfor 5 s"
    session.note("planned", "porch", "a")
    assert listed(session)["a"].scene_id == "porch"


def test_damage_is_a_row_that_says_so(session: Session) -> None:
    def at(view_id: str, name: str):
        return session.view_folder("hall", view_id) / name

    (at("v0", "SHA256SUMS")).unlink()
    picture = at("v1", "color.png")
    picture.write_bytes(picture.read_bytes()[:-30])
    at("v2", "frame.json").write_text('{"depth_kind": "guessed"}')
    at("v3", "color.png").write_text("no picture")
    at("v4", "frame.json").unlink()
    found = listed(session)
    assert (found["v0"].state, found["v0"].problem) == ("not_whole", "SHA256SUMS: is missing")
    assert (found["v4"].state, found["v4"].problem) == ("not_whole", "frame.json: is missing")
    for view_id, told in (
        ("v1", "color.png: expected a whole PNG, found it cut off"),
        ("v2", "frame.json: depth_kind: Input should be"),
        ("v3", "color.png: expected PNG or JPEG"),
    ):
        assert found[view_id].state == "damaged"
        assert str(found[view_id].problem).startswith(told)
    assert found["v5"].state == "committed"


def test_damaged_scenes_and_journals_are_faults_of_a_list_that_goes_on(session: Session) -> None:
    (session.root / "scenes" / "hall" / "scene.json").write_text("{")
    (session.root / "journal.jsonl").write_text("{\n")
    found = list_session(session)
    assert len(found.faults) == 2
    assert [view.state for view in found.views] == ["committed"] * 6
    assert {view.at for view in found.views} == {None}


def test_a_folder_that_went_away_is_told(session: Session) -> None:
    folder = session.view_folder("hall", "v0")
    folder.rename(folder.with_name(".away"))
    assert listed(session)["v0"].state == "gone"


names = st.text(st.characters(categories=["L", "N"], include_characters="_-."), min_size=1)
quality = ViewQuality(
    sharpness=123456.7, dark_fraction=1, bright_fraction=1, valid_depth_fraction=1
)
rows = st.builds(
    ListedView,
    scene_id=names,
    view_id=names,
    state=st.sampled_from(["committed", "damaged", "failed", "not_whole"]),
    problem=st.none() | st.text(),
    width_px=st.none() | st.integers(1, 99999),
    height_px=st.integers(1, 99999),
    dt_ms=st.none() | st.floats(0, 9999),
    quality=st.none() | st.just(quality),
    extras=st.sampled_from([(), ("raw", "emitter_pair", "surfaces", "annotation")]),
)


@settings(deadline=None)
@given(st.lists(rows, max_size=5))
def test_lines_are_aligned_and_fit_into_a_hundred_columns(views: list[ListedView]) -> None:
    from rich.cells import cell_len

    lines = table_lines(views)
    assert len(lines) == (len(views) + 1 if views else 0)
    assert all(cell_len(line) <= 100 for line in lines)
    assert all("\n" not in line for line in lines)
    if views:
        column = cell_len(lines[0].split("size")[0])
        for line, view in zip(lines[1:], views, strict=True):
            if view.width_px is not None:
                size = f"{view.width_px}x{view.height_px}"
                assert cell_len(line[: line.rindex(size)]) == column


def test_dt_is_shown(session: Session) -> None:
    timing = FrameTiming(
        color_frame=1,
        depth_frame=2,
        color_ms=1000,
        depth_ms=1012.5,
        color_domain="global_time",
        depth_domain="global_time",
        dt_ms=12.5,
    )
    frame = session.read_frame("hall", "v0").model_copy(update={"timing": timing})
    (session.view_folder("hall", "v0") / "frame.json").write_bytes(frame.to_json())
    found = listed(session)["v0"]
    assert found.dt_ms == 12.5
    assert "12.5" in table_lines([found])[1]
