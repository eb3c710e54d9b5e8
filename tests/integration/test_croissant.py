"""The description for machines, read by the reader of those who define it."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import pytest

from export.verify import verify_release
from mira.release.reader import read_questions, read_scenes

READER = """
import json, sys
import mlcroissant
found = mlcroissant.Dataset(sys.argv[1] + "/croissant.json")
first = {}
for name in ("qa", "scenes", "qa_preview"):
    rows = list(found.records(name))
    sizes = {key: value.size for key, value in rows[0].items() if hasattr(value, "size")}
    first[name] = [len(rows), sorted(rows[0]), sizes, str(rows[0][f"{name}/image_id"])]
print(json.dumps(first))
"""


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("mlcroissant") is None, reason="needs the package `mlcroissant`"
)
def test_its_own_reader_reads_every_table(release):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", READER, str(release)],
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert found["qa"][0] == sum(1 for _ in read_questions(release))
    assert found["scenes"][0] == sum(1 for _ in read_scenes(release))
    assert {"qa/question", "qa/answer", "qa/margin"} <= set(found["qa"][1])
    assert found["scenes"][2] == {"scenes/image": [160, 120], "scenes/depth": [160, 120]}
    assert set(found["qa_preview"][2]) >= {"qa_preview/image", "qa_preview/depth"}
    problems = [line for line in done.stderr.splitlines() if "error" in line.lower()]
    assert problems == []


def test_it_lists_every_file_with_its_sum_and_the_licences(release):
    described = json.loads((release / "croissant.json").read_text())
    files = {
        one["contentUrl"]: one["sha256"]
        for one in described["distribution"]
        if one["@type"] == "cr:FileObject"
    }
    assert set(files) == {p.relative_to(release).as_posix() for p in release.rglob("*.parquet")}
    assert described["license"] == ["CC0-1.0"]
    names = [field["@id"] for table in described["recordSet"] for field in table["field"]]
    assert len(set(names)) == len(names)


def test_a_changed_description_is_found(release):
    path = release / "croissant.json"
    path.write_text(path.read_text().replace("CC0-1.0", "MIT"))
    (found,) = (one for one in verify_release(release) if one.severity == "error")
    assert (found.code, found.path) == ("file-changed", str(path))
