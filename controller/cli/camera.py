"""`vrhcab markers` and `vrhcab calibrate`: what helps the camera: printed markers, and a lens that is straightened."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from controller.cli.files import FILE, write_whole


@click.command("markers")
@click.option("-o", "--output", required=True, type=FILE, help="SVG file to write.")
@click.option("--size", default=36.0, show_default=True, help="Side of a paper square, mm.")
def markers_command(output: Path, size: float) -> None:
    """Write a sheet with four markers to print: laid at the board's corners, they show the camera where it is."""
    from vision.finding.markers import sheet

    _write_sheet(output, sheet(size))


@click.command("calibrate")
@click.argument("images", nargs=-1, type=FILE)
@click.option("-o", "--output", type=FILE, help="Lens file to write (.json).")
@click.option("--sheet", type=FILE, help="Write the chessboard to print (SVG) instead.")
def calibrate_command(images: tuple[Path, ...], output: Path | None, sheet: Path | None) -> None:
    """Measure a lens that bends straight lines, from pictures of the printed chessboard.

    Give the file to `read --lens`, `transcribe --lens`, or as lens under [camera] in the settings.
    """
    from vision.pictures.files import load_picture
    from vision.sources.lens import MAX_PIXELS, chessboard_sheet, lens_file, measured

    if sheet is not None:
        _write_sheet(sheet, chessboard_sheet())
        return
    if not images or output is None:
        raise click.UsageError("Give pictures of the chessboard and -o LENS.json, or --sheet to print the chessboard.")
    if output.suffix.lower() != ".json":  # It may be a picture.
        raise click.ClickException(f"{output}: choose a name that ends with .json for the lens.")
    with click.progressbar(images, label="Measuring", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        lens = measured(load_picture(path, MAX_PIXELS) for path in bar)
    write_whole(output, lens_file(lens))
    click.echo(f"{output}: the lens, right within {lens.error:.2f} pixels where the chessboard was.")


def _write_sheet(output: Path, sheet: str) -> None:
    if output.suffix.lower() != ".svg":
        raise click.UsageError(f"{output}: choose a name that ends with .svg; any browser prints it.")
    write_whole(output, sheet.encode())
    click.echo(f"{output}: print it at 100 %; the sheet says how to use it.")
