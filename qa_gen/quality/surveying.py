"""All statistics and checks of a set of questions, in one pass over its items."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from mira.errors import MiraError
from mira.schema.qa import QAItem
from mira.taxonomy.catalogue import TaskTemplate, taxonomy
from qa_gen.quality.balance import PlaceCounts, commonest_share, evenness
from qa_gen.quality.counting import Counts, in_order
from qa_gen.quality.guessing import Guesser, pooled
from qa_gen.quality.judging import judge
from qa_gen.quality.margins import CloseCall, MarginCheck
from qa_gen.quality.offering import check_options, readable_words
from qa_gen.quality.policy import QualityPolicy
from qa_gen.quality.reading import AXES, KnownPictures, nothing_known
from qa_gen.quality.records import (
    Collection,
    Guessing,
    QualityReport,
    SubtaskQuality,
    Tally,
    TemplateQuality,
)
from qa_gen.quality.relating import RelationCheck
from qa_gen.quality.repeats import RepeatCheck
from qa_gen.quality.reporting import FindingList

_ABOUT_ALL_CANDIDATES = "one of "


@dataclass(frozen=True)
class SurveySources:
    """What a survey may ask beside the items.

    Attributes:
        known: What is known of each picture.
        is_close_call: What proposals say of an item; None where nobody asks them.
        close_calls_count: Whether the set was made to take close calls.
        collection: Looks at the pictures, given their scenes; None where nobody does.
    """

    known: KnownPictures = nothing_known
    is_close_call: CloseCall | None = None
    close_calls_count: bool = False
    collection: Callable[[dict[str, str]], Collection] | None = field(default=None)


def survey_questions(
    items: Iterable[QAItem],
    *,
    policy: QualityPolicy,
    sources: SurveySources | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> QualityReport:
    """What a set of questions holds, and whether it is worth asking.

    Items are read once and not kept; the same items give the same report in any order that leaves
    the first of two that repeat or contradict each other the first.

    Args:
        items: All items of the set.
        policy: Bounds.
        sources: What else is known; by default what the items say themselves.
        progress: Called with items done and 0, for nobody knows how many there are.

    Raises:
        MiraError: An item has a template that the taxonomy does not have.
    """
    sources = sources or SurveySources()
    survey = _Survey(policy, sources)
    for done, item in enumerate(items, start=1):
        survey.add(item)
        if progress is not None:
            progress(done, 0)
    return survey.report()


class _Survey:
    """Every count and check, side by side."""

    def __init__(self, policy: QualityPolicy, sources: SurveySources) -> None:
        self._policy, self._sources = policy, sources
        self._templates = frozenset(row.id for row in taxonomy().templates)
        self._findings = FindingList(most=policy.most_listed)
        self._counts, self._places, self._guesser = Counts(), PlaceCounts(), Guesser()
        self._relations = RelationCheck(self._findings)
        self._repeats = RepeatCheck(self._findings)
        self._margins = MarginCheck(
            self._findings,
            spatial=policy.spatial,
            is_close_call=sources.is_close_call,
            close_calls_count=sources.close_calls_count,
        )

    def add(self, item: QAItem) -> None:
        if item.template_id not in self._templates:
            raise MiraError(
                item.item_id,
                f"template_id: expected one of the taxonomy's, found {item.template_id!r}",
            )
        known = self._sources.known(item)
        self._counts.add(item, known)
        self._places.add(item)
        self._guesser.add(item, known)
        self._relations.add(item, known)
        self._repeats.add(item, known)
        self._margins.add(item)
        for fault in check_options(item):
            self._findings.add("option-unclear", item.item_id, fault)
        if words := readable_words(item):
            message = f"expected nothing that names the right option, found {', '.join(words)}"
            self._findings.add("answer-readable", item.item_id, message)

    def report(self) -> QualityReport:
        counts, look = self._counts, self._sources.collection
        guessed = self._guesser.templates()
        rows = [row for row in taxonomy().templates if counts.items[row.id]]
        templates = tuple(self._template(row, guessed[row.id]) for row in rows)
        draft = QualityReport(
            policy=self._policy,
            items=counts.items.total(),
            questions=counts.questions.total(),
            pictures=len(counts.scene_of),
            scenes=len(set(counts.scene_of.values())),
            templates=templates,
            subtasks=self._subtasks(templates),
            protocols=in_order(counts.protocols, (row.id for row in taxonomy().protocols)),
            shape=counts.shape(),
            collection=look(counts.scene_of) if look is not None else None,
            axes=self._axes(),
            directions=self._directions(),
            relations=self._relations.relations(),
            repeats=self._repeats.repeats(),
            margins=self._margins.margins(),
            findings=(),
            not_listed={},
        )
        judge(draft, self._findings)
        return draft.model_copy(
            update={
                "findings": self._findings.listed(),
                "not_listed": self._findings.not_listed(),
            }
        )

    def _template(self, row: TaskTemplate, guessing: Guessing) -> TemplateQuality:
        counts = self._counts
        gold = counts.triples[row.id] or counts.gold[row.id]
        words = {word: n for word, n in gold.items() if not word.startswith(_ABOUT_ALL_CANDIDATES)}
        return TemplateQuality(
            template_id=row.id,
            subtask=row.subtask,
            level=taxonomy().level_of(row.id),
            items=counts.items[row.id],
            questions=counts.questions[row.id],
            pictures=counts.pictures(row.id),
            by_source=in_order(counts.sources[row.id], ("annotator", "auto", "simulated")),
            gold=in_order(counts.gold[row.id], _values(row)),
            commonest_share=round(commonest_share(words), 6) if words else None,
            evenness=evenness(words) if words else None,
            positions=self._places.positions(row.id),
            guessing=guessing,
        )

    def _subtasks(self, templates: tuple[TemplateQuality, ...]) -> tuple[SubtaskQuality, ...]:
        joint = self._guesser.joint()
        found = []
        for subtask in taxonomy().subtasks:
            own = [one for one in templates if one.subtask == subtask.id]
            if own:
                together = joint.get(subtask.id) if subtask.joint else None
                found.append(
                    SubtaskQuality(
                        subtask=subtask.id,
                        level=subtask.level,
                        items=sum(one.items for one in own),
                        questions=sum(one.questions for one in own),
                        guessing=together or pooled(one.guessing for one in own),
                    )
                )
        return tuple(found)

    def _axes(self) -> dict[str, dict[str, Tally]]:
        words = taxonomy().option_sets["axes"]
        assert isinstance(words, dict)
        return {
            template_id: {axis: in_order(axes[axis], words[axis]) for axis in AXES}
            for template_id, axes in sorted(self._counts.axes.items())
        }

    def _directions(self) -> dict[str, dict[str, Tally]]:
        found = {}
        for template_id, by_direction in sorted(self._counts.directions.items()):
            row = taxonomy().template(template_id)
            known = taxonomy().directions.get(row.directions or "", ())
            ordered = sorted(by_direction, key=lambda one: (one not in known, _place(known, one)))
            found[template_id] = {
                direction: in_order(by_direction[direction], _values(row)) for direction in ordered
            }
        return found


def _values(row: TaskTemplate) -> tuple[str, ...]:
    values = taxonomy().option_sets.get(row.options or "")
    return values if isinstance(values, tuple) else ()


def _place(known: tuple[str, ...], word: str) -> tuple[int, str]:
    return (known.index(word), "") if word in known else (len(known), word)
