"""A release without MIRA: `datasets` in all its ways, pandas, pyarrow, DuckDB."""

from __future__ import annotations

import io

import datasets
import pandas
import pyarrow.compute as pc
import pyarrow.dataset as pads
import pytest
from PIL import Image

from mira.release.reader import read_questions, read_scenes


@pytest.fixture
def asked(release):
    return list(read_questions(release))


@pytest.mark.parametrize("config", ["qa", "scenes", "qa_preview"])
def test_datasets_streams_every_table(release, config):
    streamed = datasets.load_dataset(str(release), config, split="test", streaming=True)
    whole = datasets.load_dataset(str(release), config, split="test")
    key = "image_id" if config == "scenes" else "question_id"
    assert [row[key] for row in streamed] == whole[key]
    if config != "qa":
        assert next(iter(streamed))["image"].size == (160, 120)


def test_datasets_reads_some_columns_and_some_rows(release, asked):
    table = datasets.load_dataset(
        str(release),
        "qa",
        split="test",
        columns=["question_id", "answer"],
        filters=[("template_id", "==", "vc_001")],
    )
    assert table.column_names == ["question_id", "answer"]
    wanted = {row["question_id"]: row["answer"] for row in asked if row["template_id"] == "vc_001"}
    assert dict(zip(table["question_id"], table["answer"], strict=True)) == wanted


def test_pandas_reads_questions_and_pictures(release, asked):
    frame = pandas.read_parquet(release / "qa")
    assert frame["question_id"].tolist() == [row["question_id"] for row in asked]
    assert frame.groupby("template_id").size().sum() == len(asked)
    scenes = pandas.read_parquet(release / "scenes", columns=["image_id", "image", "depth"])
    for picture in (*scenes["image"], *scenes["depth"]):
        assert Image.open(io.BytesIO(picture["bytes"])).size == (160, 120)


def test_pyarrow_reads_by_a_condition(release, asked):
    table = pads.dataset(release / "qa").to_table(
        columns=["question_id"], filter=pc.field("protocol") == "visual_bbox"
    )
    wanted = [row["question_id"] for row in asked if row["protocol"] == "visual_bbox"]
    assert table["question_id"].to_pylist() == wanted


def test_duckdb_joins_questions_with_their_pictures(release, asked):
    duckdb = pytest.importorskip("duckdb", reason="needs the package `duckdb`")
    rows = duckdb.sql(
        f"""
        select q.image_id, count(*), any_value(s.width_px)
        from '{release}/qa/*.parquet' q join '{release}/scenes/*.parquet' s using (image_id)
        group by q.image_id order by q.image_id
        """
    ).fetchall()
    counts = {
        scene["image_id"]: sum(row["image_id"] == scene["image_id"] for row in asked)
        for scene in read_scenes(release, columns=["image_id"])
    }
    assert rows == [(image_id, count, 160) for image_id, count in sorted(counts.items())]
