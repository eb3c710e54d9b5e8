"""A server that speaks as much of OpenAI's protocol as a run needs, and knows every question."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from mira.evals.inspect_runner.drawing import draw_questions
from mira.evals.inspect_runner.options import AskingOptions
from mira.evals.inspect_runner.planning import plan_asking

Way = Literal[
    "right", "slow", "busy once", "fault once", "garbled once", "garbled", "malformed", "hopeless",
    "busy", "cut", "withheld", "half a letter",
]  # fmt: skip
"""How the server treats a question; `garbled` and `busy` never answer."""
Key = tuple[str, tuple[str, ...]]


class KnownQuestion(NamedTuple):
    """A question that the server knows."""

    question_id: str
    answer: str


def known_questions(
    release: Path, options: AskingOptions, scratch: Path
) -> dict[Key, KnownQuestion]:
    """Questions by their text and the digests of their pictures, as they have to arrive."""
    plan = plan_asking(release, scratch / "run", options)
    known = {}
    for drawn in draw_questions(plan, plan.asked, options, scratch):
        pictures = [(scratch / one.path).read_bytes() for one in drawn.pictures]
        key = drawn.prompt, tuple(hashlib.sha256(data).hexdigest() for data in pictures)
        question = drawn.asked.question
        assert key not in known
        known[key] = KnownQuestion(question.question_id, question.answer)
    return known


class ModelServer:
    """Answers right, slowly, badly or not at all, as it is told for each question."""

    def __init__(self, known: Mapping[Key, KnownQuestion], ways: Mapping[str, Way]) -> None:
        self.known, self.ways = known, ways
        self.asked: Counter[str] = Counter()
        self.repairs: Counter[str] = Counter()
        self.unknown: list[str] = []
        self.slow_s = 0.05
        self.url = ""
        self._lock = Lock()

    def reply(self, messages: list[dict[str, Any]]) -> tuple[int, bytes]:
        """Status and body of the reply to a request."""
        question = self._question(messages[0]["content"])
        with self._lock:
            if question is None:
                self.unknown.append(json.dumps(messages[0])[-300:])
                return 400, b"{}"
            (self.repairs if len(messages) > 1 else self.asked)[question.question_id] += 1
            first = self.asked[question.question_id] == 1
        way = self.ways.get(question.question_id, "right")
        right = json.dumps({"final_answer": question.answer, "confidence": 0.75})
        if way == "slow":
            time.sleep(self.slow_s)
        if way == "busy" or (way == "busy once" and first):
            return 429, b'{"error": {"message": "busy"}}'
        if way == "fault once" and first:
            return 500, b'{"error": {"message": "a fault"}}'
        if way == "garbled" or (way == "garbled once" and first):
            return 200, b'{"id": "1", "choices": [{'
        if way == "cut":
            return 200, completion('{"final_answer": ', finish="length")
        if way == "withheld":
            return 200, completion("", finish="content_filter")
        if way == "half a letter":
            return 200, completion("\ud83d It could be one or the other.")
        if way == "hopeless" or (way == "malformed" and len(messages) == 1):
            return 200, completion("It could be one or the other.")
        return 200, completion(right)

    def _question(self, content: list[dict[str, Any]]) -> KnownQuestion | None:
        text = "".join(part["text"] for part in content if part["type"] == "text")
        shown = [part["image_url"] for part in content if part["type"] == "image_url"]
        assert all(one["detail"] == "high" for one in shown)
        data = [base64.b64decode(one["url"].split(",", 1)[1]) for one in shown]
        return self.known.get((text, tuple(hashlib.sha256(one).hexdigest() for one in data)))


class Replying(Protocol):
    """What answers requests; `url` is where it is reached."""

    url: str

    def reply(self, messages: list[dict[str, Any]]) -> tuple[int, bytes]:
        """Status and body of the reply to a request."""


Server = TypeVar("Server", bound=Replying)


@contextmanager
def listening(server: Server) -> Iterator[Server]:
    """The server, reached at its `url` for as long as the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, data = server.reply(body["messages"])
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments: object) -> None:
            """Nothing."""

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *arguments: object) -> None:
            """A client that was killed leaves its sockets behind."""

    serving = Quiet(("127.0.0.1", 0), Handler)
    Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    server.url = f"http://127.0.0.1:{serving.server_port}/v1"
    try:
        yield server
    finally:
        serving.shutdown()
        serving.server_close()


def completion(text: str, *, finish: str = "stop") -> bytes:
    """The body of a reply."""
    message = {"role": "assistant", "content": text}
    document = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "mock",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }
    return json.dumps(document).encode()
