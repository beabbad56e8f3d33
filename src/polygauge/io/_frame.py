"""Two layers in one frame: the same coordinates, in metres, and what of them is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyproj
from numpy.typing import NDArray

from polygauge.errors import CrsError
from polygauge.geometry import FloatArray, IntArray, Polygons
from polygauge.io._crs import (
    Bounds,
    check_width,
    fitness,
    geographic_bounds,
    geographic_middles,
    local_crs,
    reproject,
    same,
    transform_bounds,
)
from polygauge.io._judge import judge, judging_policies, near, set_aside_events
from polygauge.io._layer import Layer, crs_name, format_bounds, parse_user_crs, plain_id
from polygauge.io._ledger import Event, make_ledger
from polygauge.io._options import PLANAR, FrameOptions
from polygauge.io._region import load_region
from polygauge.tables import Features, Judged, Ledger


@dataclass(frozen=True, slots=True, eq=False)
class TileFrame:
    """The tiles that both sides lie in.

    Attributes
    ----------
    names : tuple of str
    boxes : ndarray of float64, shape (t, 4)
        xmin, ymin, xmax, ymax of each; NaN where unknown.
    gsd : float or None
        Side of a pixel in metres, where coordinates were brought to metres.
    drawn : pair of Features, or None
        The same features along the rings as stored, where vertices and distances are to be those.
    """

    names: tuple[str, ...]
    boxes: FloatArray
    gsd: float | None = None
    drawn: tuple[Features, Features] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Both sides ready to be compared.

    Attributes
    ----------
    reference, prediction : Features
    ledger : Ledger
    counts : dict
        By side: read, used, judged, skipped, repaired, set_aside, ...
    notes, warnings : tuple of str
    policies : dict of str to str
    tiles : TileFrame or None
    """

    reference: Features
    prediction: Features
    ledger: Ledger
    counts: dict[str, Any]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    policies: dict[str, str]
    tiles: TileFrame | None = None


def common_frame(reference: Layer, prediction: Layer, options: FrameOptions | None = None) -> Frame:
    """Bring two layers to one coordinate system and decide what is judged.

    Raises
    ------
    CrsError
        There is no common metric system, or the layers are too wide for one.
    """
    chosen = options or FrameOptions()
    notes: list[str] = [*reference.notes, *prediction.notes]
    warnings: list[str] = [*reference.warnings, *prediction.warnings]
    crs, why = _working_crs(reference, prediction, chosen, notes, warnings)
    tile_names = _tile_names(reference, prediction)
    given_in = reference.crs or prediction.crs
    aoi, ignore = (
        None if region is None else load_region(region, name, crs, given_in=given_in)
        for region, name in (
            (chosen.aoi, "area of interest"),
            (chosen.ignore, "ignore region"),
        )
    )

    events = [*reference.events, *prediction.events]
    sides: list[Features] = []
    counts: dict[str, Any] = {}
    for layer in (reference, prediction):
        polygons, kept, lost = _place(layer, crs, events, notes)
        warnings += [f"{layer.side}: {n} features {what}; skipped" for what, n in lost.items()]
        if chosen.rings == "exterior":
            polygons = polygons.filled()
        if aoi is not None:
            close = np.flatnonzero(near(polygons, np.array(aoi.bounds)))
            polygons, kept = polygons.take(close), kept[close]
        judged = judge(polygons, aoi, ignore, chosen)
        features = _features(layer, polygons, kept, judged, crs, tile_names)
        sides.append(features)
        events += set_aside_events(features, polygons, aoi)
        counts[layer.side] = _counts(layer, features, lost)
    warnings += _apart(reference, prediction)
    notes += _heights(reference, prediction)
    return Frame(
        reference=sides[0],
        prediction=sides[1],
        ledger=make_ledger(events),
        counts=counts,
        notes=tuple(notes),
        warnings=tuple(warnings),
        policies={"coordinates": why, **judging_policies(chosen)},
    )


