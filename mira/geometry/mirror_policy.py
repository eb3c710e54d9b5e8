"""Every number that decides where mirrors are and what they show, in metres."""

from __future__ import annotations

from typing import Self

from pydantic import Field

from mira.geometry.foot_policy import FootPolicy
from mira.schema.capture import SurfaceType
from mira.schema.record import Record


class DepthNoisePolicy(Record):
    """How far a reading may be from the truth.

    A stereo camera errs in disparity, so that its depth errs with the square of the distance:
    `sigma_z = z² · sigma_disparity / (focal length · baseline)` (Gallup, Frahm, Mordohai and
    Pollefeys, Variable baseline/resolution stereo, CVPR 2008). The same holds for cameras
    that throw a pattern (Khoshelham and Elberink, Sensors 2012).
    """

    floor_m: float = Field(default=0.003, gt=0)
    """Standard deviation of the nearest readings, steps of the stored depth included."""
    per_m: float = Field(default=0.0033, ge=0)
    """What the standard deviation grows by with the square of z: 0.1 px of disparity by 610 px and
    5 cm, those of a D435; a Kinect's is less than half of it."""
    block_px: int = Field(default=24, ge=1)
    """Errors of neighbouring readings are alike; those of two squares of this size are not."""


class PlaneFitPolicy(Record):
    """A plane through points of which many lie elsewhere."""

    noise: DepthNoisePolicy = DepthNoisePolicy()
    """Errors of the readings."""
    trials: int = Field(default=800, ge=1)
    """Triples of points that are tried as a plane: of a plane with a fifth of the points one in 125
    is."""
    screening_points: int = Field(default=80, ge=3)
    """Points, evenly chosen, that all trials are scored on."""
    screened: int = Field(default=40, ge=1)
    """Trials that are left then."""
    scored_points: int = Field(default=1600, ge=3)
    """Points, evenly chosen, that those are scored on."""
    inlier_sigmas: float = Field(default=2.5, gt=0)
    """Points whose error is within so many standard deviations belong to the plane."""
    rounds: int = Field(default=5, ge=1)
    """Least squares, then the points that belong anew, so many times at most."""


class SurroundingsPolicy(Record):
    """What is looked at around a surface to find the plane of its frame or wall."""

    gap_px: int = Field(default=2, ge=0)
    """Readings nearer to the outline than this are mixed of both its sides."""
    width_m: float = Field(default=0.25, gt=0)
    """So far around the outline, at the distance of what is there."""
    least_width_px: int = Field(default=12, ge=1)
    """The ring is so wide at least."""
    most_width_px: int = Field(default=90, ge=1)
    """The ring is so wide at most."""
    points: int = Field(default=1600, ge=12)
    """Readings of the ring that are used, evenly chosen."""
    inside_points: int = Field(default=600, ge=12)
    """Readings inside the surface that are held against a plane, evenly chosen."""
    sectors: int = Field(default=24, ge=4)
    """Directions from the surface's middle; a plane holds a sector where the ring shows it."""
    sector_share: float = Field(default=0.35, gt=0, le=1)
    """A plane shows in a sector when so many of the sector's readings are on it."""
    near_part: float = Field(default=0.5, gt=0, le=1)
    """Only this part of the ring, next to the outline, counts for sectors."""
    mirror_mount_m: float = Field(default=0.03, ge=0)
    """Standard deviation of how far a mirror is from the plane of its frame or wall."""
    pane_mount_m: float = Field(default=0.07, ge=0)
    """The same for panes, screens and water: windows lie deep, screens stand out."""
    lean_m: float = Field(default=0.006, ge=0)
    """The same for how much nearer or farther it is at the ends of what is seen of that plane."""
    planes: int = Field(default=4, ge=1)
    """Planes that are looked for in a ring, one after the other."""
    least_points: int = Field(default=60, ge=3)
    """A plane of the ring has so many readings at least."""
    least_share: float = Field(default=0.05, ge=0, le=1)
    """It has this share of the ring's readings at least."""


class PairPolicy(Record):
    """Real things and their reflections as evidence of the plane between them."""

    noise: DepthNoisePolicy = DepthNoisePolicy()
    """Errors of the readings."""
    body_share: float = Field(default=0.7, ge=0)
    """A thing's middle lies behind the side that is seen, by this share of half its width: 0.67 for
    balls, 0.79 for cylinders, 1 for boxes that are seen head-on, 0 for flat things."""
    body_doubt: float = Field(default=0.4, ge=0)
    """Standard deviation of that share, from thing to thing."""
    body_bias: float = Field(default=0.15, ge=0)
    """Standard deviation of that share for all things of a picture together."""
    across_doubt: float = Field(default=0.2, ge=0)
    """Standard deviation across the line of sight, as a share of half the width: two looks at one
    thing show other parts of it."""
    hidden_along: float = Field(default=0.5, ge=0)
    """What is hidden of a thing in one of two looks shifts its middle along the line of sight by
    this share of what it does across it."""
    bleeding_doubt: float = Field(default=0.25, ge=0)
    """Standard deviation along the line of sight, as a share of how much more the readings spread
    than the thing is wide: what bleeds into its background may be there."""
    agreeing_sigmas: float = Field(default=2.5, gt=0)
    """A pair agrees with a plane when it is off by no more standard deviations, root mean square
    over the three directions."""
    rounds: int = Field(default=8, ge=1)
    """Steps of the fit."""


