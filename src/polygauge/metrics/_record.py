"""What a metric *is*, as data, and how its public function is called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import shapely
from numpy.typing import ArrayLike

from polygauge.errors import OptionError, ShapeError
from polygauge.geometry import BoolArray, FloatArray, Pairs, Polygons

Kind = Literal["pair", "shape"]
Rings = Literal["all", "exterior"]
Unit = Literal["ratio", "length", "area", "degree", "count"]
Invariance = Literal[
    "start_vertex", "ring_direction", "translation", "rotation", "collinear_vertices"
]

RIGID: frozenset[Invariance] = frozenset(
    {"start_vertex", "ring_direction", "translation", "rotation"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """Everything the rest of the package knows of one metric.

    Attributes
    ----------
    name : str
        Field's name; also the public function, the column and the JSON key.
    title : str
        A few words for a table heading.
    kind : {"pair", "shape"}
        `pair`: reference and prediction in; `shape`: one geometry in.
    unit : {"ratio", "length", "area", "degree", "count"}
        `length` and `area` scale with the coordinates (CRS units); the others do not.
    best : float or None
        Value of a perfect pair; None where no value is best.
    bounds : tuple of float
        Smallest and largest possible value.
    symmetric : bool
        Swapping the sides changes nothing.
    invariant_to : frozenset of str
        What leaves the value as it is.
    equation, source : str
        The formula in plain text, and where it was published.
    compute : callable
        `compute(pairs, **parameters)` for a pair metric, `compute(polygons, **parameters)` for a
        shape metric; a float64 value a row, NaN where the formula is undefined.
    function : callable
        The public function.
    parameters : tuple of str
        Run parameters that `compute` takes by name, for example ("width",).
    set_aside : callable or None
        In a run only: `set_aside(pairs, **parameters)` marks the rows that must not be judged by
        this metric, with `set_aside_reason` as the reason. The function itself always computes.
    """

    name: str
    title: str
    kind: Kind
    unit: Unit
    best: float | None
    bounds: tuple[float, float]
    symmetric: bool
    invariant_to: frozenset[Invariance]
    equation: str
    source: str
    compute: Callable[..., FloatArray]
    function: Callable[..., Any]
    parameters: tuple[str, ...] = ()
    set_aside: Callable[..., BoolArray] | None = None
    set_aside_reason: str = ""

    @property
    def higher_is_better(self) -> bool:
        """Whether a larger value is a better one; meaningful where `best` is not None."""
        return self.best == self.bounds[1]


def check_length(name: str, value: float) -> float:
    """The value, if it is a length above 0.

    Raises
    ------
    OptionError
        It is not.
    """
    if not (np.isfinite(value) and value > 0):
        raise OptionError(f"{name} is {value}", hint="give a length above 0, in CRS units")
    return float(value)


def check_factor(name: str, value: float) -> float:
    """The value, if it is a number above 0.

    Raises
    ------
    OptionError
        It is not.
    """
    if not (np.isfinite(value) and value > 0):
        raise OptionError(f"{name} is {value}", hint="give a number above 0")
    return float(value)


def check_angle(name: str, value: float, *, below: float) -> float:
    """The value, if it is an angle from 0 up to, but not including, `below` degrees.

    Raises
    ------
    OptionError
        It is not.
    """
    if not 0 <= value < below:
        raise OptionError(
            f"{name} is {value}", hint=f"give an angle from 0 to below {below:g} degrees"
        )
    return float(value)


def measure_pairs(
    compute: Callable[..., FloatArray],
    reference: ArrayLike,
    prediction: ArrayLike,
    rings: Rings = "all",
    **parameters: Any,
) -> Any:
    """Value of a pair metric on shapely geometries, single or in arrays of one length.

    NaN where either side is missing, empty or invalid. Two single geometries give a float.

    Raises
    ------
    OptionError
        `rings` is neither "all" nor "exterior", which fills the holes of both sides first.
    """
    _check_rings(rings)
    a, b = np.asarray(reference, dtype=object), np.asarray(prediction, dtype=object)
    if a.ndim > 1 or b.ndim > 1 or (a.ndim == b.ndim == 1 and len(a) != len(b)):
        raise ShapeError(
            f"reference has shape {a.shape}, prediction has shape {b.shape}",
            hint="give two geometries, two columns of one length, or a geometry and a column",
        )
    scalar = a.ndim == b.ndim == 0
    a, b = np.broadcast_arrays(np.atleast_1d(a), np.atleast_1d(b))
    usable = _usable(a) & _usable(b)
    out = np.full(len(a), np.nan)
    sides = (_polygons(side[usable], rings) for side in (a, b))
    out[usable] = compute(Pairs.row_by_row(*sides), **parameters)
    return float(out[0]) if scalar else out


def measure_shapes(
    compute: Callable[..., FloatArray],
    geometries: ArrayLike,
    rings: Rings = "all",
    **parameters: Any,
) -> Any:
    """Value of a shape metric on one shapely geometry or an array of them; all as for pairs."""
    _check_rings(rings)
    array = np.asarray(geometries, dtype=object)
    if array.ndim > 1:
        raise ShapeError(
            f"geometries have shape {array.shape}", hint="give one geometry or a column of them"
        )
    column = np.atleast_1d(array)
    usable = _usable(column)
    out = np.full(len(column), np.nan)
    out[usable] = compute(_polygons(column[usable], rings), **parameters)
    return float(out[0]) if array.ndim == 0 else out


def _check_rings(rings: str) -> None:
    if rings not in ("all", "exterior"):
        raise OptionError(f"rings is {rings!r}", hint="give 'all' or 'exterior'")


def _polygons(geometries: np.ndarray[Any, Any], rings: Rings) -> Polygons:
    polygons = Polygons.from_shapely(geometries)
    return polygons.filled() if rings == "exterior" else polygons


def _usable(geometries: np.ndarray[Any, Any]) -> BoolArray:
    """Present, not empty and valid; a wrong type passes, so that it is refused by name later."""
    usable: BoolArray = shapely.is_valid(geometries) & ~shapely.is_empty(geometries)
    return usable
