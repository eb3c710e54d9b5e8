"""Where the objects of a picture really are, as far as depth tells, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.camera import deproject_rays
from mira.geometry.instance_points import InstanceExtent
from mira.geometry.measured_scene import InstanceGeometry, SceneGeometry
from mira.geometry.mirror_verdict import Refusal
from mira.geometry.pair_evidence import body_shift
from mira.geometry.plane import Plane, reflect_through
from mira.geometry.relations import Extents, extents_of
from mira.schema.annotation import Instance
from mira.schema.capture import CameraIntrinsics
from mira.schema.qa import Box
from qa_gen.objects import PhysicalObject
from qa_gen.proposing.cut_off import CutOff
from qa_gen.proposing.policy import ProposalPolicy

Array = NDArray[np.float64]


class Placed(NamedTuple):
    """A whole object, camera frame, metres.

    Attributes:
        extents_m: Box around it; the side that is not seen is guessed.
        doubt_m: Standard deviations of its middle along x, y and z.
        span_doubt_m: Standard deviations of its width, height and depth.
        rests_on: Instances that were measured.
        surface_ids: Mirrors across which one of them was put back.
    """

    extents_m: Extents
    doubt_m: tuple[float, float, float]
    span_doubt_m: tuple[float, float, float]
    rests_on: tuple[int, ...] = ()
    surface_ids: tuple[int, ...] = ()


class Placer:
    """Places the objects of one picture."""

    def __init__(
        self,
        scene: SceneGeometry,
        *,
        boxes: Mapping[int, Box],
        cut_off: Mapping[int, CutOff],
        camera: CameraIntrinsics,
        policy: ProposalPolicy,
    ) -> None:
        """Take what is known of the picture.

        Args:
            scene: What geometry says of it.
            boxes: Boxes around instances, by id.
            cut_off: Sides on which instances may go on, by id.
            camera: The picture's camera.
            policy: Doubts of what is guessed.
        """
        self._measured = {one.instance_id: one for one in scene.instances}
        self._planes = {
            one.surface_id: one.mirror.plane
            for one in scene.surfaces
            if one.mirror.plane is not None
        }
        self._boxes, self._cut_off = boxes, cut_off
        self._camera, self._policy = camera, policy

    def place(self, obj: PhysicalObject) -> Placed | Refusal:
        """Where an object is: by its direct appearance if that is measured, else by a reflection.

        Returns:
            The place by the surest appearance, or why none has one.
        """
        found: list[Placed] = []
        refusal: Refusal | None = None
        largest = self._largest(obj)
        for instance in obj.instances:
            one = self._measured[instance.instance_id]
            if one.seen is None or one.real is None:
                refusal = refusal or one.refusal
                continue
            placed = self._whole(instance, one, one.seen, one.real.doubt_m, largest)
            if instance.visibility == "direct":
                return placed
            found.append(placed)
        if not found:
            assert refusal is not None
            return refusal
        return min(found, key=lambda placed: math.hypot(*placed.doubt_m))

    def _largest(self, obj: PhysicalObject) -> Array:
        """The largest width, height and depth that any look at an object shows."""
        sizes = [np.zeros(3)]
        for instance in obj.instances:
            seen = self._measured[instance.instance_id].seen
            if seen is not None:
                low, high = self._outlined(seen, instance.instance_id)
                sizes.append(np.array(high) - np.array(low))
        return np.asarray(np.max(sizes, axis=0))

    def _whole(
        self,
        instance: Instance,
        measured: InstanceGeometry,
        seen: InstanceExtent,
        doubt_m: float,
        largest: Array,
    ) -> Placed:
        """The visible side and, behind it along the line of sight, the side that is not seen."""
        policy, way = self._policy, [self._planes[which] for which in instance.seen_in]
        shift = policy.geometry.pairs.body_share * body_shift(seen)
        side = self._outlined(seen, measured.instance_id)
        ends = np.concatenate((side.corners_m(), side.corners_m() + 2 * shift))
        along = np.abs(_turned(body_shift(seen), way))
        size = np.array(side.high_m) - np.array(side.low_m)
        across = np.hypot(
            policy.span_doubt * size, policy.hidden_doubt * self._hidden(instance, size, largest)
        )
        across = np.abs([_turned(part, way) for part in np.diag(across)]).max(axis=0)
        doubt = np.hypot(np.hypot(policy.depth_doubt * along, doubt_m), across / 2)
        x, y, z = doubt.tolist()
        width, height, depth = np.hypot(across, 2 * policy.depth_doubt * along).tolist()
        return Placed(
            extents_of(reflect_through(ends, way)),
            (x, y, z),
            (width, height, depth),
            (instance.instance_id,),
            instance.seen_in,
        )

    def _outlined(self, seen: InstanceExtent, instance_id: int) -> Extents:
        """The box around readings and outline at their distance; poles have few readings."""
        left, top, right, bottom = self._boxes[instance_id]
        corners = deproject_rays(
            self._camera, np.array(((left - 0.5, top - 0.5), (right - 0.5, bottom - 0.5)))
        )
        outline = corners * seen.centre_m[2]
        (x, y, z), (u, v, w) = seen.extents_m
        low = (min(x, float(outline[0, 0])), min(y, float(outline[0, 1])), z)
        return Extents(low, (max(u, float(outline[1, 0])), max(v, float(outline[1, 1])), w))

    def _hidden(self, instance: Instance, size: Array, largest: Array) -> Array:
        """What may be hidden of a thing, by axis and for each side.

        As much as is seen of it, or as another look shows more of it.
        """
        sides = self._cut_off[instance.instance_id]
        more = np.maximum(size, largest - size)
        hidden = np.array((sides.left + sides.right, sides.top + sides.bottom, 0)) * more
        hidden[2] = hidden[:2].max()
        return np.asarray(hidden)


def _turned(vector: Array, way: list[Plane]) -> Array:
    """A direction seen in mirrors, as it really is."""
    ends = np.stack((vector, np.zeros(3)))
    return np.asarray(np.subtract(*reflect_through(ends, way)))
