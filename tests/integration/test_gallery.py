"""A gallery of a release: its files, and what a browser makes of them."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from export.build import build_release
from export.gallery.writing import write_gallery
from mira.cli.app import app
from mira.errors import MiraError, ReleaseError
from mira.release.reader import read_questions, read_scenes

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
HOSTILE = (
    "</script><script>document.title='hit'</script>"
    "<img src=x onerror=\"document.title='hit'\">\u2028"
)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def record(gallery: Path, image_id: str) -> dict:
    text = (gallery / "data" / f"{image_id}.js").read_text("utf-8")
    return json.loads(re.fullmatch(r"gallery\.add\((.*)\);\n", text).group(1))


def test_every_picture_has_its_files_and_all_its_questions(release, tmp_path):
    out = tmp_path / "gallery"
    assert write_gallery(release, out) == out / "index.html"
    asked = list(read_questions(release))
    for image_id in {row["image_id"] for row in asked}:
        for folder in ("pictures", "tiles", "depth"):
            data = (out / folder / f"{image_id}.jpg").read_bytes()
            assert Image.open(io.BytesIO(data)).size == (160, 120)
        found = record(out, image_id)
        wordings = [w for item in found["questions"] for w in item["wordings"].values()]
        expected = {row["question_id"]: row for row in asked if row["image_id"] == image_id}
        assert {one["id"] for one in wordings} == expected.keys()
        for one in wordings:
            assert one["text"] == expected[one["id"]]["question"]
    page = (out / "index.html").read_text("utf-8")
    assert "http" not in re.sub(r"http://www\.w3\.org/2000/svg", "", page)


def test_the_same_release_gives_the_same_bytes_and_replaces_an_earlier_gallery(release, tmp_path):
    out = tmp_path / "gallery"
    write_gallery(release, out, limit=1)
    assert len(list((out / "data").iterdir())) == 1
    write_gallery(release, out)
    first = files(out)
    write_gallery(release, out)
    assert files(out) == first
    (out / "notes.txt").write_text("mine")
    with pytest.raises(MiraError, match=r"holds 'notes\.txt', which would be lost"):
        write_gallery(release, out)
    assert (out / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["index.html", "data/thesis.csv", "pictures/holiday.jpg"])
def test_a_folder_of_somebody_elses_is_left_alone(release, tmp_path, name):
    path = tmp_path / "mine" / name
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    with pytest.raises(MiraError, match="which would be lost"):
        write_gallery(release, tmp_path / "mine")
    write_gallery(release, tmp_path / "gallery")
    (tmp_path / "gallery" / "data" / "thesis.csv").write_text("mine")
    with pytest.raises(MiraError, match=r"holds 'data/thesis\.csv', which would be lost"):
        write_gallery(release, tmp_path / "gallery")
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    "change", [{"image_id": "../../../x"}, {"image_id": "/x"}, {"image": None}], ids=str
)
def test_a_damaged_or_hostile_release_is_one_line_and_writes_nothing(
    release, tmp_path, monkeypatch, change
):
    import export.gallery.writing as writing

    def changed(*arguments, **options):
        for row in read_scenes(*arguments, **options):
            yield {**row, **{name: value for name, value in change.items() if name in row}}

    monkeypatch.setattr(writing, "read_scenes", changed)
    with pytest.raises(ReleaseError):
        write_gallery(release, tmp_path / "gallery")
    assert sorted(path.name for path in tmp_path.iterdir() if "gallery" in path.name) == []


def test_inspect_prints_what_is_there(release, tmp_path):
    done = CliRunner().invoke(app, ["export", "inspect", str(release), "--show", "1"])
    assert done.exit_code == 0
    assert "release, draft, digest" in done.stdout
    first = next(iter(read_questions(release)))
    assert first["question"] in done.stdout
    assert f"  * {first['answer']}" in done.stdout
    done = CliRunner().invoke(app, ["export", "inspect", str(release), "--json"])
    assert json.loads(done.stdout)["stage"] == "draft"
    done = CliRunner().invoke(
        app, ["export", "inspect", str(release), "--html", str(tmp_path / "gallery")]
    )
    assert (tmp_path / "gallery" / "index.html").is_file()
    assert "give --html too" in str(
        CliRunner().invoke(app, ["export", "inspect", str(release), "--limit", "1"]).exception
    )
    assert str(tmp_path / "gallery" / "index.html") in done.stderr


@pytest.fixture
def browse(tmp_path: Path):
    """What a page became in a browser without network."""

    def _browse(page: Path, fragment: str = "") -> str:
        done = subprocess.run(
            [
                str(BROWSER),
                *("--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom"),
                *(f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=4000"),
                "--host-resolver-rules=MAP * ~NOTFOUND",
                f"file://{page}{fragment}",
            ],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        return done.stdout

    return _browse


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="needs the browser `chromium`")
def test_a_browser_shows_tiles_and_by_a_link_a_picture_with_its_boxes(
    make_workspace, tmp_path, browse
):
    workspace, release, out = make_workspace(), tmp_path / "release", tmp_path / "gallery"
    annotation = workspace.annotation("pic_000", "ann")
    first, *others = annotation.instances
    hostile = first.model_copy(update={"description": HOSTILE})
    workspace.put_annotation(annotation.model_copy(update={"instances": (hostile, *others)}))
    scene = workspace.scene("pic_000")
    workspace.put_scene(scene.model_copy(update={"source": HOSTILE, "place": HOSTILE}))
    from mira.schema.qa import QAPolicy
    from qa_gen.generate import generate_questions

    generate_questions(workspace, policy=QAPolicy())
    build_release(workspace, release)
    page = write_gallery(release, out)

    grid = browse(page)
    assert grid.count('class="tile"') == 2
    assert "2 of 2 pictures" in grid
    opened = browse(page, "#pic_000/visual_bbox/rgb_dm")
    asked = [r for r in read_questions(release) if r["image_id"] == "pic_000"]
    drawn = [row for row in asked if row["protocol"] == "visual_bbox"]
    assert opened.count('class="question"') == len(drawn)
    assert len(re.findall(r'<div class="question"[^>]*aria-current="true"', opened)) == 1
    assert 'stroke="#de1838"' in opened
    assert "depth/pic_000.jpg" in opened
    for dom in (grid, opened):
        assert "<title>release – gallery</title>" in dom
        assert '<img src="x"' not in dom
