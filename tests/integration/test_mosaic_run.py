"""A model plays the treasure game, by a server whose replies are faulty in many ways."""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra `eval`")
pytest.importorskip("openai", reason="needs the extra `eval`")

from model_server import completion, listening
from typer.testing import CliRunner

from mira.cli.app import app
from mira.store.episodes import EpisodeStore

# What is left open when inspect_ai ends is its own affair.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed:ResourceWarning")
CALM = {"positive": 0.1, "negative": 0.0}
GOOD = {
    "reasoning": "nearer",
    "preferences": {"Light brown box": 0.5},
    "emotion": {"facial": CALM, "physiological": CALM, "felt": CALM},
    "move": {"action": "move", "direction": "forward"},
}
FAULTS = (
    "no JSON at all",
    json.dumps({**GOOD, "move": None}),
    json.dumps({key: value for key, value in GOOD.items() if key != "emotion"}),
    json.dumps({**GOOD, "emotion": {**GOOD["emotion"], "facial": {"positive": 7, "negative": 0}}}),
    json.dumps({**GOOD, "move": {"action": "move", "direction": "sideways"}}),
)
SPEECH = {"inner_speech": "hm", "utterance": " ".join(["Which of the boxes do you like best?"] * 2)}
UPDATES = {"updates": ["Participant | preference towards Light brown box | more positive"]}


class Server:
    """Each third turn is faulty at first; round 5 is so twice."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: Counter[str] = Counter()
        self.repairs = self.hopeless = self.pictures = 0
        self._lock = Lock()

    def reply(self, messages: list[dict[str, Any]]) -> tuple[int, bytes]:
        (message,) = messages
        parts = message["content"]
        if isinstance(parts, str):
            parts = [{"type": "text", "text": parts}]
        text = "".join(part["text"] for part in parts if part["type"] == "text")
        repaired = "could not be used" in text
        with self._lock:
            self.asked[text] += 1
            self.pictures += sum(part["type"] == "image_url" for part in parts)
            self.repairs += repaired
            if "what you believe at this moment" in text:
                return 200, completion('{"final_answer": "A"}')
            if '"utterance"' in text:
                return 200, completion(json.dumps(SPEECH))
            if '"updates"' in text:
                return 200, completion(json.dumps(UPDATES))
            if "This is round 5." in text:
                self.hopeless += repaired
                return 200, completion(FAULTS[0])
            if not repaired and len(self.asked) % 3 == 0:
                return 200, completion(FAULTS[len(self.asked) % len(FAULTS)])
        return 200, completion(json.dumps(GOOD))


@pytest.fixture(autouse=True)
def _swept() -> Iterator[None]:
    """Streams that inspect leaves open are closed while that is still no warning."""
    yield
    gc.collect()


def command(*words: object) -> Any:
    return CliRunner().invoke(app, ["eval", "mosaic", *map(str, words)])


def test_faulty_replies_are_repaired_once_then_idle_and_every_trial_is_played(
    tmp_path: Path,
) -> None:
    out = tmp_path / "run"
    with listening(Server()) as server:
        asking = ("run", "-m", "mock", "--base-url", server.url, "-o", out, "--trials", 1)
        told = command(*asking, "--json")
        assert told.exit_code == 0, told.output
        assert json.loads(told.stdout)["endings"] == {"completed": 4}
        assert server.repairs > server.hopeless > 0
        assert server.pictures > 4 * 20
        asked = sum(server.asked.values())
        assert command(*asking, "--resume", "--json").exit_code == 0
        assert sum(server.asked.values()) == asked
    store = EpisodeStore.open(out)
    for name in store.episode_ids():
        episode = store.episode(name)
        assert episode.model == "mock"
        steps = list(store.steps(episode))
        idle = {step.round for step in steps if step.move is None}
        assert idle == {5}
        assert all(step.image for step in steps)
        replies = sum(len(step.raw_replies) for step in steps)
        assert replies >= 20 + 12
    assert store.run().provenance.parameters["temperature"] == 0
    scored = command("score", out, "--json")
    assert scored.exit_code == 0, scored.output


def test_a_model_plays_against_a_script(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with listening(Server()) as server:
        done = command(
            *("run", "-m", "mock", "--base-url", server.url, "-o", out, "--trials", 1),
            *("--subject", "honest", "--conditions", "coop-tom0", "--visual", "none"),
        )
        assert done.exit_code == 0, done.output
        assert server.pictures == 0
    (name,) = EpisodeStore.open(out).episode_ids()
    agents = EpisodeStore.open(out).episode(name).agents
    assert [(one.role, one.name) for one in agents] == [
        ("subject", "honest"),
        ("participant", "mock"),
    ]


def test_beliefs_of_both_roles_are_asked_scored_and_shown(
    tmp_path: Path,
) -> None:
    out = tmp_path / "run"
    with listening(Server()) as server:
        asking = ("run", "-m", "mock", "--base-url", server.url, "--trials", 1, "--visual", "none")
        some = ("--conditions", "coop-tom1,comp-tom1")
        assert command(*asking, *some, "-o", out, "--probes").exit_code == 0
        asked = sum(server.asked.values())
        assert command(*asking, *some, "-o", out, "--probes", "--resume").exit_code == 0
        assert sum(server.asked.values()) == asked
        refused = command(*asking, *some, "-o", out, "--resume")
        assert "probes: expected" in str(refused.exception)
    store = EpisodeStore.open(out)
    assert store.run().provenance.parameters["probes"]["steps"] == [3, 6, 9, 10]  # type: ignore[index]
    kinds = Counter(
        (probe.item.moment.role, probe.item.category)
        for name in store.episode_ids()
        for probe in store.probes(name)
        if probe.item.moment
    )
    assert kinds["subject", "reward"] == kinds["participant", "other"] == 2 * 4
    told = CliRunner().invoke(app, ["eval", "tom", "probes", str(out), "--json"])
    assert told.exit_code == 0, told.output
    assert {row["first_share"] for row in json.loads(told.stdout)["rows"]} == {1}
    assert command("report", out, "--out", tmp_path / "report").exit_code == 0
    assert '<section id="beliefs">' in (tmp_path / "report" / "report.html").read_text("utf-8")


def test_a_role_that_nobody_plays_is_named(tmp_path: Path) -> None:
    done = command("run", "--subject", "honest", "-o", tmp_path / "run")
    assert done.exit_code == 2
    assert "--participant" in done.output
