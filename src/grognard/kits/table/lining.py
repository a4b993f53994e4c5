"""Along a wall: how men line a wall, hedge, fence or trench on the side away from the enemy.

The posts of a table, points along everything that is a line and gives cover, are worked out once and kept with it, as
are the places of so many men at a post. What is left for a question is who takes which place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table import formations, sharing
from grognard.board.table.bodies import DISC, Body, Footprint, Place, direction
from grognard.board.table.places import from_edges
from grognard.board.table.terrain import Piece, Table
from grognard.core.poses import Hand, Pose

Floats = NDArray[np.float64]

#: How far apart the posts of a line are, and how many of them are tried before the next line's turn.
STEP, TRIED = 150, 3
#: How far behind a line the middle of a man is who stands in it, as in a trench: enough to be on one side of it.
IN_IT = 3
#: Lower than this, a line is a ditch that men stand in and not a thing that they stand behind.
DITCH = 40
#: Men closer than this to where they would go are there already.
THERE = 50


class Post(NamedTuple):
    """A point of a line that men can gather about: the piece, the point, and the line's direction there."""

    piece: Piece
    x: float
    y: float
    ux: float
    uy: float


class Posts(NamedTuple):
    """The posts of a table, with their points as an array."""

    each: tuple[Post, ...]
    points: Floats


def posts(table: Table) -> Posts:
    """Every post of a table."""
    found: Posts | None = table.cache.get("posts")
    if found is None:
        each = []
        for piece in table.pieces:
            kind = table.kind(piece)
            if not kind.linear or kind.cover == "none":
                continue
            line = table.line(piece)
            steps = max(2, round(line.length / STEP))
            for number in range(1, steps):
                at = line.length * number / steps
                here, one, two = (line.interpolate(d) for d in (at, at - 1, at + 1))
                long = math.hypot(two.x - one.x, two.y - one.y) or 1.0
                each.append(Post(piece, here.x, here.y, (two.x - one.x) / long, (two.y - one.y) / long))
        points = np.array([(post.x, post.y) for post in each], dtype=np.float64).reshape(-1, 2)
        found = table.cache["posts"] = Posts(tuple(each), points)
    return found


def in_zone(table: Table, zone: Any, name: bytes, facing: int) -> list[Post]:
    """The middle posts of every line in a zone known by a name, the lines that are most to the front first."""
    key = ("posts in", name, facing)
    found: list[Post] | None = table.cache.get(key)
    if found is None:
        ux, uy = direction(facing)
        lines: dict[str, list[Post]] = {}
        for post in posts(table).each:
            if shapely.intersects_xy(zone, post.x, post.y):
                lines.setdefault(post.piece.id, []).append(post)
        middles = []
        for each in lines.values():
            order = sorted(range(len(each)), key=lambda i: (abs(i - (len(each) - 1) / 2), i))
            middles.append([each[i] for i in order[:TRIED]])
        middles.sort(key=lambda each: -(each[0].x * ux + each[0].y * uy))
        found = table.cache[key] = [post for each in middles for post in each]
    return found


def told_apart(table: Table, found: Sequence[tuple[Pose, str]]) -> list[str]:
    """The names of the lines that poses are at; lines of one name are told apart by where the men would be."""
    names = [name for _, name in found]
    return [f"{name} ({from_edges(table, pose.x, pose.y)})" if names.count(name) > 1 else name for pose, name in found]


def behind(post: Post, x: float, y: float) -> int:
    """Which way men look who are at a post so that the line is between them and a point."""
    across = post.ux * (y - post.y) - post.uy * (x - post.x)
    nx, ny = (-post.uy, post.ux) if across > 0 else (post.uy, -post.ux)
    return round(math.degrees(math.atan2(nx, -ny))) % 360


