"""Regions made of shapes: at least so many of them overlap."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import shapely

from grognard.board.table.bodies import Body, Footprint, sum_of
from grognard.board.table.regions import covered


@pytest.mark.parametrize("seed", range(20))
def test_at_least_so_many_cover_a_point(seed: int) -> None:
    random = Random(seed)
    count = random.randint(1, 14)
    foot = Footprint("rect", length=125, width=200)
    leader = Body(0, 0, 0, Footprint("disc", radius=50))
    shapes = [
        sum_of(Body(random.randrange(2000), random.randrange(2000), random.randrange(360), foot), leader, 600)
        for _ in range(count)
    ]
    points = np.array([(random.randrange(-800, 2800), random.randrange(-800, 2800)) for _ in range(400)], float)
    number = sum(shapely.intersects_xy(shape, points[:, 0], points[:, 1]).astype(int) for shape in shapes)
    for least in {1, (count + 1) // 2, count, count + 1}:
        found = covered(shapes, least)
        sure = shapely.distance(found.boundary, shapely.points(points)) > 1e-6 if not found.is_empty else ...
        inside = shapely.intersects_xy(found, points[:, 0], points[:, 1])
        assert ((number >= least) == inside)[sure].all()


def test_nothing_covers_nothing() -> None:
    assert covered([], 1).is_empty
    assert covered([shapely.box(0, 0, 1, 1)], 2).is_empty
    with pytest.raises(ValueError, match="at least one"):
        covered([], 0)
