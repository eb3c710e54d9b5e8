"""What replies took, and whether more may be asked for."""

from __future__ import annotations

from mira.evals.inspect_runner.options import ModelOptions, Price
from mira.schema.evaluation import Usage


class Spending:
    """Counts tokens against the limits of options.

    Args:
        options: What may be spent, and what it costs.
        before: What earlier processes took.
    """

    def __init__(self, options: ModelOptions, before: Usage) -> None:
        self._options = options
        self._in, self._out = before.input_tokens, before.output_tokens

    def add(self, input_tokens: int, output_tokens: int) -> None:
        """Count a call."""
        self._in += input_tokens
        self._out += output_tokens

    @property
    def usage(self) -> Usage:
        """All that was counted."""
        return usage_of_tokens(self._in, self._out, self._options.price)

    @property
    def spent(self) -> bool:
        """Whether nothing further may be begun."""
        options, usage = self._options, self.usage
        tokens = usage.input_tokens + usage.output_tokens
        too_many = options.token_limit is not None and tokens >= options.token_limit
        cost = usage.cost_usd or 0.0
        return too_many or (options.cost_limit_usd is not None and cost >= options.cost_limit_usd)


def usage_of_tokens(input_tokens: int, output_tokens: int, price: Price | None) -> Usage:
    """Tokens with what they cost.

    Args:
        input_tokens: In.
        output_tokens: Out.
        price: What the provider charges; None where nobody knows.
    """
    cost = (
        None
        if price is None
        else (input_tokens * price.input_usd + output_tokens * price.output_usd) / 1e6
    )
    return Usage(input_tokens=input_tokens, output_tokens=output_tokens, cost_usd=cost)
