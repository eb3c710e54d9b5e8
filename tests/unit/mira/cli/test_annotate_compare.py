"""What two annotators' coordinator reads, and the statuses that scripts go by."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import orjson
import pytest
from typer.testing import CliRunner, Result

from mira.cli.app import app
from mira.errors import MiraError
from mira.schema.annotation import (
    AnnotationSource,
    Correspondence,
    ImageAnnotation,
    Instance,
    Ring,
    Surface,
)
from mira.schema.record import FileRef
from mira.store.workspace import Workspace

SOURCE = AnnotationSource(format="test", file=FileRef(path="a.json", sha256="0" * 64, size_bytes=1))
N_IMAGES = 205
"""More than two portions of a worker."""


def _square(x: float, y: float, side: float = 40) -> Ring:
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def _drawing(image_id: str, annotator: str, by_px: float, *, links: bool = True) -> ImageAnnotation:
    return ImageAnnotation(
        image_id=image_id,
        annotator=annotator,
        revision=1,
        width_px=320,
        height_px=240,
        surfaces=(
            Surface(surface_id=3, surface_type="glass", polygons_px=(_square(150, 20, 150),)),
        ),
        instances=(
            Instance(instance_id=1, visibility="direct", polygons_px=(_square(20 + by_px, 60),)),
            Instance(
                instance_id=2,
                visibility="reflected",
                seen_in=(3,),
                polygons_px=(_square(200, 60 + by_px),),
            ),
        ),
        links=(
            Correspondence(
                reflected_id=2,
                real_id=1 if links else None,
                reflection_of_id=1 if links else None,
                counterpart="in_frame" if links else "out_of_frame",
            ),
        ),
        source=SOURCE,
    )


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Workspace.create(tmp_path_factory.mktemp("compare") / "w")
    shifts = np.random.default_rng(4).uniform(0, 6, N_IMAGES).tolist()
    for k, shift in enumerate(shifts):
        made.put_annotation(_drawing(f"i{k:03}", "anna", 0))
        if k:
            made.put_annotation(_drawing(f"i{k:03}", "ben", shift, links=bool(k % 10)))
    # The newest revision counts.
    made.put_annotation(_drawing("i001", "ben", 60))
    return made.root


def _compare(workspace: Path, *words: str, status: int = 0) -> Result:
    command = ["annotate", "compare", *words, "--workspace", str(workspace)]
    result = CliRunner().invoke(app, command, catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result


def test_what_both_drew_is_compared_and_the_rest_is_named(workspace: Path) -> None:
    text = _compare(workspace, "anna", "ben").stdout

    assert "anna and ben: 204 pictures, IoU of polygons" in text
    assert "drawn by anna alone, and left out: 1 picture" in text
    assert "links: 183 of 204 and 184 in common" in text
    assert "correspondence: 183 of 203 agree" in text
    assert "to talk about: 4 shapes with little or nothing shared" in text
    assert "  i001: instance 1 (direct), 1,600 px²: drawn by anna alone" in text


@pytest.mark.parametrize("method", ["polygon", "pixel"])
def test_workers_change_nothing(workspace: Path, method: str) -> None:
    one, two = (
        _compare(workspace, "anna", "ben", "--method", method, "--workers", n, "--json").stdout
        for n in "12"
    )

    assert one == two
    assert orjson.loads(one)["summary"]["n_images"] == 204


def test_a_bound_decides_the_status(workspace: Path) -> None:
    mean = orjson.loads(_compare(workspace, "anna", "ben", "--json").stdout)["summary"]["means"][0]

    reached, missed = mean["mean_iou"] - 1e-6, mean["mean_iou"] + 1e-6
    _compare(workspace, "anna", "ben", "--min-iou", str(reached))
    text = _compare(workspace, "anna", "ben", "--min-iou", str(missed), status=1).stdout
    assert text.splitlines()[-1].startswith("mean IoU 0.")


def test_both_ways_of_measuring_are_held_against_each_other(workspace: Path) -> None:
    text = _compare(workspace, "anna", "ben", "--cross-check").stdout

    assert "polygons against pixels: 610 pairs" in text
    assert text.splitlines()[-1].endswith("0 beyond what rounding explains")


def test_a_report_is_written_where_asked(workspace: Path, tmp_path: Path) -> None:
    done = _compare(workspace, "anna", "ben", "--min-iou", "0.5", "--out", str(tmp_path / "report"))

    page = tmp_path / "report" / "report.html"
    assert str(page) in done.stderr
    assert "anna and ben" in page.read_text()
    assert {"shapes.csv", "links.csv", "report.json"} <= {p.name for p in page.parent.iterdir()}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("anna", "anna"), "found 'anna' twice"),
        (("anna", "eve"), "holds no annotation by 'eve'"),
        (("anna", "a/b"), "a/b"),
    ],
)
def test_who_cannot_be_compared_is_told_in_one_line(
    workspace: Path, words: tuple[str, str], problem: str
) -> None:
    with pytest.raises(MiraError, match=problem) as refusal:
        _compare(workspace, *words)
    assert "\n" not in str(refusal.value)
