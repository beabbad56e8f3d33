"""The page on what alpha, beta and the denominator do to MPD, measured on made-up masks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
import shapely
from matplotlib import pyplot as plt
from shapely import Polygon

import polygauge as pg
from polygauge.dataset import Faults, make_town
from polygauge.geometry import FloatArray, Pairs, Polygons, edge_points

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "polygauge"

BUILDINGS, SEED, PIXEL = 200, 4, 0.5
ALPHAS, BETAS = (0.5, 1.0, 2.0, 4.0, 8.0), (0.25, 0.5, 1.0, 2.0, 4.0)
DARK, ORANGE, BLUE = "#1b1f24", "#d55e00", "#0072b2"


@dataclass(frozen=True)
class Outlines:
    """Buildings and outlines of their masks, row by row.

    Attributes
    ----------
    name : str
        How the masks were outlined.
    reference, prediction : ndarray of Polygon or MultiPolygon, shape (n,)
    """

    name: str
    reference: np.ndarray
    prediction: np.ndarray

    def mean(self, alpha: float, beta: float) -> float:
        """Mean of MPD."""
        return float(pg.mpd(self.reference, self.prediction, alpha=alpha, beta=beta).mean())

    def mean_eq10(self, alpha: float, beta: float) -> float:
        """Mean of the printed form."""
        return float(pg.mpd_eq10(self.reference, self.prediction, alpha=alpha, beta=beta).mean())

    def mean_ep(self) -> float:
        """Mean of MPD_EP."""
        return float(pg.mpd_ep(self.reference, self.prediction).mean())


def masks() -> tuple[Outlines, Outlines]:
    """The masks of a town, as their pixels lie, and simplified by a pixel."""
    none = dict.fromkeys(
        (
            "jitter_m", "missed", "moved", "jitter", "cut_corner", "missing_wing", "simplified",
            "merged_row", "extra_shed",
        ),
        0.0,
    )  # fmt: skip
    faults = Faults(**none, shift_m=(0.0, 0.0), staircase=1.0, pixel_m=PIXEL)
    town = make_town(BUILDINGS, seed=SEED, faults=faults)
    reference, stairs = town.reference.geometry.to_numpy(), town.prediction.geometry.to_numpy()
    return (
        Outlines("as the pixels lie", reference, stairs),
        Outlines("simplified by a pixel", reference, shapely.simplify(stairs, PIXEL)),
    )


def table(outlines: Outlines) -> str:
    """Mean MPD for every alpha and beta."""
    head = "| alpha | " + " | ".join(f"beta {beta:g}" for beta in BETAS) + " |\n"
    rows = [
        f"| {alpha:g} | " + " | ".join(f"{outlines.mean(alpha, b):.3f}" for b in BETAS) + " |"
        for alpha in ALPHAS
    ]
    return head + "|---" * (len(BETAS) + 1) + "|\n" + "\n".join(rows) + "\n"


def denominators(both: tuple[Outlines, ...]) -> str:
    """Both denominators side by side, at the default alpha and beta."""
    rows = []
    for outlines in both:
        ours, theirs = outlines.mean(2, 1), outlines.mean_eq10(2, 1)
        pairs = Pairs.row_by_row(
            Polygons.from_shapely(outlines.reference), Polygons.from_shapely(outlines.prediction)
        )
        points = edge_points(pairs, 2.0, 1.0, None)
        counts: FloatArray = points.routes.fewer_vertices + points.counts
        differ = np.mean(counts != points.routes.counts)
        rows.append(
            f"| {outlines.name} | {outlines.mean_ep():.3f} | {ours:.3f} | {theirs:.3f} "
            f"| {100 * differ:.0f} % |"
        )
    return (
        "| outlines | MPD_EP | over k (`mpd`) | over min(q, r) + b (`mpd_eq10`) | rows where the "
        "denominators differ |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def draw(both: tuple[Outlines, ...], path: Path) -> None:
    """A building with its edge points, and the means over alpha and beta."""
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(10, 3.2), layout="constrained")
    stairs = both[0]
    turned = np.argmax([turn(shape) for shape in stairs.reference])
    shape, mask = stairs.reference[turned], stairs.prediction[turned]
    left.plot(*shape.exterior.xy, color=DARK, lw=2)
    left.plot(*mask.exterior.xy, color=ORANGE, lw=1.2)
    pairs = Pairs.row_by_row(Polygons.from_shapely([shape]), Polygons.from_shapely([mask]))
    points = edge_points(pairs, 2.0, 1.0, None)
    a = pairs.a.coordinates[points.routes.reference]
    b = pairs.b.coordinates[points.routes.prediction]
    for start, end, edge in zip(a, b, points.found, strict=True):
        if not edge:
            left.plot(*np.transpose([start, end]), color=BLUE, lw=0.8)
    left.set_aspect("equal")
    left.axis("off")
    left.set_title("matched vertices;\nthose without a line are edge points", fontsize=9)
    for outlines, style in zip(both, ("-o", "--s"), strict=True):
        means = [outlines.mean(alpha, 1.0) for alpha in ALPHAS]
        middle.plot(ALPHAS, means, style, ms=4, color=BLUE, label=outlines.name)
        means = [outlines.mean(2.0, beta) for beta in BETAS]
        right.plot(BETAS, means, style, ms=4, color=BLUE, label=outlines.name)
    for axes, name in ((middle, "alpha (beta 1)"), (right, "beta (alpha 2)")):
        axes.set_xscale("log", base=2)
        axes.set_xlabel(name)
        axes.set_ylabel("mean MPD, m")
        axes.set_ylim(bottom=0)
    middle.legend(fontsize=8)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def turn(shape: Polygon) -> float:
    """How far a building is turned off the pixels: 0 to 45 degrees; 0 for several parts."""
    if shape.geom_type != "Polygon":
        return 0.0
    x, y = np.diff(shape.exterior.coords, axis=0)[0]
    angle = np.degrees(np.arctan2(y, x)) % 90
    return float(min(angle, 90 - angle))


def write(page: Path, picture: Path) -> None:
    """Write the page and its figure, unless the page stands there already."""
    both = masks()
    text = f"""# Alpha, beta and the denominator of MPD

