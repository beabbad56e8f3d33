"""Telling COCO files from other files by their first bytes."""

from __future__ import annotations

import gzip
import os
import re
import zlib

_PIECE = 1 << 18
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"(?:\s*(:))?|[\[\]{}]')
_COCO_KEYS = {b'"images"', b'"annotations"', b'"categories"', b'"licenses"', b'"info"'}


def is_coco(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a COCO ground truth or a list of results, judged by how it begins.

    A list is one of results; an object is a ground truth where the first of its keys that says
    anything is `images`, `annotations`, `categories`, `licenses` or `info`. A file that cannot be
    read is none.
    """
    text = _beginning(path).removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text.startswith(b"{"):
        return text.startswith(b"[")
    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in (b"{", b"["):
            depth += 1
        elif token[0] in (b"}", b"]"):
            depth -= 1
        elif depth == 1 and token[1]:
            key = token[0].partition(b":")[0].rstrip()
            if key in (b'"features"', b'"type"', b'"geometry"', b'"coordinates"'):
                return False
            if key in _COCO_KEYS:
                return True
    return False


def _beginning(path: str | os.PathLike[str]) -> bytes:
    try:
        with open(path, "rb") as file:
            if file.read(2) == b"\x1f\x8b":
                file.seek(0)
                return gzip.GzipFile(fileobj=file).read(_PIECE)
            file.seek(0)
            return file.read(_PIECE)
    except (OSError, EOFError, ValueError, zlib.error):
        return b""
