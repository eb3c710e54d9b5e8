"""Plots of a release: part of it, shown by its card, and no data."""

from __future__ import annotations

import re
import shutil
import subprocess
from xml.etree import ElementTree

import datasets
import pytest
from PIL import Image

from export.build import build_release
from export.verify import verify_release
from mira.release.columns import QUESTION_CONFIGS
from mira.release.reader import read_info

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
SVG = "{http://www.w3.org/2000/svg}"


def plots(release):
    return {path.name: path.read_text("utf-8") for path in (release / "meta/plots").iterdir()}


def shown(release):
    """Pictures that the card refers to."""
    card = (release / "README.md").read_text("utf-8")
    return re.findall(r"^!\[[^\]]+\]\((\S+)\)$", card, re.M)


def words(svg):
    return [text.text for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_the_card_shows_plots_that_are_part_of_the_release(release):
    paths = [ref.path for ref in read_info(release).plots]
    assert shown(release) == paths
    assert paths == [f"meta/plots/{name}.svg" for name in ("questions", "pictures", "annotation")]
    found = plots(release)
    assert {"vc_001", "40", "Visibility classification"} <= set(words(found["questions.svg"]))
    assert "direct: 6 (50.0 %)" in words(found["annotation.svg"])
    for svg in found.values():
        assert "http" not in svg.replace(SVG[1:-1], "")


def test_a_plot_that_is_gone_or_another_is_found(release):
    (release / "meta/plots/questions.svg").unlink()
    (release / "meta/plots/pictures.svg").write_text("<svg/>")
    codes = [finding.code for finding in verify_release(release)]
    assert sorted(codes) == ["file-changed", "file-missing"]


def test_readers_do_not_take_plots_for_data(release):
    assert datasets.get_dataset_config_names(str(release)) == list(QUESTION_CONFIGS)
    for name in (None, *QUESTION_CONFIGS):
        tables = datasets.load_dataset(str(release), name)
        assert list(tables) == ["test"]
        assert "meta" not in str(tables["test"].features)


def test_the_same_workspace_gives_the_same_plots(make_workspace, tmp_path):
    workspace = make_workspace()
    build_release(workspace, tmp_path / "a")
    build_release(workspace, tmp_path / "b")
    assert plots(tmp_path / "a") == plots(tmp_path / "b")


def test_hostile_words_stay_words(make_workspace, tmp_path):
    workspace, out = make_workspace(), tmp_path / "release"
    scene = workspace.scene("pic_000")
    hostile = "</text><script>alert(1)</script>\x00\x1b&amp;"
    workspace.put_scene(scene.model_copy(update={"place": hostile}))
    build_release(workspace, out)
    svg = plots(out)["pictures.svg"]
    assert any(word.startswith("</text><script>") for word in words(svg))
    assert "<script" not in svg


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="needs the browser `chromium`")
def test_a_browser_draws_a_plot_as_a_picture(release, tmp_path):
    page = tmp_path / "page.html"
    page.write_text(f'<body style="margin:0"><img src="{release}/meta/plots/questions.svg">')
    screen = tmp_path / "screen.png"
    flags = ("--headless=new", "--no-sandbox", "--disable-gpu", f"--screenshot={screen}")
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    command = [BROWSER, *flags, profile, "--window-size=880,400", f"file://{page}"]
    subprocess.run(command, capture_output=True, timeout=120, check=True)
    with Image.open(screen) as picture:
        colors = picture.convert("RGB").getcolors(1 << 20)
    assert (0x0B, 0x80, 0x68) in {color for _, color in colors}
