"""review.gpkg: what to look at, worst first, with a style that QGIS applies on opening."""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyogrio
from numpy.typing import NDArray

from polygauge.geometry import FloatArray, IntArray, Polygons
from polygauge.io.geoparquet import PIECE, to_wkb
from polygauge.tables import Detection, Features, Matches, Measurements

RULE = (
    "missed references and extra predictions first, largest first; then matched pairs, lowest IoU "
    "first"
)


@dataclass(frozen=True, slots=True, eq=False)
class ReviewList:
    """What to look at, in order: row numbers of the two sides (-1 where there is none)."""

    kind: NDArray[np.object_]
    reference: IntArray
    prediction: IntArray
    pair: IntArray

    def __len__(self) -> int:
        return len(self.kind)


def review_list(
    reference: Features, prediction: Features, matches: Matches, detection: Detection
) -> ReviewList:
    """Missed, extra and matched features, worst first (see `RULE`); ties by row."""
    missed, extra = np.flatnonzero(detection.missed), np.flatnonzero(detection.extra)
    pairs = np.flatnonzero(matches.one_to_one)
    none = np.full
    kind = np.repeat(
        np.array(["missed", "extra", "matched"], dtype=object),
        [len(missed), len(extra), len(pairs)],
    )
    refs = np.concatenate([missed, none(len(extra), -1), matches.reference[pairs]])
    preds = np.concatenate([none(len(missed), -1), extra, matches.prediction[pairs]])
    rows = np.concatenate([none(len(missed) + len(extra), -1), pairs])
    size: FloatArray = np.concatenate(
        [
            reference.polygons.areas[missed],
            prediction.polygons.areas[extra],
            reference.polygons.areas[matches.reference[pairs]],
        ]
    )
    iou = np.concatenate([none(len(missed) + len(extra), 0.0), matches.iou[pairs]])
    order = np.lexsort((np.arange(len(kind)), -size, iou))
    return ReviewList(kind[order], refs[order], preds[order], rows[order])


def write_review(
    path: Path,
    reference: Features,
    prediction: Features,
    matches: Matches,
    measurements: Measurements,
    detection: Detection,
) -> None:
    """Two layers of one order: `review` (the outline to judge) and `review_reference`.

    `review` holds the prediction's outline, or the reference's where it was missed;
    `review_reference` the reference outline of the matched ones, by the same `rank`.
    """
    items = review_list(reference, prediction, matches, detection)
    rank = np.arange(1, len(items) + 1)
    shown = np.where(items.kind == "missed", "reference", "prediction")
    relations = _relations(items, matches, (len(reference), len(prediction)))
    reasons = _reasons(items, matches, detection, relations)

    def review_rows(rows: IntArray) -> tuple[list[pa.Array], Polygons]:
        chosen = items.pair[rows]
        related = chosen >= 0
        columns = [
            pa.array(rank[rows]),
            pa.array(items.kind[rows], pa.string()),
            pa.array(reasons[rows], pa.string()),
            _texts(reference.ids, items.reference[rows]),
            _texts(prediction.ids, items.prediction[rows]),
        ]
        for values in measurements.values.values():
            column = np.full(len(rows), np.nan)
            column[related] = values[chosen[related]]
            columns.append(pa.array(column, mask=np.isnan(column)))
        return columns, _outlines(reference, prediction, items, rows, shown)

    def reference_rows(rows: IntArray) -> tuple[list[pa.Array], Polygons]:
        return (
            [pa.array(rank[rows]), _texts(reference.ids, items.reference[rows])],
            reference.polygons.take(items.reference[rows]),
        )

    names = ["rank", "kind", "reason", "reference_id", "prediction_id", *measurements.values]
    kinds = [pa.int64(), *[pa.string()] * 4, *[pa.float64()] * len(measurements.values)]
    everything = np.arange(len(items))
    _write_layer(path, "review", names, kinds, everything, review_rows, reference.crs)
    matched = np.flatnonzero(items.kind == "matched")
    _write_layer(
        path,
        "review_reference",
        ["rank", "reference_id"],
        [pa.int64(), pa.string()],
        matched,
        reference_rows,
        reference.crs,
    )
    _add_styles(path)


