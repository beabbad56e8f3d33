"""What is noticed once all annotations are there: where they belong, and whether they fit."""

from __future__ import annotations

import numpy as np

from polygauge.geometry import BoolArray, FloatArray, IntArray, jit
from polygauge.io.coco._columns import Ids, find_ids, repeats, unique_ids
from polygauge.io.coco._file import CocoFile
from polygauge.io.coco._findings import Notebook
from polygauge.io.coco._tables import MASK, POLYGON, Annotations, Categories, Images

# Annotations looked at together, so that what is computed of them stays small.
_PIECE = 1 << 15

# A stored area may be rounded, or counted in pixels.
_AREA_SHARE, _AREA_PIXELS = 0.05, 1.0
_BOX_PIXELS = 1.0
_OUTSIDE_PIXELS = 1.0
_COCO_LIMIT = 100  # detections an image and category that pycocotools looks at


def check_annotations(
    notes: Notebook, file: CocoFile, annotations: Annotations, images: Images
) -> None:
    """Note what is odd with the annotations of one file."""
    side, columns = annotations.side, file.columns
    if len(annotations) == 0:
        notes.add("no-annotations" if side == "reference" else "no-predictions", side)
        return
    if columns.ids_as_text:
        notes.add("ids-as-text", side)
    if side == "reference":
        _check_places(notes, annotations, file, "", "")
        notes.add("no-id", side, np.flatnonzero(columns.no_id))
        notes.add("no-area", side, np.flatnonzero(np.isnan(annotations.areas)))
        present = np.bincount(annotations.image[annotations.image >= 0], minlength=len(images))
        notes.add("image-without-annotations", side, np.flatnonzero(present == 0))
        zero = find_ids(annotations.ids, np.zeros(1, dtype=np.int64))
        notes.add("id-zero", side, zero[zero >= 0])
        notes.add("crowd", side, np.flatnonzero(annotations.is_crowd))
        flagged = annotations.is_ignored & ~annotations.is_crowd
        notes.add("ignore-flag", side, np.flatnonzero(flagged))
    else:
        _check_scores(notes, annotations)
        if not columns.no_id.all():
            notes.add("no-id", side, np.flatnonzero(columns.no_id))
        flagged = annotations.is_ignored | annotations.is_crowd
        notes.add("flagged-result", side, np.flatnonzero(flagged))
    without = np.isnan(annotations.boxes[:, 0])
    notes.add("no-bbox", side, np.flatnonzero(without & (annotations.kind == POLYGON)))
    again = np.flatnonzero(repeats(annotations.ids, columns.no_id))
    notes.add("repeated-id" if side == "reference" else "repeated-result-id", side, again)
    _check_masks(notes, annotations, images)
    _check_geometry(notes, annotations, images)


def _check_scores(notes: Notebook, annotations: Annotations) -> None:
    scores, side = annotations.scores, annotations.side
    notes.add("no-score", side, np.flatnonzero(np.isnan(scores)))
    notes.add("score-outside-0-1", side, np.flatnonzero((scores < 0) | (scores > 1)))
    if len(scores) > 1 and bool((scores == scores[0]).all()):
        notes.add("equal-scores", side, details=f"{scores[0]:g}")


def _check_masks(notes: Notebook, annotations: Annotations, images: Images) -> None:
    masks = annotations.masks
    image = annotations.image[masks.rows]
    placed = image >= 0
    sizes = np.full((len(masks), 2), np.nan)
    sizes[placed, 0] = images.heights[image[placed]]
    sizes[placed, 1] = images.widths[image[placed]]
    other = (masks.sizes != sizes).any(axis=1) & ~np.isnan(sizes).any(axis=1)
    notes.add("other-rle-size", annotations.side, masks.rows[other])


def _check_places(
    notes: Notebook, annotations: Annotations, file: CocoFile, image_hint: str, category_hint: str
) -> None:
    """Annotations of images and categories that the reference does not have."""
    side, columns = annotations.side, file.columns
    for code, rows, ids, missing, name, hint in (
        ("unknown-image", annotations.image, columns.image_ids, columns.no_image_id, "image_id",
         image_hint),
        ("unknown-category", annotations.category, columns.category_ids, columns.no_category_id,
         "category_id", category_hint),
    ):  # fmt: skip
        lost = np.flatnonzero(rows < 0)
        details = (
            f"without {name}" if gone else f"with {name} {value}{hint}"
            for gone, value in zip(missing[lost].tolist(), ids[lost].tolist(), strict=True)
        )
        notes.add(code, side, lost, details)


