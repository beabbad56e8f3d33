"""polygauge check REFERENCE [PREDICTION]."""

from __future__ import annotations

import click

from polygauge.cli import options, text


@click.command("check")
@click.argument("reference", type=options.PATH)
@click.argument("prediction", type=options.PATH, required=False)
@options.coco_options
@options.as_json
@options.quiet
@options.show_traceback
def command(
    reference: str,
    prediction: str | None,
    invalid: str,
    nested: str,
    boxes: str,
    as_json: bool,
    quiet: bool,
) -> int:
    """Say what is wrong with COCO files, before anything is measured.

    REFERENCE is a COCO ground truth, PREDICTION a list of results or an object with annotations;
    JSON, packed by gzip or not. Every kind of finding is printed with its count, the first ids and
    what is assumed; -q leaves the notes out.

    Exit status: 0 nothing is wrong; 1 there are errors or warnings; 2 a file cannot be read.
    """
    from polygauge.io.coco import CocoOptions, check_document, read_coco
    from polygauge.io.output import to_json

    chosen = CocoOptions(invalid=invalid, nested=nested, boxes=boxes)  # type: ignore[arg-type]
    coco = read_coco(reference, prediction, options=chosen)
    document = check_document(coco, reference, prediction)
    if as_json:
        click.echo(to_json(document), nl=False)
    else:
        click.echo(text.check_text(document, notes=not quiet))
    return int(coco.findings.wrong)
