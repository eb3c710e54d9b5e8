"""Views against each other: which show the same reflection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from capture.selection.candidate import Candidate
from capture.selection.contexts import on_context, on_softness
from capture.selection.fingerprints import distance_between, find_alike
from capture.selection.policy import ReflectionPolicy, SelectionPolicy
from capture.selection.records import VERDICTS, AlikePair, Remark, Verdict, worst


class Likeness(NamedTuple):
    """What comparison says of one view.

    Attributes:
        remarks: What is to be said.
        twin_of: The better view that shows the same reflection.
    """

    remarks: tuple[Remark, ...]
    twin_of: str | None = None


def compare_within_scene(
    candidates: Sequence[Candidate], *, policy: SelectionPolicy
) -> dict[str, Likeness]:
    """For each view of a scene, what its likeness to the others asks for.

    The best view is kept, then the best that differs from all that are kept, and so on: no two
    kept views are near-duplicates, and each near-duplicate is one of a kept view.

    Args:
        candidates: The scene's views.
        policy: The bounds.
    """
    soft: dict[str, tuple[Remark, ...]] = {}
    ranked = []
    for candidate in candidates:
        remarks = tuple(on_softness(candidate, candidates, policy=policy.quality))
        soft[candidate.view_id] = remarks
        verdict = worst([candidate.verdict, *(remark.verdict for remark in remarks)])
        ranked.append(candidate._replace(verdict=verdict))
    ranked.sort(key=lambda candidate: candidate.merit)
    kept: list[Candidate] = []
    found: dict[str, Likeness] = {}
    for candidate in ranked:
        alike, twin_of = _likeness(candidate, kept, policy.reflections)
        if twin_of is None:
            kept.append(candidate)
        context = on_context(candidate, ranked, policy=policy.reflections)
        manner = _on_comparison(candidate) if len(ranked) > 1 else ()
        found[candidate.view_id] = Likeness(
            (*soft[candidate.view_id], *manner, *alike, *context), twin_of
        )
    return found


def compare_across_scenes(
    scenes: Mapping[str, Iterable[Candidate]], *, policy: ReflectionPolicy
) -> tuple[AlikePair, ...]:
    """Pairs of views of two scenes that show the same reflection.

    Args:
        scenes: By scene, the views that are not near-duplicates within it.
        policy: When views are alike.
    """
    entries = [(scene, view) for scene, views in scenes.items() for view in views]
    names = [f"{scene}/{view.view_id}" for scene, view in entries]
    alike = find_alike([view.prints for _, view in entries], most=policy.across_scenes)
    return tuple(
        AlikePair(first=names[first], second=names[second], distance=distance)
        for first, second, distance in alike
        if entries[first][0] != entries[second][0]
    )


def _likeness(
    candidate: Candidate, kept: list[Candidate], policy: ReflectionPolicy
) -> tuple[tuple[Remark, ...], str | None]:
    """What is to be said of the kept view that is most alike, and its name if it is a twin."""
    distances = [
        (distance, place)
        for place, other in enumerate(kept)
        if (distance := distance_between(candidate.prints, other.prints)) is not None
    ]
    distance, place = min(distances, default=(0, -1))
    if place < 0 or distance >= policy.distance_floor.look_below:
        return (), None
    better = kept[place]
    what = "reflection" if candidate.prints.of_surfaces else "picture"
    bits = f"{distance} of 64 bits differ"
    if distance < policy.distance_floor.drop_below:
        why = _why_better(candidate, better)
        text = f"the same {what} as {better.view_id}, which is {why} ({bits})"
        verdict: Verdict = "drop" if candidate.prints.of_surfaces else "look"
        return (Remark(code="near-duplicate", verdict=verdict, text=text),), better.view_id
    text = f"a {what} much like that of {better.view_id} ({bits})"
    return (Remark(code="much-alike", verdict="look", text=text),), None


def _why_better(candidate: Candidate, better: Candidate) -> str:
    if VERDICTS.index(better.verdict) < VERDICTS.index(candidate.verdict):
        return "better by the other criteria"
    theirs, ours = f"{better.sharpness:.0f}", f"{candidate.sharpness:.0f}"
    return "no worse" if theirs == ours else f"sharper ({theirs} to {ours})"


def _on_comparison(candidate: Candidate) -> Iterator[Remark]:
    if not candidate.prints.sizeable:
        text = "the surface shows too little to be compared with other views"
        yield Remark(code="reflection-plain", verdict="look", text=text)
    elif not candidate.prints.of_surfaces:
        text = "compared by the whole picture, as its surface is not known"
        yield Remark(code="compared-whole", verdict="keep", text=text)
