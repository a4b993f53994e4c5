"""A handful of good poses for stands: legal, straight, and toward what matters."""

from __future__ import annotations

import math
from unittest.mock import Mock

import numpy as np
import pytest

from grognard.board.table.terrain import Kind
from grognard.core.poses import Pose, read_pose
from grognard.kits.table.good_poses import MOST, Wishes, first_free, good_poses, inside, straight_to
from grognard.kits.table.setup_rules import SetupRules
from tests.kits.table.stands.moving import WISHES, CompanyArea
from tests.kits.table.test_ground import battle


@pytest.mark.parametrize("number", range(4))
def test_they_are_legal_and_as_far_as_they_say(number: int) -> None:
    field = battle()
    unit = field.units()[number]
    area = CompanyArea(field, unit, range(len(unit.models)), rule="2.1")
    x, y = field.anchor(unit)
    found = list(good_poses(field, unit, area, WISHES))
    assert 3 <= len(found) <= MOST and len({option.key for option in found}) == len(found)
    toward = [option for option in found if " toward " in option.label]
    assert toward, "the enemy is on the table"
    for option in found:
        read = read_pose(option.key)
        assert read is not None and area.bar(read[1]) is None
        far, measure, *_ = option.label.split()
        assert measure == "cm" and option.cost == f"{far} cm"
        assert math.dist((x, y), read[1][:2]) / 100 == pytest.approx(float(far), abs=0.51)
        assert straight_to(area, [read[1]], area.ways[0]).all()
    foes = [body for foe in field.enemies(unit.side) for body in field.bodies(foe)]
    one = read_pose(toward[0].key)
    assert one is not None
    now, then = (min(math.dist(at, foe[:2]) for foe in foes) for at in ((x, y), one[1][:2]))
    assert then < now


def test_a_unit_may_keep_its_heading() -> None:
    field = battle()
    unit = field.units()[0]
    area = CompanyArea(field, unit, range(len(unit.models)), rule="2.1")
    for option in good_poses(field, unit, area, Wishes(heading=123, inch=254)):
        read = read_pose(option.key)
        assert read is not None and read[1].heading == 123


def test_out_of_a_door_nobody_is_told_of_cover() -> None:
    field = battle()
    unit = field.units()[0]
    area = CompanyArea(field, unit, range(len(unit.models)), rule="2.1")
    x, y = area.ways[0].starts[0]
    found = [option.label for option in good_poses(field, unit, area, Wishes(door=(x, y + 500), inch=254))]
    assert any("out of the door" in label for label in found) and not any("back" in label for label in found)


def test_the_first_that_is_free_is_taken() -> None:
    field = battle()
    unit = field.units()[0]
    area = CompanyArea(field, unit, range(len(unit.models)), rule="2.1")
    x, y, heading, form, *_ = area.start
    poses = [Pose(x, y + far, heading, form) for far in (-9000, -2500, -900, -500)]
    legal = [pose for pose in poses if area.allows(pose)]
    assert legal and first_free(area, poses, area.ways[0]) == legal[0]
    assert first_free(area, poses[:1], area.ways[0]) is None
    assert np.count_nonzero(straight_to(area, poses, area.ways[0])) >= len(legal)


def test_poses_inside_an_area_are_legal() -> None:
    field = battle()
    unit = field.units()[0]
    area = CompanyArea(field, unit, range(len(unit.models)), rule="2.1")
    found = list(inside(area, field.table))
    assert found
    for option in found:
        read = read_pose(option.key)
        assert read is not None and area.bar(read[1]) is None and option.place == read[1].place


@pytest.mark.parametrize(("cover", "first"), [("none", False), ("soft", True), ("hard", True)])
def test_where_a_game_says_nothing_places_in_any_cover_are_looked_for_first(cover: str, first: bool) -> None:
    assert SetupRules.shelters(Mock(), Kind("grove", "area", "open", cover)) is first
