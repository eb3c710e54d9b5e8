"""A page with the picture viewer in it, and a scene to draw there."""

from __future__ import annotations

import contextlib
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import annotate.app
from annotate.app.depth_png import pack_depth
from mira.render.png import encode_png

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
STATIC = Path(str(annotate.app.__file__)).parent / "static"
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
KINDS = {".js": "text/javascript", ".css": "text/css", ".png": "image/png", ".html": "text/html"}
W, H = 320, 240
SLOW_S = 0.4

PAGE = b"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>viewer</title>
<link rel="stylesheet" href="/page.css">
<script type="module" src="/static/viewer.js"></script></head>
<body><button id="before">before</button><div id="host"></div><button id="after">after</button>
</body></html>"""
PAGE_CSS = b"""html, body { margin: 0; height: 100%; overflow: hidden; }
#host { height: calc(100% - 60px); }
/* As frameworks have it; nothing of this may reach the viewer. */
#host img, #host canvas, #host svg { max-width: 50% !important; margin: 9px !important; }
#host button { padding: 20px; font-size: 30px; } #host { letter-spacing: 9px; cursor: wait; }"""
MOUNT = """({scene, selection, options}) => {
  window.host = document.getElementById("host");
  window.said = []; window.hovered = []; window.moved = []; window.changed = [];
  window.viewer = MiraViewer.mount(host, {
    scene, selection, options,
    onSelect: (choice) => { said.push({ ...choice }); window.echo?.(choice); },
    onHover: (thing) => hovered.push({ ...thing }),
    onActivate: (move) => moved.push({ ...move }),
    onOptions: (now) => changed.push({ ...now }),
  });
}"""


def _box(left: float, top: float, right: float, bottom: float) -> list[list[float]]:
    return [[left, top], [right, top], [right, bottom], [left, bottom]]


def _instance(instance_id: int, part: list[list[float]], **more: Any) -> dict[str, Any]:
    rest = {"visibility": "direct", "seen_in": [], "description": None, "holes_px": []}
    label = f"thing {instance_id}"
    return {"instance_id": instance_id, "label": label, "polygons_px": [part], **rest, **more}


def _surface(surface_id: int, part: list[list[float]]) -> dict[str, Any]:
    kind = "planar_mirror"
    return {"surface_id": surface_id, "surface_type": kind, "polygons_px": [part], "holes_px": []}


def _scene(hostile: str, image_id: str = "a", **more: Any) -> dict[str, Any]:
    bow_tie = [[20.0, 180.0], [100.0, 220.0], [100.0, 180.0], [20.0, 220.0]]
    hole = _box(220, 80, 260, 120)
    return {
        "image_id": image_id,
        "width_px": W,
        "height_px": H,
        "color_url": f"/{image_id}.color.png",
        "depth_url": f"/{image_id}.depth.png",
        "depth": {"unit_m": 0.001, "kind": "metric", "range": None},
        "surfaces": [_surface(90, _box(10, 10, 160, 230))],
        "instances": [
            _instance(1, _box(20, 20, 140, 140)),
            _instance(2, _box(40, 40, 110, 110)),
            _instance(3, _box(60, 60, 80, 80), visibility="reflected", seen_in=[90]),
            _instance(7, _box(180, 40, 300, 160), holes_px=[hole], description="a frame"),
            _instance(12, _box(180, 180, 300, 220), label=hostile, description=f"{hostile}!"),
            _instance(14, bow_tie),
        ],
        "links": [{"reflected_id": 3, "real_id": 7}],
        **more,
    }


@pytest.fixture(scope="session")
def hostile() -> str:
    """A label that would run, were it taken for anything but text."""
    run = "document.title='hit'"
    return f'<img src=x onerror="{run}">${{{run}}}</text><script>{run}</script>'


@pytest.fixture(scope="session")
def scene(hostile: str) -> Callable[..., dict[str, Any]]:
    """Makes a scene: three boxes in each other, a frame with a hole, a bow-tie, a mirror behind."""
    return partial(_scene, hostile)


@pytest.fixture(scope="session")
def slots() -> Callable[..., dict[str, Any]]:
    """Makes a selection of empty slots."""
    return _slots


def _slots(*names: str, seq: int = 0) -> dict[str, Any]:
    return {"slots": [{"slot": name, "instance_id": None} for name in names], "seq": seq}


def _depth() -> np.ndarray:
    """Readings that differ from pixel to pixel, with a band of none."""
    rows, columns = np.indices((H, W))
    depth = (400 + 7 * columns + 11 * rows).astype(np.uint16)
    depth[100:106] = 0
    return depth


