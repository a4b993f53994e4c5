"""Sight between two squads of twelve on a crowded table: arrays against the plain rules, and what a scene costs."""

from __future__ import annotations

import random
import timeit
from typing import Any

import numpy as np
import shapely

from grognard.board.table.bodies import Body, Footprint
from grognard.board.table.lines import spans
from grognard.board.table.scene import Scene
from grognard.board.table.sight import sight, sight_plain, trace, visible_outline
from grognard.board.table.terrain import Kind, Piece, Table

MAN = Footprint("disc", radius=50, height=120, eye=110)
TANK = Footprint("rect", length=430, width=210, height=200, eye=200)
KINDS = {
    kind.name: kind
    for kind in (
        Kind("woods", "area", "rough", "soft", "no_through", 400, 600),
        Kind("crops", "area", "open", "soft", "clear", 80),
        Kind("hill", "area", "open", "none", "crest", 200),
        Kind("building", "area", "building", "hard", "blocks", 400),
        Kind("hedge", "line", "obstacle", "soft", "clear", 100),
        Kind("bocage", "line", "obstacle", "hard", "blocks", 250, anti_tank=True),
    )
}
WORDS = ("woods",) * 6 + ("building",) * 6 + ("hedge",) * 5 + ("bocage",) * 3 + ("crops",) * 3 + ("hill",) * 2


def countryside(seed: int) -> Scene:
    """A table of 72 x 48 with 25 pieces and 8 tanks."""
    rng = random.Random(seed)
    pieces = []
    for number, kind in enumerate(WORDS):
        # One piece to each field of a chessboard, so that the table is full but not heaped up.
        x, y = 200 + number % 7 * 1000 + rng.randint(0, 200), 200 + number // 7 * 1150 + rng.randint(0, 200)
        a, b = rng.randint(400, 650), rng.randint(400, 650)
        points: tuple[tuple[int, int], ...] = (
            (x, y),
            (x + a, y + 40),
            (x + a, y + b),
            (x + a // 2, y + b + 60),
            (x, y + b),
        )
        if KINDS[kind].linear:
            points = ((x, y), (x + a, y + b // 2), (x + a, y + b))
        pieces.append(Piece(f"{kind}-{number}", kind, points))
    hulls = [Body(rng.randint(300, 6900), rng.randint(300, 4500), rng.randrange(360), TANK) for _ in range(8)]
    return Scene(Table("bench", 7200, 4800, KINDS, pieces, measure="inch"), hulls)


def squad(rng: random.Random, x: int, y: int) -> list[Body]:
    """Twelve men in three ragged ranks."""
    return [Body(x + 150 * (n % 4) + rng.randint(-20, 20), y + 150 * (n // 4), 0, MAN) for n in range(12)]


def best(statement: Any, number: int, repeat: int = 5) -> float:
    """Seconds for one run, the best of several rounds: short ones, that nothing else comes between."""
    return min(timeit.repeat(statement, number=number, repeat=repeat)) / number


def _one_by_one(areas: list[Any], starts: Any, ends: Any) -> list[float]:
    lines = [shapely.LineString(ends) for ends in zip(starts, ends)]
    return [line.intersection(area).length for line in lines for area in areas]


def run() -> list[tuple[str, str]]:
    """Milliseconds for 12 x 12 models: the mean over several pairs of squads."""
    rng = random.Random(1944)
    scene = countryside(1944)
    pairs = [
        (squad(rng, rng.randint(500, 6000), 300), squad(rng, rng.randint(500, 6000), rng.randint(2500, 4200)))
        for _ in range(12)
    ]
    looks = [([scene.eye(man) for man in one], two) for one, two in pairs]
    sight(scene, *looks[0])
    quick = sum(best(lambda look=look: sight(scene, *look), 1, 40) for look in looks) / len(looks)  # type: ignore[misc]
    plain = sum(best(lambda look=look: sight_plain(scene, *look), 1, 2) for look in looks[:4]) / 4  # type: ignore[misc]
    eyes, men = looks[0]
    rays = np.random.default_rng(3).uniform(0, 4800, (2, 1200, 2))
    areas = [scene.table.area(piece) for piece in scene.table.pieces]
    many = [man for _, two in pairs[:8] for man in two]
    return [
        ("12 x 12 models, plain rules", f"{plain * 1e3:.0f} ms"),
        ("12 x 12 models, arrays", f"{quick * 1e3:.2f} ms"),
        ("faster", f"{plain / quick:.0f} times"),
        ("12 models and 8 squads", f"{best(lambda: sight(scene, eyes, many), 1, 20) * 1e3:.1f} ms"),
        ("one model and another", f"{best(lambda: sight(scene, eyes[:1], men[:1]), 1, 100) * 1e3:.2f} ms"),
        ("a new scene of 8 vehicles", f"{best(lambda: Scene(scene.table, scene.blockers).mesh, 1, 100) * 1e3:.2f} ms"),
        ("a line explained", f"{best(lambda: trace(scene, eyes[0], men[0]), 1, 20) * 1e3:.1f} ms"),
        ("1,200 lines through 25 pieces", f"{best(lambda: spans(scene.table, *rays), 1, 10) * 1e3:.1f} ms"),
        ("100 of them by Shapely", f"{best(lambda: _one_by_one(areas, *rays[:, :100]), 1, 3) * 1e3:.1f} ms"),
        ("a field of view of 24 in", f"{best(lambda: visible_outline(scene, eyes[0], 2400), 1, 10) * 1e3:.1f} ms"),
    ]
