"""`mira export`: releases that `datasets` reads."""

from __future__ import annotations

from mira.cli.export_build import build
from mira.cli.export_diff import diff
from mira.cli.export_inspect import inspect
from mira.cli.export_push import push
from mira.cli.export_split import split
from mira.cli.export_tasks import tasks
from mira.cli.export_verify import verify
from mira.cli.plain_help import PlainTyper

app = PlainTyper()
app.command()(split)
app.command()(build)
app.command()(verify)
app.command()(inspect)
app.command()(diff)
app.command()(tasks)
app.command()(push)
