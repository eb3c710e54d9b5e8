"""What a reply says that gives no answer: a refusal, or that nobody can know."""

from __future__ import annotations

import re

_REFUSALS = re.compile(
    r"\b(?:i['’]?m|i am|we are)? ?(?:so |very )?sorry\b"
    r"|\bi (?:can['’]?t|cannot|can not|won['’]?t|will not|am unable to|am not able to) "
    r"(?:help|assist|comply|identify|provide|discuss|do that|continue|fulfil)"
    r"|\b(?:i['’]m|i am) (?:unable|not able) to\b"
    r"|\bi must decline\b|\bagainst my (?:policy|guidelines)\b"
)
_ABSTENTIONS = re.compile(
    r"\b(?:not sure|unsure|uncertain|unknown|unclear|undetermined|indeterminate|n/a)\b"
    r"|\b(?:do not|don['’]?t) know\b"
    r"|\b(?:can['’]?t|cannot|can not|could not|couldn['’]?t|impossible to|unable to) "
    r"(?:be )?(?:tell|told|say|said|know|known|see|seen|determine|determined|judge|judged|answer)\b"
    r"|\b(?:not enough|insufficient|no sufficient) (?:information|context|evidence)\b"
)


def is_refusal(text: str) -> bool:
    """Whether a text without an answer declines to give one."""
    return bool(_REFUSALS.search(_in_one_line(text)))


def is_abstention(text: str) -> bool:
    """Whether a text without an answer says that there is none to be known."""
    return bool(_ABSTENTIONS.search(_in_one_line(text)))


def _in_one_line(text: str) -> str:
    return " ".join(text.replace("_", " ").casefold().split())
