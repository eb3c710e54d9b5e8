"""Players that say one thing and do another, each played to the end by the simulator itself."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.console import Console

from mira.errors import EpisodeError
from mira.evals.beliefs.records import BeliefRow, BeliefScores
from mira.evals.beliefs.runs import read_asked
from mira.evals.beliefs.scoring import score_beliefs
from mira.evals.beliefs.section import beliefs_section
from mira.evals.beliefs.table import BeliefsView
from mira.evals.mirror_report.writing import write_mirror_report
from mira.plays import Request
from mira.schema.episode import EpisodeRun
from mira.schema.probe import BOX_WORDS
from mira.schema.record import Provenance
from mira.schema.step import ReachAction
from mira.sim.reach.play import ReachPlay
from mira.sim.reach.probing import ReachProbePolicy
from mira.sim.reach.rules import MIRROR_X_M, ReachGame, ReachPolicy
from mira.sim.reach.scenes import reach_scenes
from mira.sim.treasure.agents.walking import approach
from mira.sim.treasure.play import Cast, TreasurePlay
from mira.sim.treasure.probing import TreasureProbePolicy
from mira.sim.treasure.rules import PLAYERS
from mira.sim.treasure.trials import CONDITIONS, plan_trials
from mira.store.episodes import EpisodeStore

RUN = EpisodeRun(name="lab/one", provenance=Provenance(tool="tests", tool_version="1"))
ALONG: tuple[tuple[ReachAction, ReachAction], ...] = (
    ("backward", "forward"),
    ("right", "left"),
    ("down", "up"),
)


class Question(NamedTuple):
    """What a player reads of a probe.

    Attributes:
        text: The question.
        options: What may be answered, by letter.
    """

    text: str
    options: dict[str, str]


Say = Callable[[Question], "str | None"]
"""A reply; None where the line is dead."""
IN_THE_MIRROR = {
    "ahead": "reflection",
    "nearest": "own",
    "orange": "other than",
    "": "the body that",
}


def read_question(request: Request) -> Question:
    text = request.text.split("Question: ")[-1].split("\n")[0]
    return Question(text, dict(re.findall(r"^([A-Z])\. (.+)$", request.text, re.M)))


def saying(words: str, *, rightly: bool = True) -> Callable[[Question], str]:
    """Names the option that begins with words, or another one."""

    def say(question: Question) -> str:
        letter = next(k for k, v in question.options.items() if v.startswith(words) == rightly)
        return json.dumps({"final_answer": letter, "brief_explanation": "so it is"})

    return say


def rightly(question: Question) -> str:
    return _about_the_mirror(question, rightly=True)


def wrongly(question: Question) -> str:
    return _about_the_mirror(question, rightly=False)


def _about_the_mirror(question: Question, *, rightly: bool) -> str:
    hint = next(value for key, value in IN_THE_MIRROR.items() if key in question.text)
    (words,) = (
        value
        for value in question.options.values()
        if hint in value and ("other than" in value) == (hint == "other than")
    )
    return saying(words, rightly=rightly)(question)


def to_body(play: ReachPlay) -> str:
    return toward(play.game, play.scene.body.mark_m)


def to_image(play: ReachPlay) -> str:
    x, y, z = play.scene.body.mark_m
    return toward(play.game, (2 * MIRROR_X_M - x, y, z))


def toward(game: ReachGame, place: tuple[float, float, float]) -> str:
    away = [goal - at for goal, at in zip(place, game.hand_m, strict=True)]
    axis = max(range(3), key=lambda k: abs(away[k]))
    return ALONG[axis][away[axis] > 0]


def reach_scores(
    root: Path, say: Say, go: Callable[[ReachPlay], str], *, scenes: int = 4
) -> BeliefScores:
    """Scores of a player of the mirror test at two levels."""
    store = EpisodeStore.create(root, RUN)
    for scene in reach_scenes()[::16][:scenes]:
        for level in (1, 3):
            play = ReachPlay(
                scene,
                level,
                player="lab/one",
                model="lab/one",
                policy=ReachPolicy(),
                probes=ReachProbePolicy(steps=(0, 2)),
            )
            while (request := play.request()) is not None:
                if request.kind == "move":
                    play.hear(go(play))
                elif (reply := say(read_question(request))) is None:
                    play.abort("not heard")
                else:
                    play.hear(reply)
            play.write(store)
    return score_beliefs(read_asked([root]))


def row_of(scores: BeliefScores, question: str, cell: str | None = None) -> BeliefRow:
    return next(one for one in scores.rows if (one.question, one.cell) == (question, cell))


@pytest.mark.parametrize(
    ("say", "go", "accuracy", "agreement"),
    [
        (rightly, to_body, 1, 1),
        (rightly, to_image, 1, 0),
        (wrongly, to_image, 0, 1),
        (wrongly, to_body, 0, 0),
    ],
)
def test_the_gap_is_what_is_known_less_what_is_acted_on_in_the_mirror_test(
    tmp_path: Path, say: Say, go: Callable[[ReachPlay], str], accuracy: int, agreement: int
) -> None:
    scores = reach_scores(tmp_path, say, go)
    for question in ("reflection", "own_mark"):
        for cell in (None, "level 1", "level 3"):
            row = row_of(scores, question, cell)
            gap = row.gap
            assert gap is not None
            assert row.accuracy == gap.accuracy == accuracy
            assert (gap.agreement, gap.gap) == (agreement, accuracy - agreement)
            assert gap.interval is not None
            assert gap.interval.low == gap.interval.high == gap.gap
            assert gap.n > gap.n_undecided
            assert gap.n + gap.n_undecided == row.n_asked
            assert row.order == 0
            assert "scenes" in gap.interval.method
    assert row_of(scores, "frame").gap is None


def test_who_always_says_one_thing_is_seen_by_controls_and_who_says_a_letter_by_options(
    tmp_path: Path,
) -> None:
    def first(question: Question) -> str:
        return json.dumps({"final_answer": "A"})

    def reflects(question: Question) -> str:
        shown = "a reflection of what stands before it" in question.options.values()
        return saying("a reflection")(question) if shown else first(question)

    reflection = reach_scores(tmp_path / "a", reflects, to_body)
    assert row_of(reflection, "reflection").accuracy == 1
    assert row_of(reflection, "near_figure").accuracy == 0
    letter = reach_scores(tmp_path / "b", first, to_body, scenes=5)
    assert row_of(letter, "reflection").first_share == 1
    assert 0 < (row_of(letter, "reflection").accuracy or 0) < 1


def test_what_was_not_read_is_wrong_and_what_was_not_heard_is_neither(tmp_path: Path) -> None:
    def say(question: Question) -> str | None:
        return "both of them" if "there is a" in question.text else rightly(question)

    def dies(question: Question) -> str | None:
        return None if "orange" in question.text else say(question)

    scores = reach_scores(tmp_path / "unread", say, to_body)
    unread = row_of(scores, "own_mark")
    assert (unread.n_asked, unread.n_unparsable, unread.accuracy, unread.gap) == (16, 16, 0, None)
    scores = reach_scores(tmp_path / "dead", dies, to_body)
    heard, dead = row_of(scores, "reflection"), row_of(scores, "frame")
    assert (heard.n_asked, heard.n_unheard, heard.accuracy) == (8, 0, 1)
    assert (dead.n_asked, dead.n_unheard, dead.accuracy) == (8, 8, None)
    # It broke off before a move was made, so that nothing was done.
    assert heard.gap is not None
    assert (heard.gap.n, heard.gap.n_undecided) == (0, 8)


def test_moves_that_lead_to_both_decide_nothing(tmp_path: Path) -> None:
    scores = reach_scores(tmp_path, rightly, lambda play: "up")
    gap = row_of(scores, "reflection").gap
    assert gap is not None
    assert (gap.n, gap.n_undecided, gap.gap, gap.interval) == (0, 16, None, None)


FLAT = {"positive": 0.0, "negative": 0.0}
TALK = {
    "speech": {"inner_speech": "hm", "utterance": "So which of the two is it, if I may ask you?"},
    "preferences": {"updates": []},
}


def treasure_scores(root: Path, *, says_reward: bool, goes_to_reward: bool) -> BeliefScores:
    """Scores of a model that plays both roles, and says the same whatever it is asked."""
    store = EpisodeStore.create(root, RUN)
    for trial in plan_trials(0, count=3, conditions=CONDITIONS[::3]):
        reward, empty = trial.reward_box, 1 - trial.reward_box
        cast = {role: Cast("lab/one") for role in PLAYERS}
        play = TreasurePlay(trial, cast, probes=TreasureProbePolicy(steps=(1, 4, 10)))
        while (request := play.request()) is not None:
            if request.kind == "probe":
                words = BOX_WORDS[reward if says_reward else empty]
                play.hear(saying(words)(read_question(request)))
            elif request.kind in TALK:
                play.hear(json.dumps(TALK[request.kind]))
            else:
                play.hear(turn(play, request, reward if goes_to_reward else empty))
        play.write(store)
    return score_beliefs(read_asked([root]))


def turn(play: TreasurePlay, request: Request, box: int) -> str:
    assert request.role != "agent"
    move = approach(play.match.seen(request.role, 1), 1 if box else 0)
    walks = move != "stay_idle"
    return json.dumps(
        {
            "emotion": {"facial": FLAT, "physiological": FLAT, "felt": FLAT},
            "preferences": {BOX_WORDS[box]: 0.5, BOX_WORDS[1 - box]: -0.5},
            "move": {
                "action": "move" if walks else "stay idle",
                "direction": move.replace("_", " ") if walks else None,
            },
        }
    )


@pytest.mark.parametrize(
    ("says", "goes", "accuracy", "agreement"),
    [(True, True, 1, 1), (True, False, 1, 0), (False, False, 0, 1), (False, True, 0, 0)],
)
def test_the_gap_is_what_is_known_less_what_is_acted_on_in_mosaic(
    tmp_path: Path, says: bool, goes: bool, accuracy: int, agreement: int
) -> None:
    scores = treasure_scores(tmp_path, says_reward=says, goes_to_reward=goes)
    for question in ("reward", "other"):
        rows = [one for one in scores.rows if (one.role, one.question) == ("participant", question)]
        assert {one.cell for one in rows} == {None, "coop-tom0", "comp-tom1"}
        for row in rows:
            gap = row.gap
            assert gap is not None
            assert (row.accuracy, gap.agreement) == (accuracy, agreement)
            assert gap.gap == accuracy - agreement
            assert (gap.n_undecided, gap.n) == (0, row.n_asked)
            assert gap.gap == (gap.right_differs - gap.wrong_agrees) / gap.n
    second = next(one for one in scores.rows if one.question == "other_of_self")
    assert (second.order, second.gap) == (2, None)
    # Marie may mean to mislead in Comp-ToM1, and nothing that she does follows there.
    marie = {
        one.cell: one.gap
        for one in scores.rows
        if (one.role, one.question) == ("subject", "reward")
    }
    assert marie["comp-tom1"] is None
    assert marie["coop-tom0"] is not None
    assert marie["coop-tom0"].gap == accuracy - agreement


def test_the_table_fits_its_width_and_names_what_it_leaves_out(tmp_path: Path) -> None:
    scores = reach_scores(tmp_path, rightly, to_image)
    for width in (200, 100, 80):
        out = io.StringIO()
        Console(file=out, width=width).print(BeliefsView(scores))
        assert max(map(len, out.getvalue().splitlines())) <= width
        assert "+100.0" in out.getvalue()
        assert ("Not shown" in out.getvalue()) == (width < 200)


def test_reports_show_what_is_believed_where_somebody_was_asked_and_escape_names(
    tmp_path: Path,
) -> None:
    scores = reach_scores(tmp_path / "run", rightly, to_image)
    hostile = scores.model_copy(
        update={
            "rows": tuple(
                row.model_copy(update={"player": "<script>alert(1)</script>"})
                for row in scores.rows
            )
        }
    )
    section = str(beliefs_section(hostile))
    assert "<script>" not in section
    assert "&lt;script&gt;" in section
    assert "+100.0" in section
    assert not beliefs_section(None)

    files = {path.name for path in write_mirror_report([tmp_path / "run"], tmp_path / "report")}
    assert "beliefs.json" in files
    page = (tmp_path / "report" / "report.html").read_text("utf-8")
    assert 'href="#beliefs"' in page
    assert page.count('<section id="beliefs">') == 1
    stored = BeliefScores.from_json((tmp_path / "report" / "beliefs.json").read_bytes(), where="x")
    assert stored == scores


def test_a_run_without_probes_is_refused_with_what_to_do(tmp_path: Path) -> None:
    EpisodeStore.create(tmp_path, RUN)
    with pytest.raises(EpisodeError, match="play with --probes"):
        read_asked([tmp_path])
    with pytest.raises(EpisodeError, match="expected each run once"):
        read_asked([tmp_path, tmp_path])
