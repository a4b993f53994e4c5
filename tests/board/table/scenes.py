"""Tables and scenes to look across: the usual kinds, and random countrysides from a seed."""

from __future__ import annotations

import math
import random

from shapely import Polygon

from grognard.board.table.bodies import Body, Footprint
from grognard.board.table.scene import Eye, Mark, Scene
from grognard.board.table.templates import Disc, Square, Strip, Template
from grognard.board.table.terrain import Kind, Piece, Table

MAN = Footprint("disc", radius=50, height=120, eye=110)
TANK = Footprint("rect", length=430, width=210, height=200, eye=200)
GUN = Footprint("rect", length=280, width=160, height=100, eye=90)

KINDS = {
    kind.name: kind
    for kind in (
        Kind("woods", "area", "rough", "soft", "no_through", 400, 600),
        Kind("orchard", "area", "rough", "soft", "clear", 300),
        Kind("crops", "area", "open", "soft", "clear", 80),
        Kind("rocks", "area", "rough", "hard", "clear", 100),
        Kind("ruins", "area", "rough", "hard", "no_through", 300, 600),
        Kind("hill", "area", "open", "none", "crest", 200),
        Kind("building", "area", "building", "hard", "blocks", 400),
        Kind("hedge", "line", "obstacle", "soft", "clear", 100),
        Kind("stone_wall", "line", "obstacle", "hard", "clear", 80),
        Kind("bocage", "line", "obstacle", "hard", "blocks", 250, anti_tank=True),
        Kind("trench", "line", "obstacle", "hard", "clear", 20),
        Kind("road", "line", "road", width=300),
    )
}
AREAS = [kind.name for kind in KINDS.values() if not kind.linear]
LINES = [kind.name for kind in KINDS.values() if kind.linear]


def table(*pieces: tuple[str, list[tuple[float, float]]], width: float = 72, height: float = 48) -> Table:
    """A table with pieces given in inches; the first hedge is "hedge-1", and so on."""
    found: list[Piece] = []
    for kind, points in pieces:
        number = 1 + sum(piece.kind == kind for piece in found)
        found.append(Piece(f"{kind}-{number}", kind, tuple((round(x * 100), round(y * 100)) for x, y in points)))
    return Table("test", round(width * 100), round(height * 100), KINDS, found, measure="inch")


def box(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    """The corners of a rectangle."""
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def man(x: float, y: float) -> Body:
    """A man, in inches."""
    return Body(round(x * 100), round(y * 100), 0, MAN)


def tank(x: float, y: float, heading: int = 0) -> Body:
    """A medium tank, in inches."""
    return Body(round(x * 100), round(y * 100), heading, TANK)


def random_scene(rng: random.Random, *, pieces: int = 25, hulls: int = 6, grid: int = 1) -> Scene:
    """A countryside of pieces that may well overlap, on a lattice of ``grid`` hundredths, so that things touch."""
    width, height = 7200, 4800
    found: list[Piece] = []

    def at(low: float, high: float) -> int:
        return min(max(round(rng.uniform(low, high) / grid) * grid, 0), round(high / grid) * grid)

    while len(found) < pieces:
        kind = rng.choice([*AREAS, *LINES, "building", "woods", "hedge", "bocage"])
        x, y = at(300, width - 300), at(300, height - 300)
        ident = f"{kind}-{len(found) + 1}"
        if KINDS[kind].linear:
            low, high = (max(0, x - 900), max(0, y - 900)), (min(width, x + 900), min(height, y + 900))
            points = [(x, y)]
            points += [(at(low[0], high[0]), at(low[1], high[1])) for _ in range(rng.randint(1, 4))]
            if len(set(points)) < len(points):
                continue
            found.append(Piece(ident, kind, tuple(points), height=rng.choice([-1, -1, -1, 180])))
            continue
        corners = rng.randint(3, 8)
        turns = sorted(rng.uniform(0, math.tau) for _ in range(corners))
        if rng.random() < 0.4:
            a, b = max(grid, at(200, 800)), max(grid, at(200, 800))
            ring = [(x, y), (x + a, y), (x + a, y + b), (x, y + b)]
        else:
            ring = []
            for turn in turns:
                far = rng.uniform(150, 900)
                ring.append(
                    (x + round(far * math.cos(turn) / grid) * grid, y + round(far * math.sin(turn) / grid) * grid)
                )
        shape = Polygon(ring)
        if len(set(ring)) < len(ring) or not shape.is_valid or shape.area < 5000:
            continue
        if not all(0 <= a <= width and 0 <= b <= height for a, b in ring):
            continue
        openings = tuple(sorted(rng.sample(range(len(ring)), rng.randint(1, len(ring))))) if rng.random() < 0.5 else ()
        found.append(Piece(ident, kind, tuple(ring), openings, height=rng.choice([-1, -1, -1, 90, 250])))
    field = Table("random", width, height, KINDS, found, measure="inch")
    blockers = [
        Body(at(0, width), at(0, height), rng.choice([0, 90, 37, rng.randrange(360)]), TANK) for _ in range(hulls)
    ]
    return Scene(field, blockers, [cloud(rng, at(0, width), at(0, height)) for _ in range(rng.randint(0, 3))])


def cloud(rng: random.Random, x: int, y: int) -> Template:
    """Smoke of any outline."""
    turn = rng.choice([0, 90, 45, rng.randrange(360)])
    clouds: list[Template] = [
        Disc(x, y, rng.randint(100, 400)),
        Square(x, y, rng.randint(100, 800), turn),
        Strip(x, y, turn, rng.randint(200, 1500), rng.randint(50, 400)),
    ]
    return rng.choice(clouds)


def random_group(rng: random.Random, scene: Scene, count: int, *, grid: int = 1, tight: bool = True) -> list[Mark]:
    """Models near each other: men, now and then a gun or one of the scene's own vehicles, or men in a building."""
    width, height = scene.table.width, scene.table.height
    x, y = rng.randint(200, width - 200), rng.randint(200, height - 200)
    houses = [piece for piece in scene.table.pieces if piece.kind == "building"]
    found: list[Mark] = []
    for _ in range(count):
        spread = 400 if tight else 4000
        mx, my = x + rng.randint(-spread, spread), y + rng.randint(-spread, spread)
        place = round(min(max(mx, 50), width - 50) / grid) * grid, round(min(max(my, 50), height - 50) / grid) * grid
        pick = rng.random()
        if houses and pick < 0.08:
            house = rng.choice(houses)
            inner = Polygon(house.points).representative_point()
            found.append(Mark(Body(round(inner.x), round(inner.y), 0, MAN), house.id))
        elif scene.blockers and pick < 0.14:
            found.append(Mark(rng.choice(scene.blockers)))
        elif pick < 0.2:
            found.append(Mark(Body(*place, rng.randrange(360), GUN)))
        else:
            found.append(Mark(Body(*place, 0, MAN)))
    return found


def eyes_of(scene: Scene, marks: list[Mark]) -> list[Eye]:
    """The eyes of some models."""
    return [scene.eye(mark.body, mark.inside) for mark in marks]
