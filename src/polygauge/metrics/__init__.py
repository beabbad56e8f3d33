"""The metrics: one file each, one record each, all of them in `METRICS`."""

from polygauge.metrics._area_bias import AREA_BIAS, area_bias
from polygauge.metrics._area_precision import AREA_PRECISION, area_precision
from polygauge.metrics._area_recall import AREA_RECALL, area_recall
from polygauge.metrics._assd import ASSD, assd
from polygauge.metrics._boundary_iou import BOUNDARY_IOU, boundary_iou
from polygauge.metrics._boundary_iou_inner import BOUNDARY_IOU_INNER, boundary_iou_inner
from polygauge.metrics._boundary_share import BOUNDARY_SHARE, boundary_share
from polygauge.metrics._boundary_share_prediction import (
    BOUNDARY_SHARE_PREDICTION,
    boundary_share_prediction,
)
from polygauge.metrics._boundary_share_reference import (
    BOUNDARY_SHARE_REFERENCE,
    boundary_share_reference,
)
from polygauge.metrics._chamfer import CHAMFER, chamfer
from polygauge.metrics._ciou import CIOU, ciou
from polygauge.metrics._compactness import COMPACTNESS, compactness
from polygauge.metrics._corner_count import CORNER_COUNT, corner_count
from polygauge.metrics._corner_f1 import (
    CORNER_F1,
    CORNER_PRECISION,
    CORNER_RECALL,
    corner_f1,
    corner_precision,
    corner_recall,
)
from polygauge.metrics._dice import DICE, dice
from polygauge.metrics._diou import DIOU, diou
from polygauge.metrics._elongation import ELONGATION, elongation
from polygauge.metrics._frechet import FRECHET, frechet
from polygauge.metrics._giou import GIOU, giou
from polygauge.metrics._hausdorff import HAUSDORFF, hausdorff
from polygauge.metrics._hausdorff_exact import HAUSDORFF_EXACT, hausdorff_exact
from polygauge.metrics._hausdorff_percentile import HAUSDORFF_PERCENTILE, hausdorff_percentile
from polygauge.metrics._hausdorff_sum import HAUSDORFF_SUM, hausdorff_sum
from polygauge.metrics._iou import IOU, iou
from polygauge.metrics._iou_aligned import IOU_ALIGNED, iou_aligned
from polygauge.metrics._jaggedness import JAGGEDNESS, jaggedness
from polygauge.metrics._line_dof import LINE_DOF, line_dof
from polygauge.metrics._mpd import MPD, mpd
from polygauge.metrics._mpd_ep import MPD_EP, mpd_ep
from polygauge.metrics._mpd_eq10 import MPD_EQ10, mpd_eq10
from polygauge.metrics._mta import MTA, mta
from polygauge.metrics._offset import OFFSET, OFFSET_X, OFFSET_Y, offset, offset_x, offset_y
from polygauge.metrics._orientation_error import ORIENTATION_ERROR, orientation_error
from polygauge.metrics._overlap_share import OVERLAP_SHARE, overlap_share
from polygauge.metrics._p3_code import (
    CHAMFER_P3,
    CIOU_P3,
    HAUSDORFF_P3,
    MTA_P3,
    POLIS_P3,
    VERTEX_RATIO_P3,
    chamfer_p3,
    ciou_p3,
    hausdorff_p3,
    mta_p3,
    polis_p3,
    vertex_ratio_p3,
)
from polygauge.metrics._polis import POLIS, polis
from polygauge.metrics._polis_exterior import POLIS_EXTERIOR, polis_exterior
from polygauge.metrics._record import Metric
from polygauge.metrics._right_angle_share import RIGHT_ANGLE_SHARE, right_angle_share
from polygauge.metrics._vertex_ratio import VERTEX_RATIO, vertex_ratio

METRICS: tuple[Metric, ...] = (
    IOU,
    BOUNDARY_IOU,
    BOUNDARY_IOU_INNER,
    POLIS,
    POLIS_EXTERIOR,
    CHAMFER,
    HAUSDORFF,
    HAUSDORFF_SUM,
    HAUSDORFF_EXACT,
    HAUSDORFF_PERCENTILE,
    ASSD,
    FRECHET,
    MTA,
    MPD_EP,
    MPD,
    MPD_EQ10,
    BOUNDARY_SHARE,
    BOUNDARY_SHARE_REFERENCE,
    BOUNDARY_SHARE_PREDICTION,
    VERTEX_RATIO,
    CIOU,
    DICE,
    GIOU,
    DIOU,
    AREA_PRECISION,
    AREA_RECALL,
    OVERLAP_SHARE,
    AREA_BIAS,
    OFFSET_X,
    OFFSET_Y,
    OFFSET,
    IOU_ALIGNED,
    ORIENTATION_ERROR,
    CORNER_PRECISION,
    CORNER_RECALL,
    CORNER_F1,
    CORNER_COUNT,
    RIGHT_ANGLE_SHARE,
    JAGGEDNESS,
    LINE_DOF,
    COMPACTNESS,
    ELONGATION,
    POLIS_P3,
    CHAMFER_P3,
    HAUSDORFF_P3,
    MTA_P3,
    VERTEX_RATIO_P3,
    CIOU_P3,
)
BY_NAME: dict[str, Metric] = {metric.name: metric for metric in METRICS}

__all__ = [
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
    "hausdorff_exact",
    "hausdorff_p3",
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
    "polis_exterior",
    "polis_p3",
    "right_angle_share",
    "vertex_ratio",
    "vertex_ratio_p3",
]