class InstancePointsPolicy(Record):
    """The readings of an instance."""

    noise: DepthNoisePolicy = DepthNoisePolicy()
    """Errors of the readings."""
    erosion_px: int = Field(default=2, ge=0)
    """The outline is drawn in by so much, less where little would be left."""
    least_pixels: int = Field(default=12, ge=1)
    """Fewer readings say nothing."""
    points: int = Field(default=800, ge=12)
    """Readings of an instance that are used, evenly chosen."""
    near_share: float = Field(default=0.15, gt=0, le=1)
    """The nearest group of readings that holds this share is the thing; less is taken for
    something before it."""
    reach_share: float = Field(default=1.0, gt=0)
    """Readings are one group while z rises by no more than this share of the thing's width over
    the outline."""
    percentile: float = Field(default=4.0, ge=0, lt=50)
    """The box around a thing leaves out this percentage of the readings at each end."""


class VerdictPolicy(Record):
    """Which evidence counts, and what it makes of a plane."""

    before_share: float = Field(default=0.1, ge=0, le=1)
    """A plane with more of the reflection before it is none of the mirror."""
    own_depth_share: float = Field(default=0.75, gt=0, le=1)
    """With more of the readings inside a surface on the plane around it, depth is that of the
    surface and not of what it reflects."""
    own_depth_coverage: float = Field(default=0.4, ge=0, le=1)
    """That plane is seen in so many directions: a floor goes on in its reflection too."""
    least_coverage: float = Field(default=0.1, ge=0, le=1)
    """A plane that is seen in fewer directions is none of the mirror."""
    least_pairs: int = Field(default=2, ge=1)
    """So many pairs that agree make a plane of their own."""
    full_coverage: float = Field(default=0.6, gt=0, le=1)
    """A plane that is seen in so many directions has full support."""
    one_sided_coverage: float = Field(default=0.5, ge=0, le=1)
    """A plane that is seen in fewer directions is noted as one-sided."""
    pair_support: float = Field(default=0.25, ge=0, le=1)
    """Each pair that agrees adds this share of full support."""
    lone_support: float = Field(default=0.8, ge=0, le=1)
    """Support of a plane around a surface that no pair confirms is this at most: the mirror may
    stand before a wall, and nothing that it reflects be near enough to tell."""
    foot_support: float = Field(default=0.8, ge=0, le=1)
    """Support of a plane that rests on what stands below the surface is this at most without
    pairs: one line, and a guess that mirrors are upright."""
    least_trust: float = Field(default=0.3, ge=0, le=1)
    """With less support, no plane is given."""
    trust_to_place: float = Field(default=0.5, ge=0, le=1)
    """With less support, nothing is put back across a plane."""
    most_doubt_m: float = Field(default=0.25, gt=0)
    """A place with a larger standard deviation is not given."""
    way_sigmas: float = Field(default=2.0, ge=0)
    """A place so many standard deviations behind another mirror is no place of what is seen in one
    alone."""
    good_angle_deg: float = Field(default=3.0, gt=0)
    """Confidence is that of a normal nearer to the truth than this."""
    good_distance_m: float = Field(default=0.03, gt=0)
    """Confidence is that of a plane nearer to the truth than this, at the surface's middle."""


class MirrorGeometryPolicy(Record):
    """All thresholds of mirror geometry."""

    fit: PlaneFitPolicy = PlaneFitPolicy()
    """Planes through points."""
    surroundings: SurroundingsPolicy = SurroundingsPolicy()
    """The ring around a surface."""
    foot: FootPolicy = FootPolicy()
    """The line along its lower side."""
    pairs: PairPolicy = PairPolicy()
    """Real things and their reflections."""
    instances: InstancePointsPolicy = InstancePointsPolicy()
    """Readings of instances."""
    verdict: VerdictPolicy = VerdictPolicy()
    """What is made of the evidence."""
    flat_types: tuple[SurfaceType, ...] = ("planar_mirror", "glass", "screen", "water")
    """Types of surface that have a plane."""
    virtual_depth_types: tuple[SurfaceType, ...] = ("planar_mirror",)
    """Types on which depth is that of the reflection; on others it may be that of the pane or of
    what is behind it."""
    behind_pane_share: float = Field(default=0.5, gt=0, le=1)
    """A directly seen thing is seen through a pane when this share of it lies in surfaces whose
    depth is not that of reflections; what depth measures there, nobody knows."""

    @classmethod
    def of_noise(cls, noise: DepthNoisePolicy) -> Self:
        """The defaults for a camera whose readings err otherwise."""
        return cls(
            fit=PlaneFitPolicy(noise=noise),
            pairs=PairPolicy(noise=noise),
            instances=InstancePointsPolicy(noise=noise),
        )
