"""GeoDataFrames and GeoSeries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import geopandas as gpd
import numpy as np

from polygauge.io.formats import _source
from polygauge.io.formats._source import Batch, Source


def frame_source(frame: gpd.GeoDataFrame | gpd.GeoSeries) -> Source:
    """A GeoDataFrame or GeoSeries as a source."""
    name = f"<{type(frame).__name__}>"
    is_frame = isinstance(frame, gpd.GeoDataFrame)
    geometry = frame.geometry
    attributes = frame.drop(columns=geometry.name) if is_frame else None
    columns = {} if attributes is None else {str(k): str(v) for k, v in attributes.dtypes.items()}
    crs, crs_error = _source.file_crs(geometry.crs, name)

    def batches(names: Sequence[str]) -> Iterator[Batch]:
        for start in range(0, len(frame), _source.BATCH):
            rows = slice(start, start + _source.BATCH)
            shapes = np.asarray(geometry.array[rows], dtype=object)
            chosen = {name: frame[name].to_numpy()[rows] for name in names}
            yield Batch(shapes, np.zeros(len(shapes), dtype=bool), chosen)

    return Source(name, crs, columns, batches, crs_error)
