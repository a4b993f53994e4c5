"""Sight over hills with contours on a map of 60 x 45 hexes: viewsheds against plain lines, and what a map costs."""

from __future__ import annotations

import random
import timeit
from typing import Any

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.grid import hex_grid
from grognard.board.hex.lattice import Lattice
from grognard.board.hex.sight import look, veiled
from grognard.board.hex.viewsheds import Viewsheds
from grognard.core.files import Document

COLUMNS, ROWS = 60, 45
TALL = {"woods": 20, "orchard": 20}


def sketch(seed: int, columns: int = COLUMNS, rows: int = ROWS) -> dict[str, Any]:
    """Hills up to 120 m with woods and orchards on them."""
    rng, grid = random.Random(seed), hex_grid(columns, rows)
    heights = {}
    for height in range(20, 140, 20):
        around = [grid.within(rng.choice(grid.hexes), rng.randint(2, 6 if height < 80 else 3)) for _ in range(12)]
        heights[str(height)] = ", ".join(sorted({hex for hexes in around for hex in hexes}))
    patches = [
        {"terrain": rng.choice(sorted(TALL)), "hexes": ", ".join(grid.within(rng.choice(grid.hexes), 1))}
        for _ in range(40)
    ]
    return {"columns": columns, "rows": rows, "heights": heights, "patch": patches}


def best(statement: Any, number: int, repeat: int = 3) -> float:
    """Seconds for one run, the best of several rounds."""
    return min(timeit.repeat(statement, number=number, repeat=repeat)) / number


def run() -> list[tuple[str, str]]:
    """Time for a map, its lattice, a viewshed and a line."""
    drawn = sketch(1944)
    reading = best(lambda: Battlefield.from_sketch(drawn, Document({}, "bench"), "map"), 1, 1)
    field = Battlefield.from_sketch(drawn, Document({}, "bench"), "map")
    assert field.grid is not None
    hexes = field.grid.hexes
    making = best(lambda: Lattice(field, TALL), 1, 1)
    lattice = Lattice(field, TALL)
    sheds, rng = Viewsheds(lattice), random.Random(7)
    first = best(lambda: sheds.row(hexes[0]), 1, 1)
    some = rng.sample(hexes, 60)
    several = best(lambda: [Viewsheds(lattice).row(hex) for hex in some], 1) / len(some)
    sides = best(lambda: [Viewsheds(lattice).row(hex, 3) for hex in some], 1) / len(some)
    pairs = [(rng.choice(hexes), rng.choice(hexes)) for _ in range(300)]
    plain = best(lambda: [look(lattice, a, b) for a, b in pairs], 1) / len(pairs)
    kept = best(lambda: [sheds.sees(some[0], some[0]) for _ in pairs], 1) / len(pairs)
    veils = set(rng.sample(hexes, 20))
    veil = best(lambda: [veiled(field.grid, a, b, 0, veils) for a, b in pairs if field.grid], 1) / len(pairs)
    whole = plain * len(hexes)
    return [
        (f"a sketch of {len(hexes):,} hexes read", f"{reading:8.2f} s"),
        ("its lattice", f"{making:8.2f} s"),
        ("the first viewshed, with the patterns of the grid", f"{first:8.2f} s"),
        ("a viewshed", f"{several * 1e3:8.2f} ms"),
        ("a viewshed of a hexside", f"{sides * 1e3:8.2f} ms"),
        ("a plain line", f"{plain * 1e6:8.2f} µs"),
        ("a viewshed against plain lines", f"{whole / several:8.0f} x"),
        ("a kept answer against a plain line", f"{plain / kept:8.0f} x"),
        ("veils on a line", f"{veil * 1e6:8.2f} µs"),
    ]


if __name__ == "__main__":
    for what, value in run():
        print(f"{what:52}{value}")
