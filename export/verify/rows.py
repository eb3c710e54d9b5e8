"""Rows of `qa` as far as they are checked."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from mira.schema.qa import Mark


class _Stated(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class OptionRow(_Stated):
    """One answer to choose from."""

    label: str
    value: str
    text: str


class DerivationRow(_Stated):
    """Why the answer is the answer."""

    rule: str


class QuestionRow(_Stated):
    """One question; see `columns.py` for the meaning of its fields."""

    question_id: str
    item_id: str
    scene_id: str
    image_id: str
    split: str
    template_id: str
    protocol: str
    format: str
    options: tuple[OptionRow, ...]
    answer: str
    count_max: int | None
    joint_group: str | None
    marks: tuple[Mark, ...]
    derivation: DerivationRow
    review: str

    @property
    def slots(self) -> list[Mark]:
        """Marks that the question names."""
        return [mark for mark in self.marks if mark.role == "slot"]

    @property
    def candidates(self) -> list[Mark]:
        """Marks that the options name."""
        return [mark for mark in self.marks if mark.role == "candidate"]


QUESTION_COLUMNS = tuple(name for name in QuestionRow.model_fields if name != "split")
"""Columns to read."""
