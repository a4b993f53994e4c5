"""The board as text: for terminals, tests and screen readers."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters

from grognard.board.hex.battlefield import GROUND, OPEN, Battlefield
from grognard.board.hex.grid import HexGrid
from grognard.board.hex.pieces import Counter, Marker, Place
from grognard.board.style import style

#: The letters of a cell, the gap to the next one among them.
USUAL = 9


def draw_text(
    battlefield: Battlefield,
    counters: Sequence[Counter] = (),
    markers: Sequence[Marker] = (),
    *,
    width: int = 0,
    legend: bool = True,
) -> str:
    """The board as monospace text: each hex a cell of two lines, staggered as the hexes are.

    The upper line holds the hex, its terrain's letter, its level or its height and "=" for a road; the lower one
    the ids of what stands there, as many as fit. A legend explains the letters and the pieces. A cell has 9 letters,
    or as many as the longest upper line needs, unless a ``width`` is given.
    """
    standing: dict[Place, list[str]] = {}
    for counter in counters:
        standing.setdefault(counter.place, []).append(_plain(counter.id))
    for marker in markers:
        standing.setdefault(marker.place, []).append(_plain(f"*{marker.text or marker.kind}"))
    grid = battlefield.grid
    lines: list[str] = []
    if grid is not None:
        lines = _cells(battlefield, grid, standing, width or _width(battlefield, grid))
    if legend:
        lines += _legend(battlefield, counters, markers)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _cells(field: Battlefield, grid: HexGrid, standing: dict[Place, list[str]], width: int) -> list[str]:
    flat = grid.layout == "flat"
    left, top, right, bottom = grid.window
    height = 2 * (bottom - top + 1) + (1 if flat else 0)
    breadth = (right - left + 1) * width + (0 if flat else width // 2)
    canvas = [[" "] * breadth for _ in range(height)]
    letters = letters_of(field)
    for name in grid.hexes:
        column, row = grid.position(name)
        # Of 1-based numbers the even ones are the 0-based odd ones.
        shoved = (column if flat else row) % 2 == (1 if grid.shove == "even" else 0)
        x = (column - left) * width + (width // 2 if shoved and not flat else 0)
        y = 2 * (row - top) + (1 if shoved and flat else 0)
        for number, text in enumerate((_ground(field, name, letters), _crowd(standing.get(name, []), width - 1))):
            for offset, letter in enumerate(text[: width - 1]):
                canvas[y + number][x + offset] = letter
    return ["".join(line) for line in canvas]


def _width(field: Battlefield, grid: HexGrid) -> int:
    """The letters of a cell: more than usual only where heights are told."""
    letters = letters_of(field)
    longest = max(len(_ground(field, name, letters)) for name in grid.hexes) if field.contoured else 0
    return max(USUAL, longest + 1)


def _ground(field: Battlefield, name: str, letters: dict[str, str]) -> str:
    level, road = field.level[name], "=" if field.roads[name] else ""
    high = str(field.relief.dot[name]) if field.contoured else "" if level == GROUND else str(level)
    return f"{name} {letters[field.terrain[name]]}{high}{road}"


def letters_of(field: Battlefield) -> dict[str, str]:
    """A letter for each kind of terrain on the map, no two the same as far as letters go."""
    found: dict[str, str] = {}
    for kind in sorted(set(field.terrain.values()), key=lambda kind: (kind != OPEN, kind)):
        own = [letter for letter in kind if letter.isalpha()]
        choices = [style("terrain", kind)["letter"], *own, *(letter.upper() for letter in own), *ascii_letters]
        found[kind] = next((each for each in choices if each not in found.values()), choices[0])
    return found


def _crowd(names: list[str], room: int) -> str:
    """Names with commas as far as there is room, then how many more there are."""
    text = ",".join(names)
    for kept in range(len(names) - 1, -1, -1):
        if len(text) <= room:
            break
        text = ",".join([*names[:kept], f"+{len(names) - kept}"])
        if kept == 0:
            text = f"+{len(names)}" if len(names) > 1 else names[0][:room]
    return text


def _plain(text: str) -> str:
    """Text without line breaks and other control characters, which would tear the drawing apart."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _legend(field: Battlefield, counters: Sequence[Counter], markers: Sequence[Marker]) -> list[str]:
    lines = [""]
    if field.terrain:
        letters = [f"{letter} {_plain(kind.replace('_', ' '))}" for kind, letter in letters_of(field).items()]
        marks = ["digit level"] if set(field.level.values()) != {GROUND} else []
        marks += ["= road"] if any(field.roads.values()) else []
        lines.append("Terrain: " + ", ".join(letters + marks))
    sides: dict[str, list[str]] = {}
    for side, kind in field.hexsides.items():
        sides.setdefault(kind, []).append(side)
    for kind, found in sorted(sides.items()):
        lines.append(f"{_plain(kind.replace('_', ' ')).capitalize()}: {', '.join(found)}")
    for name, text in field.labels.items():
        lines.append(f"{name} is {_plain(text)}")
    for counter in counters:
        facing = f"facing {counter.facing}" if counter.facing else ""
        words = [counter.name or counter.symbol, counter.side, counter.values, facing, *counter.markers]
        lines.append(
            f"{_plain(counter.id)} {_where(counter.place)}: {', '.join(_plain(word) for word in words if word)}"
        )
    for marker in markers:
        text = " ".join(word for word in (marker.side, marker.kind.replace("_", " "), marker.text) if word)
        lines.append(f"* {_where(marker.place)}: {_plain(text)}")
    return lines


def _where(place: Place) -> str:
    return f"at {place}" if isinstance(place, str) else f"at ({place[0]:g}, {place[1]:g})"
