"""The one way kernels are compiled: cached on disk, without the GIL, IEEE arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """Compile `function` on first use; the result is cached, so later processes compile nothing.

    No fast-math: the same input gives the same bits whatever the number of threads.
    """
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