def _reasons(
    items: ReviewList, matches: Matches, detection: Detection, relations: NDArray[np.object_]
) -> NDArray[np.object_]:
    """Why each item is on the list, in words."""
    reached = f"{detection.threshold:g}"
    text = np.where(
        items.kind == "missed",
        f"no prediction reaches IoU {reached}",
        f"reaches IoU {reached} with no free reference",
    ).astype(object)
    matched = items.kind == "matched"
    text[matched] = [f"IoU {x:.3f}" for x in matches.iou[items.pair[matched]]]
    words: NDArray[np.object_] = text + relations
    return words


def _relations(items: ReviewList, matches: Matches, counts: tuple[int, int]) -> NDArray[np.object_]:
    """What the group of each item adds to its reason; "" for a plain pair or none."""
    words = {"n:1": "; merged with its neighbours", "1:n": "; split", "n:m": "; in a tangle"}
    of_pair = np.array([words.get(r, "") for r in matches.relation.tolist()], dtype=object)
    of_reference, of_prediction = (np.full(n + 1, "", dtype=object) for n in counts)
    of_reference[matches.reference] = of_pair
    of_prediction[matches.prediction] = of_pair
    # The last entry, reached by row -1, stays empty: an item without that side.
    words_of_items: NDArray[np.object_] = np.where(
        items.kind == "extra", of_prediction[items.prediction], of_reference[items.reference]
    )
    return words_of_items


def _outlines(
    reference: Features,
    prediction: Features,
    items: ReviewList,
    rows: IntArray,
    shown: NDArray[Any],
) -> Polygons:
    """Outline of each row, taken from the side it is shown from."""
    from_reference = shown[rows] == "reference"
    both = Polygons.concatenate(
        [
            reference.polygons.take(items.reference[rows[from_reference]]),
            prediction.polygons.take(items.prediction[rows[~from_reference]]),
        ]
    )
    place = np.empty(len(rows), dtype=np.int64)
    place[from_reference] = np.arange(from_reference.sum())
    place[~from_reference] = from_reference.sum() + np.arange((~from_reference).sum())
    return both.take(place)


def _texts(ids: NDArray[Any], rows: IntArray) -> pa.Array:
    return pa.array([None if row < 0 else str(ids[row]) for row in rows], pa.string())


def _write_layer(
    path: Path,
    layer: str,
    names: list[str],
    kinds: list[pa.DataType],
    rows: IntArray,
    make: Any,
    crs: str | None,
) -> None:
    """Stream the rows to one layer, a piece at a time."""
    schema = pa.schema([*zip(names, kinds, strict=True), ("geometry", pa.binary())])

    def batches() -> Iterator[pa.RecordBatch]:
        for start in range(0, len(rows), PIECE):
            columns, polygons = make(rows[start : start + PIECE])
            yield pa.record_batch([*columns, to_wkb(polygons)], schema=schema)

    with warnings.catch_warnings():
        # Planar coordinates have no CRS to give; the file then says "undefined".
        warnings.filterwarnings("ignore", message=".*crs.* was not provided", category=UserWarning)
        pyogrio.write_arrow(
            pa.RecordBatchReader.from_batches(schema, batches()),
            path,
            layer=layer,
            driver="GPKG",
            geometry_name="geometry",
            geometry_type="Unknown",
            crs=crs,
            append=path.exists(),
        )


def _add_styles(path: Path) -> None:
    """The table in which QGIS looks for a layer's default style."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "CREATE TABLE layer_styles (id INTEGER PRIMARY KEY AUTOINCREMENT, "
            "f_table_catalog TEXT(256), f_table_schema TEXT(256), f_table_name TEXT(256), "
            "f_geometry_column TEXT(256), styleName TEXT(30), styleQML TEXT, styleSLD TEXT, "
            "useAsDefault BOOLEAN, description TEXT, owner TEXT(30), ui TEXT(30), "
            "update_time DATETIME DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')))"
        )
        database.execute(
            "INSERT INTO gpkg_contents (table_name, data_type, identifier) "
            "VALUES ('layer_styles', 'attributes', 'layer_styles')"
        )
        for layer in ("review", "review_reference"):
            style = resources.files("polygauge.io").joinpath(f"{layer}.qml").read_text("utf-8")
            database.execute(
                "INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name, "
                "f_geometry_column, styleName, styleQML, styleSLD, useAsDefault, description, "
                "owner) VALUES ('', '', ?, 'geometry', ?, ?, '', 1, ?, '')",
                (layer, layer, style, RULE),
            )
