"""A number against its bounds, as a remark."""

from __future__ import annotations

from collections.abc import Iterator

from capture.selection.policy import Ceiling, Floor
from capture.selection.records import Remark, Verdict


def too_little(code: str, value: float, floor: Floor, found: str) -> Iterator[Remark]:
    """A remark where a number does not reach its floor, none where it does.

    Args:
        code: Of the remark.
        value: The number.
        floor: Its bounds.
        found: The number in words; its bound is written in percent where this has a percent sign.
    """
    if value < floor.look_below:
        verdict: Verdict = "drop" if value < floor.drop_below else "look"
        bound = floor.drop_below if verdict == "drop" else floor.look_below
        text = f"{found}, expected at least {_as_in(found, bound)}"
        yield Remark(code=code, verdict=verdict, text=text)


def too_much(code: str, value: float, ceiling: Ceiling, found: str) -> Iterator[Remark]:
    """A remark where a number passes its ceiling, none where it does not; see `too_little`."""
    if value > ceiling.look_above:
        verdict: Verdict = "drop" if value > ceiling.drop_above else "look"
        bound = ceiling.drop_above if verdict == "drop" else ceiling.look_above
        text = f"{found}, expected at most {_as_in(found, bound)}"
        yield Remark(code=code, verdict=verdict, text=text)


def in_percent(share: float, *, decimals: int = 1) -> str:
    """A share as text, such as `28.3 %`."""
    return f"{100 * share:.{decimals}f} %"


def _as_in(found: str, bound: float) -> str:
    return f"{100 * bound:g} %" if "%" in found else f"{bound:g}"
