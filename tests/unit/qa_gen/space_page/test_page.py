from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.report.page import json_for_script
from qa_gen.space_page.page import space_page
from qa_gen.space_page.policy import SpacePolicy
from qa_gen.space_page.records import SpaceModel

POLICY = SpacePolicy()
HOSTILE = "</script><img src=x onerror=alert(1)><!-- &quot; {{ 7 * 7 }} \u2028 ' \""


def _data(page: str) -> str:
    (found,) = re.findall(r'<script type="application/json" id="model">(.*?)</script>', page, re.S)
    return found


def _hostile(model: SpaceModel) -> SpaceModel:
    instances = tuple(one.model_copy(update={"name": HOSTILE}) for one in model.instances)
    proposals = tuple(
        one.model_copy(update={"question": HOSTILE, "reason": HOSTILE}) for one in model.proposals
    )
    return model.model_copy(
        update={
            "image_id": HOSTILE,
            "annotator": HOSTILE,
            "instances": instances,
            "proposals": proposals,
            "not_asked": {HOSTILE: 1},
        }
    )


def test_the_page_holds_the_whole_model(bathroom) -> None:
    page = space_page(bathroom.model, bathroom.color_rgb, policy=POLICY)
    assert SpaceModel.from_json(_data(page), where="page") == bathroom.model


def test_text_of_people_is_shown_and_never_run(bathroom) -> None:
    model = _hostile(bathroom.model)
    page = space_page(model, bathroom.color_rgb, policy=POLICY)
    assert SpaceModel.from_json(_data(page), where="page") == model
    assert "<img src=x" not in page
    assert "\u2028" not in _data(page)
    assert page.count("</script>") == 2
    assert "49" not in page.split("<body>")[1].split("</header>")[0]


@given(text=st.text())
def test_no_text_ends_the_element_that_holds_the_model(bathroom, text) -> None:
    model = bathroom.model.model_copy(
        update={"image_id": text, "instances": (), "proposals": (), "cloud": None}
    )
    written = json_for_script(model.to_json(indent=False).decode())
    assert "<" not in written
    assert SpaceModel.from_json(written, where="page").image_id == text


def test_equal_input_gives_equal_bytes(read) -> None:
    # Options make it read anew.
    pages = [read("room_s28_0001", policy=POLICY) for _ in range(2)]
    first, second = (space_page(one.model, one.color_rgb, policy=POLICY) for one in pages)
    assert first == second


@pytest.mark.parametrize("room", ["room_s28_0000", "room_s28_0003"])
def test_the_page_is_small_and_asks_nothing_of_a_network(read, room) -> None:
    space = read(room)
    page = space_page(space.model, space.color_rgb, policy=POLICY)
    assert len(page.encode()) < 3_000_000
    assert set(re.findall(r"https?://[^\"'\s<]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "innerHTML" not in page


def test_a_picture_without_depth_is_told_in_words(bathroom) -> None:
    model = bathroom.model.model_copy(
        update={"cloud": None, "ground": None, "note": "there is no depth"}
    )
    assert "there is no depth" in space_page(model, bathroom.color_rgb, policy=POLICY)
