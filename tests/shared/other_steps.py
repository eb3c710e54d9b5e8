"""Episodes whose steps another program wrote, sums and all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from mira.store.checksums import SUMS_NAME, format_sums, read_sums


def change_steps(episode: Path, change: Callable[[str], str]) -> None:
    """Change the text of an episode's steps, and the sum of it."""
    path = episode / "steps.jsonl"
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    sums = read_sums(episode)
    assert isinstance(sums, dict)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    (episode / SUMS_NAME).write_bytes(format_sums({**sums, path.name: digest}))
