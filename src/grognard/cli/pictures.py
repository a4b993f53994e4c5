"""``grognard draw``: maps and battles as SVG, GeoJSON or text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from grognard.cli.referee import check_side
from grognard.cli.writing import write_safely
from grognard.core import open_files
from grognard.core.errors import GrognardError

FORMATS = {".svg": "svg", ".geojson": "geojson", ".json": "geojson", ".txt": "txt"}


def draw_file(word: str, output: str, format: str, side: str, game: str) -> None:
    """Draw a file into another, or to stdout."""
    wanted = _format(output, format)
    path = Path(word)
    found = open_files.recognise(path) if path.exists() or path.suffix else None
    if found is not None and found.kind == "map":
        drawn = _draw_map(open_files.load_map(found.document, game), wanted)
    elif wanted == "geojson":
        drawn = _draw_map(_map_of(open_files.open_position(word, game).scenario, word), wanted)
    else:
        session = open_files.open_position(word, game)
        check_side(session, side)
        draw = session.game.draw if wanted == "svg" else session.game.draw_text
        drawn = draw(session.battle, side)
    if output == "-":
        typer.echo(drawn.rstrip("\n"))
        return
    if Path(output).exists() and path.exists() and Path(output).samefile(path):
        raise GrognardError(f"{output}: the drawing would overwrite its own source; choose another name")
    write_safely(Path(output), drawn.encode())
    typer.echo(f"Wrote {output}.")


def _format(output: str, format: str) -> str:
    known = sorted(set(FORMATS.values()))
    if format:
        if format not in known:
            raise GrognardError(f"--format: no format called {format!r}; there are {', '.join(known)}")
        return format
    if output == "-":
        return "svg"
    found = FORMATS.get(Path(output).suffix)
    if found is None:
        raise GrognardError(f"{output}: the name must end in {', '.join(FORMATS)}")
    return found


def _map_of(scenario: Any, word: str) -> Any:
    field = getattr(scenario, "battlefield", None) or getattr(scenario, "table", None)
    if field is None:
        raise GrognardError(f"{word}: it doesn't have a map to write as GeoJSON")
    return field


def _draw_map(field: Any, wanted: str) -> str:
    if wanted == "geojson":
        import json

        return json.dumps(field.to_geojson(), ensure_ascii=False, indent=1) + "\n"
    if hasattr(field, "pieces"):
        from grognard.board.table.draw_table import draw_table
        from grognard.board.table.table_text import table_text

        return draw_table(field) if wanted == "svg" else table_text(field)
    from grognard.board.hex.draw import draw_svg
    from grognard.board.hex.terminal import draw_text

    return draw_svg(field) if wanted == "svg" else draw_text(field)
