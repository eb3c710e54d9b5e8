"""Choosing instances in the picture viewer, by pointer and by keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Open = Callable[..., Any]
"""Mounts a viewer in a page; gives what hands and eyes do there."""
Build = Callable[..., dict[str, Any]]

pytestmark = pytest.mark.slow

_SELECT = "(given) => viewer.setSelection(given)"
_SHOW = "(given) => viewer.setScene(given)"


def test_clicks_fill_the_slots_in_turn(open_viewer: Open) -> None:
    viewer = open_viewer(labels=False)
    viewer.click(25, 25)
    viewer.click(190, 50, panel="depth")
    assert viewer.page.evaluate("said") == [
        {"slot": "X", "instance_id": 1, "seq": 1},
        {"slot": "Y", "instance_id": 7, "seq": 2},
    ]
    assert viewer.page.evaluate("moved") == [{"slot": "Y", "seq": 1}]
    assert viewer.page.locator(".mv-slot").all_inner_texts() == ["X\n1", "Y\n7"]
    chosen = viewer.page.locator("[data-panel=color] [data-instance='1']")
    assert chosen.get_attribute("aria-pressed") == "true"
    assert "in slot X" in chosen.get_attribute("aria-label")


@pytest.mark.parametrize(
    ("pixel", "expected"),
    [
        ((70, 70), 3),
        ((50, 50), 2),
        ((25, 25), 1),
        ((190, 50), 7),
        ((240, 100), None),  # in the hole
        ((30, 200), 14),  # a wing of the bow-tie
        ((60, 186), None),  # between its wings
        ((12, 225), None),  # the mirror alone
        ((310, 230), None),  # bare ground
    ],
)
def test_a_click_takes_the_smallest_instance_of_what_is_drawn(
    open_viewer: Open, pixel: tuple[int, int], expected: int | None
) -> None:
    viewer = open_viewer(labels=False)
    viewer.click(*pixel)
    assert viewer.said() == ([] if expected is None else [("X", expected)])


def test_alt_clicks_go_through_what_overlaps_from_small_to_large(open_viewer: Open) -> None:
    viewer = open_viewer(labels=False)
    for _ in range(4):
        viewer.click(70, 70, "Alt")
    assert viewer.said() == [("X", 3), ("X", 2), ("X", 1), ("X", 3)]
    viewer.click(50, 50, "Alt")
    assert viewer.said()[4:] == [("Y", 2)]


def test_an_id_is_typed_with_two_digits(open_viewer: Open, slots: Build) -> None:
    viewer = open_viewer(selection=slots("X", "Y", "Z"))
    viewer.page.locator(".mv-panels").focus()
    viewer.page.keyboard.type("0714")
    viewer.page.keyboard.type("3")
    viewer.page.keyboard.press("Enter")
    assert viewer.said() == [("X", 7), ("Y", 14), ("Z", 3)]
    viewer.page.keyboard.type("55")
    assert viewer.page.locator(".mv-news").inner_text() == "There is no instance 55"
    viewer.page.keyboard.type("90")
    assert viewer.page.locator(".mv-news").inner_text() == "90 is a surface"
    assert len(viewer.said()) == 3


def test_where_ids_have_three_digits_two_are_enough_after_a_while(
    open_viewer: Open, scene: Build
) -> None:
    shown = scene()
    shown["instances"][1]["instance_id"] = 102
    viewer = open_viewer(shown)
    viewer.page.locator(".mv-panels").focus()
    viewer.page.keyboard.type("102")
    viewer.page.keyboard.type("07")
    viewer.page.locator(".mv-news", has_text="07_").wait_for(state="detached", timeout=3000)
    assert viewer.said() == [("X", 102), ("Y", 7)]


def test_a_digit_alone_is_forgotten_after_a_while(open_viewer: Open) -> None:
    viewer = open_viewer()
    viewer.page.locator(".mv-panels").focus()
    viewer.page.keyboard.type("1")
    assert viewer.page.locator(".mv-news").inner_text() == "1_"
    viewer.page.locator(".mv-news", has_text="1_").wait_for(state="detached", timeout=3000)
    viewer.page.keyboard.type("07")
    assert viewer.said() == [("X", 7)]


def test_escape_empties_the_slot_and_then_goes_back(open_viewer: Open) -> None:
    viewer = open_viewer(labels=False)
    viewer.click(25, 25)
    viewer.page.keyboard.press("Escape")
    viewer.page.keyboard.press("Escape")
    assert viewer.said() == [("X", 1), ("X", None)]
    viewer.page.keyboard.type("07")
    assert viewer.said()[2:] == [("X", 7)]


_BURST = """(points) => {
  for (const [clientX, clientY] of points) {
    const target = host.firstChild.shadowRoot.elementFromPoint(clientX, clientY);
    const at = { clientX, clientY, bubbles: true, cancelable: true };
    const given = { ...at, detail: 1, pointerId: 1, buttons: 1 };
    target.dispatchEvent(new PointerEvent("pointerdown", given));
    target.dispatchEvent(new PointerEvent("pointerup", { ...given, buttons: 0 }));
    target.dispatchEvent(new MouseEvent("click", given));
  }
}"""
_SLOW_ECHO = """() => { window.echo = (choice) => {
  const idOf = (slot) => said.findLast((one) => one.slot === slot)?.instance_id ?? null;
  const slots = [..."ABCDEFGHIJ"].map((slot) => ({ slot, instance_id: idOf(slot) }));
  setTimeout(() => viewer.setSelection({ slots, seq: choice.seq }), 60);
}; }"""


def test_ten_clicks_at_once_are_ten_choices_in_order(open_viewer: Open, slots: Build) -> None:
    viewer = open_viewer(selection=slots(*"ABCDEFGHIJ"), labels=False)
    viewer.page.evaluate(_SLOW_ECHO)
    pixels = [((25, 25), (50, 50), (70, 70), (190, 50), (190, 190))[k % 5] for k in range(10)]
    expected = [(1, 2, 3, 7, 12)[k % 5] for k in range(10)]
    viewer.page.evaluate(_BURST, [viewer.spot(*pixel) for pixel in pixels])
    assert [id_ for _, id_ in viewer.said()] == expected
    assert [one["slot"] for one in viewer.page.evaluate("said")] == list("ABCDEFGHIJ")
    assert [one["seq"] for one in viewer.page.evaluate("said")] == list(range(1, 11))
    viewer.page.wait_for_timeout(150)  # for the last echo, which must not undo anything
    assert viewer.filled() == [str(id_) for id_ in expected]


def test_a_burst_at_one_spot_is_no_double_click(open_viewer: Open) -> None:
    viewer = open_viewer(labels=False)
    viewer.point(70, 70)
    viewer.scroll(2)
    at = viewer.spot(70, 70)
    for _ in range(10):
        viewer.page.mouse.click(*at, click_count=2)
    choices = viewer.said()
    assert len(choices) >= 10
    assert {id_ for _, id_ in choices} == {3}
    assert viewer.zoom() != "100 %"


def test_what_the_page_says_later_holds_and_what_it_says_late_does_not(
    open_viewer: Open, slots: Build
) -> None:
    viewer = open_viewer(labels=False)
    viewer.click(25, 25)
    viewer.click(190, 50)
    viewer.page.evaluate(_SELECT, slots("X", "Y", seq=1))
    assert viewer.filled() == ["1", "7"]
    viewer.page.evaluate(_SELECT, slots("X", "Y", seq=2))
    assert viewer.filled() == ["–", "–"]
    viewer.page.evaluate(_SELECT, slots("P", seq=0))
    assert viewer.filled() == ["–"]
    viewer.click(25, 25)
    assert viewer.page.evaluate("said.at(-1)") == {"slot": "P", "instance_id": 1, "seq": 3}


def test_without_slots_nothing_is_chosen(open_viewer: Open, slots: Build) -> None:
    viewer = open_viewer(selection=slots())
    viewer.click(25, 25)
    viewer.page.keyboard.press("Escape")
    assert viewer.said() == []


def test_an_id_on_the_picture_stands_for_its_instance(open_viewer: Open) -> None:
    viewer = open_viewer()
    for wanted in (1, 3, 12):
        plate = viewer.page.locator(f"[data-panel=color] [data-tag='{wanted}'] .mv-plate")
        area = plate.bounding_box()
        viewer.page.mouse.click(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
    assert [id_ for _, id_ in viewer.said()] == [1, 3, 12]


_FOCUSED = """() => {
  const outer = document.activeElement, focused = outer.shadowRoot?.activeElement ?? outer;
  return focused.dataset.instance ?? focused.ariaLabel ?? focused.textContent;
}"""


def test_all_of_it_works_with_keys_alone(open_viewer: Open) -> None:
    viewer = open_viewer()
    viewer.page.locator("#before").focus()
    names: list[str] = []
    for _ in range(12):
        viewer.page.keyboard.press("Tab")
        names.append(viewer.page.evaluate(_FOCUSED))
        if names[-1] == "Picture and depth map":
            break
    assert names[:3] == ["slot X, empty", "slot Y, empty", "Side by side"]
    viewer.page.keyboard.press(".")
    viewer.page.keyboard.press(".")
    assert viewer.page.evaluate(_FOCUSED) == "2"
    assert viewer.told("hover") == "2"
    x, y = map(int, viewer.told("pixel").split(","))
    assert viewer.told("depth") == f"{viewer.depth[y, x] * viewer.unit_m:.3f} m"
    viewer.page.keyboard.press("Enter")
    viewer.page.keyboard.press(",")
    viewer.page.keyboard.press(" ")
    assert viewer.said() == [("X", 2), ("Y", 1)]
    viewer.page.keyboard.press("+")
    viewer.settle()
    before = viewer.spot(0, 0)
    viewer.page.keyboard.press("ArrowRight")
    viewer.settle()
    assert viewer.spot(0, 0)[0] < before[0]
    viewer.page.keyboard.press("Home")
    viewer.settle()
    assert viewer.zoom() == "100 %"
    viewer.page.keyboard.press("Shift+Tab")
    viewer.page.keyboard.type("07")
    assert viewer.said()[2:] == [("X", 7)]
    viewer.page.keyboard.press("Tab")
    viewer.page.keyboard.press("Tab")
    assert viewer.page.evaluate("document.activeElement.id") == "after"
    assert viewer.told("hover") is None


def test_keys_that_mean_nothing_here_reach_the_page(open_viewer: Open) -> None:
    viewer = open_viewer()
    viewer.page.evaluate(
        "window.heard = []; document.addEventListener('keydown', (e) => heard.push(e.key))"
    )
    viewer.page.locator(".mv-panels").focus()
    for key in ("y", "?", "7", "Enter", "Control+7", "Enter"):
        viewer.page.keyboard.press(key)
    assert viewer.page.evaluate("heard") == ["y", "?", "Control", "7", "Enter"]


def test_the_focus_survives_another_scene(open_viewer: Open, scene: Build, slots: Build) -> None:
    viewer = open_viewer()
    viewer.page.locator(".mv-panels").focus()
    viewer.page.keyboard.press(".")
    viewer.page.evaluate(_SHOW, scene("b"))
    viewer.wait("b")
    viewer.page.evaluate(_SELECT, slots("X", "Y"))
    viewer.page.keyboard.type("07")
    assert viewer.said() == [("X", 7)]


def test_a_screen_reader_meets_each_instance_once_by_name_and_can_press_it(
    open_viewer: Open,
) -> None:
    viewer = open_viewer()
    found = viewer.page.get_by_role("button", name="instance 3, thing 3, reflected in surface 90")
    assert found.count() == 1
    found.evaluate("(shape) => shape.dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    assert viewer.said() == [("X", 3)]
