"""The whole evaluation as one Python call."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeGuard

import geopandas as gpd
import numpy as np
import pandas as pd

from polygauge.errors import LayerError
from polygauge.io import Layer, layer_from_frame, read_layer
from polygauge.io.coco import is_coco, read_coco
from polygauge.io.output import run_folder, to_json
from polygauge.io.review import write_review
from polygauge.io.run_folder import (
    feature_fates,
    pair_columns,
    write_config,
    write_features,
    write_ledger,
    write_pairs,
    write_tiles,
)
from polygauge.matching import Rule
from polygauge.pipeline import (
    DEFAULT_AREA_CLASSES,
    Options,
    Progress,
    Run,
    evaluate_coco,
    evaluate_layers,
)
from polygauge.reports import write_page
from polygauge.tables import Side, Summary

__all__ = ["Evaluation", "evaluate"]

SCHEMA = "polygauge.summary/1"

LayerLike: TypeAlias = gpd.GeoDataFrame | gpd.GeoSeries | str | os.PathLike[str]


def evaluate(
    reference: LayerLike,
    prediction: LayerLike,
    *,
    suite: str = "footprints",
    metrics: Sequence[str] | None = None,
    match: Rule | None = None,
    threshold: float | None = None,
    thresholds: Sequence[float] | None = None,
    group_share: float | None = None,
    gsd: float | None = None,
    width: float | None = None,
    spacing: float = 0.1,
    tolerance: float | None = None,
    strata: Sequence[str] = (),
    area_classes: str = DEFAULT_AREA_CLASSES,
    reference_layer: str | None = None,
    prediction_layer: str | None = None,
    id: str | None = None,
    reference_id: str | None = None,
    prediction_id: str | None = None,
    score: str | None = None,
    tile: str | None = None,
    geometry: str | None = None,
    reference_crs: str | None = None,
    prediction_crs: str | None = None,
    crs: str | None = None,
    aoi: Any = None,
    ignore: Any = None,
    min_area: float = 0.0,
    edge_objects: Literal["count", "ignore"] = "count",
    invalid: Literal["repair", "drop", "fail"] = "repair",
    explode: bool = False,
    rings: Literal["all", "exterior", "as-stored"] = "all",
    nested: Literal["union", "holes"] = "union",
    boxes: Literal["skip", "polygon"] = "skip",
    max_detections: Sequence[int] | None = None,
    seed: int = 0,
    jobs: int | None = None,
) -> Evaluation:
    """Compare two layers of polygons, or two COCO files: match, measure, count what is left.

    Parameters
    ----------
    reference, prediction : GeoDataFrame, GeoSeries or path
        The polygons judged against, and those judged. Any CRS; a geographic one is brought to a
        local one in metres, and the result says which. Or the paths of a COCO ground truth and of
        COCO results, compared image by image in pixels, or metres where the suite asks for them.
    suite : str
        Named recipe; the parameters below override it.
    metrics : sequence of str, optional
        Metrics to measure: of pairs, and of shapes on either side.
    match : {"optimal", "greedy", "best"}, optional
        Matching rule: one-to-one, or each reference with its best prediction.
    threshold : float, optional
        Smallest IoU of a one-to-one match.
    thresholds : sequence of float, optional
        Further IoU thresholds at which found, missed and extra are counted.
    group_share : float, optional
        Smallest share of the smaller feature that relates two features.
    gsd : float, optional
        Ground sampling distance in metres (pixels for planar coordinates); gives the boundary
        width, 3 pixels.
    width : float, optional
        Boundary width, CRS units; overrides `gsd`.
    spacing : float
        Distance between boundary samples, CRS units.
    tolerance : float, optional
        How near boundaries must be to agree, CRS units; 3 pixels without it.
    strata : sequence of str
        Columns of the reference to summarise by; "area" stands for classes of area.
    area_classes : str
        Rising limits in m2, "50,200,1000", or "quantile:4".
    reference_layer, prediction_layer : str, optional
        Layer of a file that has several.
    id, reference_id, prediction_id : str, optional
        Column of identifiers, on both sides or on one; the row number from 0 without it.
    score : str, optional
        Column of the predictions' confidences.
    tile : str, optional
        Column, on both sides, of the tile or image; features of different tiles never meet.
    geometry : str, optional
        Geometry column of a CSV or Parquet file.
    reference_crs, prediction_crs : str, optional
        What the coordinates are in, where the data do not say or say it wrong; "planar" for plain
        units.
    crs : str, optional
        CRS to measure in.
    aoi, ignore : path, GeoDataFrame, GeoSeries or shapely geometry, optional
        Area of interest, outside which nothing is judged; regions in which neither side is.
    min_area : float
        Smaller features are set aside, squared CRS units.
    edge_objects : {"count", "ignore"}
        Features cut by the edge of the area of interest: counted when at least half inside, or set
        aside. In COCO files: those that reach within a pixel of the edge of their image.
    invalid : {"repair", "drop", "fail"}
        What is done with an invalid geometry; the ledger lists each.
    explode : bool
        Parts of multipolygons become features of their own.
    rings : {"all", "exterior", "as-stored"}
        "exterior" fills every hole on both sides first, for those who do not care for courtyards;
        "as-stored" measures along the rings as COCO files have them, bridges to holes included.
    nested : {"union", "holes"}
        COCO: a ring inside another of one annotation adds nothing, or is a hole.
    boxes : {"skip", "polygon"}
        COCO: an annotation without usable polygon has none, or its bbox is taken as one.
    max_detections : sequence of int, optional
        COCO: most predictions of an image that count for average precision, by score.
    seed : int
        Seed of the intervals.
    jobs : int, optional
        Threads; all cores without it. Results do not depend on it.

    Returns
    -------
    Evaluation

    Raises
    ------
    InputError
        The data cannot be used: see its message and hint.
    OptionError
        An option means nothing.

    Examples
    --------
    Two unit squares; the second is found half a metre to the east: 0.5 / 1.5.

    >>> import geopandas as gpd
    >>> from shapely import box
    >>> found = gpd.GeoSeries([box(0.5, 0, 1.5, 1)], crs="EPSG:32632")
    >>> known = gpd.GeoSeries([box(0, 0, 1, 1), box(9, 0, 10, 1)], crs="EPSG:32632")
    >>> result = evaluate(known, found, threshold=0.3, metrics=["iou"])
    >>> result.summary.headline["recall"], round(result.summary.headline["iou"], 4)
    (0.5, 0.3333)
    """
    options = Options(
        suite=suite,
        metrics=None if metrics is None else tuple(metrics),
        match=match,
        threshold=threshold,
        thresholds=None if thresholds is None else tuple(thresholds),
        group_share=group_share,
        gsd=gsd,
        width=width,
        spacing=spacing,
        tolerance=tolerance,
        strata=tuple(strata),
        area_classes=area_classes,
        reference_layer=reference_layer,
        prediction_layer=prediction_layer,
        id=id,
        reference_id=reference_id,
        prediction_id=prediction_id,
        score=score,
        tile=tile,
        geometry=geometry,
        reference_crs=reference_crs,
        prediction_crs=prediction_crs,
        crs=crs,
        aoi=aoi,
        ignore=ignore,
        min_area=min_area,
        edge_objects=edge_objects,
        invalid=invalid,
        explode=explode,
        rings=rings,
        nested=nested,
        boxes=boxes,
        max_detections=None if max_detections is None else tuple(max_detections),
        seed=seed,
        jobs=jobs,
    )
    return run_evaluation(reference, prediction, options)


def run_evaluation(
    reference: LayerLike,
    prediction: LayerLike,
    options: Options,
    *,
    progress: Progress | None = None,
) -> Evaluation:
    """Read both sides and evaluate them with options that are already put together."""
    sources = {"reference": _name(reference), "prediction": _name(prediction)}
    if any(_is_path(source) and is_coco(source) for source in (reference, prediction)):
        if progress is not None:
            progress("reading", 0, 1)
        coco = read_coco(*_coco_paths(reference, prediction), options=options.coco_options())
        return Evaluation(evaluate_coco(coco, options, progress=progress), sources)
    if progress is not None:
        progress("reading the reference", 0, 1)
    a = _layer(reference, "reference", options)
    if progress is not None:
        progress("reading the prediction", 0, 1)
    b = _layer(prediction, "prediction", options)
    run = evaluate_layers(a, b, options, progress=progress)
    return Evaluation(run, sources)


def _is_path(source: Any) -> TypeGuard[str | os.PathLike[str]]:
    return isinstance(source, (str, os.PathLike))


def _coco_paths(
    reference: LayerLike, prediction: LayerLike
) -> tuple[str | os.PathLike[str], str | os.PathLike[str]]:
    """Both sources of a COCO evaluation, which are files.

    Raises
    ------
    LayerError
        One is a COCO file and the other a table.
    """
    if not (_is_path(reference) and _is_path(prediction)):
        raise LayerError(
            "one side is a COCO file and the other a table of polygons",
            hint="give two COCO files, or two layers",
        )
    return reference, prediction


def _layer(source: LayerLike, side: Side, options: Options) -> Layer:
    if isinstance(source, (gpd.GeoDataFrame, gpd.GeoSeries)):
        return layer_from_frame(source, side, options.read_options(side))
    return read_layer(source, side, options.read_options(side))


def _name(source: LayerLike) -> str:
    if isinstance(source, (gpd.GeoDataFrame, gpd.GeoSeries)):
        return f"<{type(source).__name__}, {len(source)} rows>"
    return os.fspath(source)


class Evaluation:
    """What an evaluation found, as tables to work with.

    Attributes
    ----------
    summary : Summary
        Statistics, counts, policies and warnings.
    headline : dict
        The few numbers to quote.
    pairs : DataFrame
        A row a related pair, a column a metric; `one_to_one` marks those the statistics are over.
    features : GeoDataFrame
        Every used feature of both sides and what became of it.
    tiles : DataFrame
        For a suite of images: a row an image, a column a measure; no rows for others.
    ledger : DataFrame
        Every feature that was repaired, skipped or set aside, and why.
    config : dict
        The sources and every option, the suite's choices filled in.
    run : Run
        The plain tables underneath.
    """

    def __init__(self, run: Run, sources: dict[str, str]) -> None:
        self.run = run
        self.config: dict[str, Any] = {**sources, **run.options.as_dict()}

    @property
    def summary(self) -> Summary:
        """Statistics, counts, policies and warnings."""
        return self.run.summary

    @property
    def headline(self) -> dict[str, float]:
        """The few numbers to quote, by name."""
        return self.run.summary.headline

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """A row a related pair."""
        run = self.run
        return pd.DataFrame(
            pair_columns(run.reference, run.prediction, run.matches, run.measurements)
        )

    @cached_property
    def features(self) -> gpd.GeoDataFrame:
        """Every used feature of both sides."""
        run = self.run
        sides = (run.reference, run.prediction)
        fates = [feature_fates(side, run.matches, run.detection) for side in sides]
        status, relation, group = (np.concatenate(columns) for columns in zip(*fates, strict=True))
        frame = pd.DataFrame(
            {
                "side": np.repeat(["reference", "prediction"], [len(side) for side in sides]),
                "id": np.concatenate([side.ids.astype(object) for side in sides]),
                "row": np.concatenate([side.rows for side in sides]),
                "status": status,
                "relation": relation,
                "group": group,
                "area": np.concatenate([side.polygons.areas for side in sides]),
                **{
                    name: np.concatenate(
                        [run.measurements.shapes[side.side][name] for side in sides]
                    )
                    for name in run.measurements.shapes["reference"]
                },
            }
        )
        geometry = np.concatenate([side.polygons.to_shapely() for side in sides])
        return gpd.GeoDataFrame(frame, geometry=geometry, crs=run.reference.crs)

    @cached_property
    def tiles(self) -> pd.DataFrame:
        """A row an image of a suite of images."""
        scores = self.run.tiles
        if scores is None:
            return pd.DataFrame({"tile": []})
        return pd.DataFrame({"tile": scores.tiles.names, **scores.tiles.values})

    @cached_property
    def ledger(self) -> pd.DataFrame:
        """A row a feature that was repaired, skipped or set aside."""
        ledger = self.run.ledger
        return pd.DataFrame(
            {
                "side": ledger.side,
                "id": ledger.id,
                "row": ledger.row,
                "what": ledger.what,
                "where": ledger.where,
                "action": ledger.action,
            }
        )

    def document(self) -> dict[str, Any]:
        """The content of summary.json."""
        return {
            "schema": SCHEMA,
            "version": version("polygauge"),
            "config": self.config,
            **asdict(self.summary),
        }

    def to_json(self) -> str:
        """summary.json as text; undefined numbers are null."""
        return to_json(self.document())

    def write(self, folder: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the run folder, whole or not at all.

        Parameters
        ----------
        folder : path-like
            Must not exist, or hold an earlier run and `overwrite` be set.
        overwrite : bool
            Replace an earlier run.

        Returns
        -------
        Path
            The folder.

        Raises
        ------
        OutputError
            The place is taken or cannot be written.
        """
        run = self.run
        with run_folder(folder, overwrite=overwrite) as place:
            columns = pair_columns(run.reference, run.prediction, run.matches, run.measurements)
            write_pairs(place / "pairs.parquet", columns)
            write_features(
                place / "features.parquet",
                run.reference,
                run.prediction,
                run.matches,
                run.detection,
                run.measurements,
            )
            if run.tiles is not None:
                write_tiles(place / "tiles.parquet", run.tiles.tiles)
            write_ledger(place / "ledger.parquet", run.ledger)
            write_review(
                place / "review.gpkg",
                run.reference,
                run.prediction,
                run.matches,
                run.measurements,
                run.detection,
            )
            write_config(place / "config.toml", self.config)
            write_page(
                place / "report.html",
                summary=self.document(),
                reference=run.reference,
                prediction=run.prediction,
                matches=run.matches,
                measurements=run.measurements,
            )
            (place / "summary.json").write_text(self.to_json(), encoding="utf-8")
        return Path(folder)

    def __repr__(self) -> str:
        detection = self.summary.detection[0]
        figures = ", ".join(f"{name} {value:.4g}" for name, value in self.summary.headline.items())
        return (
            f"<Evaluation: {detection.tp} matched, {detection.fn} missed, {detection.fp} extra at "
            f"IoU {detection.threshold:g}; {figures}>"
        )

    def _repr_html_(self) -> str:
        return self.table().to_html(float_format=lambda x: f"{x:.4g}", na_rep="n/a")

    def table(self) -> pd.DataFrame:
        """The summary of the metrics as a table: a row a metric."""
        rows = {
            name: {
                "n": m.n,
                "undefined": sum(m.undefined.values()),
                "mean": m.mean,
                "median": m.median,
                "rmse": m.rmse,
                "min": m.min,
                "max": m.max,
            }
            for name, m in self.summary.metrics.items()
        }
        return pd.DataFrame.from_dict(rows, orient="index")
