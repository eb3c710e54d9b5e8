"""What was heard so far: one line a question, written when it is heard.

The log of inspect_ai is for looking at: it is written in pieces, and a killed process leaves the
last out.
"""

from __future__ import annotations

from pathlib import Path

from mira.errors import PredictionError
from mira.schema.evaluation import Prediction
from mira.schema.record import Record
from mira.store.heard_lines import read_lines


class Heard(Record):
    """What became of a question that was asked."""

    key: str
    """The question and its modality."""
    prediction: Prediction
    """What the model said; `failed` where it was not heard."""
    input_tokens: int = 0
    """Tokens that went in, over all calls."""
    output_tokens: int = 0
    """Tokens that came out, over all calls."""
    wall_s: float = 0
    """From the first call to the last reply."""
    error: str | None = None
    """Why the model was not heard; absent where it was."""

    @property
    def failed(self) -> bool:
        """Whether the model was not heard."""
        return self.prediction.status == "failed"


def read_journal(path: Path) -> dict[str, Heard]:
    """What was heard, by key; the last line about a question counts.

    Args:
        path: The journal; one that is not there yet is empty.

    Raises:
        PredictionError: A line is no record of what was heard.
    """
    return {one.key: one for one in read_lines(path, Heard, error=PredictionError)}
