"""Each fault, planted in our wording, is found where it is, and nothing else is."""

from __future__ import annotations

import pytest

from qa_gen.linting import readings
from qa_gen.linting.checking import lint_wording
from qa_gen.linting.codes import CODES
from qa_gen.linting.policy import LintPolicy
from qa_gen.linting.samples import SAMPLES

VC = "vc_001.question.3"
MC = "mc_001.question.1"
AC = "ac_004.question.2"
MASK = "The black and white picture is a mask of the first one."
ONE = 'visual_bbox:\n  preamble: ""\n  one: the '
OURS_TWICE = (
    "Take {{ X }}. Is all that this picture shows of it a reflection, "
    "with no direct view of the object itself?"
)

# Code and field of what is to be found, then the text at fault and what it becomes.
PERCEPTION = [
    ("jinja-invalid", VC, "Take {{ X }}. Is", "Take {{ X. Is"),
    ("jinja-invalid", VC, "Take {{ X }}. Is", "Take {{ X | shout }}. Is"),
    ("jinja-invalid", VC, "Take {{ X }}. Is", "Take {{ X }}{{ 1 / (X | length - 11) }}. Is"),
    ("slot-unknown", VC, "Take {{ X }}. Is", "Take {{ Z }}. Is"),
    ("slot-unknown", VC, "Take {{ X }}. Is", "Take {{ X }} {{ direction }}. Is"),
    ("slot-missing", VC, "Take {{ X }}. Is", "Take this. Is"),
    ("slot-missing", "mc_003.question.3", "and {{ X }} is a", "and that is a"),
    ("slot-twice", VC, "shows of it a reflection", "shows of {{ X }} a reflection"),
    (
        "text-repeated",
        VC,
        OURS_TWICE,
        "CONSIDER {{X}}. Is it out of direct view, in this picture, so that it can be seen "
        "only as a reflection?",
    ),
    ("space-doubled", VC, "all that this", "all  that this"),
    ("space-odd", VC, "all that this", "all\u00a0that this"),
    ("space-misplaced", VC, "it a reflection, with", "it a reflection , with"),
    ("space-misplaced", VC, "it a reflection, with", "it a reflection,with"),
    ("mark-doubled", VC, "it a reflection, with", "it a reflection,, with"),
    ("capital-missing", VC, "Take {{ X }}. Is all", "Take {{ X }}. is all"),
    (
        "capital-missing",
        MC,
        '"{{ X | capfirst }} is a reflection. It',
        '"{{ X }} is a reflection. It',
    ),
    ("bracket-unbalanced", VC, "Take {{ X }}. Is", "Take {{ X }}). Is"),
    ("bracket-unbalanced", VC, "Take {{ X }}. Is", "Take [{{ X }}. Is"),
    ("quote-unbalanced", VC, "Take {{ X }}. Is", 'Take "{{ X }}. Is'),
    ("quote-unbalanced", VC, "Take {{ X }}. Is", "Take “{{ X }}. Is"),
    ("letter-unprintable", VC, "all that this", "all\u200b that this"),
    ("letter-unprintable", VC, "all that this", "all\u202e that this"),
    ("letter-confusable", VC, "it a reflection, with", "it a reflecti\u043en, with"),
    ("letter-confusable", VC, "it a reflection, with", "it \u0430 reflection, with"),
    ("sentence-long", VC, "Is all that", f"Is all{', all in all' * 30}, that"),
    ("article-wrong", VC, "it a reflection, with", "it an reflection, with"),
    ("article-doubled", VC, "Take {{ X }}. Is", "Take a {{ X }}. Is"),
    ("word-doubled", VC, "Take {{ X }}. Is", "Take the {{ X }}. Is"),
    ("word-doubled", VC, "this picture shows of it", "this picture picture shows of it"),
    ("number-agreement", "mc_001.question.3", "Each object below", "Each objects below"),
    ("number-agreement", "mc_002.question.1", "One of the reflections", "One of the reflection"),
    ("number-agreement", "mc_003.question.2", "they two appearances", "they two appearance"),
    ("number-agreement", "mc_003.question.2", "one physical object", "one physical objects"),
    (
        "number-agreement",
        MC,
        "capfirst }} is a reflection. It",
        "capfirst }} are a reflection. It",
    ),
    ("question-missing", VC, "no direct view of the object itself?", "no view of the object."),
    ("options-counted", MC, "one of the directly", "one of the four directly"),
    ("answer-revealed", VC, "Take {{ X }}. Is", "Take {{ X }}, a reflection. Is"),
    ("picture-untrue", VC, "Take {{ X }}. Is", "Take the mask and {{ X }}. Is"),
    ("picture-untrue", VC, "Take {{ X }}. Is", "Take the box and {{ X }}. Is"),
]
SPATIAL = [
    ("number-agreement", "mr_003.question.1", "}} are reflections of", "}} is reflections of"),
    ("answer-words-missing", "mr_001.question.1", "depth is front, same depth or behind, ", ""),
    ("answer-words-missing", "mr_001.question.1", "same depth or behind", "equal or behind"),
    ("answer-words-other", "mr_001.question.1", "vertical is above,", "vertical is above (upper),"),
    ("slot-missing", "ct_001.question.1", "are {{ direction }} it?", "are near it?"),
    ("answer-words-other", "ct_001.question.1", "directions, how", "directions, roughly how"),
]
DECISION = [
    (
        "jinja-invalid",
        AC,
        "moves {{",
        "moves {% if direction == 'upwards' %}{{ 0 / 0 }}{% endif %}{{",
    ),
    ("slot-missing", AC, "moves {{ direction }} from", "moves off from"),
    ("slot-twice", AC, "would that risk", "would moving {{ direction }} risk"),
    (
        "text-repeated",
        "ac_002.question.0",
        "Which single action should the camera take next to come closer to the",
        "Could one get from the place of the camera to the",
    ),
    ("space-at-edge", AC, '"Suppose that the camera', '" Suppose that the camera'),
    ("space-odd", AC, '"Suppose that the camera', '"Suppose\\nthat the camera'),
    ("space-odd", AC, '"Suppose that the camera', '"Suppose\\tthat the camera'),
    ("end-mark-missing", "ac_004.question.3", 'real room."\n  d', 'real room"\n  d'),
    ("number-agreement", AC, '"Suppose', '"There is other objects in the room. Suppose'),
    ("number-agreement", AC, '"Suppose', '"There are a mirror in the room. Suppose'),
    ("answer-words-other", AC, "would that risk a", "is it true that this would risk a"),
    ("picture-untrue", AC, "Going by the whole scene,", "Going by the depth map,"),
]
REFERRING = [
    ("value-missing", "visual_bbox.many", "marked {{ label }}\n  candidate", "drawn\n  candidate"),
    ("value-missing", "bbox_text.one", "({{ x1 }}, {{ y1 }}, ", "({{ x1 }}, "),
    ("value-unknown", "visual_mask.preamble", MASK, "It is {{ colour }}."),
    ("value-missing", "bbox_text.described", "' ({{ description }})'", "''"),
    ("jinja-invalid", "visual_mask.preamble", MASK, "It is {{ 1 / 0 }}."),
    ("space-at-edge", "visual_mask.preamble", MASK, f"'{MASK} '"),
    ("space-doubled", "bbox_text.described", "' (", "'  ("),
    ("space-misplaced", "bbox_text.described", "' (", "'("),
    ("end-mark-missing", "visual_mask.preamble", MASK, MASK[:-1]),
    ("capital-missing", "visual_mask.preamble", MASK, MASK.lower()),
    ("bracket-unbalanced", "bbox_text.one", "{{ y2 }})\n  many", "{{ y2 }}\n  many"),
    ("answer-revealed", "visual_bbox.one", ONE, f"{ONE}reflected "),
    (
        "answer-revealed",
        "visual_mask.candidate",
        "candidate: the object whose",
        "candidate: the reflection whose",
    ),
    ("picture-untrue", "visual_mask.preamble", MASK, "The box is white."),
    ("picture-untrue", "visual_bbox.one", ONE, f"{ONE}masked or unmasked mask and "),
    (
        "picture-untrue",
        "bbox_text.many",
        "many: object {{ label }} in",
        "many: marked {{ label }} in",
    ),
    ("box-order", "bbox_text.one", "({{ x1 }}, {{ y1 }}", "({{ y1 }}, {{ x1 }}"),
]
OPTIONS = [
    ("space-at-edge", "options.stop", "stop: stop", "stop: ' stop'"),
    ("space-at-edge", "directions.relation.behind", "behind: behind", "behind: 'behind '"),
    ("letter-confusable", "options.stop", "stop: stop", "stop: ｓｔｏｐ"),
    ("article-wrong", "options.none", "none of these", "a other action"),
    ("answer-revealed", "options.none", "none of these", "no correct action"),
    ("words-equal", "options.stop", "turn around", "Stop."),
    ("words-equal", "directions.relation.behind", "behind: behind", "behind: '- in front of'"),
    ("words-prefix", "options.stop", "stop: stop", "stop: turn"),
    ("word-doubled", "directions.movement.left", "left: to the left\n", "left: to the the left\n"),
]
FAULTS = [
    pytest.param(f"{name}.yaml", *fault, id=f"{name}-{fault[0]}-{k}")
    for name, faults in (
        ("perception", PERCEPTION),
        ("spatial", SPATIAL),
        ("decision", DECISION),
        ("referring", REFERRING),
        ("options", OPTIONS),
    )
    for k, fault in enumerate(faults)
]
NOT_PLANTED_HERE = {"grammar-unchecked"}


