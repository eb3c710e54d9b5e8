"""What a selection says: of each view, of views that are alike, of scenes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import Field

from capture.selection.codes import CODES, Criterion
from capture.selection.policy import SelectionPolicy
from mira.schema.capture import ViewQuality
from mira.schema.record import Record

Verdict = Literal["keep", "look", "drop"]
"""`look`: a person decides."""
VERDICTS: tuple[Verdict, ...] = ("keep", "look", "drop")
"""From the best to the worst."""
CRITERIA: tuple[Criterion, ...] = ("surface", "objects", "reflections", "quality")
"""In the order in which people are told of them."""
Standing = Literal["met", "likely", "doubtful", "failed", "unmeasured"]
"""How a criterion stands; `likely` where a stand-in was measured and was good enough."""
RegionSource = Literal["annotation", "surfaces", "none"]
"""Where surfaces are known from: the workspace, the view's `surfaces.png`, nowhere."""


class SurfaceMeasures(Record):
    """How the reflective surfaces lie in the picture."""

    count: int = Field(ge=0)
    """Surfaces in the picture."""
    share: float = Field(ge=0, le=1)
    """Share of the picture that is reflective."""
    rim_share: float = Field(ge=0, le=1)
    """Share of the picture's rim that is reflective."""
    sides_touched: int = Field(ge=0, le=4)
    """Sides of the picture that they run out of."""
    width: float = Field(ge=0)
    """Diameter of the largest circle in one of them, as a share of the picture's shorter side."""
    valid_depth_fraction: float | None = Field(default=None, ge=0, le=1)
    """Share of their pixels with a depth reading; absent without depth on the picture's grid."""


class ObjectCounts(Record):
    """Instances in an annotation."""

    direct: int = Field(ge=0)
    """Seen directly."""
    reflected: int = Field(ge=0)
    """Seen in a surface."""


class StructureCounts(Record):
    """Cells of a grid that hold corners: a stand-in for objects that nobody counted."""

    direct_cells: int = Field(ge=0)
    """Outside the surfaces."""
    reflected_cells: int = Field(ge=0)
    """Inside them."""


class ViewMeasures(Record):
    """Numbers that decide on a view."""

    width_px: int
    """Picture width."""
    height_px: int
    """Picture height."""
    region: RegionSource
    """Where surfaces are known from."""
    surfaces: SurfaceMeasures | None = None
    """Absent where surfaces are not known."""
    objects: ObjectCounts | None = None
    """Absent without an annotation."""
    structure: StructureCounts | None = None
    """Absent where objects are counted, and where surfaces are not known."""
    quality: ViewQuality
    """Sharpness, exposure, depth."""


class Remark(Record):
    """Something that was found of a view, with a stable code that scripts can rely on."""

    code: str
    """The kind of remark, one of `CODES`."""
    verdict: Verdict
    """What it asks for; `keep` for a note."""
    text: str
    """In words, with the numbers."""

    @property
    def criterion(self) -> Criterion:
        """What it is about."""
        return CODES[self.code].criterion


class ViewJudgement(Record):
    """What is to become of a view, and why."""

    scene_id: str
    """Its scene."""
    view_id: str
    """The view."""
    image_id: str
    """The view, as annotation knows it."""
    verdict: Verdict
    """The worst that a remark asks for."""
    standings: dict[Criterion, Standing]
    """How each criterion stands."""
    remarks: tuple[Remark, ...] = ()
    """The worst first."""
    twin_of: str | None = None
    """The better view of its scene that shows the same reflection."""
    measures: ViewMeasures | None = None
    """Absent where the view cannot be read."""

    @property
    def name(self) -> str:
        """Scene and view, as people are told of it."""
        return f"{self.scene_id}/{self.view_id}"


class AlikePair(Record):
    """Views of two scenes that show the same reflection."""

    first: str
    """Scene and view."""
    second: str
    """Scene and view."""
    distance: int
    """Bits of their fingerprints that differ."""


class Selection(Record):
    """The whole result."""

    session_id: str
    """The session."""
    policy: SelectionPolicy
    """The bounds that decided."""
    views: tuple[ViewJudgement, ...]
    """Committed views, by scene and name."""
    uncommitted: tuple[str, ...] = ()
    """View folders that are not whole, as scene and view; they are not judged."""
    across_scenes: tuple[AlikePair, ...] = ()
    """The same reflection in two scenes: may they be one?"""
    faults: tuple[str, ...] = ()
    """What could not be read beside views."""

    def counts(self) -> dict[Verdict, int]:
        """Number of views by verdict."""
        found = Counter(view.verdict for view in self.views)
        return {verdict: found[verdict] for verdict in VERDICTS}


_LIKELY = frozenset({"objects-likely", "compared-whole"})
_UNMEASURED = frozenset({"surface-unknown", "objects-unknown", "reflection-plain"})


def standings_of(remarks: Sequence[Remark], *, compared: bool) -> dict[Criterion, Standing]:
    """How each criterion stands, by all that is said of a view.

    Args:
        remarks: What is said.
        compared: Whether the view was compared with others, or is the only one left of its scene.
    """
    damaged = any(remark.code == "damaged" for remark in remarks)
    found: dict[Criterion, Standing] = {}
    for criterion in CRITERIA:
        of_it = [remark for remark in remarks if remark.criterion == criterion]
        codes = {remark.code for remark in of_it}
        verdict = worst(remark.verdict for remark in of_it)
        if verdict == "drop":
            found[criterion] = "failed"
        elif damaged or codes & _UNMEASURED or (criterion == "reflections" and not compared):
            found[criterion] = "unmeasured"
        elif verdict == "look":
            found[criterion] = "doubtful"
        else:
            found[criterion] = "likely" if codes & _LIKELY else "met"
    return found


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst of some verdicts; `keep` for none."""
    return max(verdicts, key=VERDICTS.index, default="keep")
