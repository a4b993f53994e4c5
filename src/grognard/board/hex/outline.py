"""The outline of a battlefield: where its hexes lie on the sheet, for clients that lay pieces on its picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.pieces import facing_angle
from grognard.board.hex.sheet import Sheet
from grognard.board.style import side_colour
from grognard.core.aid_views import BoardView, HexView


def outline(
    battlefield: Battlefield,
    measure: str,
    words: Callable[[str], str] = lambda _: "",
    sides: Iterable[str] = (),
    scale: float | None = None,
) -> BoardView:
    """The sheet of a battlefield in the pixels of `draw_land` with the same scale (pixels per metre).

    ``measure`` says what a step is ("hexes of 50 m", "inches"); ``words`` gives the ground of a hex as the game
    names it.
    """
    sheet, grid = Sheet(battlefield, scale), battlefield.grid
    colours = {side: side_colour(side) for side in sides}
    if grid is None:
        return BoardView(
            battlefield.name, _short(sheet.width), _short(sheet.height), _short(sheet.scale), measure, colours=colours
        )
    hexes = []
    for name in grid.hexes:
        (x, y), (q, r) = sheet.spots[name], grid.axials[name]
        hexes.append(HexView(name, _short(x), _short(y), q, r, words(name)))
    first = grid.hexes[0]
    x0, y0 = sheet.spots[first]
    corners = [(_short(x - x0), _short(y - y0)) for x, y in map(sheet.xy, grid.corners(first))]
    return BoardView(
        name=battlefield.name,
        width=_short(sheet.width),
        height=_short(sheet.height),
        step=_short(sheet.s),
        measure=measure,
        hexes=hexes,
        corners=corners,
        facings=[facing_angle(grid, facing) for facing in range(1, 7)],
        colours=colours,
    )


def _short(value: float) -> float:
    """A hundredth of a pixel is enough, as in the drawing."""
    return round(value, 2)
