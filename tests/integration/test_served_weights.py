"""Weights that transformers serves on this machine say what they say when they are run here."""

from __future__ import annotations

import gc
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from extras import skip_without

skip_without("inspect_ai", extra="eval")
pytest.importorskip("torch", reason="needs the extra `local`")
transformers = pytest.importorskip("transformers", reason="needs the extra `local`")
if not transformers.utils.import_utils.is_serve_available():
    pytest.skip("needs transformers[serving]", allow_module_level=True)

from tiny_llava import save_tiny_llava  # noqa: E402

from mira.evals.inspect_runner.options import AskingOptions  # noqa: E402
from mira.evals.inspect_runner.running import run_model  # noqa: E402
from mira.schema.evaluation import Decoding  # noqa: E402

# What is left open when inspect_ai ends is its own affair.
pytestmark = [pytest.mark.filterwarnings("ignore:Unclosed:ResourceWarning"), pytest.mark.slow]
_STARTS_WITHIN_S = 120


@pytest.fixture(autouse=True)
def _swept() -> Iterator[None]:
    yield
    gc.collect()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A name that a server knows, and where it listens."""
    folder = str(save_tiny_llava(tmp_path / "tiny"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    words = ["serve", folder, "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    program = "from transformers.cli.transformers import main; main()"
    with (tmp_path / "said").open("wb") as said:
        server = subprocess.Popen(
            [sys.executable, "-c", program, *words],
            env={**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
            stdout=said,
            stderr=said,
        )
    try:
        _wait_for(server, url, tmp_path / "said")
        yield folder, f"{url}/v1"
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait_for(server: subprocess.Popen[bytes], url: str, said: Path) -> None:
    end_s = time.monotonic() + _STARTS_WITHIN_S
    while time.monotonic() < end_s and server.poll() is None:
        try:
            with urlopen(f"{url}/v1/models", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the server did not start: {said.read_text('utf-8')[-500:]}")


def test_what_a_server_says_of_pictures_is_what_the_weights_say_here(
    full_release: Path, tmp_path: Path, served: tuple[str, str]
) -> None:
    folder, url = served

    def replies(out: str, model: str, base_url: str | None) -> bytes:
        options = AskingOptions(
            model=model,
            base_url=base_url,
            protocols=("visual_mask",),
            modalities=("rgb_dm",),
            decoding=Decoding(max_tokens=8),
            limit=8,
        )
        tally = run_model(full_release, tmp_path / out, options=options)
        assert (tally.complete, tally.asked) == (True, 8)
        return (tmp_path / out / "replies.jsonl").read_bytes()

    assert replies("served", folder, url) == replies("here", f"hf/{folder}", None)
