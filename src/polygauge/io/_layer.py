"""One side as it was read: valid polygons in their own coordinates, and everything said of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pyproj
import shapely
from numpy.typing import NDArray

from polygauge.errors import CrsError, GeometryError, LayerError
from polygauge.geometry import FloatArray, IntArray, Polygons
from polygauge.io._admit import Admitted, admit
from polygauge.io._ledger import Event
from polygauge.io._options import PLANAR, ReadOptions
from polygauge.io.formats import Source, frame_source, is_scalar_column, open_source, parse_crs
from polygauge.tables import Side

# A longitude or latitude may exceed its range by rounding, not by more.
_DEGREE_SLACK = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One side in its own coordinates.

    Attributes
    ----------
    side : {"reference", "prediction"}
    name : str
        Where it comes from.
    polygons : Polygons
        The usable features.
    ids : ndarray, shape (n,)
    rows : ndarray of int64, shape (n,)
    attributes : dict of str to ndarray, shape (n,)
        All columns that were read.
    scores : ndarray of float64, shape (n,), or None
        Confidences, NaN where there is none.
    options : ReadOptions
    crs : pyproj.CRS or None
        None for planar coordinates.
    events : list of Event
    counts : dict
    notes, warnings : list of str
    """

    side: Side
    name: str
    polygons: Polygons
    ids: NDArray[Any]
    rows: IntArray
    attributes: dict[str, NDArray[Any]]
    scores: FloatArray | None
    options: ReadOptions
    crs: pyproj.CRS | None
    planar: bool
    events: list[Event] = field(default_factory=list)
    counts: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.polygons)

    @property
    def bounds(self) -> tuple[float, float, float, float] | None:
        """Box around everything, in the layer's own coordinates; None where it is empty."""
        if len(self) == 0:
            return None
        boxes = self.polygons.boxes
        low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def read_layer(
    path: str | os.PathLike[str], side: Side, options: ReadOptions | None = None
) -> Layer:
    """Read one side from a file.

    Raises
    ------
    ReadError
        The file cannot be read.
    LayerError
        The layer or a column does not exist, or there is no polygon in it.
    CrsError
        The coordinates cannot be in the CRS they are said to be in.
    GeometryError
        A geometry is invalid and that is not allowed.
    """
    chosen = options or ReadOptions()
    source = open_source(path, layer=chosen.layer, geometry=chosen.geometry)
    return collect(source, side, chosen)


def layer_from_frame(
    frame: gpd.GeoDataFrame | gpd.GeoSeries, side: Side, options: ReadOptions | None = None
) -> Layer:
    """Take one side from a GeoDataFrame or GeoSeries, which is left as it is; errors as above."""
    return collect(frame_source(frame), side, options or ReadOptions())


def collect(source: Source, side: Side, options: ReadOptions) -> Layer:
    """Go through the batches of a source, keeping what can be measured."""
    if "" in options.wanted:
        raise LayerError(
            f"{side}: a column without a name was asked of {source.name}",
            hint=f"its columns: {', '.join(source.columns) or 'none'}",
        )
    missing = [name for name in options.wanted if name not in source.columns]
    if missing:
        raise LayerError(
            f"{side}: {source.name} has no column {missing[0]!r}",
            hint=f"its columns: {', '.join(source.columns) or 'none'}",
        )
    crs, planar = _resolve_crs(source, options)
    collector = _Collector(side, source.name, options)
    for batch in source.batches(options.wanted):
        for name, values in batch.columns.items():
            if not is_scalar_column(values):
                raise LayerError(
                    f"{side}: the column {name!r} of {source.name} holds lists or records, of type "
                    f"{source.columns[name]}",
                    hint="choose a column of numbers or text",
                )
        collector.add(batch.geometry, batch.unreadable, batch.columns)
    layer = collector.finish(crs, planar, list(source.notes))
    _check_degrees(layer)
    _suspect_degrees(layer)
    return layer


def _resolve_crs(source: Source, options: ReadOptions) -> tuple[pyproj.CRS | None, bool]:
    """The layer's CRS, and whether the caller says that there is none."""
    if options.crs is None:
        if source.crs_error is not None:
            raise source.crs_error
        return source.crs, False
    if options.crs == PLANAR:
        return None, True
    return parse_user_crs(options.crs), False


def parse_user_crs(text: str) -> pyproj.CRS:
    """A CRS that the caller named.

    Raises
    ------
    CrsError
        There is no such CRS.
    """
    crs = parse_crs(text)
    if crs is None:
        raise CrsError(f"{text!r} is no map CRS", hint="write it as EPSG:25832")
    return crs


