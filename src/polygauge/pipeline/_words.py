"""What a run did and what may be wrong with it, in sentences for its reader."""

from __future__ import annotations

from polygauge.matching import TIE, LayerAreas
from polygauge.metrics import BY_NAME
from polygauge.pipeline._options import Options
from polygauge.suites import Suite, TileRecipe
from polygauge.tables import Features, Matches, Measurements, Reason

# From here on a share of set-aside values deserves a warning rather than a count.
_MUCH = 0.1


def policies(
    options: Options,
    recipe: Suite,
    reference: Features,
    prediction: Features,
    parameters: dict[str, float],
    gsd: float,
) -> dict[str, str]:
    """Every choice that changes a number, by topic."""
    if recipe.match == "optimal":
        rule = "optimal: most matches, then the largest sum of IoU; ties from west to east"
    elif recipe.match == "best":
        rule = "best: each reference takes its best prediction by IoU, which may serve several"
    elif prediction.scores is None:
        rule = "greedy: pairs in descending IoU (no scores); ties from west to east"
    else:
        rule = (
            "greedy, as COCO: predictions in descending score, each takes the free reference with "
            "the largest IoU; ties from west to east"
        )
    return {
        "matching": rule,
        "threshold": f"IoU >= {recipe.threshold:g} (reached within {TIE:g})",
        "groups": (
            f"features that share at least {recipe.group_share:g} of the smaller one are related; "
            "walls that only touch are not"
        ),
        **_parameter_policies(options, recipe, reference, parameters, gsd),
        "too small for the boundary region": (
            "references with width >= sqrt(area) / 2 have no Boundary IoU; counted as undefined"
        ),
        "statistics": (
            "over one-to-one pairs; 'with misses' counts a missed reference as 0 where the metric "
            "has a worst value"
        ),
        "empty": (
            "precision without predictions, recall without references and means without pairs are "
            "undefined (null), not 0"
        ),
        "intervals": (
            f"95 %, 1,000 resamples of {'tiles' if reference.tiles is not None else 'blocks'}, "
            f"seed {options.seed}; none with fewer than 5"
        ),
        "vertices": (
            "repeated points are removed, but counted by vertex_ratio and ciou; vertices on a "
            "straight side are kept"
        ),
    }


def tile_policies(tiles: TileRecipe) -> dict[str, str]:
    """What a suite of images chooses beside."""
    caps = [str(cap) for cap in tiles.max_detections if cap is not None]
    overlap = {
        "vector": "exact IoU of the polygons",
        "mask": "IoU of the masks that COCO's rules rasterise",
        "box": "IoU of the boxes",
        "boundary": "the smaller of mask IoU and Boundary IoU (band 0.02 of the diagonal)",
    }
    reach = "exceeds" if tiles.strict else "reaches"
    return {
        "average precision": (
            f"COCO's 101 recall points on the {overlap[tiles.overlap]}; a prediction is right "
            f"where it {reach} the threshold"
        ),
        "references that are no valid polygon as stored": (
            "repaired and found like others" if tiles.finds_invalid else "never found, so missed"
        ),
        "most detections": (
            f"the {' or '.join(caps)} with the highest score of each image and category"
            if caps
            else "no limit"
        ),
        "tiles": (
            "means over the tiles that have a value; a tile empty on both sides counts as "
            f"{tiles.both_empty:g} in iou, vertex_ratio and ciou"
        ),
    }


def _parameter_policies(
    options: Options,
    recipe: Suite,
    reference: Features,
    parameters: dict[str, float],
    gsd: float,
) -> dict[str, str]:
    """The parameters that the chosen metrics take, with where each comes from."""
    unit = {"metre": "m", "pixel": "px"}.get(reference.unit, "units")
    pixel = f"a pixel being {gsd:g} {unit}"
    if options.gsd is None:
        pixel += ", because no gsd was given"
    words = {
        "width": ("boundary width", "as given" if options.width else f"3 pixels, {pixel}"),
        "spacing": ("boundary samples", "apart at most"),
        "tolerance": ("tolerance", "as given" if options.tolerance else f"3 pixels, {pixel}"),
        "tangent_spacing": ("tangents", f"apart, 2 pixels, {pixel}"),
        "dof_offset": ("collinear lines", f"apart at most, half a pixel, {pixel}"),
        "corner_tolerance": ("corners", f"apart at most, 5 pixels, {pixel}"),
    }
    used = {name for metric in recipe.metrics for name in BY_NAME[metric].parameters}
    return {
        topic: f"{parameters[name]:g} {unit}, {origin}"
        for name, (topic, origin) in words.items()
        if name in used
    }


def doubts(
    reference: Features,
    prediction: Features,
    areas: LayerAreas,
    measurements: Measurements,
    matches: Matches,
) -> tuple[str, ...]:
    """What a careful reader would ask about this run."""
    found = [
        f"no {features.side}s: {features.name} has no usable polygon"
        for features in (reference, prediction)
        if len(features) == 0
    ]
    for side, pairs, area in (
        ("reference", areas.reference_overlaps, areas.reference_overlap_area),
        ("prediction", areas.prediction_overlaps, areas.prediction_overlap_area),
    ):
        if pairs:
            found.append(
                f"{pairs} pairs of {side} polygons overlap each other, by {area:.6g} square "
                f"{reference.unit}s in all"
            )
    kept = matches.one_to_one
    for name, reasons in measurements.reasons.items():
        aside = int((reasons[kept] == Reason.SET_ASIDE).sum())
        if aside > _MUCH * max(int(kept.sum()), 1):
            why = measurements.reason_texts[name][Reason.SET_ASIDE]
            found.append(
                f"{name}: {aside} of {int(kept.sum())} matched references are {why} and have no "
                "value"
            )
    return tuple(found)
