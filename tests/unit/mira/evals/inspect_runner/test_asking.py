"""What is asked, in words and in flags."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from mira.cli.eval_asking import asking_options
from mira.cli.model_options import Reached, with_model_flags
from mira.errors import MissingExtraError
from mira.evals.inspect_runner.options import AskingOptions, Price, parts_of
from mira.evals.inspect_runner.running import run_model
from mira.evals.inspect_runner.wording import ReplyWording
from mira.replies.bare_answers import AnswerForm
from mira.replies.reading import read_reply
from mira.taxonomy.catalogue import taxonomy


@with_model_flags
def reach(*, reached: Reached) -> None:
    GIVEN.append(reached)


GIVEN: list[Reached] = []


def reached_by(**flags: Any) -> Reached:
    defaults = {name: one.default for name, one in inspect.signature(reach).parameters.items()}
    reach(**{**defaults, **flags})
    return GIVEN.pop()


def asked(
    protocols: str = "visual_bbox",
    modalities: str = "rgb",
    style: tuple[str, ...] = (),
    sweep: tuple[str, ...] = (),
    **flags: Any,
) -> AskingOptions:
    return asking_options(
        protocols=protocols,
        modalities=modalities,
        style=style,
        sweep=sweep,
        reached={"model": "m", **reached_by(**flags)},
    )


def row(kind: str) -> dict[str, Any]:
    options = [{"label": label, "value": label, "text": f"thing {label}"} for label in "AB"]
    if kind == "yes_no":
        options = [{"label": word, "value": word, "text": word} for word in ("yes", "no")]
    given = kind in ("yes_no", "single_choice", "single_choice_plus_text")
    return {
        "question_id": "q",
        "question": "What is it?",
        "format": kind,
        "options": options if given else [],
    }


def test_another_word_in_the_prompt_needs_another_version() -> None:
    assert ReplyWording.read().version == "1-a286a1f7"


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("yes_no", "final_answer is yes or no."),
        ("single_choice", "final_answer is A or B."),
        (
            "single_choice_plus_text",
            "final_answer is A or B; a full stop and words of your own may follow.",
        ),
        (
            "spatial_3d_axes",
            "final_answer is three words with commas between them: left, aligned or right; above, "
            "aligned or below; front, same_depth or behind.",
        ),
        ("count", "final_answer is one whole number in digits."),
    ],
)
def test_a_model_is_told_what_it_may_answer(kind: str, what: str) -> None:
    told = ReplyWording.read().prompt(row(kind), (), mirrors_tinted=False)
    assert told.startswith("What is it?\n")
    assert told.endswith(what)
    assert "{" not in what
    assert told.count("{") == told.count("}") == 1


def test_every_format_of_the_taxonomy_has_words() -> None:
    for template in taxonomy().templates:
        assert ReplyWording.read().repair(row(template.format)).startswith("No answer")


def test_a_prompt_that_is_echoed_is_no_answer() -> None:
    wording = ReplyWording.read()
    for template in taxonomy().templates:
        form = AnswerForm(template.format, (), {})
        assert read_reply(wording.how_to_reply(row(template.format)), form).answer is None


def test_all_protocols_are_one_run_and_several_are_one_each() -> None:
    every = asked("all", "rgb,rgb_d")
    names = [part.folder.name for part in parts_of(Path("out"), every)]
    assert names == ["rgb", "rgb_d"]
    assert every.protocols is None
    two = asked("visual_mask, bbox_text")
    assert [part.folder.name for part in parts_of(Path("out"), two)] == ["visual_mask", "bbox_text"]
    one = asked()
    assert [part.folder for part in parts_of(Path("out"), one)] == [Path("out")]


def test_styles_are_a_run_each() -> None:
    swept = asked(style=("rim=2",), sweep=("thickness=4,8",))
    parts = parts_of(Path("out"), swept)
    assert [part.folder.name for part in parts] == ["thickness-4", "thickness-8"]
    assert [part.style.style.changes() for part in parts] == [
        {"halo_px": 2.0},
        {"halo_px": 2.0, "line_px": 8.0},
    ]
    one = asked(style=("thickness=8",))
    assert [part.folder for part in parts_of(Path("out"), one)] == [Path("out")]


def test_settings_of_a_provider_are_values() -> None:
    given = ("stream=false", "reasoning={effort: low}", "name=a=b")
    options = asked(model_arg=given, price="1.5,6")
    assert options.model_args == {"stream": False, "reasoning": {"effort": "low"}, "name": "a=b"}
    assert options.price == Price(1.5, 6)


@pytest.mark.parametrize(
    "wrong",
    [
        {"protocols": "nosuch"},
        {"modalities": "rgb,"},
        {"model_arg": ("novalue",)},
        {"model_arg": ("load={a: [}",)},
        {"price": "1"},
        {"price": "a,b"},
        {"price": "-1,2"},
        {"price": "nan,2"},
        {"cost_limit": 1.0},
        {"style": ("depth-map=turbo",)},
        {"sweep": ("mirror_color=red,blue",)},
    ],
)
def test_flags_that_say_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(typer.BadParameter):
        asked(**wrong)


def test_who_lacks_inspect_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    monkeypatch.setitem(sys.modules, "inspect_ai.model", None)
    monkeypatch.delitem(sys.modules, "mira.evals.inspect_runner.model", raising=False)
    with pytest.raises(MissingExtraError, match=r"setup\.sh eval"):
        run_model(tmp_path, tmp_path / "run", options=AskingOptions(model="m"))
    assert not (tmp_path / "run").exists()
