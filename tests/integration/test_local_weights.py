"""Weights on this machine are asked the questions of a release, pictures included."""

from __future__ import annotations

import gc
import io
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from extras import skip_without

skip_without("inspect_ai", extra="eval")
torch = pytest.importorskip("torch", reason="needs the extra `local`")
pytest.importorskip("transformers", reason="needs the extra `local`")

from PIL import Image  # noqa: E402
from tiny_llava import POSITIONS, TOKENS_A_PICTURE, save_tiny_llava  # noqa: E402
from transformers import (  # noqa: E402
    LlamaConfig,
    LlamaForCausalLM,
    LlavaForConditionalGeneration,
)

from mira.errors import MiraError, PredictionError  # noqa: E402
from mira.evals.inspect_runner.model import open_model  # noqa: E402
from mira.evals.inspect_runner.options import AskingOptions, ModelOptions  # noqa: E402
from mira.evals.inspect_runner.playing import model_settings, play_with_model  # noqa: E402
from mira.evals.inspect_runner.running import run_model  # noqa: E402
from mira.evals.inspect_runner.vision_model import Turn, VisionModel  # noqa: E402
from mira.evals.inspect_runner.weights import WeightsSettings  # noqa: E402
from mira.evals.mira_bench.judging import judge_runs  # noqa: E402
from mira.evals.mira_bench.outcomes import Outcome  # noqa: E402
from mira.evals.mira_bench.runs import read_manifest  # noqa: E402
from mira.schema.episode import EpisodeRun  # noqa: E402
from mira.schema.evaluation import Decoding  # noqa: E402
from mira.schema.record import Provenance  # noqa: E402
from mira.sim.reach.play import ReachPlay, reach_episode_id  # noqa: E402
from mira.sim.reach.rules import ReachPolicy  # noqa: E402
from mira.sim.reach.scenes import reach_scenes  # noqa: E402

# What is left open when inspect_ai ends is its own affair.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed:ResourceWarning")
COLORS = ("red", "blue", "gray")


@pytest.fixture(autouse=True)
def _swept(request: pytest.FixtureRequest) -> Iterator[None]:
    """Streams that inspect leaves open are closed while that is still no warning."""
    yield
    if "full_release" in request.fixturenames:
        gc.collect()


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here may reach for a network."""

    def refuse(*arguments: object) -> None:
        raise AssertionError(f"something connects to {arguments[1]}")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    """Threads that wait for each other take longer than layers so small."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_llava(tmp_path_factory.mktemp("weights") / "tiny")


@pytest.fixture(scope="module")
def model(tiny: Path) -> VisionModel:
    return VisionModel(str(tiny), WeightsSettings())


@pytest.fixture
def pictures() -> dict[str, bytes]:
    files = {color: io.BytesIO() for color in COLORS}
    for color, file in files.items():
        Image.new("RGB", (64, 48), color).save(file, "PNG")
    return {color: file.getvalue() for color, file in files.items()}


def chat(*pictures: bytes, text: str = "What is it?") -> list[Turn]:
    shown = [{"type": "image", "image": picture} for picture in pictures]
    return [{"role": "user", "content": [*shown, {"type": "text", "text": text}]}]


def options_of(weights: Path, **others: object) -> AskingOptions:
    given: dict[str, object] = {
        "modalities": ("rgb_dm",),
        "decoding": Decoding(max_tokens=8),
        "model_args": {"device": "cpu"},
    }
    return AskingOptions(model=f"hf/{weights}", **{**given, **others})  # type: ignore[arg-type]


