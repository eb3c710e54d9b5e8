"""`mira eval mirror`: the mirror test, played, scored and looked at."""

from __future__ import annotations

from mira.cli.eval_mirror_import import import_
from mira.cli.eval_mirror_replay import replay
from mira.cli.eval_mirror_report import report
from mira.cli.eval_mirror_run import run
from mira.cli.eval_mirror_score import score
from mira.cli.plain_help import PlainTyper

app = PlainTyper()
app.command()(run)
app.command()(score)
app.command()(report)
app.command()(replay)
app.command("import")(import_)


@app.callback()
def _group() -> None:
    """The mirror test: a hand is to reach a mark that only a mirror shows."""
