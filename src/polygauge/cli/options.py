"""Every option, declared once; a letter means one thing everywhere."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from polygauge.errors import OptionError, ReadError

F = TypeVar("F", bound=Callable[..., Any])


def _read_config(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Take defaults from a config file; the command line still wins."""
    if value is None:
        return None
    try:
        config = tomllib.loads(Path(value).read_text("utf-8"))
    except OSError as error:
        raise ReadError(
            f"cannot read {value}: {error.strerror}", hint="pass a run's config.toml"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ReadError(f"{value} is not TOML: {error}", hint="pass a run's config.toml") from error
    names = {p.name for p in ctx.command.params}
    unknown = sorted(set(config) - names)
    if unknown:
        raise OptionError(
            f"{value} has unknown keys: {', '.join(unknown)}",
            hint=f"known: {', '.join(sorted(n for n in names if n))}",
        )
    ctx.default_map = config
    return value


class CommaList(click.ParamType[tuple[Any, ...]]):
    """Values separated by commas, `a,b,c`; a list from a config file passes through."""

    def __init__(self, kind: type[str] | type[float] | type[int]) -> None:
        self.kind = kind
        self.name = "LIST"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Any, ...]:
        """The values as a tuple."""
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        try:
            return tuple(self.kind(part) for part in value)
        except (TypeError, ValueError):
            self.fail(f"{value!r} is not a list such as a,b,c of {self.kind.__name__}", param, ctx)


NAMES, NUMBERS, COUNTS = CommaList(str), CommaList(float), CommaList(int)
PATH = click.Path(path_type=str)

config = click.option(
    "--config", type=PATH, is_eager=True, callback=_read_config, expose_value=False,
    help="Take options from a config.toml that a run wrote; the command line wins.",
)  # fmt: skip
output = click.option("-o", "--output", type=PATH, help="Run folder to write.")
overwrite = click.option("--overwrite", is_flag=True, help="Replace an earlier result.")
quiet = click.option("-q", "--quiet", is_flag=True, help="Only errors on standard error.")
verbose = click.option("-v", "--verbose", is_flag=True, help="Also notes and policies.")
show_traceback = click.option(
    "--traceback", is_flag=True, expose_value=False, help="Show where an error came from."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")

_invalid = click.option(
    "--invalid", type=click.Choice(["repair", "drop", "fail"]), default="repair",
    show_default=True, help="What is done with invalid geometry.",
)  # fmt: skip

_COCO = (
    click.option(
        "--nested-rings", "nested", type=click.Choice(["union", "holes"]), default="union",
        show_default=True,
        help="A ring inside another of one annotation: adds nothing, as in COCO, or is a hole.",
    ),
    click.option(
        "--boxes", type=click.Choice(["skip", "polygon"]), default="skip", show_default=True,
        help="An annotation without usable polygon: has none, or its bbox is taken as one.",
    ),
)  # fmt: skip


_EVALUATION = (
    click.option("--suite", default="footprints", show_default=True, help="Named recipe."),
    click.option("--metrics", type=NAMES, help="Metrics, as iou,polis; the suite's without."),
    click.option(
        "--match", "--matching", "match", type=click.Choice(["optimal", "greedy", "best"]),
        help="Matching rule; best lets a prediction serve several.",
    ),
    click.option("--threshold", type=float, help="Smallest IoU of a one-to-one match."),
    click.option("--thresholds", type=NUMBERS, help="More IoU thresholds to count at, as .5,.75."),
    click.option(
        "--group-share", type=float, help="Share of the smaller feature that relates two features."
    ),
    click.option("--gsd", type=float, help="Metres a pixel; the boundary width is 3 pixels."),
    click.option("--width", type=float, help="Boundary width in metres; overrides --gsd."),
    click.option(
        "--spacing", type=float, default=0.1, show_default=True, help="Between boundary samples, m."
    ),
    click.option(
        "--tolerance", type=float, help="How near boundaries must be to agree, m; 3 pixels without."
    ),
    click.option(
        "--strata", type=NAMES, default="", help="Reference columns to summarise by; area for size."
    ),
    click.option(
        "--area-classes", default="50,200,1000", show_default=True,
        help="Limits in m2, or quantile:4.",
    ),
    click.option("--reference-layer", help="Layer of the reference file."),
    click.option("--prediction-layer", help="Layer of the prediction file."),
    click.option("--id", help="Identifier column on both sides; else the row number from 0."),
    click.option("--reference-id", help="Identifier column of the reference."),
    click.option("--prediction-id", help="Identifier column of the prediction."),
    click.option("--score", help="Column of the predictions' confidences."),
    click.option("--tile", help="Tile or image column; features of different tiles never meet."),
    click.option("--geometry", help="Geometry column of a CSV or Parquet file."),
    click.option("--reference-crs", help="What the reference is in, if the file is wrong."),
    click.option("--prediction-crs", help="The same for the prediction; planar for no CRS."),
    click.option("--crs", help="CRS to measure in: projected, in metres."),
    click.option("--aoi", type=PATH, help="Area of interest; nothing outside is judged."),
    click.option("--ignore", type=PATH, help="Regions in which neither side is judged."),
    click.option(
        "--min-area", type=float, default=0.0, show_default=True, help="Set smaller ones aside, m2."
    ),
    click.option(
        "--edge-objects", type=click.Choice(["count", "ignore"]), default="count",
        show_default=True, help="Features cut by the edge: count if half inside, or set aside.",
    ),
    _invalid,
    *_COCO,
    click.option(
        "--max-detections", type=COUNTS, help="COCO: predictions an image that count, as 1,10,100."
    ),
    click.option("--explode", is_flag=True, help="Parts of multipolygons become features."),
    click.option(
        "--rings", type=click.Choice(["all", "exterior", "as-stored"]), default="all",
        show_default=True,
        help="All holes; none, filled on both sides; or along COCO rings as stored.",
    ),
    click.option(
        "--exterior-only", "rings", flag_value="exterior", help="The same as --rings exterior."
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of the intervals."),
    click.option("-j", "--jobs", type=int, help="Threads; all cores without it."),
)  # fmt: skip


def coco_options(command: F) -> F:
    """The options of `polygauge.io.coco.CocoOptions`, by the same names."""
    for option in reversed((_invalid, *_COCO)):
        command = option(command)
    return command


def evaluation_options(command: F) -> F:
    """The options of `polygauge.pipeline.Options`, by the same names."""
    for option in reversed(_EVALUATION):
        command = option(command)
    return command
