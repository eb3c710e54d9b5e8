from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import orjson
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from annotate.reading.labels import parse_label
from annotate.writing.setup.drawings import HEIGHT, WIDTH, drawings
from annotate.writing.setup.files import guide_html, write_setup
from annotate.writing.setup.labels import labels_of, parse_categories
from annotate.writing.setup.settings import (
    attributes_json,
    older_attributes_json,
    settings_yaml,
)
from mira.errors import MiraError
from mira.schema.annotation import Counterpart
from mira.schema.capture import SurfaceType

Json = dict[str, Any]


@pytest.fixture
def attributes() -> Json:
    loaded: Json = orjson.loads(attributes_json(("cup",)))
    return loaded


def test_every_answer_of_the_records_can_be_given(attributes: Json) -> None:
    assert attributes["surface"]["surface_type"][1:] == list(get_args(SurfaceType))
    for label in ("object_reflection", "cup_reflection"):
        assert attributes[label]["counterpart"][1:] == list(get_args(Counterpart))
        assert list(attributes[label]) == ["reflection_of", "in_mirror", "counterpart"]


def test_the_option_that_is_written_unasked_answers_nothing(attributes: Json) -> None:
    older = orjson.loads(older_attributes_json(("cup",)))
    options = [
        value
        for file in (attributes, older)
        for label, questions in file.items()
        if not label.startswith("__")
        for value in questions.values()
        if value
    ]

    assert {listed[0] for listed in options} == {"unset"}


def test_links_are_drop_downs_of_ids(attributes: Json) -> None:
    widgets = attributes["__widget_types__"]

    for label, kinds in widgets.items():
        for question, kind in kinds.items():
            assert (kind == "group_id") == (attributes[label][question] == [])
    assert widgets["cup_reflection"]["in_mirror"] == "group_id"
    assert set(widgets) == set(attributes) - {"__widget_types__"}


def test_older_versions_get_no_newer_widget() -> None:
    older = orjson.loads(older_attributes_json(()))

    assert set(older) == {"surface", "object_reflection"}
    assert older["object_reflection"]["reflection_of"][:3] == ["unset", "1", "2"]


def test_settings_know_every_label_and_no_other() -> None:
    settings = yaml.safe_load(settings_yaml(("cup", "杯子")))

    assert settings["labels"] == list(settings["label_colors"]) == list(labels_of(("cup", "杯子")))
    assert settings["exif_scan_enabled"] is settings["store_data"] is False


def test_categories_are_read_as_annotation_files_name_them() -> None:
    assert parse_categories(["Cup", " street  lamp ", "cup"]) == ("cup", "street lamp")


@pytest.mark.parametrize("word", ["", "surface", "Mirror", "hole", "cup_reflection", "objct", "\n"])
def test_a_word_that_is_no_category_is_refused(word: str) -> None:
    with pytest.raises(MiraError, match="--categories"):
        parse_categories(["cup", word])


@given(st.lists(st.text(max_size=12), max_size=3))
def test_all_labels_are_read_as_what_they_are_for(words: list[str]) -> None:
    try:
        labels = labels_of(parse_categories(words))
    except MiraError:
        return
    roles = [parse_label(label, "label").role for label in labels]

    assert roles[0] == "surface"
    assert roles[1:-2] == ["direct", "reflected"] * ((len(labels) - 3) // 2)
    assert roles[-2:] == ["hole", "ignore"]


def test_the_folder_is_whole_and_replaced_by_the_next(tmp_path: Path) -> None:
    write_setup(tmp_path / "out", categories=["cup"])
    made = write_setup(tmp_path / "out", categories=["lamp"])

    found = {p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out").rglob("*.*")}
    assert found == {*made.files, "export.sha256"}
    assert made.labels[3] == "lamp"
    assert "lamp" in (tmp_path / "out" / "classes.txt").read_text("utf-8").splitlines()
    assert orjson.loads((tmp_path / "out" / "older" / "attributes.json").read_bytes())


def test_equal_settings_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_setup(tmp_path / name, categories=["cup"])

    for path in (tmp_path / "a").rglob("*.*"):
        other = tmp_path / "b" / path.relative_to(tmp_path / "a")
        assert path.read_bytes() == other.read_bytes()


def test_a_folder_with_other_files_stays(tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(b"x")

    with pytest.raises(MiraError, match=r"photo\.png"):
        write_setup(tmp_path)


def test_the_guide_names_every_label_and_answer_and_escapes_categories() -> None:
    html = guide_html(("<cup>",)).decode()

    for word in (*labels_of(()), "reflection_of", "in_mirror", "counterpart", "surface_type"):
        assert word in html
    assert "&lt;cup&gt;" in html
    assert "<cup>" not in html


def test_the_guide_is_one_file_whose_tags_close() -> None:
    open_tags: list[str] = []

    class Checker(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert not {"src", "href"} & dict(attrs).keys()
            if tag != "meta":
                open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag

    Checker().feed(guide_html(("cup",)).decode())

    assert open_tags == []


def test_drawings_stay_on_their_sheet() -> None:
    for drawing in drawings():
        for mark in drawing.marks:
            points = [tuple(map(float, point.split(","))) for point in mark.points.split()]
            for x, y in [*points, (mark.x, mark.y)]:
                assert 0 <= x <= WIDTH
                assert 0 <= y <= HEIGHT
