"""The one way kernels are compiled: cached on disk, without the GIL, IEEE arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import numba
from numba.core import event, types

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """Compile `function` on first use; the result is cached, so later processes compile nothing.

    No fast-math: the same input gives the same bits whatever the number of threads.
    """
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def inner(function: F) -> F:
    """Compile a function that only kernels call: as `jit`, but Python itself cannot call it.

    Leaving out what would take apart Python's arguments saves a fifth of the compile time.
    """
    options: dict[str, Any] = {
        "cache": True,
        "nogil": True,
        "error_model": "numpy",
        "no_cpython_wrapper": True,
    }
    kernel = numba.njit(**options)(function)
    resolve = kernel.get_call_template
    unliteral: Callable[[Any], Any] = types.unliteral

    def without_literals(arguments: Any, named: Any) -> Any:
        """A constant in a call, such as 0, is any integer: else it would be compiled twice."""
        plain = {name: unliteral(kind) for name, kind in named.items()}
        return resolve(tuple(map(unliteral, arguments)), plain)

    kernel.get_call_template = without_literals
    return cast(F, kernel)


class _Listener(event.Listener):
    """Calls an action when the first kernel starts to compile."""

    def __init__(self, action: Callable[[], object]) -> None:
        self.action: Callable[[], object] | None = action

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        if self.action is not None:
            self.action()
            self.action = None

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def when_compiling(action: Callable[[], object]) -> Iterator[None]:
    """Call `action` once if a kernel has to be compiled inside the block; a cached one has not."""
    with event.install_listener("numba:compile", _Listener(action)):
        yield