def _check_geometry(notes: Notebook, annotations: Annotations, images: Images) -> None:
    """Areas, boxes and image borders against the coordinates."""
    side, rings = annotations.side, annotations.rings
    for start in range(0, len(annotations), _PIECE):
        rows = np.arange(start, min(start + _PIECE, len(annotations)))
        drawn = annotations.kind[rows] == POLYGON
        extent = _extents(
            rings.coordinates, rings.ring_offsets, rings.annotation_offsets, rows, drawn
        )
        _check_boxes(notes, annotations, rows, extent)
        size = np.full((len(rows), 2), np.nan)
        placed = annotations.image[rows] >= 0
        size[placed, 0] = images.widths[annotations.image[rows[placed]]]
        size[placed, 1] = images.heights[annotations.image[rows[placed]]]
        low, high = extent[:, :2].min(axis=1), (extent[:, 2:] - size).max(axis=1)
        outside = (low < -_OUTSIDE_PIXELS) | (high > _OUTSIDE_PIXELS)
        notes.add("outside-image", side, rows[outside])
        if side == "reference" and not np.isnan(annotations.areas[rows]).all():
            _check_areas(notes, annotations, rows)
    xy = rings.coordinates
    if len(xy) and np.nanmax(xy, initial=-np.inf) <= 1 and np.nanmin(xy, initial=np.inf) >= 0:
        notes.add("normalised-coordinates", side)


def _check_areas(notes: Notebook, annotations: Annotations, rows: IntArray) -> None:
    # A polygon with rings united or repaired has its own finding, with what its area speaks for.
    rows = rows[annotations.direct[rows]]
    rings = annotations.rings
    areas = _areas(rings.coordinates, rings.ring_offsets, rings.annotation_offsets, rows)
    off = np.abs(annotations.areas[rows] - areas) > np.maximum(_AREA_SHARE * areas, _AREA_PIXELS)
    notes.add("other-area", annotations.side, rows[off])


def _check_boxes(
    notes: Notebook, annotations: Annotations, rows: IntArray, extent: FloatArray
) -> None:
    boxes = annotations.boxes[rows]
    corners = np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], axis=1)

    def far(given: FloatArray) -> BoolArray:
        found: BoolArray = np.abs(given - extent).max(axis=1) > _BOX_PIXELS
        return found

    off = far(corners)
    swapped = off & ~far(boxes)
    notes.add("corner-bbox", annotations.side, rows[swapped])
    notes.add("other-bbox", annotations.side, rows[off & ~swapped])


