"""Theory-of-mind items of a run of episodes, asked of a model in words alone."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mira.evals.inspect_runner.collecting import (
    Tally,
    require_same_manifest,
    settings_of,
    write_run,
)
from mira.evals.inspect_runner.journal import Heard
from mira.evals.inspect_runner.options import ModelOptions, Progress
from mira.evals.inspect_runner.questionnaire import Facts
from mira.evals.inspect_runner.running import run_questions
from mira.evals.tom.asking import item_sha8, prompt_of, prompt_version, repair_of
from mira.evals.tom.replies import form_of
from mira.evals.tom.runs import TomRun
from mira.replies.bare_answers import AnswerForm
from mira.schema.episode import TomItem
from mira.schema.evaluation import RunManifest

if TYPE_CHECKING:
    from inspect_ai.dataset import Dataset


@dataclass(frozen=True)
class AskedItem:
    """An item as one sample asks it, and as its reply is read.

    Attributes:
        item: The item.
    """

    item: TomItem

    @property
    def key(self) -> str:
        """Its id."""
        return self.item.item_id

    @property
    def question(self) -> AskedItem:
        """Itself: an item is read as it is asked."""
        return self

    @property
    def question_id(self) -> str:
        """Its id."""
        return self.item.item_id

    @cached_property
    def sha8(self) -> str:
        """Digest of what is asked, offered and right."""
        return item_sha8(self.item)

    @cached_property
    def form(self) -> AnswerForm:
        """What an answer looks like."""
        return form_of(self.item)

    def repair_text(self) -> str:
        """What a model is told whose reply gives no answer."""
        return repair_of(self.item)


@dataclass(frozen=True)
class ItemQuestions:
    """Items of a run, asked once each.

    Attributes:
        run: The items.
        digest: Digest of all items of the run.
        out: Where the replies are written.
        options: Who is asked.
        limit: The first so many; None for all.
    """

    run: TomRun
    digest: str
    out: Path
    options: ModelOptions
    limit: int | None = None

    @cached_property
    def asked(self) -> Mapping[str, AskedItem]:
        """The items by id."""
        return {item.item_id: AskedItem(item) for item in self.run.items[: self.limit]}

    @property
    def folders(self) -> tuple[Path, ...]:
        """The one folder."""
        return (self.out,)

    def require_same_settings(self, facts: Facts) -> None:
        """Raise where a run that is to go on was asked otherwise."""
        require_same_manifest(self.out, self._manifest(facts))

    def datasets(
        self, left: Collection[str], root: Path, size: int, progress: Progress | None
    ) -> Iterator[Dataset]:
        """Samples of the items that are left."""
        from inspect_ai.dataset import MemoryDataset, Sample

        del root, progress  # There are no pictures.
        keys = list(left)
        for start in range(0, len(keys), size):
            items = [self.asked[key].item for key in keys[start : start + size]]
            samples = [
                Sample(id=item.item_id, input=prompt_of(item), target=item.answer) for item in items
            ]
            yield MemoryDataset(samples, name="mira")

    def write(self, heard: Mapping[str, Heard], facts: Facts) -> None:
        """Write what was heard so far, in the order of the items."""
        mine = [heard[key] for key in self.asked if key in heard]
        write_run(self.out, self._manifest(facts), mine, price=self.options.price)

    def _manifest(self, facts: Facts) -> RunManifest:
        return RunManifest(
            **settings_of(self.options, {"repair calls": 1, **facts}),
            dataset_digest=self.digest,
            prompt_version=prompt_version(),
            limit=self.limit,
            release=os.path.relpath(self.run.path.resolve(), self.out.resolve()),
        )


def run_items(
    asked: ItemQuestions,
    *,
    resume: bool = False,
    progress: Progress | None = None,
    model: Any = None,
) -> Tally:
    """Ask a model items, and write what it said as a run; see `run_questions`.

    Args:
        asked: The items.
        resume: Go on with what is there.
        progress: Called with what is being done.
        model: A model of inspect_ai that is asked in place of the one that options name.
    """
    return run_questions(
        asked, asked.out, options=asked.options, resume=resume, progress=progress, model=model
    )
