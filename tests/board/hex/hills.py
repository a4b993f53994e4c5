"""Maps with hills and woods, made at random: the same for the same number."""

from __future__ import annotations

import random

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.grid import Layout, hex_grid
from grognard.core.files import Document

#: How high each kind of terrain of these maps rises.
TALL = {"woods": 20, "orchard": 10}


def hills(seed: int, columns: int = 9, rows: int = 8, layout: Layout = "flat") -> Battlefield:
    """Hills up to 120 m, hollows among them, with woods and orchards of any shape."""
    rng, grid = random.Random(seed), hex_grid(columns, rows, layout)
    many = 1 + columns * rows // 120
    heights = {}
    for height in range(20, 140, 20):
        named: set[str] = set()
        for _ in range(many):
            named.update(grid.within(rng.choice(grid.hexes), rng.randint(1, 3 if height < 80 else 1)))
        heights[str(height)] = ", ".join(sorted(named))
    patches = []
    for _ in range(3 * many):
        around = grid.within(rng.choice(grid.hexes), rng.randint(0, 1))
        patches.append({"terrain": rng.choice(sorted(TALL)), "hexes": ", ".join(around)})
    data = {"columns": columns, "rows": rows, "layout": layout, "heights": heights, "patch": patches}
    return Battlefield.from_sketch(data, Document(data, "hills"), "map")