def check_sides(
    notes: Notebook,
    file: CocoFile,
    images: Images,
    categories: Categories,
    reference: Annotations,
    prediction: Annotations,
) -> None:
    """Note where the two files do not belong together."""
    if not file.is_list and file.side == "prediction":
        notes.add("results-with-annotations", "prediction")
    columns = file.columns
    used = unique_ids(columns.category_ids, ~columns.no_category_id)
    category_hint = (
        _shift(used, categories.ids)
        or _by_name(file.categories, categories)
        or _only_one(used, categories)
    )
    seen = unique_ids(columns.image_ids, ~columns.no_image_id)
    image_hint = _shift(seen, images.ids) or _by_file(seen, images)
    _check_places(notes, prediction, file, image_hint, category_hint)
    _check_names(notes, file, images, categories)

    counts = np.bincount(prediction.image[prediction.image >= 0], minlength=len(images))
    wanted = np.bincount(reference.image[reference.image >= 0], minlength=len(images))
    notes.add(
        "image-without-predictions", "reference", np.flatnonzero((counts == 0) & (wanted > 0))
    )
    placed = (prediction.image >= 0) & (prediction.category >= 0)
    keys = prediction.image[placed] * max(len(categories), 1) + prediction.category[placed]
    key, count = np.unique(keys, return_counts=True)
    many = count > _COCO_LIMIT
    crowded, inverse = np.unique(key[many] // max(len(categories), 1), return_inverse=True)
    beyond = np.bincount(inverse, weights=count[many] - _COCO_LIMIT, minlength=len(crowded))
    notes.add("beyond-100", "reference", crowded, [f"leaving {n:.0f} out" for n in beyond])

    targets = ~reference.is_crowd
    only_masks = [bool((side == MASK).any() and not (side == POLYGON).any())
                  for side in (reference.kind[targets], prediction.kind)]  # fmt: skip
    only_polygons = [bool((side == POLYGON).any() and not (side == MASK).any())
                     for side in (reference.kind[targets], prediction.kind)]  # fmt: skip
    if (only_polygons[0] and only_masks[1]) or (only_masks[0] and only_polygons[1]):
        notes.add("masks-and-polygons", "prediction")


def _shift(used: Ids, known: Ids) -> str:
    """A hint where all numbers would be known, one higher or one lower."""
    if used.dtype != np.int64 or known.dtype != np.int64 or len(used) == 0:
        return ""
    if (find_ids(known, used) >= 0).all():
        return ""
    for step in (1, -1):
        if (find_ids(known, used + step) >= 0).all():
            first, second = (1, 0) if step == 1 else (0, 1)
            return (
                f" (all would fit {step:+d}: does the reference count from {first} and the "
                f"prediction from {second}?)"
            )
    return ""


def _by_name(own: Categories, known: Categories) -> str:
    """A hint where the categories of the prediction file have known names under other ids."""
    names = dict(zip(known.names.tolist(), known.ids.tolist(), strict=True))
    for name, value in zip(own.names.tolist(), own.ids.tolist(), strict=True):
        if name and name in names and str(names[name]) != str(value):
            return f" ({name!r} is {value} here and {names[name]} in the reference)"
    return ""


def _only_one(used: Ids, known: Categories) -> str:
    """A hint where each side has one category and calls it differently."""
    if len(used) != 1 or len(known) != 1 or find_ids(known.ids, used)[0] >= 0:
        return ""
    return f" (each side has one category; the reference calls it {known.ids[0]})"


def _by_file(seen: Ids, images: Images) -> str:
    """A hint where the predictions name images by their file."""
    if seen.dtype == np.int64 or len(seen) == 0:
        return ""
    full = set(images.file_names.tolist())
    stems = {name.rpartition("/")[2].rpartition(".")[0] for name in full}
    if all(str(value) in full or str(value) in stems for value in seen.tolist()):
        return " (these are file names: put the images' ids in their place)"
    return ""


def _check_names(notes: Notebook, file: CocoFile, images: Images, categories: Categories) -> None:
    """The same id for another image or category in the two files."""
    for code, ids, names, known_ids, known_names in (
        ("other-image-name", file.images.ids, file.images.file_names, images.ids,
         images.file_names),
        ("other-category-name", file.categories.ids, file.categories.names, categories.ids,
         categories.names),
    ):  # fmt: skip
        place = find_ids(known_ids, ids)
        rows = np.flatnonzero(place >= 0)
        here, there = names[rows], known_names[place[rows]]
        differ = (here != there) & (here != "") & (there != "")
        pairs = zip(here[differ].tolist(), there[differ].tolist(), strict=True)
        notes.add(code, "prediction", rows[differ], [f"{a!r} for {b!r}" for a, b in pairs])


@jit
def _areas(xy: FloatArray, rings: IntArray, annotations: IntArray, rows: IntArray) -> FloatArray:
    """Sum of the areas of the stored rings of each row, whatever their directions."""
    out = np.zeros(len(rows))
    for j in range(len(rows)):
        for r in range(annotations[rows[j]], annotations[rows[j] + 1]):
            first, last = rings[r], rings[r + 1]
            twice = 0.0
            for k in range(first + 1, last - 1):
                ax, ay = xy[k, 0] - xy[first, 0], xy[k, 1] - xy[first, 1]
                bx, by = xy[k + 1, 0] - xy[first, 0], xy[k + 1, 1] - xy[first, 1]
                twice += ax * by - bx * ay
            out[j] += 0.5 * abs(twice)
    return out


@jit
def _extents(
    xy: FloatArray, rings: IntArray, annotations: IntArray, rows: IntArray, wanted: BoolArray
) -> FloatArray:
    """Box (xmin, ymin, xmax, ymax) around the stored rings of each row; NaN where not wanted."""
    out = np.full((len(rows), 4), np.nan)
    for j in range(len(rows)):
        first, last = rings[annotations[rows[j]]], rings[annotations[rows[j] + 1]]
        if wanted[j]:
            for v in range(first, last):
                for c in range(2):
                    out[j, c] = xy[v, c] if v == first else min(out[j, c], xy[v, c])
                    out[j, 2 + c] = xy[v, c] if v == first else max(out[j, 2 + c], xy[v, c])
    return out
