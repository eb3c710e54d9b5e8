"""What a model is told of an item."""

from __future__ import annotations

from collections.abc import Callable

from mira.evals.tom.asking import item_sha8, prompt_of, prompt_version, repair_of
from mira.schema.episode import EpisodeMoment, TomItem
from mira.schema.qa import Option


def test_a_prompt_holds_story_question_options_and_the_form_of_a_reply(
    make_item: Callable[..., TomItem],
) -> None:
    text = prompt_of(make_item(options="red {tub}|blue sack"))
    for part in ("Ida puts", "Where is it?", "A. red {tub}", "B. blue sack", '"final_answer"'):
        assert part in text
    assert text.index("Ida puts") < text.index("Where is it?") < text.index("A. red")
    assert "letter of one option: A, B." in text


def test_no_prompt_tells_what_is_right(make_item: Callable[..., TomItem]) -> None:
    asked = make_item(answer="the answer in a million")
    assert "million" not in prompt_of(asked) + repair_of(asked)


def test_yes_and_no_are_asked_as_words(make_item: Callable[..., TomItem]) -> None:
    both = tuple(Option(label=word, value=word) for word in ("yes", "no"))
    text = prompt_of(make_item().model_copy(update={"options": both, "answer": "no"}))
    assert "one of these words: yes, no." in text
    assert "Options" not in text


def test_a_moment_of_an_episode_is_asked_without_a_story(make_item: Callable[..., TomItem]) -> None:
    moment = EpisodeMoment(episode_id="e", step=1, role="subject")
    text = prompt_of(make_item(story=None, moment=moment))
    assert text.startswith("Question: Where is it?")


def test_the_digest_changes_with_what_is_asked_offered_or_right_and_nothing_else(
    make_item: Callable[..., TomItem],
) -> None:
    base = make_item(options="a|b|c")
    others = [
        make_item(options="a|b|c", question="Where was it?"),
        make_item(options="a|b|d"),
        make_item(options="a|b|c", answer="B"),
        make_item(options="a|b|c", story="Another."),
    ]
    assert item_sha8(base) not in {item_sha8(one) for one in others}
    same = make_item("two", options="a|b|c", order=None, kind="state", category="x")
    assert item_sha8(same) == item_sha8(base)


def test_the_version_of_the_words_is_a_number_and_a_digest() -> None:
    number, _, digest = prompt_version().partition("-")
    assert number.isdecimal()
    assert len(digest) == 8