`mpd` matches the vertices of two outlines in order. Where one vertex is matched with several, one
of the several is an *edge point*, and measured to the edge, if it is farther than alpha times
MPD_EP from the vertex and nearer than beta times MPD_EP to an edge there. The paper has alpha 2 and
beta 1, and no code. What do other values do?

Here are {BUILDINGS} made-up buildings and their masks, of {PIXEL:g} m pixels, so that nothing is
wrong but the raster: `make_town({BUILDINGS}, seed={SEED})`, every building with the fault
`staircase` and no other. The numbers on this page are computed when it is built.

![MPD over alpha and beta]({picture.parent.name}/{picture.name})

Mean MPD in metres of the outlines as the pixels lie:

{table(both[0])}
and of the same masks simplified by a pixel:

{table(both[1])}
* A larger **alpha** asks edge points to be farther away, so there are fewer, and MPD never falls.
* A larger **beta** lets them be farther from the edge, so there are more, and MPD never rises.
* Without an edge point MPD is MPD_EP; it is never more.
* Both factors count in units of MPD_EP, so the worse an outline is, the farther its edge points may
  lie. `mpd(..., tolerance=...)` takes a length in place of beta.

The **denominator**, at alpha 2 and beta 1:

{denominators(both)}
The paper's eq. 10 divides by min(q, r) + b, q and r being the numbers of vertices and b that of the
edge points; `mpd` divides by the number k of the terms it adds up, which is the same only where
b = k - min(q, r). So values of the two forms, or of other factors, do not belong in one table.
"""
    if not page.exists() or page.read_text("utf-8") != text:
        page.write_text(text, encoding="utf-8")
        draw(both, picture)
    elif not picture.exists():
        draw(both, picture)
