"""What a model can be asked, whatever it is about."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from mira.evals.inspect_runner.journal import Heard
from mira.evals.inspect_runner.options import Progress
from mira.replies.bare_answers import AnswerForm

if TYPE_CHECKING:
    from inspect_ai.dataset import Dataset

Facts = Mapping[str, object]
"""What decides a model's replies beside its settings, by name."""


class Answerable(Protocol):
    """All of a question that decides how a reply to it is read."""

    @property
    def question_id(self) -> str:
        """Its name."""

    @property
    def sha8(self) -> str:
        """Digest of what is asked, offered and right."""

    @property
    def form(self) -> AnswerForm:
        """What an answer looks like."""


class Askable(Protocol):
    """A question that one sample asks."""

    @property
    def key(self) -> str:
        """Names it within a folder of runs."""

    @property
    def question(self) -> Answerable:
        """How a reply is read."""

    def repair_text(self) -> str:
        """What a model is told whose reply gives no answer."""


class Questionnaire(Protocol):
    """Questions for one model, and where what it says is written."""

    @property
    def asked(self) -> Mapping[str, Askable]:
        """The questions by key, in their order."""

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where runs are written."""

    @property
    def digest(self) -> str:
        """Digest of what the questions are from."""

    def require_same_settings(self, facts: Facts) -> None:
        """Raise where a run that is to go on was asked otherwise.

        Raises:
            PredictionError: A setting differs.
        """

    def datasets(
        self, left: Collection[str], root: Path, size: int, progress: Progress | None
    ) -> Iterator[Dataset]:
        """Samples of the questions that are left, so many at a time.

        Args:
            left: Their keys.
            root: Folder for pictures.
            size: Samples of a data set.
            progress: Called with what is being done.
        """

    def write(self, heard: Mapping[str, Heard], facts: Facts) -> None:
        """Write what was heard so far as runs."""
