"""The files of a run folder, the same for every suite."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import tomli_w
from numpy.typing import NDArray

from polygauge.geometry import IntArray
from polygauge.io.geoparquet import PIECE, GeoParquetWriter, to_wkb
from polygauge.tables import (
    Detection,
    Features,
    Judged,
    Ledger,
    Matches,
    Measurements,
    Reason,
    Tiles,
)


def write_config(path: Path, config: dict[str, Any]) -> None:
    """The resolved options as TOML, which `--config` reads; what was not chosen is left out."""
    path.write_bytes(tomli_w.dumps({k: v for k, v in config.items() if v is not None}).encode())


def pair_columns(
    reference: Features, prediction: Features, matches: Matches, measurements: Measurements
) -> dict[str, NDArray[Any]]:
    """The columns of pairs.parquet by name, one row a related pair."""
    columns: dict[str, NDArray[Any]] = {
        "reference_id": reference.ids[matches.reference],
        "prediction_id": prediction.ids[matches.prediction],
        "reference_row": reference.rows[matches.reference],
        "prediction_row": prediction.rows[matches.prediction],
        "group": matches.group,
        "relation": matches.relation.astype(object),
        "one_to_one": matches.one_to_one,
        "group_iou": matches.group_iou,
        "inner_wall_length": matches.inner_walls,
        "intersection_area": matches.intersection,
        "iou": matches.iou,
    }
    columns |= measurements.values
    for name, reasons in measurements.reasons.items():
        texts = np.array(
            [measurements.reason_texts[name].get(reason) for reason in Reason], dtype=object
        )
        columns[f"{name}_reason"] = texts[reasons]
    return columns


def write_pairs(path: Path, columns: dict[str, NDArray[Any]]) -> None:
    """pairs.parquet."""
    arrays = {name: _column(values, name) for name, values in columns.items()}
    pq.write_table(pa.table(arrays), path, compression="zstd")


def write_tiles(path: Path, tiles: Tiles) -> None:
    """tiles.parquet: a row an image, a column a measure; null where undefined."""
    columns = {name: pa.array(values, from_pandas=True) for name, values in tiles.values.items()}
    names = pa.array(tiles.names, pa.string())
    pq.write_table(pa.table({"tile": names, **columns}), path, compression="zstd")


def write_ledger(path: Path, ledger: Ledger) -> None:
    """ledger.parquet: one row a feature that was repaired, skipped or set aside."""
    text = pa.string()
    pq.write_table(
        pa.table(
            {
                "side": pa.array(ledger.side, text),
                "id": pa.array([None if x is None else str(x) for x in ledger.id], text),
                "row": pa.array(ledger.row, pa.int64()),
                "what": pa.array(ledger.what, text),
                "where": pa.array(ledger.where, text),
                "action": pa.array(ledger.action, text),
            }
        ),
        path,
        compression="zstd",
    )


def write_features(
    path: Path,
    reference: Features,
    prediction: Features,
    matches: Matches,
    detection: Detection,
    measurements: Measurements,
) -> None:
    """features.parquet: every used feature of both sides, what became of it, its shape metrics."""
    id_type = pa.int64() if _integers(reference.ids, prediction.ids) else pa.string()
    schema = pa.schema(
        [
            ("side", pa.string()),
            ("id", id_type),
            ("row", pa.int64()),
            ("tile", pa.string()),
            ("score", pa.float64()),
            ("status", pa.string()),
            ("relation", pa.string()),
            ("group", pa.int64()),
            ("area", pa.float64()),
            *((name, pa.float64()) for name in measurements.shapes["reference"]),
        ]
    )
    with GeoParquetWriter(path, schema, reference.crs) as writer:
        for features in (reference, prediction):
            status, relation, group = feature_fates(features, matches, detection)
            for start in range(0, len(features), PIECE):
                rows = np.arange(start, min(start + PIECE, len(features)))
                polygons = features.polygons.take(rows)
                writer.write(
                    [
                        pa.array([features.side] * len(rows)),
                        _ids(features.ids[rows], id_type),
                        pa.array(features.rows[rows]),
                        _tiles(features, rows),
                        pa.nulls(len(rows), pa.float64())
                        if features.scores is None
                        else pa.array(features.scores[rows], from_pandas=True),
                        pa.array(status[rows], pa.string()),
                        pa.array(relation[rows], pa.string()),
                        pa.array(group[rows], mask=group[rows] < 0),
                        pa.array(polygons.areas),
                        *(
                            pa.array(values[rows], from_pandas=True)
                            for values in measurements.shapes[features.side].values()
                        ),
                    ],
                    to_wkb(polygons),
                )


def feature_fates(
    features: Features, matches: Matches, detection: Detection
) -> tuple[NDArray[np.object_], NDArray[np.object_], IntArray]:
    """Status, relation and group of each feature.

    Status: matched, missed or extra, excused, or why it is set aside. Relation: that of its group;
    missed or extra where it has none; None where it has neither. Group: -1 where it has none.
    """
    status = _status(features, detection)
    relation = status.copy()
    relation[(status != "missed") & (status != "extra")] = None
    group = np.full(len(features), -1, dtype=np.int64)
    members = matches.reference if features.side == "reference" else matches.prediction
    grouped = matches.group >= 0
    group[members[grouped]] = matches.group[grouped]
    relation[members[grouped]] = matches.relation[grouped]
    return status, relation, group


def _status(features: Features, detection: Detection) -> NDArray[np.object_]:
    words = np.array([code.text for code in Judged], dtype=object)
    status = words[features.judged]
    if features.side == "reference":
        status[detection.missed] = "missed"
        status[detection.reference] = "matched"
    else:
        status[detection.excused & features.counts] = "excused"
        status[detection.extra] = "extra"
        status[detection.prediction] = "matched"
    return status


def _integers(*columns: NDArray[Any]) -> bool:
    return all(np.issubdtype(column.dtype, np.integer) for column in columns)


def _ids(ids: NDArray[Any], kind: pa.DataType) -> pa.Array:
    if pa.types.is_integer(kind):
        return pa.array(ids)
    return pa.array([None if x is None else str(x) for x in ids], kind)


def _tiles(features: Features, rows: IntArray) -> pa.Array:
    if features.tiles is None:
        return pa.nulls(len(rows), pa.string())
    return pa.array(np.array(features.tile_names, dtype=object)[features.tiles[rows]], pa.string())


def _column(values: NDArray[Any], name: str) -> pa.Array:
    """An Arrow column; text is dictionary-encoded, ids that are no numbers are text."""
    if values.dtype == object or values.dtype.kind in "US":
        texts: Sequence[Any] = [None if x is None else str(x) for x in values]
        column = pa.array(texts, pa.string())
        return column if name.endswith("_id") else column.dictionary_encode()
    return pa.array(values)
