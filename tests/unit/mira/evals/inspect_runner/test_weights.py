"""Weights are found, described and told apart without anything that runs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mira.errors import MiraError, MissingExtraError
from mira.evals.inspect_runner.options import AskingOptions
from mira.evals.inspect_runner.weights import (
    hub_note,
    weights_digest,
    weights_folder,
    weights_settings,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("config.json", "model.safetensors", "optimizer.pt", ".notes.json"):
        (tmp_path / name).write_text(name)
    return tmp_path


def test_a_folder_is_a_folder_and_another_name_is_looked_for_on_the_hub(folder: Path) -> None:
    assert weights_folder(str(folder)) == folder
    assert weights_folder("llava-hf/llava-1.5-7b-hf") is None
    assert hub_note(AskingOptions(model=f"hf/{folder}")) is None
    assert "downloaded" in (hub_note(AskingOptions(model="hf/org/name")) or "")


def test_only_weights_that_run_here_are_weights() -> None:
    assert AskingOptions(model="hf/org/name").weights == "org/name"
    assert AskingOptions(model="hf//a/folder").weights == "/a/folder"
    assert AskingOptions(model="hf/org/name", base_url="http://127.0.0.1:8000/v1").weights is None
    assert AskingOptions(model="openai/gpt").weights is None
    assert hub_note(AskingOptions(model="openai/gpt")) is None


@pytest.mark.parametrize("name", ["./nosuch", "/nosuch/folder", "a/b/c", "~/nosuch", "..", "a b"])
def test_what_is_neither_is_told_of_before_anything_is_loaded(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MiraError, match=r"expected (a folder of )?weights"):
        weights_folder(name)


def test_the_digest_is_that_of_the_files_that_decide_what_is_said(folder: Path) -> None:
    before = weights_digest(folder)
    sums = subprocess.run(
        ["sha256sum", "config.json", "model.safetensors"], cwd=folder, capture_output=True,
        check=True,
    ).stdout  # fmt: skip
    by_hand = subprocess.run(["sha256sum"], input=sums, capture_output=True, check=True).stdout
    assert before == f"sha256:{by_hand.decode().split()[0]}"
    (folder / "optimizer.pt").write_text("trained on")
    (folder / "checkpoint-1").mkdir()
    assert weights_digest(folder) == before
    (folder / "chat_template.jinja").write_text("another way to ask")
    assert weights_digest(folder) != before


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"devise": "cpu"}, "--model-arg: expected one of device, dtype, .*found devise"),
        ({"seed": "x"}, "--model-arg: seed: .*found 'x'"),
        ({"processor": 3}, "--model-arg: processor: .*found 3"),
    ],
)
def test_a_setting_that_is_none_of_theirs_is_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(MiraError, match=said):
        weights_settings(given)


@pytest.mark.parametrize("missing", ["accelerate", "torch", "transformers"])
def test_who_lacks_what_runs_weights_is_told_what_to_install(
    missing: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra `eval`")
    from mira.evals.inspect_runner.model import open_model

    if missing != "accelerate":
        pytest.importorskip("torch", reason="needs the extra `local`")
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtraError, match=rf"{missing}.*setup\.sh local"):
        open_model(AskingOptions(model=f"hf/{folder}"))
