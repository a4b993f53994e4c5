"""Areas: any pose inside the offered area is accepted and keeps every invariant; any outside is refused."""

from __future__ import annotations

from random import Random

import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from grognard.core.ask import Ask
from grognard.core.errors import IllegalError
from grognard.core.poses import Area, Polygon, Pose
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import LONG, start

Battle = tuple[str, str]

#: A polygon's corners are rounded to whole hundredths: nearer than this to its edge neither is said.
EDGE = 2.5


def _geometry(polygons: list[Polygon]) -> BaseGeometry:
    return shapely.unary_union([shapely.make_valid(shapely.Polygon(rings[0], rings[1:])) for rings in polygons])


def _points(shape: BaseGeometry, random: Random, count: int) -> list[tuple[int, int]]:
    """Random whole points within a shape."""
    found: list[tuple[int, int]] = []
    if shape.is_empty:
        return found
    left, top, right, bottom = shape.bounds
    for _ in range(60 * count):
        x, y = random.randint(int(left), int(right)), random.randint(int(top), int(bottom))
        if shapely.contains_xy(shape, x, y):
            found.append((x, y))
            if len(found) == count:
                break
    return found


def _wishes(area: Area, random: Random) -> tuple[str, int]:
    forms = [form.name for form in area.forms()] or [""]
    headings = area.headings() or range(360)
    return random.choice(forms), random.choice(list(headings))


def _asks(battle: Battle, seed: int, most: int) -> list[tuple[Session, Ask, Area]]:
    """Questions with an area from a random game: a few of each kind of unit."""
    session, player = start(*battle, seed), RandomPlayer(seed)
    found: list[tuple[Session, Ask, Area]] = []
    asked: dict[str, int] = {}
    for _ in range(600):
        ask = session.ask
        if ask is None or len(found) == most:
            break
        if (area := ask.area) is not None:
            asked[area.unit] = asked.get(area.unit, 0) + 1
            if asked[area.unit] in (1, 2, 4):
                found.append((session.fork(), ask, area))
        session.answer(player.choose(None, ask), trusted=True)
    return found


def test_a_pose_inside_is_accepted_and_one_outside_refused(battle: Battle, seed: int) -> None:
    random = Random(f"{battle} {seed}")
    for session, _, _ in _asks(battle, 20 + seed, 14 * LONG):
        assert session.ask is not None
        area = session.ask.area
        assert area is not None
        board = session.game.board(session.scenario)
        table = shapely.box(0, 0, 100 * board.width / board.step, 100 * board.height / board.step)
        form, heading = _wishes(area, random)
        shape = _geometry(area.polygons(form, heading))
        before = session.game.encode(session.state), len(session.log), session.dice.position
        for x, y in _points(table.difference(shape.buffer(EDGE)), random, 3):
            with pytest.raises(IllegalError):
                session.answer(Pose(x, y, heading, form).key(area.verb))
        assert before == (session.game.encode(session.state), len(session.log), session.dice.position)
        for x, y in _points(shape.buffer(-EDGE), random, 2):
            key = Pose(x, y, heading, form).key(area.verb)
            assert session.preview(key).legal, key
            fork = session.fork()
            fork.answer(key)
            assert not fork.game.invariants(fork.battle), key


def test_listed_poses_lie_in_the_area(battle: Battle) -> None:
    for session, _, _ in _asks(battle, 3, 10 * LONG):
        ask = session.ask
        assert ask is not None and ask.area is not None
        for option in ask.options:
            if option.verb == ask.area.verb:
                assert ask.option(option.key).unit == option.unit
                assert session.preview(option.key).legal


def test_the_pose_to_begin_with_can_be_read(battle: Battle) -> None:
    for session, _, _ in _asks(battle, 5, 6 * LONG):
        ask = session.ask
        assert ask is not None and ask.area is not None
        session.preview(ask.area.start.key(ask.area.verb), area=True)
