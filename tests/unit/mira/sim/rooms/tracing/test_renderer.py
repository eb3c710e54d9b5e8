from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from mira.sim.rooms.plan import Lamp, RoomPlan, Sky, Sun
from mira.sim.rooms.policy import CameraPolicy, RoomPolicy
from mira.sim.rooms.reflective import ReflectiveSurface, facing, reflect_across
from mira.sim.rooms.things.parts import Finish, Item, Placed, Texture, box, sphere
from mira.sim.rooms.things.rotation import UPRIGHT
from mira.sim.rooms.tracing.renderer import RoomRenderer, ViewTruth, pixel_directions
from mira.sim.rooms.tracing.sight import Chain
from mira.sim.rooms.viewpoint import Viewpoint, look_at

pytestmark = pytest.mark.usefixtures("embree")
MakePlan = Callable[..., RoomPlan]
_RADIUS_M = 0.07
_POLICY = RoomPolicy(camera=CameraPolicy(width_px=212, height_px=120, focal_px=152.5))
_FINE = RoomPolicy(camera=CameraPolicy(width_px=424, height_px=240, focal_px=305))


@pytest.fixture(scope="module")
def renderer(small_room: RoomPlan) -> RoomRenderer:
    return RoomRenderer(small_room, _POLICY)


@pytest.fixture(scope="module")
def view(renderer: RoomRenderer, small_room: RoomPlan) -> ViewTruth:
    return _view(renderer, small_room.viewpoints[0])


@pytest.fixture(scope="module")
def fine_views(small_room: RoomPlan) -> list[tuple[Viewpoint, ViewTruth]]:
    """The room from two sides, in more pixels."""
    renderer = RoomRenderer(small_room, _FINE)
    return [(camera, _view(renderer, camera)) for camera in small_room.viewpoints[:2]]


@pytest.fixture(scope="module")
def glazed(make_plan: MakePlan) -> ViewTruth:
    """A pane over the left half of the picture, a red ball behind it, a blue one before it."""
    pane = ReflectiveSurface(
        "pane", "glass", (-1.0, -1.0, 1.0), facing(0), 2.0, 2.0,
        silver=(0.25, 0.26, 0.26), see_through=0.65,
    )  # fmt: skip
    balls = [
        Placed(Item("ball", name, (sphere(Finish(rgb), 0.25, (0, 0, 0)),), 0.25), at)
        for name, rgb, at in (
            ("red ball", (0.9, 0.1, 0.1), (-0.45, -0.3, 1.1)),
            ("blue ball", (0.2, 0.2, 0.9), (-0.9, -4.2, 1.1)),
        )
    ]
    shell = (
        box(Finish((0.3, 0.3, 0.3)), (9, 0.1, 9), (0, 0.35, 1)),
        box(Finish((0.8, 0.8, 0.8)), (9, 0.1, 9), (0, -6.05, 1)),
    )
    lamp = Lamp((0, -3, 2.5), (0, 0.5, 0), (0.5, 0, 0), (9, 9, 9))
    plan = make_plan(
        structure=shell,
        surfaces=(pane,),
        items=tuple(balls),
        lamps=(lamp,),
        ambient=(0.1, 0.1, 0.1),
    )
    return _view(RoomRenderer(plan, _POLICY), look_at((0, -3, 1.1), (0, 0, 1.1)))


def _view(renderer: RoomRenderer, camera: Viewpoint, seed: int = 0) -> ViewTruth:
    return renderer.view(camera, np.random.default_rng(seed))


def _pictures(truth: ViewTruth) -> Iterator[NDArray[np.generic]]:
    """All that is true of the pixels, but for their colour and shares of light."""
    yield from (truth.first_depth_m, truth.first_surface)
    for layer in truth.layers:
        yield from (layer.item, layer.side, layer.part, layer.chain_id)


