"""Arguments of `mira eval tom` that mean the same for its verbs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

TomRunArgument = Annotated[
    Path,
    typer.Argument(help="A folder of questions, as import writes.", metavar="RUN", file_okay=False),
]
RepliesArgument = Annotated[
    Path,
    typer.Argument(
        help="JSON lines with question_id and answer (or raw_text), or a model's run.",
        metavar="REPLIES",
    ),
]
