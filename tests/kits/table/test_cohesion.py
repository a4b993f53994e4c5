"""Who of a unit is near whom, and how those come back who have been left behind."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from unittest.mock import Mock

import pytest

from grognard.board.table import bodies, formations
from grognard.board.table.bodies import Body, Place, rect
from grognard.kits.table import cohesion

REACH, GAP = 250, 40


def scattered(random: Random, count: int) -> list[Body]:
    """Stands about a table, clear of each other."""
    found: list[Body] = []
    while len(found) < count:
        body = rect(random.randrange(3000), random.randrange(3000), 200, 125, random.randrange(360))
        if not bodies.overlaps(body, found):
            found.append(body)
    return found


@pytest.mark.parametrize("seed", range(20))
def test_who_is_led_is_near_the_leader_or_near_one_who_is(seed: int) -> None:
    stand = scattered(Random(seed), 9)
    near = [[bodies.gap(one, two) <= 600 for two in stand] for one in stand]
    assert cohesion.led(stand, 2, 600) == near[2]
    by_one = [any(near[2][k] and near[k][n] for k in range(len(stand))) for n in range(len(stand))]
    assert cohesion.led(stand, 2, 600, by=1) == by_one
    whole = set(next(group for group in formations.pieces(stand, 600) if 2 in group))
    assert {n for n, one in enumerate(cohesion.led(stand, 2, 600, by=len(stand))) if one} == whole


@pytest.mark.parametrize("seed", range(20))
def test_strays_are_those_outside_the_greatest_group(seed: int) -> None:
    stand = scattered(Random(seed), 9)
    ids = [f"t{n}" for n in range(len(stand))]
    groups = formations.pieces(stand, 600)
    assert cohesion.strays(cohesion.links(stand, ids, 600), ids) == len(stand) - max(map(len, groups))
    left = [ids[n] for n in range(0, len(ids), 2)]
    some = formations.pieces([stand[n] for n in range(0, len(ids), 2)], 600)
    assert cohesion.strays(cohesion.links(stand, ids, 600), left) == len(left) - max(map(len, some))


@pytest.mark.parametrize("seed", range(20))
def test_closing_up_joins_everybody_where_all_may_go_anywhere(seed: int) -> None:
    stand = scattered(Random(seed), 6)
    ends = cohesion.close_up(stand, range(6), REACH, GAP, lambda number, place: True)
    closed = [body.at(*end) for body, end in zip(stand, ends)]
    assert formations.chained(closed, REACH) and formations.clear(closed)


@pytest.mark.parametrize("seed", range(20))
def test_closing_up_keeps_to_what_a_model_may_do(seed: int) -> None:
    stand = scattered(Random(seed), 6)

    def can(number: int, place: tuple[int, int]) -> bool:
        return max(abs(place[0] - stand[number].x), abs(place[1] - stand[number].y)) <= 400

    ends = cohesion.close_up(stand, range(5), REACH, GAP, can)
    assert all(can(number, end) for number, end in enumerate(ends))
    assert ends[5] == (stand[5].x, stand[5].y), "who need not keep the chain stays"
    before, after = (
        formations.pieces([body.at(*end) for body, end in zip(stand, where)][:5], REACH)
        for where in ([(body.x, body.y) for body in stand], ends)
    )
    assert max(map(len, after)) >= max(map(len, before))
    assert formations.clear([body.at(*end) for body, end in zip(stand, ends)][:5])


# ---- who cannot come near enough -------------------------------------------------------------------------------


def coming(can: Callable[[Place], bool]) -> Place:
    """Where one who would join another 60 inches to his right stops, by where he can go."""
    return cohesion._toward(rect(0, 0, 200, 125, 0), [rect(6000, 0, 200, 125, 0)], [], can)


def test_whoever_cannot_join_goes_as_far_as_he_can_to_a_few_hundredths() -> None:
    """The way is looked at in twenty parts, and the last of them halved seven times."""
    for limit in range(301, 5800, 37):
        can = Mock(side_effect=lambda place, limit=limit: place[0] <= limit)
        end = coming(can)
        assert limit - 6000 / 20 / 2**7 - 1 < end[0] <= limit and end[1] == 0
        assert can.call_count <= 20 + 7


@pytest.mark.parametrize("part", range(1, 20))
def test_a_single_place_on_the_way_is_found_at_each_twentieth_of_it(part: int) -> None:
    assert abs(coming(lambda place: abs(place[0] - 300 * part) <= 1)[0] - 300 * part) <= 1


def test_whoever_has_no_place_on_the_way_stays() -> None:
    assert coming(lambda place: False) == (0, 0)
