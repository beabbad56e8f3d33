"""How COCO files are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from polygauge.errors import OptionError
from polygauge.io._options import Invalid

NestedRings = Literal["union", "holes"]
Boxes = Literal["skip", "polygon"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CocoOptions:
    """How annotations become polygons.

    Attributes
    ----------
    invalid : {"repair", "drop", "fail"}
        What is done with an invalid ring.
    nested : {"union", "holes"}
        A ring inside another of the same annotation adds nothing, as in COCO, or is a hole.
    boxes : {"skip", "polygon"}
        An annotation without usable polygon has none, or its bbox is taken as one.
    """

    invalid: Invalid = "repair"
    nested: NestedRings = "union"
    boxes: Boxes = "skip"

    def __post_init__(self) -> None:
        """Refuse a word that means nothing here.

        Raises
        ------
        OptionError
            An option has a value that is not named above.
        """
        for name, value, words in (
            ("invalid", self.invalid, get_args(Invalid)),
            ("nested", self.nested, get_args(NestedRings)),
            ("boxes", self.boxes, get_args(Boxes)),
        ):
            if value not in words:
                raise OptionError(
                    f"{name} cannot be {value!r}", hint=f"choose one of: {', '.join(words)}"
                )
