"""The harnesses themselves ask and score the folders, with a server of ours for a model.

They run where they are installed: `lmms_eval`, and a checkout of VLMEvalKit on the path.
"""

from __future__ import annotations

import base64
import importlib.util
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from PIL import Image

from export.harnesses.lmms_eval import write_lmms_eval
from export.harnesses.options import TaskOptions
from export.harnesses.shipped import mira_scoring
from export.harnesses.vlmevalkit import write_vlmevalkit
from mira.evals.mira_bench.release import score_release

OPTIONS = TaskOptions(protocol="visual_mask", modality="rgb_dm")
FAR = 4
"""Mean difference of blocks of two pictures that no encoding makes."""


def spec_of(package: str) -> Path | None:
    found = importlib.util.find_spec(package)
    return Path(found.origin).parent if found and found.origin else None


LMMS, KIT = spec_of("lmms_eval"), spec_of("vlmeval")


def decoded(data: bytes) -> np.ndarray:
    """Colours of blocks of a picture: JPEG does away with the noise of single pixels."""
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    return np.asarray(picture.reduce(8), dtype=np.int16)


class Model:
    """Knows every question by its text and pictures, and what it will say to it."""

    def __init__(self, tasks: Path, said: dict[str, str | None]) -> None:
        self.unknown: list[str] = []
        self.said = said
        (path,) = tasks.glob("*.jsonl")
        lines = path.read_text("utf-8").split("\n")
        self.docs = [json.loads(line) for line in lines if line]
        self.pictures = {
            name: decoded((tasks / name).read_bytes())
            for doc in self.docs
            for name in doc["images"]
        }

    def reply(self, content: list[dict[str, Any]]) -> str | None:
        """What it says to a message; None for a fault of the server."""
        text = "".join(part["text"] for part in content if part["type"] == "text")
        urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
        shown = [decoded(base64.b64decode(url.split(",", 1)[1])) for url in urls]
        alike = [
            (self._distance(shown, doc), k)
            for k, doc in enumerate(self.docs)
            if doc["prompt"] == text
        ]
        distance, nearest = min(alike, default=(np.inf, 0))
        if distance > FAR or content[-1]["type"] != "text":
            self.unknown.append(text)
            return "an unknown question"
        return self.said[self.docs[nearest]["question_id"]]

    def _distance(self, shown: list[np.ndarray], doc: dict[str, Any]) -> float:
        """Of the pictures shown, in their order, to those of a question."""
        known = [self.pictures[name] for name in doc["images"]]
        if [one.shape for one in shown] != [one.shape for one in known]:
            return float("inf")
        return max(float(np.abs(a - b).mean()) for a, b in zip(shown, known, strict=True))


@pytest.fixture
def tasks(full_release: Path, tmp_path: Path) -> Path:
    write_lmms_eval(full_release, tmp_path / "tasks", options=OPTIONS)
    return tmp_path / "tasks"


@pytest.fixture
def model(tasks: Path) -> Model:
    """Right, wrong, unreadable and failing in turn."""
    said: dict[str, str | None] = {}
    for k, one in enumerate(mira_scoring.read_scoring(tasks)["questions"]):
        answer = one["answer"]
        in_json = json.dumps({"final_answer": answer})
        forms = (
            answer,
            in_json.replace("{", "{\r\n"),
            in_json,
            "A",
            answer,
            "None",
            '=1+1\t"x"',
            None,
            answer,
        )
        said[one["id"]] = forms[k % len(forms)]
    return Model(tasks, said)


@pytest.fixture
def server(model: Model) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        """Speaks as much of the protocol as both harnesses need."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            reply = model.reply(body["messages"][-1]["content"])
            message = {"role": "assistant", "content": reply}
            document = {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": "mock",
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
            data = json.dumps(document).encode()
            self.send_response(400 if reply is None else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments: object) -> None:
            """Nothing."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=listening.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{listening.server_port}/v1"
    listening.shutdown()
    listening.server_close()


def run(words: list[object], folder: Path, **environment: str) -> str:
    alone = {
        "HF_HOME": str(folder / "hf"),
        "HF_HUB_OFFLINE": "1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "no_proxy": "127.0.0.1",
    }
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=folder,
        env={**os.environ, **alone, **environment},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(LMMS is None, reason="needs the package `lmms_eval`")
def test_lmms_eval_scores_as_mira_does(tasks, model, server, tmp_path):
    words = ["-m", "lmms_eval", "--include_path", tasks, "--tasks", "mira_visual_mask_rgb_dm"]
    words += ["--model", "openai", "--output_path", tmp_path / "results", "--model_args"]
    words += ["model_version=mock,max_retries=1,timeout=60"]
    run(words, tmp_path, OPENAI_API_KEY="none", OPENAI_API_BASE=server)
    (path,) = (tmp_path / "results").rglob("*results.json")
    found = json.loads(path.read_bytes())["results"]["mira_visual_mask_rgb_dm"]
    expected = mira_scoring.score_replies(mira_scoring.read_scoring(tasks), model.said)
    assert model.unknown == []
    for row in expected["rows"]:
        figure = found[f"{row['name'].replace(':', '_')},none"]
        assert figure == pytest.approx(row["value"]), row["name"]
    assert 0 < expected["rows"][-1]["value"] < 1
    assert found["unparsable,none"] == expected["rows"][-1]["n_unparsable"] > 0
    assert found["unscored,none"] == expected["rows"][-1]["n_unscored"] > 0


@pytest.mark.slow
@pytest.mark.skipif(
    KIT is None or not (KIT.parent / "run.py").is_file(),
    reason="needs a checkout of VLMEvalKit on the path",
)
@pytest.mark.parametrize("form", ["xlsx", "tsv", "json"])
def test_vlmevalkit_scores_as_mira_does(full_release, model, server, tmp_path, form):
    assert KIT is not None
    out = tmp_path / "kit"
    name = write_vlmevalkit(full_release, out, options=OPTIONS).name
    words = [out / "run_mira.py", KIT.parent, "--model", "mock", "--base-url", server]
    words += ["--work-dir", tmp_path / "work", "--retry", "1"]
    log = run(words, tmp_path, PRED_FORMAT=form)
    (path,) = [
        one for one in (tmp_path / "work").rglob(f"*{name}_score.json") if not one.is_symlink()
    ]
    expected = mira_scoring.score_replies(mira_scoring.read_scoring(out), model.said)
    assert model.unknown == []
    assert json.loads(path.read_bytes()) == json.loads(json.dumps(expected))
    assert f'"overall": {expected["rows"][-1]["value"]}' in log
    replies = path.with_name(path.name.replace("_score.json", "_replies.jsonl"))
    heard = [json.loads(line) for line in replies.read_text("utf-8").splitlines()]
    assert {one["question_id"]: one.get("raw_text") for one in heard} == model.said
    table = score_release(full_release, replies, protocol="visual_mask").table
    for row, other in zip(expected["rows"], table.rows, strict=True):
        assert row["value"] == pytest.approx(other.value)
    assert expected["rows"][-1]["n_unscored"] == table.rows[-1].n_unscored > 0
