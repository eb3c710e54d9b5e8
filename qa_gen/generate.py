"""All questions of a workspace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

from mira.reviews import reviewed
from mira.schema.proposal import ImageProposals
from mira.schema.qa import (
    AxesAnswer,
    ChoiceAnswer,
    ChoiceTextAnswer,
    Drop,
    Protocol,
    QAItem,
    QAPolicy,
    QASummary,
    ReviewEvent,
    YesNoAnswer,
)
from mira.store.descriptions import DescriptionShelf
from mira.store.proposals import ProposalShelf
from mira.store.reviews import ReviewShelf
from mira.store.workspace import Workspace
from mira.taxonomy.catalogue import ProtocolInfo
from qa_gen.answering import Answers, answers_by_image
from qa_gen.facts import ImageFacts, image_facts
from qa_gen.items import UnwordedItem, make_item
from qa_gen.perception import is_of_perception, perception_drafts
from qa_gen.pictures import AnnotatedPictures
from qa_gen.selecting import CandidateList, choose_items
from qa_gen.spatial import spatial_drafts
from qa_gen.wording import WordingBook, protocol_infos

Progress = Callable[[int, int], None]


def generate_questions(
    workspace: Workspace,
    *,
    policy: QAPolicy,
    annotator: str | None = None,
    protocols: Sequence[Protocol] | None = None,
    templates: Path | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
) -> QASummary:
    """Replace the questions of a workspace by those its annotations hold now.

    Args:
        workspace: Read for views and annotations, written under its lock.
        policy: Bounds and seed.
        annotator: Whose annotation counts where a picture has several.
        protocols: Referring protocols to ask in; all five by default.
        templates: A folder of wording files in place of ours.
        limit: Use the first pictures only.
        progress: Called with pictures done and in all.

    Returns:
        What was made.

    Raises:
        WorkspaceError: No picture is annotated, one has several annotators and none of them was
            named, or the named one drew on none. The questions stay as they were.
    """
    book = WordingBook.read(templates)
    chosen = protocol_infos(protocols)
    with workspace.lock():
        tally = Tally(policy)
        pictures = AnnotatedPictures(workspace, annotator=annotator, limit=limit, progress=progress)
        shelf = ProposalShelf(workspace)
        answers = answers_by_image(shelf.newest_answers())
        described = DescriptionShelf(workspace).by_image()

        def records() -> Iterator[UnwordedItem | Drop]:
            for view, annotation in pictures:
                known = shelf.proposals(view.image_id)
                given = answers.get(view.image_id, {})
                tally.not_proposed += known is None and not _beside_perception(given)
                facts = image_facts(
                    view, annotation, policy, described=described.get(view.image_id)
                )
                yield from _unworded(facts, known, given, book, chosen)

        def summary() -> QASummary:
            # Called before the old questions are replaced.
            pictures.require_any()
            return tally.summary(pictures.left_out)

        with _chosen(records(), policy, workspace) as kept:
            history = ReviewShelf(workspace).history()
            items = (
                r if isinstance(r, Drop) else _with_review(r.in_words(book, policy), history)
                for r in kept
            )
            workspace.put_questions(tally.counting(items), summary=summary)
        return summary()


def _with_review(item: QAItem, history: Mapping[str, list[ReviewEvent]]) -> QAItem:
    events = history.get(item.item_id)
    return reviewed(item, events) if events else item


@contextmanager
def _chosen(
    records: Iterator[UnwordedItem | Drop], policy: QAPolicy, workspace: Workspace
) -> Iterator[Iterator[UnwordedItem | Drop]]:
    """The records that the policy's size and balance leave; the others are dropped and told.

    Which items stay is known when all are made; until then they lie in a file.
    """
    if policy.max_gold_share is None and policy.target_size is None:
        yield records
        return
    with TemporaryFile(dir=workspace.root, prefix=".questions-") as spool:
        candidates = CandidateList()
        for record in records:
            spool.write(_spooled(record))
            if isinstance(record, UnwordedItem):
                candidates.add(record.item, questions=len(record.described))
        kept = choose_items(candidates.candidates(), policy)
        spool.seek(0)
        yield (_kept_or_dropped(line, kept) for line in spool)


def _spooled(record: UnwordedItem | Drop) -> bytes:
    """A line: the item's id, what is told when it is dropped, and the item; JSON has no tabs."""
    if isinstance(record, Drop):
        return b"\t" + record.model_dump_json().encode() + b"\t\n"
    drop = record.as_drop("not-sampled").model_dump_json()
    return "\t".join((record.item.item_id, drop, record.model_dump_json())).encode() + b"\n"


