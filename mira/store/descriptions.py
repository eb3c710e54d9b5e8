"""How people describe what is drawn.

descriptions/<person>.jsonl     InstanceDescription, one a line, in the order they were given
"""

from __future__ import annotations

from collections.abc import Mapping

from mira.schema.annotation import ImageAnnotation
from mira.schema.description import InstanceDescription
from mira.store.person_lines import PersonLines
from mira.store.workspace import Workspace


def with_descriptions(annotation: ImageAnnotation, described: Mapping[int, str]) -> ImageAnnotation:
    """An annotation whose instances are described as people describe them, for who shows it.

    Its digest is another than that of what was drawn.
    """
    instances = tuple(
        one.model_copy(update={"description": described.get(one.instance_id, one.description)})
        for one in annotation.instances
    )
    return annotation.model_copy(update={"instances": instances})


class DescriptionShelf(PersonLines[InstanceDescription]):
    """Reads and writes descriptions."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace.root / "descriptions", InstanceDescription, who="by")

    def of_image(self, image_id: str) -> dict[int, str]:
        """Descriptions that count of a picture's instances, by id; see `by_image`."""
        return self.by_image().get(image_id, {})

    def by_image(self) -> dict[str, dict[int, str]]:
        """Descriptions that count, by picture and instance.

        The newest of all people counts; an empty one leaves the instance as it was drawn.
        """
        found: dict[str, dict[int, str]] = {}
        for (image_id, instance_id), said in sorted(self._newest().items()):
            if said.text:
                found.setdefault(image_id, {})[instance_id] = said.text
        return found

    def _newest(self) -> dict[tuple[str, int], InstanceDescription]:
        """The newest of all people; of one person the last that was given."""
        newest: dict[tuple[str, int], InstanceDescription] = {}
        for person in self.people():
            own = {(one.image_id, one.instance_id): one for one in self.of(person)}
            for key, said in own.items():
                if key not in newest or newest[key].at <= said.at:
                    newest[key] = said
        return newest
