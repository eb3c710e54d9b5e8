"""Replies as models write them, and what each of them says."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.replies.reading import read_reply

FENCE = "```"
READ = [
    # whole reply is JSON
    ("yes_no", '{"final_answer": "yes", "confidence": 0.9}', "yes", "parsed", "json", 0.9),
    ("yes_no", '{"final_answer": "No.", "confidence": "85%"}', "no", "parsed", "json", 0.85),
    ("yes_no", '{"final_answer": true, "confidence": 70}', "yes", "parsed", "json", 0.7),
    ("yes_no", '{"Final Answer": "yes", "Confidence": "high"}', "yes", "parsed", "json", None),
    ("yes_no", '{"finalAnswer": "yes", "confidence": 1.5}', "yes", "parsed", "json", None),
    ("yes_no", '[{"final_answer": "no"}]', "no", "parsed", "json", None),
    ("yes_no", '{"a": {"b": {"final_answer": "no", "confidence": 0}}}', "no", "parsed", "json", 0),
    ("unsure", '{"final_answer": "not_sure"}', "not_sure", "parsed", "json", None),
    ("choice", '{"final_answer": "(B)"}', "B", "parsed", "json", None),
    ("choice", '{"final_answer": "Option C"}', "C", "parsed", "json", None),
    ("choice", '{"final_answer": "B - chair"}', "B", "parsed", "json", None),
    ("choice", '{"final_answer": ["lamp"]}', "C", "parsed", "json", None),
    ("words", '{"final_answer": "B. a red label"}', "B", "parsed", "json", None),
    (
        "axes",
        '{"final_answer": ["front", "left", "upper"]}',
        "left,above,front",
        *("parsed", "json"),
        None,
    ),
    (
        "axes",
        '{"final_answer": {"depth": "back", "vertical": "aligned", "horizontal": "aligned"}}',
        "aligned,aligned,behind",
        "parsed",
        "json",
        None,
    ),
    (
        "axes",
        '{"final_answer": "to the left, above, and in front of"}',
        "left,above,front",
        "parsed",
        "json",
        None,
    ),
    ("count", '{"final_answer": 4}', "4", "parsed", "json", None),
    ("count", '{"final_answer": "three chairs"}', "3", "parsed", "json", None),
    ("yes_no", json.dumps('{"final_answer": "yes"}'), "yes", "parsed", "json", None),
    # an object stands in the text
    ("yes_no", f'{FENCE}json\n{{"final_answer": "no"}}\n{FENCE}', "no", "parsed", "object", None),
    ("yes_no", 'Of {those} I say {"final_answer": "no"} now.', "no", "parsed", "object", None),
    ("yes_no", '{"final_answer": "no"} and {"final_answer": "No"}', "no", "parsed", "object", None),
    ("yes_no", 'Answer: yes\n{"final_answer": "yes"}', "yes", "parsed", "object", None),
    (
        "yes_no",
        '<think>{"final_answer": "no"}</think> {"final_answer": "yes"}',
        "yes",
        "parsed",
        "json",
        None,
    ),
    (
        "yes_no",
        'no, or {"final_answer": "no"}?</think>{"final_answer": "yes"}',
        "yes",
        "parsed",
        "json",
        None,
    ),
    # nearly an object
    ("yes_no", "{'final_answer': 'no', 'why': 'it isn't there'}", "no", "repaired", "repair", None),
    ("yes_no", '{"final_answer": "no", "why": "a "red" cup"}', "no", "repaired", "repair", None),
    ("yes_no", "{final_answer: no, confidence: 0.25,}", "no", "repaired", "repair", 0.25),
    (
        "yes_no",
        '{"final_answer": "no", // sure\n "confidence": 0.5}',
        "no",
        "repaired",
        "repair",
        0.5,
    ),
    ("yes_no", "{“final_answer”: “yes”}", "yes", "repaired", "repair", None),
    ("yes_no", '{"final_answer": "yes", "x": NaN}', "yes", "repaired", "repair", None),
    (
        "axes",
        '{"final_answer": {"x": "left", "y": "above", "z": "front"',
        "left,above,front",
        "repaired",
        "repair",
        None,
    ),
    ("yes_no", '{"final_answer"："yes"，"confidence"：0.5}', "yes", "repaired", "repair", 0.5),
    (
        "yes_no",
        '{"final_answer": "yes", /* seen */ "why": "http://x"}',
        "yes",
        "repaired",
        "repair",
        None,
    ),
    # the text ends too soon, behind the answer
    ("yes_no", '{"final_answer": "yes", "why": "the mir', "yes", "truncated", "repair", None),
    ("count", '{"final_answer": 3, ', "3", "truncated", "repair", None),
    # a bare answer
    ("choice", "b", "B", "parsed", "bare", None),
    ("choice", "**Answer: (B)**", "B", "parsed", "bare", None),
    ("choice", "Final Answer: **B**", "B", "parsed", "bare", None),
    ("choice", "**Answer:** (B) chair", "B", "parsed", "bare", None),
    ("choice", "**Final answer**: lamp", "C", "parsed", "bare", None),
    ("choice", "final_answer: A", "A", "parsed", "bare", None),
    ("choice", "The final answer is: C.", "C", "parsed", "bare", None),
    ("choice", r"$\boxed{A}$", "A", "parsed", "bare", None),
    ("choice", f"{FENCE}\nlamp\n{FENCE}", "C", "parsed", "bare", None),
    ("count", '"2"', "2", "parsed", "bare", None),
    ("axes", "left, above and behind", "left,above,behind", "parsed", "bare", None),
]
BAD = "unparsable"
SWAPPED = {"horizontal": "above", "vertical": "left", "depth": "front"}
NOT_READ = [
    ("yes_no", None, "failed"),
    ("yes_no", "", "unparsable"),
    ("yes_no", "<think>It seems", "truncated"),
    ("yes_no", '{"final_answer": "yes"}<think>or rather', "truncated"),
    ("yes_no", '{"final_answer": "ye', "truncated"),
    ("yes_no", '{"brief_explanation": "I see a mir', "truncated"),
    ("yes_no", "{", "truncated"),
    ("count", '{"final_answer": 1', "truncated"),
    ("axes", '{"final_answer": ["left", "above", "front"', "truncated"),
    ("yes_no", '{"final_answer": "yes"} {"final_answer": "no"}', "unparsable"),
    ("yes_no", '{"final_answer": "yes", "final_answer": "no"}', "unparsable"),
    ("yes_no", '{"x": {"final_answer": "no"}, "final_answer": "yes"}', "unparsable"),
    ("yes_no", 'Answer: no\n{"final_answer": "yes"}', "unparsable"),
    ("yes_no", '{"final_answer": yes no : {"final_answer": "no"}}', "unparsable"),
    ("yes_no", '{"answer": "yes"}', "unparsable"),
    ("yes_no", "yes, but perhaps no", "unparsable"),
    ("choice", '{"final_answer": "D"}', "unparsable"),
    ("choice", '{"final_answer": "A, B"}', "unparsable"),
    ("choice", '{"final_answer": {"a": "B"}}', "unparsable"),
    ("choice", "I think it is B", "unparsable"),
    ("axes", '{"final_answer": "left, above"}', "unparsable"),
    ("axes", '{"final_answer": {"x": "left", "y": "above"}}', "unparsable"),
    ("axes", json.dumps({"final_answer": SWAPPED}), BAD),
    ("count", '{"final_answer": "3 or 4"}', "unparsable"),
    ("count", '{"final_answer": "2 dozen"}', "unparsable"),
    ("count", '{"final_answer": "about 3"}', "unparsable"),
    ("count", '{"final_answer": -1}', "unparsable"),
    ("count", '{"final_answer": true}', "unparsable"),
    ("yes_no", '{"final_answer": null}', "abstained"),
    ("yes_no", '{"final_answer": "not sure"}', "abstained"),
    ("count", "It cannot be determined from the picture.", "abstained"),
    ("choice", "I'm sorry, but I can't help with that.", "refused"),
    ("choice", '{"final_answer": "I cannot identify people"}', "refused"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "raw", "answer", "kind", "layer", "confidence"), READ)
def test_a_reply_says_one_answer_and_how_it_was_found(
    forms, form, raw, answer, kind, layer, confidence
):
    assert read_reply(raw, forms[form]) == (answer, kind, layer, confidence)


@pytest.mark.parametrize(("form", "raw", "kind"), NOT_READ)
def test_a_reply_without_one_answer_says_why(forms, form, raw, kind):
    assert read_reply(raw, forms[form]) == (None, kind, None, None)


PIECES = st.sampled_from(
    [
        *(
            '{"final_answer": ',
            "{'final_answer': ",
            '"final_answer": ',
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
        ),
        *('"', "'", "“", "”", "\\", "\n", " ", "//", "/*", "```json", "<think>", "</think>"),
        *("yes", "no", "A", "B. chair", "left", "above", "front", "aligned", "3", "0.5", "true"),
        *("null", "Answer: ", '"confidence": ', "NaN", "\\ud800", "\ud800", "ß", "**"),
    ]
)


@given(text=st.lists(PIECES, max_size=24).map("".join) | st.text(max_size=60))
def test_no_text_breaks_the_reading(forms, text):
    for form in forms.values():
        read = read_reply(text, form)
        assert (read.answer is None) == (read.layer is None)
        assert read.answer is None or read.kind in ("parsed", "repaired", "truncated")
        assert read.confidence is None or 0 <= read.confidence <= 1


@pytest.mark.parametrize("text", ["{" * 20_000, '{"a":' * 20_000, "[" * 20_000, '{"' * 5_000])
def test_deep_or_broken_replies_end_soon(forms, text):
    assert read_reply(text, forms["count"]).answer is None


ANSWERS = {
    "yes_no": ("yes", "no"),
    "choice": ("A", "B", "C"),
    "count": ("0", "2", "11"),
    "axes": ("left, above, front", "left, above, behind", "aligned, below, same_depth"),
}


def _said(answer: str, how: int) -> str:
    document = {"final_answer": answer, "brief_explanation": "so"}
    return (
        json.dumps(document),
        f"```json\n{json.dumps(document)}\n```",
        repr(document),
        json.dumps({"result": document}),
        f"Answer: {answer}",
        f'{{"final_answer": "{answer}",}}',
    )[how]


@given(data=st.data())
def test_between_two_answers_none_is_guessed(forms, data):
    form = data.draw(st.sampled_from(sorted(ANSWERS)))
    first, second = data.draw(
        st.lists(st.sampled_from(ANSWERS[form]), min_size=2, max_size=2, unique=True)
    )
    ways = [data.draw(st.integers(0, 5)), data.draw(st.integers(0, 5))]
    between = data.draw(st.sampled_from(["\n", "\n\nOr rather:\n", "\n---\n"]))
    both = between.join(_said(*one) for one in zip((first, second), ways, strict=True))
    assert read_reply(both, forms[form]).answer is None
    twice = between.join(_said(first, how) for how in ways)
    assert ways == [4, 4] or read_reply(twice, forms[form]).answer is not None


@given(
    words=st.lists(
        st.sampled_from(["left", "right", "above", "below", "front", "behind", "and", "in", "of"]),
        max_size=5,
    ),
    how=st.sampled_from(["text", "list", "bare"]),
)
def test_an_axis_that_is_not_said_is_never_filled_in(forms, words, how):
    text = ", ".join(words)
    raw = text if how == "bare" else json.dumps({"final_answer": words if how == "list" else text})
    answer = read_reply(raw, forms["axes"]).answer
    if answer is not None:
        assert sorted(answer.split(",")) == sorted({*words} - {"and", "in", "of"})


@given(cut=st.integers(0, 200), form=st.sampled_from(sorted(ANSWERS)), which=st.integers(0, 1))
def test_a_reply_cut_anywhere_gives_its_answer_or_none(forms, cut, form, which):
    said = ANSWERS[form][which]
    document = {"brief_explanation": "it's a cup", "final_answer": said, "confidence": 0.5}
    whole = read_reply(json.dumps(document), forms[form]).answer
    for text in (json.dumps(document), repr(document), "So:\n" + json.dumps(document)):
        assert read_reply(text[:cut], forms[form]).answer in (whole, None)
