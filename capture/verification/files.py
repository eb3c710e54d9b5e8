"""Files of a view as they lie: whether they are those that were committed."""

from __future__ import annotations

from capture.recording.raw_file import count_frames, recording_fault
from capture.verification.place import Place
from mira.errors import CaptureError
from mira.store.checksums import SUMS_NAME, FileFault, check_sums, read_sums
from mira.store.session import COLOR_NAME, RAW_NAME, VIEW_NAMES


def check_files(place: Place) -> None:
    """Note files of a view that are missing, changed, or were not committed with it."""
    digests = read_sums(place.folder)
    if isinstance(digests, FileFault):
        place.note(SUMS_NAME, "sums-damaged", digests.problem)
        return
    for fault in check_sums(place.folder):
        there = (place.folder / fault.name).exists()
        place.note(fault.name, "file-changed" if there else "file-missing", fault.problem)
    if COLOR_NAME not in digests:
        place.note(COLOR_NAME, "file-missing", f"expected it in {SUMS_NAME}, found none")
    for name in sorted(VIEW_NAMES - digests.keys() - {SUMS_NAME, COLOR_NAME}):
        if (place.folder / name).exists():
            place.note(name, "file-unlisted", f"expected it in {SUMS_NAME}, found none")


def check_recording(place: Place, *, wanted_pairs: int) -> None:
    """Note a burst that is no recording, or has fewer frames than were wanted.

    Args:
        place: The view.
        wanted_pairs: Pairs that the plan asked for; 1 where nobody knows.
    """
    if not place.has(RAW_NAME):
        return
    try:
        counts = count_frames(place.folder / RAW_NAME)
    except CaptureError as error:
        place.note_error(RAW_NAME, "recording-damaged", error)
        return
    if fault := recording_fault(counts, wanted_pairs):
        place.note(RAW_NAME, "recording-frames", fault)
