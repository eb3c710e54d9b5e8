"""Where the objects of a picture really are, as far as depth tells, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.camera import deproject_rays
from mira.geometry.instance_points import InstanceExtent, vector_of
from mira.geometry.measured_scene import SceneGeometry
from mira.geometry.mirror_verdict import Refusal
from mira.geometry.pair_evidence import body_shift
from mira.geometry.plane import reflect_through, turn_of_mirror
from mira.geometry.real_place import RealPlace
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
            placed = self._whole(instance, one.seen, one.real, largest)
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
        self, instance: Instance, seen: InstanceExtent, real: RealPlace, largest: Array
    ) -> Placed:
        """The visible side and, behind it along the line of sight, the side that is not seen.

        How a thing that is seen in a slanted mirror is turned to the camera's axes is not known.
        It is taken for an ellipsoid: boxes come out too wide, whichever way they are turned.
        """
        policy, way = self._policy, [self._planes[which] for which in instance.seen_in]
        turn = np.eye(3)
        for plane in way:
            turn = turn_of_mirror(plane) @ turn
        side = self._outlined(seen, instance.instance_id)
        shift = body_shift(seen)
        far = 2 * policy.geometry.pairs.body_share * shift
        whole = extents_of(np.concatenate((side.corners_m(), side.corners_m() + far)))
        middle = reflect_through(np.array(whole.centre_m), way)
        half = _through(turn, np.subtract(whole.high_m, whole.low_m) / 2)
        size = np.subtract(side.high_m, side.low_m)
        hidden = self._hidden(instance, seen, size, largest)
        across = _through(turn, np.hypot(policy.span_doubt * size, hidden))
        along = policy.depth_doubt * np.abs(turn @ shift)
        return Placed(
            Extents(vector_of(middle - half), vector_of(middle + half)),
            vector_of(np.hypot(np.hypot(along, real.doubts_m), across / 2)),
            vector_of(np.hypot(across, 2 * along)),
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

    def _hidden(
        self, instance: Instance, seen: InstanceExtent, size: Array, largest: Array
    ) -> Array:
        """Standard deviation of what may be hidden of a thing, by axis, both sides together.

        It goes with what is seen of the thing, or what another look shows more of it, and is no
        more than there is room for behind what hides it: of a length that may be anything from
        nothing to that, the root mean square is its third root.
        """
        sides = np.array(self._cut_off[instance.instance_id]).reshape(2, 2)
        with np.errstate(invalid="ignore"):
            room = (
                sides * seen.centre_m[2] / np.array(((self._camera.fx_px,), (self._camera.fy_px,)))
            )
        larger = float(np.maximum(size, largest - size)[:2].max())
        limited = np.minimum(
            np.where(sides > 0, room, 0.0) / math.sqrt(3), self._policy.hidden_doubt * larger
        )
        hidden = np.append(limited.sum(axis=1), 0.0)
        # Of what shows a part alone, the other sides are not known well either.
        return np.asarray(np.maximum(hidden, self._policy.hidden_beside * hidden.max()))


def _through(turn: Array, sizes: Array) -> Array:
    """Sizes along the axes of an ellipsoid that is turned; independent doubts add up alike."""
    return np.asarray(np.sqrt(turn**2 @ sizes**2))