def _color() -> np.ndarray:
    rows, columns = np.indices((H, W))
    return np.stack([rows % 256, columns % 256, np.full((H, W), 90)], axis=2).astype(np.uint8)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server of the viewer's files and of pictures, under a strict content security policy."""
    every_reading = np.arange(1 << 16, dtype=np.uint16).reshape(256, 256)
    made = {
        "/": PAGE,
        "/page.css": PAGE_CSS,
        "/every.depth.png": pack_depth(every_reading),
        "/small.png": pack_depth(np.full((8, 9), 5, np.uint16)),
    }
    color, depth = encode_png(_color()), pack_depth(_depth())

    def body_of(path: str) -> bytes | None:
        if path.startswith("/static/"):
            return (STATIC / path.removeprefix("/static/")).read_bytes()
        if path == "/favicon.ico":
            return b""
        picture = {"depth": depth, "color": color}.get(path.split(".")[-2]) if "." in path else None
        return made.get(path, picture)

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.split("?")[0]
            body = body_of(path)
            if path.startswith("/slow."):
                time.sleep(SLOW_S)
            # A viewer that goes on to the next scene hangs up on what it asked for before.
            with contextlib.suppress(ConnectionError):
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Type", KINDS.get(Path(path).suffix, "text/html"))
                self.send_header("Content-Length", str(len(body or b"")))
                self.send_header("Content-Security-Policy", CSP)
                self.end_headers()
                self.wfile.write(body or b"")

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def launch() -> Iterator[Callable[..., Any]]:
    """Starts the Chromium that is installed, with flags on top of what keeps it quiet."""
    if BROWSER is None:
        pytest.skip("needs the browser `chromium`")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    with playwright.sync_playwright() as running, contextlib.ExitStack() as opened:

        def _launch(*flags: str) -> Any:
            browser = running.chromium.launch(executable_path=BROWSER, args=[*FLAGS, *flags])
            opened.callback(browser.close)
            return browser

        yield _launch


@pytest.fixture(scope="module")
def chromium(launch: Callable[..., Any]) -> Any:
    """One browser for the tests of a file."""
    return launch()


class ViewerPage:
    """A page with a mounted viewer: what hands and eyes do there."""

    depth = _depth()
    unit_m = 0.001

    def __init__(self, page: Any, complaints: list[str]) -> None:
        self.page = page
        self.complaints = complaints

    def mount(self, scene: dict[str, Any], selection: dict[str, Any], **options: Any) -> None:
        self.page.evaluate(MOUNT, {"scene": scene, "selection": selection, "options": options})

    def wait(self, image_id: str, flag: str = "ready") -> None:
        self.page.wait_for_selector(f"#host[data-{flag}='{image_id}']")

    def spot(self, x: float, y: float, panel: str = "color") -> tuple[float, float]:
        """Where the middle of a pixel of the picture is on the screen."""
        box = self.page.locator(f"[data-panel={panel}] .mv-picture").bounding_box()
        return (
            box["x"] + (x + 0.5) * box["width"] / W,
            box["y"] + (y + 0.5) * box["height"] / H,
        )

    def point(self, x: float, y: float, panel: str = "color") -> None:
        self.page.mouse.move(*self.spot(x, y, panel))

    def click(self, x: float, y: float, *keys: str, panel: str = "color") -> None:
        for key in keys:
            self.page.keyboard.down(key)
        self.page.mouse.click(*self.spot(x, y, panel))
        for key in keys:
            self.page.keyboard.up(key)

    def scroll(self, times: int) -> None:
        """Turn the wheel, away from the hand to zoom in."""
        for _ in range(times):
            self.page.mouse.wheel(0, -200)
        self.settle()

    def settle(self) -> None:
        """Wait until what was changed is drawn."""
        twice = "requestAnimationFrame(() => requestAnimationFrame(done))"
        self.page.evaluate(f"() => new Promise((done) => {twice})")

    def said(self) -> list[tuple[str, int | None]]:
        return [(one["slot"], one["instance_id"]) for one in self.page.evaluate("said")]

    def told(self, name: str) -> str | None:
        found: str | None = self.page.evaluate("(name) => host.dataset[name] ?? null", name)
        return found

    def zoom(self) -> str:
        text: str = self.page.locator("[data-zoom=fit]").inner_text()
        return text

    def filled(self) -> list[str]:
        texts: list[str] = self.page.locator(".mv-slot span").all_inner_texts()
        return texts


@pytest.fixture
def open_viewer(
    chromium: Any, address: str, scene: Callable[..., dict[str, Any]]
) -> Iterator[Callable[..., ViewerPage]]:
    """Mounts a viewer in a fresh page; the test fails if the page complained of anything."""
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)

    def _open(
        shown: dict[str, Any] | None = None,
        selection: dict[str, Any] | None = None,
        flag: str = "ready",
        **options: Any,
    ) -> ViewerPage:
        viewer = ViewerPage(page, complaints)
        page.goto(address)
        wanted = shown or scene()
        viewer.mount(wanted, selection or _slots("X", "Y"), **options)
        viewer.wait(wanted["image_id"], flag)
        return viewer

    yield _open
    context.close()
    assert complaints == []
