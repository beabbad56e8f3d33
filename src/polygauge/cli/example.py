"""polygauge example -o town/."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from polygauge.cli import options

if TYPE_CHECKING:
    from polygauge.dataset import Format


@click.command("example")
@click.option("-o", "--output", type=options.PATH, default="town", show_default=True,
              help="Folder for reference.* and prediction.*")  # fmt: skip
@click.option("--features", type=click.IntRange(min=1), default=400, show_default=True,
              help="Reference buildings.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=11, show_default=True,
              help="Another number, another town.")  # fmt: skip
@click.option("--format", "kind", type=click.Choice(["gpkg", "parquet", "geojson", "fgb"]),
              default="gpkg", show_default=True, help="File format.")  # fmt: skip
@options.overwrite
@options.quiet
@options.show_traceback
def command(
    output: str, features: int, seed: int, kind: Format, overwrite: bool, quiet: bool
) -> None:
    """Write a small made-up town as a reference and a prediction layer.

    The prediction has the faults that real ones have: a shift, cut corners, merged rows, missing
    wings, missed buildings, extra sheds, staircase edges. The same seed gives the same town.
    """
    from polygauge.dataset import write_town

    reference, prediction = write_town(
        output, features, seed=seed, format=kind, overwrite=overwrite
    )
    click.echo(f"{reference}\n{prediction}")
    if not quiet:
        click.echo(
            f"next: polygauge evaluate {reference} {prediction} --id id --score score -o run",
            err=True,
        )
