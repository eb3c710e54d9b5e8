"""Flags that say which model is asked, how it is reached and what it may take."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from mira.evals.inspect_runner.options import ModelOptions, Price

MODEL_HELP = (
    "Provider and name, as inspect_ai has them; hf/FOLDER or hf/NAME for weights run here; "
    "with --base-url, the server's name."
)
Reached = dict[str, Any]
"""Fields of `ModelOptions` by their names, all but `model`."""
_PLACE = "reached"


def _flags(
    base_url: Annotated[
        str | None, typer.Option("--base-url", help="An OpenAI-compatible server.", metavar="URL")
    ] = None,
    model_arg: Annotated[
        list[str] | None,
        typer.Option(
            "--model-arg",
            help="Setting of inspect_ai's provider, or of weights (device, dtype, …); repeatable.",
            metavar="NAME=VALUE",
        ),
    ] = None,
    temperature: Annotated[
        float,
        typer.Option(
            "--temperature", help="0 takes the likeliest token; below 0: not told.", metavar="T"
        ),
    ] = 0.0,
    max_tokens: Annotated[
        int,
        typer.Option("--max-tokens", help="Longest reply, thinking included.", min=1, metavar="N"),
    ] = 2048,
    max_connections: Annotated[
        int, typer.Option("--max-connections", help="Calls at a time.", min=1, metavar="N")
    ] = 10,
    retry_wait: Annotated[
        float,
        typer.Option(
            "--retry-wait",
            help="Seconds before a failed call is made again; doubled before the last try.",
            min=0,
            metavar="S",
        ),
    ] = 3.0,
    token_limit: Annotated[
        int | None,
        typer.Option(
            "--token-limit",
            help="Begin nothing once so many tokens are spent, in and out.",
            min=1,
            metavar="N",
        ),
    ] = None,
    cost_limit: Annotated[
        float | None,
        typer.Option(
            "--cost-limit", help="The same in dollars; needs --price.", min=0, metavar="USD"
        ),
    ] = None,
    price: Annotated[
        str | None,
        typer.Option("--price", help="Dollars for a million tokens in, and out.", metavar="IN,OUT"),
    ] = None,
) -> Reached:
    """How a model is reached, from flags."""
    from mira.schema.evaluation import Decoding

    if cost_limit is not None and price is None:
        raise typer.BadParameter(
            "nobody knows what a token costs without --price", param_hint="--cost-limit"
        )
    return {
        "base_url": base_url,
        "model_args": dict(_setting(text) for text in model_arg or ()),
        "decoding": Decoding(
            temperature=None if temperature < 0 else temperature, max_tokens=max_tokens
        ),
        "max_connections": max_connections,
        "retry_wait_s": retry_wait,
        "token_limit": token_limit,
        "cost_limit_usd": cost_limit,
        "price": None if price is None else _price(price),
    }


def with_model_flags(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes the flags of a model in place of its parameter `reached`.

    Args:
        command: Its `reached` gets fields of `ModelOptions` by their names, all but `model`.
    """
    flags = inspect.signature(_flags, eval_str=True).parameters
    own = inspect.signature(command, eval_str=True).parameters
    parameters: list[inspect.Parameter] = []
    for name, parameter in own.items():
        parameters += flags.values() if name == _PLACE else [parameter]

    @wraps(command)
    def run(**given: Any) -> None:
        reached = _flags(**{name: given.pop(name) for name in flags})
        command(**given, **{_PLACE: reached})

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run


def tell_download(models: Iterable[ModelOptions]) -> None:
    """Say on stderr which weights are about to come from elsewhere."""
    from mira.evals.inspect_runner.weights import hub_note

    for options in models:
        if note := hub_note(options):
            typer.echo(note, err=True)


def _setting(text: str) -> tuple[str, Any]:
    import yaml

    name, mark, value = text.partition("=")
    if not name or not mark:
        raise typer.BadParameter(f"expected NAME=VALUE, found {text!r}", param_hint="--model-arg")
    try:
        return name, yaml.safe_load(value)
    except yaml.YAMLError as error:
        problem = f"expected a value in YAML: {' '.join(str(error).split())}"
        raise typer.BadParameter(problem, param_hint="--model-arg") from None


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
