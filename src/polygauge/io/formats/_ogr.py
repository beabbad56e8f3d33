"""What GDAL reads: GeoPackage, GeoJSON, Shapefile, FlatGeobuf and more."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyogrio

from polygauge.errors import LayerError, ReadError
from polygauge.io.formats import _source
from polygauge.io.formats._geojson import check_complete, unknown_crs
from polygauge.io.formats._parquet import parse_geometry
from polygauge.io.formats._source import Batch, Source, file_crs, make_batch, reading, to_numpy

_GEOJSON_DRIVERS = ("GeoJSON", "GeoJSONSeq")


def ogr_layers(place: Path) -> list[tuple[str, str]]:
    """Names and geometry types of the layers of an OGR file; "None" is a table without geometry."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = pyogrio.list_layers(place)
    if len(found) == 0:
        raise ReadError(
            f"{place} opens, but there is no layer in it", hint="it may be cut off; write it again"
        )
    return [(str(name), str(kind)) for name, kind in found]


def ogr_source(place: Path, layer: str | None) -> Source:
    """One layer of a file that GDAL reads."""
    layers = ogr_layers(place)
    chosen, notes = _choose_layer(place, layers, layer)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        info = pyogrio.read_info(place, layer=chosen)
    crs, crs_error = file_crs(info["crs"], place)
    if info["driver"] in _GEOJSON_DRIVERS and (unknown := unknown_crs(place)):
        crs, crs_error = None, unknown
    columns = dict(zip(map(str, info["fields"]), map(str, info["dtypes"]), strict=True))
    name = str(place) if len(layers) == 1 else f"{place} (layer {chosen})"

    def batches(names: Sequence[str]) -> Iterator[Batch]:
        count = 0
        with reading(place), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with pyogrio.open_arrow(
                place,
                layer=chosen,
                columns=list(names),
                batch_size=_source.BATCH,
                use_pyarrow=True,
            ) as (meta, reader):
                shape_column = meta["geometry_name"] or "wkb_geometry"
                for record in reader:
                    shapes = record.column(shape_column)
                    count += len(shapes)
                    yield make_batch(
                        parse_geometry(shapes, "WKB"),
                        np.asarray(shapes.is_null()),
                        {name: to_numpy(record.column(name)) for name in names},
                    )
            notes.extend(dict.fromkeys(f"{place}: {w.message}" for w in caught))
            if info["driver"] in _GEOJSON_DRIVERS:
                check_complete(place, info["driver"], count)

    return Source(name, crs, columns, batches, crs_error, notes)


def _choose_layer(
    place: Path, layers: list[tuple[str, str]], layer: str | None
) -> tuple[str, list[str]]:
    """The layer to read and what to say about the choice."""
    kinds = dict(layers)
    if layer is not None and layer not in kinds:
        raise LayerError(f"{place} has no layer {layer!r}", hint=f"its layers: {', '.join(kinds)}")
    if layer is not None and kinds[layer] == "None":
        raise LayerError(
            f"layer {layer!r} of {place} is a table without geometry",
            hint=f"its layers: {', '.join(kinds)}",
        )
    if layer is not None:
        return layer, []
    spatial = [name for name, kind in layers if kind != "None"]
    polygonal = [name for name in spatial if "Polygon" in kinds[name]]
    if not spatial:
        raise LayerError(
            f"{place} has no layer with geometry; its tables: {', '.join(kinds)}",
            hint="export the polygons again, with their geometry",
        )
    if len(layers) == 1:
        return spatial[0], []
    if len(spatial) == 1:
        return spatial[0], [f"{place}: took {spatial[0]!r}, the only layer with geometry"]
    if len(polygonal) == 1:
        return polygonal[0], [f"{place}: took {polygonal[0]!r}, the only layer of polygons"]
    raise LayerError(
        f"{place} has {len(spatial)} layers: {', '.join(spatial)}",
        hint="choose one with --reference-layer or --prediction-layer",
    )
