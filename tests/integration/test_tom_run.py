"""A model is asked theory-of-mind items, by a server that now and then is busy or says nothing."""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra `eval`")
pytest.importorskip("openai", reason="needs the extra `eval`")

from model_server import completion, listening
from typer.testing import CliRunner

from mira.cli.app import app
from mira.evals.tom.asking import prompt_of
from mira.schema.episode import EpisodeMoment, EpisodeRun, TomItem
from mira.schema.qa import Option
from mira.schema.record import Provenance
from mira.store.episodes import EpisodeStore

# What is left open when inspect_ai ends is its own affair.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed:ResourceWarning")
OPTIONS = (Option(label="A", value="the basket"), Option(label="B", value="the box"))


def item(k: int) -> TomItem:
    return TomItem(
        item_id=f"t-{k:02d}",
        story=f"Ann puts ball {k} into the basket and leaves. Bob moves it to the box.",
        question=f"Where will Ann look for ball {k}?",
        options=OPTIONS,
        answer="A",
        order=1,
        kind="belief",
        source="tales",
    )


ITEMS = [item(k) for k in range(12)]


class Server:
    """Knows the right answers; item 3 is never answered, item 5 vaguely at first."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: Counter[str] = Counter()
        self.broken = {"t-03"}

    def reply(self, messages: list[dict[str, Any]]) -> tuple[int, bytes]:
        text = messages[0]["content"]
        name = next(one.item_id for one in ITEMS if prompt_of(one) == text)
        self.asked[name] += 1
        if name in self.broken:
            return 500, b'{"error": {"message": "a fault"}}'
        if name == "t-05" and len(messages) == 1:
            return 200, completion("Either of the two.")
        return 200, completion(json.dumps({"final_answer": "A"}))


@pytest.fixture(autouse=True)
def _swept() -> Iterator[None]:
    """Streams that inspect leaves open are closed while that is still no warning."""
    yield
    gc.collect()


@pytest.fixture
def items(tmp_path: Path) -> Path:
    provenance = Provenance(tool="tests", tool_version="1")
    run = EpisodeRun(name="tales", licence="CC0-1.0", provenance=provenance)
    store = EpisodeStore.create(tmp_path / "items", run)
    moment = EpisodeMoment(episode_id="e", step=1, role="agent")
    probe = ITEMS[0].model_copy(update={"item_id": "probe", "story": None, "moment": moment})
    store.put_tom_items([*ITEMS, probe])
    return store.root


def command(*words: object) -> Any:
    return CliRunner().invoke(app, ["eval", "tom", *map(str, words)])


def test_items_are_asked_scored_and_gone_on_with(items: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with listening(Server()) as server:
        asking = ("run", items, "-m", "mock", "--base-url", server.url, "-o", out)
        first = command(*asking, "--retry-wait", "0.01", "--json")
        assert first.exit_code == 1, first.output
        told = json.loads(first.stdout)
        assert (told["questions"], told["failed"], told["repair_calls"]) == (12, 1, 1)
        assert server.asked["t-03"] == 3
        assert "another" not in server.asked
        scored = command("score", items, out, "--json")
        assert scored.exit_code == 0, scored.output

        server.broken.clear()
        server.asked.clear()
        again = command(*asking, "--resume", "--json")
        assert again.exit_code == 0, again.output
        assert server.asked == Counter({"t-03": 1})
    replies = [json.loads(line) for line in (out / "replies.jsonl").read_text().splitlines()]
    assert [one["question_id"] for one in replies] == [one.item_id for one in ITEMS]
    assert json.loads(command("score", items, out, "--json").stdout)["n_unscored"] == 0


def test_a_rehearsal_asks_nobody_and_shows_the_first_item(items: Path, tmp_path: Path) -> None:
    done = command("run", items, "-m", "mock", "-o", tmp_path / "run", "--dry-run")
    assert done.exit_code == 0, done.output
    assert "ball 0" in done.stdout
    assert "items      12" in done.stdout
    assert not (tmp_path / "run").exists()