def test_a_view_is_pictures_of_one_size(view: ViewTruth) -> None:
    shape = (120, 212)

    assert (view.colour.shape, view.colour.dtype) == ((*shape, 3), np.uint8)
    for picture, kind in (
        (view.first_depth_m, np.float32),
        (view.virtual_depth_m, np.float32),
        (view.first_surface, np.int32),
    ):
        assert (picture.shape, picture.dtype) == (shape, kind)
    for layer in view.layers:
        kinds = {name: value.dtype for name, value in vars(layer).items()}
        assert kinds == {
            "item": np.int32, "side": np.int8, "part": np.int32, "chain_id": np.int32,
            "share": np.float32,
        }  # fmt: skip
        assert {value.shape for value in vars(layer).values()} == {shape}
    assert view.chains[0] == ()
    assert len(set(view.chains)) == len(view.chains)
    assert 20 < view.colour.mean() < 235


def test_without_glass_there_is_one_layer_that_gives_all_light(view: ViewTruth) -> None:
    (layer,) = view.layers

    assert layer.share == pytest.approx(1)
    assert (layer.chain_id >= 0).all()
    assert (layer.part >= 0).all()


def test_depth_of_a_slanted_plane_is_true_to_a_millimetre(make_plan: MakePlan) -> None:
    floor = box(Finish(), (60, 60, 0.1), (0, 0, -0.05))
    camera = look_at((0.3, -2.0, 1.5), (0.1, 0.5, 0.2))
    truth = _view(RoomRenderer(make_plan(structure=(floor,)), _POLICY), camera)
    down = pixel_directions(camera, _POLICY.camera).astype(np.float64)
    length = -1.5 / down[:, 2]
    z = (length * (down @ camera.axes[2])).reshape(truth.first_depth_m.shape)

    near = (z > 0) & (z < 8)
    assert near.mean() > 0.5
    assert truth.first_depth_m[near] == pytest.approx(z[near], abs=1e-3)
    assert np.array_equal(truth.virtual_depth_m, truth.first_depth_m)


def test_the_sky_is_infinitely_far(make_plan: MakePlan) -> None:
    floor = box(Finish(), (60, 60, 0.1), (0, 0, -0.05))
    plan = make_plan(
        structure=(floor,),
        sky=Sky((0.2, 0.3, 0.9), (0.7, 0.7, 0.7)),
        sun=Sun((1, 1, -2), (2, 2, 2)),
    )
    truth = _view(RoomRenderer(plan, _POLICY), look_at((0, -2, 1.5), (0, 0, 1.5)))

    assert np.isinf(truth.first_depth_m[:50]).all()
    assert np.isinf(truth.virtual_depth_m[:50]).all()
    assert (truth.layers[0].part[:50] == -1).all()
    assert (truth.layers[0].item == -1).all()
    assert (truth.layers[0].side[:50] == -1).all()
    assert np.isfinite(truth.first_depth_m[-30:]).all()
    assert truth.colour[0, 100, 2] > truth.colour[0, 100, 0]


def test_depth_ends_at_the_mirror_and_virtual_depth_behind_it(
    view: ViewTruth, small_room: RoomPlan
) -> None:
    camera, mirror = small_room.viewpoints[0], small_room.surfaces[0]
    towards = pixel_directions(camera, _POLICY.camera).reshape(120, 212, 3).astype(np.float64)
    slant = towards @ camera.axes[2]
    here = view.first_surface == 0

    met = camera.eye_m + towards * (view.first_depth_m / slant)[..., None]
    seen = camera.eye_m + towards * (view.virtual_depth_m / slant)[..., None]

    assert here.mean() > 0.1
    assert met[here] @ mirror.normal + mirror.offset_m == pytest.approx(0, abs=1e-3)
    assert (seen[here] @ mirror.normal + mirror.offset_m < 1e-3).all()
    nothing = view.first_surface == -1
    assert np.array_equal(view.first_depth_m[nothing], view.virtual_depth_m[nothing])


