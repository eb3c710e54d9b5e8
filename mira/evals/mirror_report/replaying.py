"""An episode of a run, to look at again: a GIF, an MP4 or a page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.errors import EpisodeError, MiraError
from mira.evals.mirror.policy import MirrorPolicy
from mira.evals.mirror.runs import PlayedEpisode, read_episode
from mira.evals.mirror_report.films import make_gif, make_mp4
from mira.evals.mirror_report.moments import Draw, Moment, caption_of, moments_of
from mira.evals.mirror_report.ways import way_of
from mira.report.page import jpeg_uri, json_for_script, render_page
from mira.store.atomic import write_file
from mira.store.episodes import EpisodeStore

_TEMPLATE = Path(__file__).parent / "templates" / "mirror_replay.html.j2"
_PAGE_PX = 768
_ENDINGS = (".gif", ".mp4", ".html")


def require_episode(run: Path, episode_id: str) -> PlayedEpisode:
    """An episode of the mirror test.

    Raises:
        EpisodeError: There is no such episode, and if there is one much like it, which.
    """
    store = EpisodeStore.open(run)
    if episode_id not in store.episode_ids():
        ids = store.episode_ids()
        known = f"one of {len(ids):,} such as {ids[0]}" if ids else "episodes in it"
        raise EpisodeError(run, f"expected {known}, found no {episode_id}")
    one = read_episode(store, episode_id)
    if one is None:
        raise EpisodeError(episode_id, "expected an episode of the mirror test, found another")
    return one


def require_film_name(out: Path) -> None:
    """Raise unless a file's name tells what to make.

    Raises:
        MiraError: It ends in none of `.gif`, `.mp4`, `.html`.
    """
    if out.suffix.lower() not in _ENDINGS:
        raise MiraError(out, f"expected a name that ends in {', '.join(_ENDINGS)}")


def write_replay(run: Path, one: PlayedEpisode, out: Path, *, draw: Draw | None) -> None:
    """Write an episode as a film or a page.

    Args:
        run: The run that it is of.
        one: The episode.
        out: A `.gif`, `.mp4` or `.html` file.
        draw: Draws pictures that were not kept; None to do without.

    Raises:
        EpisodeError: A film has a moment without a picture.
        MiraError: The name of the file tells of no film.
    """
    require_film_name(out)
    moments = moments_of(EpisodeStore.open(run), one, draw=draw)
    if out.suffix.lower() == ".html":
        data = replay_page(one, moments).encode()
    else:
        data = make_gif(moments) if out.suffix.lower() == ".gif" else make_mp4(moments)
    write_file(out, data, durable=False)


def replay_page(one: PlayedEpisode, moments: Sequence[Moment]) -> str:
    """The HTML of a page on which an episode is stepped through."""
    way = way_of(one, policy=MirrorPolicy())
    count = len(moments) - 1
    shown = [
        {
            "caption": caption_of(moment, number, count),
            "reply": moment.step.raw_reply if moment.step else None,
            "action": moment.step.action if moment.step else None,
            "refused": bool(moment.step and moment.step.legal is False),
            "distance": round(moment.distance_m, 3),
            "picture": None if moment.picture is None else jpeg_uri(_smaller(moment.picture)),
            "side": [way.side.stops[number - 1].x, way.side.stops[number - 1].y],
            "front": [way.front.stops[number - 1].x, way.front.stops[number - 1].y],
        }
        for number, moment in enumerate(moments, start=1)
    ]
    agent = one.episode.agents[0].name
    return render_page(
        _TEMPLATE,
        way=way,
        episode=one.episode,
        details=one.details,
        player=one.episode.model or agent,
        first=shown[0],
        count=count,
        has_pictures=any(moment.picture is not None for moment in moments),
        data=json_for_script(json.dumps(shown, ensure_ascii=False)),
    )


def _smaller(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    scale = _PAGE_PX / max(picture.shape[:2])
    if scale >= 1:
        return picture
    smaller = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return smaller.astype(np.uint8, copy=False)
