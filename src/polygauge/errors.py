"""Every error polygauge raises on purpose.

    PolygaugeError
    ├── InputError (ValueError)            the data given cannot be used
    │   ├── ReadError (OSError)            a file cannot be opened or parsed
    │   ├── LayerError (LookupError)       no such layer or column in the file
    │   ├── CrsError                       coordinates cannot be brought to ground metres
    │   └── GeometryError                  a geometry is invalid or of the wrong type
    ├── ShapeError (ValueError)            two arrays that must pair up do not
    ├── OptionError (ValueError)           an option has a value that means nothing
    ├── OutputError (OSError)              a result cannot be written
    └── MissingDependencyError (ImportError)   an optional library is not installed

Each carries the message (what is wrong, and where) and a `hint` (what to do next).
"""

from __future__ import annotations

__all__ = [
    "CrsError",
    "GeometryError",
    "InputError",
    "LayerError",
    "MissingDependencyError",
    "OptionError",
    "OutputError",
    "PolygaugeError",
    "ReadError",
    "ShapeError",
]


class PolygaugeError(Exception):
    """Base of all errors that polygauge raises on purpose.

    Parameters
    ----------
    message : str
        What is wrong, with the value and the place.
    hint : str, optional
        What to do next.
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\nhint: {self.hint}"


class InputError(PolygaugeError, ValueError):
    """The data given cannot be used."""


class ReadError(InputError, OSError):
    """A file cannot be opened or parsed."""


class LayerError(InputError, LookupError):
    """No such layer or column in the file."""


class CrsError(InputError):
    """The coordinates cannot be brought to ground metres."""


class GeometryError(InputError):
    """A geometry is invalid, or is not a polygon, where that is not allowed."""


class ShapeError(PolygaugeError, ValueError):
    """Two arrays that must pair up row by row have different lengths."""


class OptionError(PolygaugeError, ValueError):
    """An option has a value that means nothing here."""


class OutputError(PolygaugeError, OSError):
    """A result cannot be written."""


class MissingDependencyError(PolygaugeError, ImportError):
    """An optional library is not installed."""
