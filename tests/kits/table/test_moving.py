"""Asking where to go, going there, and leaving the table."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from grognard.board.table.ways import Ways
from grognard.core.ask import Option, Procedure
from grognard.core.poses import Pose, read_pose
from grognard.kits.table import moving
from grognard.kits.table.good_poses import good_poses
from grognard.kits.table.travel import LOOK_AHEAD, travel
from tests.kits.table.stands.battle import Field
from tests.kits.table.stands.moving import WISHES, CompanyArea, paces
from tests.kits.table.stands.state import Unit
from tests.kits.table.test_ground import battle


def test_an_answer_is_a_pose_or_the_key_of_something_else() -> None:
    for answer, found in (("pose 50 40 60 line", Pose(5000, 4000, 60, "line")), ("stay", "stay")):
        asking = moving.ask_pose("red", "Where?", [Option("stay", "Stay", "stay")], None, rule="2.1", meanwhile="stay")
        ask = next(asking)
        assert (ask.side, ask.rule, ask.meanwhile, ask.area) == ("red", "2.1", "stay", None)
        try:
            asking.send(answer)
        except StopIteration as done:
            assert done.value == found


def test_every_stand_goes_its_way_and_looks_as_the_pose_says() -> None:
    field = battle()
    for unit in field.units():
        area = CompanyArea(field, unit, range(len(unit.models)), rule="2.1")
        for option in list(good_poses(field, unit, area, WISHES))[:3]:
            read = read_pose(option.key)
            assert read is not None
            before = {model.id: (model.x, model.y) for model in unit.models}
            wanted = area.stand(read[1], area.ends(read[1]))
            course = moving.course_to(area, read[1])
            assert {id: path[0] for id, path in course.paths.items()} == before
            journey = moving.go(field, unit, area, read[1], watch=None, moved=field.invalidate)
            try:
                next(journey)
                raise AssertionError("nobody watches")
            except StopIteration as done:
                assert done.value.whole
            field.invalidate(unit)
            assert field.bodies(unit) == wanted
            area = CompanyArea(field, unit, range(len(unit.models)), rule="2.1")


def test_a_unit_leaves_over_an_edge_that_all_of_it_can_reach() -> None:
    field = battle()
    unit = field.units("red")[0]
    for number, model in enumerate(unit.models):
        model.x, model.y = 1500 + 600 * number, 1500
    field.invalidate(unit)
    ways = paces(field, unit)
    assert moving.ways_over(field.table, [ways], "top") is ways
    assert moving.ways_over(field.table, [ways], "right") is None
    assert moving.ways_over(field.table, [ways], "left") is None, "the last of them is too far away"
    ids = [model.id for model in unit.models]
    for (id, path), model in zip(moving.paths_over(field.table, ways, ids, "top").items(), unit.models):
        assert (id, path) == (model.id, [(model.x, 1500), (model.x, 0)])
    slow = Ways([(model.x, model.y) for model in unit.models], ways.grounds, [3000.0] * (len(ids) - 1) + [1000.0])
    assert not moving.reaches_edge(field.table, slow, "top"), "each has a limit of its own"
    table = field.table
    for edge, at in (("top", (70, 0)), ("bottom", (70, table.height)), ("left", (0, 90)), ("right", (table.width, 90))):
        assert moving.at_edge(table, edge, 70, 90) == at


class Watching:
    """Somebody who would fire wherever the unit is, and notes where that is."""

    stride, look_ahead = 500, LOOK_AHEAD

    def __init__(self, field: Field, at_end: bool) -> None:
        self.field, self.at_end = field, at_end
        self.seen: list[int] = []

    def able(self, mover: Unit) -> list[Unit]:
        return self.field.units("blue")[:1]

    def foresee(self, mover: Unit, stands: object) -> None:
        pass

    def could(self, watcher: Unit, mover: Unit) -> object:
        return object()

    def offer(self, mover: Unit, ready: Sequence[Unit]) -> Procedure[None]:
        self.seen.append(mover.models[0].x)
        return
        yield

    def stopped(self, mover: Unit) -> bool:
        return False


@pytest.mark.parametrize("at_end", [False, True])
def test_the_end_of_a_way_is_a_moment_for_those_who_watch_it(at_end: bool) -> None:
    field = battle()
    unit = field.units("red")[0]
    model = unit.models[0]
    watch = Watching(field, at_end)
    way = {model.id: [(model.x, model.y), (model.x + 1200, model.y)]}
    start = model.x
    for _ in travel(field, unit, way, {}, watch=watch, moved=field.invalidate):
        raise AssertionError("nobody is asked")
    assert [x - start for x in watch.seen] == ([500, 1000, 1200] if at_end else [500, 1000])