def places(
    table: Table, post: Post, heading: int, foot: Footprint, count: int, spacing: int, at_hand: float
) -> tuple[Place, ...]:
    """Where so many men stand along a line about a post, in order along it; () where too few would be at it.

    Whoever is within ``at_hand`` of a line is at it.

    Where there is no room for all they stand closer; the cover is theirs if more than half of them are at the line.
    """
    key = ("lining", post.x, post.y, heading, foot, count)
    found: tuple[Place, ...] | None = table.cache.get(key)
    if found is None:
        line = table.line(post.piece)
        low = table.height_of(post.piece) < DITCH
        stand_off = IN_IT - foot.radius if low else formations.STAND_OFF
        near = foot.radius + (stand_off + foot.radius if low else at_hand)
        # The pose is a little behind the line: rounded to the hundredth it is still on the side that is meant.
        nx, ny = direction(heading)
        x, y = round(post.x - nx * THERE), round(post.y - ny * THERE)
        men = [Body(0, 0, 0, foot)] * count
        best: tuple[int, list[Place]] = (0, [])
        for gap in (spacing, spacing // 2, 4):
            stand = formations.lay_out(
                formations.WALL,
                men,
                x,
                y,
                heading,
                gap,
                wall=post.piece.points,
                stand_off=stand_off,
            )
            at_it = int((shapely.distance(line, shapely.points(np.array(stand, dtype=np.float64))) <= near).sum())
            if at_it > best[0]:
                best = at_it, stand
            if at_it == count:
                break
        stand = best[1] if best[0] * 2 > count else []
        found = tuple(sorted(stand, key=lambda place: place[0] * post.ux + place[1] * post.uy))
        table.cache[key] = found
    return found


def shared_out(stand: Sequence[Place], men: Sequence[Body], post: Post) -> list[Place]:
    """The places of a line shared out among men in the order in which they stand along it, so that no ways cross."""
    order = sorted(range(len(men)), key=lambda i: (men[i].x * post.ux + men[i].y * post.uy, i))
    found: list[Place] = [(0, 0)] * len(men)
    for number, place in zip(order, stand):
        found[number] = place
    return found


def about(
    table: Table,
    men: Sequence[Body],
    foe: Place,
    far: float,
    spacing: int,
    at_hand: float,
    pairs: Sequence[tuple[int, int]] = (),
) -> list[tuple[Post, int, list[Place]]]:
    """Lines that men could line against an enemy with a move of at most so far: post, heading, a place for each.

    ``pairs`` stand beside each other, by number, such as a gunner and whoever serves his gun.
    The nearest line comes first, and of each the nearest posts; who lines one already is not told to.
    """
    known = posts(table)
    foot = men[0].foot
    if not known.each or any(body.foot != foot for body in men) or foot.shape != DISC:
        return []
    x, y = formations.anchor(men)
    apart = np.hypot(known.points[:, 0] - x, known.points[:, 1] - y)
    near = np.flatnonzero(apart <= far + 2 * foot.radius)
    found: list[tuple[Post, int, list[Place]]] = []
    tried: dict[str, int] = {}
    for number in near[np.argsort(apart[near], kind="stable")].tolist():
        post = known.each[number]
        id = post.piece.id
        if tried.get(id, 0) >= TRIED:
            continue
        tried[id] = tried.get(id, 0) + 1
        heading = behind(post, *foe)
        stand = places(table, post, heading, foot, len(men), spacing, at_hand)
        if not stand:
            continue
        ends = shared_out(stand, men, post)
        if pairs:
            ends = sharing.side_by_side(men, ends, pairs, spacing)
        if max(math.hypot(b.x - px, b.y - py) for b, (px, py) in zip(men, ends)) < THERE:
            tried[id] = TRIED
            continue
        found.append((post, heading, ends))
    return found


def pose(form: str, heading: int, ids: Sequence[str], ends: Sequence[Place]) -> Pose:
    """A pose in which every man is set by hand."""
    count = len(ends)
    x, y = sum(px for px, _ in ends), sum(py for _, py in ends)
    middle = (2 * x + count) // (2 * count), (2 * y + count) // (2 * count)
    return Pose(*middle, heading, form, tuple(Hand(id, px, py) for id, (px, py) in zip(ids, ends)))
