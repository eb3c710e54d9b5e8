"""What is asked of which model, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Literal, NamedTuple

from mira.release.loading import MissingDepth
from mira.release.picture_files import ColorForm
from mira.render.style import RenderStyle
from mira.render.style_settings import NamedStyle
from mira.schema.evaluation import Decoding
from mira.schema.qa import Modality, Protocol

WEIGHTS_PROVIDER = "hf"
"""Stands before the name of weights that are run here."""
Step = Literal["drawing pictures", "asking", "playing"]
Progress = Callable[[Step, int, int], None]
"""Takes what is being done, how many are done, and how many there are."""


class Price(NamedTuple):
    """What a provider charges.

    Attributes:
        input_usd: For a million tokens that go in.
        output_usd: For a million tokens that come out.
    """

    input_usd: float
    output_usd: float


@dataclass(frozen=True)
class ModelOptions:
    """Which model is asked, how it is reached, and what it may take.

    Attributes:
        model: Provider and name, as inspect_ai has them; `hf/` and a folder or a name on the Hub
            for weights that are run here; with `base_url`, any name that the server knows.
        base_url: An OpenAI-compatible server.
        model_args: Passed on to inspect_ai's provider; for weights `WeightsSettings`.
        decoding: How replies are sampled.
        max_connections: Calls at a time.
        retries: How often a call that failed is made once more.
        retry_wait_s: Seconds before the first of these; doubled before the next.
        token_limit: Nothing is begun when so many tokens are spent, in and out.
        cost_limit_usd: The same for what they cost; needs a price.
        price: What the provider charges; None where nobody knows.
    """

    model: str
    base_url: str | None = None
    model_args: dict[str, Any] = field(default_factory=dict)
    decoding: Decoding = field(default_factory=Decoding)
    max_connections: int = 10
    retries: int = 2
    retry_wait_s: float = 3.0
    token_limit: int | None = None
    cost_limit_usd: float | None = None
    price: Price | None = None

    @property
    def weights(self) -> str | None:
        """Folder or name on the Hub of weights that are run here; None where a server is asked."""
        provider, _, name = self.model.partition("/")
        return name if provider == WEIGHTS_PROVIDER and self.base_url is None else None


@dataclass(frozen=True)
class AskingOptions(ModelOptions):
    """Who is asked which questions of a release.

    Attributes:
        protocols: How questions point at objects; None for all, in one run.
        modalities: Which pictures go along; each is a run of its own.
        styles: Looks of markers; each is a run of its own.
        split: One split alone; all where absent.
        limit: The first so many questions of each run.
        missing_depth: With a modality that shows depth, whether questions about pictures without
            it are refused or left out.
        color_form: Kind of file of rendered colours.
    """

    protocols: tuple[Protocol, ...] | None = ("visual_bbox",)
    modalities: tuple[Modality, ...] = ("rgb",)
    styles: tuple[NamedStyle, ...] = (NamedStyle("", RenderStyle()),)
    split: str | None = None
    limit: int | None = None
    missing_depth: MissingDepth = "refuse"
    color_form: ColorForm = "jpeg"


@dataclass(frozen=True)
class RunPart:
    """One run: what shares a line of a report.

    Attributes:
        folder: Where it is written.
        protocol: The one protocol; None for all.
        modality: Which pictures go along.
        style: Looks of markers.
    """

    folder: Path
    protocol: Protocol | None
    modality: Modality
    style: NamedStyle


def parts_of(out: Path, options: AskingOptions) -> tuple[RunPart, ...]:
    """The runs that options ask for: `out` itself, or folders in it where there are several."""
    protocols: tuple[Protocol | None, ...] = options.protocols or (None,)
    parts = []
    for protocol, modality, style in product(protocols, options.modalities, options.styles):
        names = [
            name
            for name, several in (
                (protocol, len(protocols) > 1),
                (modality, len(options.modalities) > 1),
                (style.name, len(options.styles) > 1),
            )
            if several and name
        ]
        folder = out / "-".join(names) if names else out
        parts.append(RunPart(folder, protocol, modality, style))
    return tuple(parts)
