"""How near to a threshold measured answers are."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable
from typing import get_args

import numpy as np

from mira.schema.qa import QAItem
from mira.schema.spatial import MarginUnit, SpatialPolicy
from qa_gen.quality.records import Margins
from qa_gen.quality.reporting import FindingList

CloseCall = Callable[[QAItem], bool]
"""Whether somebody marked the answer to an item as a close call."""
_UNITS = {str(unit): unit for unit in get_args(MarginUnit)}
_DIGITS = 4


class MarginCheck:
    """Gathers margins, eight bytes each.

    Args:
        findings: Where close calls are told.
        spatial: What a close call is.
        is_close_call: What proposals say; None where nobody asked them.
        close_calls_count: Whether the set's policy takes close calls.
    """

    def __init__(
        self,
        findings: FindingList,
        *,
        spatial: SpatialPolicy,
        is_close_call: CloseCall | None,
        close_calls_count: bool,
    ) -> None:
        self._findings = findings
        self._spatial = spatial
        self._is_close_call = is_close_call
        self._close_calls_count = close_calls_count
        self._margins: defaultdict[tuple[str, MarginUnit | None], array[float]] = defaultdict(
            lambda: array("d")
        )

    def add(self, item: QAItem) -> None:
        """Take in an item; answers without a margin are left out."""
        unit = _UNITS.get(str(item.derivation.parameters.get("margin_unit")))
        if item.margin is not None:
            self._margins[item.template_id, unit].append(item.margin)
        if item.source == "auto" and not self._close_calls_count:
            self._check_close_call(item, unit)

    def margins(self) -> tuple[Margins, ...]:
        """What was found, by template and unit."""
        return tuple(
            self._margins_of(template_id, unit)
            for template_id, unit in sorted(
                self._margins, key=lambda found: (found[0], found[1] or "")
            )
        )

    def _check_close_call(self, item: QAItem, unit: MarginUnit | None) -> None:
        bound = close_call_bound(item.template_id, unit, self._spatial)
        if item.margin is not None and bound is not None and item.margin < bound:
            message = f"expected a margin of {bound:g} {unit} at least, found {item.margin:g}"
        elif self._is_close_call is not None and self._is_close_call(item):
            message = "expected a sure proposal or a person's answer, found a close call"
        else:
            return
        self._findings.add("close-call-taken", item.item_id, message)

    def _margins_of(self, template_id: str, unit: MarginUnit | None) -> Margins:
        values = np.frombuffer(self._margins[template_id, unit])
        bound = close_call_bound(template_id, unit, self._spatial)
        twice = 0.0 if bound is None else bound**2 if unit == "ratio" else 2 * bound
        lowest, median = np.quantile(values, (0.1, 0.5))
        return Margins(
            template_id=template_id,
            unit=unit,
            items=len(values),
            lowest_tenth=round(float(lowest), _DIGITS),
            median=round(float(median), _DIGITS),
            bound=bound,
            below_bound=int(np.count_nonzero(values < (bound or 0.0))),
            near=int(np.count_nonzero(values < twice)),
        )


def close_call_bound(
    template_id: str, unit: MarginUnit | None, spatial: SpatialPolicy
) -> float | None:
    """The margin below which an answer is a close call; None without one."""
    if unit == "deg":
        return spatial.action.close_call_deg
    if unit == "ratio":
        return spatial.action.close_call_ratio
    if unit != "m":
        return None
    if template_id == "ac_004":
        return spatial.collision.close_call_m
    if template_id.startswith("ac_"):
        return spatial.walker.close_call_m
    return spatial.relation.close_call_m
