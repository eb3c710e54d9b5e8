"""Tables of what was answered where something else was right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from mira.evals.mira_bench.answers import gold_answer
from mira.evals.mira_bench.blind import word_of
from mira.evals.mira_bench.judging import JudgedRun
from mira.evals.mira_bench.questions import Question, axis_words
from mira.evals.mira_bench.subtasks import name_of, subtasks_in_order
from mira.evals.run_report.records import Confusion
from mira.taxonomy.catalogue import taxonomy

NO_ANSWER = "no answer"
_Pair = tuple[str, str]
"""What is right, and what was said."""


def confusions_of(judged: JudgedRun, *, most_counts: int) -> tuple[Confusion, ...]:
    """Tables of a run: by sub-task, of places axis by axis; of words that mean the same everywhere.

    Questions with candidates have none, for a letter means something in one picture alone.

    Args:
        judged: The run; questions without a reply are left out.
        most_counts: Highest count with a row of its own.
    """
    heard = [one for one in judged.asked if judged.said[one.question_id].kind != "failed"]
    found: list[Confusion | None] = []
    for subtask in subtasks_in_order({one.subtask for one in heard}):
        mine = [one for one in heard if one.subtask == subtask]
        found += _of_axes(judged, mine)
        words = [one for one in mine if one.format in ("yes_no", "count") or _is_lettered(one)]
        pairs = list(_pairs(judged, words, most_counts=most_counts))
        found.append(_table(name_of(subtask), pairs, order=_order_of(words)))
    return tuple(one for one in found if one is not None)


def _is_lettered(question: Question) -> bool:
    """Whether the options are words of the taxonomy behind letters."""
    if question.format == "spatial_3d_axes":
        return False
    template = next((one for one in taxonomy().templates if one.id == question.template_id), None)
    return template is not None and template.options in taxonomy().option_sets


def _pairs(
    judged: JudgedRun, questions: Iterable[Question], *, most_counts: int
) -> Iterator[_Pair]:
    for question in questions:
        gold, said = gold_answer(question), judged.said[question.question_id].answer
        words = (word_of(gold, question), NO_ANSWER if said is None else word_of(said, question))
        if question.format == "count":
            words = tuple(_counted(word, most_counts) for word in words)  # type: ignore[assignment]
        yield words


def _counted(word: str, most: int) -> str:
    return f"over {most}" if word.isdecimal() and int(word) > most else word


def _of_axes(judged: JudgedRun, questions: Sequence[Question]) -> list[Confusion | None]:
    """A table an axis, of the questions on places."""
    mine = [one for one in questions if one.format == "spatial_3d_axes"]
    if not mine:
        return []
    found = []
    for place, (axis, words) in enumerate(axis_words().items()):
        pairs = []
        for question in mine:
            said = judged.said[question.question_id].answer
            answer = NO_ANSWER if said is None else said.split(",")[place]
            pairs.append((gold_answer(question).split(",")[place], answer))
        name = name_of(mine[0].subtask)
        found.append(_table(f"{name}, {axis}", pairs, order=words))
    return found


def _order_of(questions: Sequence[Question]) -> tuple[str, ...]:
    """Words in the order of the taxonomy, numbers by size."""
    if any(one.format == "count" for one in questions):
        return tuple(map(str, range(1000)))
    names = {one.id: one.options for one in taxonomy().templates}
    order: dict[str, None] = {}
    for question in questions:
        options = taxonomy().option_sets.get(names.get(question.template_id) or "", ())
        order |= dict.fromkeys(options)
    return tuple(order)


def _table(title: str, pairs: Sequence[_Pair], *, order: Sequence[str]) -> Confusion | None:
    if not pairs:
        return None
    counts = Counter(pairs)
    ranks = {word: rank for rank, word in enumerate(order)}

    def ordered(words: set[str]) -> tuple[str, ...]:
        return tuple(sorted(words, key=lambda word: (ranks.get(word, len(ranks)), word)))

    gold = ordered({right for right, _ in counts})
    said = ordered({said for _, said in counts if said != NO_ANSWER} | set(gold))
    columns = (*said, NO_ANSWER)
    return Confusion(
        title=title,
        said=columns,
        gold=gold,
        times=tuple(tuple(counts[right, word] for word in columns) for right in gold),
    )
