"""What is in a file."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely

from polygauge.io._layer import crs_name
from polygauge.io.formats import layer_names, open_source

_IDS = ("id", "fid", "ogc_fid", "objectid", "gml_id", "uuid", "osm_id", "building_id")
_SCORES = ("score", "confidence", "conf", "probability", "prob")


@dataclass(frozen=True, slots=True)
class LayerInfo:
    """One layer of a file.

    Attributes
    ----------
    name : str
    features : int
    geometry_types : dict of str to int
        "none" counts features without geometry.
    invalid : int
    crs, unit : str or None
    crs_error : str or None
        Why what the file says of its CRS cannot be used.
    bounds : tuple of float or None
        xmin, ymin, xmax, ymax.
    columns : dict of str to str
        Names and types.
    id_columns, score_columns : list of str
        Columns that look like identifiers and confidences.
    """

    name: str
    features: int
    geometry_types: dict[str, int]
    invalid: int
    crs: str | None
    unit: str | None
    crs_error: str | None
    bounds: tuple[float, float, float, float] | None
    columns: dict[str, str]
    id_columns: list[str]
    score_columns: list[str]


def describe(path: str | os.PathLike[str]) -> list[LayerInfo]:
    """Read a file through and say what its layers hold.

    Raises
    ------
    ReadError
        The file cannot be read.
    """
    return [_describe_layer(Path(path), name) for name in layer_names(path)]


def _describe_layer(place: Path, layer: str | None) -> LayerInfo:
    source = open_source(place, layer=layer)
    kinds: Counter[str] = Counter()
    features = invalid = 0
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for batch in source.batches(()):
        features += len(batch.geometry)
        present = batch.geometry[~shapely.is_missing(batch.geometry)]
        kinds.update(shape.geom_type for shape in present)
        kinds["none"] += len(batch.geometry) - len(present)
        invalid += int((~shapely.is_valid(present)).sum())
        points = shapely.get_coordinates(present)
        points = points[np.isfinite(points).all(axis=1)]
        if len(points):
            low, high = np.minimum(low, points.min(axis=0)), np.maximum(high, points.max(axis=0))
    crs = source.crs
    return LayerInfo(
        name=layer or place.stem,
        features=features,
        geometry_types={kind: n for kind, n in kinds.items() if n},
        invalid=invalid,
        crs=None if crs is None else crs_name(crs),
        unit=None if crs is None else str(crs.axis_info[0].unit_name),
        crs_error=None if source.crs_error is None else source.crs_error.message,
        bounds=(
            (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
            if np.isfinite(low).all()
            else None
        ),
        columns=dict(source.columns),
        id_columns=[name for name in source.columns if name.lower() in _IDS],
        score_columns=[name for name in source.columns if name.lower() in _SCORES],
    )
