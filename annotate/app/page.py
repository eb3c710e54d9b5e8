"""The page, hosted by Gradio: an empty place that scripts of ours fill."""

from __future__ import annotations

import os
from typing import Any

from annotate.app.gate import PAGE
from mira.errors import MissingExtraError

_FONTS = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "sans-serif")
_HEAD = (
    '<link rel="stylesheet" href="/static/page.css">'
    '<script type="module" src="/static/desk.js"></script>'
)
_QUIET = {
    "GRADIO_ANALYTICS_ENABLED": "False",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
}
"""Nothing is told to anybody, and no newer version is asked after."""


def mount_page(app: Any) -> None:
    """Mount the page into an app.

    There are no Gradio events: see docs/decisions/0016-verdicts-travel-by-plain-requests.md.

    Raises:
        MissingExtraError: Gradio is not installed.
    """
    os.environ.update(_QUIET)
    try:
        import gradio
    except ImportError:
        raise MissingExtraError("gradio", "app") from None
    with gradio.Blocks(title="MIRA", analytics_enabled=False) as blocks:
        # A column is drawn without evaluating any text; `gr.HTML` is not.
        gradio.Column(elem_id="mira-desk")
    gradio.mount_gradio_app(
        app,
        blocks,
        path=PAGE,
        ssr_mode=False,
        run_history=False,
        show_error=False,
        allowed_paths=[],
        max_file_size=1,
        footer_links=[],
        enable_monitoring=False,
        pwa=False,
        mcp_server=False,
        theme=gradio.themes.Base(font=_FONTS, font_mono=("ui-monospace", "monospace")),
        head=_HEAD,
        app_kwargs={"docs_url": None, "redoc_url": None, "openapi_url": None},
    )
