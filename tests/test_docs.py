"""What the generated pages say: numbers computed, not quoted, and held against those on record."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import polygauge as pg
from polygauge.metrics import BY_NAME, METRICS
from tests.shared import ROOT


@pytest.fixture(scope="module")
def docs():
    """The modules that write the pages."""
    pytest.importorskip("matplotlib")
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import mpd_page
        import reference_page
        import traps

        yield {"mpd": mpd_page, "reference": reference_page, "traps": traps}
    finally:
        sys.path.remove(str(ROOT / "docs"))


# Formula against code, as on record: 20 x 16 moved by 1, squares traced too wide, and by hand.
WORKED = {
    ("polis", 0): (0.5, 0.4),
    # The hole's four corners, half of eight vertices, are 5 from the outline.
    ("polis", 1): (5 / 4, 0),
    # Of the 36 vertices of each side the two short sides have 9 each. Those of one side, and 7 of
    # the other, lie 1 from the other outline; its two corners lie on it.
    ("polis", 2): (16 / 36, 0.5),
    ("polis_exterior", 0): (0, 5 / 4),
    ("chamfer", 0): (0.444444, 0.444521),
    ("hausdorff", 0): (4.24264, 7.24264),
    ("hausdorff", 2): (10, 0),
    ("hausdorff_sum", 0): (7.24264, 4.24264),
    ("mta", 0): (np.degrees(np.arctan(0.5)),),
    ("vertex_ratio", 0): (1 / 3, 2 / 3),
    ("vertex_ratio", 1): (6 / 7, 8 / 9, 8 / 9),
    ("ciou", 0): (0, 0.904762),
    ("boundary_iou", 0): (0.541266, 0.38),
    ("boundary_iou", 1): (0, 0.328944, 0.495626),
    ("line_dof", 0): (7 / 16,),
    ("line_dof", 1): (5 / 8, 5 / 16),
    ("line_dof", 2): (4 / 6,),
    ("mpd", 0): (1, 4 / 3),
    ("mpd_eq10", 0): (4 / 3, 1),
}


@pytest.mark.parametrize(("name", "number"), WORKED, ids=str)
def test_a_worked_number_of_a_trap(docs, name, number):
    got = docs["traps"].TRAPS[name][number].numbers()
    assert got == pytest.approx(WORKED[name, number], abs=1e-6)


def test_traps_that_show_an_order(docs):
    traps = docs["traps"].TRAPS
    noise, exact = traps["chamfer"][1].numbers()
    assert 0 < noise < 0.05
    assert exact == pytest.approx(0, abs=1e-12)
    noise, exact = traps["hausdorff"][1].numbers()
    assert 0 < noise <= 0.05
    assert exact == pytest.approx(0, abs=1e-12)
    lower, true = traps["hausdorff_exact"][0].numbers()
    assert lower < true
    stored, best = traps["frechet"][0].numbers()
    assert (stored > 10, best) == (True, 0)
    grown, plain = traps["mta"][1].numbers()
    assert 0 < grown < 0.01
    assert plain == 0
    covered, code, ours = traps["mta_p3"][0].numbers()
    assert (covered, np.isnan(code), ours) == (0.5, True, 0)


def test_every_trap_can_be_written_and_is_on_the_page(docs):
    for name, found in docs["traps"].TRAPS.items():
        page = docs["reference"].section(BY_NAME[name])
        assert "**Known traps**" in page
        for trap in found:
            text = str(trap)
            assert text.endswith((".", ")."))
            assert "{" not in text
            assert f"* {text}\n" in page
    plain = next(metric for metric in METRICS if metric.name not in docs["traps"].TRAPS)
    assert "Known traps" not in docs["reference"].section(plain)


def test_the_page_on_mpd_says_what_is_true(docs, tmp_path):
    page = docs["mpd"]
    both = page.masks()
    for outlines in both:
        values = np.array(
            [
                [
                    pg.mpd(outlines.reference, outlines.prediction, alpha=alpha, beta=beta)
                    for beta in page.BETAS
                ]
                for alpha in page.ALPHAS
            ]
        )
        assert values.shape[2] == page.BUILDINGS
        assert np.isfinite(values).all()
        # Larger alpha, never lower; larger beta, never higher; never above MPD_EP.
        assert (np.diff(values, axis=0) >= -1e-12).all()
        assert (np.diff(values, axis=1) <= 1e-12).all()
        assert (values <= pg.mpd_ep(outlines.reference, outlines.prediction) + 1e-12).all()
    (tmp_path / "pictures").mkdir()
    picture = tmp_path / "pictures" / "mpd.svg"
    page.write(tmp_path / "mpd.md", picture)
    text = (tmp_path / "mpd.md").read_text("utf-8")
    assert f"{both[0].mean(2, 1):.3f}" in text
    assert "](pictures/mpd.svg)" in text
    assert picture.read_text("utf-8").startswith("<?xml")
