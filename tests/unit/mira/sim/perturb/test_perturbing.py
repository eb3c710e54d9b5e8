from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from mira.sim.perturb.chance import Chance, Draw
from mira.sim.perturb.perturbing import perturb_document
from mira.sim.perturb.policy import AnnotatorNoise
from mira.sim.perturb.records import InstancePerturbation

Json = dict[str, Any]


def perturb(document: Json, *, seed: int = 0, **rates: float) -> tuple[Json, dict[Any, Any]]:
    noise = AnnotatorNoise(**rates)
    chance = Chance(seed=seed, annotator="a", path="x.json")
    perturbed, records = perturb_document(document, noise=noise, chance=chance)
    known = {r.source_id: r for r in records if "invented" not in r.changes}
    return perturbed, known | {r.output_id: r for r in records if "invented" in r.changes}


def by_id(document: Json, number: int) -> list[Json]:
    return [shape for shape in document["shapes"] if shape["group_id"] == number]


def test_without_noise_nothing_changes_and_the_log_says_so(document: Json) -> None:
    before = copy.deepcopy(document)
    perturbed, records = perturb(document)
    assert perturbed == document == before
    assert all(record.changes == () and record.iou == 1 for record in records.values())


def test_moved_outlines_keep_all_else(document: Json) -> None:
    perturbed, records = perturb(document, vertex_px=1.5)
    for shapes in (document["shapes"], perturbed["shapes"]):
        for shape in shapes:
            points = shape.pop("points")
            assert len(points) == 32
    assert perturbed == document
    for record in records.values():
        assert record.changes == ("moved",)
        assert record.shift_rms_px == pytest.approx(1.5 * 2**0.5, rel=0.8)
        assert 0.6 < record.iou < 1


def test_a_higher_rate_adds_errors_and_takes_none_away(document: Json) -> None:
    missed: set[int] = set()
    for share in (0.1, 0.3, 0.6, 1.0):
        _, records = perturb(document, miss_share=share, seed=3)
        now = {number for number, record in records.items() if "missed" in record.changes}
        assert missed <= now
        missed = now
    assert missed == {1, 2, 3, 4, 5, 6, 7}


def test_one_rate_leaves_the_other_errors_as_they_are(document: Json) -> None:
    alone, _ = perturb(document, vertex_px=2)
    together, records = perturb(document, vertex_px=2, miss_share=0.4, forgotten_hole_share=1)
    kept = [number for number, record in records.items() if record.output_id and number != 100]
    assert 0 < len(kept) < 7
    for number in kept:
        assert by_id(alone, number)[0]["points"] == by_id(together, number)[0]["points"]


def test_small_instances_are_missed_more_often(document: Json) -> None:
    missed = dict.fromkeys(range(1, 8), 0)
    for seed in range(200):
        for number, record in perturb(document, miss_share=0.2, seed=seed)[1].items():
            if "missed" in record.changes:
                missed[number] += 1
    assert missed[1] > 1.5 * missed[2]
    assert sum(missed.values()) / (7 * 200) == pytest.approx(0.2, abs=0.03)


def test_what_named_a_missed_object_has_no_link_any_more(document: Json) -> None:
    seed = next(
        k
        for k in range(500)
        if "missed" in (found := perturb(document, miss_share=0.2, seed=k)[1])[1].changes
        and "missed" not in found[5].changes
    )
    perturbed, records = perturb(document, miss_share=0.2, seed=seed)
    assert by_id(perturbed, 1) == []
    assert records[5].changes == ("target_missed",)
    assert records[5].link_after is None
    attributes = by_id(perturbed, 5)[0]["attributes"]
    assert (attributes["reflection_of"], attributes["counterpart"]) == ("", "out_of_frame")


def test_links_to_another_object(document: Json) -> None:
    perturbed, records = perturb(document, wrong_link_share=1)
    for number, true in ((5, 1), (6, 2)):
        record = records[number]
        assert record.changes == ("wrong_link",)
        assert record.link_before == true
        assert record.link_after in {1, 2, 3, 4} - {true}
        assert by_id(perturbed, number)[0]["attributes"]["reflection_of"] == str(record.link_after)
    assert records[7].changes == ()


def test_dropped_links_leave_the_counterpart_unset(document: Json) -> None:
    perturbed, records = perturb(document, dropped_link_share=1)
    assert records[5].changes == ("dropped_link",)
    attributes = by_id(perturbed, 5)[0]["attributes"]
    assert (attributes["reflection_of"], attributes["counterpart"]) == ("", "unset")
    assert by_id(perturbed, 7) == by_id(document, 7)


def test_links_in_pairs_are_changed_too(document: Json) -> None:
    for one in document["shapes"]:
        one["attributes"].pop("reflection_of", None)
    document["shapes"][2]["kie_linking"] = [[5, 1], [6, 2]]
    dropped, records = perturb(document, dropped_link_share=1)
    assert [shape["kie_linking"] for shape in dropped["shapes"]] == [[]] * 9
    assert records[6].link_before == 2
    wrong, records = perturb(document, wrong_link_share=1)
    assert wrong["shapes"][2]["kie_linking"] == [
        [5, records[5].link_after],
        [6, records[6].link_after],
    ]


def test_pairs_on_a_shape_that_goes_move_to_one_that_stays(document: Json) -> None:
    document["shapes"][2]["kie_linking"] = [[6, 2]]
    del document["shapes"][7]["attributes"]["reflection_of"]
    for seed in range(500):
        perturbed, records = perturb(document, miss_share=0.2, seed=seed)
        gone = {number for number, record in records.items() if "missed" in record.changes}
        if 1 in gone and not gone & {2, 6}:
            break
    assert by_id(perturbed, 6)[0]["kie_linking"] == [[6, 2]]


