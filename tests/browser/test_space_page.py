"""The 3D page in a browser that draws it without a graphics card."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from annotate.importing import import_annotations
from mira.schema.qa import QAPolicy
from mira.sim.packaged_scenes import packaged_scenes_dir
from mira.store.workspace import Workspace
from qa_gen.proposing.policy import ProposalPolicy
from qa_gen.space_page.page import space_page
from qa_gen.space_page.policy import SpacePolicy
from qa_gen.space_page.reading import SpacePicture, read_space
from qa_gen.space_page.records import SpaceModel

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
SIZE = (1500, 900)
PANEL_PX = 400
STAGE = (slice(200, 740), slice(200, 1040))
"""Rows and columns of the screenshot that hold nothing but the scene."""
HOSTILE = (
    "</script><script>document.title = 'hit'</script><img src=x onerror=\"document.title='hit'\">"
)
SHARED = Path(__file__).parents[3] / "shared" / "data" / "mirror_rgbd"
CAMERA = {"width": 608, "height": 456, "fx": 518.86, "fy": 519.47, "cx": 309.58, "cy": 241.74}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="needs the browser `chromium`"),
]
Browse = Callable[..., str]


@pytest.fixture
def browse(tmp_path: Path) -> Browse:
    """Open a page; gives what it became, or with `shot` writes a picture of it."""

    def _browse(
        page: Path, fragment: str = "", *, shot: Path | None = None, gl: bool = True
    ) -> str:
        wanted = ("--dump-dom",) if shot is None else (f"--screenshot={shot}",)
        drawing = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
        done = subprocess.run(
            [
                str(BROWSER),
                *("--headless=new", "--no-sandbox", "--hide-scrollbars"),
                *(drawing if gl else ("--disable-3d-apis",)),
                *(f"--window-size={SIZE[0]},{SIZE[1]}", f"--user-data-dir={tmp_path / 'profile'}"),
                *("--virtual-time-budget=4000", "--enable-logging=stderr"),
                *("--force-prefers-reduced-motion", "--host-resolver-rules=MAP * ~NOTFOUND"),
                *wanted,
                f"{page.as_uri()}#{fragment}",
            ],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        assert "Uncaught" not in done.stderr, done.stderr
        return done.stdout

    return _browse


@pytest.fixture(scope="module")
def bathroom(tmp_path_factory: pytest.TempPathFactory) -> SpacePicture:
    workspace = Workspace.create(tmp_path_factory.mktemp("rooms") / "workspace")
    import_annotations(packaged_scenes_dir(), workspace, scenes=None, annotator="simulator")
    return _read(workspace, "room_s28_0000")


def _read(workspace: Workspace, name: str, annotator: str | None = None) -> SpacePicture:
    return read_space(
        workspace,
        name,
        annotator=annotator,
        proposal_policy=ProposalPolicy(),
        bounds=QAPolicy(),
        policy=SpacePolicy(),
    )


def _write(folder: Path, space: SpacePicture, model: SpaceModel | None = None) -> Path:
    page = folder / "page.html"
    text = space_page(model or space.model, space.color_rgb, policy=SpacePolicy())
    page.write_text(text, "utf-8")
    return page


def _stage(browse: Browse, page: Path, fragment: str = "") -> np.ndarray:
    shot = page.parent / "shot.png"
    browse(page, fragment, shot=shot)
    picture = cv2.imread(str(shot))
    assert picture.shape == (SIZE[1], SIZE[0], 3)
    return picture[STAGE].astype(int)


def _shown(dom: str, element: str) -> str:
    """Text of an element of a page."""
    (found,) = re.findall(rf'<(\w+)[^>]* id="{element}"[^>]*>(.*?)</\1>', dom, re.S)
    return re.sub(r"<[^>]+>", " ", found[1])


def test_the_scene_is_drawn_and_its_slider_puts_reflections_back(
    bathroom: SpacePicture, tmp_path: Path, browse: Browse
) -> None:
    page = _write(tmp_path, bathroom)
    nothing = "hide=cloud,direct,virtual,real,links,planes,camera,floor,labels"
    bare, seen, back = (
        _stage(browse, page, f"look=camera{x}") for x in (f"&{nothing}", "", "&share=1")
    )
    assert np.ptp(bare.reshape(-1, 3), axis=0).max() == 0
    assert len(np.unique(seen.reshape(-1, 3), axis=0)) > 1000
    assert (np.abs(seen - bare).max(axis=2) > 12).mean() > 0.7
    assert (np.abs(seen - back).max(axis=2) > 12).mean() > 0.05


def test_from_the_camera_the_readings_are_the_picture(
    bathroom: SpacePicture, tmp_path: Path, browse: Browse
) -> None:
    page = _write(tmp_path, bathroom)
    hidden = "hide=direct,virtual,real,links,planes,camera,floor,labels"
    stage = _stage(browse, page, f"look=camera&{hidden}").astype(np.uint8)
    picture = cv2.cvtColor(bathroom.color_rgb, cv2.COLOR_RGB2BGR)
    # It fills the width that the panel leaves; drawn in squares and tinted in mirrors.
    expected = (SIZE[0] - PANEL_PX) / picture.shape[1]
    blurred = cv2.GaussianBlur(stage, None, 8)
    likeness = {
        share: cv2.matchTemplate(
            cv2.GaussianBlur(cv2.resize(picture, None, fx=scale, fy=scale), None, 8),
            blurred,
            cv2.TM_CCOEFF_NORMED,
        ).max()
        for share in (0.9, 0.95, 0.98, 1.0, 1.02, 1.05, 1.1)
        if (scale := share * expected)
    }
    best = max(likeness, key=lambda share: likeness[share])
    assert abs(best - 1) <= 0.02
    assert likeness[best] > 0.5


def test_a_chosen_proposal_says_why_and_on_what_it_rests(
    bathroom: SpacePicture, tmp_path: Path, browse: Browse
) -> None:
    model = bathroom.model
    place, proposal = next(
        (k, one) for k, one in enumerate(model.proposals) if one.standing == "sure"
    )
    dom = browse(_write(tmp_path, bathroom), f"choose=proposal/{place}")
    assert 'data-ready="yes"' in dom
    assert _shown(dom, "detail-title") == proposal.question
    assert _shown(dom, "detail-answer") == proposal.answer
    assert proposal.reason in _shown(dom, "detail-rows")
    assert dom.count('class="row sure') == sum(one.standing == "sure" for one in model.proposals)


_USE = """<script type="module">
const canvas = document.getElementById("canvas"), tip = document.getElementById("tip");
const send = (kind, Kind, x, y) => canvas.dispatchEvent(
  new Kind(kind, { clientX: x, clientY: y, pointerId: 1, bubbles: true }));