def test_glass_lays_two_pictures_over_each_other(glazed: ViewTruth) -> None:
    straight, by_glass = glazed.layers
    pane = glazed.first_surface == 0

    assert pane.mean() == pytest.approx(0.5, abs=0.01)
    assert glazed.chains == ((), (0,))
    assert (straight.chain_id == 0).all()
    assert np.array_equal(by_glass.chain_id == 1, pane)
    assert (by_glass.chain_id[~pane] == -1).all()
    assert (by_glass.item[~pane] == -1).all()
    assert set(np.unique(straight.item)) == {-1, 0}
    assert set(np.unique(by_glass.item)) == {-1, 1}
    total = straight.share + by_glass.share
    assert total == pytest.approx(1, abs=1e-5)
    assert (straight.share[~pane] == 1).all()
    assert (by_glass.share[~pane] == 0).all()
    assert by_glass.share[by_glass.part >= 0].min() > 0


def test_behind_glass_depth_is_that_of_the_brighter_picture(glazed: ViewTruth) -> None:
    by_glass = glazed.layers[1].share > 0.5
    pane = glazed.first_surface == 0

    # The pane is 2 m away, the wall behind it 3.3 m, the virtual image of the other one 7 m.
    assert glazed.first_depth_m[pane] == pytest.approx(2.0, abs=1e-3)
    wall = pane & ~by_glass & (glazed.layers[0].item == -1)
    assert glazed.virtual_depth_m[wall] == pytest.approx(3.3, abs=1e-3)
    assert by_glass.any()
    far = pane & by_glass & (glazed.layers[1].item == -1)
    assert glazed.virtual_depth_m[far] == pytest.approx(7.0, abs=1e-3)


def test_only_the_grain_depends_on_chance(
    renderer: RoomRenderer, small_room: RoomPlan, view: ViewTruth
) -> None:
    same, other = (_view(renderer, small_room.viewpoints[0], seed) for seed in (0, 1))

    assert np.array_equal(same.colour, view.colour)
    assert not np.array_equal(other.colour, view.colour)
    assert np.abs(other.colour.astype(int) - view.colour).mean() < 4
    assert np.array_equal(other.virtual_depth_m, view.virtual_depth_m)
    for mine, theirs in zip(_pictures(other), _pictures(view), strict=True):
        assert np.array_equal(mine, theirs)


def test_threads_do_not_change_a_picture(
    renderer: RoomRenderer, small_room: RoomPlan, view: ViewTruth
) -> None:
    threads = cv2.getNumThreads()
    try:
        for count in (1, 2):
            cv2.setNumThreads(count)
            again = _view(renderer, small_room.viewpoints[0])
            assert np.array_equal(again.colour, view.colour)
            assert np.array_equal(again.virtual_depth_m, view.virtual_depth_m)
            assert np.array_equal(again.layers[0].share, view.layers[0].share)
    finally:
        cv2.setNumThreads(threads)


def test_sights_of_all_pixels_are_what_the_view_shows(
    renderer: RoomRenderer, small_room: RoomPlan, view: ViewTruth
) -> None:
    straight, by_glass = renderer.sights(small_room.viewpoints[0], _POLICY.camera)

    assert len(by_glass) == 0
    item = renderer.mesh.item[straight.triangle].reshape(120, 212)
    assert np.array_equal(item, view.layers[0].item)
    chains = [renderer.chain_of(code) for code in straight.chain.tolist()]
    shown = [view.chains[k] for k in view.layers[0].chain_id.ravel()]
    assert chains == shown


def test_what_a_mirror_shows_belongs_to_a_chain_that_starts_with_it(
    fine_views: list[tuple[Viewpoint, ViewTruth]],
) -> None:
    for _, truth in fine_views:
        first = np.array([chain[0] if chain else -1 for chain in truth.chains])
        assert np.array_equal(first[truth.layers[0].chain_id], truth.first_surface)


def _discs(truth: ViewTruth) -> Iterator[tuple[int, Chain, NDArray[np.bool_]]]:
    """Every ball that is wholly visible, by the way it is seen."""
    (layer,) = truth.layers
    for chain_id, chain in enumerate(truth.chains):
        for item in np.unique(layer.item[layer.item >= 0]).tolist():
            mask = (layer.item == item) & (layer.chain_id == chain_id)
            rows, columns = np.nonzero(mask)
            if item < 2 and len(rows) > 60:
                height, width = np.ptp(rows) + 1, np.ptp(columns) + 1
                round = abs(len(rows) / (np.pi / 4 * height * width) - 1) < 0.08
                if round and abs(height - width) <= 1:
                    yield item, chain, mask