def _working_crs(
    reference: Layer,
    prediction: Layer,
    options: FrameOptions,
    notes: list[str],
    warnings: list[str],
) -> tuple[pyproj.CRS | None, str]:
    """The CRS to measure in, and why, in words; None for planar coordinates."""
    known = [layer.crs for layer in (reference, prediction) if layer.crs is not None]
    if not known:
        if options.crs not in (None, PLANAR):
            raise CrsError(
                f"the layers have no CRS to bring to {options.crs}",
                hint="pass what they are in with --reference-crs and --prediction-crs",
            )
        words = "no CRS: lengths and areas are in the coordinates' own units"
        notes.append(words)
        return None, words
    for layer in (reference, prediction):
        if layer.planar and len(known) == 1:
            raise CrsError(
                f"{layer.side} is planar but the other side is in {crs_name(known[0])}",
                hint="give both sides a CRS, or make both planar",
            )
        if layer.crs is None and not layer.planar:
            warnings.append(
                f"{layer.side}: {layer.name} has no CRS; taken to be in {crs_name(known[0])} "
                "as the other side"
            )
    a, b = reference.crs or known[0], prediction.crs or known[0]
    focus, extent = _extents(reference, a, prediction, b, options)
    if options.crs is not None:
        return _given_crs(options.crs, focus, warnings)
    middle = ((focus[0] + focus[2]) / 2, (focus[1] + focus[3]) / 2)
    judgements = [fitness(a, middle), fitness(b, middle)]
    for candidate, judgement, side in zip(
        (a, b), judgements, ("reference", "prediction"), strict=True
    ):
        if judgement.fit:
            return candidate, (
                f"measured in {crs_name(candidate)}, as the {side} (map scale "
                f"{judgement.scale:.5f} here)"
            )
    local = local_crs(a, focus)
    check_width(local, extent, _farthest(reference, a, prediction, b))
    for judgement in {j.why: j for j in judgements}.values():
        said = notes if np.isnan(judgement.scale) else warnings
        said.append(f"{judgement.why}; measured in a {local.name} in ground metres")
    return local, f"measured in metres, in a {local.name}, because {judgements[0].why}"


def _given_crs(text: str, focus: Bounds, warnings: list[str]) -> tuple[pyproj.CRS, str]:
    """The CRS the caller asked for."""
    if text == PLANAR:
        raise CrsError(
            "layers with a CRS cannot be measured as planar",
            hint="pass --reference-crs planar and --prediction-crs planar",
        )
    crs = parse_user_crs(text)
    middle = ((focus[0] + focus[2]) / 2, (focus[1] + focus[3]) / 2)
    judgement = fitness(crs, middle)
    if not crs.is_projected or crs.axis_info[0].unit_conversion_factor != 1:
        raise CrsError(
            f"cannot measure in {text}: {judgement.why}",
            hint="pass a projected CRS in metres with --crs, or none for a local one",
        )
    if not judgement.fit:
        warnings.append(f"{judgement.why}; lengths are in its units because --crs says so")
    return crs, f"measured in {crs_name(crs)}, as given (map scale {judgement.scale:.5f} here)"


def _extents(
    reference: Layer,
    a: pyproj.CRS,
    prediction: Layer,
    b: pyproj.CRS,
    options: FrameOptions,
) -> tuple[Bounds, Bounds]:
    """Box to centre a local frame on, and box it must reach, as longitudes and latitudes."""
    boxes = [
        geographic_bounds(crs, layer.polygons.boxes, layer.name)
        for layer, crs in ((reference, a), (prediction, b))
        if len(layer)
    ]
    if not boxes:
        return (0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
    if options.aoi is not None:
        region = load_region(options.aoi, "area of interest", a.geodetic_crs, given_in=a)
        boxes = [_common(box, region.bounds) or box for box in boxes]
    if len(boxes) == 1 or _common(*boxes) is None:
        return boxes[0], boxes[0]
    low = np.minimum(boxes[0], boxes[1])[:2]
    high = np.maximum(boxes[0], boxes[1])[2:]
    return boxes[0], (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def _farthest(
    reference: Layer, a: pyproj.CRS, prediction: Layer, b: pyproj.CRS
) -> Callable[[], str]:
    """Names, when asked, the feature that lies farthest from the middle of both layers."""

    def name() -> str:
        layers = [(layer, crs) for layer, crs in ((reference, a), (prediction, b)) if len(layer)]
        middles = [geographic_middles(crs, layer.polygons.boxes) for layer, crs in layers]
        middle = np.nanmedian(np.concatenate(middles), axis=0)
        distances = [np.abs(m - middle).max(axis=1) for m in middles]
        k = int(np.argmax([np.nanmax(d) for d in distances]))
        layer = layers[k][0]
        feature = plain_id(layer.ids[int(np.nanargmax(distances[k]))])
        return f"feature {feature} of {layer.name}"

    return name


def _common(a: Bounds, b: Bounds) -> Bounds | None:
    """Where two boxes overlap."""
    box = (max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3]))
    return box if box[0] <= box[2] and box[1] <= box[3] else None