def _kept_or_dropped(line: bytes, kept: frozenset[str]) -> UnwordedItem | Drop:
    item_id, drop, item = line.split(b"\t")
    if item_id.decode() in kept:
        return UnwordedItem.model_validate_json(item)
    return Drop.model_validate_json(drop)


def image_questions(
    facts: ImageFacts,
    proposals: ImageProposals | None,
    answers: Answers,
    book: WordingBook,
    protocols: tuple[ProtocolInfo, ...],
) -> Iterator[QAItem | Drop]:
    """The questions of one picture, by template and id."""
    for record in _unworded(facts, proposals, answers, book, protocols):
        yield record if isinstance(record, Drop) else record.in_words(book, facts.policy)


def _unworded(
    facts: ImageFacts,
    proposals: ImageProposals | None,
    answers: Answers,
    book: WordingBook,
    protocols: tuple[ProtocolInfo, ...],
) -> Iterator[UnwordedItem | Drop]:
    drafts = [
        *perception_drafts(facts, answers),
        *spatial_drafts(facts, proposals, _beside_perception(answers)),
    ]
    drafts.sort(key=lambda d: (d.template_id, "" if isinstance(d, Drop) else d.item_id))
    for draft in drafts:
        if isinstance(draft, Drop):
            yield draft
        else:
            yield from make_item(draft, facts, book, protocols)


def _beside_perception(answers: Answers) -> Answers:
    return {key: people for key, people in answers.items() if not is_of_perception(people)}


class Tally:
    """Counts records as they pass."""

    def __init__(self, policy: QAPolicy) -> None:
        self.policy = policy
        self.questions = 0
        self.not_proposed = 0
        self.by_template: Counter[str] = Counter()
        self.by_source: Counter[str] = Counter()
        self.drops: Counter[str] = Counter()
        self.positions: dict[str, Counter[str]] = {}
        self.words: dict[str, Counter[str]] = {}

    def counting(self, records: Iterator[QAItem | Drop]) -> Iterator[QAItem | Drop]:
        """The records, counted on their way."""
        for record in records:
            if isinstance(record, Drop):
                self.drops[record.reason] += 1
            else:
                self._count(record)
            yield record

    def _count(self, item: QAItem) -> None:
        self.questions += len(item.wordings)
        self.by_template[item.template_id] += 1
        self.by_source[item.source] += 1
        if isinstance(item.answer, YesNoAnswer | ChoiceAnswer | ChoiceTextAnswer):
            positions = self.positions.setdefault(item.template_id, Counter())
            positions[str(item.answer.value)] += 1
        words = self.words.setdefault(item.template_id, Counter())
        words.update(gold_words(item))

    def summary(self, left_out: Mapping[str, int]) -> QASummary:
        """What passed so far."""
        return QASummary(
            policy=self.policy,
            items=self.by_template.total(),
            questions=self.questions,
            by_template=_sorted(self.by_template),
            drops=_sorted(self.drops),
            pictures_left_out=_sorted(left_out),
            not_proposed=self.not_proposed,
            by_source=_sorted(self.by_source),
            gold_words={name: _sorted(self.words[name]) for name in sorted(self.words)},
            gold_positions={name: _sorted(self.positions[name]) for name in sorted(self.positions)},
        )


def gold_words(item: QAItem) -> tuple[str, ...]:
    """What is right, in the taxonomy's words: one a question, three where there are three axes.

    Candidates have no words; of them it is how many there are to choose from.
    """
    answer = item.answer
    if isinstance(answer, AxesAnswer):
        return answer.horizontal, answer.vertical, answer.depth
    if isinstance(answer, ChoiceAnswer | ChoiceTextAnswer):
        if any(mark.role == "candidate" for mark in item.marks):
            return (f"one of {len(item.options)}",)
        return (next(o.value for o in item.options if o.label == answer.value),)
    return (str(answer.value),)


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))
