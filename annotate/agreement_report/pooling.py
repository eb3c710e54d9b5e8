"""Images of several rounds taken together; intervals resample all of them together."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.agreement.choices import agreements_of
from annotate.agreement.comparison import Comparison, ImageComparison
from annotate.agreement.policy import AgreementPolicy
from annotate.agreement.summary import AgreementSummary, summarise


def summarise_together(
    images: Sequence[ImageComparison], policy: AgreementPolicy
) -> AgreementSummary:
    """A summary of images of any rounds, without means of single images."""
    comparison = Comparison(
        images=tuple(images),
        rows=(),
        mean_iou=None,
        agreements=agreements_of(images, policy=policy),
    )
    summary = summarise(comparison, policy=policy)
    means = tuple(mean for mean in summary.means if mean.group != "image")
    return summary.model_copy(update={"means": means})
