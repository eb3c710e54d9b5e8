"""The demo's page stands alone, says what is to be seen, and takes text as text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mira.cli.app import app
from mira.cli.demo import page as page_module
from mira.cli.demo.page import Step, demo_page
from mira.cli.demo.question_cards import reason_in_words
from mira.cli.demo.scene_cards import scene_card
from mira.render.style import RenderStyle
from mira.schema.evaluation import Interval, ScoreTable
from mira.taxonomy.catalogue import taxonomy

HOSTILE = "</script><script>alert(1)</script>\"'<img src=x onerror=alert(2)>&"


class Tags(HTMLParser):
    """Start tags of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a demo."""
    out = tmp_path_factory.mktemp("demo") / "out dir"
    done = CliRunner().invoke(app, ["demo", "-o", str(out)])
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith(f"{out / 'report.html'}\n")
    return (out / "report.html").read_text("utf-8")


@pytest.mark.slow
def test_page_needs_nothing_from_elsewhere(demo: str) -> None:
    for tag, attributes in Tags(demo).seen:
        for name in ("src", "href"):
            assert (attributes.get(name) or "data:").startswith("data:"), tag
    assert re.findall(r"url\(|@import|https?://", demo) == []


@pytest.mark.slow
def test_every_outline_can_be_reached_and_says_what_it_is(demo: str) -> None:
    outlines = [
        attributes
        for tag, attributes in Tags(demo).seen
        if tag == "path" and "region" in (attributes.get("class") or "")
    ]
    assert len(outlines) == 108
    for attributes in outlines:
        assert attributes["tabindex"] == "0"
        assert attributes["aria-label"]
    assert demo.count("<title>") == len(outlines) + 1
    assert "reflection of the white washbasin, linked to it" in demo


@pytest.mark.slow
def test_captions_and_reasons_are_words(demo: str) -> None:
    assert re.search(r"<figcaption>RGB, mirrors? marked green, box X</figcaption>", demo)
    assert re.search(r"<figcaption>Depth, \d\.\d\d to \d\.\d\d m, mirrors? marked white", demo)
    assert re.search(r"Why: the reflection of the [\w ]+ is linked to it\.", demo)
    assert "cd &#39;" in demo
    assert "out dir" in demo
    assert "1,300" in demo
    for command in ("annotate import PICTURES", "qa generate", "export build"):
        assert f"mira {command}" in demo.split("Next: your own pictures")[1]


SQUARE = [[1.0, 1.0], [5.0, 1.0], [5.0, 5.0]]


def scene_row(words: str) -> dict[str, object]:
    import cv2
    import numpy as np

    picture = cv2.imencode(".png", np.zeros((8, 8, 3), np.uint8))[1].tobytes()
    region = {
        "box_xyxy_px": [1, 1, 5, 5],
        "segmentation": {"size": [8, 8], "counts": "P2"},
        "polygons_px": [SQUARE],
        "holes_px": [],
    }
    instances = [
        {"instance_id": k, "visibility": seen, "seen_in": [], "category": None, **region}
        for k, seen in enumerate(("direct", "reflected", "reflected", "reflected", "reflected"), 1)
    ]
    link = {"real_id": None, "reflection_of_id": None, "counterpart": None}
    return {
        "image_id": words,
        "width_px": 8,
        "height_px": 8,
        "image": {"bytes": picture, "path": None},
        "depth": None,
        "depth_unit_m": None,
        "depth_kind": None,
        "surfaces": [{"surface_id": 1, "surface_type": None, **region}],
        "instances": [{**instance, "description": words} for instance in instances],
        "links": [
            {**link, "reflected_id": 2, "real_id": 1, "counterpart": "in_frame"},
            {**link, "reflected_id": 3, "reflection_of_id": 2},
            {**link, "reflected_id": 4, "counterpart": "out_of_frame"},
        ],
    }


def test_an_outline_says_how_its_object_is_seen() -> None:
    titles = [region["title"] for region in scene_card(scene_row("cup"), RenderStyle())["regions"]]
    assert titles == [
        "reflective surface",
        "cup, seen directly",
        "reflection of the cup, linked to it",
        "reflection of the cup, a reflection of a reflection",
        "reflection of the cup, which is itself outside the picture",
        "reflection of the cup, and nobody has said which object it is",
    ]


def scores() -> ScoreTable:
    interval = Interval(method="m", level=0.95, low=0.1, high=0.4)
    groups = (("vc", "subtask"), ("level:perception", "level"), ("overall", "overall"))
    counts = {"n": 1234, "n_units": 1, "n_unparsable": 0, "n_unscored": 0}
    return ScoreTable.model_validate(
        {
            "release_digest": "0",
            "protocol": None,
            "complete": True,
            "rows": [
                {"name": name, "group": group, "value": 0.25, "chance": 0.125, **counts}
                | {"interval": interval}
                for name, group in groups
            ],
        }
    )


def test_hostile_text_stays_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = type("Info", (), {"statistics": {}, "digest": HOSTILE})
    card = {
        "template_id": HOSTILE,
        "subtask": HOSTILE,
        "answer": "A",
        "why": HOSTILE,
        "wordings": {
            protocol.id: {
                "question": HOSTILE,
                "options": [{"label": "A", "value": HOSTILE, "text": HOSTILE}],
            }
            for protocol in taxonomy().protocols
        },
        "shown": {
            f"{protocol.id}/{modality.id}": [{"picture": "p", "caption": HOSTILE}]
            for protocol in taxonomy().protocols
            for modality in taxonomy().modalities
        },
    }
    monkeypatch.setattr(page_module, "read_info", lambda release: info)
    monkeypatch.setattr(page_module, "read_scenes", lambda release: [scene_row(HOSTILE)])
    monkeypatch.setattr(page_module, "examples", lambda *given: [[{"image_id": HOSTILE}]])

    def question_card(rows: object, scene: object, album: page_module.Album, style: object):
        album.pictures["p"] = "data:,"
        return card

    monkeypatch.setattr(page_module, "question_card", question_card)
    text = demo_page(
        tmp_path / "release",
        folder=Path(HOSTILE.replace("/", "")),
        steps=[Step(HOSTILE, HOSTILE, HOSTILE)],
        tables={HOSTILE: scores(), "random": scores()},
    )
    tags = Tags(text).seen
    assert [tag for tag, _ in tags].count("script") == 2
    assert not [attributes for _, attributes in tags if "onerror" in attributes]
    assert "<img src=x" not in text
    assert "1,234" in text


@pytest.mark.parametrize(
    ("rule", "answer", "slots", "ids", "links", "reason"),
    [
        ("visibility-of-object", "yes", [1], [1, 2], [[2, 1]], "the reflection of the cup is"),
        ("visibility-of-object", "yes", [1], [1], [], "no reflection is linked to the cup"),
        ("visibility-of-object", "yes", [2], [2], [], "the cup is itself outside the picture"),
        (
            "link-of-pair",
            "no",
            [2, 3],
            [1, 2, 3],
            [[2, 1]],
            "the reflection shows the cup, and the",
        ),
    ],
)
def test_a_reason_is_told_without_ids(
    rule: str, answer: str, slots: list[int], ids: list[int], links: list[list[int]], reason: str
) -> None:
    row = {
        "answer": answer,
        "marks": [{"instance_id": k, "role": "slot"} for k in slots],
        "derivation": {"rule": rule, "annotator": "a", "instance_ids": ids, "links": links},
    }
    told = reason_in_words(row, scene_row("cup"))
    assert told.startswith(f"Why: {reason}")
    assert told.endswith("Annotated by: a.")
