"""Folders of wording as a whole: other languages, hostile texts, what is shown to people."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.errors import TemplateError
from mira.taxonomy.catalogue import taxonomy
from qa_gen.linting import readings
from qa_gen.linting.checking import lint_wording
from qa_gen.linting.codes import CODES
from qa_gen.linting.samples import SAMPLES
from qa_gen.linting.showing import show_template

OURS = Path(__file__).parents[4] / "qa_gen" / "templates"


def _in_german(folder: Path) -> None:
    """Replace all questions by German ones that share a doubled word with correct grammar."""
    for name in ("perception.yaml", "spatial.yaml", "decision.yaml"):
        document = yaml.safe_load((folder / name).read_text("utf-8"))
        for template_id, entry in document.items():
            slots = " und ".join(
                f"{{{{ {slot} }}}}" for slot in taxonomy().template(template_id).slots
            )
            way = "{{ direction }} " if taxonomy().template(template_id).directions else ""
            axes = ""
            if template_id.startswith("mr"):
                axes = "horizontal left aligned right vertical above below depth front behind "
                axes += "same depth "
            entry["question"] = (
                f"Ist das, was die die Kamera {way}sieht ({template_id}, {axes}), {slots or 'nah'}?"
            )
        (folder / name).write_text(yaml.safe_dump(document, allow_unicode=True), "utf-8")


def test_wording_of_another_language_is_not_held_against_english_grammar(folder) -> None:
    _in_german(folder)
    report = lint_wording(folder)
    assert [(finding.code, finding.severity) for finding in report.findings] == [
        ("grammar-unchecked", "info")
    ]
    assert report.clean


def test_faults_of_any_language_are_found_in_another_one(folder) -> None:
    _in_german(folder)
    text = (folder / "decision.yaml").read_text("utf-8")
    (folder / "decision.yaml").write_text(text.replace("Ist das,", "ist  das,", 1), "utf-8")
    codes = {finding.code for finding in lint_wording(folder).findings}
    assert codes == {"grammar-unchecked", "capital-missing", "space-doubled"}


def test_an_unreadable_folder_is_refused_in_one_line(folder) -> None:
    (folder / "options.yaml").unlink()
    with pytest.raises(TemplateError, match=r"expected options\.yaml in it"):
        lint_wording(folder)


def test_the_same_folder_gives_the_same_report(plant, folder) -> None:
    first = plant(("perception.yaml", "Take {{ X }}. Is", "Take a a {{ X }}. is"))
    assert lint_wording(folder) == first


def test_the_guide_lists_every_code_and_its_meaning() -> None:
    guide = (Path(__file__).parents[4] / "docs" / "wording.md").read_text("utf-8")
    findings = guide.split("## Findings")[1]
    assert dict(re.findall(r"^\| `([a-z0-9-]+)` \| (.*) \|$", findings, re.MULTILINE)) == CODES


HOSTILE = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        [
            "{{ X }}\x1b[31m?",
            "\u202e{{ X }}?",
            "{{ X * 99 }}?",
            "{{ X.split()[4] }}?",
            "{{ X[::-1] }}?",
            "{{ X | upper }}?",
            "{{ X | length }} {{ X }}",
            "{{ X | replace('object', 'object object') }}?",
            "{% if 'box' in X %}{{ X }} {{ X }}{% else %}{{ nothing() }}{% endif %}",
            "{{ X }}" * 50,
            "(" * 200 + "{{ X }}",
            "\ufeff{{ X }}\u0000",
            "{{ '\\n' * 3 }}{{ X }}{{ '\\ud800' }}",
        ]
    ),
)


@settings(max_examples=25, deadline=None)
@given(text=HOSTILE, where=st.sampled_from(["vc_001", "mr_001", "ac_004", "described", "stop"]))
def test_hostile_texts_are_reported_in_printable_lines(text: str, where: str) -> None:
    files = {path.name: path.read_text("utf-8") for path in OURS.glob("*.yaml")}
    documents = {name: yaml.safe_load(content) for name, content in files.items()}
    if where == "described":
        documents["referring.yaml"]["visual_bbox"]["described"] = text
    elif where == "stop":
        documents["options.yaml"]["options"]["stop"] = text
    else:
        for name in ("perception.yaml", "spatial.yaml", "decision.yaml"):
            if where in documents[name]:
                documents[name][where]["question"] = [text, "Is it there?"]
    with tempfile.TemporaryDirectory() as there:
        for name, document in documents.items():
            (Path(there) / name).write_text(yaml.safe_dump(document), "utf-8")
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(readings, "SAMPLES", SAMPLES[:2])
                report = lint_wording(Path(there))
        except TemplateError as error:
            refusal = str(error)
            report = None
    if report is None:
        assert "\n" not in refusal
        return
    assert report.findings or where == "stop"
    for finding in report.findings:
        assert str(finding).isprintable()
        assert finding.code in CODES


def test_what_a_template_can_say_is_shown_text_by_text_with_its_options() -> None:
    shown = show_template("ac_004")
    assert [question.field for question in shown[::6]] == [f"ac_004.question.{k}" for k in range(4)]
    assert {len(question.protocols) for question in shown} == {5}
    assert shown[0].option_texts == ("yes", "no", "not sure")
    assert len({question.question for question in shown}) == len(shown) == 4 * 6


def test_only_what_can_be_used_is_shown(plant, folder) -> None:
    plant(
        ("perception.yaml", "Take {{ X }}. Is all", "Take {{ Z }}. Is all"),
        ("perception.yaml", "Consider {{ X }}. Is", "Consider\\x1b {{ X }}. Is"),
    )
    shown = show_template("vc_001", folder)
    assert {question.field[-1] for question in shown} == {"0", "1", "2"}
    assert all(question.question.isprintable() for question in shown)


def test_a_template_that_is_none_or_has_no_text_is_refused(plant, folder) -> None:
    with pytest.raises(TemplateError, match="vc_009: expected one of vc_001"):
        show_template("vc_009")
    plant(*[("decision.yaml", "{{ direction }}", "{{ way }}")] * 4)
    with pytest.raises(TemplateError, match="ac_004: expected a text that can be used"):
        show_template("ac_004", folder)
