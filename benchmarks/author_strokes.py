"""How many key presses and clicks a question takes whoever authors it, by template.

    python benchmarks/author_strokes.py

The packaged rooms with their proposals, in a real browser at 1366x768; the page's own events are
counted, so that what is printed is what hands did. *Proposed*: from a question that is shown to its
answer kept, taking what is proposed; a close call has to be looked at and takes one more. *Own
answer*: the same with another answer. *By clicks*: filling the slots (and the direction) of a
question that is put together. The last column is the time from the last of these clicks until the
words and the pictures that a model would see stand there. The status is 1 if a proposal takes more
than four.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "shared")]

from desk_server import PASSWORD, DeskServer, serving  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from annotate.desk.desk import Desk  # noqa: E402
from annotate.importing import import_annotations  # noqa: E402
from mira.schema.qa import QAPolicy  # noqa: E402
from mira.sim.packaged_scenes import packaged_scenes_dir  # noqa: E402
from mira.store.workspace import Workspace  # noqa: E402
from mira.taxonomy.catalogue import TaskTemplate, taxonomy  # noqa: E402
from qa_gen.proposing.policy import stored_policy  # noqa: E402
from qa_gen.proposing.run import propose_answers  # noqa: E402

MOST = 4
PICTURE = "room_s28_0000_v0"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")
KEYS = {
    "yes_no": "y",
    "count": "3",
    "spatial_3d_axes": "qdx",
    "single_choice": "2",
    "single_choice_plus_text": "5",
}
COUNTING = """() => {
  window.strokes = 0;
  for (const kind of ['keydown', 'pointerdown'])
    addEventListener(kind, (event) => { if (event.isTrusted) window.strokes += 1; }, true);
}"""
DESK = "document.querySelector('.mira-desk-holder').shadowRoot"
# Counted within the page: from a click until words and pictures are there.
PREVIEW = f"""async ({{ id, item }}) => {{
  const desk = {DESK};
  const stage = desk.querySelector('[data-stage]').firstElementChild.shadowRoot;
  const shape = stage.querySelector(`[data-panel=color] [data-instance='${{id}}']`);
  const begun = performance.now();
  shape.dispatchEvent(new MouseEvent('click', {{ bubbles: true, composed: true }}));
  const isThere = () => desk.querySelector(`.question[data-shown='${{item}}']`) !== null
    && [...desk.querySelectorAll('[data-seen]')].every(
      (one) => one.src.includes(item) && one.complete && one.naturalWidth > 0);
  while (!isThere()) await new Promise((done) => setTimeout(done, 2));
  return performance.now() - begun;
}}"""


def main() -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        sys.exit("error: needs the browser `chromium`")
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace.create(Path(folder) / "workspace")
        import_annotations(packaged_scenes_dir(), workspace, scenes=None, annotator="simulator")
        propose_answers(workspace, policy=stored_policy(workspace), bounds=QAPolicy())
        desk = Desk(workspace)
        desk.people.add("anna", PASSWORD, "annotator")
        desk.close()
        with serving(workspace.root) as server, sync_playwright() as running:
            chromium = running.chromium.launch(executable_path=browser, args=list(FLAGS))
            most = _study(chromium, server)
            chromium.close()
    if most > MOST:
        sys.exit(f"error: a proposal takes {most} strokes, expected up to {MOST}")


def _study(chromium: Any, server: DeskServer) -> int:
    page = chromium.new_context(viewport={"width": 1366, "height": 768}).new_page()
    key, value = server.sign_in("anna").split("=", 1)
    page.context.add_cookies([{"name": key, "value": value, "url": server.url}])
    page.goto(f"{server.url}/desk/#author/{PICTURE}")
    page.wait_for_selector(f"[data-stage][data-ready='{PICTURE}']")
    page.evaluate(COUNTING)
    heads = ("template", "sure", "close call", "own answer", "by clicks", "click to preview")
    print("{:<10} {:>6} {:>11} {:>11} {:>10} {:>17}".format(*heads))
    most, times = 0, []
    for template in taxonomy().templates:
        sure, close = _taken(page, template, "sure", "p"), _taken(page, template, "close", "p\n")
        own = _taken(page, template, "all", KEYS[template.format] + "\n")
        clicks, shown_ms = _clicks(page, template)
        most = max(most, sure or 0, close or 0)
        times += shown_ms
        told = f"{statistics.median(shown_ms):.0f} ms" if shown_ms else "-"
        cells = (template.id, _cell(sure), _cell(close), _cell(own), _cell(clicks), told)
        print("{:<10} {:>6} {:>11} {:>11} {:>10} {:>17}".format(*cells), flush=True)
    print(f"a proposal takes up to {most}; click to preview {statistics.median(times):.0f} ms")
    return most


def _cell(count: int | None) -> str:
    return "-" if count is None else str(count)


def _listed(page: Any, template: TaskTemplate, state: str) -> Any:
    page.select_option("[data-template]", template.id)
    page.check("[data-only]")
    page.select_option("[data-filter]", state)
    return page.locator(f"[data-ask^='{template.id}']")


def _taken(page: Any, template: TaskTemplate, state: str, keys: str) -> int | None:
    """Strokes until a question is answered; None where the picture has none in that state."""
    asks = _listed(page, template, state)
    if not asks.count():
        return None
    asks.last.click()
    item_id = asks.last.get_attribute("data-ask")
    page.wait_for_selector(f".question[data-shown='{item_id}']")
    page.evaluate("() => { window.strokes = 0; document.activeElement?.blur?.(); }")
    for key in keys:
        page.keyboard.press("Enter" if key == "\n" else key)
    page.wait_for_selector("[data-news][data-kind=good]")
    found: int = page.evaluate("() => window.strokes")
    page.keyboard.press("Control+z")
    return found


def _clicks(page: Any, template: TaskTemplate) -> tuple[int | None, list[float]]:
    """Clicks that put a question together, and how long its preview took each time."""
    asks = _listed(page, template, "all")
    count = len(template.slots) + (2 if template.directions else 0)
    if not template.slots:
        return count, []
    times = []
    for place in range(0, min(asks.count(), 9), 3):
        wanted, other = asks.nth(place), asks.nth(place + 1)
        item_id = wanted.get_attribute("data-ask")
        if other.count():
            other.click()
        words = wanted.locator("span").nth(1).inner_text()
        ids = [
            int(part.split()[1]) for part in words.split(" · ") if part.split()[0] in template.slots
        ]
        direction = words.split(" · ")[-1]
        if template.directions and page.input_value("[data-direction]") != direction:
            page.select_option("[data-direction]", direction)
        for slot, one in enumerate(ids):
            page.locator(".mv-slot").nth(slot).click()
            if slot < len(ids) - 1:
                page.locator(f"[data-panel=color] [data-instance='{one}']").first.dispatch_event(
                    "click"
                )
                continue
            page.locator(".mv-slot").nth(slot).click()
            times.append(page.evaluate(PREVIEW, {"id": one, "item": item_id}))
    return count, times


if __name__ == "__main__":
    main()