@pytest.fixture
def two_descriptions(monkeypatch) -> None:
    """Sentences are tried with two descriptions: each of these faults stands in all sentences."""
    monkeypatch.setattr(readings, "SAMPLES", SAMPLES[:2])


@pytest.mark.usefixtures("two_descriptions")
@pytest.mark.parametrize(("name", "code", "field", "old", "new"), FAULTS)
def test_a_fault_is_found_where_it_stands_and_nothing_else_is(
    plant, folder, name, code, field, old, new
) -> None:
    report = plant((name, old, new))
    assert [(f.code, f.path, f.where) for f in report.findings] == [
        (code, str(folder / name), field)
    ], "\n".join(map(str, report.findings))
    (finding,) = report.findings
    assert "\n" not in str(finding)
    assert finding.message.startswith("expected") or finding.severity == "error"
    assert str(finding).isprintable()


def test_our_own_wording_is_clean() -> None:
    report = lint_wording()
    assert report.findings == ()
    assert report.templates == 14
    assert report.texts == 14 * 4


def test_every_code_is_planted() -> None:
    planted = {fault.values[1] for fault in FAULTS}
    assert planted | NOT_PLANTED_HERE == CODES.keys()


def test_faults_in_several_files_are_told_together_and_usable_texts_are_still_read(plant) -> None:
    report = plant(
        ("perception.yaml", "Take {{ X }}. Is all", "Take {{ Z }}. Is all"),
        ("perception.yaml", "shows {{ X }}, so that", "shows {{ X }},so that"),
        ("options.yaml", "stop: stop", "stop: 'stop '"),
        ("referring.yaml", MASK, "It is {{ what }}."),
        ("spatial.yaml", "Does the mirror add anything?", "Does the mirror add add anything?"),
    )
    assert [finding.code for finding in report.findings] == [
        "space-at-edge",
        "slot-unknown",
        "space-misplaced",
        "value-unknown",
        "word-doubled",
    ]
    assert report.texts == 14 * 4 - 1