def _virtual(plan: RoomPlan, item: int, chain: Chain) -> NDArray[np.float64]:
    """Where a thing's middle seems to be: the last mirror of the chain reflects it first."""
    point = np.array(plan.items[item].at_m)
    for index in reversed(chain):
        point = reflect_across(plan.surfaces[index], point)
    return point


def test_balls_are_seen_where_reflection_puts_them(
    fine_views: list[tuple[Viewpoint, ViewTruth]], small_room: RoomPlan
) -> None:
    lens, orders = _FINE.camera.intrinsics(), []
    for camera, truth in fine_views:
        for item, chain, mask in _discs(truth):
            x, y, z = camera.to_camera(_virtual(small_room, item, chain))
            rows, columns = np.nonzero(mask)
            middle = lens.fx_px * x / z + lens.cx_px, lens.fy_px * y / z + lens.cy_px
            assert (columns.mean(), rows.mean()) == pytest.approx(middle, abs=0.35)
            orders.append(len(chain))
    assert set(orders) == {0, 1, 2}
    assert len(orders) >= 8


def test_depth_of_reflected_balls_is_that_of_their_virtual_image(
    fine_views: list[tuple[Viewpoint, ViewTruth]], small_room: RoomPlan
) -> None:
    lens = _FINE.camera.intrinsics()
    for camera, truth in fine_views:
        for item, chain, mask in _discs(truth):
            rows, columns = np.nonzero(mask)
            z = truth.virtual_depth_m[mask].astype(np.float64)
            x = (columns - lens.cx_px) * z / lens.fx_px
            y = (rows - lens.cy_px) * z / lens.fy_px
            points = camera.to_room(np.stack((x, y, z), axis=-1))
            distance = np.linalg.norm(points - _virtual(small_room, item, chain), axis=-1)
            assert distance == pytest.approx(_RADIUS_M, abs=0.0015)


def test_a_mirror_shows_the_side_that_is_turned_to_it(
    fine_views: list[tuple[Viewpoint, ViewTruth]], renderer: RoomRenderer
) -> None:
    lid = renderer.mesh.part_names.index("lid")
    for _, truth in fine_views:
        (layer,) = truth.layers
        crate = layer.item == 2
        sides = {
            chain: set(np.unique(layer.side[crate & (layer.chain_id == k)]).tolist())
            for k, chain in enumerate(truth.chains)
        }
        # The crate is turned by 30 degrees: its front (3) and left (1) look to the camera's side
        # and its back (2) to the front mirror; from above its top (4) is seen every way.
        assert 3 in sides[()]
        assert 2 in sides[0,]
        assert 3 not in sides[0,]
        assert 4 in sides[()] & sides[0,]
        assert 5 not in sides[()] | sides[0,]
        assert ((layer.part == lid) & crate).any()


