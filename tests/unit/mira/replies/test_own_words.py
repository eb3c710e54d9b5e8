"""Answers in words of one's own, where nothing is offered."""

from __future__ import annotations

import pytest

from mira.replies.bare_answers import OWN_WORDS, AnswerForm
from mira.replies.reading import read_reply

FORM = AnswerForm(OWN_WORDS, (), {})


@pytest.mark.parametrize(
    ("raw", "answer", "kind"),
    [
        ('{"final_answer": "Red_tub.", "confidence": 0.5}', "red tub", "parsed"),
        ('{"final_answer": ["Ida", "Otto"]}', "ida, otto", "parsed"),
        ('I think so:\n{"final_answer": "red tub"}\nThat is all.', "red tub", "parsed"),
        ("{'final_answer': 'red tub'}", "red tub", "repaired"),
        ("**Answer: red tub**", "red tub", "parsed"),
        ("red tub", "red tub", "parsed"),
        ("First this.\nThen that.\nFinal answer: red tub", "red tub", "parsed"),
        ("<think>blue sack</think>red tub", "red tub", "parsed"),
        ("First this.\nThen that.", None, "unparsable"),
        ("Answer: red tub\nAnswer: blue sack", None, "unparsable"),
        ('{"final_answer": "red tub"}\nAnswer: blue sack', None, "unparsable"),
        ('{"final_answer": null}', None, "abstained"),
        ("I do not know.", None, "abstained"),
        ("Sorry, I cannot help.", None, "refused"),
        ("", None, "unparsable"),
        (None, None, "failed"),
    ],
)
def test_one_line_is_an_answer_and_several_are_when_one_of_them_says_so(
    raw: str | None, answer: str | None, kind: str
) -> None:
    read = read_reply(raw, FORM)
    assert (read.answer, read.kind) == (answer, kind)
