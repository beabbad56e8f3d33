"""A picture a metric: the same two outlines, and over them what the metric looks at."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import numpy as np
import shapely
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from shapely import Point, Polygon
from shapely.affinity import translate

from polygauge.metrics import METRICS

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "polygauge"

REFERENCE = Polygon([(0, 0), (12, 0), (12, 6), (6, 6), (6, 10), (0, 10)])
PREDICTION = Polygon(
    [(1.2, 0.7), (12.6, 0.2), (13, 6.2), (7.1, 6.9), (6.6, 9.6), (3.4, 10.9), (0.9, 9.2)]
)
DARK, ORANGE, BLUE, GREEN = "#1b1f24", "#d55e00", "#0072b2", "#009e73"


def fill(axes: Axes, shape: shapely.Geometry, color: str, alpha: float = 0.3) -> None:
    """Fill a polygonal shape, holes left out."""
    for part in shapely.get_parts(shape):
        if part.geom_type == "Polygon":
            rings = [np.asarray(r.coords) for r in (part.exterior, *part.interiors)]
            codes = [[1] + [2] * (len(r) - 2) + [79] for r in rings]
            path = mpl.path.Path(np.vstack(rings), np.concatenate(codes))
            axes.add_patch(mpl.patches.PathPatch(path, facecolor=color, alpha=alpha, lw=0))


def segments(axes: Axes, ends: list[tuple[Point, Point]], color: str = BLUE) -> None:
    """Lines between pairs of points."""
    for a, b in ends:
        axes.plot([a.x, b.x], [a.y, b.y], color=color, lw=1.2)


def dots(axes: Axes, points: np.ndarray, color: str, size: float = 5) -> None:
    """Points as dots."""
    axes.plot(points[:, 0], points[:, 1], "o", color=color, ms=size)


def corners(shape: Polygon) -> np.ndarray:
    """Vertices of an outline."""
    return np.asarray(shape.exterior.coords)[:-1]


def nearest(point: Point, shape: Polygon) -> Point:
    """Nearest point on an outline."""
    return shapely.get_point(shapely.shortest_line(point, shape.exterior), 1)


def areas(axes: Axes) -> None:
    """What is shared, what only one side has."""
    fill(axes, REFERENCE & PREDICTION, BLUE, 0.45)
    fill(axes, REFERENCE ^ PREDICTION, BLUE, 0.12)


def hull(axes: Axes) -> None:
    """The areas and the convex hull of both."""
    areas(axes)
    outline = shapely.union(REFERENCE, PREDICTION).convex_hull
    axes.plot(*outline.exterior.xy, color=BLUE, lw=1.2, ls=":")


def centres(axes: Axes) -> None:
    """The areas, and the line between the centroids."""
    areas(axes)
    segments(axes, [(REFERENCE.centroid, PREDICTION.centroid)])


def bands(inside: bool) -> Callable[[Axes], None]:
    """Both boundary regions."""

    def draw(axes: Axes) -> None:
        for shape, color in ((REFERENCE, DARK), (PREDICTION, ORANGE)):
            region = shape.exterior.buffer(0.9)
            fill(axes, region & shape if inside else region, color, 0.22)

    return draw


def vertex_distances(axes: Axes) -> None:
    """Every vertex joined to the nearest point of the other outline."""
    for shape, other in ((REFERENCE, PREDICTION), (PREDICTION, REFERENCE)):
        ends = [(Point(p), nearest(Point(p), other)) for p in corners(shape)]
        segments(axes, ends)
        dots(axes, corners(shape), DARK if shape is REFERENCE else ORANGE)


def samples(axes: Axes) -> None:
    """Points along both outlines, joined to the nearest point of the other."""
    for shape, other in ((REFERENCE, PREDICTION), (PREDICTION, REFERENCE)):
        line = shape.exterior
        points = [line.interpolate(d) for d in np.arange(0, line.length, 0.7)]
        segments(axes, [(p, nearest(p, other)) for p in points])
        dots(axes, np.array([(p.x, p.y) for p in points]), BLUE, 2.5)


def farthest(axes: Axes) -> None:
    """The one point that is farthest from the other outline."""
    found = []
    for shape, other in ((REFERENCE, PREDICTION), (PREDICTION, REFERENCE)):
        line = shape.exterior
        points = [line.interpolate(d) for d in np.arange(0, line.length, 0.01)]
        found += [(p.distance(other.exterior), p, nearest(p, other)) for p in points]
    _, point, foot = max(found, key=lambda item: item[0])
    segments(axes, [(point, foot)])
    dots(axes, np.array([(point.x, point.y)]), BLUE, 7)


def within(axes: Axes) -> None:
    """The parts of both outlines that lie within a tolerance of the other."""
    for shape, other in ((REFERENCE, PREDICTION), (PREDICTION, REFERENCE)):
        near = shape.exterior & other.exterior.buffer(0.8)
        for line in shapely.get_parts(near):
            axes.plot(*line.xy, color=GREEN, lw=4, alpha=0.6, solid_capstyle="butt")


def matching(axes: Axes) -> None:
    """The vertices of both outlines matched in order around them."""
    a, b = corners(REFERENCE), corners(PREDICTION)
    order = [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (5, 6)]
    segments(axes, [(Point(a[i]), Point(b[j])) for i, j in order])
    dots(axes, a, DARK)
    dots(axes, b, ORANGE)


def vertices(axes: Axes) -> None:
    """All vertices."""
    dots(axes, corners(REFERENCE), DARK, 7)
    dots(axes, corners(PREDICTION), ORANGE, 7)


def tolerance_circles(axes: Axes) -> None:
    """Corners of the reference with a tolerance around them."""
    for point in corners(REFERENCE):
        axes.add_patch(mpl.patches.Circle(point, 1.2, fc=GREEN, alpha=0.18))
    vertices(axes)


def tangents(axes: Axes) -> None:
    """Directions along the prediction and at the nearest place of the reference."""
    line = PREDICTION.exterior
    for d in np.arange(0.8, line.length, 3.0):
        for base, other in ((line, None), (REFERENCE.exterior, line.interpolate(d))):
            at = d if other is None else base.project(other)
            p, q = base.interpolate(at), base.interpolate(at + 1.4)
            color = ORANGE if other is None else DARK
            axes.annotate("", (q.x, q.y), (p.x, p.y),
                          arrowprops={"arrowstyle": "->", "color": color, "lw": 1.6})  # fmt: skip


def directions(axes: Axes) -> None:
    """Edges coloured by their direction modulo 90 degrees."""
    points = np.asarray(PREDICTION.exterior.coords)
    for p, q in pairwise(points):
        angle = np.degrees(np.arctan2(*(q - p)[::-1])) % 90
        color = mpl.colormaps["twilight"](angle / 90)
        axes.plot([p[0], q[0]], [p[1], q[1]], color=color, lw=4)


def shift(axes: Axes) -> None:
    """The prediction moved back, and the arrow of its displacement."""
    aligned = translate(PREDICTION, -0.85, -0.35)
    fill(axes, aligned, GREEN, 0.25)
    a, b = aligned.centroid, PREDICTION.centroid
    axes.annotate("", (b.x, b.y), (a.x, a.y), arrowprops={"arrowstyle": "->", "lw": 2})


def main_axes(axes: Axes) -> None:
    """Main direction of each side."""
    for shape, color, turn in ((REFERENCE, DARK, 0.0), (PREDICTION, ORANGE, 2.5)):
        c, (dx, dy) = (
            shape.centroid,
            5 * np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))]),
        )
        segments(axes, [(Point(c.x - dx, c.y - dy), Point(c.x + dx, c.y + dy))], color)


def circle(axes: Axes) -> None:
    """The circle of the same area."""
    c = PREDICTION.centroid
    radius = np.sqrt(PREDICTION.area / np.pi)
    axes.add_patch(mpl.patches.Circle((c.x, c.y), radius, fc="none", ec=BLUE, lw=1.4))


def rectangle(axes: Axes) -> None:
    """The smallest rectangle around it."""
    axes.plot(*PREDICTION.minimum_rotated_rectangle.exterior.xy, color=BLUE, lw=1.4)


def turning(axes: Axes) -> None:
    """How far each corner turns."""
    points = corners(PREDICTION)
    for k, p in enumerate(points):
        a, b = p - points[k - 1], points[(k + 1) % len(points)] - p
        angle = np.degrees(np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b))
        axes.annotate(f"{angle:.0f}°", p, p + np.array([0.2, 0.3]), fontsize=9, color=BLUE)
    dots(axes, points, ORANGE)


PICTURES: dict[str, Callable[[Axes], None]] = {
    "iou": areas, "dice": areas, "area_precision": areas, "area_recall": areas,
    "overlap_share": areas, "area_bias": areas, "ciou": areas, "giou": hull, "diou": centres,
    "boundary_iou": bands(False), "boundary_iou_inner": bands(True),
    "polis": vertex_distances, "polis_exterior": vertex_distances, "chamfer": samples,
    "assd": samples, "hausdorff": farthest, "hausdorff_sum": farthest, "hausdorff_exact": farthest,
    "hausdorff_percentile": farthest, "boundary_share": within, "boundary_share_reference": within,
    "boundary_share_prediction": within, "mpd_ep": matching, "mpd": matching, "mpd_eq10": matching,
    "frechet": matching, "vertex_ratio": vertices, "mta": tangents, "mta_p3": tangents,
    "line_dof": directions,
    "offset_x": shift, "offset_y": shift, "offset": shift, "iou_aligned": shift,
    "orientation_error": main_axes, "compactness": circle, "elongation": rectangle,
    "right_angle_share": turning, "jaggedness": turning, "corner_count": turning,
    "corner_precision": tolerance_circles, "corner_recall": tolerance_circles,
    "corner_f1": tolerance_circles,
    "polis_p3": vertex_distances, "chamfer_p3": samples, "hausdorff_p3": farthest,
    "vertex_ratio_p3": vertices, "ciou_p3": areas,
}  # fmt: skip


def write(folder: Path) -> None:
    """Draw the picture of every metric; a metric without one is an error."""
    folder.mkdir(exist_ok=True)
    for metric in METRICS:
        figure, axes = plt.subplots(figsize=(3.6, 3.1), layout="constrained")
        axes.plot(*REFERENCE.exterior.xy, color=DARK, lw=2)
        axes.plot(*PREDICTION.exterior.xy, color=ORANGE, lw=1.6, ls="--")
        PICTURES[metric.name](axes)
        axes.set_aspect("equal")
        axes.axis("off")
        figure.savefig(folder / f"{metric.name}.svg", metadata={"Date": None})
        plt.close(figure)
