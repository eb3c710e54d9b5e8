"""The table says whose turn it is, how far they are, and the command that comes next."""

from __future__ import annotations

import csv

from annotate.audit.status import statuses_of
from annotate.audit.tables import gold_of, reports_of, write_tables
from mira.schema.audit import AuditPolicy


def row(project):
    (status,) = statuses_of(project.book.batches())
    return status


def test_the_command_that_comes_next_leads_from_the_plan_to_acceptance(project):
    commands = []

    def note():
        commands.append(row(project).next_command)

    for _ in range(2):
        for noise_px in (9, 0.3):
            note()
            folder = project.draw(project.package("b001"), noise_px=noise_px)
            note()
            project.submit("b001", folder, row(project).people[0])
        note()
        project.score("b001")
        note()
        project.decide("b001")
    note()
    project.decide("b001", adjudicated=True)
    note()
    assert commands == [
        *("package b001", "submit b001 FOLDER --by anna"),
        *("package b001", "submit b001 FOLDER --by ben", "score b001", "decide b001"),
        *("package b001", "submit b001 FOLDER --by chris"),
        *("package b001", "submit b001 FOLDER --by dora", "score b001", "decide b001"),
        *("decide b001 --adjudicated", None),
    ]
    assert [score.verdict for score in row(project).scores] == ["failed", "failed"]
    assert row(project).people == ()


def test_progress_counts_what_came_in(project):
    folder = project.draw(project.package("b001"))
    (folder / "pictures/pic_001.json").unlink()
    project.submit("b001", folder, "anna", partial=True)
    assert (row(project).n_submitted, row(project).n_needed) == (4, 5)


def test_tables_hold_the_rows_of_reports_worst_first_and_hidden_images_apart(
    make_project, draw_gold, tmp_path
):
    project = make_project(6)
    draw_gold(project, ["pic_000"])
    policy = AuditPolicy(batch_size=5, sample_fraction=0.4, honeypots=1)
    project.plan(policy=policy, gold_annotator="gold")
    project.turn("b001")
    project.turn("b001")
    project.score("b001")
    reports, gold = reports_of(project.book), gold_of(project.book, ["b001"])
    paths = write_tables(tmp_path / "tables", reports, gold)
    tables = {path.name: list(csv.DictReader(path.read_text().splitlines())) for path in paths}
    ious = [float(line["mean_iou"]) for line in tables["rows.csv"]]
    assert ious == sorted(ious)
    assert len(ious) == len(reports[0].rows) == 6
    assert {line["image_id"] for line in tables["gold.csv"]} == {"pic_000"}
    assert [line["auditor"] for line in tables["gold.csv"]] == ["anna"] * 3 + ["ben"] * 3
    assert "correspondence" in {line["name"] for line in tables["agreements.csv"]}