def lines_of(run: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (run / "replies.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.slow
def test_every_question_gets_a_reply_which_is_counted_for_what_it_is_and_never_asked_for_again(
    full_release: Path, tmp_path: Path, tiny: Path
) -> None:
    out, options = tmp_path / "run", options_of(tiny)
    tally = run_model(full_release, out, options=options)
    lines = lines_of(out)
    assert tally.complete
    assert tally.asked == len(lines) > 20
    assert all(line["raw_text"] is not None for line in lines)
    # Random weights say nothing, at length.
    assert tally.kinds == {"truncated": tally.asked}
    assert tally.repair_calls == sum("repair_text" in line for line in lines) > 0
    assert tally.output_tokens == 8 * (tally.asked + tally.repair_calls)
    assert tally.input_tokens > 500 * (tally.asked + tally.repair_calls)
    (judged,) = judge_runs([out]).runs
    assert set(judged.outcomes.values()) == {Outcome.UNPARSABLE}
    assert len(judged.outcomes) == tally.asked

    before = {path: path.read_bytes() for path in out.glob("*.json*")}
    journal = (out / "inspect" / "heard.jsonl").read_bytes()
    assert run_model(full_release, out, options=options, resume=True).complete
    assert (out / "inspect" / "heard.jsonl").read_bytes() == journal
    assert {path: path.read_bytes() for path in out.glob("*.json*")} == before

    run_model(full_release, tmp_path / "again", options=options)
    assert (tmp_path / "again" / "replies.jsonl").read_bytes() == before[out / "replies.jsonl"]


def test_a_reply_that_came_to_its_end_is_told_apart_from_one_that_was_cut(
    full_release: Path, tmp_path: Path
) -> None:
    terse = save_tiny_llava(tmp_path / "terse", talkative=False)
    options = options_of(terse, limit=6, decoding=Decoding(max_tokens=200))
    tally = run_model(full_release, tmp_path / "run", options=options)
    assert tally.kinds.get("truncated", 0) == 0
    assert sum(tally.kinds.values()) == 6
    assert 0 < tally.output_tokens < 200


def test_a_run_says_which_weights_spoke_and_goes_on_with_no_others(
    full_release: Path, tmp_path: Path, tiny: Path
) -> None:
    weights, out = Path(shutil.copytree(tiny, tmp_path / "mine")), tmp_path / "run"
    run_model(full_release, out, options=options_of(weights, limit=1))
    manifest = read_manifest(out)
    assert manifest is not None
    assert manifest.model == "hf/mine"
    said = manifest.decoding.parameters
    assert said["weights"].startswith("sha256:")
    assert (said["device"], said["dtype"]) == ("cpu", "float32")
    assert {"torch", "transformers", "inspect-ai"} <= set(manifest.versions)

    # Elsewhere they are the same; others in their place are not.
    moved = weights.rename(tmp_path / "elsewhere")
    shutil.copytree(moved, tmp_path / "other" / "mine")
    again = options_of(tmp_path / "other" / "mine", limit=1)
    assert run_model(full_release, out, options=again, resume=True).complete
    save_tiny_llava(tmp_path / "other" / "mine", seed=1)
    with pytest.raises(PredictionError, match="sha256"):
        run_model(full_release, out, options=again, resume=True)


class Gray:
    """Draws nothing but gray."""

    def draw(self, *_: object) -> Any:
        return np.full((8, 8, 3), 128, np.uint8)

    def close(self) -> None:
        """Nothing."""


def test_weights_play_episodes_too(tmp_path: Path, tiny: Path) -> None:
    scene = reach_scenes()[0]

    def opened(_: str) -> ReachPlay:
        return ReachPlay(
            scene, 1, player="tiny", model="tiny", policy=ReachPolicy(), painter=Gray()
        )

    options = ModelOptions(model=f"hf/{tiny}", decoding=Decoding(max_tokens=4))
    assert str(model_settings(options)["weights"]).startswith("sha256:")
    tally = play_with_model(
        tmp_path / "run",
        EpisodeRun(name="tiny", provenance=Provenance(tool="tests", tool_version="1")),
        opened,
        [reach_episode_id(scene, 1)],
        options=options,
        role_models={"agent": options.model},
    )
    assert tally.complete
    assert tally.replies["cut"] == sum(tally.replies.values()) > 0
    assert tally.usage.output_tokens == 4 * tally.replies["cut"]


@pytest.mark.slow
def test_weights_of_the_hub_are_named_by_their_commit(tmp_path: Path, tiny: Path) -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"
    cache = tmp_path / "hub" / "models--org--tiny"
    shutil.copytree(tiny, cache / "snapshots" / commit)
    (cache / "refs").mkdir()
    (cache / "refs" / "main").write_text(commit)
    program = (
        "from mira.evals.inspect_runner.vision_model import VisionModel\n"
        "from mira.evals.inspect_runner.weights import WeightsSettings\n"
        "print(VisionModel('org/tiny', WeightsSettings()).facts['weights'])"
    )
    said = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.strip() == f"org/tiny@{commit}"


def test_pictures_reach_the_model_in_their_order(
    model: VisionModel, pictures: dict[str, bytes]
) -> None:
    red, blue, gray = (pictures[color] for color in COLORS)
    ids = model.inputs(chat(red, blue, gray))["input_ids"][0]
    assert len(ids) - len(model.inputs(chat())["input_ids"][0]) == 3 * TOKENS_A_PICTURE
    forth = model.inputs(chat(red, blue, gray))["pixel_values"]
    back = model.inputs(chat(gray, blue, red))["pixel_values"]
    assert torch.equal(forth, back.flip(0))
    assert not torch.equal(forth, back)
    # An earlier turn of the chat keeps its pictures.
    more = [*chat(red), {"role": "assistant", "content": [{"type": "text", "text": "x"}]}, *chat()]
    assert torch.equal(model.inputs(more)["pixel_values"], model.inputs(chat(red))["pixel_values"])


def test_another_picture_makes_other_words_likely(
    model: VisionModel, tiny: Path, pictures: dict[str, bytes]
) -> None:
    weights = LlavaForConditionalGeneration.from_pretrained(tiny).eval()

    def logits(*colors: str) -> Any:
        with torch.inference_mode():
            return weights(**model.inputs(chat(*(pictures[c] for c in colors)))).logits[0, -1]

    red, again, blue = logits("red"), logits("red"), logits("blue")
    assert torch.equal(red, again)
    assert (red - blue).abs().max() > 0.1
    assert not torch.allclose(logits("red", "blue"), logits("blue", "red"))


def test_what_is_sampled_depends_on_the_seed_and_on_no_earlier_reply(
    tiny: Path, pictures: dict[str, bytes]
) -> None:
    def said(seed: int, *colors: str) -> list[str]:
        model = VisionModel(str(tiny), WeightsSettings(seed=seed))
        return [
            model.reply(chat(pictures[c]), temperature=1.0, max_tokens=30, halt=Event()).text
            for c in colors
        ]

    alone = said(0, "red")
    assert said(0, "blue", "red")[1:] == alone
    assert said(1, "red") != alone


def test_a_reply_ends_with_what_the_model_takes_and_a_longer_question_is_refused(
    model: VisionModel,
) -> None:
    def reply(letters: int) -> str:
        found = model.reply(chat(text="x" * letters), temperature=0, max_tokens=40, halt=Event())
        assert found.tokens_in + found.tokens_out <= POSITIONS
        return found.ending

    assert reply(POSITIONS - 13) == "model_length"
    with pytest.raises(MiraError, match="below its 4,096 tokens, found 4,103"):
        reply(POSITIONS + 4)


def test_an_interrupt_is_heard_at_the_next_token(model: VisionModel) -> None:
    halt = Event()
    halt.set()
    assert model.reply(chat(), temperature=0, max_tokens=500, halt=halt).tokens_out == 1


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder / "chat_template.jinja").unlink(), "no chat template"),
        (
            lambda folder: (folder / "chat_template.jinja").write_text("{{ messages[0].role }}"),
            "a place for pictures",
        ),
        (
            lambda folder: (folder / "chat_template.jinja").write_text("{{ messages[0].content }}"),
            "a place for pictures",
        ),
        (lambda folder: (folder / "model.safetensors").unlink(), "no file named model.safetensors"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"\0" * 40), "model .*tiny: "),
        (lambda folder: (folder / "processor_config.json").unlink(), "model .*tiny: |expected a"),
        (lambda folder: (folder / "config.json").write_text("{"), "model .*tiny: "),
        (lambda folder: (folder / "config.json").unlink(), "no config.json"),
    ],
)
def test_weights_that_cannot_be_asked_are_told_of_in_a_line(
    spoil: object, said: str, tmp_path: Path, tiny: Path
) -> None:
    folder = Path(shutil.copytree(tiny, tmp_path / "tiny"))
    spoil(folder)  # type: ignore[operator]
    with pytest.raises(MiraError, match=said) as caught:
        open_model(options_of(folder))
    assert len(str(caught.value)) < 700


def test_a_model_of_words_alone_is_told_apart(
    full_release: Path, tmp_path: Path, tiny: Path
) -> None:
    folder = Path(shutil.copytree(tiny, tmp_path / "llama"))
    config = LlamaConfig(
        hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=1
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    with pytest.raises(MiraError, match="takes pictures and text, found one of kind llama"):
        run_model(full_release, tmp_path / "run", options=options_of(folder))
    assert not (tmp_path / "run").exists()


def test_full_memory_fails_a_question_in_a_line_and_the_next_run_asks_it(
    full_release: Path, tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(*arguments: object, **others: object) -> None:
        # More than any machine has; this is what PyTorch says of it.
        torch.empty(1 << 50)

    options, out = options_of(tiny, limit=2), tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(LlavaForConditionalGeneration, "generate", fill)
        tally = run_model(full_release, out, options=options)
    assert tally.kinds == {"failed": 2}
    (error,) = {one.split("tokens")[0].rsplit(" ", 2)[0] for one in tally.errors}
    assert error == f"MiraError: {tiny}: memory does not hold"
    assert run_model(full_release, out, options=replace(options), resume=True).complete
