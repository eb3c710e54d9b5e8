"""The whole path on a real mirror scene, by the command line."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import datasets
import numpy as np
import pytest
from scipy.stats import binom
from typer.testing import CliRunner

from mira.cli.app import app

SHARED = Path(__file__).parents[3] / "shared" / "data" / "mirror_rgbd"
CAMERA = {"width": 608, "height": 456, "fx": 518.86, "fy": 519.47, "cx": 309.58, "cy": 241.74}
PAIRS = {"a": {2: 1, 4: 3, 6: 5, 8: 7, 10: 9, 15: 14}}
DIRECT_ONLY = {"a": {"soap dish", "egg ornament"}}
REFLECTED_ONLY = {"a": {"towel", "person with camera", "picture frame", "light switch"}}

pytestmark = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the real scene is not beside the checkout"
)


def _mira(*arguments):
    done = CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Both passes imported, pass A exported."""
    folder = tmp_path_factory.mktemp("real")
    camera = folder / "camera.json"
    camera.write_text(json.dumps({**CAMERA, "depth_unit_m": 0.001}))
    reports = {}
    for name in ("a", "b"):
        reports[name] = json.loads(
            _mira(
                *("annotate", "import", SHARED / f"annotations_{name}", "--json"),
                *("--workspace", folder / "workspace", "--annotator", name),
                *("--scenes", SHARED / "images", "--intrinsics", camera),
            )
        )
    (folder / "reports.json").write_text(json.dumps(reports))
    _mira("qa", "generate", "--workspace", folder / "workspace", "--annotator", "a")
    _mira("export", "build", "--workspace", folder / "workspace", "--out", folder / "release")
    return folder


def _load(folder, config, **options):
    datasets.disable_progress_bars()
    return datasets.load_dataset(
        str(folder / "release"), config, split="test", cache_dir=str(folder / "cache"), **options
    )


@pytest.mark.parametrize("name", ["a", "b"])
def test_both_passes_import_whole(folder, name):
    report = json.loads((folder / "reports.json").read_text())[name]
    assert report["imported"] == 1
    assert report["surfaces"] == 1
    assert report["instances"] == 18
    assert report["by_counterpart"] == {"in_frame": 6, "out_of_frame": 4}
    assert not [f for f in report["findings"] if f["severity"] == "error"]


def test_links_instances_and_camera_are_exported_as_annotated(folder):
    row = _load(folder, "scenes")[0]
    links = {k["reflected_id"]: k["real_id"] for k in row["links"] if k["real_id"]}
    assert links == PAIRS["a"]
    seen = Counter(entry["visibility"] for entry in row["instances"])
    assert seen == {"direct": 8, "reflected": 10}
    assert row["intrinsics"]["fx_px"] == CAMERA["fx"]
    assert row["surfaces"][0]["surface_type"] == "planar_mirror"


def test_visibility_answers_are_right_for_every_object(folder):
    row = _load(folder, "scenes")[0]
    words = {entry["instance_id"]: entry["description"] for entry in row["instances"]}
    both = {words[k] for k in PAIRS["a"]}
    expected = {
        "vc_001": REFLECTED_ONLY["a"],
        "vc_002": DIRECT_ONLY["a"],
        "vc_003": both,
    }
    found = {template_id: Counter() for template_id in expected}
    asked = Counter()
    for question in _load(folder, "qa"):
        if question["template_id"] in expected:
            object_words = words[question["marks"][0]["instance_id"]]
            asked[object_words] += 1
            if question["answer"] == "yes":
                found[question["template_id"]][object_words] += 1
    assert asked == dict.fromkeys(set(words.values()), 15)
    for template_id, objects in expected.items():
        assert found[template_id] == dict.fromkeys(objects, 5)


def test_depth_values_equal_the_source(folder):
    found = np.asarray(_load(folder, "scenes")[0]["depth"])
    source = cv2.imread(str(SHARED / "images" / "bathroom_664_depth.png"), cv2.IMREAD_UNCHANGED)
    assert found.dtype == np.uint16
    assert np.array_equal(found, source)


@pytest.mark.parametrize("config", ["qa", "scenes"])
def test_tables_stream(folder, config):
    assert len(list(_load(folder, config, streaming=True))) == len(_load(folder, config))


def test_the_release_verifies(folder):
    said = json.loads(_mira("export", "verify", folder / "release", "--json"))
    assert said["ok"]


def test_the_oracle_is_always_right(folder):
    _mira("eval", "baseline", folder / "release", "--kind", "oracle", "--out", folder / "o.jsonl")
    table = json.loads(_mira("eval", "score", folder / "release", folder / "o.jsonl", "--json"))
    assert table["complete"]
    assert {row["value"] for row in table["rows"]} == {1.0}


def test_random_guesses_stay_within_the_interval_of_chance(folder):
    """Each sub-task's hits over a few seeds against the binomial of the analytic chance."""
    hits, units, chance = Counter(), Counter(), {}
    for seed in range(4):
        made = folder / f"random-{seed}.jsonl"
        options = ("--kind", "random", "--seed", seed, "--out", made)
        _mira("eval", "baseline", folder / "release", *options)
        table = json.loads(_mira("eval", "score", folder / "release", made, "--json"))
        for row in table["rows"]:
            if row["group"] == "subtask":
                hits[row["name"]] += round(row["value"] * row["n_units"])
                units[row["name"]] += row["n_units"]
                chance[row["name"]] = row["chance"]
    assert chance["vc"] == pytest.approx(1 / 8)
    for name, expected in chance.items():
        low, high = binom.interval(0.999, units[name], expected)
        assert low <= hits[name] <= high
