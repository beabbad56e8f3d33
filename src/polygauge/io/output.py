"""Results appear whole or not at all: written to a temporary place, then moved."""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from polygauge.errors import OutputError

# What shows that a folder is one of ours, and so may be replaced when that is asked for.
_MARK = "summary.json"


@contextmanager
def run_folder(path: str | os.PathLike[str], *, overwrite: bool = False) -> Iterator[Path]:
    """A folder to fill, which takes its final name when the block ends without an error.

    Parameters
    ----------
    path : path-like
        Final place; must not exist, be empty, or hold an earlier run and `overwrite` be set.
    overwrite : bool
        Replace an earlier run.

    Raises
    ------
    OutputError
        The place is taken, or cannot be written.
    """
    final = Path(path)
    check_free(final, overwrite=overwrite)
    partial = final.with_name(f".{final.name}.partial-{os.getpid()}")
    # Everything inside one block, so that an interrupt at any moment leaves nothing behind.
    try:
        _make(partial)
        yield partial
        _move(partial, final)
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(
            f"cannot write {final}: {error.strerror or error}", hint="choose another place with -o"
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _make(partial: Path) -> None:
    """An empty folder at this place; what an earlier process left there goes."""
    try:
        partial.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir()
    except OSError as error:
        raise OutputError(
            f"cannot write to {partial.parent}: {error.strerror}",
            hint="choose another place with -o",
        ) from error


def check_free(path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Refuse a run folder that is taken; called before the work, so that none is lost.

    Raises
    ------
    OutputError
        The path is a file, a folder of something else, or an earlier run and `overwrite` is off.
    """
    final = Path(path)
    if not final.name:
        raise OutputError(f"{path!s} cannot be replaced", hint="name a new folder with -o")
    if not final.exists():
        return
    if not final.is_dir():
        raise OutputError(f"{final} is a file", hint="name a folder with -o")
    if not any(final.iterdir()):
        return
    if not (final / _MARK).is_file():
        raise OutputError(
            f"{final} is not empty and holds no polygauge run",
            hint="name a new folder with -o; a folder of other files is never replaced",
        )
    if not overwrite:
        raise OutputError(f"{final} holds a run", hint="pass --overwrite to replace it")


def _move(partial: Path, final: Path) -> None:
    """Put the finished folder in place; an earlier run goes only once the new one is there."""
    if final.exists():
        old = final.with_name(f".{final.name}.old-{os.getpid()}")
        final.rename(old)
        try:
            partial.rename(final)
        except BaseException:
            old.rename(final)
            raise
        shutil.rmtree(old, ignore_errors=True)
    else:
        partial.rename(final)


def plain(value: Any) -> Any:
    """The value in JSON's own types: NaN and infinities become null, numpy scalars Python ones."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def to_json(document: Mapping[str, Any]) -> str:
    """The document as JSON text that any strict parser reads."""
    return json.dumps(plain(document), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
