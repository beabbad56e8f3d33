"""polygauge evaluate REFERENCE PREDICTION -o run/."""

from __future__ import annotations

from typing import Any

import click

from polygauge.cli import limits, options, text
from polygauge.cli.companion import companion


@click.command("evaluate")
@click.argument("reference", type=options.PATH)
@click.argument("prediction", type=options.PATH)
@options.output
@options.evaluation_options
@click.option(
    "--fail-under",
    multiple=True,
    metavar="NAME=LIMIT",
    help="Exit with 1 if a headline figure is below the limit, as iou=0.7. May be repeated.",
)
@click.option("--explain", is_flag=True, help="Print every choice that was made.")
@options.as_json
@options.config
@options.overwrite
@options.quiet
@options.verbose
@options.show_traceback
def command(
    reference: str,
    prediction: str,
    output: str | None,
    fail_under: tuple[str, ...],
    explain: bool,
    as_json: bool,
    overwrite: bool,
    quiet: bool,
    verbose: bool,
    **chosen: Any,
) -> int:
    """Compare two layers of polygons and write what was found.

    REFERENCE and PREDICTION are GeoPackage, GeoParquet, GeoJSON, Shapefile, FlatGeobuf or CSV
    files with polygons. Prints the summary; -o writes the run folder: summary.json,
    pairs.parquet, features.parquet, ledger.parquet, review.gpkg, report.html and config.toml.
    """
    from polygauge.api import run_evaluation
    from polygauge.geometry import when_compiling
    from polygauge.io.output import check_free
    from polygauge.measuring import chosen_metrics
    from polygauge.pipeline import Options

    settings = Options(**chosen)
    pair_metrics, _ = chosen_metrics(settings.recipe().metrics)
    wanted = limits.parse(fail_under, [metric.name for metric in pair_metrics])
    if output is not None:
        check_free(output, overwrite=overwrite)
    with (
        companion(settings.recipe().metrics, quiet=quiet) as compile_beside,
        when_compiling(compile_beside),
        text.progress(wanted=not (quiet or verbose)) as progress,
    ):
        result = run_evaluation(reference, prediction, settings, progress=progress)
        if output is not None:
            progress("writing", 0, 1)
            result.write(output, overwrite=overwrite)
    summary = result.summary
    if not quiet:
        text.print_messages(summary, notes=verbose or explain)
    if explain or verbose:
        text.print_policies(summary, on_error_stream=as_json or not explain)
    if as_json:
        click.echo(result.to_json(), nl=False)
    else:
        click.echo(text.summary_text(result.document()))
    if output is not None and not quiet:
        click.echo(f"wrote {output}; open {output.rstrip('/')}/report.html", err=True)
    return limits.report(wanted, summary)
