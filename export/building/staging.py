"""The folder where finished files of a release wait for the others.

It lies beside the release and is named after what goes in: a build that was killed finds its
files there when it is run again, and one of another workspace finds none.
"""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

import orjson

from export.building.records import BuildPlan, FinishedShard, Shard
from export.building.statistics import Counts
from export.shards import WrittenShard
from mira.errors import ExportError, MiraError
from mira.schema.record import FileRef
from mira.store.atomic import file_ref, os_faults, write_file

TOOLS = ("datasets", "mira-toolkit", "numpy", "opencv-python", "pillow", "pyarrow")
"""Programs whose versions decide the bytes of a release."""
_KEY = r"[0-9a-f]{16}"


class Staging:
    """Finished files of a build, and what is known of each."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def of(cls, target: Path, plan: BuildPlan) -> Self:
        """The folder for a release; those of other builds of it, which nobody runs, are removed.

        Args:
            target: The release; its lock is held.
            plan: The build.
        """
        target = target.resolve()
        root = target.with_name(f".{target.name}.building-{plan.key()}")
        pattern = re.compile(rf"{re.escape(f'.{target.name}.building-')}{_KEY}")
        with os_faults(target):
            for entry in sorted(target.parent.iterdir()):
                if pattern.fullmatch(entry.name) and entry != root:
                    shutil.rmtree(entry, ignore_errors=True)
        staging = cls(root)
        write_file(staging.root / "plan.json", plan.to_json(indent=False), durable=False)
        return staging

    def plan(self) -> BuildPlan:
        """The build, for processes that join it."""
        path = self.root / "plan.json"
        return BuildPlan.from_json(path.read_bytes(), where=path)

    def write(
        self, shard: Shard, fill: Callable[[Path], WrittenShard], counts: Callable[[], Counts]
    ) -> None:
        """Write a file of the release; it is there whole or not at all.

        Args:
            shard: The file.
            fill: Writes it.
            counts: What its rows add to the statistics; asked when it is written.
        """
        path = self._path(shard)
        with os_faults(path):
            if not self.root.is_dir():
                raise ExportError(self.root, "is gone: the build that it was of has ended")
            path.parent.mkdir(exist_ok=True)
            draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
            try:
                written = fill(draft)
                draft.replace(path)
            finally:
                draft.unlink(missing_ok=True)
            self._digests(shard).write_bytes(written.row_digests)
            record = FinishedShard(
                file=FileRef(
                    path=path.relative_to(self.root).as_posix(),
                    sha256=written.sha256,
                    size_bytes=written.size_bytes,
                ),
                rows=written.rows,
                statistics=counts(),
            )
            write_file(self._record(shard), record.to_json(), durable=False)

    def finished(self, shard: Shard) -> FinishedShard | None:
        """What is known of a file that is written; None where it is not."""
        path = self._record(shard)
        return FinishedShard.from_json(path.read_bytes(), where=path) if path.is_file() else None

    def check(self, shards: tuple[Shard, ...]) -> None:
        """Forget files that are not what was written: a disk may have lost them with the power.

        What was begun, and faults that were noted, are of processes that have ended.
        """
        for left in (*self.root.glob("*/.*.parquet-*"), *self.root.glob("*/*.fault")):
            left.unlink(missing_ok=True)
        for shard in shards:
            done = self.finished(shard)
            if done is not None and not self._is_whole(shard, done):
                self._record(shard).unlink()

    def open_shards(self, shards: tuple[Shard, ...]) -> Iterator[Shard]:
        """Those that are still to be written."""
        return (shard for shard in shards if not self._record(shard).is_file())

    def path_of(self, shard: Shard) -> Path:
        """Where a finished file is."""
        return self._path(shard)

    def row_digests(self, shard: Shard) -> bytes:
        """Digests of the rows of a finished file."""
        return self._digests(shard).read_bytes()

    def report_fault(self, shard: Shard, fault: MiraError) -> None:
        """Note why a file cannot be written, for the process that waits for it."""
        content = {"where": fault.where, "problem": fault.problem, "fix": fault.fix}
        write_file(self._path(shard).with_suffix(".fault"), orjson.dumps(content), durable=False)

    def faults(self, shards: tuple[Shard, ...]) -> Iterator[MiraError]:
        """Why files are not written."""
        for shard in self.open_shards(shards):
            path = self._path(shard).with_suffix(".fault")
            if path.is_file():
                yield MiraError(**orjson.loads(path.read_bytes()))

    def remove(self) -> None:
        """Forget all of it."""
        shutil.rmtree(self.root, ignore_errors=True)

    def _is_whole(self, shard: Shard, done: FinishedShard) -> bool:
        try:
            found = file_ref(self._path(shard), relative_to=self.root)
            size = self._digests(shard).stat().st_size
        except OSError:
            return False
        return found == done.file and size == 32 * done.rows

    def _path(self, shard: Shard) -> Path:
        return self.root / f"{shard.name}.parquet"

    def _digests(self, shard: Shard) -> Path:
        return self.root / f"{shard.name}.digests"

    def _record(self, shard: Shard) -> Path:
        return self.root / f"{shard.name}.json"
