"""Descriptions such as annotators write, to try sentences out with."""

from __future__ import annotations

from typing import NamedTuple


class SampleDescription(NamedTuple):
    """A few words for an object."""

    text: str
    """The words."""
    plural: bool = False
    """Whether they speak of several things."""


SAMPLES = (
    # The longest first: sentences are measured with it.
    SampleDescription("a white cup with a chipped rim and a blue handle"),
    SampleDescription("red cup"),
    SampleDescription("the left one of three vases"),
    SampleDescription("apple"),
    SampleDescription("egg"),
    SampleDescription("ironing board"),
    SampleDescription("orange"),
    SampleDescription("umbrella"),
    SampleDescription("old wooden chair"),
    SampleDescription("hourglass"),
    SampleDescription("heirloom clock"),
    SampleDescription("unicorn figurine"),
    SampleDescription("used towel"),
    SampleDescription("one-armed doll"),
    SampleDescription("European plug"),
    SampleDescription("house plant"),
    SampleDescription("LED lamp"),
    SampleDescription("X-shaped stand"),
    SampleDescription("U-shaped tube"),
    SampleDescription("8-litre bucket"),
    SampleDescription("2-litre bottle"),
    SampleDescription("Mona Lisa poster"),
    SampleDescription("IKEA shelf"),
    SampleDescription("scissors", plural=True),
    SampleDescription("two candles", plural=True),
    SampleDescription("Anna's bag"),
    SampleDescription("soap"),
    SampleDescription('poster that says "café"'),
    SampleDescription("bowl (blue, empty)"),
    SampleDescription("杯子"),
)
