"""Who plays: each under a code name, in a run of their own, known again by a key."""

from __future__ import annotations

import hmac
import threading
from pathlib import Path

from annotate.code_names import require_code_name
from annotate.desk.passwords import new_token, token_digest
from annotate.playing.offer import Offer
from annotate.playing.sitting import Sitting
from mira.errors import DeskError
from mira.store.atomic import os_faults, write_file
from mira.store.names import require_name

FOLDER = "played"
"""Folder beside a run's files: replies that were heard, and the digest of the player's key."""
JOURNAL_NAME, KEY_NAME = "replies.jsonl", "key.sha256"


class Players:
    """Those who play an offer, several at a time.

    Attributes:
        offer: What they play.
        only: Who alone plays, and needs no key; None where anybody may.
    """

    def __init__(self, offer: Offer, root: Path, *, only: str | None = None) -> None:
        """Find out who has played so far.

        Args:
            offer: What they play.
            root: Folder of their runs, each named by its person.
            only: Code name of who alone plays.

        Raises:
            MiraError: It is none, or a run that is there has other settings.
        """
        self.offer, self.only = offer, only
        self._root = root
        self._sittings: dict[str, Sitting] = {}
        self._lock = threading.Lock()
        if only is not None:
            require_name(require_code_name(only))
            self.sitting(only)
            return
        for folder in root.glob(f"*/{FOLDER}"):
            offer.course_of(folder.parent.name, folder.parent)

    def join(self, name: str) -> str:
        """A token by which who comes first under a code name is known again.

        Raises:
            DeskError: It is no name, or somebody has it.
        """
        if self.only is not None:
            raise DeskError(name, "is not who plays here", code="not-allowed")
        require_name(require_code_name(name))
        path = self._key_path(name)
        with self._lock:
            run = self._root / name
            if path.exists() or (run.exists() and not path.parent.exists()):
                fix = "if it is yours, come by your own link; else choose another"
                raise DeskError(name, "is taken", fix, code="name-taken")
            key = new_token()
            self._begin(name)
            write_file(path, token_digest(key).encode())
        return f"{name}.{key}"

    def who(self, token: str | None) -> str | None:
        """The code name of who has a token; None for nobody."""
        if self.only is not None:
            return self.only
        name, _, key = (token or "").partition(".")
        try:
            known = self._key_path(require_code_name(name)).read_text("utf-8")
        except (DeskError, OSError):
            return None
        return name if hmac.compare_digest(known, token_digest(key)) else None

    def sitting(self, name: str) -> Sitting:
        """How far somebody is."""
        with self._lock:
            return self._begin(name)

    def _begin(self, name: str) -> Sitting:
        if name not in self._sittings:
            run = self._root / name
            course = self.offer.course_of(name, run)
            with os_faults(run):
                (run / FOLDER).mkdir(exist_ok=True)
            self._sittings[name] = Sitting(course, run / FOLDER / JOURNAL_NAME)
        return self._sittings[name]

    def _key_path(self, name: str) -> Path:
        return self._root / name / FOLDER / KEY_NAME
