"""Published items find their pictures and boxes in a workspace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from mira.published.vocabulary import parse_object_id
from mira.schema.finding import Finding
from mira.schema.qa import Derivation, Mark, QAItem, QAPolicy
from mira.store.workspace import Workspace
from mira.taxonomy.catalogue import taxonomy
from qa_gen.facts import ImageFacts, image_facts
from qa_gen.published.records import PublishedItem

RULE = "published"
"""Rule of an answer that rests on the word of the file it was read from."""
_CANDIDATES = ("direct_candidates", "reflected_candidates")
Progress = Callable[[int, int], None]
"""Takes pictures done and pictures in all."""


class UnplacedError(Exception):
    """An item that the workspace has no place for; says why."""


class Placing:
    """Puts items of a file, picture by picture, where the workspace knows their instances.

    Args:
        workspace: Read only.
        annotator: Whose annotation counts where a picture has several.
        path: The file, named in findings.
        findings: Takes one for each item without a place.
    """

    def __init__(
        self, workspace: Workspace, annotator: str | None, path: Path, findings: list[Finding]
    ) -> None:
        self._workspace = workspace
        self._annotator = annotator
        self._path = path
        self._findings = findings

    def items(self, items: Iterable[PublishedItem], progress: Progress | None) -> Iterator[QAItem]:
        """Items that have a place, in the workspace's order of pictures; findings for the rest."""
        waiting: dict[str, list[PublishedItem]] = defaultdict(list)
        for item in items:
            waiting[item.image_id].append(item)
        total = len(waiting)
        for view in self._workspace.views():
            for_view = waiting.pop(view.image_id, [])
            if not for_view:
                continue
            try:
                annotation = self._workspace.annotation(view.image_id, self._name(view.image_id))
                if annotation is None:
                    raise UnplacedError(f"{view.image_id} has no annotation by {self._annotator}")
                facts = image_facts(view, annotation, QAPolicy())
            except UnplacedError as unplaced:
                for item in for_view:
                    self._leave_out(item, str(unplaced))
            else:
                yield from self._placed(for_view, facts)
            if progress is not None:
                progress(total - len(waiting), total)
        for image_id, left in waiting.items():
            for item in left:
                self._leave_out(item, f"the workspace has no picture {image_id!r}")

    def _placed(self, items: list[PublishedItem], facts: ImageFacts) -> Iterator[QAItem]:
        for item in items:
            try:
                yield place_item(item, facts)
            except UnplacedError as unplaced:
                self._leave_out(item, str(unplaced))

    def _name(self, image_id: str) -> str:
        names = self._workspace.annotators(image_id)
        if self._annotator in names:
            return self._annotator or ""
        if len(names) != 1:
            found = ", ".join(names) or "nobody"
            raise UnplacedError(f"{image_id} is annotated by {found}: expected one, or a name")
        return names[0]

    def _leave_out(self, item: PublishedItem, why: str) -> None:
        self._findings.append(
            Finding(
                code="item-unplaced",
                severity="error",
                path=str(self._path),
                where=item.item_id,
                message=why,
            )
        )


def place_item(item: PublishedItem, facts: ImageFacts) -> QAItem:
    """A published item with boxes of the annotation that has its instances.

    Raises:
        UnplacedError: Its template is reserved, its slots are others, or an instance is missing.
    """
    templates = {row.id: row for row in taxonomy().templates}
    template = templates.get(item.template_id)
    if template is None:
        raise UnplacedError(f"template {item.template_id} is reserved: no release holds it")
    slots = {slot.name: slot.instance_id for slot in item.slots}
    names = list(template.slots)
    if len(slots) == len(names) == 1:
        # Files of others may call the slot of `vc_003` and its like X or Y.
        slots = dict(zip(names, slots.values(), strict=True))
    if set(slots) != set(names):
        raise UnplacedError(f"expected slots {', '.join(names)}, found {', '.join(slots)}")
    marks = [_mark(name, slots[name], "slot", facts) for name in names]
    if template.options in _CANDIDATES:
        marks += [
            _mark(option.label, parse_object_id(option.value), "candidate", facts)
            for option in item.options
        ]
    asked = [mark.instance_id for mark in marks if mark.role == "slot"]
    return QAItem(
        item_id=item.item_id,
        template_id=item.template_id,
        image_id=item.image_id,
        scene_id=facts.view.scene_id,
        direction=item.direction,
        marks=tuple(marks),
        options=item.options,
        answer=item.answer,
        joint_group=item.joint_group,
        wordings=item.wordings,
        derivation=Derivation(
            rule=RULE,
            annotator=facts.annotation.annotator,
            annotation_sha256=facts.annotation_sha256,
            instance_ids=tuple(asked),
            surface_ids=_surfaces_of(asked, facts),
        ),
        source="annotator",
    )


def _surfaces_of(instance_ids: list[int], facts: ImageFacts) -> tuple[int, ...]:
    """Surfaces in which the objects that instances show are seen."""
    objects = [facts.object_of(instance_id) for instance_id in instance_ids]
    return tuple(sorted({s for one in objects for i in one.instances for s in i.seen_in}))


def _mark(label: str, instance_id: int | None, role: str, facts: ImageFacts) -> Mark:
    if instance_id is None or instance_id not in facts.boxes:
        raise UnplacedError(f"the annotation has no instance {instance_id} ({role} {label})")
    return Mark.model_validate(
        {
            "label": label,
            "instance_id": instance_id,
            "role": role,
            "box_xyxy_px": facts.boxes[instance_id],
        }
    )
