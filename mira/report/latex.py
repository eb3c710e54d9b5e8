"""Text as LaTeX takes it."""

from __future__ import annotations

_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "–": "--",
    "†": r"$^\dagger$",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def escape_latex(text: str) -> str:
    """Text that LaTeX sets as it is, whatever signs are in it."""
    return "".join(_SIGNS.get(letter, letter) for letter in " ".join(text.split()))
