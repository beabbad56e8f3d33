"""The command: one file a verb, each imported only when it is called."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from typing import Any, NoReturn

import click

from polygauge.errors import PolygaugeError

VERBS = {
    "evaluate": "Compare two layers of polygons and write what was found.",
    "check": "Say what is wrong with COCO files, before anything is measured.",
    "info": "Say what is in a file: layers, CRS, columns, geometry.",
    "example": "Write a small made-up town as a reference and a prediction layer.",
}


class Verbs(click.Group):
    """Commands whose modules are imported when they are called, and named without it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order people need them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The verb's command, or None."""
        if name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"polygauge.cli.{name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse an unknown verb with the known ones, importing none of them."""
        if args and args[0] not in VERBS:
            raise click.UsageError(f"there is no verb {args[0]!r}; known: {', '.join(VERBS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The verbs with a line each, from the table: nothing is imported for it."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


@click.group(
    cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True
)
@click.version_option(None, "-V", "--version", package_name="polygauge")
def polygauge() -> None:
    """How good are these polygons? Metrics, matching and reports for outlines.

    The reference always comes first, then the prediction. Results go to -o; standard output is
    data, everything else is on standard error.

    Exit status: 0 done; 1 done, and the answer is no (check, --fail-under); 2 could not; 130
    interrupted.
    """


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and leave with its exit status; errors are printed, not raised."""
    argv = sys.argv[1:] if arguments is None else arguments
    try:
        status = polygauge.main(args=argv, prog_name="polygauge", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        context: Any = getattr(error, "ctx", None)
        path = context.command_path if context else "polygauge"
        _complain(error.format_message(), f"see `{path} --help`")
        status = 2
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted; nothing was written", None)
        status = 130
    except BrokenPipeError:
        # Whoever read our output has gone; Python must not complain again when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except PolygaugeError as error:
        if "--traceback" in argv:
            traceback.print_exc()
        _complain(error.message, error.hint)
        status = 2
    sys.exit(status if isinstance(status, int) else 0)


def _complain(message: str, hint: str | None) -> None:
    click.echo(f"error: {message}", err=True)
    if hint:
        click.echo(f"\nhint: {hint}", err=True)
