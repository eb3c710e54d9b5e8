"""What a build is: the files to write, and those that are written."""

from __future__ import annotations

import hashlib

from export.plan import ReleasePlan
from mira.schema.qa import Modality, Protocol
from mira.schema.record import FileRef, Record, RootRecord


class Shard(Record):
    """One file of a table. Which rows are in it is settled before one is written."""

    table: str
    """The table."""
    split: str
    """The split."""
    number: int
    """0 for the first of the split."""
    total: int
    """Files of the split."""
    first: int
    """Where its rows begin: a byte of the file of items, a picture of the split, an episode."""
    last: int
    """Where they end; this one is no longer in it."""
    rows: int
    """How many rows there are to be."""
    group_rows: int | None = None
    """Rows a row group; absent for as many as suit the table."""

    @property
    def name(self) -> str:
        """Its name while the content is not known yet, such as `scenes/test-00000-of-00003`."""
        return f"{self.table}/{self.split}-{self.number:05d}-of-{self.total:05d}"


class PreviewPick(Record):
    """A question of the preview."""

    image_id: str
    """Its picture."""
    first_byte: int
    """Where its item starts in the file of items."""
    protocol: str
    """How it refers."""


class FlatForm(Record):
    """How questions are asked in the table `flat`."""

    protocol: Protocol = "visual_bbox"
    """How they point."""
    modality: Modality = "rgb"
    """What is shown."""


class FlatPlan(FlatForm):
    """Which questions are in the table `flat`."""

    items: dict[str, tuple[int, ...]]
    """Where the items of each picture start in the file of items."""
    without_depth: int
    """Questions about pictures without the depth that is to be shown."""


class EpisodePlan(Record):
    """Episodes that go out."""

    runs: tuple[str, ...]
    """Folders of the runs, in the order of the release."""
    split: str
    """Split of all of them."""
    left_out: dict[str, int]
    """What does not go out, by reason."""
    sha256: str
    """Digest of what is in the runs."""


class BuildPlan(RootRecord):
    """All that a process has to know to write any file of a release."""

    workspace: str | None
    """Folder of the workspace; absent for a release of episodes alone."""
    release: ReleasePlan
    """What of it goes out."""
    episodes: EpisodePlan
    """Episodes that go out."""
    flat: FlatPlan | None
    """The table `flat`, where it stands instead of `qa`, `scenes` and `qa_preview`."""
    raw_depth: bool
    """Whether depth on the sensor's own grid goes out too, as a table of its own."""
    preview: tuple[PreviewPick, ...]
    """Questions of the preview, in the order they were picked."""
    shards: tuple[Shard, ...]
    """The files, by table and split in the order of the release."""
    jpeg_quality: int | None
    """Quality of colour pictures that are written anew; absent where all go out as they came."""
    versions: dict[str, str]
    """Programs that decide the bytes of files; all processes have the same."""

    def key(self) -> str:
        """Equal for builds whose files are equal, whenever what goes in was written."""
        release = self.release.model_copy(update={"items_stamp": None})
        same = self.model_copy(update={"release": release})
        return hashlib.sha256(same.to_json()).hexdigest()[:16]


class FinishedShard(RootRecord):
    """A file that is written whole."""

    file: FileRef
    """The file, in the folder where it waits."""
    rows: int
    """Rows in it."""
    statistics: dict[str, dict[str, int]]
    """What its rows add to the counts of the card, by table and row."""
