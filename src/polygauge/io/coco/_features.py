"""Annotations as features that can be matched and measured."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from polygauge.errors import CrsError
from polygauge.geometry import FloatArray, IntArray
from polygauge.io.coco._tables import Annotations, Coco, Images
from polygauge.tables import Features, Judged

Rings = Literal["all", "exterior", "as-stored"]


def coco_features(
    coco: Coco, annotations: Annotations, *, rings: Rings = "all", gsd: FloatArray | None = None
) -> Features:
    """The annotations of one side that have an outline, each in the tile of its image.

    Repeated points are kept as drawn. What belongs to no image or category of the reference, and
    what is a mask or a box only, is left out; `coco.findings` lists it.

    Parameters
    ----------
    coco : Coco
    annotations : Annotations
        One of its sides.
    rings : {"all", "exterior", "as-stored"}
        The polygons with their holes; without; or every ring as the file has it, each for itself,
        with a stitched courtyard walked along its bridge.
    gsd : ndarray of float64, shape (images,), optional
        Side of a pixel of each image in metres; coordinates stay in pixels without it.
    """
    known = (annotations.image >= 0) & (annotations.category >= 0)
    rows = np.flatnonzero(known & annotations.has_polygon)
    if rings == "as-stored":
        polygons = annotations.rings.as_polygons(rows, keep_repeated=True)
    else:
        polygons = annotations.take_polygons(rows, keep_repeated=True)
        if rings == "exterior":
            polygons = polygons.without_holes()
    tiles = annotations.image[rows]
    if gsd is not None:
        sizes = np.repeat(gsd[tiles], np.diff(polygons.feature_coordinates))
        polygons = replace(polygons, coordinates=polygons.coordinates * sizes[:, None])
    ids = annotations.ids[rows]
    aside = annotations.is_crowd[rows] | annotations.is_ignored[rows]
    scores = None if annotations.side == "reference" else annotations.scores[rows]
    return Features(
        side=annotations.side,
        name=annotations.side,
        polygons=polygons,
        ids=ids if ids.dtype == np.int64 else ids.astype(object),
        rows=rows,
        scores=scores,
        tiles=tiles,
        tile_names=tile_names(coco.images),
        judged=np.where(aside, Judged.CROWD, Judged.YES).astype(np.uint8),
        attributes={
            "category": annotations.category[rows],
            "valid": ~np.isin(rows, _redrawn(coco, annotations)),
        },
        unit="pixel" if gsd is None else "metre",
    )


def _redrawn(coco: Coco, annotations: Annotations) -> IntArray:
    """Rows whose rings are no valid polygon as they are stored: crossing, or joined by a bridge."""
    codes = ("bridge", "invalid-ring")
    return np.concatenate([coco.findings.rows(code, annotations.side) for code in codes])


def tile_names(images: Images) -> tuple[str, ...]:
    """File name of each image; its id where it has none or shares it with another."""
    names = [str(name) for name in images.file_names]
    unique = len(set(names)) == len(names) and all(names)
    return tuple(names if unique else map(str, images.ids))


def ground_sizes(images: Images, gsd: float | None) -> FloatArray:
    """Side of a pixel of each image in metres: as given, or as stored.

    Raises
    ------
    CrsError
        Some image has none, or pixels that are not square.
    """
    if gsd is not None:
        return np.full(len(images), gsd)
    sizes = images.res_x
    missing = np.flatnonzero(~(np.isfinite(sizes) & (sizes > 0)))
    if len(missing):
        name = tile_names(images)[missing[0]]
        raise CrsError(
            f"{len(missing)} of {len(images)} images have no ground size, such as {name}",
            hint="pass the side of a pixel in metres with --gsd, or store res_x in each image",
        )
    oblong = np.flatnonzero(np.isfinite(images.res_y) & ~np.isclose(images.res_y, sizes))
    if len(oblong):
        name = tile_names(images)[oblong[0]]
        raise CrsError(
            f"pixels of {name} are {sizes[oblong[0]]:g} x {images.res_y[oblong[0]]:g} m",
            hint="resample to square pixels, or pass --gsd",
        )
    return sizes
