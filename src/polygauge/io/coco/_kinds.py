"""Everything that can be wrong with COCO files, in words: the one place they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]
Subject = Literal["file", "image", "category", "annotation"]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of finding.

    Attributes
    ----------
    code : str
        Its short name.
    severity : {"error", "warning", "note"}
        "error": something takes no part, or cannot be right. "warning": something was assumed.
        "note": good to know.
    subject : {"file", "image", "category", "annotation"}
        What it is said of.
    what : str
        The predicate, after the subjects.
    assumed : str
        What is done about it; "" where nothing has to be.
    """

    code: str
    severity: Severity
    subject: Subject
    what: str
    assumed: str = ""


KINDS = (
    # The file
    Kind("not-strict-json", "warning", "file", "holds what JSON does not allow, such as NaN",
         "read as Python's json does"),
    Kind("repeated-key", "warning", "file", "has a key twice", "the last one counts"),
    Kind("not-a-list", "error", "file", "has a key that should hold a list", "read as empty"),
    Kind("no-images", "error", "file", "has no list of images",
         "every image_id is an image, of unknown size"),
    Kind("no-categories", "warning", "file", "has no list of categories",
         "every category_id is a category without a name"),
    Kind("results-with-annotations", "note", "file",
         "is an object with annotations, not a plain list", "its annotations are the predictions"),
    Kind("no-annotations", "warning", "file", "has no annotations"),
    Kind("no-predictions", "warning", "file", "holds no predictions"),
    Kind("ids-as-text", "note", "file", "writes numbers as text in ids", "7 and '7' are the same"),
    Kind("masks-and-polygons", "note", "file",
         "holds masks (RLE) where the reference holds polygons, or the other way round",
         "a polygon through pixel centres and the mask it was traced from differ by half a pixel "
         "all round; compare masks with masks (COCO rasterisation) to leave that out"),
    Kind("normalised-coordinates", "error", "file", "has coordinates from 0 to 1 only",
         "taken as pixels; multiply by the image size if they are fractions of it"),
    Kind("equal-scores", "note", "file", "gives every prediction the same score",
         "their order in the file ranks them"),
    # Images
    Kind("bad-image", "error", "image", "are no objects", "left empty"),
    Kind("no-image-id", "error", "image", "have no id", "no annotation belongs to them"),
    Kind("repeated-image-id", "error", "image", "have the id of an earlier one",
         "annotations go to the first"),
    Kind("no-image-size", "warning", "image", "have no usable width and height",
         "nothing can be rasterised on them"),
    Kind("image-without-annotations", "note", "image", "have no annotations"),
    Kind("image-without-predictions", "note", "image",
         "have annotations and no predictions"),
    Kind("other-image-name", "error", "image",
         "have another file_name under the same id than the reference",
         "matched by id; check that both files number the images alike"),
    Kind("beyond-100", "note", "image",
         "have more than 100 predictions of one category: pycocotools leaves out the lowest scores",
         "none is left out here"),
    # Categories
    Kind("bad-category", "error", "category", "are no objects", "left empty"),
    Kind("no-category-id", "error", "category", "have no id", "no annotation belongs to them"),
    Kind("repeated-category-id", "error", "category", "have the id of an earlier one",
         "annotations go to the first"),
    Kind("other-category-name", "error", "category",
         "have another name under the same id than the reference", "matched by id"),
    # Annotations: where they belong
    Kind("bad-annotation", "error", "annotation", "are no objects", "take no part"),
    Kind("unknown-image", "error", "annotation", "are of an image that the reference does not have",
         "take no part"),
    Kind("unknown-category", "error", "annotation",
         "are of a category that the reference does not have", "take no part"),
    Kind("no-id", "note", "annotation", "have no id", "named by their place in the file"),
    Kind("repeated-id", "warning", "annotation", "have the id of an earlier one: pycocotools "
         "would overwrite it", "all are kept"),
    Kind("repeated-result-id", "note", "annotation", "have the id of an earlier one",
         "all are kept; pycocotools numbers results anew"),
    Kind("id-zero", "note", "annotation", "have the id 0: pycocotools would count it as unmatched",
         "an id like any other"),
    # Annotations: shape
    Kind("no-polygon", "error", "annotation", "have no usable polygon",
         "take no part where polygons are measured; --boxes polygon uses their bbox"),
    Kind("bad-rle", "error", "annotation", "have a mask (RLE) that cannot be decoded",
         "take no part where masks are measured"),
    Kind("other-rle-size", "error", "annotation",
         "have a mask (RLE) of another size than their image", "kept as stored"),
    Kind("flat-list", "warning", "annotation",
         "have a segmentation that is one flat list, not a list of rings", "read as one ring"),
    Kind("pair-list", "warning", "annotation",
         "have a segmentation of [x, y] pairs, not of flat rings", "read as rings of those points"),
    Kind("deep-list", "warning", "annotation",
         "have a segmentation with more brackets than rings need", "read as those rings"),
    Kind("text-coordinates", "warning", "annotation", "have coordinates written as text",
         "read as numbers"),
    Kind("odd-coordinates", "warning", "annotation", "have a ring of an odd number of coordinates",
         "its last one is left out, as pycocotools does"),
    Kind("ring-left-out", "warning", "annotation", "have a ring that is no polygon beside usable "
         "ones", "that ring is left out"),
    Kind("bridge", "note", "annotation", "use a bridge to a hole, walked twice", "read as a hole"),
    Kind("invalid-ring", "warning", "annotation", "have an invalid ring", "repaired"),
    Kind("invalid-dropped", "warning", "annotation", "have an invalid ring",
         "take no part (--invalid drop)"),
    Kind("overlapping-rings", "note", "annotation", "have rings that overlap or share an edge",
         "united, as COCO does"),
    Kind("nested-ring", "warning", "annotation", "have a ring inside another",
         "united, so that no hole is left (COCO); --nested-rings holes reads it as a hole"),
    Kind("nested-hole", "note", "annotation", "have a ring inside another",
         "read as a hole (--nested-rings holes)"),
    Kind("box-as-polygon", "warning", "annotation", "have no usable polygon",
         "their bbox is taken as one (--boxes polygon)"),
    Kind("outside-image", "warning", "annotation", "reach more than a pixel outside their image",
         "kept as stored; rasterising cuts them off"),
    # Annotations: further fields
    Kind("no-area", "note", "annotation", "have no area", "taken from the polygon or mask"),
    Kind("other-area", "warning", "annotation", "have an area more than 5 % off that of their "
         "polygon", "the stored area decides the size class, as in COCO"),
    Kind("no-bbox", "note", "annotation", "have polygons and no bbox: pycocotools "
         "cannot load such results", "taken from the polygon"),
    Kind("bad-bbox", "warning", "annotation", "have a bbox that is not four numbers",
         "read as missing"),
    Kind("other-bbox", "warning", "annotation", "have a bbox more than a pixel off their polygon",
         "both are kept as stored"),
    Kind("corner-bbox", "warning", "annotation", "have a bbox that fits as x0, y0, x1, y1, not as "
         "x, y, width, height", "kept as stored"),
    Kind("no-score", "warning", "annotation", "have no score",
         "NaN; they rank after those that have one, in file order"),
    Kind("bad-score", "error", "annotation", "have a score that is no number", "read as missing"),
    Kind("score-outside-0-1", "note", "annotation", "have a score outside 0 to 1",
         "only the order of scores counts"),
    Kind("bad-number", "warning", "annotation", "have an area, iscrowd or ignore that is no number",
         "read as missing"),
    Kind("text-number", "warning", "annotation", "have a score, area or bbox written as text",
         "read as a number"),
    Kind("crowd", "note", "annotation", "are crowd regions",
         "predictions inside them are excused; they are never missed"),
    Kind("no-iscrowd", "note", "annotation", "have no iscrowd: pycocotools cannot score them",
         "read as 0"),
    Kind("flagged-result", "note", "annotation",
         "carry iscrowd or ignore, which mean nothing for predictions", "judged like any other"),
    Kind("ignore-flag", "note", "annotation", "carry an ignore flag that differs from iscrowd: "
         "pycocotools puts iscrowd in its place", "kept beside iscrowd"),
)  # fmt: skip

NUMBER_OF = {kind.code: k for k, kind in enumerate(KINDS)}
