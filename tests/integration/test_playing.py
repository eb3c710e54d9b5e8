"""A model plays the mirror test, by a server that is busy, slow, faulty and hard to understand."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from extras import skip_without
from model_server import completion, listening
from play_server import Mood, PlayServer
from typer.testing import CliRunner

from mira.cli.app import app
from mira.errors import EpisodeError, MiraError, PredictionError, SimulationError
from mira.evals.inspect_runner.options import ModelOptions
from mira.evals.inspect_runner.playing import PlayTally, play_with_model
from mira.release.episode_rows import tom_of_row
from mira.release.reader import read_rows
from mira.schema.episode import EpisodeRun
from mira.schema.record import Provenance
from mira.sim.reach.play import ReachPlay, reach_episode_id
from mira.sim.reach.probing import ReachProbePolicy
from mira.sim.reach.rules import ReachPolicy
from mira.sim.reach.scenes import reach_scenes
from mira.store.episodes import EpisodeStore

skip_without("inspect_ai", extra="eval")
skip_without("openai", extra="eval")
# What is left open when inspect_ai ends is its own affair.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed:ResourceWarning")
RUN = EpisodeRun(name="mock", provenance=Provenance(tool="tests", tool_version="1"))
SCENES = [
    one
    for one in reach_scenes()
    if one.scene_id
    in ("male_0-bare-dot", "female_0-gloved-star", "gr1_t2-gripper-ring", "male_1-bare-heart")
]
LEVELS = (1, 3)
IDS = [reach_episode_id(scene, level) for scene in SCENES for level in LEVELS]


class Flat:
    """Draws one colour for each place of the hand."""

    def draw(self, scene, hand_m):
        """A small picture."""
        digest = hashlib.sha256(repr((scene.scene_id, hand_m)).encode()).digest()
        return np.frombuffer(digest[:3] * 64, np.uint8).reshape(8, 8, 3)

    def close(self):
        """Nothing."""


@pytest.fixture(autouse=True)
def _swept() -> Iterator[None]:
    """Streams that inspect leaves open are closed while that is still no warning."""
    yield
    gc.collect()


@pytest.fixture
def server() -> Iterator[PlayServer]:
    with listening(PlayServer(SCENES, lambda scene, turn: "right")) as server:
        yield server


def opened(episode_id: str) -> ReachPlay:
    scene, level = next(
        (scene, level)
        for scene in SCENES
        for level in LEVELS
        if reach_episode_id(scene, level) == episode_id
    )
    return ReachPlay(
        scene, level, player="mock", model="mock", policy=ReachPolicy(), painter=Flat()
    )


def play(out: Path, server: PlayServer, *, open_play=opened, **others) -> PlayTally:
    options = ModelOptions(
        model="mock", base_url=server.url, retry_wait_s=0.01, **others.pop("options", {})
    )
    return play_with_model(
        out, RUN, open_play, IDS, options=options, role_models={"agent": "mock"}, **others
    )


def storm(scene: str, turn: int) -> Mood:
    if scene.startswith("male_1"):
        return "wall"
    if scene.startswith("gr1") and turn == 2:
        return "garbled"
    moods: tuple[Mood, ...] = ("busy once", "right", "vague", "fault once", "slow")
    return moods[turn % 5]


def journal(out: Path) -> list[dict[str, object]]:
    text = (out / "inspect" / "heard.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_a_model_that_goes_the_shortest_way_arrives_in_every_episode(
    tmp_path: Path, server: PlayServer
) -> None:
    told: list[tuple[str, int, int]] = []
    tally = play(tmp_path / "run", server, progress=lambda *step: told.append(step))
    assert (tally.episodes, tally.endings, tally.complete) == (8, {"success": 8}, True)
    assert told[-1] == ("playing", 8, 8)
    store = EpisodeStore.open(tmp_path / "run")
    for name in IDS:
        episode = store.episode(name)
        away_m, step_m = episode.details.d0_m, episode.details.step_m
        assert (episode.num_steps, episode.model) == (round(away_m / step_m) - 1, "mock")
    assert set(server.pictures) == {1}
    assert tally.usage.input_tokens == 100 * len(server.pictures)


def test_in_a_storm_nothing_is_lost_and_a_rerun_asks_only_for_what_failed(
    tmp_path: Path, server: PlayServer
) -> None:
    server.mood_of = storm
    tally = play(tmp_path / "run", server)
    store = EpisodeStore.open(tmp_path / "run")
    aborted = [name for name in IDS if store.episode(name).termination == "aborted"]
    assert aborted == [name for name in IDS if name.startswith("gr1")]
    assert sum(tally.endings.values()) == len(IDS)
    assert not tally.complete
    assert len(tally.errors) == 1
    steps = {name: list(store.steps(store.episode(name))) for name in IDS}
    unread = {name for name, some in steps.items() if any(one.action is None for one in some)}
    refused = {name for name, some in steps.items() if any(one.legal is False for one in some)}
    assert unread == {name for name in IDS if name.startswith(("male_0", "female_0"))}
    assert refused == {name for name in IDS if name.startswith("male_1")}

    # Replies that were heard are not asked for again, in the episodes that were broken off neither.
    server.mood_of = lambda scene, turn: "right"
    before = {name: store.sums(name) for name in IDS if name not in aborted}
    server.asked.clear()
    again = play(tmp_path / "run", server, resume=True)
    assert (again.complete, again.errors) == (True, {})
    assert sum(server.asked.values()) == sum(store.episode(name).num_steps - 2 for name in aborted)
    assert {name: store.sums(name) for name in before} == before

    server.asked.clear()
    assert play(tmp_path / "run", server, resume=True).log is None
    assert not server.asked


def test_a_process_that_is_killed_has_no_reply_asked_for_twice(
    tmp_path: Path, server: PlayServer
) -> None:
    server.mood_of = lambda scene, turn: "slow"
    out = tmp_path / "run"
    script = f"""
