"""Line of sight on a map of 40 x 30 hexes: a whole map at once, and kept answers, against the plain rules."""

from __future__ import annotations

import random
import timeit
from typing import Any

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.grid import hex_grid
from grognard.core.dice import ScriptedDice
from grognard.core.files import Document
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.charts import OstCharts
from grognard.games.ost.line_of_sight import look
from grognard.games.ost.optional_rules import OptionalRules
from grognard.games.ost.sight import sight
from grognard.games.ost.sight_bulk import all_pairs
from grognard.games.ost.sight_ground import Ground
from grognard.games.ost.situation import load_situation

COLUMNS, ROWS = 40, 30
TERRAIN = ("open",) * 16 + ("woods", "brush", "orchard", "wheatfield", "cemetery", "stream", "debris", "farm")


def sketch(seed: int, columns: int = COLUMNS, rows: int = ROWS) -> dict[str, Any]:
    """A countryside of hills, hedges, hamlets with drawn houses, and a little of everything."""
    rng = random.Random(seed)
    grid = hex_grid(columns, rows)
    words: dict[str, list[str]] = {}
    for hex in grid.hexes:
        words.setdefault(rng.choice(TERRAIN), []).append(hex)
    levels: dict[str, list[str]] = {"2": [], "3": [], "-1": []}
    for hex in rng.sample(grid.hexes, 12):
        levels[rng.choice(["2", "2", "3", "-1"])] += grid.within(hex, rng.randint(1, 2))
    sides: dict[str, list[str]] = {"hedge": [], "stone_wall": [], "bocage": []}
    for hex in rng.sample(grid.hexes, 250):
        sides[rng.choice(list(sides))].append(grid.hexside(hex, rng.choice(grid.adjacent[hex])))
    square = [[-0.25, -0.2], [0.25, -0.2], [0.25, 0.2], [-0.25, 0.2]]
    houses = [
        {"terrain": "heavy_structure", "hexes": hex, "level": rng.choice([1, 1, 2]), "outline": square}
        for hex in rng.sample(grid.hexes, 12)
    ] + [{"terrain": "light_structure", "hexes": hex} for hex in rng.sample(grid.hexes, 30)]
    return {
        "columns": columns,
        "rows": rows,
        "terrain": {word: ", ".join(hexes) for word, hexes in words.items()},
        "levels": {level: ", ".join(hexes) for level, hexes in levels.items() if hexes},
        "hexsides": {kind: ", ".join(these) for kind, these in sides.items()},
        "building": houses,
    }


def best(statement: Any, number: int, repeat: int = 3) -> float:
    """Seconds for one run, the best of several rounds."""
    return min(timeit.repeat(statement, number=number, repeat=repeat)) / number


def run() -> list[tuple[str, str]]:
    """Time per pair of the plain rules, of a whole map, and of a kept answer."""
    drawn = sketch(1944)
    field = Battlefield.from_sketch(drawn, Document({}, "bench"))
    assert field.grid is not None
    grid = field.grid
    pairs = len(grid.hexes) ** 2
    # The first time also works out the patterns of all displacements, which every later map shares.
    first = best(lambda: all_pairs(field, OstCharts.in_force(), OptionalRules()), 1, 1) / pairs
    bulk = best(lambda: all_pairs(field, OstCharts.in_force(), OptionalRules()), 1) / pairs

    ground = Ground(field, OstCharts.in_force(), False, frozenset())
    rng = random.Random(7)
    some = [(rng.choice(grid.hexes), rng.choice(grid.hexes)) for _ in range(2000)]

    def plain() -> None:
        for a, b in some:
            look(ground, ground.default_stance(a), ground.default_stance(b))

    def uncached() -> None:
        grid.traces.clear()
        plain()

    slow = best(uncached, 1) / len(some)
    traced = best(plain, 1) / len(some)

    units = [{"id": f"u{i}", "kind": "us_rifle", "hex": hex} for i, hex in enumerate(rng.sample(grid.hexes, 40))]
    head = {"sides": ["american", "german"], "map": drawn, "unit": units}
    battle = OstBattle(*load_situation(Document(head, "bench")), ScriptedDice([]))
    all_units = list(battle.state.units.values())

    def kept() -> None:
        for viewer in all_units:
            for target in all_units:
                sight(battle, viewer, target)

    kept()
    quick = best(kept, 3) / len(all_units) ** 2
    for hex in rng.sample(grid.hexes, 14):
        battle.state.smoke[hex] = 1
        battle.state.wrecks[rng.choice(grid.hexes)] = 1
    kept()
    smoky = best(kept, 3) / len(all_units) ** 2
    return [
        ("plain rules, nothing kept", f"{slow * 1e6:8.2f} µs a pair"),
        ("plain rules, traces kept", f"{traced * 1e6:8.2f} µs a pair"),
        (f"whole map of {pairs:,} pairs", f"{bulk * 1e6:8.2f} µs a pair ({bulk * pairs:.2f} s)"),
        ("the same, first map of a process", f"{first * 1e6:8.2f} µs a pair ({first * pairs:.2f} s)"),
        ("whole map against plain, nothing kept", f"{slow / bulk:8.0f} x (first map {slow / first:.0f} x)"),
        ("whole map against plain, traces kept", f"{traced / bulk:8.0f} x (first map {traced / first:.0f} x)"),
        ("kept answer between units", f"{quick * 1e6:8.2f} µs ({slow / quick:.0f} x)"),
        ("kept answer, smoke and wrecks about", f"{smoky * 1e6:8.2f} µs ({slow / smoky:.0f} x)"),
    ]


if __name__ == "__main__":
    for what, value in run():
        print(f"{what:40}{value}")
