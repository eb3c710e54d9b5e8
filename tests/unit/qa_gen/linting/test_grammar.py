"""What the checks of English, of marks and of letters know."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_gen.linting.articles import check_articles
from qa_gen.linting.letters import check_fixed_spaces, check_letters, check_spaces
from qa_gen.linting.marks import (
    check_asking,
    check_brackets,
    check_end,
    check_marks,
    check_sentences,
    check_spacing,
    sentences_of,
)
from qa_gen.linting.numbers import check_numbers
from qa_gen.linting.places import Check, Place, Reading
from qa_gen.linting.policy import LintPolicy
from qa_gen.linting.repeats import check_doubled_words

HERE = Place("a.yaml", "vc_001.question")
ALL = (
    check_articles,
    check_letters,
    check_spaces,
    check_fixed_spaces,
    check_asking,
    check_brackets,
    check_end,
    check_marks,
    check_sentences,
    check_spacing,
    check_numbers,
    check_doubled_words,
)


def _codes(check: Check, text: str) -> list[str]:
    return [fault.code for fault in check(Reading(text, "question", HERE), LintPolicy())]


@pytest.mark.parametrize(
    "noun",
    [
        "apple",
        "egg",
        "umbrella",
        "hour",
        "hourglass",
        "honest answer",
        "heirloom",
        "8-litre bucket",
        "11 cups",
        "18 cups",
        "X-ray",
        "unidentified object",
        "unlit lamp",
        "uninteresting cup",
        "underside",
        "oak table",
        "élan",
        "800 cups",
        "usher",
        "urn",
        "A4 sheet",
    ],
)
def test_an_is_wanted_before_a_vowel_that_is_heard(noun: str) -> None:
    assert _codes(check_articles, f"Is it an {noun}?") == []
    assert _codes(check_articles, f"Is it a {noun}?") == ["article-wrong"]


@pytest.mark.parametrize(
    "noun",
    [
        "cup",
        "unicorn",
        "uniform",
        "used towel",
        "user",
        "one-armed doll",
        "European plug",
        "ewe",
        "house",
        "hat",
        "2-litre bottle",
        "U-turn",
        "utensil",
        "ukulele",
        "unique vase",
        "yellow cup",
        "1 cup",
        "eucalyptus",
        "once-blue cup",
        "well",
        "ubiquitous thing",
        "usual chair",
    ],
)
def test_a_is_wanted_before_any_other_sound(noun: str) -> None:
    assert _codes(check_articles, f"Is it a {noun}?") == []
    assert _codes(check_articles, f"Is it an {noun}?") == ["article-wrong"]


@pytest.mark.parametrize("noun", ["herb", "LED lamp", "NASA poster", "SOS sign", "杯子", "UFO"])
def test_either_article_is_let_through_where_both_are_said(noun: str) -> None:
    assert _codes(check_articles, f"Is it a {noun}, or an {noun}?") == []


def test_the_letter_of_a_mark_is_no_article() -> None:
    assert _codes(check_articles, "Is the object marked A in the box marked A above it?") == []
    assert _codes(check_articles, "A object is there.") == ["article-wrong"]


@pytest.mark.parametrize(
    "text",
    [
        "How many objects are there?",
        "Which one of the objects below shows it?",
        "An object and its reflections are one.",
        "The mirror and the object are one.",
        "One of the objects is red.",
        "Each of the mirrors is counted once.",
        "Is there no reflection of the objects?",
        "There are two mirrors; there is a mirror.",
        "These directly seen objects are real.",
        "In the 640 x 480 picture, two picture frames hang.",
        "The first one shows that mirrors are flat.",
        "One of the object's sides is hidden.",
    ],
)
def test_numbers_that_agree_are_let_through(text: str) -> None:
    assert _codes(check_numbers, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Is it one objects?",
        "Are there 1 objects?",
        "1 objects are there.",
        "There is two objects.",
        "There is no other objects.",
        "There are one mirror.",
        "How many object are there?",
        "Which of the directly seen object is it?",
        "These mirror is flat.",
        "The objects is red.",
        "Each reflection are counted.",
        "Every real mirrors counts.",
        "How much objects are there?",
    ],
)
def test_numbers_that_do_not_agree_are_found(text: str) -> None:
    assert set(_codes(check_numbers, text)) == {"number-agreement"}


@pytest.mark.parametrize(
    "text",
    [
        "Is it?",
        "Is it (or is it not?) there?",
        "它在镜子里吗？",
        "Is “it” there (now)?",
        "Είναι το αντικείμενο στον καθρέφτη;",
        "Is it 0.5 m away, i.e. near? Yes.",
        "Was ist es...?",
        "Виден ли предмет в зеркале?",
        "Is there a naïve café sign?",
        "هل هذا انعكاس؟",
        "Is it Anna's (the dog's)?",
        "RGB画像に鏡がありますか？",
    ],
)
def test_what_reads_well_in_any_language_has_no_fault(text: str) -> None:
    checks = [check for check in ALL if check not in (check_articles, check_numbers)]
    assert [_codes(check, text) for check in checks] == [[]] * len(checks)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Is it) there?", "bracket-unbalanced"),
        ("Is (it] there?", "bracket-unbalanced"),
        ('Is "it there?', "quote-unbalanced"),
        ("Is “it there?", "quote-unbalanced"),
    ],
)
def test_pairs_that_do_not_close_are_found(text: str, code: str) -> None:
    assert set(_codes(check_brackets, text)) == {code}


def test_sentences_end_at_marks_outside_of_brackets_and_abbreviations() -> None:
    text = 'Look (or not. Why?) at it, e.g. now. "Is it there?" Say so.'
    reading = Reading(text, "question", HERE)
    assert [text[start:end] for start, end in sentences_of(reading)] == [
        "Look (or not. Why?) at it, e.g. now.",
        '"Is it there?"',
        "Say so.",
    ]


@pytest.mark.parametrize("letter", ["\u043e", "\u03bf", "\u0455"])
def test_a_letter_of_another_alphabet_in_a_latin_word_is_named(letter: str) -> None:
    reading = Reading(f"Is it a m{letter}rror?", "question", HERE)
    (fault,) = check_letters(reading, LintPolicy())
    assert fault.code == "letter-confusable"
    assert letter in fault.message
    assert reading.text[fault.start : fault.end] == f"m{letter}rror"


@given(st.text(max_size=60))
def test_no_text_breaks_a_check_and_every_fault_lies_within_it(text: str) -> None:
    reading = Reading(text, "question", HERE)
    for check in ALL:
        for fault in check(reading, LintPolicy()):
            assert 0 <= max(0, fault.start) <= fault.end <= len(text)
            assert fault.message.isprintable()
