"""What statistics say of a set of questions."""

from __future__ import annotations

from mira.schema.finding import Finding
from mira.schema.record import Record, RootRecord
from mira.schema.spatial import MarginUnit
from qa_gen.quality.policy import QualityPolicy

Tally = dict[str, int]
"""How often each word occurs."""
Spread = dict[int, int]
"""How often each number occurs."""


class Guessing(Record):
    """What guessing without the picture is worth."""

    units: int
    """Items guessed; joint groups where a sub-task counts jointly."""
    accuracy: float | None = None
    """Share guessed right from how often each answer is right in other scenes; absent where
    there is one scene alone."""
    chance: float | None = None
    """Expected share of uniform guessing; absent where the number of answers is not known."""

    @property
    def excess(self) -> float | None:
        """How much more often than chance a guess is right; None where either is not known."""
        known = self.accuracy is not None and self.chance is not None
        return self.accuracy - self.chance if known else None  # type: ignore[operator]


class Positions(Record):
    """Places of right options."""

    counts: Tally
    """How often each letter is right."""
    expected: dict[str, float]
    """How often it would be if all places were alike."""
    chi_square: float
    """Pearson's statistic, the sum over items with equally many options."""
    p: float | None = None
    """Probability of as uneven places by chance; absent with one place alone."""
    excess: float
    """How much more often than expected, as a share of items, the commonest letter is right."""


class TemplateQuality(Record):
    """The items of one template."""

    template_id: str
    """Row of the taxonomy."""
    subtask: str
    """Its sub-task."""
    level: str
    """Its level."""
    items: int
    """Items."""
    questions: int
    """Items times protocols."""
    pictures: int
    """Pictures asked about."""
    by_source: Tally
    """Items by who gave the answer."""
    gold: Tally
    """How often each word is right, by taxonomy; empty for axes."""
    commonest_share: float | None = None
    """Share of the commonest right answer, of all three words for axes; absent for candidates."""
    evenness: float | None = None
    """Entropy of right answers over that of equally frequent ones (Pielou's evenness), 0 to 1;
    absent for candidates and where one answer alone is ever right."""
    positions: Positions | None = None
    """Places of right options; absent where options have no order of their own."""
    guessing: Guessing
    """What a guess is worth, each item by itself."""


class SubtaskQuality(Record):
    """The items of one sub-task, as a score table counts them."""

    subtask: str
    """Row of the taxonomy."""
    level: str
    """Its level."""
    items: int
    """Items."""
    questions: int
    """Items times protocols."""
    guessing: Guessing
    """What a guess is worth; jointly where the sub-task counts so."""


class Shape(Record):
    """How a set is spread."""

    items_a_picture: Spread
    """Pictures by their items."""
    pictures_a_scene: Spread
    """Scenes by their pictures with items."""
    items_a_scene: Spread
    """Scenes by their items."""
    objects_a_picture: Spread
    """Pictures by the objects that questions and options name."""
    options_an_item: Spread
    """Items by the options to choose from; 0 where an answer is free."""
    words_a_question: dict[str, Spread]
    """For each protocol, questions by their words, rounded down to tens."""


class Collection(Record):
    """The pictures that are asked about."""

    by_source: Tally
    """Pictures by data set or crew."""
    by_environment: Tally
    """Pictures by place, in or out of doors."""
    by_lighting: Tally
    """Pictures by light."""
    by_surface: Tally
    """Reflective surfaces by kind."""


class Relations(Record):
    """Whether what is said of objects of one picture fits together."""

    pairs: int
    """Two objects of a picture about which something is said."""
    pairs_again: int
    """Of them those about which several items say something, in either order."""
    contradictions: int
    """Items that contradict an earlier one on their pair."""
    triples: int
    """Three objects and an axis on which all three pairs are known."""
    circles: int
    """Of them those that go round in a circle."""


class Repeats(Record):
    """What is asked more than once."""

    questions: int
    """Items whose words, boxes and options another item of the picture has."""
    facts: Tally
    """For each template, items that ask what another one of the picture asks through other
    appearances."""
    in_scene: Tally
    """For each template, items with the words, and but for candidates the answer, of an item on
    another picture of the scene."""
    worded: Tally
    """For each template, items that could be held against those of the scene: with descriptions,
    or without a slot."""


class Margins(Record):
    """How near to a threshold measured answers are."""

    template_id: str
    """Row of the taxonomy."""
    unit: MarginUnit | None
    """Unit of the margins; absent where it is not known."""
    items: int
    """Items with a margin."""
    lowest_tenth: float
    """A tenth of the margins is smaller."""
    median: float
    """Half of them is."""
    bound: float | None
    """A margin below is a close call, whatever was measured; absent without unit."""
    below_bound: int
    """Items below it."""
    near: int
    """Items below twice the bound; for ratios, below the bound's square."""


class QualityReport(RootRecord):
    """What a set of questions holds, and whether it is worth asking."""

    policy: QualityPolicy
    """Bounds of the findings."""
    items: int
    """Items."""
    questions: int
    """Items times protocols."""
    pictures: int
    """Pictures asked about."""
    scenes: int
    """Their scenes."""
    templates: tuple[TemplateQuality, ...]
    """Those that occur, in the taxonomy's order."""
    subtasks: tuple[SubtaskQuality, ...]
    """Those that occur, in the taxonomy's order."""
    protocols: Tally
    """Questions by protocol."""
    shape: Shape
    """How they are spread."""
    collection: Collection | None = None
    """The pictures; absent where they were not looked at."""
    axes: dict[str, dict[str, Tally]]
    """For each template with axes and each axis, how often each word is right."""
    directions: dict[str, dict[str, Tally]]
    """For each template with directions and each direction, how often each answer is right."""
    relations: Relations
    """Whether answers fit together."""
    repeats: Repeats
    """What is asked more than once."""
    margins: tuple[Margins, ...]
    """Measured answers by template and unit."""
    findings: tuple[Finding, ...]
    """What is wrong with items, or worth a look; at most so many a code as the policy says."""
    not_listed: Tally
    """Further findings by code."""

    @property
    def clean(self) -> bool:
        """Whether there is nothing but what is for the record."""
        return all(finding.severity == "info" for finding in self.findings)
