"""Every template of the taxonomy can be asked, answered and scored."""

from __future__ import annotations

from typing import get_args

from mira.schema.capture import SurfaceType
from mira.schema.qa import Modality, Protocol
from mira.taxonomy.catalogue import taxonomy
from qa_gen.wording import WordingBook


def test_every_template_has_a_wording_and_every_wording_a_template() -> None:
    assert set(WordingBook.read().template_ids) == {row.id for row in taxonomy().templates}


def test_every_value_of_an_option_set_has_words() -> None:
    book = WordingBook.read()
    for values in taxonomy().option_sets.values():
        if isinstance(values, tuple):
            assert all(book.option_text(value) for value in values)


def test_every_template_belongs_to_a_sub_task_and_every_sub_task_to_a_level() -> None:
    assert {row.subtask for row in taxonomy().templates} == {row.id for row in taxonomy().subtasks}
    assert {row.level for row in taxonomy().subtasks} == {row.id for row in taxonomy().levels}


def test_the_paper_s_counts_hold() -> None:
    rows = taxonomy()
    assert len(rows.levels) == 3
    assert len(rows.subtasks) == 8
    assert len(rows.templates) == 14
    assert len(rows.protocols) == 5
    assert len(rows.modalities) == 4
    assert len(rows.surface_types) == 6


def test_types_of_the_records_name_what_the_taxonomy_names() -> None:
    assert get_args(Protocol) == tuple(row.id for row in taxonomy().protocols)
    assert get_args(Modality) == tuple(row.id for row in taxonomy().modalities)
    assert get_args(SurfaceType) == taxonomy().surface_types


def test_options_and_directions_of_templates_are_defined() -> None:
    rows = taxonomy()
    candidates = {"direct_candidates", "reflected_candidates"}
    for row in rows.templates:
        assert row.options is None or row.options in rows.option_sets.keys() | candidates
        assert row.directions is None or row.directions in rows.directions
