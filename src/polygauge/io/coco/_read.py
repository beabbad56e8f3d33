"""Reading a COCO reference and its predictions."""

from __future__ import annotations

import os

import numpy as np

from polygauge.errors import LayerError
from polygauge.geometry import BoolArray, IntArray
from polygauge.io.coco._checks import check_annotations, check_sides
from polygauge.io.coco._columns import TEXT, Ids, find_ids, unique_ids
from polygauge.io.coco._file import CocoFile
from polygauge.io.coco._findings import Labels, Notebook
from polygauge.io.coco._kinds import Subject
from polygauge.io.coco._options import CocoOptions
from polygauge.io.coco._tables import Annotations, Categories, Coco, Images
from polygauge.tables import Side


def read_coco(
    reference: str | os.PathLike[str],
    prediction: str | os.PathLike[str] | None = None,
    *,
    options: CocoOptions | None = None,
) -> Coco:
    """Read a COCO ground truth and, where given, the results that are judged by it.

    Parameters
    ----------
    reference : path-like
        An object with `images`, `categories` and `annotations`; JSON, packed by gzip or not.
    prediction : path-like, optional
        A list of results, or an object with `annotations`.
    options : CocoOptions, optional

    Returns
    -------
    Coco
        Every annotation of both files, with what was noticed in `findings`.

    Raises
    ------
    ReadError
        A file cannot be opened or is not JSON.
    LayerError
        A file is JSON, but no COCO ground truth or no results.
    GeometryError
        A ring is invalid and `options.invalid` is "fail".

    Notes
    -----
    Each file is read once, front to back, some megabytes at a time, whatever the order of its
    keys; beside the arrays of the result little memory is needed.
    """
    chosen, notes = options or CocoOptions(), Notebook()
    first = CocoFile("reference", os.fspath(reference), chosen, notes)
    if first.is_list:
        raise LayerError(
            f"reference: {first.path} is a list of results, not a COCO ground truth: it has no "
            "images and no categories",
            hint="give the ground truth first, then the predictions",
        )
    images, categories = _images_of(first, notes), _categories_of(first, notes)
    sides = [_placed(first, images, categories)]
    files = [first]
    if prediction is not None:
        files.append(CocoFile("prediction", os.fspath(prediction), chosen, notes))
        sides.append(_placed(files[1], images, categories))
    for file, placed in zip(files, sides, strict=True):
        check_annotations(notes, file, placed, images)
    if len(sides) == 2:
        check_sides(notes, files[1], images, categories, sides[0], sides[1])

    labels: dict[tuple[Side, Subject], Labels] = {}
    for file, placed in zip(files, sides, strict=True):
        side, own = placed.side, placed.side == "reference"
        listed = images if own else file.images
        labels[side, "image"] = Labels(listed.ids, listed.file_names)
        groups = categories if own else file.categories
        labels[side, "category"] = Labels(groups.ids, groups.names)
        labels[side, "annotation"] = Labels(placed.ids, images.file_names, placed.image)
    return Coco(
        images,
        categories,
        sides[0],
        sides[1] if len(sides) == 2 else None,
        notes.finish(labels),
        chosen,
    )


def _images_of(file: CocoFile, notes: Notebook) -> Images:
    """The images of the reference; those its annotations name where it lists none."""
    if "images" in file.found:
        return file.images
    notes.add("no-images", file.side)
    ids = unique_ids(file.columns.image_ids, ~file.columns.no_image_id)
    empty = np.full(len(ids), np.nan)
    return Images(ids, np.full(len(ids), "", dtype=TEXT), empty, empty, empty, empty)


def _categories_of(file: CocoFile, notes: Notebook) -> Categories:
    """The categories of the reference; those its annotations name where it lists none."""
    if "categories" in file.found:
        return file.categories
    notes.add("no-categories", file.side)
    ids = unique_ids(file.columns.category_ids, ~file.columns.no_category_id)
    return Categories(ids, np.full(len(ids), "", dtype=TEXT))


def _placed(file: CocoFile, images: Images, categories: Categories) -> Annotations:
    """The annotations of a file with the rows of their images and categories."""
    c = file.columns
    return Annotations(
        file.side,
        _rows(images.ids, c.image_ids, c.no_image_id),
        _rows(categories.ids, c.category_ids, c.no_category_id),
        c.ids, c.scores, c.is_crowd, c.is_ignored, c.areas, c.boxes, c.kind, c.rings, c.masks,
        c.direct, c.others, c.slots,
    )  # fmt: skip


def _rows(ids: Ids, wanted: Ids, missing: BoolArray) -> IntArray:
    rows = find_ids(ids, wanted)
    rows[missing] = -1
    return rows
