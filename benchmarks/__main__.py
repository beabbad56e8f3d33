"""`python -m benchmarks`: every ratio with its bar; exits with 1 when a bar is missed."""

from __future__ import annotations

import importlib
import sys

TOPICS = ("kernels_overlap", "kernels_distance", "kernels_sequence", "kernels_shape", "suite")


def main() -> int:
    """Run the topics named on the command line, or all."""
    missed = 0
    for topic in sys.argv[1:] or TOPICS:
        for row in importlib.import_module(f"benchmarks.{topic}").rows():
            print(row, flush=True)
            missed += not row.met
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
