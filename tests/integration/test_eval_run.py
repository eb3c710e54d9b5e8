"""A model is asked, by a server that is busy, slow, faulty and hard to understand."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from extras import skip_without
from model_server import ModelServer, Way, known_questions, listening

from mira.errors import MiraError, PredictionError, ReleaseError
from mira.evals.inspect_runner.options import AskingOptions, Price
from mira.evals.inspect_runner.running import run_model
from mira.evals.mira_bench.judging import judge_runs
from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.mira_bench.release import score_release
from mira.schema.evaluation import Decoding

skip_without("inspect_ai", extra="eval")
skip_without("openai", extra="eval")
# What is left open when inspect_ai ends is its own affair.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed:ResourceWarning")
OPTIONS = AskingOptions(
    model="mock",
    protocols=("visual_bbox",),
    modalities=("rgb_dm",),
    retry_wait_s=0.01,
    max_connections=8,
)
STORM: tuple[Way, ...] = (
    "busy once", "malformed", "right", "fault once", "malformed", "slow", "right", "busy",
    "malformed", "right", "garbled", "garbled once", "malformed", "hopeless", "right", "right",
    "right", "busy once", "right", "right",
)  # fmt: skip
"""Of twenty questions, three meet a busy server, four are answered badly, two are garbled …"""


@pytest.fixture(autouse=True)
def _swept() -> Iterator[None]:
    """Streams that inspect leaves open are closed while that is still no warning."""
    yield
    gc.collect()
    # What is left is inspect itself, which is large: the next sweep passes over it.
    gc.freeze()


@pytest.fixture
def server(full_release: Path, tmp_path: Path) -> Iterator[ModelServer]:
    """Knows the questions of `OPTIONS`, and answers all of them right until told otherwise."""
    known = known_questions(full_release, OPTIONS, tmp_path / "known")
    with listening(ModelServer(known, {})) as server:
        yield server
        assert server.unknown == []


@pytest.fixture
def options(server: ModelServer) -> AskingOptions:
    return replace(OPTIONS, base_url=server.url)


def ids_of(server: ModelServer) -> list[str]:
    return [one.question_id for one in server.known.values()]


def in_a_storm(server: ModelServer) -> dict[str, Way]:
    return {name: STORM[k % len(STORM)] for k, name in enumerate(ids_of(server))}


def ways_of(ways: dict[str, Way], *wanted: Way) -> set[str]:
    return {name for name, way in ways.items() if way in wanted}


def lines_of(run: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (run / "replies.jsonl").read_text("utf-8").splitlines()]


def test_in_a_storm_all_that_is_heard_counts_and_a_rerun_asks_what_failed(
    full_release: Path, tmp_path: Path, server: ModelServer, options: AskingOptions
) -> None:
    server.ways = ways = in_a_storm(server)
    out = tmp_path / "run"
    tally = run_model(full_release, out, options=options)

    failing = ways_of(ways, "busy", "garbled")
    misread = ways_of(ways, "malformed", "hopeless")
    assert {one["question_id"] for one in lines_of(out) if one["status"] == "failed"} == failing
    assert (tally.asked, tally.failed, tally.missing) == (len(ways), len(failing), 0)
    assert tally.kinds["repaired"] == len(ways_of(ways, "malformed"))
    assert tally.kinds["unparsable"] == len(ways_of(ways, "hopeless"))
    assert set(server.repairs) == misread
    assert all(server.asked[name] == 3 for name in failing)
    assert all(server.asked[name] == 2 for name in ways_of(ways, "garbled once"))

    (judged,) = judge_runs([out]).runs
    wrong = {name for name, one in judged.outcomes.items() if one is not Outcome.RIGHT}
    assert wrong == failing | ways_of(ways, "hopeless")
    table = score_release(full_release, out / "replies.jsonl", protocol="visual_bbox").table
    # A run knows what it was asked.
    assert score_release(full_release, out).table == table
    assert (table.complete, table.rows[-1].n_unscored) == (False, len(failing))

    server.ways = {}
    server.asked.clear()
    again = run_model(full_release, out, options=options, resume=True)
    assert set(server.asked) == failing
    assert again.complete
    names = [one["question_id"] for one in lines_of(out)]
    assert sorted(names) == sorted(ways)

    server.asked.clear()
    before = (out / "replies.jsonl").read_bytes()
    assert run_model(full_release, out, options=options, resume=True).complete
    assert not server.asked
    assert (out / "replies.jsonl").read_bytes() == before


def test_a_reply_that_was_cut_or_withheld_is_told_apart_from_one_that_failed(
    full_release: Path, tmp_path: Path, server: ModelServer, options: AskingOptions
) -> None:
    first, second, *_ = ids_of(server)
    server.ways = {first: "cut", second: "withheld"}
    tally = run_model(full_release, tmp_path / "run", options=options)
    kinds = {one["question_id"]: one["status"] for one in lines_of(tmp_path / "run")}
    assert (kinds[first], kinds[second]) == ("truncated", "refused")
    assert tally.complete
    (judged,) = judge_runs([tmp_path / "run"]).runs
    assert judged.said[first].kind == "truncated"
    assert judged.said[second].kind == "refused"


def test_half_a_letter_in_a_reply_is_kept_as_one_that_cannot_be_read(
    full_release: Path, tmp_path: Path, server: ModelServer, options: AskingOptions
) -> None:
    first, *_ = ids_of(server)
    server.ways = {first: "half a letter"}
    tally = run_model(full_release, tmp_path / "run", options=options)
    assert tally.complete
    (line,) = [one for one in lines_of(tmp_path / "run") if one["question_id"] == first]
    assert str(line["raw_text"]).startswith("? It")


def test_the_log_is_read_by_inspect_itself_and_holds_every_question_but_no_picture(
    full_release: Path, tmp_path: Path, server: ModelServer, options: AskingOptions
) -> None:
    from inspect_ai.log import read_eval_log

    server.ways = in_a_storm(server)
    tally = run_model(full_release, tmp_path / "run", options=options)
    assert tally.log is not None
    log = read_eval_log(str(tally.log))
    assert log.status == "success"
    samples = log.samples or []
    assert len(samples) == tally.asked
    assert {one.metadata["question_id"] for one in samples} == set(ids_of(server))
    assert sum(one.error is not None for one in samples) == tally.failed
    assert "data:image" not in log.model_dump_json()
    work = tally.log.parents[1]
    assert all((work / path).is_file() for one in samples for path in one.metadata["pictures"])


def test_a_server_that_is_not_there_fails_every_question_and_the_run_says_so(
    full_release: Path, tmp_path: Path
) -> None:
    options = replace(OPTIONS, base_url="http://127.0.0.1:9/v1", limit=3)
    tally = run_model(full_release, tmp_path / "run", options=options)
    assert (tally.asked, tally.failed, tally.complete) == (3, 3, False)
    assert tally.errors == {"APIConnectionError: Connection error.": 3}


def test_no_question_is_begun_once_the_tokens_are_spent(
    full_release: Path, tmp_path: Path, server: ModelServer, options: AskingOptions
) -> None:
    price = Price(input_usd=1.0, output_usd=10.0)
    few = replace(options, token_limit=1100, max_connections=1, price=price)
    tally = run_model(full_release, tmp_path / "run", options=few)
    assert tally.spent
    assert 10 <= sum(tally.kinds.values()) <= 12
    assert tally.cost_usd == pytest.approx(sum(tally.kinds.values()) * 0.0002)
    rest = run_model(
        full_release, tmp_path / "run", options=replace(options, price=price), resume=True
    )
    assert rest.complete
    assert set(server.asked.values()) == {1}


def test_several_protocols_and_modalities_are_runs_of_their_own_on_one_page(
    full_release: Path, tmp_path: Path
) -> None:
    options = AskingOptions(
        model="mock", protocols=("visual_bbox", "visual_mask"), modalities=("rgb", "rgb_d")
    )
    known = known_questions(full_release, options, tmp_path / "known")
    with listening(ModelServer(known, {})) as server:
        out = tmp_path / "runs"
        tally = run_model(full_release, out, options=replace(options, base_url=server.url))
        assert server.unknown == []
    assert sorted(path.name for path in tally.folders) == [
        "visual_bbox-rgb", "visual_bbox-rgb_d", "visual_mask-rgb", "visual_mask-rgb_d"
    ]  # fmt: skip
    for judged in judge_runs(tally.folders).runs:
        assert set(judged.outcomes.values()) == {Outcome.RIGHT}
    # Collision risk is the same question in both protocols.
    assert all(count == 2 for count in server.asked.values())


def test_a_run_that_was_asked_otherwise_is_not_gone_on_with(
    full_release: Path, tmp_path: Path, server: ModelServer, options: AskingOptions
) -> None:
    few = replace(options, limit=2)
    run_model(full_release, tmp_path / "run", options=few)
    with pytest.raises(PredictionError, match="--resume"):
        run_model(full_release, tmp_path / "run", options=few)
    hotter = replace(few, decoding=Decoding(temperature=1.0))
    with pytest.raises(PredictionError, match="decoding: expected"):
        run_model(full_release, tmp_path / "run", options=hotter, resume=True)
    with pytest.raises(ReleaseError, match="split"):
        run_model(full_release, tmp_path / "other", options=replace(few, split="nosuch"))
    with pytest.raises(MiraError, match="nosuch"):
        run_model(full_release, tmp_path / "other", options=AskingOptions(model="nosuch/model"))


def command(release: Path, out: Path, url: str, *more: str) -> list[str]:
    words = ["eval", "run", release, "--model", "mock", "--base-url", url, "--out", out]
    words += ["--modality", "rgb_dm", "--retry-wait", "0.01", "--max-connections", "4", *more]
    return [sys.executable, "-m", "mira.cli.main", *map(str, words)]


@pytest.mark.slow
def test_after_a_kill_no_question_that_was_heard_is_asked_again_and_none_is_missing(
    full_release: Path, tmp_path: Path, server: ModelServer
) -> None:
    server.ways = dict.fromkeys(ids_of(server), "slow")
    out, journal = tmp_path / "run", tmp_path / "run" / "inspect" / "heard.jsonl"
    killed = subprocess.Popen(command(full_release, out, server.url), stderr=subprocess.DEVNULL)
    end_s = time.monotonic() + 120
    while not journal.exists() or journal.read_bytes().count(b"\n") < 10:
        assert killed.poll() is None
        assert time.monotonic() < end_s
        time.sleep(0.01)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    heard = {
        json.loads(line)["prediction"]["question_id"]
        for line in journal.read_bytes().split(b"\n")[:-1]
    }
    assert 10 <= len(heard) < len(server.known)

    time_left = server.asked.copy()
    server.ways = {}
    done = subprocess.run(
        command(full_release, out, server.url, "--resume", "--json"),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["complete"]
    asked_again = {name for name, count in server.asked.items() if count > time_left[name]}
    assert asked_again == set(ids_of(server)) - heard
    assert sorted(str(one["question_id"]) for one in lines_of(out)) == sorted(ids_of(server))
    (judged,) = judge_runs([out]).runs
    assert set(judged.outcomes.values()) == {Outcome.RIGHT}
    assert f"Next: mira eval report {out}" in done.stderr


@pytest.mark.slow
def test_an_interrupt_writes_what_was_heard_and_says_how_to_go_on(
    full_release: Path, tmp_path: Path, server: ModelServer
) -> None:
    server.ways = dict.fromkeys(ids_of(server), "slow")
    out, journal = tmp_path / "run", tmp_path / "run" / "inspect" / "heard.jsonl"
    running = subprocess.Popen(
        command(full_release, out, server.url),
        stderr=subprocess.PIPE,
        text=True,
        # Who runs the tests in the background has interrupts ignored, and passes that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    end_s = time.monotonic() + 120
    while not journal.exists() or not journal.read_bytes():
        assert running.poll() is None
        assert time.monotonic() < end_s
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    assert "--resume" in said
    assert 0 < len(lines_of(out)) < len(server.known)


def test_a_dry_run_shows_the_first_question_counts_all_and_asks_nobody(
    full_release: Path, tmp_path: Path, server: ModelServer
) -> None:
    from mira.evals.inspect_runner.rehearsing import rehearse

    found = rehearse(full_release, tmp_path / "run", options=OPTIONS)
    assert found.questions == len(server.known)
    assert found.pictures == 2 * found.questions
    assert [one.role for one in found.first_pictures] == ["rgb", "depth"]
    assert (found.first_prompt, found.first_id) in {
        (text, one.question_id) for (text, _), one in server.known.items()
    }
    assert found.input_tokens > found.questions * 100
    assert not server.asked
    assert not (tmp_path / "run").exists()
