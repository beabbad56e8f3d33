"""Pages to look at and to send to somebody."""

from polygauge.reports._page import render_page, write_page

__all__ = ["render_page", "write_page"]
