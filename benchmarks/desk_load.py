"""Eight people author at once: nothing lost or doubled, how soon a click shows its preview.

    python benchmarks/desk_load.py [--people 8] [--items 200] [--pace 0 1] [--folder DIR]

Simulated rooms, one a person, with proposals. Each person opens questions one after the other: a
click asks for the words and for the two pictures (drawn boxes on RGB and depth) that a model would
see, then a draft and an answer go out, over HTTP as the page sends them. `--pace` is how many
seconds a person takes for a question: 0 is as fast as the server lets them. CPU seconds are those
of the server's process. The peer is the same preview the usual way: a Gradio app whose handler
draws the boxes and gives back the sentence and two `gr.Image`s, which its own client fetches.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "shared")]

from desk_server import PASSWORD, DeskServer  # noqa: E402

from annotate.desk.desk import Desk  # noqa: E402
from annotate.importing import import_annotations  # noqa: E402
from mira.store.workspace import Workspace  # noqa: E402

PEER_ITEMS = 12
VIEW = ("visual_bbox", "rgb_d")
TICKS = os.sysconf("SC_CLK_TCK")


class Timed(NamedTuple):
    """What one person waited: for the words, and for words and pictures, in milliseconds."""

    words_ms: list[float]
    preview_ms: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--people", type=int, default=8)
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--pace", type=float, nargs="+", default=[0.0, 1.0])
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    parser.add_argument("--peer", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        _serve_peer(arguments.peer)
        return
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        workspace = _rooms(Path(scratch), arguments.people)
        print(f"{'who':<28} {'words p50':>10} {'preview p50':>12} {'p95':>7} {'CPU a call':>11}")
        for pace in arguments.pace:
            _author(workspace, Path(scratch), arguments.people, arguments.items, pace)
        _peer(workspace, Path(scratch), arguments.people)


def _rooms(folder: Path, count: int) -> Workspace:
    words = ["sim", "rooms", "--out", str(folder / "rooms"), "--count", str(count), "--views", "1"]
    _mira(*words)
    workspace = Workspace.create(folder / "workspace")
    import_annotations(folder / "rooms", workspace, scenes=None, annotator="simulator")
    _mira("qa", "propose", "-w", str(workspace.root))
    return workspace


def _mira(*words: str) -> None:
    command = [sys.executable, "-m", "mira.cli.main", *words]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(command, check=True, cwd=ROOT, **quiet)


# Ours


def _author(workspace: Workspace, folder: Path, people: int, items: int, pace: float) -> None:
    (workspace.root / "desk" / "desk.sqlite3").unlink(missing_ok=True)
    desk = Desk(workspace)
    names = [f"person{k}" for k in range(people)]
    for name in names:
        desk.people.add(name, PASSWORD, "annotator")
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    os.environ["TMPDIR"] = str(temporary)
    server = DeskServer(workspace.root)
    images = [view.image_id for view in workspace.views()]
    cookies = [server.sign_in(name) for name in names]
    # Everybody has looked at their picture once.
    clients = [
        _Client(server, cookies[k], images[k], items, pace, k * pace / people)
        for k in range(people)
    ]
    for client in clients:
        client.open()
    begun, rss = _cpu_s(server.process.pid), _rss_mb(server.process.pid)
    # Once all is warm: memory then and at the end is the same, or something is kept.
    warm: list[float] = []
    clients[0].at_quarter = lambda: warm.append(_rss_mb(server.process.pid))
    _at_once([client.work for client in clients])
    cpu, calls = _cpu_s(server.process.pid) - begun, sum(client.calls for client in clients)
    timed = [client.timed for client in clients]
    _tell(f"mira, {pace:g} s a question", timed, 1000 * cpu / calls)
    after = _rss_mb(server.process.pid)
    left = sum(path.is_file() for path in temporary.rglob("*"))
    rows = desk.database.connection().execute(
        "select count(*), count(distinct name || item_id) from answers"
    )
    kept, distinct = rows.fetchone()
    said = sum(client.answered for client in clients)
    desk.close()
    server.kill()
    is_right = kept == said and distinct == sum(client.asked for client in clients)
    fate = "none lost, none doubled" if is_right else "LOST OR DOUBLED"
    print(
        f"    {said:,} answers sent, {kept:,} kept, to {distinct:,} questions: {fate};"
        f" {calls:,} calls;"
        f" memory {rss:.0f} MB at first, {warm[0]:.0f} after a quarter, {after:.0f} at the end;"
        f" {left} temporary files"
    )


class _Client:
    """One person's browser."""

    def __init__(
        self,
        server: DeskServer,
        cookie: str,
        image_id: str,
        items: int,
        pace: float,
        late: float,
    ) -> None:
        self._server, self._cookie, self._image_id = server, cookie, image_id
        self._items, self._pace, self._late = items, pace, late
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port)
        self._questions: list[tuple[str, Any]] = []
        self._shown = ""
        self.timed = Timed([], [])
        self.at_quarter: Callable[[], None] = lambda: None
        self.calls = self.answered = self.asked = 0

    def open(self) -> None:
        found = self._post("/api/author/sheet", image_id=self._image_id)
        self._shown = found["sheet"]["shown"]
        for question in found["sheet"]["questions"]:
            proposed = (question["proposal"] or {}).get("answer")
            is_yes_no = question["template_id"] in ("ac_001", "ac_004")
            if proposed or is_yes_no:
                self._questions.append((question["item_id"], proposed or {"value": "yes"}))
        self._questions = self._questions[: self._items]
        self.asked = len(self._questions)

    def work(self) -> None:
        # People are not in step with each other.
        time.sleep(self._late)
        # Where a room has fewer questions, some are answered once more.
        for k in range(self._items):
            item_id, answer = self._questions[k % len(self._questions)]
            begun = time.perf_counter()
            self._post("/api/author/question", image_id=self._image_id, item_id=item_id)
            self.timed.words_ms.append(1000 * (time.perf_counter() - begun))
            asked = f"/media/{quote(self._image_id)}/asked/{quote(item_id)}/{'/'.join(VIEW)}"
            for place in range(2):
                self._send("GET", f"{asked}/{place}", None)
            self.timed.preview_ms.append(1000 * (time.perf_counter() - begun))
            draft = {"kind": "answer", "item_id": self._image_id, "content": "{}", "seq": k + 1}
            self._post("/api/draft", **draft)
            self._post(
                "/api/author/answer",
                image_id=self._image_id,
                item_id=item_id,
                answer=answer,
                shown=self._shown,
                token=f"{k:032}",
            )
            self.answered += 1
            if self.answered == self._items // 4:
                self.at_quarter()
            time.sleep(max(0.0, self._pace - (time.perf_counter() - begun)))

    def _post(self, path: str, **body: Any) -> Any:
        return json.loads(self._send("POST", path, json.dumps(body).encode()))

    def _send(self, method: str, path: str, body: bytes | None) -> bytes:
        headers = {"Cookie": self._cookie, "Accept": "application/json"}
        if body is not None:
            headers |= {"Content-Type": "application/json", "Origin": self._server.url}
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        data = answer.read()
        assert answer.status == 200, (answer.status, path, data[:200])
        self.calls += 1
        return data


