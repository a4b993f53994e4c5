"""Rolling to hit (13): the printed and the derived figures, each modifier in its tally."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import to_hit
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.fire_events import Hit
from tests.games.bolt_action.fire_play import enemy, faces, needs, shoot, tallies, us
from tests.games.bolt_action.play import field, happened, lines, piece, rolled

rule = pytest.mark.rule
MISS = (1,) * 20


def one_rifle(
    distance: float,
    kind: str = "ger_infantry",
    *,
    moved: bool = False,
    dice: tuple[int, ...] = (1,),
    **more: Any,
) -> BoltBattle:
    """A rifleman shoots at a squad that many inches away, base to base."""
    firer = {key: more.pop(key) for key in ("quality", "pins") if key in more}
    man = us("sov_rifles", at=(36, 40), men=1, quality=firer.get("quality", "regular"), pins=firer.get("pins", 0))
    other = {"men": 9} if kind == "ger_infantry" else {}  # an odd number: one stands straight ahead
    target = enemy(kind, **{"at": (36, 39 - distance), **other, **more.pop("target", {})})
    return shoot(man, target, moved=moved, dice=dice, **more)


@rule("bolt_action", "13.1", "12.3")
@pytest.mark.parametrize(("distance", "needed"), [(10, 3), (12, 3), (12.1, 4), (14, 4), (5, 2)])
def test_a_rifle_in_the_open_needs_three_and_more_or_less_by_range(distance: float, needed: int) -> None:
    battle = one_rifle(distance)
    assert needs(battle) == [needed]


@rule("bolt_action", "13.1")
@pytest.mark.parametrize(("face", "hits"), [(2, 0), (3, 1), (4, 1), (5, 1), (6, 1)])
def test_three_or_more_hits(face: int, hits: int) -> None:
    battle = one_rifle(10, dice=(face, 1))
    assert happened(battle, Hit)[0].hits == hits


@rule("bolt_action", "13.2", "13.10")
def test_point_blank_is_six_inches_or_less() -> None:
    assert lines(tallies(one_rifle(6))[0]) == {"point_blank": -1}
    assert lines(tallies(one_rifle(6.02))[0]) == {}


@rule("bolt_action", "13.4", "13.10")
def test_long_range_is_more_than_half_the_maximum() -> None:
    assert lines(tallies(one_rifle(12.02))[0]) == {"long_range": 1}


@rule("bolt_action", "13.10")
def test_point_blank_and_long_range_cancel_for_a_pistol() -> None:
    battle = shoot(us("us_sniper", men=2, die="fire"), enemy("ger_infantry", (36, 34)), moved=True, dice=(1, 1))
    pistol = next(tally for tally in tallies(battle) if "pistol" in tally.what)
    assert lines(pistol) == {"point_blank": -1, "long_range": 1}
    assert pistol.total == 3


@rule("bolt_action", "13.3", "6.2")
def test_each_pin_on_the_firer_makes_it_harder() -> None:
    assert lines(tallies(one_rifle(10, pins=2))[0]) == {"per_pin_on_firer": 2}


@rule("bolt_action", "13.5")
def test_inexperienced_men_shoot_worse() -> None:
    assert lines(tallies(one_rifle(10, quality="inexperienced"))[0]) == {"inexperienced": 1}


@rule("bolt_action", "13.6", "2.2")
def test_fire_on_the_move_is_harder() -> None:
    battle = one_rifle(14, moved=True)
    assert needs(battle) == [5]
    assert lines(tallies(battle)[0]) == {"long_range": 1, "fire_on_the_move": 1}


@rule("bolt_action", "13.7", "2.6")
def test_men_who_are_down_are_harder_to_hit() -> None:
    assert lines(tallies(one_rifle(10, target={"die": "down"}))[0]) == {"target_down": 1}


@rule("bolt_action", "13.7")
def test_a_vehicle_gains_nothing_by_being_down() -> None:
    assert lines(tallies(one_rifle(8, "ger_truck", target={"die": "down"}))[0]) == {}


@rule("bolt_action", "13.8", "7.4")
@pytest.mark.parametrize(
    ("kind", "men", "small"), [("ger_infantry", 2, True), ("ger_infantry", 3, False), ("ger_2lt", 1, True)]
)
def test_one_or_two_men_are_a_small_unit(kind: str, men: int, small: bool) -> None:
    battle = one_rifle(10, kind, target={"men": men})
    assert ("small_unit" in lines(tallies(battle)[0])) is small


@rule("bolt_action", "7.4")
def test_the_gun_is_not_counted_and_a_vehicle_is_never_small() -> None:
    models = [{"id": "gun", "at": (36, 28)}, {"id": "m1", "at": (35, 26)}, {"id": "m2", "at": (37, 26)}]
    gun = one_rifle(9, "ger_pak40", target={"at": (36, 28), "models": models})
    assert "small_unit" in lines(tallies(gun)[0])
    assert "small_unit" not in lines(tallies(one_rifle(8, "ger_truck"))[0])


@rule("bolt_action", "13.9", "11.6")
@pytest.mark.parametrize(("kind", "cover"), [("hedge", {"soft_cover": 1}), ("stone_wall", {"hard_cover": 2})])
def test_cover_is_soft_or_hard_and_never_both(kind: str, cover: dict[str, int]) -> None:
    terrain = [piece("crops", (20, 27), (52, 27), (52, 31), (20, 31)), piece(kind, (20, 29.7), (52, 29.7))]
    battle = one_rifle(10, terrain=terrain)
    assert lines(tallies(battle)[0]) == cover


@rule("bolt_action", "13.11")
def test_a_natural_one_always_misses_so_two_is_the_best() -> None:
    battle = one_rifle(5, dice=(1,))
    assert needs(battle) == [2]
    assert happened(battle, Hit)[0].hits == 0
    assert to_hit.hit_faces(2) == (0, 1, 1, 1, 1, 1)


@rule("bolt_action", "13.12", "13.1")
def test_from_seven_on_a_six_must_be_followed_by_a_six() -> None:
    """Inexperienced, two pins, on the move, long range, hard cover: 3+1+2+1+1+2 = 10."""
    wall = [piece("stone_wall", (20, 25.7), (52, 25.7))]
    worst: dict[str, Any] = {"quality": "inexperienced", "pins": 2, "moved": True, "terrain": wall}
    battle = one_rifle(14, dice=(6, 6, 1), **worst)
    assert needs(battle) == [10]
    assert faces(battle, "six after six to hit") == [(6,)]
    assert happened(battle, Hit)[0].hits == 1
    battle = one_rifle(14, dice=(6, 5), **worst)
    assert happened(battle, Hit)[0].hits == 0
    battle = one_rifle(14, dice=(5,), **worst)
    assert faces(battle, "six after six to hit") == []


@rule("bolt_action", "13.12")
def test_needing_seven_is_six_then_six_and_six_is_just_a_six() -> None:
    assert to_hit.hit_faces(6) == (0, 0, 0, 0, 0, 1)
    assert to_hit.hit_faces(7) == (0, 0, 0, 0, 0, 2)


@rule("bolt_action", "13.13", "17.4")
def test_a_team_weapon_with_one_man_shoots_worse() -> None:
    battle = shoot(us("us_mmg", men=1), enemy("ger_infantry", (36, 26)), dice=MISS)
    assert lines(tallies(battle)[0]) == {"single_crew": 1}
    battle = shoot(us("us_mmg", men=2), enemy("ger_infantry", (36, 26)), dice=MISS)
    assert lines(tallies(battle)[0]) == {}


@rule("bolt_action", "17.3", "13.6")
def test_an_smg_on_the_move_at_five_inches_needs_two() -> None:
    battle = shoot(us("sov_smg_squad", men=1), enemy("ger_infantry", (36, 34)), moved=True, dice=(1, 1))
    assert needs(battle) == [2]
    assert lines(tallies(battle)[0]) == {"point_blank": -1}


@rule("bolt_action", "13.4")
def test_an_smg_at_eight_inches_needs_four() -> None:
    battle = shoot(us("sov_smg_squad", men=1), enemy("ger_infantry", (36, 31)), dice=(1, 1))
    assert needs(battle) == [4]


@rule("bolt_action", "13.1")
def test_where_there_is_nothing_to_throw_nobody_throws() -> None:
    battle = field(us("us_squad"), enemy("ger_infantry", (36, 22)), sides=["american", "german"])
    assert to_hit.throw(battle, "american", "to hit", [], again="six", words=("hits", "six", "hits")) == (0, 0)
    assert not rolled(battle)
