"""Values as text for the page: cut, made harmless, and with a sensible number of digits."""

from __future__ import annotations

import math
from typing import Any

from markupsafe import Markup

_ID_LENGTH = 40
_TEXT_LENGTH = 2_000
MINUS = "\N{MINUS SIGN}"


def plain(value: object, limit: int = _TEXT_LENGTH) -> str:
    r"""Text on one line that cannot turn the page around: control characters become visible.

    Parameters
    ----------
    value : object
    limit : int
        Characters that are shown; of a longer text the length is stated.

    Examples
    --------
    >>> plain("a\n\u202eb")
    'a\\n\\u202eb'
    >>> plain("x" * 1000, limit=3)
    'xxx… (1,000 characters)'
    """
    text = str(value)
    shown = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text[:limit]
    )
    return shown if len(text) <= limit else f"{shown}… ({len(text):,} characters)"


def short(value: object) -> str:
    """An identifier or a class, cut to what fits a table."""
    return plain(value, _ID_LENGTH)


def harmless(value: Any) -> Any:
    """What a template may print: its own markup as it is, text made plain."""
    return value if isinstance(value, Markup) or not isinstance(value, str) else plain(value)


def is_number(value: float | None) -> bool:
    """Whether there is a value; undefined is None in a file and NaN in memory."""
    return value is not None and math.isfinite(value)


def count(value: int) -> str:
    """A count with separators.

    Examples
    --------
    >>> count(1234567)
    '1,234,567'
    """
    return f"{value:,}"


def fixed(value: float | None, decimals: int) -> str:
    """A number with so many decimals; n/a where undefined.

    Examples
    --------
    >>> fixed(1234.5678, 2), fixed(-0.5, 1), fixed(float("nan"), 3), fixed(-0.001, 1)
    ('1,234.57', '−0.5', 'n/a', '0.0')
    """
    if value is None or not math.isfinite(value):
        return "n/a"
    text = f"{value:,.{decimals}f}"
    if text.startswith("-"):
        text = MINUS + text[1:] if any(c in "123456789" for c in text) else text[1:]
    return text


def ratio(value: float | None) -> str:
    """A share with three decimals, which never rounds up to a perfect 1 or down to 0.

    Examples
    --------
    >>> ratio(0.93830334), ratio(1.0), ratio(0.99987), ratio(0.0002), ratio(None)
    ('0.938', '1.000', '>0.999', '<0.001', 'n/a')
    """
    if value is not None and 0.9995 <= value < 1:
        return ">0.999"
    if value is not None and 0 < value < 0.0005:
        return "<0.001"
    return fixed(value, 3)


def percent(part: int, whole: int) -> str:
    """A share of a count, which is 0 or 100 only when it is exactly that.

    Examples
    --------
    >>> percent(365, 400), percent(99_999, 100_000), percent(3, 3)
    ('91.2 %', '>99.9 %', '100 %')
    """
    if part in (0, whole):
        return "100 %" if part else "0 %"
    share = 100 * part / whole
    if share >= 99.95:
        return ">99.9 %"
    return "<0.1 %" if share < 0.05 else f"{share:.1f} %"


def decimals_for(value: float | None) -> int:
    """Decimals that give a number of this size three significant digits, 0 to 6.

    Examples
    --------
    >>> decimals_for(0.4014), decimals_for(0.04), decimals_for(12.5), decimals_for(900.0)
    (3, 4, 1, 0)
    """
    if value is None or not math.isfinite(value) or value == 0:
        return 3
    return min(max(2 - math.floor(math.log10(abs(value))), 0), 6)


def plural(number: int, noun: str) -> str:
    """A count and its noun.

    Examples
    --------
    >>> plural(1, "reference"), plural(2000, "reference")
    ('1 reference', '2,000 references')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
