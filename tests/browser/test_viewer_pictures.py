"""What the picture viewer shows: both pictures, their outlines, depth, and text as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mira.render.depth import render_depth
from mira.render.style import RenderStyle

Open = Callable[..., Any]
"""Mounts a viewer in a page; gives what hands and eyes do there."""
Build = Callable[..., dict[str, Any]]

pytestmark = pytest.mark.slow

_SHOW = "(given) => viewer.setScene(given)"


@pytest.mark.parametrize("panel", ["color", "depth"])
def test_hovering_tells_the_depth_of_the_pixel_in_metres(open_viewer: Open, panel: str) -> None:
    viewer = open_viewer(labels=False)
    depth = viewer.depth
    for x, y in [(0, 0), (319, 239), (0, 239), (70, 70), (123, 45)]:
        viewer.point(x, y, panel)
        assert viewer.told("pixel") == f"{x},{y}"
        assert viewer.told("depth") == f"{depth[y, x] * viewer.unit_m:.3f} m"
    viewer.point(70, 102, panel)
    assert viewer.told("depth") == "no reading"
    card = viewer.page.locator(".mv-tip").inner_text()
    assert "no reading" in card
    assert "(70, 102)" in card
    viewer.point(70, 70, panel)
    assert viewer.told("hover") == "3"
    card = viewer.page.locator(".mv-tip").inner_text()
    assert "reflected in surface 90 · shows 7" in card
    assert "2 more here" in card
    viewer.page.mouse.move(5, 5)
    assert [viewer.told(name) for name in ("hover", "depth", "pixel")] == [None, None, None]
    assert viewer.page.locator(".mv-tip").is_hidden()
    heard = viewer.page.evaluate("hovered")
    assert heard[-1] == {"instance_id": None, "surface_id": None}
    assert {"instance_id": 3, "surface_id": None} in heard


def test_normalised_depth_is_a_place_in_its_range(open_viewer: Open, scene: Build) -> None:
    meaning = {"unit_m": None, "kind": "normalised", "range": [400, 5000]}
    viewer = open_viewer(scene(depth=meaning))
    viewer.point(100, 50)
    assert viewer.told("depth") == f"normalised {(viewer.depth[50, 100] - 400) / 4600:.2f}"


def test_zooming_and_dragging_keep_panels_in_step_and_clicks_on_target(open_viewer: Open) -> None:
    viewer = open_viewer(labels=False)
    depth = viewer.depth
    at = viewer.spot(70, 70)
    viewer.page.mouse.move(*at)
    viewer.scroll(6)
    # Browsers tell the wheel's place in whole pixels, and the zoom multiplies what is cut off.
    assert viewer.spot(70, 70) == pytest.approx(at, abs=7)
    assert viewer.told("pixel") == "70,70"
    for panel in ("color", "depth"):
        viewer.point(72, 66, panel)
        assert viewer.told("pixel") == "72,66"
        assert viewer.told("depth") == f"{depth[66, 72] * viewer.unit_m:.3f} m"
    start = viewer.spot(70, 70)
    viewer.page.mouse.move(*start)
    viewer.page.mouse.down()
    viewer.page.mouse.move(start[0] + 60, start[1] + 40, steps=4)
    viewer.page.mouse.up()
    viewer.settle()
    assert viewer.said() == []
    x, y = viewer.spot(70, 70)
    assert (x - start[0], y - start[1]) == pytest.approx((60, 40), abs=6)
    gap = np.subtract(viewer.spot(0, 0, "depth"), viewer.spot(0, 0))
    left, right = (
        viewer.page.locator(f"[data-panel={panel}]").bounding_box() for panel in ("color", "depth")
    )
    assert gap == pytest.approx((right["x"] - left["x"], right["y"] - left["y"]), abs=0.01)
    viewer.click(79, 79)
    viewer.click(82, 82, panel="depth")
    assert viewer.said() == [("X", 3), ("Y", 2)]
    viewer.page.mouse.dblclick(*viewer.spot(82, 112))  # on an instance: two choices
    assert viewer.zoom() != "100 %"


def test_a_double_click_beside_instances_shows_the_whole_picture(open_viewer: Open) -> None:
    viewer = open_viewer(labels=False)
    at = viewer.spot(310, 230)
    viewer.page.mouse.move(*at)
    viewer.scroll(2)
    viewer.page.mouse.dblclick(*at)
    viewer.settle()
    assert viewer.zoom() == "100 %"


def test_ids_keep_their_size_on_the_screen(open_viewer: Open) -> None:
    viewer = open_viewer()
    plate = viewer.page.locator("[data-panel=color] [data-tag='3'] .mv-plate")
    before = plate.bounding_box()
    viewer.point(70, 70)
    viewer.scroll(8)
    viewer.page.mouse.move(5, 5)
    after = plate.bounding_box()
    assert (after["width"], after["height"]) == pytest.approx(
        (before["width"], before["height"]), abs=0.6
    )


def test_an_id_stays_in_sight_while_any_of_its_region_does(open_viewer: Open) -> None:
    viewer = open_viewer()
    viewer.point(28, 28)
    viewer.scroll(14)
    tags = viewer.page.locator("[data-panel=color]")
    assert tags.locator("[data-tag='1'] .mv-plate").bounding_box()["x"] >= 0
    assert tags.locator("[data-tag='12']").is_hidden()


def test_layouts_and_toggles_show_what_they_say(open_viewer: Open) -> None:
    viewer = open_viewer()
    color = viewer.page.locator("[data-panel=color]")
    depth = viewer.page.locator("[data-panel=depth]")

    def areas() -> tuple[Any, Any]:
        return color.bounding_box(), depth.bounding_box()

    a, b = areas()
    assert a["y"] == b["y"]
    assert a["width"] == b["width"]
    viewer.page.locator("[data-layout=stacked]").click()
    a, b = areas()
    assert a["x"] == b["x"]
    assert a["height"] == b["height"]
    viewer.page.locator("button[data-layout=rgb]").click()
    assert (color.is_visible(), depth.is_visible()) == (True, False)
    viewer.page.locator("button[data-layout=depth]").click()
    assert (color.is_visible(), depth.is_visible()) == (False, True)
    viewer.click(25, 25, panel="depth")
    assert viewer.said() == [("X", 1)]
    viewer.page.evaluate("viewer.setOptions({layout: 'side-by-side', labels: false})")
    assert (color.is_visible(), depth.is_visible()) == (True, True)
    assert color.locator("[data-tag='2']").is_hidden()
    assert color.locator("[data-tag='1']").is_visible()  # chosen, so its letter stays
    viewer.page.locator("[data-toggle=outlines]").click()
    assert color.locator("[data-instance='2']").is_hidden()
    heard = viewer.page.evaluate("changed")
    assert [one["layout"] for one in heard] == ["stacked", "rgb", "depth", "side-by-side"]
    assert heard[-1] == {"layout": "side-by-side", "outlines": False, "labels": False}
    viewer.page.evaluate("viewer.setOptions({layout: 'nosuch', outlines: 'yes', other: 1})")
    assert viewer.page.locator(".mira-viewer").get_attribute("data-layout") == "side-by-side"


def test_the_theme_is_that_of_the_page(open_viewer: Open) -> None:
    viewer = open_viewer()

    def background() -> str:
        color: str = viewer.page.locator(".mira-viewer").evaluate(
            "(root) => getComputedStyle(root).backgroundColor"
        )
        return color

    assert background() == "rgb(255, 255, 255)"
    viewer.page.emulate_media(color_scheme="dark")
    viewer.settle()
    assert background() == "rgb(24, 33, 32)"
    viewer.page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert background() == "rgb(255, 255, 255)"
    viewer.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert background() == "rgb(24, 33, 32)"


def test_whatever_people_wrote_is_shown_as_text(
    open_viewer: Open, scene: Build, slots: Build, hostile: str
) -> None:
    shown = scene()
    shown["surfaces"][0]["surface_type"] = hostile
    viewer = open_viewer(shown, slots(hostile))
    viewer.point(185, 185)
    assert viewer.page.locator(".mv-tip-title").inner_text().startswith("<img src=x onerror=")
    assert hostile in viewer.page.locator(".mv-tip-body").inner_text()
    viewer.click(185, 185)
    assert viewer.said() == [(hostile, 12)]
    viewer.point(12, 225)
    assert hostile.replace("_", " ") in viewer.page.locator(".mv-tip").inner_text()
    assert viewer.page.title() == "viewer"
    assert viewer.page.locator("#host img").count() == 1
    assert viewer.page.locator("#host script").count() == 0


_READ = """async (url) => {
  const { fetchDepth } = await import("/static/viewer/depth.js");
  const map = await fetchDepth(url, document.createElement("canvas"), new AbortController().signal);
  return map.readings.join();
}"""


@pytest.mark.parametrize("profile", ["srgb", "display-p3-d65", "color-spin-gamma24"])
def test_every_reading_survives_whatever_the_screens_profile(
    launch: Callable[..., Any], address: str, profile: str
) -> None:
    page = launch(f"--force-color-profile={profile}").new_page()
    page.goto(address)
    # One text crosses from the browser a hundred times faster than as many numbers.
    assert page.evaluate(_READ, "/every.depth.png") == ",".join(map(str, range(1 << 16)))


_COLORS = """(canvas) => {
  const context = canvas.getContext("2d");
  return context.getImageData(0, 0, canvas.width, canvas.height).data.join();
}"""


def test_depth_has_the_colours_of_rendered_pictures(open_viewer: Open) -> None:
    viewer = open_viewer()
    read = viewer.page.locator("[data-panel=depth] canvas").evaluate(_COLORS)
    shown = np.fromstring(read, np.uint8, sep=",").reshape(*viewer.depth.shape, 4)
    expected, scale = render_depth(viewer.depth, unit_m=viewer.unit_m, style=RenderStyle())
    assert np.array_equal(shown[..., :3], expected)
    assert (shown[..., 3] == 255).all()
    legend = viewer.page.locator(".mv-legend").inner_text()
    assert f"{scale.near:.2f} m" in legend
    assert f"{scale.far:.2f} m" in legend


def test_a_picture_without_depth_says_so(open_viewer: Open, scene: Build) -> None:
    viewer = open_viewer(scene(depth_url=None, depth=None))
    assert viewer.page.get_by_text("This picture has no depth map.").is_visible()
    viewer.point(25, 25)
    assert viewer.told("hover") == "1"
    assert viewer.told("depth") is None


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"depth_url": "/missing.png"}, "The depth map could not be shown."),
        ({"depth_url": "/small.png"}, "The depth map could not be shown."),
        ({"color_url": "/missing.png"}, "The picture could not be shown."),
        ({"color_url": "/small.png"}, "The picture could not be shown."),
    ],
)
def test_a_picture_that_fails_is_named_and_never_called_ready(
    open_viewer: Open, more: dict[str, Any], message: str, scene: Build
) -> None:
    viewer = open_viewer(scene(**more), flag="failed")
    assert viewer.page.get_by_text(message).is_visible()
    assert viewer.told("ready") is None
    viewer.complaints.clear()  # the browser's own line on status 404


def test_the_scene_asked_for_last_is_shown_whichever_comes_first(
    open_viewer: Open, scene: Build
) -> None:
    viewer = open_viewer()
    scenes = [scene(f"s{k}", depth_url=None if k % 2 else f"/s{k}.depth.png") for k in range(9)]
    viewer.page.evaluate("(all) => { for (const one of all) viewer.setScene(one); }", scenes)
    viewer.wait("s8")
    viewer.point(25, 25)
    assert viewer.told("depth") == f"{viewer.depth[25, 25] * viewer.unit_m:.3f} m"


def test_a_picture_that_comes_too_late_is_not_taken_for_the_next_one(
    open_viewer: Open, scene: Build
) -> None:
    viewer = open_viewer()
    viewer.page.evaluate(_SHOW, scene("slow"))
    viewer.page.evaluate(_SHOW, scene("b", depth_url=None, depth=None))
    viewer.wait("b")
    viewer.page.wait_for_timeout(700)
    viewer.point(25, 25)
    assert viewer.told("depth") is None
    assert viewer.page.locator(".mv-legend").is_hidden()
    assert viewer.page.get_by_text("This picture has no depth map.").is_visible()


def test_new_outlines_of_the_same_picture_keep_view_and_choices(
    open_viewer: Open, scene: Build
) -> None:
    viewer = open_viewer(labels=False)
    viewer.click(25, 25)
    viewer.scroll(2)
    zoom = viewer.zoom()
    shown = scene()
    shown["instances"][0]["label"] = "cup"
    viewer.page.evaluate(_SHOW, shown)
    assert viewer.told("ready") == "a"
    viewer.settle()
    assert viewer.zoom() == zoom != "100 %"
    assert viewer.filled() == ["1", "–"]


_SWITCH = """async ({ shown, times }) => {
  for (let k = 0; k < times; k += 1) {
    const image_id = `s${k % 7}-${k}`;
    const color_url = `/${k % 7}.color.png?${k}`, depth_url = `/${k % 7}.depth.png?${k}`;
    viewer.setScene({ ...shown, image_id, color_url, depth_url });
    viewer.setSelection({ slots: [{ slot: "X", instance_id: 1 + (k % 3) }], seq: 0 });
    if (host.dataset.ready !== image_id) await new Promise((done) => {
      const watching = new MutationObserver(() => {
        if (host.dataset.ready === image_id) { watching.disconnect(); done(); }
      });
      watching.observe(host, { attributes: true });
    });
  }
}"""


def test_five_hundred_scenes_later_nothing_has_grown(open_viewer: Open, scene: Build) -> None:
    viewer = open_viewer()
    devtools = viewer.page.context.new_cdp_session(viewer.page)
    devtools.send("Performance.enable")

    def measured() -> dict[str, float]:
        for _ in range(2):
            devtools.send("HeapProfiler.collectGarbage")
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        # Arrays of readings are no part of the heap proper.
        return {one["name"]: one["value"] for one in metrics} | devtools.send(
            "Runtime.getHeapUsage"
        )

    viewer.page.evaluate(_SWITCH, {"shown": scene(), "times": 40})
    before = measured()
    viewer.page.evaluate(_SWITCH, {"shown": scene(), "times": 500})
    after = measured()
    assert after["usedSize"] < before["usedSize"] + 400_000
    assert after["backingStorageSize"] < before["backingStorageSize"] + 400_000
    assert after["Nodes"] <= before["Nodes"] + 60
    assert after["JSEventListeners"] <= before["JSEventListeners"]


def test_a_destroyed_viewer_leaves_nothing_behind(
    open_viewer: Open, scene: Build, slots: Build
) -> None:
    viewer = open_viewer()
    kept = viewer.page.evaluate(
        "() => { viewer.destroy(); return [host.outerHTML, host.childNodes.length]; }"
    )
    assert kept == ['<div id="host"></div>', 0]
    viewer.mount(scene("b"), slots("X"))
    viewer.wait("b")
    viewer.click(25, 25)
    assert viewer.said() == [("X", 1)]
