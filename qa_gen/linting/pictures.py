"""What a text says of the pictures, held against what its protocol shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from mira.taxonomy.catalogue import ProtocolInfo
from qa_gen.linting.places import Fault, Reading
from qa_gen.linting.policy import LintPolicy

_CLAIMS: tuple[tuple[re.Pattern[str], str, Callable[[ProtocolInfo], bool]], ...] = (
    (
        re.compile(r"\b(?:bounding )?(?:box(?:es)?|rectangles?)\b", re.IGNORECASE),
        "a box",
        lambda protocol: protocol.drawn_box or protocol.coordinates,
    ),
    (
        re.compile(r"\b(?:masks?|silhouettes?|black and white)\b", re.IGNORECASE),
        "a mask",
        lambda protocol: protocol.mask_picture,
    ),
    (
        re.compile(r"\b(?:pixels?|coordinates?|corners?)\b", re.IGNORECASE),
        "coordinates",
        lambda protocol: protocol.coordinates,
    ),
    (
        re.compile(r"\b(?:description|described|known as)\b", re.IGNORECASE),
        "a description",
        lambda protocol: protocol.description,
    ),
    (
        re.compile(
            r"\b(?:depth (?:picture|map|image)|tint(?:ed)?|overla(?:y|id)|green)\b", re.IGNORECASE
        ),
        "what some modalities show and others do not",
        lambda _protocol: False,
    ),
)
_DRAWN = re.compile(
    r"\b(?:drawn|outlined|circled|highlighted|marked|coloured|colored)\b", re.IGNORECASE
)


def check_pictures(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """Words for what the protocol at hand does not show."""
    protocol = reading.protocol
    if protocol is None:
        return
    text = reading.crossed_out("description")
    for pattern, thing, shown in _CLAIMS:
        if not shown(protocol):
            for match in pattern.finditer(text):
                yield _fault(reading, *match.span(), protocol=protocol, thing=thing)
    if not (protocol.drawn_box or protocol.mask_picture):
        # A question may speak of marked objects and mean those that were annotated.
        parts = reading.spans if reading.kind == "question" else ()
        pointing = [(s.start, s.end) for s in parts if s.kind in ("preamble", "slot")]
        for start, end in pointing if parts else [(0, len(text))]:
            for match in _DRAWN.finditer(text, start, end):
                yield _fault(reading, *match.span(), protocol=protocol, thing="a drawing")


def check_box_order(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """Boxes in another order than the preamble says, such as y before x."""
    protocol = reading.protocol
    if protocol is None or not protocol.coordinates or reading.kind != "question":
        return
    preamble = next((reading.text[s.start : s.end] for s in reading.spans_of("preamble")), "")
    said = re.findall(r"\b[xy][12]\b", preamble)
    if sorted(said) != ["x1", "x2", "y1", "y2"]:
        return
    for span in reading.spans_of("pointing"):
        box = dict(zip(("x1", "y1", "x2", "y2"), span.box_xyxy_px or (), strict=False))
        wanted = [str(box[name]) for name in said]
        shown = reading.text[span.start : span.end]
        if [number for number in re.findall(r"\d+", shown) if number in wanted] != wanted:
            message = f"expected {', '.join(said)} as the preamble says, found {shown!r}"
            yield Fault("box-order", span.start, span.end, message)


def _fault(reading: Reading, start: int, end: int, *, protocol: ProtocolInfo, thing: str) -> Fault:
    message = f"expected no word of {thing} in {protocol.id}, found {reading.around(start, end)}"
    return Fault("picture-untrue", start, end, message)
