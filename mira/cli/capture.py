"""`mira capture`: a camera, a recording or another data set becomes a session."""

from __future__ import annotations

from mira.cli.capture_devices import devices
from mira.cli.capture_import import import_
from mira.cli.capture_list import list_
from mira.cli.capture_record import record
from mira.cli.capture_replay import replay
from mira.cli.capture_select import select
from mira.cli.capture_verify import verify
from mira.cli.plain_help import PlainTyper

app = PlainTyper()
app.command()(devices)
app.command()(record)
app.command()(replay)
app.command()(verify)
app.command("list")(list_)
app.command()(select)
app.command("import")(import_)


@app.callback()
def _stage() -> None:
    """Record with a depth camera, replay recordings, import other data sets; check and select."""