const key = (name) => document.body.dispatchEvent(
  new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
setTimeout(() => {
  const area = canvas.getBoundingClientRect();
  for (let y = area.top + 120; tip.hidden && y < area.bottom - 120; y += 6) {
    for (let x = area.left + 220; tip.hidden && x < area.right; x += 6) {
      send("pointermove", PointerEvent, x, y);
      if (tip.hidden) continue;
      document.body.dataset.tip = tip.textContent;
      send("click", MouseEvent, x, y);
      break;
    }
  }
  document.body.dataset.clicked = document.getElementById("detail-title").textContent;
  for (const name of ["Escape", "n", "n"]) key(name);
  document.body.dataset.stepped = document.getElementById("detail-title").textContent;
  for (const name of ["ArrowLeft", "ArrowUp", "+", "-", "c", "t", "s", "r", " "]) key(name);
  document.body.dataset.share = document.getElementById("share-told").textContent;
}, 1500);
</script>"""
"""Hovers until something is met, clicks on it, and uses the keys."""


def test_pointer_and_keys_find_things_and_say_what_rests_on_them(
    bathroom: SpacePicture, tmp_path: Path, browse: Browse
) -> None:
    page = _write(tmp_path, bathroom)
    page.write_text(page.read_text("utf-8").replace("</body>", _USE + "</body>"), "utf-8")
    dom = browse(page)
    said = dict(re.findall(r'data-(tip|clicked|stepped|share)="([^"]*)"', dom.split("<body")[1]))
    names = [f"{one.name} {one.instance_id}" for one in bathroom.model.instances]
    names += [f"{one.name} {one.surface_id}" for one in bathroom.model.surfaces]
    assert said["clicked"] in names
    assert said["tip"].startswith(said["clicked"])
    shown = [one.question for one in bathroom.model.proposals if one.standing != "refused"]
    assert said["stepped"] == shown[1]
    assert said["share"] == "put back"


def test_text_of_people_is_never_run(
    bathroom: SpacePicture, tmp_path: Path, browse: Browse
) -> None:
    instances = tuple(one.model_copy(update={"name": HOSTILE}) for one in bathroom.model.instances)
    model = bathroom.model.model_copy(update={"instances": instances, "image_id": HOSTILE})
    chosen = instances[0].instance_id
    dom = browse(_write(tmp_path, bathroom, model), f"choose=instance/{chosen}")
    assert 'data-ready="yes"' in dom
    assert "<title>hit</title>" not in dom
    assert '<img src="x"' not in dom
    assert "&lt;/script&gt;" in _shown(dom, "detail-title")


@pytest.mark.parametrize(
    "gone",
    [
        {"cloud": None, "ground": None, "note": "there is no depth"},
        {"cloud": None, "ground": None, "camera": None, "surfaces": (), "links": (), "things": ()}
        | {"instances": (), "proposals": (), "note": "nobody knows the camera"},
    ],
)
def test_a_picture_without_metres_opens_with_the_reason(
    bathroom: SpacePicture, tmp_path: Path, browse: Browse, gone
) -> None:
    dom = browse(_write(tmp_path, bathroom, bathroom.model.model_copy(update=gone)))
    assert 'data-ready="yes"' in dom
    assert gone["note"] in _shown(dom, "note")


def test_without_webgl_the_lists_say_it_in_words(
    bathroom: SpacePicture, tmp_path: Path, browse: Browse
) -> None:
    dom = browse(_write(tmp_path, bathroom), gl=False)
    assert 'data-ready="yes"' in dom
    assert "does not offer WebGL 2" in _shown(dom, "note")
    assert dom.count('class="row ') >= len(bathroom.model.proposals)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real scene is not beside the checkout")
def test_the_real_scene_is_drawn(tmp_path: Path, browse: Browse) -> None:
    (tmp_path / "camera.json").write_text(json.dumps({**CAMERA, "depth_unit_m": 0.001}))
    workspace = Workspace.create(tmp_path / "workspace")
    import_annotations(
        SHARED / "annotations_a",
        workspace,
        scenes=SHARED / "images",
        intrinsics=tmp_path / "camera.json",
        annotator="a",
    )
    page = _write(tmp_path, _read(workspace, "bathroom_664"))
    stage = _stage(browse, page)
    assert len(np.unique(stage.reshape(-1, 3), axis=0)) > 1000
    # Two of six links are of things whose depth is that of the wall behind.
    dom = browse(page, "choose=instance/2")
    assert "it fits" in _shown(dom, "detail-rows")
    assert "does not fit" in _shown(browse(page, "choose=instance/10"), "detail-rows")
