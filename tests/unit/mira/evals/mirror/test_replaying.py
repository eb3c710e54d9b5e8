from __future__ import annotations

import io
import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from mira.cli.app import app
from mira.errors import EpisodeError, MiraError
from mira.evals.mirror_report.moments import moments_of
from mira.evals.mirror_report.replaying import require_episode, write_replay
from mira.store.episodes import EpisodeStore

EPISODE = "nova_carter-gripper-ring-level-1"


def draw(hand_m):
    """A picture of one grey that tells where the hand is."""
    return np.full((64, 64, 3), round(100 * hand_m[0]), np.uint8)


@pytest.fixture(scope="module")
def run(play_run) -> Path:
    return play_run("oracle", scenes=("nova_carter-gripper-ring",), levels=(1,))


def test_moments_are_the_start_and_what_came_of_each_step(run) -> None:
    one = require_episode(run, EPISODE)
    moments = moments_of(EpisodeStore.open(run), one, draw=draw)
    assert len(moments) == len(one.steps) + 1
    assert moments[0].hand_m == pytest.approx((0.8, 0.1, 0.9))
    assert moments[0].distance_m == pytest.approx(0.7)
    assert moments[-1].step is None
    assert [int(moment.picture[0, 0, 0]) for moment in moments] == [
        round(100 * moment.hand_m[0]) for moment in moments
    ]


def test_pictures_that_were_kept_are_not_drawn_again(new_store, make_episode) -> None:
    import hashlib

    from mira.schema.record import FileRef

    episode, steps = make_episode([0.5, 0.4, 0.3])
    png = cv2.imencode(".png", np.full((8, 8, 3), 7, np.uint8))[1].tobytes()
    ref = FileRef(path="1.png", sha256=hashlib.sha256(png).hexdigest(), size_bytes=len(png))
    steps = (steps[0].model_copy(update={"image": ref}), steps[1])
    new_store.put(episode, steps, pictures={"1.png": png})
    asked = []
    one = require_episode(new_store.root, episode.episode_id)
    moments = moments_of(new_store, one, draw=lambda hand: asked.append(hand) or draw(hand))
    assert moments[0].picture.mean() == 7
    assert len(asked) == 2


def test_a_gif_has_a_picture_for_each_moment(run, tmp_path: Path) -> None:
    one = require_episode(run, EPISODE)
    write_replay(run, one, tmp_path / "film.gif", draw=draw)
    with Image.open(io.BytesIO((tmp_path / "film.gif").read_bytes())) as film:
        assert film.n_frames == len(one.steps) + 1
        assert film.size == (576, 616)


def test_an_mp4_shows_each_moment_long_enough(run, tmp_path: Path) -> None:
    one = require_episode(run, EPISODE)
    write_replay(run, one, tmp_path / "film.mp4", draw=draw)
    film = cv2.VideoCapture(str(tmp_path / "film.mp4"))
    seconds = film.get(cv2.CAP_PROP_FRAME_COUNT) / film.get(cv2.CAP_PROP_FPS)
    film.release()
    assert seconds == pytest.approx(0.7 * len(one.steps) + 2.5, abs=0.2)


def test_a_page_needs_no_pictures_and_hostile_replies_stay_text(new_store, make_episode) -> None:
    episode, steps = make_episode([0.5, 0.4, 0.3])
    hostile = "</script><script>alert(1)</script>"
    steps = tuple(step.model_copy(update={"raw_reply": hostile}) for step in steps)
    new_store.put(episode, steps)
    out = new_store.root.parent / "page.html"
    one = require_episode(new_store.root, episode.episode_id)
    write_replay(new_store.root, one, out, draw=None)
    page = out.read_text()
    assert page.count("</script>") == 2
    data = re.search(r'id="moments">(.*?)</script>', page, re.DOTALL)
    assert [moment["reply"] for moment in json.loads(data[1])] == [hostile, hostile, None]


def test_a_film_without_pictures_says_what_to_do(run, tmp_path: Path) -> None:
    one = require_episode(run, EPISODE)
    with pytest.raises(EpisodeError, match="expected a picture, found none"):
        write_replay(run, one, tmp_path / "film.gif", draw=None)
    with pytest.raises(MiraError, match="expected a name that ends in"):
        write_replay(run, one, tmp_path / "film.png", draw=None)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_episode_is_told_with_one_that_is_known(run, tmp_path: Path) -> None:
    words = ["eval", "mirror", "replay", str(run), "nobody", "--out", str(tmp_path / "a.gif")]
    result = CliRunner().invoke(app, words)
    assert f"such as {EPISODE}, found no nobody" in str(result.exception)