def test_a_picture_on_an_upright_panel_is_not_mirrored_but_its_reflection_is(
    make_plan: MakePlan,
) -> None:
    pixels = np.full((32, 32, 3), 30, np.uint8)
    pixels[:, :16, 0] = 250
    pixels[:4] = 250
    panel = Item(
        "sign",
        "sign",
        (box(Finish(texture=Texture(pixels)), (0.8, 0.8, 0.02), (0, 0, 0.4), UPRIGHT),),
        0.4,
    )
    mirror = ReflectiveSurface("m", "planar_mirror", (0, 0, 1), facing(0), 3.0, 3.0)
    items = (Placed(panel, (-0.6, -1.0, 0.6)), Placed(panel, (0.6, -4.0, 0.6), 180.0))
    plan = make_plan(
        structure=(box(Finish((0.4, 0.4, 0.4)), (6, 0.1, 6), (0, -5, 1)),),
        surfaces=(mirror,), items=items, ambient=(0.8, 0.8, 0.8),
    )  # fmt: skip
    truth = _view(RoomRenderer(plan, _POLICY), look_at((0, -3, 1), (0, 0, 1)))
    (layer,) = truth.layers

    def halves(item: int, *, reflected: bool) -> tuple[float, float]:
        """Redness of the left and the right half."""
        rows, columns = np.nonzero((layer.item == item) & ((layer.chain_id > 0) == reflected))
        keep = rows > rows.min() + 0.3 * np.ptp(rows)
        rows, columns = rows[keep], columns[keep]
        red = truth.colour[rows, columns, 0].astype(int) - truth.colour[rows, columns, 2]
        right = columns > (columns.min() + columns.max()) / 2
        return float(red[~right].mean()), float(red[right].mean())

    left, right = halves(0, reflected=False)
    assert left > 60 > 10 > abs(right)
    left, right = halves(1, reflected=True)
    assert right > 60 > 10 > abs(left)
    rows, columns = np.nonzero((layer.item == 0) & (layer.chain_id == 0))
    top, bottom = rows < rows.min() + 3, rows > rows.max() - 3
    blue = truth.colour[rows, columns, 2]
    assert blue[top].mean() > 1.5 * blue[bottom].mean()


def test_edges_are_averaged_and_their_truth_is_not(view: ViewTruth) -> None:
    (layer,) = view.layers

    assert np.array_equal(np.unique(layer.item), np.arange(-1, layer.item.max() + 1))
    ball = (layer.item == 0) & (layer.chain_id == 0)
    rows, columns = np.nonzero(ball)
    row = int(np.median(rows))
    inside = columns[rows == row]
    rim = view.colour[row, [inside.min() - 1, inside.min()]].astype(int)
    middle, wall = view.colour[row, int(np.median(inside))], view.colour[row, inside.min() - 3]
    blended = np.minimum(middle, wall).astype(int) - 40 < rim
    assert blended.all()


def test_rays_go_through_the_centres_of_pixels(small_room: RoomPlan) -> None:
    camera, viewpoint = _POLICY.camera, small_room.viewpoints[0]
    lens = camera.intrinsics()

    directions = pixel_directions(viewpoint, camera)

    assert np.linalg.norm(directions, axis=1) == pytest.approx(1, abs=1e-5)
    x, y, z = viewpoint.to_camera(viewpoint.eye_m + directions[5 * 212 + 17]).tolist()
    assert lens.fx_px * x / z + lens.cx_px == pytest.approx(17, abs=1e-3)
    assert lens.fy_px * y / z + lens.cy_px == pytest.approx(5, abs=1e-3)
    some = pixel_directions(viewpoint, camera, np.array([5 * 212 + 17]), (0.25, -0.5))
    x, y, z = viewpoint.to_camera(viewpoint.eye_m + some[0]).tolist()
    assert lens.fx_px * x / z + lens.cx_px == pytest.approx(17.25, abs=1e-3)
    assert lens.fy_px * y / z + lens.cy_px == pytest.approx(4.5, abs=1e-3)


@pytest.mark.parametrize("size", [(213, 121), (37, 24)])
def test_pictures_of_any_size_are_drawn(small_room: RoomPlan, size: tuple[int, int]) -> None:
    camera = CameraPolicy(width_px=size[0], height_px=size[1], focal_px=150)
    renderer = RoomRenderer(small_room, RoomPolicy(camera=camera))

    assert _view(renderer, small_room.viewpoints[0]).colour.shape == (size[1], size[0], 3)


def test_a_darker_lamp_leaves_the_truth_alone(small_room: RoomPlan, view: ViewTruth) -> None:
    dim = dataclasses.replace(small_room, lamps=(), ambient=(0.3, 0.3, 0.3))

    truth = _view(RoomRenderer(dim, _POLICY), small_room.viewpoints[0])

    assert not np.array_equal(truth.colour, view.colour)
    for mine, theirs in zip(_pictures(truth), _pictures(view), strict=True):
        assert np.array_equal(mine, theirs)