def _check_degrees(layer: Layer) -> None:
    """Refuse coordinates that cannot be longitude and latitude though they are said to be."""
    bounds = layer.bounds
    if layer.crs is None or not layer.crs.is_geographic or bounds is None:
        return
    # 360 degrees of longitude are legitimate: some layers count from 0 to 360.
    if (
        bounds[0] < -180 - _DEGREE_SLACK
        or bounds[2] > 360 + _DEGREE_SLACK
        or bounds[1] < -90 - _DEGREE_SLACK
        or bounds[3] > 90 + _DEGREE_SLACK
    ):
        raise CrsError(
            f"{layer.side}: {layer.name} is said to be in {crs_name(layer.crs)} but bounds are "
            f"{format_bounds(bounds)}: looks projected",
            hint=f"pass what it is in with --{layer.side}-crs, as EPSG:25832, or planar for plain "
            "units",
        )


def _suspect_degrees(layer: Layer) -> None:
    """Warn of coordinates that look like longitude and latitude though they are said to be metres.

    Less than 400 m of a map, around the origin of its coordinates, is rare; a wrong label is not.
    """
    bounds = layer.bounds
    if layer.crs is None or not layer.crs.is_projected or bounds is None:
        return
    if bounds[0] >= -180 and bounds[2] <= 360 and bounds[1] >= -90 and bounds[3] <= 90:
        layer.warnings.append(
            f"{layer.side}: {layer.name} is said to be in {crs_name(layer.crs)} but bounds are "
            f"{format_bounds(bounds)}, which look like degrees; if they are, pass "
            f"--{layer.side}-crs EPSG:4326"
        )


def crs_name(crs: pyproj.CRS) -> str:
    """Short name of a CRS: its code where it has one."""
    authority = crs.to_authority(min_confidence=70)
    return ":".join(authority) if authority else str(crs.name)


def format_bounds(bounds: tuple[float, float, float, float]) -> str:
    """Bounds as x range, y range."""
    west, south, east, north = (f"{value:.10g}" for value in bounds)
    return f"{west}..{east}, {south}..{north}"


def plain_id(value: Any) -> Any:
    """An id as Python's own type."""
    return value.item() if isinstance(value, np.generic) else value


class _Collector:
    """Takes batches and keeps the ragged polygons, the columns and the counts."""

    def __init__(self, side: Side, name: str, options: ReadOptions) -> None:
        self.side, self.name, self.options = side, name, options
        self.read = self.polygonal = self.heights = self.invalid = 0
        self.pieces: list[Polygons] = []
        self.rows: list[IntArray] = []
        self.columns: dict[str, list[NDArray[Any]]] = {name: [] for name in options.wanted}
        self.parts: list[IntArray] = []
        self.events: list[Event] = []

    def add(
        self,
        geometry: NDArray[np.object_],
        unreadable: NDArray[np.bool_],
        columns: dict[str, NDArray[Any]],
    ) -> None:
        """Admit one batch."""
        ids = (
            columns[self.options.id]
            if self.options.id
            else np.arange(self.read, self.read + len(geometry))
        )
        admitted = self._admit(geometry, unreadable, ids)
        for finding in admitted.findings:
            self.events.append(
                Event(
                    self.side,
                    plain_id(ids[finding.row]),
                    self.read + finding.row,
                    finding.what,
                    finding.where,
                    finding.action,
                )
            )
        shapes, rows = admitted.shapes, admitted.rows
        if self.options.explode:
            shapes, index = shapely.get_parts(shapes, return_index=True)
            first = np.searchsorted(index, np.arange(len(rows)))
            number = np.arange(len(index)) - first[index]
            several = np.bincount(index, minlength=len(rows))[index] > 1
            self.parts.append(np.where(several, number, -1))
            rows = rows[index]
        self.pieces.append(Polygons.from_shapely(shapes))
        self.rows.append(rows + self.read)
        for name, values in columns.items():
            self.columns[name].append(values[rows])
        self.read += len(geometry)
        self.polygonal += admitted.polygonal
        self.heights += admitted.heights
        self.invalid += admitted.invalid

    def _admit(
        self, geometry: NDArray[np.object_], unreadable: NDArray[np.bool_], ids: NDArray[Any]
    ) -> Admitted:
        try:
            return admit(geometry, unreadable, self.options.invalid)
        except GeometryError as error:
            place, _, reason = error.message.partition(": ")
            raise GeometryError(
                f"{self.side}: feature {ids[int(place)]} of {self.name} is invalid: {reason}",
                hint=error.hint,
            ) from error

    def finish(self, crs: pyproj.CRS | None, planar: bool, notes: list[str]) -> Layer:
        """The layer of all batches."""
        rows = np.concatenate([np.empty(0, dtype=np.int64), *self.rows])
        attributes = {name: _join(values) for name, values in self.columns.items()}
        skipped = Counter(e.what for e in self.events if e.action == "skipped")
        if self.read and not self.polygonal and not len(rows):
            found = ", ".join(f"{n} {what}" for what, n in sorted(skipped.items()))
            raise LayerError(
                f"{self.side}: there is no polygon in {self.name}: {found}",
                hint="choose another layer; `polygauge info` lists them",
            )
        ids = self._ids(rows, attributes)
        score = self.options.score
        scores = None
        if score is not None:
            scores = _as_scores(attributes[score], f"{self.side}: {self.name}", score)
        repaired = Counter(e.what for e in self.events if e.action == "repaired")
        counts = {
            "read": self.read,
            "used": len(rows),
            "skipped": dict(sorted(skipped.items())),
            "repaired": dict(sorted(repaired.items())),
            "invalid": self.invalid,
            "z_dropped": self.heights,
            "polygons": self.polygonal,
        }
        layer = Layer(
            side=self.side,
            name=self.name,
            polygons=Polygons.concatenate(self.pieces),
            ids=ids,
            rows=rows,
            attributes=attributes,
            scores=scores,
            options=self.options,
            crs=crs,
            planar=planar,
            events=self.events,
            counts=counts,
            notes=notes,
        )
        _remark(layer)
        return layer

    def _ids(self, rows: IntArray, attributes: dict[str, NDArray[Any]]) -> NDArray[Any]:
        ids: NDArray[Any] = attributes[self.options.id] if self.options.id else rows
        if not self.options.explode:
            return ids
        part = np.concatenate([np.empty(0, dtype=np.int64), *self.parts])
        return np.array(
            [str(i) if p < 0 else f"{i}.{p}" for i, p in zip(ids.tolist(), part, strict=True)],
            dtype=object,
        )


