"""A JSON file of any size, as batches of the elements of its arrays."""

from __future__ import annotations

import gc
import gzip
import json
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import orjson

from polygauge.errors import ReadError
from polygauge.io.coco._scan import count_commas, find_cut, skip_value

# Text taken at a time. Its Python objects need about five times as much, for a moment.
PIECE = 1 << 19

_KEY = re.compile(rb'[ \t\r\n]*("(?:[^"\\]|\\.)*")[ \t\r\n]*:[ \t\r\n]*')
_SPACE = re.compile(rb"[ \t\r\n]*")
_LONGEST_KEY = 1 << 16
_RESULTS = "annotations"


@dataclass(frozen=True, slots=True)
class Batch:
    """Some elements of the array under a key.

    `begins` says that the key was just met: what came under it before is overruled.
    """

    key: str
    elements: list[Any]
    begins: bool


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep Python from searching a growing tree of plain data for cycles: a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class JsonStream:
    """The arrays of one file, read once from front to back.

    Attributes
    ----------
    is_list : bool or None
        The file is one array; known from the first batch on.
    keys : list of str
        Keys of the outer object, in order.
    not_arrays : list of str
        Wanted keys that hold something else than an array.
    lenient : int
        Batches that only a lenient parser reads, with NaN for example.
    """

    def __init__(self, path: str | os.PathLike[str], wanted: tuple[str, ...]) -> None:
        self.path, self.wanted = os.fspath(path), wanted
        self.is_list: bool | None = None
        self.keys: list[str] = []
        self.not_arrays: list[str] = []
        self.lenient = 0
        self._text, self._place, self._before = b"", 0, 0

    def batches(self) -> Iterator[Batch]:
        """All batches, in the order of the file; an empty array gives one empty batch.

        Raises
        ------
        ReadError
            The file cannot be opened or is not JSON.
        """
        try:
            with open(self.path, "rb") as plain:
                packed = plain.read(2) == b"\x1f\x8b"
                plain.seek(0)
                file: Any = gzip.GzipFile(fileobj=plain) if packed else plain
                yield from self._outer(file)
        except (EOFError, zlib.error) as error:
            raise ReadError(
                f"{self.path} cannot be unpacked: {error}", hint="unpack it with gunzip first"
            ) from error
        except ReadError:
            raise
        except OSError as error:
            raise ReadError(
                f"cannot read {self.path}: {error.strerror or error}", hint="check the path"
            ) from error

    def _outer(self, file: IO[bytes]) -> Iterator[Batch]:
        self._more(file)
        if self._text[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise ReadError(f"{self.path} is UTF-16 text", hint="save it as UTF-8")
        if self._text[:3] == b"\xef\xbb\xbf":
            self._place = 3
        first = self._next_byte(file)
        if first == b"":
            raise ReadError(
                f"{self.path} is empty", hint="no predictions are written as an empty list: []"
            )
        if first not in (b"[", b"{"):
            raise self._wrong("expected { or [", "COCO files are JSON objects or lists")
        self._place += 1
        self.is_list = first == b"["
        if self.is_list:
            yield from self._elements(file, _RESULTS)
        else:
            yield from self._members(file)
        if self._next_byte(file) != b"":
            raise self._wrong("more text after the end", "JSON lines? write one list instead")

    def _members(self, file: IO[bytes]) -> Iterator[Batch]:
        """The members of the outer object, from after its bracket to after its end."""
        if self._next_byte(file) == b"}":
            self._place += 1
            return
        while True:
            key = self._key(file)
            self.keys.append(key)
            if key in self.wanted and self._next_byte(file) == b"[":
                self._place += 1
                yield from self._elements(file, key)
            else:
                if key in self.wanted:
                    self.not_arrays.append(key)
                self._skip(file)
            after = self._next_byte(file)
            if after not in (b",", b"}"):
                raise self._unfinished(f"after {key!r}", after)
            self._place += 1
            if after == b"}":
                return

    def _elements(self, file: IO[bytes], key: str) -> Iterator[Batch]:
        """The elements of an array, from after its bracket to after its end."""
        begins, done = True, 0
        while True:
            comma, end = find_cut(np.frombuffer(self._text, dtype=np.uint8), self._place)
            closed = end >= 0
            if not closed and comma < 0:
                if not self._more(file):
                    raise self._broken_off(key, done)
                continue
            stop = end if closed else comma
            elements = self._parse(key, done, stop)
            if not elements and (done or not closed):
                raise self._wrong(f"no element after a comma in {key!r}", "remove the comma")
            done += len(elements)
            yield Batch(key, elements, begins)
            begins = False
            self._place = stop + 1
            if closed:
                return

    def _parse(self, key: str, done: int, stop: int) -> list[Any]:
        """The elements between here and `stop`, as Python objects."""
        text = b"[" + self._text[self._place : stop] + b"]"
        try:
            with _no_collection():
                elements: list[Any] = orjson.loads(text)
        except orjson.JSONDecodeError:
            elements = self._parse_leniently(text, key, done, stop)
            self.lenient += 1
        return elements

    def _parse_leniently(self, text: bytes, key: str, done: int, stop: int) -> list[Any]:
        """As Python's own reader does, which takes NaN, Infinity and stray control characters."""
        try:
            elements: list[Any] = json.loads(text, strict=False)
        except json.JSONDecodeError as error:
            at = len(error.doc[: error.pos].encode("utf-8", "surrogatepass")) - 1
            place = min(self._place + at, stop)
            window = np.frombuffer(self._text, dtype=np.uint8)
            number = done + count_commas(window, self._place, place)
            raise ReadError(
                f"{self.path} is not JSON: {error.msg} at byte {self._before + place}, in "
                f"{key}[{number}]",
                hint="write the file again with a JSON writer",
            ) from error
        except UnicodeDecodeError as error:
            raise ReadError(
                f"{self.path} is not UTF-8 text at byte {self._before + self._place + error.start}",
                hint="save it as UTF-8",
            ) from error
        except RecursionError as error:
            raise ReadError(
                f"{self.path} is nested too deeply near {key}[{done}]",
                hint="segmentations are lists of lists of numbers",
            ) from error
        return elements

    def _key(self, file: IO[bytes]) -> str:
        """The key at this place; goes on to its value."""
        match, ended = _KEY.match(self._text, self._place), False
        # What ends where the text ends may go on in the next piece.
        while not ended and (match is None or match.end() == len(self._text)):
            if match is None and len(self._text) - self._place > _LONGEST_KEY:
                break
            ended = not self._more(file)
            match = _KEY.match(self._text, self._place)
        if match is None:
            found = self._next_byte(file)
            cut = ended and found == b'"'
            raise self._unfinished("where a key in double quotes should be", b"" if cut else found)
        self._place = match.end()
        try:
            return str(json.loads(match[1], strict=False))
        except ValueError as error:
            raise self._wrong("a key cannot be read", "write the file again") from error

    def _skip(self, file: IO[bytes]) -> None:
        """Go over a value."""
        state = np.zeros(3, dtype=np.int64)
        while True:
            end = skip_value(np.frombuffer(self._text, dtype=np.uint8), self._place, state)
            if end >= 0:
                self._place = end
                return
            self._place = len(self._text)
            if not self._more(file):
                raise self._broken_off(self.keys[-1], 0)

    def _next_byte(self, file: IO[bytes]) -> bytes:
        """The next byte that is no space, or nothing at the end; goes to it."""
        while True:
            match = _SPACE.match(self._text, self._place)
            self._place = match.end() if match else self._place
            if self._place < len(self._text) or not self._more(file):
                return self._text[self._place : self._place + 1]

    def _more(self, file: IO[bytes]) -> bool:
        """Read on; what lies before this place is let go. False at the end of the file."""
        rest = self._text[self._place :]
        fresh = file.read(max(PIECE, len(rest)))
        if not fresh:
            return False
        self._before += self._place
        self._text, self._place = rest + fresh, 0
        return True

    def _wrong(self, what: str, hint: str) -> ReadError:
        return ReadError(
            f"{self.path} is not COCO JSON: {what} at byte {self._before + self._place}", hint=hint
        )

    def _unfinished(self, where: str, found: bytes) -> ReadError:
        if found == b"":
            return self._broken_off(self.keys[-1] if self.keys else "", 0)
        return ReadError(
            f"{self.path} is not JSON: found {found.decode('latin-1')!r} {where} at byte "
            f"{self._before + self._place}",
            hint="write the file again with a JSON writer",
        )

    def _broken_off(self, key: str, done: int) -> ReadError:
        place = f" in {key}[{done}]" if key else ""
        size = self._before + len(self._text)
        return ReadError(
            f"{self.path} is cut short: it ends{place} after {size} bytes",
            hint="copy or write the file again",
        )
