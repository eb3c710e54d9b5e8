"""Questions as they will be asked, to try wording out before there is any picture."""

from __future__ import annotations

from mira.schema.qa import Mark
from mira.taxonomy.catalogue import TaskTemplate, taxonomy

TRIAL_SIZE_PX = (640, 480)
"""Width and height of the picture that trials are about."""


def trial_marks(template: TaskTemplate) -> tuple[Mark, ...]:
    """Marks as a question of a template has them: slots, then candidates."""
    candidates = "ABCD" if template.options in ("direct_candidates", "reflected_candidates") else ""
    return tuple(
        Mark(
            label=label,
            instance_id=k,
            role="slot" if label in template.slots else "candidate",
            box_xyxy_px=(10 * k, 25 + k, 10 * k + 8, 45 + k),
        )
        for k, label in enumerate((*template.slots, *candidates), start=1)
    )


def trial_options(template: TaskTemplate) -> tuple[str, ...]:
    """All values that a template's options are taken from, where they are not candidates."""
    values = taxonomy().option_sets.get(template.options or "", ())
    return values if isinstance(values, tuple) else ()


def trial_directions(template: TaskTemplate) -> tuple[str | None, ...]:
    """All directions that a template may have; None alone where it has none."""
    return taxonomy().directions[template.directions] if template.directions else (None,)
