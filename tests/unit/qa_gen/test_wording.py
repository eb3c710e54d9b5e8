from __future__ import annotations

import tempfile
from importlib import resources
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.errors import TemplateError
from mira.schema.qa import Mark
from mira.taxonomy.catalogue import taxonomy
from qa_gen.wording import WordingBook

BOOK = WordingBook.read()
OURS = {
    entry.name: entry.read_text("utf-8")
    for entry in (resources.files("qa_gen") / "templates").iterdir()
    if entry.name.endswith(".yaml")
}
VC_001 = yaml.safe_load(OURS["perception.yaml"])["vc_001"]["question"][0]


def _write(folder: Path) -> Path:
    for name, text in OURS.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a copy of our wording."""
    return _write(tmp_path)


def _edit(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text("utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), "utf-8")


def _ask_instead(folder: Path, question: object) -> None:
    document = yaml.safe_load(OURS["perception.yaml"])
    document["vc_001"]["question"] = question
    (folder / "perception.yaml").write_text(yaml.safe_dump(document), "utf-8")


def _refusal(folder: Path) -> str:
    with pytest.raises(TemplateError) as caught:
        WordingBook.read(folder)
    line = str(caught.value)
    assert "\n" not in line
    return line.removeprefix(str(folder)).lstrip("/")


def _marks(template):
    return tuple(
        Mark(label=slot, instance_id=k, role="slot", box_xyxy_px=(k, 2, k + 10, 20))
        for k, slot in enumerate(template.slots, start=1)
    )


def _ask(book: WordingBook, template_id: str, protocol: str, **more) -> str:
    template = taxonomy().template(template_id)
    return book.wording(
        template_id,
        taxonomy().protocol(protocol),
        _marks(template),
        descriptions={k: f"thing {k}" for k in range(1, 4)},
        size_px=(640, 480),
        **more,
    ).question


@pytest.mark.parametrize("template", taxonomy().templates, ids=lambda t: t.id)
@pytest.mark.parametrize("protocol", taxonomy().protocols, ids=lambda p: p.id)
def test_every_template_has_sentences_in_every_protocol(template, protocol):
    directions = taxonomy().directions[template.directions] if template.directions else (None,)
    questions = [
        _ask(BOOK, template.id, protocol.id, direction=value, paraphrase=k)
        for value in directions
        for k in range(BOOK.paraphrase_count(template.id))
    ]
    assert len(set(questions)) == len(directions) * 4
    for question in questions:
        assert question[0].isupper()
        assert question[-1] in "?."
        assert "{" not in question
        for slot in template.slots:
            pointed = slot in question or len(template.slots) == 1
            assert pointed, question


def test_every_value_of_the_taxonomy_has_words():
    for values in taxonomy().option_sets.values():
        if isinstance(values, tuple):
            assert all(BOOK.option_text(value) for value in values)


def test_a_sentence_without_its_direction_is_refused_with_its_place():
    with pytest.raises(TemplateError, match=r"spatial\.yaml: ct_001\.question\.0: 'direction'"):
        _ask(BOOK, "ct_001", "visual_bbox")


def test_an_own_folder_of_wording_replaces_ours(folder):
    _edit(folder, "perception.yaml", VC_001, "Only mirrored, {{ X }}?")
    question = _ask(WordingBook.read(folder), "vc_001", "visual_bbox")
    assert question == "Only mirrored, the object in the box marked X?"


def test_a_template_has_as_many_texts_as_its_folder_gives(folder):
    _ask_instead(folder, "Is {{ X }} mirrored?")
    book = WordingBook.read(folder)
    assert book.paraphrase_count("vc_001") == 1
    assert book.paraphrase_count("vc_002") == 4
    assert _ask(book, "vc_001", "visual_bbox") == "Is the object in the box marked X mirrored?"


def test_paraphrases_are_asked_by_number_and_0_is_the_standard_text():
    texts = [_ask(BOOK, "vc_001", "visual_bbox", paraphrase=k) for k in range(4)]
    assert texts[0] == _ask(BOOK, "vc_001", "visual_bbox")
    assert len(set(texts)) == 4
    for missing in (-1, 4):
        with pytest.raises(
            IndexError, match=f"vc_001: expected a text from 0 to 3, found {missing}"
        ):
            _ask(BOOK, "vc_001", "visual_bbox", paraphrase=missing)


@given(
    item=st.text(max_size=20),
    template=st.sampled_from(taxonomy().templates),
    limit=st.integers(1, 6),
    seed=st.integers(0, 2**63 - 1),
)
def test_an_item_keeps_its_text_unless_it_goes_to_an_added_one(item, template, limit, seed):
    fewer = BOOK.choose_paraphrase(template.id, item, limit=limit, seed=seed)
    more = BOOK.choose_paraphrase(template.id, item, limit=limit + 1, seed=seed)
    assert 0 <= fewer < min(limit, 4)
    assert more in (fewer, limit)


def test_every_text_gets_its_share_of_items_and_each_added_one_no_more():
    items = [f"vc_001-{k:016x}" for k in range(4000)]
    counts = {}
    for limit in (1, 2, 3, 4):
        chosen = [BOOK.choose_paraphrase("vc_001", item, limit=limit) for item in items]
        counts[limit] = [chosen.count(k) for k in range(4)]
    assert counts[1] == [4000, 0, 0, 0]
    assert all(abs(count - 1000) < 120 for count in counts[4])
    assert sum(abs(a - b) for a, b in zip(counts[3], counts[4], strict=True)) == 2 * counts[4][3]
    other_seed = [BOOK.choose_paraphrase("vc_001", item, limit=4, seed=1) for item in items]
    assert other_seed != chosen


def test_our_sentences_are_those_that_people_have_read(check_golden):
    lines = []
    for template in taxonomy().templates:
        directions = taxonomy().directions[template.directions] if template.directions else (None,)
        for k in range(BOOK.paraphrase_count(template.id)):
            for protocol in (
                taxonomy().protocols if k == 0 else [taxonomy().protocol("visual_bbox")]
            ):
                asked = _ask(BOOK, template.id, protocol.id, direction=directions[0], paraphrase=k)
                lines.append(f"{template.id} {k} {protocol.id}: {asked}")
    check_golden("qa_gen/sentences.txt", "\n".join(lines) + "\n")


def test_questions_may_stand_in_files_of_any_name_and_share_parts(folder):
    (folder / "spatial.yaml").rename(folder / "räumlich.yaml")
    _edit(folder, "perception.yaml", "\nvc_001:", "\nvc_001: &first")
    _edit(folder, "perception.yaml", "vc_003:", "vc_003:\n  <<: *first")
    (folder / ".perception.yaml").write_text("an editor's backup", "utf-8")
    (folder / "notes.txt").write_text("no wording", "utf-8")
    assert WordingBook.read(folder).template_ids == BOOK.template_ids


def test_a_protocol_inherits_all_but_the_phrases_given_beside_it(folder):
    _edit(
        folder,
        "referring.yaml",
        "inherit: visual_bbox\n",
        "inherit: visual_bbox\n  described: ', {{ description }},'\n",
    )
    book = WordingBook.read(folder)
    assert "box marked X, thing 1, be seen" in _ask(book, "vc_001", "visual_bbox_desc")
    assert "box marked X be seen" in _ask(book, "vc_001", "visual_bbox")


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        ("Is {{ Z }} by {{ X }}?", "'Z' is undefined, expected only X"),
        ("{{ X }}{% if not X %}{{ Z }}{% endif %}?", "'Z' is undefined, expected only X"),
        ("Is {{ direction }} {{ X }}?", "'direction' is undefined, expected only X"),
        ("{% for i in range(9) %}{{ X }}{% endfor %}", "'range' is undefined, expected only X"),
        ("Is {{ X seen?", "expected token 'end of print statement', got 'seen'"),
        ("Is {{ X | shout }}?", "No filter named 'shout'."),
        ("Is {{ X.place }}?", "'str object' has no attribute 'place'"),
        ("Is {{ X.__class__ }}?", "access to attribute '__class__' of 'str' object is unsafe."),
        ("Is {{ X + 1 }}?", 'can only concatenate str (not "int") to str'),
        ("Is {{ X }} {{ 1 / 0 }}?", "division by zero"),
        ("{% include 'other' %}{{ X }}", "no loader for this environment specified"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}{{ X }}", "maximum recursion depth"),
        ('{{ X }}{{ "\\ud800" }}', "'utf-8' codec can't encode"),
        ("Is it seen?", "expected {{ X }} in it, found no use"),
        ("Is it seen? {# {{ X }} #}", "expected {{ X }} in it, found no use"),
        ("{% if X %}Is it seen?{% endif %}", "expected {{ X }} in it, found no use"),
        (" ", "expected a text or a list of texts, found none"),
    ],
)
def test_a_question_that_cannot_be_filled_in_is_refused_before_it_is_asked(folder, question, fault):
    _ask_instead(folder, question)
    assert _refusal(folder).startswith(f"perception.yaml: vc_001.question: {fault}")


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        (5, "vc_001.question: expected a text or a list of texts, found int"),
        (None, "vc_001.question: expected a text or a list of texts, found nothing"),
        ({"a": "b"}, "vc_001.question: expected a text or a list of texts, found dict"),
        ("", "vc_001.question: expected a text or a list of texts, found none"),
        ([], "vc_001.question: expected a text or a list of texts, found none"),
        (["Is {{ X }}?", 5], "vc_001.question.1: Input should be a valid string"),
        (["Is {{ X }}?", " "], "vc_001.question.1: String should match pattern"),
        (["Is {{ X }}?", "Is it?"], "vc_001.question.1: expected {{ X }} in it, found no use"),
        (["Is {{ X }}?", "Is {{ X"], "vc_001.question.1: unexpected end of template"),
        (["Is {{ X }}?", "Is {{ Y }}{{ X }}?"], "vc_001.question.1: 'Y' is undefined"),
    ],
)
def test_texts_that_are_none_are_refused_with_their_place(folder, question, fault):
    _ask_instead(folder, question)
    assert _refusal(folder).startswith(f"perception.yaml: {fault}")


def test_a_text_that_fails_in_one_direction_alone_is_refused(folder):
    fails = "{% if direction == 'upwards' %}{{ 1 / 0 }}{% endif %}{{ direction }}"
    _edit(folder, "decision.yaml", "moves {{ direction }}", f"moves {fails}")
    assert _refusal(folder).startswith("decision.yaml: ac_004.question.2: division by zero")


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("perception.yaml", "vc_001:", "vc_009:", "vc_009: expected a template id"),
        ("perception.yaml", "vc_001:", "mr_002:", "mr_002: expected a template id"),
        ("perception.yaml", "vc_001:", "yes:", "expected YAML, found: the key yes read as bool"),
        ("perception.yaml", "vc_001:", "vc_002:", "expected YAML, found: the key vc_002 twice"),
        ("perception.yaml", "vc_001:", "vc_001: Is it?\nvc_009:", "vc_009"),
        ("perception.yaml", "describe: [X]", "describe: [Z]", "vc_001.describe: expected slots"),
        ("perception.yaml", "describe: [X]", "describe: X", "vc_001.describe: "),
        ("perception.yaml", "  describe: [X]\n", "", "vc_001.describe: Field required"),
        ("perception.yaml", "  describe: [X]", "  describes: [X]", "vc_001.describes: is no"),
        (
            "perception.yaml",
            "    - Can {{ X }}",
            "    - {{ X }}",
            "expected",
        ),
        (
            "perception.yaml",
            "  describe: [X]",
            "  describe: [X]\n  note: a",
            "vc_001.note: is no field",
        ),
        ("decision.yaml", "describe: []", "describe: [direction]", "ac_004.describe: expected"),
        ("decision.yaml", "{{ direction }}", "there", "ac_004.question.0: expected {{ di"),
        ("spatial.yaml", "ct_001:", "vc_001:", "vc_001: expected it once, found it in"),
        ("referring.yaml", "visual_mask:", "visual_blob:", "visual_blob: expected a protocol"),
        ("referring.yaml", "visual_mask:\n", "visual_mask: mask\nx:\n", "x: expected a protocol"),
        (
            "referring.yaml",
            "visual_bbox_desc:\n  inherit: visual_bbox\n",
            "",
            "visual_bbox_desc: expected how it points, found none",
        ),
        (
            "referring.yaml",
            "inherit: visual_bbox",
            "inherit: visual_bbox_desc",
            "visual_bbox_desc.inherit: expected a protocol with phrases of its own",
        ),
        ("referring.yaml", "inherit: visual_bbox", "inherit: [a]", "visual_bbox_desc.inherit: "),
        ("referring.yaml", "inherit: visual_bbox", "inherit: nobody", "visual_bbox_desc.inherit: "),
        (
            "referring.yaml",
            "inherit: visual_bbox",
            "inherits: a",
            "visual_bbox_desc.inherits: is no",
        ),
        ("referring.yaml", "{{ width }}", "{{ breadth }}", "bbox_text.preamble: 'breadth' is un"),
        ("referring.yaml", "{{ height }}", "", "bbox_text.preamble: expected {{ height }}"),
        ("referring.yaml", "({{ x1 }}", "({{ z1 }}", "bbox_text.one: 'z1' is undefined"),
        ("referring.yaml", "({{ x1 }}", "(", "bbox_text.one: expected {{ x1 }}"),
        (
            "referring.yaml",
            "object {{ label }} in",
            "object {{ Label }} in",
            "bbox_text.many: 'Label'",
        ),
        ("referring.yaml", "is marked {{ label }}", "is drawn", "visual_mask.many: expected {{ la"),
        (
            "referring.yaml",
            "candidate: the object in the box marked {{ label }}",
            "candidate: this one",
            "visual_bbox.candidate: expected {{ label }}",
        ),
        ("referring.yaml", "' ({{ description }})'", "''", "bbox_text_desc.described: expected"),
        ("referring.yaml", "({{ description }})", "({{ words }})", "bbox_text.described: 'words'"),
        ("referring.yaml", '  described: ""\n', "", "visual_mask.described: Field required"),
        (
            "options.yaml",
            '"yes": "yes"',
            'yes: "yes"',
            "expected YAML, found: the key yes read as bool (quote it",
        ),
        ("options.yaml", '"yes": "yes"', '"yes": yes', "options.yes"),
        ("options.yaml", "  stop: stop\n", "", "options.stop: expected words for it, found none"),
        (
            "options.yaml",
            "stop: stop",
            "stop: turn around",
            "options.stop: expected words of its own",
        ),
        ("options.yaml", "stop: stop", "stop: stop\n  jump: jump", "options.jump: expected an op"),
        ("options.yaml", "stop: stop", "stop: 0", "options.stop: Input should be a valid string"),
        ("options.yaml", "front: in front of", "fore: in front of", "directions.relation.front: "),
        ("options.yaml", "    above: above\n", "", "directions.relation.above: expected words"),
        ("options.yaml", "movement:", "motion:", "directions.motion: expected a list"),
        (
            "options.yaml",
            "revealing_words:",
            "telling_words:",
            "telling_words: is no field of this",
        ),
        (
            "options.yaml",
            "revealing_stems:",
            "telling_stems:",
            "telling_stems: is no field of this",
        ),
        ("options.yaml", "- seen", "- looking glass", "revealing_words.9: expected"),
        ("options.yaml", "- seen", "- no", "revealing_words.9: Input should be a valid string"),
        ("options.yaml", "[mirror,", "['',", "revealing_stems.0: expected one word"),
        ("options.yaml", "options:", "options: {", "expected YAML, found: "),
        ("options.yaml", "stop: stop", "stop: !!bool maybe", "expected YAML, found: 'maybe'"),
        ("options.yaml", "stop: stop", "stop: 2024-13-01", "expected YAML, found: month must be"),
        ("options.yaml", "stop: stop", f"stop: {'[' * 3000}", "expected YAML, found: maximum rec"),
    ],
)
def test_a_fault_in_a_wording_file_is_told_with_file_and_field(folder, name, old, new, fault):
    _edit(folder, name, old, new)
    assert _refusal(folder).startswith(f"{name}: {fault}")


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ('yes: "yes"', 'quote it: "yes") in "options.yaml", line 4'),
        ('"yes": yes', 'quote it, as in "yes"'),
        ('"yes": on', 'quote it, as in "yes"'),
    ],
)
def test_words_that_yaml_turns_into_booleans_are_to_be_quoted(folder, line, fix):
    _edit(folder, "options.yaml", '"yes": "yes"', line)
    assert fix in _refusal(folder)


@pytest.mark.parametrize("entry", ["Is it seen?", 5, None, ["Is it?"], True])
def test_an_entry_that_is_no_mapping_is_refused(folder, entry):
    for name, key in (("perception.yaml", "vc_001"), ("referring.yaml", "visual_mask")):
        _write(folder)
        document = yaml.safe_load(OURS[name]) | {key: entry}
        (folder / name).write_text(yaml.safe_dump(document), "utf-8")
        assert _refusal(folder).startswith(
            f"{name}: {key}: expected fields with their values, found"
        )


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_folder_that_misses_a_file_is_refused(folder, name):
    missing = {"referring.yaml": name, "options.yaml": name}.get(
        name, ", ".join(yaml.safe_load(OURS[name]))
    )
    (folder / name).unlink()
    line = _refusal(folder)
    assert all(part in line for part in missing.split(", "))
    assert "found none" in line


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("notes.yaml", b"remember: this", "remember: expected a template id of the taxonomy"),
        ("notes.yaml", b"", "expected a mapping, found nothing"),
        ("notes.yaml", b"- a list", "expected a mapping, found a list"),
        ("notes.yaml", b"a: [", "expected YAML, found: "),
        ("notes.yaml", b"a: \x00", "expected YAML, found: "),
        ("spatial.yaml", "ct_001: für".encode("latin-1"), "expected UTF-8, found "),
        ("spatial.yml", b"ct_001: {}", "expected the ending .yaml, found .yml"),
    ],
)
def test_a_stray_or_broken_file_is_refused(folder, name, content, fault):
    (folder / name).write_bytes(content)
    assert _refusal(folder).startswith(f"{name}: {fault}")


def test_what_cannot_be_read_is_refused(folder):
    assert _refusal(folder / "nowhere").startswith(": cannot be read: No such file")
    assert _refusal(folder / "options.yaml").startswith(": cannot be read: Not a directory")
    (folder / "sub.yaml").mkdir()
    assert _refusal(folder).startswith("sub.yaml: cannot be read: Is a directory")


def test_a_file_with_a_byte_order_mark_is_read(folder):
    text = (folder / "options.yaml").read_text("utf-8")
    (folder / "options.yaml").write_text(text, "utf-8-sig")
    assert WordingBook.read(folder).option_text("stop") == "stop"


PARTS = [
    (name, path)
    for name, text in OURS.items()
    for key, entry in yaml.safe_load(text).items()
    for path in [(key,), *((key, inner) for inner in entry if isinstance(entry, dict))]
]
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.dates(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)


def _read_or_refused(folder: Path, where: str) -> None:
    try:
        WordingBook.read(folder)
    except TemplateError as error:
        line = str(error)
    else:
        return
    assert line.startswith(where)
    assert "\n" not in line


@settings(max_examples=80, deadline=None)
@given(part=st.sampled_from(PARTS), odd=ODD)
def test_a_part_replaced_by_anything_is_read_or_refused_in_one_line(part, odd):
    name, path = part
    document = yaml.safe_load(OURS[name])
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = odd
    with tempfile.TemporaryDirectory() as there:
        folder = _write(Path(there))
        (folder / name).write_text(yaml.safe_dump(document), "utf-8")
        _read_or_refused(folder, f"{folder / name}: ")


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(sorted(OURS)), data=st.data())
def test_a_file_with_letters_lost_or_added_is_read_or_refused_in_one_line(name, data):
    text = OURS[name]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    added = data.draw(st.text(alphabet="{}%[]:&*!\"'\n -#|<>yes1X", max_size=6))
    with tempfile.TemporaryDirectory() as there:
        folder = _write(Path(there))
        (folder / name).write_text(text[:start] + added + text[end:], "utf-8")
        _read_or_refused(folder, str(folder))


@pytest.mark.parametrize(
    "description",
    [
        "cup in the mirror",
        "Reflection of a cup",
        "VIRTUAL cup",
        "reflective vase",
        "cup (mirroring)",
        "a lamp that reflects light",
        "the real vase",
        "actual cup, directly seen",
        "cup as seen in the glass",
        "\uff2dirror, red",
        "ＲＥＡＬ vase",
        "real_vase",
        "mirror-image cup",
        "cup2reflected",
        "unreflected chair",
        "visible handle",
    ],
)
def test_a_description_that_tells_how_its_object_is_seen_is_found(description):
    assert BOOK.reveals(description)


@pytest.mark.parametrize(
    "description",
    [
        "",
        "glass",
        "drinking glass on the table",
        "original painting",
        "realistic toy horse",
        "reel of film",
        "cereal box",
        "surreal poster",
        "scene painted on a plate",
        "direction sign",
        "indirect lamp",
        "virtuoso's violin",
        "flexible tube",
        "tall vase behind the red chair, left",
        "杯子",
    ],
)
def test_a_description_of_looks_alone_is_let_through(description):
    assert not BOOK.reveals(description)


def test_revealing_words_are_those_of_the_folder(folder):
    _edit(folder, "options.yaml", "- seen", "- ＧＬＡＳＳ")
    _edit(folder, "options.yaml", "[mirror,", "[Spiegel, Stra\u00dfe, mirror,")
    book = WordingBook.read(folder)
    assert book.reveals("cup in the glass")
    assert not book.reveals("cup of glassware")
    assert not book.reveals("seen")
    assert book.reveals("SPIEGELBILD")
    assert book.reveals("STRASSENLAMPE")