def _as_scores(values: NDArray[Any], name: str, column: str) -> FloatArray:
    """A column as confidences, NaN where there is none."""
    try:
        return np.where(pd.isna(values), np.nan, values).astype(np.float64)
    except (TypeError, ValueError) as error:
        raise LayerError(
            f"{name}: the column {column!r} holds no numbers: {error}",
            hint="choose a column of confidences with --score",
        ) from error


def _join(pieces: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Pieces of one column; mixed types become objects rather than text."""
    if len({piece.dtype for piece in pieces}) > 1:
        pieces = [piece.astype(object) for piece in pieces]
    return np.concatenate(pieces) if pieces else np.empty(0, dtype=object)


def _remark(layer: Layer) -> None:
    """Say what a reader must know of the layer: broken geometry, doubtful ids."""
    counts, side = layer.counts, layer.side
    bridges = counts["repaired"].get("bridge to a hole", 0)
    adjective = "predicted" if side == "prediction" else side
    if bridges:
        layer.notes.append(
            f"{bridges} of {counts['polygons']} {adjective} polygons used a bridge to a hole; read "
            "as holes"
        )
    if counts["invalid"]:
        layer.warnings.append(_on_invalid(layer))
    _remark_scores(layer)
    if layer.options.tile is not None:
        absent = int(pd.isna(layer.attributes[layer.options.tile]).sum())
        if absent:
            layer.warnings.append(
                f"{absent} {side}s have no {layer.options.tile!r}; they share a tile of their own"
            )
    if layer.options.id is None:
        return
    ids = layer.ids.tolist()
    empty = int(pd.isna(layer.ids).sum())
    if empty:
        layer.warnings.append(f"{empty} {side}s have no {layer.options.id!r}")
    repeated = [(i, n) for i, n in Counter(ids).items() if n > 1 and i is not None]
    if repeated:
        layer.warnings.append(
            f"{side}: {len(repeated)} ids come more than once, such as {repeated[0][0]} "
            f"({repeated[0][1]} times); row numbers tell them apart"
        )


def _on_invalid(layer: Layer) -> str:
    """How many features were invalid, in what way, and what became of them."""
    found = [event for event in layer.events if event.where]  # invalid geometry has a place
    first = found[0]
    done = []
    for action in ("repaired", "skipped"):
        kinds = Counter(event.what for event in found if event.action == action)
        if kinds:
            named = ", ".join(f"{n} {what}" for what, n in kinds.most_common())
            done.append(f"{kinds.total()} {action} ({named})")
    return (
        f"{layer.counts['invalid']} of {layer.counts['polygons']} {layer.side}s invalid: "
        f"{', '.join(done)}; the first at {first.where} in feature {first.id}; see the ledger"
    )


def _remark_scores(layer: Layer) -> None:
    if layer.scores is None:
        return
    absent = int(np.isnan(layer.scores).sum())
    infinite = int(np.isinf(layer.scores).sum())
    column, side = layer.options.score, layer.side
    if absent:
        layer.warnings.append(
            f"{absent} of {len(layer)} {side}s have no score in {column!r}; they come last where "
            "the order of scores matters"
        )
    if infinite:
        layer.warnings.append(
            f"{infinite} of {len(layer)} {side}s have an infinite score in {column!r}; it is kept"
        )
