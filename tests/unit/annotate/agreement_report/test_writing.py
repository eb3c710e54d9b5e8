"""A report is there whole or not at all, is the same again, and takes no other folder's place."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotate.agreement_report.policy import ReportPolicy
from annotate.agreement_report.records import AgreementReport
from annotate.agreement_report.writing import write_agreement_report
from mira.errors import MiraError

POLICY = ReportPolicy()
NAMES = {"report.html", "report.json", "shapes.csv", "links.csv", "means.csv"}


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_same_rounds_give_the_same_bytes(tmp_path, disputed, pictures) -> None:
    for name in ("one", "two"):
        write_agreement_report(tmp_path / name, [disputed], policy=POLICY, pictures=pictures)
    assert content(tmp_path / "one") == content(tmp_path / "two")
    assert content(tmp_path / "one").keys() == NAMES


def test_what_is_returned_is_what_was_written(tmp_path, disputed, pictures) -> None:
    found = write_agreement_report(
        tmp_path / "out",
        [disputed],
        policy=POLICY,
        pictures=pictures,
        tables={"rows.csv": b"a,b\n"},
    )
    assert {found.page, found.numbers, *found.tables} == set((tmp_path / "out").iterdir())
    read = AgreementReport.from_json(found.numbers.read_bytes(), where=found.numbers)
    assert read == found.report
    assert read.rounds[0].disputes == 6
    assert (tmp_path / "out" / "rows.csv").read_bytes() == b"a,b\n"


def test_an_earlier_report_makes_way_whole(tmp_path, disputed, pictures) -> None:
    out = tmp_path / "out"
    tables = {"gold.csv": b"a\n"}
    write_agreement_report(out, [disputed], policy=POLICY, pictures=pictures, tables=tables)
    write_agreement_report(out, [], policy=POLICY, pictures=pictures)
    assert content(out).keys() == NAMES
    assert b"Nothing was scored yet" in content(out)["report.html"]


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", "shapes.csv.bak"])
def test_a_folder_with_something_else_in_it_stays(tmp_path, disputed, pictures, name) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(MiraError, match=f"holds '{name}'"):
        write_agreement_report(tmp_path, [disputed], policy=POLICY, pictures=pictures)
    assert content(tmp_path) == {name: b"mine"}


def test_a_file_in_its_place_stays(tmp_path, pictures) -> None:
    out = tmp_path / "out"
    out.write_text("mine")
    with pytest.raises(MiraError, match="expected a folder, found a file"):
        write_agreement_report(out, [], policy=POLICY, pictures=pictures)
    assert out.read_text() == "mine"


def test_a_drawing_that_is_gone_leaves_the_old_report(tmp_path, disputed, pictures) -> None:
    out = tmp_path / "out"
    write_agreement_report(out, [disputed], policy=POLICY, pictures=pictures)
    before = content(out)

    def gone(image_id: str):
        raise MiraError(image_id, "expected the annotation that was submitted, found no file")

    with pytest.raises(MiraError, match="no file"):
        write_agreement_report(
            out, [disputed._replace(drawings_of=gone)], policy=POLICY, pictures=pictures
        )
    assert content(out) == before