def test_swapped_visibility_changes_the_label_and_drops_what_no_longer_applies(
    document: Json,
) -> None:
    perturbed, records = perturb(document, wrong_visibility_share=1)
    labels = {shape["group_id"]: shape["label"] for shape in perturbed["shapes"][2:]}
    assert labels == {
        1: "object_reflection",
        2: "cup_reflection",
        3: "object_reflection",
        4: "object_reflection",
        5: "object",
        6: "cup",
        7: "object",
    }
    assert by_id(perturbed, 5)[0]["attributes"] == {}
    assert records[1].changes == ("wrong_visibility",)
    assert records[1].role == "direct"


def test_surfaces_of_another_type_and_forgotten_holes(document: Json) -> None:
    perturbed, records = perturb(document, wrong_surface_type_share=1, forgotten_hole_share=1)
    surface = by_id(perturbed, 100)
    assert [shape["label"] for shape in surface] == ["surface"]
    record = records[100]
    assert record.changes == ("wrong_surface_type", "hole_forgotten")
    assert record.holes_forgotten == 1
    assert record.surface_type_before == "planar_mirror"
    assert surface[0]["attributes"]["surface_type"] == record.surface_type_after != "planar_mirror"
    assert record.iou == pytest.approx(1 - 1600 / (300 * 260), abs=1e-4)


def test_invented_instances_have_new_ids_and_no_links(document: Json) -> None:
    perturbed, records = perturb(document, extra_share=1)
    assert perturbed["shapes"][:9] == document["shapes"]
    invented = perturbed["shapes"][9:]
    assert [shape["group_id"] for shape in invented] == list(range(101, 108))
    for shape in invented:
        assert records[shape["group_id"]].changes == ("invented",)
        assert shape["attributes"].get("reflection_of", "") == ""
        assert shape["house_key"] == [1, {"a": None}]
        for x, y in shape["points"]:
            assert 0 <= x <= 640
            assert 0 <= y <= 400


def test_an_invented_reflection_lies_in_its_surface(document: Json) -> None:
    document["shapes"] = [document["shapes"][0], document["shapes"][6]]
    perturbed, _ = perturb(document, extra_share=1)
    for x, y in perturbed["shapes"][2]["points"]:
        assert 290 < x < 610
        assert 30 < y < 310


def test_equal_seeds_give_equal_errors_others_differ(document: Json) -> None:
    rates = {"vertex_px": 2.0, "miss_share": 0.3, "extra_share": 0.3, "wrong_link_share": 0.5}
    assert perturb(document, **rates) == perturb(document, **rates)
    assert perturb(document, seed=1, **rates)[0] != perturb(document, **rates)[0]


def test_streams_are_those_of_every_platform() -> None:
    chance = Chance(seed=7, annotator="a", path="scenes/s/views/v/color.json")
    drawn = chance.of(Draw.JITTER, 3).random(3).round(6).tolist()
    assert drawn == EXPECTED
    nfd = Chance(seed=7, annotator="a", path="e\u0301.json").of(Draw.MISS, 0).random()
    nfc = Chance(seed=7, annotator="a", path="\u00e9.json").of(Draw.MISS, 0).random()
    assert nfd == nfc


EXPECTED = [0.523873, 0.54417, 0.465935]


@pytest.mark.parametrize(
    "odd",
    [
        None,
        5,
        "shape",
        {},
        {"label": 5},
        {"label": "object"},
        {"label": "object", "points": "no"},
        {"label": "object", "points": [[1, 2], ["3", 4]]},
        {"label": "object", "points": [[1, 2, 3]] * 4, "group_id": "x"},
        {"label": "object", "points": [[1, 2]], "shape_type": "point", "group_id": 9},
        {"label": "object", "points": [[1, 2], [5, 5]], "shape_type": "line"},
        {"label": "object", "points": [[1e300, 2]] * 4, "group_id": 2.5},
        {"label": "object_reflection", "points": [], "attributes": 3, "kie_linking": {"a": 1}},
        {"label": "object_reflection", "attributes": {"reflection_of": ["a"]}, "kie_linking": [1]},
        {"label": "hole", "points": [[1, 1], [2, 2], [1, 2]], "group_id": True},
        {"label": "surface", "attributes": {"surface_type": ["glass"]}, "group_id": 3e40},
    ],
)
def test_shapes_that_cannot_be_used_stay_as_they_are(document: Json, odd: Any) -> None:
    document["shapes"].append(odd)
    before = copy.deepcopy(odd)
    perturbed, _ = perturb(document, vertex_px=2, wrong_link_share=0.5)
    assert perturbed["shapes"][-1] == before
    everything = {
        name: 1.0 for name in AnnotatorNoise.model_fields if name not in ("wobble_px", "small_bias")
    }
    perturbed, records = perturb(document, **everything)
    json.dumps(perturbed)
    assert all(isinstance(record, InstancePerturbation) for record in records.values())


@pytest.mark.parametrize("kind", ["rectangle", "circle", "rotation"])
def test_other_shapes_with_area_are_shifted(document: Json, kind: str) -> None:
    points = {
        "rectangle": [[10, 10], [60, 40]],
        "circle": [[40, 40], [60, 40]],
        "rotation": [[20, 40], [40, 20], [60, 40], [40, 60]],
    }[kind]
    document["shapes"] = [{"label": "object", "points": points, "shape_type": kind, "group_id": 1}]
    perturbed, records = perturb(document, vertex_px=2)
    assert records[1].changes == ("moved",)
    assert len(perturbed["shapes"][0]["points"]) == len(points)
    assert 0.5 < records[1].iou < 1
