"""FUBAR (4): friendly fire and panic."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import fubar
from grognard.games.bolt_action.fire_events import Shoots
from grognard.games.bolt_action.turn_events import Fubar, WentDown
from tests.games.bolt_action.play import answer, field, happened, keys, look, play, rolled, unit

SQUAD = unit("us_squad", "a1", at=(20, 40), pins=1)
#: A friend with an enemy near.
FRIEND = unit("us_mmg", "a2", at=(20, 26), die="down")
FOE = unit("ger_infantry", "g1", at=(20, 16), heading=180, die="down")
WALL = [{"kind": "building", "points": [[0, 30], [72, 30], [72, 36], [0, 36]]}]


@pytest.mark.rule("bolt_action", "4.1", "4.2", "4.5")
@pytest.mark.parametrize("face", [1, 2])
def test_friendly_fire_is_shot_at_a_friend_who_has_an_enemy_near(face: Any) -> None:
    session = play(SQUAD, FRIEND, FOE, drawn="american", dice=[6, 6, face, *[1] * 40])
    answer(session, "unit a1", "advance")
    assert happened(session, Fubar)[0].result == "friendly_fire"
    assert look(session, "a1").die == "fire"
    assert all(model.y == 4000 for model in look(session, "a1").models)
    assert look(session, "a1").pins == 1


@pytest.mark.rule("bolt_action", "4.2")
def test_the_opponent_picks_the_friend() -> None:
    other = unit("us_sniper", "a3", at=(28, 26), die="down")
    session = play(SQUAD, FRIEND, other, FOE, drawn="american", dice=[6, 6, 1])
    answer(session, "unit a1", "fire")
    assert session.ask.side == "german" and keys(session) == ["at a2", "at a3"]


@pytest.mark.rule("bolt_action", "4.3")
def test_without_an_enemy_within_twelve_inches_of_a_friend_the_unit_goes_down() -> None:
    far = unit("ger_infantry", "g1", at=(20, 10), heading=180, die="down")
    session = play(SQUAD, FRIEND, far, drawn="american", dice=[6, 6, 1])
    answer(session, "unit a1", "fire")
    assert look(session, "a1").die == "down" and happened(session, WentDown)[0].rules == ("4.3",)


@pytest.mark.rule("bolt_action", "4.5", "4.3")
def test_a_friend_who_cannot_be_seen_or_reached_is_no_target() -> None:
    behind = field(SQUAD, FRIEND, FOE, terrain=WALL)
    assert fubar.friendly_targets(behind, behind.unit("a1")) == []
    seen = field(SQUAD, FRIEND, FOE)
    assert [unit.id for unit in fubar.friendly_targets(seen, seen.unit("a1"))] == ["a2"]
    far = field(SQUAD, unit("us_mmg", "a2", at=(20, 7)), unit("ger_infantry", "g1", at=(20, 2), heading=180))
    assert fubar.friendly_targets(far, far.unit("a1")) == []


@pytest.mark.rule("bolt_action", "4.5")
def test_the_friend_may_not_go_down() -> None:
    session = play(SQUAD, unit("us_mmg", "a2", at=(20, 26)), FOE, drawn="american", dice=[6, 6, 1, *[1] * 40])
    answer(session, "unit a1", "fire")
    assert [(event.unit, event.target) for event in happened(session, Shoots)] == [("a1", "a2")]
    assert rolled(session, "to hit"), "nobody was asked before the dice"
    assert look(session, "a2").die == "" and (session.ask is None or session.ask.reaction == "")


@pytest.mark.rule("bolt_action", "4.4", "4.7")
@pytest.mark.parametrize("face", [3, 6])
def test_panic_runs_as_far_as_it_can_from_the_closest_enemy_in_sight(face: Any) -> None:
    team = unit("us_sniper", "a1", at=(36, 24), pins=1)
    session = play(
        team, unit("ger_infantry", "g1", at=(36, 10), heading=180, die="down"), drawn="american", dice=[6, 6, face]
    )
    answer(session, "unit a1", "fire")
    while session.ask is not None and session.ask.side == "american" and session.ask.prompt.startswith("What") is False:
        if look(session, "a1").models[0].y != 2400:
            break
        answer(session, keys(session)[0])
    assert happened(session, Fubar)[0].result == "panic"
    assert look(session, "a1").die in ("run", "")
    assert all(model.y > 3400 for model in look(session, "a1").models), "about twelve inches straight away"


@pytest.mark.rule("bolt_action", "4.4")
def test_who_panics_and_sees_no_enemy_goes_down() -> None:
    session = play(SQUAD, FOE, terrain=WALL, drawn="american", dice=[6, 6, 4])
    answer(session, "unit a1", "fire")
    assert happened(session, WentDown)[0].rules == ("4.4",)


@pytest.mark.rule("bolt_action", "4.6")
def test_who_panics_and_cannot_move_goes_down() -> None:
    gun = unit("us_57mm", "a1", at=(20, 40), pins=1, dug_in=True)
    session = play(gun, FOE, drawn="american", dice=[6, 6, 4])
    answer(session, "unit a1", "fire")
    assert happened(session, WentDown)[0].rules == ("4.6",)


@pytest.mark.rule("bolt_action", "4.1", "3.4")
def test_a_double_six_gives_no_order_and_removes_no_pin() -> None:
    session = play(SQUAD, FOE, terrain=WALL, drawn="american", dice=[6, 6, 4])
    answer(session, "unit a1", "rally")
    assert look(session, "a1").pins == 1


@pytest.mark.rule("bolt_action", "4.3", "4.5")
def test_ambush_fire_may_leave_nobody_who_sees_a_friend() -> None:
    # Only the man at the corner sees past the building; the ambush takes him.
    men = [(27.8, 40), (29, 40), (30.2, 40)]
    walls = [{"kind": "building", "points": [[12, 31], [29.6, 31], [29.6, 39], [12, 39]]}]
    squad = unit("us_squad", "a1", models=men, pins=1)
    friend = unit("us_mmg", "a2", models=[(30.2, 24), (31.4, 24), (32.6, 24)], die="down")
    foe = unit("ger_sniper", "g1", at=(44, 18), heading=225, die="ambush")
    battle = field(squad, friend, foe, terrain=walls)
    who = battle.unit("a1")
    assert [unit.id for unit in fubar.friendly_targets(battle, who)] == ["a2"]
    firing = fubar.friendly_fire(battle, who)
    who.die = "fire"
    asked = next(firing)
    assert "spring g1" in [option.key for option in asked.options]
    del who.models[2]
    battle.invalidate()
    assert not fubar.friendly_targets(battle, who)
    with pytest.raises(StopIteration):
        firing.send("pass")
    assert who.die == "down"
