"""Whether answers that geometry proposes are right, on simulated rooms with a sensor's noise.

    python benchmarks/proposals.py [--count 48] [--seed 2027] [--noise 0.05 0.1 0.2] [--json FILE]

Makes rooms of all kinds for each level of the depth sensor's noise (pixels of disparity), two views
each, and holds every proposal against the true answer of the same question. *Sure* are those that
are no close call. The peer is what somebody without geometry would say: the commonest true answer
of the template. What must never happen is counted too: sure answers that rest on a curved surface,
and any answer from depth without a unit.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from annotate.importing import import_annotations
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import View
from mira.schema.proposal import Proposal
from mira.schema.qa import Answer, Drop, QAPolicy
from mira.schema.spatial import TrueAnswer
from mira.schema.truth import TrueScene, TrueView
from mira.sim.rooms.output.series import make_rooms
from mira.sim.rooms.policy import DepthSensorPolicy, RoomPolicy
from mira.store.workspace import Workspace
from qa_gen.facts import image_facts
from qa_gen.proposing.measured import measure_picture
from qa_gen.proposing.policy import ProposalPolicy
from qa_gen.proposing.proposing import proposals_of

TEMPLATES = ("mr_001", "mr_003", "ct_001", "ac_001", "ac_002", "ac_003", "ac_004")
Key = tuple[str, tuple[tuple[str, int], ...], str | None]


class Judged(NamedTuple):
    """One proposal against the truth.

    Attributes:
        picture: Image id.
        noise: Of the depth sensor, pixels of disparity.
        place: Kind of place.
        far_m: From the camera to the farthest thing that the question names; None for none.
        mirror: Share of the picture of the first surface that it is seen in; None where all that
            the question names is seen directly.
        said: The proposal.
        true: The true answer.
    """

    picture: str
    noise: float
    place: str
    far_m: float | None
    mirror: float | None
    said: Proposal
    true: TrueAnswer

    @property
    def sure(self) -> bool:
        """Whether it is an answer and no close call."""
        return self.said.answer is not None and not self.said.close_call

    @property
    def close(self) -> bool:
        """Whether it is an answer and a close call."""
        return self.said.answer is not None and self.said.close_call

    @property
    def right(self) -> bool:
        """Whether it gives the true answer, or another that is as true."""
        return self.said.answer is not None and _is_right(self.said.answer, self.true)


class Seen(NamedTuple):
    """One picture with all that is true of it."""

    view: View
    annotation: ImageAnnotation
    depth_m: NDArray[np.float32]
    scene: TrueScene
    truth: TrueView
    answers: dict[Key, TrueAnswer]


class Tally:
    """What is counted beside the proposals."""

    def __init__(self) -> None:
        self.judged: list[Judged] = []
        self.dropped: Counter[str] = Counter()
        self.without_truth: Counter[str] = Counter()
        self.cpu_s: list[tuple[float, float]] = []
        self.sure_by_curved: int = 0
        self.answers_without_unit: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=48)
    parser.add_argument("--seed", type=int, default=2027)
    parser.add_argument("--noise", type=float, nargs="+", default=[0.05, 0.1, 0.2])
    parser.add_argument("--workers", type=int, default=1, help="processes that make rooms")
    parser.add_argument("--folder", type=Path, help="where rooms stay; a temporary one by default")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    arguments = parser.parse_args()
    tally = Tally()
    for noise in arguments.noise:
        with _folder(arguments.folder) as folder, tempfile.TemporaryDirectory() as scratch:
            rooms = Path(folder) / f"noise_{noise:g}"
            policy = RoomPolicy(depth=DepthSensorPolicy(disparity_noise_px=noise))
            make_rooms(
                rooms,
                count=arguments.count,
                seed=arguments.seed,
                policy=policy,
                workers=arguments.workers,
            )
            for seen in _pictures(rooms, Workspace.create(Path(scratch) / "workspace")):
                _judge(seen, noise, tally)
    _show(tally)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(_figures(tally), indent=1) + "\n")


def _folder(folder: Path | None) -> tempfile.TemporaryDirectory[str] | nullcontext[Path]:
    return tempfile.TemporaryDirectory() if folder is None else nullcontext(folder)


def _pictures(rooms: Path, workspace: Workspace) -> Iterator[Seen]:
    import_annotations(rooms, workspace, scenes=None, annotator="simulator", progress=None)
    for view in workspace.views():
        annotation = workspace.annotation(view.image_id, "simulator")
        if annotation is None or view.depth_aligned is None or view.depth_unit_m is None:
            continue
        raw = np.frombuffer(workspace.read_picture(view, view.depth_aligned), np.uint8)
        steps = np.asarray(cv2.imdecode(raw, cv2.IMREAD_UNCHANGED))
        truth = rooms / "truth" / view.scene_id
        name = view.image_id.removeprefix(view.scene_id).lstrip("_")
        scene, true_view = truth / "scene.json", truth / f"{name}.json"
        lines = (truth / f"{name}_answers.jsonl").read_text("utf-8").splitlines()
        answers = [TrueAnswer.model_validate_json(line) for line in lines]
        yield Seen(
            view,
            annotation,
            steps.astype(np.float32) * np.float32(view.depth_unit_m),
            TrueScene.from_json(scene.read_bytes(), where=scene),
            TrueView.from_json(true_view.read_bytes(), where=true_view),
            {_key(one): one for one in answers},
        )


def _key(one: Proposal | TrueAnswer) -> Key:
    return one.template_id, tuple(sorted(one.slots.items())), one.direction


def _judge(seen: Seen, noise: float, tally: Tally) -> None:
    start = time.process_time()
    picture = measure_picture(
        image_facts(seen.view, seen.annotation, QAPolicy()),
        seen.depth_m,
        policy=ProposalPolicy(),
        rng=np.random.default_rng(0),
    )
    measured = time.process_time()
    proposals = list(proposals_of(picture))
    tally.cpu_s.append((measured - start, time.process_time() - measured))
    curved = {
        surface.surface_id
        for surface in seen.annotation.surfaces
        if surface.surface_type not in picture.policy.geometry.flat_types
    }
    shares = {
        number: float(np.count_nonzero(area.mask)) / (seen.view.width_px * seen.view.height_px)
        for number, area in picture.areas.surfaces.items()
    }
    for said in proposals:
        if isinstance(said, Drop):
            tally.dropped[said.reason] += 1
            continue
        true = seen.answers.get(_key(said))
        if true is None:
            tally.without_truth[said.template_id] += 1
            continue
        judged = Judged(
            said.image_id, noise, seen.scene.place, *_subject(seen, said, shares), said, true
        )
        tally.judged.append(judged)
        tally.sure_by_curved += judged.sure and not curved.isdisjoint(said.derivation.surface_ids)
    tally.answers_without_unit += _answers_without_unit(seen)


def _subject(
    seen: Seen, said: Proposal, shares: dict[int, float]
) -> tuple[float | None, float | None]:
    """How far the farthest thing really is, and how large the mirror is that it is seen in."""
    true = {one.instance_id: one for one in seen.truth.instances}
    first = {one.instance_id: one.seen_in[:1] for one in seen.annotation.instances}
    camera = np.array(seen.truth.camera.translation_m)
    far = [
        float(np.linalg.norm((np.array(item.room_low_m) + item.room_high_m) / 2 - camera))
        for item in (seen.scene.items[true[number].item] for number in said.slots.values())
    ]
    mirrors = [shares[which] for number in said.slots.values() for which in first[number]]
    return max(far, default=None), min(mirrors, default=None)


def _answers_without_unit(seen: Seen) -> int:
    """Answers to the same picture, were its depth normalised."""
    view = seen.view.model_copy(update={"depth_kind": "normalised", "depth_unit_m": None})
    picture = measure_picture(
        image_facts(view, seen.annotation, QAPolicy()),
        seen.depth_m,
        policy=ProposalPolicy(),
        rng=np.random.default_rng(0),
    )
    return sum(isinstance(p, Proposal) and p.answer is not None for p in proposals_of(picture))


def _is_right(answer: Answer, true: TrueAnswer) -> bool:
    return answer == true.answer or str(getattr(answer, "value", "")) in true.also_true


def _commonest(judged: Iterable[Judged]) -> dict[str, Answer]:
    """The commonest true answer of each template."""
    counts: dict[str, Counter[str]] = {}
    answers: dict[str, Answer] = {}
    for one in judged:
        word = one.true.answer.model_dump_json()
        answers[word] = one.true.answer
        counts.setdefault(one.true.template_id, Counter())[word] += 1
    return {name: answers[words.most_common(1)[0][0]] for name, words in counts.items()}


# What is shown


def _show(tally: Tally) -> None:
    guess = _commonest(tally.judged)
    print(
        "| template | asked | sure, % | right, % | commonest, % | close, % | right, % "
        "| commonest, % | refused, % | why |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|")
    for name in TEMPLATES:
        some = [one for one in tally.judged if one.said.template_id == name]
        if some:
            _row(name, some, guess)
    _row("all", tally.judged, guess)
    print(f"\ncommonest: {'; '.join(f'{k} {_words(v)}' for k, v in sorted(guess.items()))}")
    for title, key in _GROUPS.items():
        _group(title, tally.judged, key)
    wrong = [one for one in tally.judged if one.sure and not one.right]
    print(f"\nSure and wrong: {len(wrong)}")
    for one in wrong:
        print(f"  {_line(one)}")
    geometry, proposals = np.array(tally.cpu_s).T * 1e3
    print(
        f"\nCPU ms a picture: geometry median {np.median(geometry):.0f}, most {geometry.max():.0f}"
        f"; proposals median {np.median(proposals):.0f}, most {proposals.max():.0f}; "
        f"{len(tally.judged) / len(geometry):.0f} proposals a picture"
    )
    print(f"sure answers that rest on a curved surface: {tally.sure_by_curved}")
    print(f"answers from normalised depth: {tally.answers_without_unit}")
    print(f"not asked: {dict(tally.dropped)}; no truth of: {dict(tally.without_truth)}")


def _row(name: str, some: Sequence[Judged], guess: dict[str, Answer]) -> None:
    sure, close = [one for one in some if one.sure], [one for one in some if one.close]
    why = Counter(one.said.refusal for one in some if one.said.refusal)
    print(
        f"| {name} | {len(some)} | {_percent(len(sure), some)} | {_right(sure)} "
        f"| {_guessed(sure, guess)} | {_percent(len(close), some)} | {_right(close)} "
        f"| {_guessed(close, guess)} | {_percent(why.total(), some)} "
        f"| {', '.join(f'{code} {number}' for code, number in why.most_common(4))} |"
    )


def _group(title: str, judged: Sequence[Judged], key: Callable[[Judged], str]) -> None:
    print(f"\nBy {title}: sure, % of those asked / right of these, %\n")
    print(f"| {title} | {' | '.join(TEMPLATES)} | all |")
    print(f"|---|{'---:|' * (len(TEMPLATES) + 1)}")
    for value in sorted({key(one) for one in judged}):
        some = [one for one in judged if key(one) == value]
        by_template = [[one for one in some if one.said.template_id == name] for name in TEMPLATES]
        cells = " | ".join(_cell(ones) for ones in (*by_template, some))
        print(f"| {value} | {cells} |")


def _cell(some: Sequence[Judged]) -> str:
    sure = [one for one in some if one.sure]
    return f"{_percent(len(sure), some)} / {_right(sure)}" if some else ""


def _percent(number: int, some: Sequence[object]) -> str:
    return f"{100 * number / len(some):.1f}" if some else "-"


def _right(some: Sequence[Judged]) -> str:
    return _percent(sum(one.right for one in some), some)


def _guessed(some: Sequence[Judged], guess: dict[str, Answer]) -> str:
    return _percent(sum(_is_right(guess[one.said.template_id], one.true) for one in some), some)


def _far(one: Judged) -> str:
    return "none" if one.far_m is None else _band(one.far_m, (0, 1, 2, 3, 4, 5, 100), "m")


def _mirror(one: Judged) -> str:
    return "none" if one.mirror is None else _band(100 * one.mirror, (0, 5, 10, 20, 100), "%")


def _band(value: float, edges: Sequence[int], unit: str) -> str:
    low, high = next(pair for pair in pairwise(edges) if value <= pair[1])
    return f"{low:>2} to {high:>2} {unit}"


_GROUPS: dict[str, Callable[[Judged], str]] = {
    "noise": lambda one: f"{one.noise:g} px",
    "distance of the thing": _far,
    "mirror's share of the picture": _mirror,
    "place": lambda one: one.place,
}


def _words(answer: Answer) -> str:
    return " ".join(str(v) for k, v in answer.model_dump().items() if k != "format")


def _line(one: Judged) -> str:
    assert one.said.answer is not None
    slots = " ".join(f"{slot}={number}" for slot, number in one.said.slots.items())
    margin = ""
    if one.said.margin is not None:
        margin = f"; margin {one.said.margin:g} {one.said.margin_unit}"
    close = ", a close call in truth" if one.true.close_call else ""
    return (
        f"{one.picture} at {one.noise:g} px, {one.said.template_id} {slots} "
        f"{one.said.direction or ''}: {_words(one.said.answer)} ({one.said.reason}{margin}); true "
        f"is {_words(one.true.answer)} ({one.true.reason}{close})"
    )


def _figures(tally: Tally) -> dict[str, object]:
    guess = _commonest(tally.judged)
    geometry, proposals = np.array(tally.cpu_s).T * 1e3
    groups = {"template": lambda one: one.said.template_id, **_GROUPS}
    return {
        "pictures": len(geometry),
        "commonest": {name: _words(answer) for name, answer in sorted(guess.items())},
        "tables": {title: _table(tally.judged, key, guess) for title, key in groups.items()},
        "wrong": [_line(one) for one in tally.judged if one.sure and not one.right],
        "cpu_ms": {
            "geometry": float(np.median(geometry)),
            "proposals": float(np.median(proposals)),
        },
        "sure_by_curved": tally.sure_by_curved,
        "answers_without_unit": tally.answers_without_unit,
        "not_asked": dict(tally.dropped),
        "without_truth": dict(tally.without_truth),
    }


def _table(
    judged: Sequence[Judged], key: Callable[[Judged], str], guess: dict[str, Answer]
) -> list[dict[str, object]]:
    """Counts by group and template."""
    cells: dict[tuple[str, str], list[Judged]] = {}
    for one in judged:
        cells.setdefault((key(one), one.said.template_id), []).append(one)
    return [
        {
            "group": group,
            "template": name,
            "asked": len(some),
            "sure": sum(one.sure for one in some),
            "sure_right": sum(one.sure and one.right for one in some),
            "sure_guessed": sum(one.sure and _is_right(guess[name], one.true) for one in some),
            "close": sum(one.close for one in some),
            "close_right": sum(one.close and one.right for one in some),
            "close_guessed": sum(one.close and _is_right(guess[name], one.true) for one in some),
            "refused": dict(Counter(one.said.refusal for one in some if one.said.refusal)),
        }
        for (group, name), some in sorted(cells.items())
    ]


if __name__ == "__main__":
    main()
