"""The page on which people play the mirror test, served as a command serves it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path


class Served:
    """`mira eval mirror run --policy browser`, in a process of its own."""

    def __init__(self, out: Path, *words: str) -> None:
        self.out, self.port, self._words = out, 0, words
        self._log = out.with_name("said.log")
        self.start()

    def start(self) -> None:
        """Start it, at the same port as before."""
        command = ("-m", "mira.cli.main", "eval", "mirror", "run", "--policy", "browser")
        words = ("--out", str(self.out), "--port", str(self.port), *self._words)
        with self._log.open("wb") as log:
            self.process = subprocess.Popen([sys.executable, *command, *words], stderr=log)
        end = time.monotonic() + 60
        while not (found := re.search(r"Play: http://127\.0\.0\.1:(\d+)", self.said)):
            assert self.process.poll() is None, self.said
            assert time.monotonic() < end, self.said
            time.sleep(0.02)
        self.port = int(found[1])

    @property
    def said(self) -> str:
        """What it printed so far."""
        return self._log.read_text("utf-8")

    def end(self, how: signal.Signals) -> int:
        """End it; gives back its exit status."""
        self.process.send_signal(how)
        return self.process.wait(timeout=30)