import sys
sys.path[:0] = {[str(Path(__file__).parent), str(Path(__file__).parents[1] / "shared")]!r}
import test_playing
from pathlib import Path
class Server:
    url = {server.url!r}
test_playing.play(Path({str(out)!r}), Server, options={{"max_connections": 3}})
"""
    process = subprocess.Popen([sys.executable, "-c", script])
    end = time.monotonic() + 60
    while sum(server.asked.values()) < 20:
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert len(journal(out)) >= 10
    assert play(out, server, resume=True).complete
    store = EpisodeStore.open(out)
    assert store.episode_ids() == tuple(sorted(IDS))
    steps = sum(store.episode(name).num_steps for name in IDS)
    # But for those that were on their way.
    assert 0 <= sum(server.asked.values()) - steps <= 4


class Believer(PlayServer):
    """Says the second option when it is asked what it believes, after what is no text."""

    def reply(self, messages):
        (message,) = messages
        text = "".join(part["text"] for part in message["content"] if part["type"] == "text")
        if "what you believe at this moment" not in text:
            return super().reply(messages)
        with self._lock:
            self.asked["probe", text] += 1
            self.pictures.append(sum(one["type"] == "image_url" for one in message["content"]))
        return 200, completion('\ud800 {"final_answer": "B"}')


def test_beliefs_are_asked_once_between_the_same_moves_and_go_into_a_release(
    tmp_path: Path,
) -> None:
    def probed(episode_id: str) -> ReachPlay:
        plain = opened(episode_id)
        return ReachPlay(
            plain.scene,
            plain.level,
            player="mock",
            model="mock",
            policy=ReachPolicy(),
            painter=Flat(),
            probes=ReachProbePolicy(steps=(0, 3)),
        )

    with listening(Believer(SCENES, storm)) as server:
        play(tmp_path / "run", server, open_play=probed)
        server.mood_of = lambda scene, turn: "right"
        again = play(tmp_path / "run", server, open_play=probed, resume=True)
        assert again.complete
        questions = {key: times for key, times in server.asked.items() if key[0] == "probe"}
        # What is asked at the start is the same for scenes told alike, and nothing is asked twice.
        assert sum(questions.values()) == 2 * 4 * len(IDS)
        assert set(server.pictures) == {1}
        total = sum(server.asked.values())
        assert play(tmp_path / "run", server, open_play=probed, resume=True).log is None
        assert sum(server.asked.values()) == total
        play(tmp_path / "plain", server)
    store, plain = EpisodeStore.open(tmp_path / "run"), EpisodeStore.open(tmp_path / "plain")
    calm = [name for name in IDS if name.startswith("gr1")]
    for name in calm:
        assert list(store.steps(store.episode(name))) == list(plain.steps(plain.episode(name)))
    probes = [probe for name in IDS for probe in store.probes(name)]
    assert {probe.raw_reply for probe in probes} == {'? {"final_answer": "B"}'}
    told = CliRunner().invoke(app, ["eval", "tom", "probes", str(tmp_path / "run"), "--json"])
    assert told.exit_code == 0, told.output
    rows = json.loads(told.stdout)["rows"]
    assert {row["first_share"] for row in rows} == {0}
    assert sum(row["n_asked"] for row in rows if row["cell"] is None) == len(probes)
    release = tmp_path / "release"
    built = CliRunner().invoke(
        app, ["export", "build", "--episodes", str(tmp_path / "run"), "--out", str(release)]
    )
    assert built.exit_code == 0, built.output
    items = {item.item_id: item for item in map(tom_of_row, read_rows(release, "tom_qa"))}
    assert items == {probe.item.item_id: probe.item for probe in probes}


def test_a_limit_ends_the_run_where_it_is_and_a_higher_one_goes_on(
    tmp_path: Path, server: PlayServer
) -> None:
    out = tmp_path / "run"
    few = play(out, server, options={"token_limit": 1100, "max_connections": 1})
    assert (few.spent, few.complete) == (True, False)
    assert sum(server.asked.values()) <= 12
    rest = play(out, server, resume=True)
    assert rest.complete
    assert sum(server.asked.values()) == len(journal(out))


def test_the_log_is_read_by_inspect_itself_and_holds_every_turn_but_no_picture(
    tmp_path: Path, server: PlayServer
) -> None:
    from inspect_ai.log import read_eval_log

    tally = play(tmp_path / "run", server)
    assert tally.log is not None
    samples = read_eval_log(str(tally.log)).samples or []
    assert {str(one.id) for one in samples} == set(IDS)
    store = EpisodeStore.open(tmp_path / "run")
    for one in samples:
        assert len(one.messages) == 1 + 2 * store.episode(str(one.id)).num_steps
    assert b"base64" not in tally.log.read_bytes()


def test_a_world_that_fails_ends_the_run_with_its_own_error(
    tmp_path: Path, server: PlayServer
) -> None:
    class Broken(Flat):
        def draw(self, *_):
            raise SimulationError("painter", "no GL library is found")

    def open_broken(name: str) -> ReachPlay:
        scene = SCENES[0]
        return ReachPlay(
            scene, 1, player="mock", model="mock", policy=ReachPolicy(), painter=Broken()
        )

    with pytest.raises(SimulationError, match="no GL library"):
        play(tmp_path / "run", server, open_play=open_broken)
    assert EpisodeStore.open(tmp_path / "run").episode_ids() == ()


def test_a_disk_that_takes_nothing_ends_the_run_and_loses_no_reply(
    tmp_path: Path, server: PlayServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    server.mood_of = lambda scene, turn: "busy" if turn == 2 else "right"
    with monkeypatch.context() as patch:
        patch.setattr(EpisodeStore, "put", full)
        with pytest.raises(MiraError, match="the disk is full"):
            play(tmp_path / "run", server)
    before = journal(tmp_path / "run")
    heard = [one for one in before if "error" not in one]
    assert 0 < len(heard) < len(before)
    assert EpisodeStore.open(tmp_path / "run").episode_ids() == ()
    server.mood_of = lambda scene, turn: "right"
    server.asked.clear()
    assert play(tmp_path / "run", server, resume=True).complete
    store = EpisodeStore.open(tmp_path / "run")
    steps = sum(store.episode(name).num_steps for name in IDS)
    assert sum(server.asked.values()) == steps - len(heard)


def test_a_folder_that_holds_something_is_not_played_into(
    tmp_path: Path, server: PlayServer
) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "notes.txt").write_text("mine")
    with pytest.raises(PredictionError, match=r"found notes.txt"):
        play(tmp_path / "run", server)
    other = EpisodeRun(name="other", provenance=RUN.provenance)
    EpisodeStore.create(tmp_path / "other", other)
    with pytest.raises(EpisodeError, match="name: expected other as before, found mock"):
        play(tmp_path / "other", server, resume=True)