def _place(
    layer: Layer, crs: pyproj.CRS | None, events: list[Event], notes: list[str]
) -> tuple[Polygons, IntArray, Counter[str]]:
    """The layer's polygons in the working CRS, which of its rows they are, and what was lost."""
    lost: Counter[str] = Counter()
    if crs is None or layer.crs is None or same(layer.crs, crs):
        return layer.polygons, np.arange(len(layer)), lost
    notes.append(f"{layer.side}: {crs_name(layer.crs)} -> {crs_name(crs)}")
    coordinates = reproject(layer.polygons, layer.crs, crs)
    finite = np.asarray(np.isfinite(coordinates).all(axis=1))
    offsets = layer.polygons.feature_coordinates
    bad = np.concatenate([[0], np.cumsum(~finite)])
    infinite = bad[offsets[1:]] > bad[offsets[:-1]]
    polygons = layer.polygons.with_coordinates(np.where(finite[:, None], coordinates, 0.0))
    collapsed = ~infinite & ~(polygons.areas > 0)
    for rows, what in (
        (np.flatnonzero(infinite), "not finite after reprojection"),
        (np.flatnonzero(collapsed), "without area after reprojection"),
    ):
        events.extend(
            Event(layer.side, plain_id(layer.ids[k]), int(layer.rows[k]), what, "", "skipped")
            for k in rows
        )
        lost += Counter({what: len(rows)})
    kept = np.flatnonzero(~infinite & ~collapsed)
    return (polygons if not lost else polygons.take(kept)), kept, lost


def _features(
    layer: Layer,
    polygons: Polygons,
    kept: IntArray,
    judged: NDArray[np.uint8],
    crs: pyproj.CRS | None,
    tile_names: tuple[str, ...],
) -> Features:
    options = layer.options
    unit: Literal["metre", "unit"] = "unit" if crs is None else "metre"
    tiles = None
    if options.tile is not None:
        labels = np.array(_labels(layer.attributes[options.tile][kept]), dtype=object)
        tiles = np.searchsorted(np.array(tile_names, dtype=object), labels).astype(np.int64)
    return Features(
        side=layer.side,
        name=layer.name,
        polygons=polygons,
        ids=layer.ids[kept],
        rows=layer.rows[kept],
        scores=None if layer.scores is None else layer.scores[kept],
        tiles=tiles,
        tile_names=tile_names,
        judged=judged,
        attributes={name: layer.attributes[name][kept] for name in options.columns},
        crs=None if crs is None else crs.to_wkt(),
        unit=unit,
    )


def _labels(tiles: NDArray[Any]) -> list[str]:
    """Names of tiles; 7 and 7.0 are one tile, because a missing value turns integers to floats."""
    return [
        "(none)" if pd.isna(tile) else str(int(tile) if _is_whole(tile) else tile)
        for tile in tiles.tolist()
    ]


def _is_whole(tile: Any) -> bool:
    return isinstance(tile, float) and tile.is_integer()


def _tile_names(reference: Layer, prediction: Layer) -> tuple[str, ...]:
    """All tile labels of both sides, sorted."""
    labels: set[str] = set()
    for layer in (reference, prediction):
        if layer.options.tile is not None:
            labels.update(_labels(layer.attributes[layer.options.tile]))
    return tuple(sorted(labels))


def _counts(layer: Layer, features: Features, lost: Counter[str]) -> dict[str, Any]:
    codes = Counter(features.judged.tolist())
    aside = {Judged(code).text: n for code, n in sorted(codes.items()) if code != Judged.YES}
    used = layer.counts["used"] - lost.total()
    return {
        **layer.counts,
        "skipped": {**layer.counts["skipped"], **lost},
        "used": used,
        "outside_aoi": used - len(features),
        "set_aside": aside,
        "judged": codes[Judged.YES],
    }


def _apart(reference: Layer, prediction: Layer) -> list[str]:
    """Say so when the layers do not overlap at all, and whether swapped axes explain it."""
    boxes = [reference.bounds, prediction.bounds]
    if boxes[0] is None or boxes[1] is None:
        return []
    ref_crs = reference.crs or prediction.crs
    pred_crs = prediction.crs or reference.crs
    shown = boxes[1]
    if ref_crs is not None and pred_crs is not None and not same(ref_crs, pred_crs):
        shown = transform_bounds(pred_crs, ref_crs, boxes[1])
    if _common(boxes[0], shown) is not None:
        return []
    name = "" if ref_crs is None else f" ({crs_name(ref_crs)})"
    said = [
        f"the layers do not overlap at all: reference {format_bounds(boxes[0])}, prediction "
        f"{format_bounds(shown)}{name}"
    ]
    for side, swapped, other in (
        ("prediction", _swap(shown), boxes[0]),
        ("reference", _swap(boxes[0]), shown),
    ):
        if _common(swapped, other) is not None:
            said.append(
                f"swapping x and y of the {side} makes the layers overlap: its axes may be in the "
                "wrong order"
            )
            break
    return said


def _swap(box: Bounds) -> Bounds:
    return box[1], box[0], box[3], box[2]


def _heights(reference: Layer, prediction: Layer) -> list[str]:
    """One line on heights that were left out."""
    if not reference.counts["z_dropped"] and not prediction.counts["z_dropped"]:
        return []
    parts = [
        f"{layer.counts['z_dropped']} of {layer.counts['polygons']} {layer.side}"
        for layer in (reference, prediction)
    ]
    return [f"Z ignored ({', '.join(parts)})"]
