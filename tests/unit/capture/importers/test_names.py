from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from capture.importers.names import give_ids, safe_id
from capture.importers.source_scene import SourceScene, SourceView
from mira.store.names import require_name
from mira.store.session import image_id_of

text = st.text(st.characters(blacklist_categories=["Cs"]), max_size=300)


def single(name: str, file: str | None = None) -> SourceScene:
    return SourceScene(name, (SourceView(name, file or f"{name}.png"),), is_single=True)


@given(text)
def test_any_name_gives_an_id_that_is_safe_or_none(name):
    found = safe_id(name)
    assert not found or require_name(found) == found
    assert safe_id(found) == found


def test_names_that_are_ids_stay_as_they_are():
    for name in ("0001", "kinect_mirror2", "a.b-c", "镜子"):
        assert safe_id(name) == name
    assert safe_id("two (1") == "two-1"
    assert safe_id("con") == "x-con"


def test_names_of_one_id_are_all_refused():
    scenes, faults = give_ids([single("a b"), single("a-b"), single("A-B"), single("c")])
    assert [scene.scene_id for scene in scenes] == ["c"]
    assert [fault.file for fault in faults] == ["a b.png", "a-b.png", "A-B.png"]
    assert all("too" in fault.reason for fault in faults)


def test_a_name_without_a_letter_is_refused():
    scenes, faults = give_ids([single("___")])
    assert not scenes
    assert "found none" in faults[0].reason


def test_numbers_as_scenes_and_views_do_not_meet():
    ten = tuple(SourceView(str(k), f"1/{k}.png") for k in range(1, 13))
    scenes, faults = give_ids(
        [SourceScene("1", ten), SourceScene("10", (SourceView("10", "10/10.png"),)), single("11")]
    )
    assert not faults
    images = [image_id_of(scene.scene_id, view.view_id) for scene in scenes for view in scene.views]
    assert "1_10" in images
    assert len({image.casefold() for image in images}) == 14


names = st.sampled_from(["1", "10", "1_0", "0", "a", "A", "a_1", "_", "con", "a b"])


@given(st.lists(st.tuples(names, st.lists(names, min_size=1, max_size=4), st.booleans())))
def test_ids_of_images_are_unique_and_nothing_is_lost(spec):
    scenes = [
        SourceScene(
            name,
            tuple(SourceView(view, f"{s}/{v}") for v, view in enumerate(views)),
            is_single=len(views) == 1 and lone,
        )
        for s, (name, views, lone) in enumerate(spec)
    ]
    kept, faults = give_ids(scenes)
    images = [
        image_id_of(scene.scene_id, view.view_id).casefold()
        for scene in kept
        for view in scene.views
    ]
    assert len(set(images)) == len(images)
    files = {view.source.color for scene in kept for view in scene.views}
    assert files | {fault.file for fault in faults} == {
        view.color for scene in scenes for view in scene.views
    }
    assert not files & {fault.file for fault in faults}
    for scene in kept:
        for view in scene.views:
            require_name(view.view_id)
