"""One person's way through episodes: each move counts once, and none is lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from played_offer import SETUP, files_of, make_offer, play_on, way_of

from annotate.playing.offer import Offer
from annotate.playing.sitting import Ended, Sitting
from mira.errors import DeskError, RecordError
from mira.sim.reach.series import reach_slots

OFFER = make_offer()


def sit(root: Path, *, offer: Offer = OFFER, name: str = "anna") -> Sitting:
    return Sitting(offer.course_of(name, root), root / "played" / "replies.jsonl")


def test_a_person_is_told_what_a_model_is_told_and_makes_the_same_episode(tmp_path: Path) -> None:
    sitting = sit(tmp_path / "person")
    planned = sitting.course.planned[0]
    model = planned.open()
    moves = way_of(sitting, 0)
    for heard, move in enumerate(["forward", "backward", *moves[:2], "up and down", *moves[2:]]):
        turn, request = sitting.turn(), model.request()
        if turn is None or turn.place or request is None:
            break
        assert "\n\n".join(filter(None, (turn.task, turn.since))) == request.text
        assert tuple(picture.png for picture in turn.pictures) == request.pictures
        sitting.reply(0, heard, move)
        model.hear(move)
    store = SETUP._replace(player="anna").open(tmp_path / "model")
    episode = model.write(store)
    assert files_of(tmp_path / "person") == files_of(tmp_path / "model")
    assert (episode.agents[0].name, episode.model) == ("anna", None)


def test_levels_that_tell_less_come_first_and_everybody_has_an_order_of_their_own(
    tmp_path: Path,
) -> None:
    offer = make_offer(scenes=("robot",), levels=(0, 1, 2, 3))
    names = ("anna", "berta")
    orders = [
        [one.episode_id for one in offer.course_of(name, tmp_path / name).planned] for name in names
    ]
    assert [int(one[-1]) for one in orders[0]] == [3] * 18 + [2] * 18 + [1] * 18 + [0] * 18
    assert orders[0] != orders[1]
    assert (
        {*orders[0]} == {*orders[1]} == {slot.episode_id for slot in reach_slots(scenes=("robot",))}
    )
    again = offer.course_of("anna", tmp_path / "anna").planned
    assert [one.episode_id for one in again] == orders[0]


def test_a_move_that_comes_twice_is_made_once(tmp_path: Path) -> None:
    sitting = sit(tmp_path)
    with ThreadPoolExecutor(8) as windows:
        list(windows.map(lambda _: sitting.reply(0, 0, "up"), range(16)))
    assert sitting.reply(0, 0, "down") is None
    turn = sitting.turn()
    assert turn is not None
    assert (turn.heard, turn.since.splitlines()[1:]) == (1, ["1. up: done"])


@pytest.mark.parametrize(("place", "heard"), [(0, 1), (0, -1), (1, 0), (99, 0), (-1, 0)])
def test_what_was_not_asked_is_not_answered(tmp_path: Path, place: int, heard: int) -> None:
    sitting = sit(tmp_path)
    with pytest.raises(DeskError, match="nothing of that kind was asked"):
        sitting.reply(place, heard, "up")
    assert sitting.turn().heard == 0  # type: ignore[union-attr]


def test_how_an_episode_ended_is_told_again(tmp_path: Path) -> None:
    sitting = sit(tmp_path)
    moves = way_of(sitting, 0)
    ended = [sitting.reply(0, heard, move) for heard, move in enumerate(moves)]
    assert ended == [None] * (len(moves) - 1) + [Ended(0, True, len(moves))]
    assert sitting.reply(0, len(moves) - 1, "up") == ended[-1]
    assert sitting.turn().place == 1  # type: ignore[union-attr]
    play_on(sitting, episodes=3)
    assert (sitting.turn(), sitting.left) == (None, 0)
    assert sitting.reply(2, 0, "up") is not None


def test_who_is_killed_in_the_middle_goes_on_with_the_same_turn(tmp_path: Path) -> None:
    before = sit(tmp_path)
    play_on(before)
    before.reply(1, 0, "up")
    before.reply(1, 1, "down")
    shown = before.turn()
    with (tmp_path / "played" / "replies.jsonl").open("ab") as stream:
        stream.write(b'{"episode_id": "half a l')
    after = sit(tmp_path)
    assert after.turn() == shown
    assert after.left == 3
    after.reply(1, 2, "up")
    assert sit(tmp_path).turn().heard == 3  # type: ignore[union-attr]


def test_what_was_heard_and_not_written_or_damaged_since_is_written_from_the_journal(
    tmp_path: Path,
) -> None:
    sitting = sit(tmp_path)
    play_on(sitting, episodes=2)
    whole = files_of(tmp_path)
    for name in (one for one in whole if one.endswith("steps.jsonl")):
        (tmp_path / name).write_text("")
    again = sit(tmp_path)
    assert again.left == 4
    assert again.turn().place == 2  # type: ignore[union-attr]
    assert files_of(tmp_path) == whole


def test_a_journal_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "played").mkdir()
    journal = tmp_path / "played" / "replies.jsonl"
    journal.write_text("{}\n")
    course = make_offer().course_of("anna", tmp_path / "run")
    with pytest.raises(RecordError, match=r"replies\.jsonl:1"):
        Sitting(course, journal)


def test_keys_say_what_the_reading_of_the_run_reads(tmp_path: Path) -> None:
    for reading in ("strict", "published"):
        offer = make_offer(reading=reading)
        sitting = sit(tmp_path / reading, offer=offer)
        for heard, button in enumerate(offer.buttons):
            sitting.reply(0, heard, button.reply)
        told = sitting.turn().since.splitlines()[1:7]  # type: ignore[union-attr]
        wanted = [button.label.lower() for button in offer.buttons]
        assert [line.split()[1].strip(":") for line in told] == wanted
