"""Flags of `mira eval run` as what is asked of whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from mira.evals.inspect_runner.options import AskingOptions, Price


def asking_options(
    *,
    model_args: Iterable[str],
    protocols: str,
    modalities: str,
    temperature: float,
    max_tokens: int,
    price: str | None,
    cost_limit_usd: float | None,
    **others: Any,
) -> AskingOptions:
    """What is asked of whom.

    Args:
        model_args: `NAME=VALUE` each.
        protocols: `all`, or ids with commas between them.
        modalities: The same.
        temperature: Below 0 for none.
        max_tokens: Longest reply.
        price: `IN,OUT`; None where nobody knows.
        cost_limit_usd: Needs a price.
        others: Fields of `AskingOptions` as they are.
    """
    from mira.evals.inspect_runner.options import AskingOptions
    from mira.schema.evaluation import Decoding
    from mira.taxonomy.catalogue import taxonomy

    if cost_limit_usd is not None and price is None:
        raise typer.BadParameter(
            "nobody knows what a token costs without --price", param_hint="--cost-limit"
        )
    known_protocols: list[str] = [one.id for one in taxonomy().protocols]
    chosen: Any = _chosen(protocols, known_protocols, "--protocol")
    shown: Any = _chosen(modalities, [one.id for one in taxonomy().modalities], "--modality")
    return AskingOptions(
        model_args=dict(_setting(text) for text in model_args),
        protocols=None if set(chosen) == set(known_protocols) else chosen,
        modalities=shown,
        decoding=Decoding(
            temperature=None if temperature < 0 else temperature, max_tokens=max_tokens
        ),
        price=None if price is None else _price(price),
        cost_limit_usd=cost_limit_usd,
        **others,
    )


def _chosen(text: str, known: Sequence[str], flag: str) -> tuple[str, ...]:
    if text == "all":
        return tuple(known)
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        if name not in known:
            raise typer.BadParameter(
                f"expected all, or some of {', '.join(known)}, found {name!r}", param_hint=flag
            )
    return names


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
