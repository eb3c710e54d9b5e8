"""Records of a release: the folder that users of a data set download."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mira.schema.record import FileRef, Record, RootRecord

Stage = Literal["draft", "final"]
"""A draft holds what there is; a final release holds only what may be published."""


class SceneSplits(RootRecord):
    """`splits.json` of a workspace: which split each scene is in, for ever."""

    scenes: dict[str, str]
    """Split by scene."""

    def order(self) -> tuple[str, ...]:
        """Names of the splits: train, validation, test, then others by name."""
        first = ("train", "validation", "test")
        names = set(self.scenes.values())
        return (*(n for n in first if n in names), *sorted(names.difference(first)))


class SplitFiles(Record):
    """One split of one config."""

    split: str
    """Name, such as `test`."""
    rows: int
    """Rows in all files."""
    files: tuple[FileRef, ...]
    """Parquet files in order; their names carry a hash of their content."""


class ConfigInfo(Record):
    """One table of a release."""

    name: str
    """Name that `load_dataset` takes."""
    splits: tuple[SplitFiles, ...]
    """Its splits."""
    digest: str
    """SHA-256 of the rows' content, whatever the file layout; pictures count by the digests that
    their rows state."""


class ReleaseInfo(RootRecord):
    """`meta/info.json` of a release: what is in it and how to check that."""

    name: str
    """Name of the data set."""
    digest: str
    """SHA-256 over the digests of all configs: equal for equal content."""
    digest_rule: Literal[1, 2] = 1
    """How digests are made: 1, over the text of all rows; 2, over the digests of the rows."""
    configs: tuple[ConfigInfo, ...]
    """Tables, by name."""
    card: FileRef
    """The data set card."""
    croissant: FileRef | None = None
    """The same for machines; absent in releases of older programs."""
    datasheet: FileRef | None = None
    """What is known of how the data set came to be; absent in releases of older programs."""
    plots: tuple[FileRef, ...] = ()
    """Pictures that the card shows; none in releases of older programs."""
    stage: Stage = "draft"
    """Whether it may be published."""
    left_out: dict[str, int] = Field(default_factory=dict)
    """What did not go out, by reason."""
    jpeg_quality: int | None = Field(default=None, ge=1, le=100)
    """Quality at which colour pictures that came as PNG were written as JPEG; absent where all
    files are as they came."""
    statistics: dict[str, dict[str, int]] = Field(default_factory=dict)
    """Counts that the card shows, by table and row."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Programs that wrote it; equal versions give equal bytes."""

    def file_refs(self) -> tuple[FileRef, ...]:
        """All files of the release whose digests it states."""
        others = (self.croissant, self.datasheet, *self.plots)
        return (
            self.card,
            *(ref for ref in others if ref is not None),
            *(ref for config in self.configs for part in config.splits for ref in part.files),
        )