# The peer


def _serve_peer(root: Path) -> None:
    """A Gradio app that draws the preview in its handler; prints its address."""
    import gradio

    from annotate.app.media import Depicted
    from mira.item_pictures import WorkspacePictures
    from mira.render.scene import SceneRenderer
    from mira.render.style import RenderStyle
    from qa_gen.authoring import QuestionBook

    workspace = Workspace.open(root)
    book, pictures = QuestionBook(workspace), WorkspacePictures(workspace, kept=16)
    renderers: dict[str, SceneRenderer] = {}

    def _preview(image_id: str, place: float) -> tuple[str, Any, Any]:
        question = book.questions(image_id)[int(place)]
        depicted = Depicted.of(question)
        if image_id not in renderers:
            source = pictures.picture(*depicted[:3]).pictures
            renderers[image_id] = SceneRenderer(source, style=RenderStyle())
        drawn = renderers[image_id].render(depicted.marks, protocol="visual_bbox", modality="rgb_d")
        return question.wordings[0].question, drawn[0].image_rgb, drawn[1].image_rgb

    with gradio.Blocks() as blocks:
        image_id, place = gradio.Textbox(), gradio.Number()
        outputs = [gradio.Textbox(), gradio.Image(), gradio.Image()]
        button = gradio.Button()
        button.click(_preview, [image_id, place], outputs, api_name="preview", concurrency_limit=16)
    blocks.launch(server_name="127.0.0.1", quiet=True, prevent_thread_lock=True)
    print(f"peer: {blocks.local_url}", flush=True)
    threading.Event().wait()


def _peer(workspace: Workspace, folder: Path, people: int) -> None:
    from gradio_client import Client

    os.environ["GRADIO_TEMP_DIR"] = str(folder / "gradio")
    command = [sys.executable, __file__, "--peer", str(workspace.root)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert process.stdout is not None
        found = None
        while found is None:
            found = re.search(r"peer: (\S+)", process.stdout.readline())
        images = [view.image_id for view in workspace.views()]
        clients = [Client(found[1], verbose=False) for _ in range(people)]
        timed = [Timed([], []) for _ in range(people)]

        def work(k: int) -> None:
            for place in range(-1, PEER_ITEMS):
                begun = time.perf_counter()
                clients[k].predict(images[k], max(0, place), api_name="/preview")
                if place >= 0:
                    timed[k].preview_ms.append(1000 * (time.perf_counter() - begun))

        cpu = _cpu_s(process.pid)
        _at_once([lambda k=k: work(k) for k in range(people)])
        calls = people * (PEER_ITEMS + 1)
        _tell("Gradio, gr.Image", timed, 1000 * (_cpu_s(process.pid) - cpu) / calls)
        left = sum(path.is_file() for path in (folder / "gradio").rglob("*"))
        print(f"    {calls:,} previews; {left:,} temporary files")
    finally:
        process.kill()
        process.wait()


# Measuring


def _at_once(works: list[Callable[[], None]]) -> None:
    faults: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            faults.append(error)
            raise

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        sys.exit(f"error: {faults[0]!r}")


def _tell(who: str, timed: list[Timed], cpu_ms: float) -> None:
    words = [one for each in timed for one in each.words_ms]
    preview = sorted(one for each in timed for one in each.preview_ms)
    shown = f"{statistics.median(words):.0f} ms" if words else "-"
    p95 = preview[int(0.95 * (len(preview) - 1))]
    print(
        f"{who:<28} {shown:>10} {statistics.median(preview):>9.0f} ms {p95:>4.0f} ms"
        f" {cpu_ms:>8.1f} ms",
        flush=True,
    )


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _rss_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    assert found is not None
    return int(found[1]) / 1024


if __name__ == "__main__":
    main()
