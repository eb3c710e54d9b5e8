"""A published set as a folder of questions, with a list of what was not taken and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from mira.errors import EpisodeError, TomSetError
from mira.evals.tom.catalogue import SETS, PublishedSet, SetName, set_of
from mira.evals.tom.circulating import circulate
from mira.evals.tom.drafts import LeftOut, sort_drafts
from mira.evals.tom.sets.choices import ImportChoices
from mira.evals.tom.source_files import SourceFile, open_source
from mira.schema.episode import EpisodeRun, TomItem
from mira.schema.record import Provenance, Record
from mira.store.atomic import replace_folder
from mira.store.episodes import EpisodeStore
from mira.store.version import tool_version


class TomImport(Record):
    """What became of a set."""

    source: str
    """The set, as tables call it."""
    licence: str
    """Licence of its items."""
    out: str
    """The folder that was written."""
    items: int
    """Questions taken."""
    rotations: int
    """Questions written; more than were taken where options stand in turn."""
    stories: int
    """Stories or scenarios that they are about."""
    joint_groups: int
    """Groups that count together, all of whose questions were taken."""
    by_kind: dict[str, int]
    """Questions taken, by kind."""
    by_order: dict[str, int]
    """The same by order of the belief, `none` where the set does not say."""
    files: tuple[str, ...]
    """Files that were read."""
    not_read: tuple[str, ...]
    """Files that hold nothing of the set."""
    note: str
    """What of the set is not taken by design; empty for nothing."""
    left_out: tuple[LeftOut, ...]
    """Questions that were not taken, in the order of the set."""

    @property
    def reasons(self) -> dict[str, int]:
        """How many were left out, by reason."""
        return dict(Counter(one.reason for one in self.left_out))


def import_set(
    source: Path,
    out: Path,
    *,
    name: SetName | None = None,
    choices: ImportChoices | None = None,
    turns_options: bool = False,
    licence: str | None = None,
) -> TomImport:
    """Write the questions of a set as a run; equal input gives equal bytes.

    Args:
        source: A file, folder or zip archive as its publishers lay it out.
        out: Folder of the run: new, empty, or the same import before.
        name: The set; what its files show by default.
        choices: Ways in which it is taken.
        turns_options: Whether each question is asked with its options in every rotation.
        licence: Other than that of its repository.

    Raises:
        TomSetError: The files are of none or several sets, or one of them cannot be read.
        EpisodeError: The folder holds something else.
    """
    choices = choices or ImportChoices()
    files = open_source(source)
    found = SETS[name] if name is not None else set_of(files, where=str(source))
    mine, others = _split(files, found)
    if not any(found.recognises(file) for file in mine):
        problem = f"expected a file of {found.title}, found none in its layout"
        raise TomSetError(source, problem, "docs/theory-of-mind.md lists what is read")
    terms = licence or found.licence
    sorted_out = tuple(sort_drafts(found.read(mine, choices), source=found.title, licence=terms))
    items = [one for one in sorted_out if isinstance(one, TomItem)]
    left_out = tuple(one for one in sorted_out if isinstance(one, LeftOut))
    if not items:
        raise TomSetError(
            source, f"expected questions, found none that can be asked{_why(left_out)}"
        )
    written = list(circulate(items)) if turns_options else items
    parameters = {"set": found.name, **choices.model_dump(), "turns_options": turns_options}
    run = EpisodeRun(
        name=_run_name(found, choices, turns_options),
        licence=terms,
        provenance=Provenance(
            tool="mira eval tom import",
            tool_version=tool_version(),
            parameters=parameters,
            inputs=tuple(file.ref() for file in mine),
        ),
    )
    _write(out, run, written)
    return TomImport(
        source=found.title,
        licence=terms,
        out=str(out),
        items=len(items),
        rotations=len(written),
        stories=len({item.story_id for item in items}),
        joint_groups=len({item.joint_group for item in items} - {None}),
        by_kind=dict(Counter(item.kind for item in items)),
        by_order={
            "none" if order is None else str(order): count
            for order, count in sorted(
                Counter(item.order for item in items).items(),
                key=lambda of: (of[0] is None, of[0] or 0),
            )
        },
        files=tuple(file.name for file in mine),
        not_read=tuple(file.name for file in others),
        note=found.note,
        left_out=left_out,
    )


def _split(
    files: Sequence[SourceFile], found: PublishedSet
) -> tuple[list[SourceFile], list[SourceFile]]:
    """Files that belong to a set, and others.

    A file that was named itself belongs to it; in a folder, files that it recognises and what
    stands beside them: files of the same name with another ending, and those that the set names.
    """
    if len(files) == 1:
        return list(files), []
    own = [file for file in files if found.recognises(file)]
    trunks = {file.trunk for file in own}
    mine: list[SourceFile] = []
    others: list[SourceFile] = []
    for file in files:
        is_beside = file.trunk in trunks or file.name.rpartition("/")[2] in found.beside
        (mine if file in own or is_beside else others).append(file)
    return mine, others


def _why(left_out: Sequence[LeftOut]) -> str:
    if not left_out:
        return ""
    first = left_out[0]
    return f": {len(left_out):,} were left out, the first {first.item_id} ({first.reason})"


def _run_name(found: PublishedSet, choices: ImportChoices, turns_options: bool) -> str:
    parts = [found.title]
    if found.name == "fantom":
        parts.append(f"{choices.context} context")
    if found.name == "tombench" and choices.language != "en":
        parts.append(choices.language)
    if found.name == "hitom" and choices.prompting != "both":
        parts.append(f"{choices.prompting} copy")
    if turns_options:
        parts.append("options in turn")
    return ", ".join(parts)


def _write(out: Path, run: EpisodeRun, items: Sequence[TomItem]) -> None:
    """Put a run in place whole, or leave what is there."""
    if (out / "run.json").is_file():
        EpisodeStore.create(out, run).put_tom_items(items)
        return
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise EpisodeError(out, "expected a new or empty folder, found other files in it")
    with replace_folder(out) as partial:
        EpisodeStore.create(partial, run).put_tom_items(items)
