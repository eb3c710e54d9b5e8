"""`mira qa`: questions with answers from annotations."""

from __future__ import annotations

from mira.cli.plain_help import PlainTyper
from mira.cli.qa_export import export
from mira.cli.qa_generate import generate
from mira.cli.qa_import import import_
from mira.cli.qa_lint import lint
from mira.cli.qa_propose import propose
from mira.cli.qa_render import render
from mira.cli.qa_stats import stats
from mira.cli.qa_verify import verify
from mira.cli.qa_view import view

app = PlainTyper()
app.command()(generate)
app.command()(propose)
app.command()(verify)
app.command()(lint)
app.command()(export)
app.command("import")(import_)
app.command()(render)
app.command()(view)
app.command()(stats)
