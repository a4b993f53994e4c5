"""Where ten men can go on a crowded table of 72 x 48 inches: the whole region, and points for random play."""

from __future__ import annotations

import random
import time
import timeit
from collections.abc import Callable
from typing import Any

import numpy as np
import shapely
from shapely import affinity

from grognard.board.table.bodies import Body, disc, rect, shape
from grognard.board.table.drive import Drive
from grognard.board.table.reach import Obstacles, Reach, common

WIDTH, HEIGHT = 7200, 4800
PIECES, MODELS, MEN = 30, 100, 10
RADIUS, ROOM = 50, 100
RUN, ADVANCE = 1200, 600


def crowd(seed: int) -> tuple[list[Any], list[Body], list[Body], list[Body]]:
    """Terrain that stops a run, a unit of ten in its midst, its friends, and its enemies."""
    rng = random.Random(seed)
    men = [disc(3300 + 150 * (i % 5), 2300 + 150 * (i // 5), RADIUS) for i in range(MEN)]
    room = shapely.unary_union([shape(man, 30) for man in men])
    pieces: list[Any] = []
    while len(pieces) < PIECES:
        x, y, w, h = rng.randrange(WIDTH), rng.randrange(HEIGHT), rng.randint(200, 700), rng.randint(20, 500)
        if len(pieces) % 3:
            piece = affinity.rotate(shapely.box(x, y, x + w, y + h), rng.randrange(360))
        else:
            around = sorted(rng.sample(range(360), 9))
            piece = shapely.Polygon(
                [(x + w / 2 * np.cos(np.radians(a)), y + w / 2 * np.sin(np.radians(a))) for a in around]
            ).convex_hull
        if not piece.buffer(RADIUS).intersects(room):
            pieces.append(piece)
    friends: list[Body] = []
    enemies: list[Body] = []
    while len(friends) + len(enemies) < MODELS - MEN:
        side, near = (friends, 500) if len(friends) < 40 else (enemies, RADIUS + ROOM)
        x, y = rng.randint(300, WIDTH - 300), rng.randint(300, HEIGHT - 300)
        squad = [disc(x + 140 * (i % 5), y + 140 * (i // 5), RADIUS) for i in range(10)]
        if not any(shape(man, near).intersects(room) for man in squad):
            side += squad
    return pieces, men, friends, enemies


def best(statement: Callable[[], object], number: int = 1, repeat: int = 5) -> float:
    """Seconds of the processor for one run, the best of several rounds: other work on the machine counts less."""
    return min(timeit.repeat(statement, timer=time.process_time, number=number, repeat=repeat)) / number


def scattered() -> float:
    """Seconds for the region of ten men who stand up to 20 inches from each other, on average over tables."""
    spent: list[float] = []
    for seed in range(6):
        pieces, _, friends, enemies = crowd(seed)
        rng = random.Random(seed)
        blocked = [piece.buffer(RADIUS, quad_segs=4) for piece in pieces]
        blocked += [shape(enemy, RADIUS + ROOM) for enemy in enemies]
        no_end = shapely.unary_union([shape(friend, RADIUS + ROOM) for friend in friends])
        ground, starts = Obstacles(WIDTH, HEIGHT, blocked), list[tuple[int, int]]()
        while len(starts) < MEN:
            x, y = rng.randint(2300, 4300), rng.randint(1300, 3300)
            if ground.free(x, y):
                starts.append((x, y))
        offsets = [(150 * (i % 5), 150 * (i // 5)) for i in range(MEN)]

        def region(blocked: Any = blocked, starts: Any = starts, no_end: Any = no_end, offsets: Any = offsets) -> int:
            obstacles = Obstacles(WIDTH, HEIGHT, blocked)
            return len(common([Reach(obstacles, start, RUN, no_end=no_end) for start in starts], offsets))

        spent.append(best(region))
    return sum(spent) / len(spent)


def run() -> list[tuple[str, str]]:
    """Time of a unit's region, of single points, and of a vehicle's courses."""
    rows: list[tuple[str, str]] = []
    offsets = [(150 * (i % 5), 150 * (i // 5)) for i in range(MEN)]
    worst = {RUN: 0.0, ADVANCE: 0.0}
    yardstick = quick = straight = 0.0
    for seed in range(4):
        pieces, men, friends, enemies = crowd(seed)
        blocked = [piece.buffer(RADIUS, quad_segs=4) for piece in pieces]
        blocked += [shape(enemy, RADIUS + ROOM) for enemy in enemies]
        no_end = shapely.unary_union([shape(friend, RADIUS + ROOM) for friend in friends])
        yardstick = max(yardstick, best(lambda blocked=blocked: shapely.unary_union(blocked)))

        def region(far: int, blocked: Any = blocked, men: Any = men, no_end: Any = no_end) -> int:
            obstacles = Obstacles(WIDTH, HEIGHT, blocked)
            reaches = [Reach(obstacles, (man.x, man.y), far, no_end=no_end) for man in men]
            return len(common(reaches, offsets))

        for far in worst:
            worst[far] = max(worst[far], best(lambda far=far, region=region: region(far)))

        rng = np.random.default_rng(seed)
        points = np.array([men[0].x, men[0].y]) + rng.uniform(-RUN, RUN, (200, 2))

        def many(blocked: Any = blocked, men: Any = men, no_end: Any = no_end, points: Any = points) -> object:
            return Reach(Obstacles(WIDTH, HEIGHT, blocked), (men[0].x, men[0].y), RUN, no_end=no_end).straight(points)

        reach = Reach(Obstacles(WIDTH, HEIGHT, blocked), (men[0].x, men[0].y), RUN, no_end=no_end)
        reach.straight(points)
        quick = max(quick, best(many))
        straight = max(straight, best(lambda reach=reach, points=points: reach.straight(points), 10))
    rows.append(("region of ten scattered men, run, on average", f"{scattered() * 1e3:8.1f} ms"))
    tank = rect(3300, 2300, 600, 300, 30)
    hulls = [shape(body) for body in [*friends, *enemies]] + pieces

    def drive() -> object:
        return Drive(tank, hulls, WIDTH, HEIGHT, 900, 1).limits

    rows.append(("region of ten men, run (goal 50 ms)", f"{worst[RUN] * 1e3:8.1f} ms"))
    rows.append(("region of ten men, advance", f"{worst[ADVANCE] * 1e3:8.1f} ms"))
    rows.append(
        ("run against merging the obstacles once", f"{worst[RUN] / yardstick:8.1f} x ({yardstick * 1e3:.2f} ms)")
    )
    rows.append(("200 points in a straight line", f"{straight * 1e3:8.2f} ms"))
    rows.append(("the same with the obstacles set up", f"{quick * 1e3:8.2f} ms"))
    rows.append(("courses of a vehicle", f"{best(drive) * 1e3:8.2f} ms"))
    return rows


if __name__ == "__main__":
    for what, value in run():
        print(f"{what:42}{value}")
