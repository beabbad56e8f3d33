"""Sphinx configuration; nothing is fetched at build time."""

project = "polygauge"
author = "The polygauge authors"
copyright = "2026, The polygauge authors"
extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.doctest",
    "sphinx.ext.mathjax",
]
templates_path: list[str] = []
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "polygauge"
numpydoc_show_class_members = False
myst_enable_extensions = ["dollarmath", "deflist"]
autodoc_typehints = "none"


def escape_bars(app, what, name, obj, options, lines: list[str]) -> None:
    """Let |x| stand for a size in a docstring, where reStructuredText sees a substitution."""
    lines[:] = [
        line if line.lstrip().startswith((">>>", "...")) else line.replace("|", "\\|")
        for line in lines
    ]


def setup(app) -> None:
    """Write the pages that come from the code."""
    app.connect("autodoc-process-docstring", escape_bars, priority=1)
    import sys
    from pathlib import Path

    here = Path(__file__).parent
    sys.path.insert(0, str(here))
    import findings_page
    import mpd_page
    import pictures
    import reference_page

    pictures.write(here / "pictures")
    reference_page.write(here / "metrics.md")
    findings_page.write(here / "findings.md")
    mpd_page.write(here / "mpd.md", here / "pictures" / "mpd_settings.svg")
