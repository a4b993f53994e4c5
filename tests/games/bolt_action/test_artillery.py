"""Artillery and Fixed weapons on the move (17.5, 23.1, 23.3)."""

from __future__ import annotations

import pytest

from grognard.board.table import bodies, formations
from grognard.core.errors import IllegalError
from grognard.core.poses import Hand, Pose
from grognard.games.bolt_action import advance_and_run, artillery, movement
from grognard.games.bolt_action.move_events import Moved, Turned
from tests.games.bolt_action.play import answer, box, field, happened, keys, look, play, run, unit

FOE = unit("ger_2lt", "g1", at=(5, 5))


@pytest.mark.rule("bolt_action", "17.5", "23.3")
@pytest.mark.parametrize("kind", ["us_mmg", "us_mortar_medium", "us_57mm", "us_105"])
def test_a_fixed_weapon_turns_on_the_spot_with_advance(kind: str) -> None:
    session = play(unit(kind, "a1", at=(30, 30)), FOE, drawn="american", seed=b"guns")
    answer(session, "unit a1", "advance")
    assert session.ask is not None and session.ask.area is not None
    x, y = session.battle.anchor(look(session, "a1"))  # type: ignore[attr-defined]
    with pytest.raises(IllegalError, match=r"\[17\.5\]"):
        session.answer("pose 30 26 0")
    answer(session, f"pose {x / 100:g} {y / 100:g} 137")
    who = look(session, "a1")
    assert who.models[0].heading == 137 and who.moved == 1
    assert [event.heading for event in happened(session, Turned)] == [137]
    assert not happened(session, Moved)


@pytest.mark.rule("bolt_action", "17.5")
def test_eight_headings_are_listed() -> None:
    session = play(unit("us_mmg", "a1", at=(30, 30)), FOE, drawn="american", seed=b"guns")
    answer(session, "unit a1", "advance")
    assert len(keys(session, "pose")) == 7, "the eighth is the one it has"
    answer(session, keys(session, "pose")[1])
    assert look(session, "a1").models[0].heading == 90


@pytest.mark.rule("bolt_action", "23.3")
@pytest.mark.parametrize(
    ("kind", "far"),
    [("us_mmg", 12), ("us_hmg", 12), ("us_mortar_medium", 12), ("sov_mortar_heavy", 6), ("us_57mm", 6), ("gb_2pdr", 6)],
)
def test_how_far_weapons_are_moved_by_hand(kind: str, far: int) -> None:
    battle = field(unit(kind, "a1", at=(30, 30)), FOE)
    who = battle.unit("a1")
    x, y = battle.anchor(who)
    area = movement.area_of(battle, who, "run")
    assert area.bar(Pose(x, y - far * 100, 0, "as_they_stand")) is None
    assert area.bar(Pose(x, y - far * 100 - 3, 0, "as_they_stand")).rule == "8.3"  # type: ignore[union-attr]
    assert movement.turns_only(battle, who, "advance")


@pytest.mark.rule("bolt_action", "23.3")
def test_light_mortars_move_as_infantry() -> None:
    battle = field(unit("us_mortar_light", "a1", at=(30, 30)), FOE)
    assert not movement.turns_only(battle, battle.unit("a1"), "advance")
    assert movement.rate(battle, battle.unit("a1"), "advance") == 600


@pytest.mark.rule("bolt_action", "23.3")
@pytest.mark.parametrize("kind", ["ger_pak40", "ger_flak88"])
def test_heavy_guns_move_only_when_towed(kind: str) -> None:
    session = play(unit(kind, "g1", at=(30, 30)), unit("us_2lt", "a1", at=(5, 5)), drawn="german", seed=b"guns")
    answer(session, "unit g1")
    assert "run" not in keys(session) and "advance" in keys(session)
    battle = field(unit(kind, "g1", at=(30, 30)), unit("us_2lt", "a1", at=(5, 5)))
    assert advance_and_run.can_move(battle, battle.unit("g1"), "run").rule == "23.3"  # type: ignore[union-attr]


@pytest.mark.rule("bolt_action", "23.1", "7.2")
@pytest.mark.parametrize("form", ["as_they_stand", "line", "cluster"])
@pytest.mark.parametrize("heading", [0, 90, 200])
def test_the_crew_stays_within_an_inch_of_its_gun(form: str, heading: int) -> None:
    battle = field(unit("us_57mm", "a1", at=(30, 30)), FOE)
    who = battle.unit("a1")
    run(advance_and_run.move(battle, who, "run"), f"pose 30 29 {heading} {form}")
    gun, *crew = battle.bodies(who)
    assert (gun.x, gun.y, gun.heading) == (3000, 2900, heading)
    assert max(bodies.gap(gun, man) for man in crew) <= 100
    assert formations.clear([gun, *crew])


@pytest.mark.rule("bolt_action", "23.1")
def test_a_crew_man_set_by_hand_must_be_near_the_gun() -> None:
    battle = field(unit("us_57mm", "a1", at=(30, 30)), FOE)
    area = movement.area_of(battle, battle.unit("a1"), "run")
    bar = area.bar(Pose(3000, 2800, 0, "line", (Hand("m1", 3000, 3085),)))
    assert bar is not None and bar.rule in ("23.1", "7.2")
    assert area.bar(Pose(3000, 2800, 0, "line", (Hand("m1", 3000, 3000),))) is None


def test_a_gun_turns_only_where_there_is_room() -> None:
    wall = box("building", 31, 20, 35, 40)
    crew = [(29.6, 30), (26.6, 33), (27.8, 33), (29, 33), (30.2, 33)]
    battle = field(unit("us_105", "a1", models=crew), FOE, terrain=[wall])
    who = battle.unit("a1")
    assert artillery.turned(battle, who, 90) is None
    assert artillery.area_of(battle, who).polygons("as_they_stand", 90) == []
    stand = artillery.turned(battle, who, 10)
    assert stand is not None and formations.clear(stand)


@pytest.mark.rule("bolt_action", "23.1")
def test_a_crew_that_the_turned_gun_has_left_behind_comes_up_to_it() -> None:
    front = [(30, 30), (30, 27.6), (30, 32.4), (28.75, 31.75)]
    battle = field(unit("us_57mm", "a1", models=front), FOE)
    stand = artillery.turned(battle, battle.unit("a1"), 90)
    assert stand is not None and formations.clear(stand)
    assert bodies.gap(battle.bodies(battle.unit("a1"))[1], stand[0]) > 100, "he stood by its muzzle"
    assert all(bodies.gap(man, stand[0]) <= 100 + bodies.HAIR for man in stand[1:])
