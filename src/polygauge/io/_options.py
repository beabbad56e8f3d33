"""How a layer is read, and how two layers are brought together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Invalid = Literal["repair", "drop", "fail"]
EdgeObjects = Literal["count", "ignore"]
Rings = Literal["all", "exterior"]

PLANAR = "planar"
"""Stands where a CRS is named, for coordinates in plain units without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How one side is read.

    Attributes
    ----------
    layer : str or None
        Layer of a file that has several.
    id, score, tile : str or None
        Columns of identifiers, confidences and tiles.
    geometry : str or None
        Geometry column of a CSV or Parquet file.
    columns : tuple of str
        Further columns to keep.
    crs : str or None
        What the coordinates are in, overriding the file; "planar" for plain units.
    invalid : {"repair", "drop", "fail"}
        What is done with invalid geometry.
    explode : bool
        Parts of multipolygons become features; part k of feature 7 gets the id "7.k".
    """

    layer: str | None = None
    id: str | None = None
    score: str | None = None
    tile: str | None = None
    geometry: str | None = None
    columns: tuple[str, ...] = ()
    crs: str | None = None
    invalid: Invalid = "repair"
    explode: bool = False

    @property
    def wanted(self) -> tuple[str, ...]:
        """All columns to read, each once."""
        named = (self.id, self.score, self.tile, *self.columns)
        return tuple(dict.fromkeys(name for name in named if name is not None))


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameOptions:
    """How two layers are brought together.

    Attributes
    ----------
    crs : str or None
        CRS to measure in; chosen from the layers without it.
    aoi, ignore : path, GeoDataFrame, GeoSeries, shapely geometry, or None
        Area of interest; regions in which nothing is judged. A bare shapely geometry is in the
        reference's CRS.
    min_area : float
        Smaller features are set aside, squared CRS units.
    edge_objects : {"count", "ignore"}
        Features cut by the edge of the area of interest count when at least half inside, or are
        set aside.
    rings : {"all", "exterior"}
        "exterior" fills every hole on both sides before anything is measured.
    """

    crs: str | None = None
    rings: Rings = "all"
    aoi: Any = None
    ignore: Any = None
    min_area: float = 0.0
    edge_objects: EdgeObjects = "count"
