"""A folder of episodes: what happened in a run of an interactive task.

run.json                                    EpisodeRun
episodes/<episode>/episode.json             Episode
                   steps.jsonl              MirrorStep or MosaicStep, a line each; none in a story
                   probes.jsonl             Probe, a line each, where players were asked for beliefs
                   *.png                    pictures that steps name
                   SHA256SUMS
tom_items.jsonl                             TomItem, a line each
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from mira.errors import EpisodeError, RecordError
from mira.schema.episode import Episode, EpisodeRun, TomItem
from mira.schema.probe import Probe, probe_faults
from mira.schema.record import FileRef, Record, describe_fault
from mira.schema.step import MirrorStep, MosaicStep, Step, step_faults
from mira.store.atomic import write_file
from mira.store.checksums import SUMS_NAME, check_sums
from mira.store.folder_commit import PARTIAL, commit_folder
from mira.store.names import require_name

_STEPS: dict[str, type[MirrorStep] | type[MosaicStep]] = {
    "mirror_reach": MirrorStep,
    "mosaic": MosaicStep,
}
_PROBES_NAME, _ITEMS_NAME = "probes.jsonl", "tom_items.jsonl"
_OWN_NAMES = ("episode.json", "steps.jsonl", _PROBES_NAME, SUMS_NAME)


class EpisodeStore:
    """Reads and writes one folder of episodes; any number of processes may write into it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def create(cls, root: Path, run: EpisodeRun) -> Self:
        """A folder that is new, empty, or of the same run already.

        Raises:
            EpisodeError: It holds something else, or another run.
        """
        store = cls(root)
        if (root / "run.json").is_file():
            for name, before, now in _differences(store.run(), run):
                problem = f"{name}: expected {before} as before, found {now}"
                raise EpisodeError(root, problem, "choose a new folder")
            return store
        if root.exists() and (not root.is_dir() or any(root.iterdir())):
            raise EpisodeError(root, "expected a new or empty folder, found other files in it")
        write_file(root / "run.json", run.to_json())
        return store

    @classmethod
    def open(cls, root: Path) -> Self:
        """An existing folder.

        Raises:
            EpisodeError: It holds no episodes.
        """
        if not (root / "run.json").is_file():
            raise EpisodeError(root, "expected a folder of episodes, found no run.json in it")
        return cls(root)

    def run(self) -> EpisodeRun:
        """What the episodes have in common."""
        path = self.root / "run.json"
        return EpisodeRun.from_json(path.read_bytes(), where=path)

    # Episodes

    def put(
        self,
        episode: Episode,
        steps: Sequence[Step] = (),
        *,
        pictures: Mapping[str, bytes] = {},
        probes: Sequence[Probe] = (),
        durable: bool = True,
    ) -> None:
        """Write an episode with its steps in one step; one of the same id makes way.

        Args:
            episode: What happened.
            steps: Its steps, in their order.
            pictures: Files that steps name in `image`, by name.
            probes: What its players were asked between steps.
            durable: Whether it is to survive a power cut too, which takes the larger part of the
                time; what a script plays can as well be played again.

        Raises:
            EpisodeError: The steps or probes are not those of the episode, or name another picture.
        """
        for fault in (*step_faults(episode, steps), *probe_faults(episode, probes)):
            raise EpisodeError(episode.episode_id, fault)
        shown = [step.image for step in steps if step.image is not None]
        wanted = {ref.path for ref in shown}
        for name in sorted(wanted ^ pictures.keys()):
            problem = f"expected the pictures that its steps name, found {name} in one of them only"
            raise EpisodeError(episode.episode_id, problem)
        for ref in shown:
            if hashlib.sha256(pictures[ref.path]).hexdigest() != ref.sha256:
                problem = f"{ref.path} is not the picture that its step tells of"
                raise EpisodeError(episode.episode_id, problem)
        for name in pictures:
            if require_name(name, error=EpisodeError) in _OWN_NAMES:
                raise EpisodeError(episode.episode_id, f"expected another name than {name}")
        folder = self._folder(episode.episode_id)
        folder.parent.mkdir(parents=True, exist_ok=True)
        files: dict[str, bytes | Path] = {
            "episode.json": episode.to_json(),
            "steps.jsonl": _lines(steps),
            **pictures,
        }
        if probes:
            files[_PROBES_NAME] = _lines(probes)
        known = (
            frozenset(path.name for path in folder.iterdir()) if folder.is_dir() else frozenset()
        )
        commit_folder(folder, files, known=known, replace=True, durable=durable)

    def has(self, episode_id: str) -> bool:
        """Whether an episode is there whole."""
        folder = self._folder(episode_id)
        return folder.is_dir() and not check_sums(folder)

    def is_played(self, episode_id: str) -> bool:
        """Whether an episode is there whole, and was not aborted."""
        return self.has(episode_id) and self.episode(episode_id).termination != "aborted"

    def require_whole(self, episode_id: str) -> None:
        """Raise unless an episode is as it was written.

        Raises:
            EpisodeError: It is not.
        """
        for fault in check_sums(self._folder(episode_id)):
            raise EpisodeError(self._folder(episode_id), str(fault), "write it again")

    def episode_ids(self) -> tuple[str, ...]:
        """Ids of all episodes, sorted."""
        folder = self.root / "episodes"
        if not folder.is_dir():
            return ()
        return tuple(
            sorted(
                path.name
                for path in folder.iterdir()
                if path.is_dir() and not path.name.startswith(PARTIAL)
            )
        )

    def episode(self, episode_id: str) -> Episode:
        """An episode.

        Raises:
            EpisodeError: There is none.
        """
        path = self._folder(episode_id) / "episode.json"
        return Episode.from_json(self._read(path), where=path)

    def steps(self, episode: Episode) -> Iterator[Step]:
        """The steps of an episode, in their order."""
        path = self._folder(episode.episode_id) / "steps.jsonl"
        kind = _STEPS.get(episode.family)
        for number, line in enumerate(self._read(path).splitlines(), start=1):
            if kind is None:
                raise EpisodeError(path, f"expected no steps in an episode of {episode.family}")
            yield _step(kind, line, f"{path}:{number}")

    def probes(self, episode_id: str) -> Iterator[Probe]:
        """What the players of an episode were asked between its steps, in the order asked."""
        path = self._folder(episode_id) / _PROBES_NAME
        if not path.is_file():
            return
        for number, line in enumerate(self._read(path).splitlines(), start=1):
            try:
                yield Probe.model_validate_json(line)
            except ValidationError as error:
                raise RecordError(f"{path}:{number}", describe_fault(error)) from None

    def step_count(self, episode_id: str) -> int:
        """Number of steps of an episode, none of them read."""
        return self._read(self._folder(episode_id) / "steps.jsonl").count(b"\n")

    def read_picture(self, episode_id: str, ref: FileRef) -> bytes:
        """Bytes of a picture that a step names."""
        return self._read(self._folder(episode_id) / ref.path)

    def sums(self, episode_id: str) -> bytes:
        """Digests of an episode's files, as text."""
        return self._read(self._folder(episode_id) / SUMS_NAME)

    def picture_bytes(self, episode_id: str) -> int:
        """Length of all pictures of an episode."""
        folder = self._folder(episode_id)
        return sum(path.stat().st_size for path in folder.iterdir() if path.name not in _OWN_NAMES)

    # Questions

    def put_tom_items(self, items: Iterable[TomItem]) -> None:
        """Replace the questions of the run."""
        write_file(self.root / _ITEMS_NAME, _lines(items))

    def tom_items(self) -> Iterator[TomItem]:
        """The questions of the run, in the order they were written, then those of its episodes."""
        path = self.root / _ITEMS_NAME
        if path.is_file():
            with path.open("rb") as stream:
                for number, line in enumerate(stream, start=1):
                    yield TomItem.from_json(line, where=f"{path}:{number}")
        for episode_id in self.episode_ids():
            yield from (probe.item for probe in self.probes(episode_id))

    def _folder(self, episode_id: str) -> Path:
        return self.root / "episodes" / require_name(episode_id, error=EpisodeError)

    def _read(self, path: Path) -> bytes:
        try:
            return path.read_bytes()
        except FileNotFoundError:
            raise EpisodeError(path, "is missing") from None
        except OSError as error:
            raise EpisodeError(path, f"cannot be read: {error.strerror}") from None


def _differences(before: EpisodeRun, now: EpisodeRun) -> Iterator[tuple[str, object, object]]:
    """Settings of two runs that differ, by name."""
    one, other = (
        {**run.model_dump(exclude={"provenance"}), **run.provenance.model_dump()}
        for run in (before, now)
    )
    for settings in (one, other):
        settings |= settings.pop("parameters")
    for name in dict.fromkeys((*one, *other)):
        if one.get(name) != other.get(name):
            yield name, one.get(name), other.get(name)


def _lines(records: Iterable[Record]) -> bytes:
    return b"".join(record.model_dump_json().encode() + b"\n" for record in records)


def _step(kind: type[MirrorStep] | type[MosaicStep], line: bytes, where: str) -> Step:
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        raise RecordError(where, describe_fault(error)) from None