def test_a_template_without_a_usable_text_is_left_out_of_what_is_read(plant) -> None:
    report = plant(*[("decision.yaml", "{{ direction }}", "{{ way }}")] * 4)
    assert {finding.code for finding in report.findings} == {"slot-unknown"}
    assert len(report.findings) == 4
    assert report.templates == 13


def test_a_word_before_a_description_is_tried_with_many_descriptions(plant) -> None:
    report = plant(("referring.yaml", "' ({{ description }})'", "' being a {{ description }}'"))
    assert {finding.where for finding in report.findings} == {"bbox_text.described"}
    told = {finding.code: finding.message for finding in report.findings}
    assert told.keys() == {"article-wrong", "article-doubled", "number-agreement"}
    assert "'apple'" in told["article-wrong"]
    assert "a the left one" in told["article-doubled"]
    assert "a scissors" in told["number-agreement"]


def test_only_descriptions_that_the_folder_lets_through_are_tried(plant) -> None:
    report = plant(
        ("referring.yaml", "' ({{ description }})'", "' being a {{ description }}'"),
        ("options.yaml", "[mirror,", "[scissor, candle, mirror,"),
    )
    assert {finding.code for finding in report.findings} == {"article-wrong", "article-doubled"}


def test_the_longest_sentence_is_the_policy_s(folder) -> None:
    report = lint_wording(folder, policy=LintPolicy(longest_sentence=60))
    assert {finding.code for finding in report.findings} == {"sentence-long"}
    assert "up to 60 letters" in report.findings[0].message
