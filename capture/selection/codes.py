"""What is said of views: each kind of remark by its code, which scripts can rely on."""

from __future__ import annotations

from typing import Literal, NamedTuple

Criterion = Literal["surface", "objects", "reflections", "quality"]
"""The three criteria of inclusion, and what pictures must be anyway."""


class Code(NamedTuple):
    """A kind of remark.

    Attributes:
        criterion: What it is about.
        meaning: When it is made.
    """

    criterion: Criterion
    meaning: str


CODES: dict[str, Code] = {
    "surface-unknown": Code("surface", "no annotation and no mask say where the surface is"),
    "surface-absent": Code("surface", "the annotation or the mask shows no surface"),
    "surface-small": Code("surface", "too little of the picture is reflective"),
    "surface-narrow": Code("surface", "no surface is wide enough to be read"),
    "surface-fills-view": Code("surface", "too much of the picture is reflective"),
    "no-margin": Code("surface", "too much of the picture's rim is reflective"),
    "runs-out-everywhere": Code("surface", "the surface runs out of too many sides"),
    "annotation-unusable": Code("surface", "the annotation is damaged, or of another size"),
    "annotation-draft": Code("surface", "the annotation is not ticked as done"),
    "annotation-given-up": Code("surface", "its annotator gave the picture up"),
    "few-direct": Code("objects", "too few annotated instances are seen directly"),
    "few-reflected": Code("objects", "too few annotated instances are seen as reflections"),
    "objects-likely": Code("objects", "not counted; there is structure inside and outside"),
    "objects-doubtful": Code("objects", "not counted; there is little structure"),
    "objects-unknown": Code("objects", "neither annotation nor mask: not measured"),
    "near-duplicate": Code("reflections", "the same reflection as a better view of the scene"),
    "much-alike": Code("reflections", "a reflection much like that of a better view"),
    "compared-whole": Code("reflections", "compared by the whole picture, for want of a surface"),
    "reflection-plain": Code("reflections", "the surface shows too little to be compared"),
    "other-surface": Code("reflections", "no other view of the scene shows this surface"),
    "other-context": Code("reflections", "colours that no other view of the scene reflects"),
    "blurred": Code("quality", "too little sharpness"),
    "soft-in-scene": Code("quality", "much less sharp than another view of the scene"),
    "dark": Code("quality", "too much is all but black"),
    "bright": Code("quality", "too much is all but white"),
    "no-depth": Code("quality", "there is no depth picture"),
    "little-depth": Code("quality", "too few depth readings"),
    "little-surface-depth": Code("quality", "too few depth readings inside surfaces"),
    "damaged": Code("quality", "a file of the view cannot be read"),
}
