"""Metrics, matching and reports that say how good polygons are.

    import polygauge as pg

    pg.iou(reference, prediction)              shapely geometries, or arrays of them
    pg.evaluate(reference_gdf, prediction_gdf) two layers: match, measure, summarise

Everything is imported on first use, so that importing polygauge costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from polygauge.api import *  # noqa: F403
    from polygauge.errors import *  # noqa: F403
    from polygauge.metrics import *  # noqa: F403

# Where each public name lives; a test holds this against the modules' own lists.
_PLACES = {
    "polygauge.api": ("Evaluation", "evaluate"),
    "polygauge.errors": (
        "CrsError",
        "GeometryError",
        "InputError",
        "LayerError",
        "MissingDependencyError",
        "OptionError",
        "OutputError",
        "PolygaugeError",
        "ReadError",
        "ShapeError",
    ),
    "polygauge.metrics": (
        "METRICS",
        "Metric",
        "area_bias",
        "area_precision",
        "area_recall",
        "assd",
        "boundary_iou",
        "boundary_iou_inner",
        "boundary_share",
        "boundary_share_prediction",
        "boundary_share_reference",
        "chamfer",
        "chamfer_p3",
        "ciou",
        "ciou_p3",
        "compactness",
        "corner_count",
        "corner_f1",
        "corner_precision",
        "corner_recall",
        "dice",
        "diou",
        "elongation",
        "frechet",
        "giou",
        "hausdorff",
        "hausdorff_p3",
        "hausdorff_exact",
        "hausdorff_percentile",
        "hausdorff_sum",
        "iou",
        "iou_aligned",
        "jaggedness",
        "line_dof",
        "mpd",
        "mpd_ep",
        "mpd_eq10",
        "mta",
        "mta_p3",
        "offset",
        "offset_x",
        "offset_y",
        "orientation_error",
        "overlap_share",
        "polis",
        "polis_p3",
        "polis_exterior",
        "right_angle_share",
        "vertex_ratio",
        "vertex_ratio_p3",
    ),
}
_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names}

__all__ = ["__version__", *sorted(_PLACE_OF)]  # noqa: F405, PLE0604


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("polygauge")
    if name not in _PLACE_OF:
        raise AttributeError(f"module 'polygauge' has no attribute {name!r}")
    return getattr(import_module(_PLACE_OF[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
