"""polygauge info FILE."""

from __future__ import annotations

import click

from polygauge.cli import options, text


@click.command("info")
@click.argument("path", type=options.PATH)
@options.as_json
@options.show_traceback
def command(path: str, as_json: bool) -> None:
    """Say what is in a file: layers, CRS, columns, geometry types, bounds."""
    from dataclasses import asdict

    from polygauge.io import describe
    from polygauge.io.output import to_json

    layers = [asdict(layer) for layer in describe(path)]
    if as_json:
        click.echo(
            to_json({"schema": "polygauge.info/1", "path": path, "layers": layers}), nl=False
        )
    else:
        click.echo(text.layers_text(path, layers))
