from __future__ import annotations

import pytest
import yaml

from mira.errors import TemplateError
from mira.schema.qa import Mark
from mira.taxonomy.catalogue import taxonomy
from qa_gen.wording import WordingBook

BOOK = WordingBook.read()


def _marks(template):
    return tuple(
        Mark(label=slot, instance_id=k, role="slot", box_xyxy_px=(k, 2, k + 10, 20))
        for k, slot in enumerate(template.slots, start=1)
    )


@pytest.mark.parametrize("template", taxonomy().templates, ids=lambda t: t.id)
@pytest.mark.parametrize("protocol", taxonomy().protocols, ids=lambda p: p.id)
def test_every_template_has_a_sentence_in_every_protocol(template, protocol):
    if template.directions:
        pytest.skip("worded with a direction, which no rule gives yet")
    wording = BOOK.wording(
        template.id,
        protocol,
        _marks(template),
        descriptions={k: f"thing {k}" for k in range(1, 4)},
        size_px=(640, 480),
    )
    assert wording.question[0].isupper()
    assert wording.question[-1] in "?."
    assert "{" not in wording.question
    for slot in template.slots:
        pointed = slot in wording.question or len(template.slots) == 1
        assert pointed, wording.question


def test_every_value_of_the_taxonomy_has_words():
    for values in taxonomy().option_sets.values():
        if isinstance(values, tuple):
            assert all(BOOK.option_text(value) for value in values)


def test_an_own_folder_of_wording_replaces_ours(tmp_path):
    root = WordingBook.read.__globals__["resources"].files("qa_gen") / "templates"
    for entry in root.iterdir():
        (tmp_path / entry.name).write_text(entry.read_text("utf-8"), "utf-8")
    document = yaml.safe_load((tmp_path / "perception.yaml").read_text("utf-8"))
    document["vc_001"]["question"] = "Only mirrored, {{ X }}?"
    (tmp_path / "perception.yaml").write_text(yaml.safe_dump(document), "utf-8")
    wording = WordingBook.read(tmp_path).wording(
        "vc_001",
        taxonomy().protocol("visual_bbox"),
        _marks(taxonomy().template("vc_001")),
        descriptions={},
        size_px=(640, 480),
    )
    assert wording.question == "Only mirrored, the object in the box marked X?"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "vc_001: {question: 'Is {{ Z }} seen?', describe: []}",
            "vc_001.question: 'Z' is undefined",
        ),
        ("vc_001: {question: 'Is {{ X seen?', describe: []}", "vc_001"),
        ("- a list", "mapping"),
        ("a: [", "YAML"),
    ],
)
def test_a_bad_wording_file_is_refused_in_one_line(tmp_path, text, fault):
    root = WordingBook.read.__globals__["resources"].files("qa_gen") / "templates"
    for name in ("referring.yaml", "options.yaml"):
        (tmp_path / name).write_text((root / name).read_text("utf-8"), "utf-8")
    (tmp_path / "perception.yaml").write_text(text, "utf-8")
    with pytest.raises(TemplateError, match=fault):
        WordingBook.read(tmp_path).wording(
            "vc_001",
            taxonomy().protocol("visual_bbox"),
            _marks(taxonomy().template("vc_001")),
            descriptions={},
            size_px=(640, 480),
        )
