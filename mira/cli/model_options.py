"""Flags that say which model is asked, how it is reached and what it may take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from mira.evals.inspect_runner.options import ModelOptions, Price

MODEL_HELP = (
    "Provider and name, as inspect_ai has them; hf/FOLDER or hf/NAME for weights run here; "
    "with --base-url, the server's name."
)
BaseUrlOption = Annotated[
    str | None, typer.Option("--base-url", help="An OpenAI-compatible server.", metavar="URL")
]
ModelArgOption = Annotated[
    list[str] | None,
    typer.Option(
        "--model-arg",
        help="Setting of inspect_ai's provider, or of weights (device, dtype, …); repeatable.",
        metavar="NAME=VALUE",
    ),
]
TemperatureOption = Annotated[
    float,
    typer.Option(
        "--temperature", help="0 takes the likeliest token; below 0: not told.", metavar="T"
    ),
]
MaxTokensOption = Annotated[
    int,
    typer.Option("--max-tokens", help="Longest reply, thinking included.", min=1, metavar="N"),
]
MaxConnectionsOption = Annotated[
    int, typer.Option("--max-connections", help="Calls at a time.", min=1, metavar="N")
]
RetryWaitOption = Annotated[
    float,
    typer.Option(
        "--retry-wait",
        help="Seconds before a failed call is made again; doubled before the last try.",
        min=0,
        metavar="S",
    ),
]
TokenLimitOption = Annotated[
    int | None,
    typer.Option(
        "--token-limit",
        help="Begin nothing once so many tokens are spent, in and out.",
        min=1,
        metavar="N",
    ),
]
CostLimitOption = Annotated[
    float | None,
    typer.Option("--cost-limit", help="The same in dollars; needs --price.", min=0, metavar="USD"),
]
PriceOption = Annotated[
    str | None,
    typer.Option("--price", help="Dollars for a million tokens in, and out.", metavar="IN,OUT"),
]


def tell_download(models: Iterable[ModelOptions]) -> None:
    """Say on stderr which weights are about to come from elsewhere."""
    from mira.evals.inspect_runner.weights import hub_note

    for options in models:
        if note := hub_note(options):
            typer.echo(note, err=True)


def reaching(
    *,
    model_args: Iterable[str],
    temperature: float,
    max_tokens: int,
    price: str | None,
    cost_limit_usd: float | None,
    **others: Any,
) -> dict[str, Any]:
    """Fields of `ModelOptions` by their names.

    Args:
        model_args: `NAME=VALUE` each.
        temperature: Below 0 for none.
        max_tokens: Longest reply.
        price: `IN,OUT`; None where nobody knows.
        cost_limit_usd: Needs a price.
        others: Fields as they are.
    """
    from mira.schema.evaluation import Decoding

    if cost_limit_usd is not None and price is None:
        raise typer.BadParameter(
            "nobody knows what a token costs without --price", param_hint="--cost-limit"
        )
    return {
        "model_args": dict(_setting(text) for text in model_args),
        "decoding": Decoding(
            temperature=None if temperature < 0 else temperature, max_tokens=max_tokens
        ),
        "price": None if price is None else _price(price),
        "cost_limit_usd": cost_limit_usd,
        **others,
    }


def _setting(text: str) -> tuple[str, Any]:
    import yaml

    name, mark, value = text.partition("=")
    if not name or not mark:
        raise typer.BadParameter(f"expected NAME=VALUE, found {text!r}", param_hint="--model-arg")
    return name, yaml.safe_load(value)


def _price(text: str) -> Price:
    from mira.evals.inspect_runner.options import Price

    try:
        price = Price(*map(float, text.split(",")))
    except (TypeError, ValueError):
        price = Price(-1, -1)
    if not (0 <= price.input_usd < float("inf") and 0 <= price.output_usd < float("inf")):
        raise typer.BadParameter(
            f"expected two numbers with a comma between them, found {text!r}", param_hint="--price"
        )
    return price
