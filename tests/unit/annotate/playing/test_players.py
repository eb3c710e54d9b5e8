"""Who plays: one person a name, known again by a key."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from played_offer import make_offer, play_on

from annotate.playing.players import Players
from mira.errors import DeskError, EpisodeError, MiraError
from mira.store.episodes import EpisodeStore

OFFER = make_offer()


def test_a_key_opens_one_run_and_no_other(tmp_path: Path) -> None:
    players = Players(OFFER, tmp_path)
    keys = {name: players.join(name) for name in ("anna", "berta")}
    assert {players.who(key) for key in keys.values()} == {*keys}
    for wrong in (None, "", "anna", "anna.", "nobody.x", "../anna.x", f"berta{keys['anna'][4:]}"):
        assert players.who(wrong) is None
    play_on(players.sitting("anna"), episodes=2)
    again = Players(OFFER, tmp_path)
    assert again.who(keys["anna"]) == "anna"
    assert (again.sitting("anna").left, again.sitting("berta").left) == (2, 4)
    assert EpisodeStore.open(tmp_path / "anna").run().name == "anna"
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert keys["anna"].partition(".")[2].encode() not in kept


def test_of_many_who_come_at_once_under_one_name_one_gets_it(tmp_path: Path) -> None:
    players = Players(OFFER, tmp_path)

    def join(_: int) -> str | None:
        try:
            return players.join("anna")
        except DeskError:
            return None

    with ThreadPoolExecutor(8) as coming:
        found = [key for key in coming.map(join, range(8)) if key]
    assert [players.who(key) for key in found] == ["anna"]


def test_a_run_that_no_person_played_is_nobodys_to_take(tmp_path: Path) -> None:
    (tmp_path / "oracle").mkdir()
    with pytest.raises(DeskError, match="taken"):
        Players(OFFER, tmp_path).join("oracle")


@pytest.mark.parametrize(
    "name",
    ["", "Anna", "a b", "../x", "a/b", ".a", "-a", "a" * 33, "con", "ä", "a\n", "<b>", "a.b", "\0"],
)
def test_names_that_are_none_make_no_folder(tmp_path: Path, name: str) -> None:
    players = Players(OFFER, tmp_path)
    with pytest.raises(MiraError):
        players.join(name)
    with pytest.raises(MiraError):
        Players(OFFER, tmp_path, only=name)
    assert list(tmp_path.iterdir()) == []


def test_who_alone_plays_needs_no_key_and_nobody_joins(tmp_path: Path) -> None:
    players = Players(OFFER, tmp_path, only="anna")
    assert players.who(None) == players.who("berta.x") == "anna"
    with pytest.raises(DeskError, match="not who plays here"):
        players.join("berta")
    # Whoever comes first under that name when all may come has it.
    assert Players(OFFER, tmp_path).join("anna")


def test_runs_of_other_settings_are_refused_before_anybody_comes(tmp_path: Path) -> None:
    Players(OFFER, tmp_path).join("anna")
    with pytest.raises(EpisodeError, match="seed: expected 0 as before, found 5"):
        Players(make_offer(seed=5), tmp_path)
    with pytest.raises(EpisodeError, match="reading"):
        Players(make_offer(reading="published"), tmp_path, only="anna")
