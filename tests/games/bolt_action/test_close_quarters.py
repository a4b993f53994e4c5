"""Close quarters (21), assaults on buildings (25.7), tough fighters and fanatics (27.2, 27.3)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.board.table import bodies
from grognard.core.errors import IllegalError
from grognard.games.bolt_action import charge, close_quarters
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.fire_events import Contact, Losses, Parted, RoundOver, Shoots
from grognard.games.bolt_action.move_events import FellShort
from tests.games.bolt_action.fire_play import enemy, faces, tallies, us
from tests.games.bolt_action.play import (
    answer,
    box,
    field,
    happened,
    keys,
    lines,
    look,
    options,
    piece,
    play,
    rolled,
    the_battle,
)

rule = pytest.mark.rule


def place(*units: dict[str, Any], **head: Any) -> BoltBattle:
    return field(*units, sides=["american", "german"], **head)


def men(kind: str, count: int, y: float, **more: Any) -> dict[str, Any]:
    """Some men shoulder to shoulder at x 30 and on: attackers below, Regular defenders above."""
    places = [(30 + 1.2 * n, y) for n in range(count)]
    if y > 30:
        return us(kind, (30, y), models=places, **more)
    return enemy(kind, (30, y), models=places, **{"quality": "regular", **more})


def assault(battle: BoltBattle, *answers: str) -> BoltBattle:
    """The assault of a1 on g1, to its end; the winner stays where he is if he may."""
    generator = close_quarters.assault(battle, battle.unit("a1"), battle.unit("g1"))
    given = list(answers)
    try:
        ask = next(generator)
        while True:
            if given:
                key = given.pop(0)
            else:
                known = [option.key for option in ask.options]
                key = next(k for k in ("usual", "stay", "hold", known[0]) if k in known)
            ask.option(key)
            ask = generator.send(key)
    except StopIteration:
        assert not given, f"never asked for {given}"
    return battle


def rounds(battle: BoltBattle) -> list[tuple[int, int]]:
    return [(event.ours, event.theirs) for event in happened(battle, RoundOver)]


@rule("bolt_action", "21.1", "21.5", "21.7", "21.9", "21.10")
def test_an_assault_from_declaration_to_regroup() -> None:
    """Five attack four: two fall, two strike back and one falls; the defenders lost more and are destroyed."""
    battle = place(men("sov_rifles", 5, 34), men("sov_rifles", 4, 28), dice=(5, 5, 1, 1, 1, 1, 5, 4, 2))
    # the defenders' two survivors: 1 and 5, the attackers are inexperienced: a 5 fells one
    assault(battle)
    assert happened(battle, Contact)[0].together is False
    assert next(len(each) for each in faces(battle, "damage")) == 5
    assert battle.unit("g1").status == "lost"
    assert battle.alive(battle.unit("a1"))
    assert rolled(battle, "regroup")
    order = [type(event).__name__ for event in battle.log]
    assert order.index("Assaults") < order.index("Contact") < order.index("Losses") < order.index("Destroyed")


@rule("bolt_action", "2.3", "21.1")
def test_an_assault_is_made_with_a_run_order() -> None:
    session = play(
        men("sov_rifles", 5, 33, die=""),
        men("sov_rifles", 2, 28),
        sides=["american", "german"],
        drawn="american",
        dice=(5, 5, 1, 1, 1, 3, 3, 3),
    )
    answer(session, "unit a1", "run")
    assert "assault g1" in keys(session)
    answer(session, "assault g1")
    assert look(session, "g1").status == "lost"


@rule("bolt_action", "21.2")
def test_only_infantry_assaults_and_only_what_it_sees() -> None:
    battle = place(us("us_m4", at=(36, 40)), enemy("ger_infantry", (36, 35)))
    bar = close_quarters.bar(battle, battle.unit("a1"), battle.unit("g1"))
    assert bar is not None
    assert bar.rule == "21.2"
    battle = place(men("sov_rifles", 5, 40), men("sov_rifles", 4, 20))
    bar = close_quarters.bar(battle, battle.unit("a1"), battle.unit("g1"))
    assert bar is not None
    assert bar.rule == "21.2"
    assert "19″ away" in bar.reason
    house = box("building", 26, 30, 40, 36)
    battle = place(men("sov_rifles", 5, 38), men("sov_rifles", 4, 28), terrain=[house])
    bar = close_quarters.bar(battle, battle.unit("a1"), battle.unit("g1"))
    assert bar is not None
    assert "sight" in bar.reason
    battle = place(men("sov_rifles", 5, 34), men("sov_rifles", 4, 28))
    assert close_quarters.bar(battle, battle.unit("a1"), battle.unit("g1")) is None


@rule("bolt_action", "21.2", "9.10")
def test_an_assault_that_cannot_reach_fails_and_goes_as_far_as_it_can() -> None:
    """Rough ground lets assaulters go 6 in only."""
    marsh = piece("marsh", (20, 29), (45, 29), (45, 36), (20, 36))
    battle = place(men("sov_rifles", 3, 38), men("sov_rifles", 3, 27), terrain=[marsh], dice=(1,) * 20)
    before = battle.gap(battle.unit("a1"), battle.unit("g1"))
    assault(battle, "hold")
    assert happened(battle, FellShort)
    assert not happened(battle, Contact)
    assert 100 <= battle.gap(battle.unit("a1"), battle.unit("g1")) < before


@rule("bolt_action", "21.3", "21.13")
def test_a_target_may_shoot_at_assaulters_who_start_more_than_six_inches_away() -> None:
    battle = place(men("sov_rifles", 4, 38), men("sov_rifles", 3, 28, die="advance"))
    generator = close_quarters.assault(battle, battle.unit("a1"), battle.unit("g1"))
    ask = next(generator)
    assert (ask.side, ask.reaction) == ("german", "reaction fire")
    assert [option.key for option in ask.options] == ["at a1", "hold"]
    assault(battle := place(men("sov_rifles", 4, 38), men("sov_rifles", 3, 28, die="advance"), dice=(1,) * 80), "at a1")
    assert happened(battle, Shoots)[0].unit == "g1"
    assert battle.unit("g1").die == "advance"  # it is no order
    assert "fire_on_the_move" not in lines(tallies(battle)[0])


@rule("bolt_action", "21.3", "21.13", "15.5")
def test_losses_from_reaction_fire_are_checked_before_the_assault_moves() -> None:
    """Two of three fall and the rest break."""
    battle = place(men("sov_rifles", 3, 38), men("sov_rifles", 4, 28), dice=(6, 6, 1, 1, 5, 5, 6, 5))
    assault(battle, "at a1")
    assert battle.unit("a1").status == "lost"
    assert not happened(battle, Contact)


@rule("bolt_action", "21.3")
def test_a_weapon_too_short_shoots_as_at_its_own_maximum() -> None:
    """A submachine gun at assaulters 11.5 in away in a straight line is in range; a pistol shoots as at 6 in."""
    team = enemy("ger_sniper", (30, 28), models=[(30, 28), (31.2, 28)])
    battle = place(men("sov_rifles", 3, 38), team, dice=(1, 1, *(1,) * 60))
    assault(battle, "at a1")
    pistol = next(tally for tally in tallies(battle) if "pistol" in tally.what)
    assert lines(pistol) == {"point_blank": -1, "long_range": 1}


@rule("bolt_action", "21.4", "21.3")
def test_nobody_shoots_at_assaulters_who_start_near_or_when_he_is_down() -> None:
    near = place(men("sov_rifles", 4, 34), men("sov_rifles", 3, 28))
    bar = close_quarters.bar_reaction_fire(near, near.unit("a1"), near.unit("g1"))
    assert bar is not None
    assert bar.rule == "21.4"
    down = place(men("sov_rifles", 4, 38), men("sov_rifles", 3, 28, die="down"))
    bar = close_quarters.bar_reaction_fire(down, down.unit("a1"), down.unit("g1"))
    assert bar is not None
    assert bar.rule == "21.3"


@rule("bolt_action", "21.4")
def test_a_fixed_weapon_reacts_only_into_its_arc() -> None:
    battle = place(men("sov_rifles", 4, 38), enemy("ger_mmg", (31, 28), heading=0))
    bar = close_quarters.bar_reaction_fire(battle, battle.unit("a1"), battle.unit("g1"))
    assert bar is not None
    assert bar.rule == "12.7"
    battle = place(men("sov_rifles", 4, 38), enemy("ger_mmg", (31, 28), heading=180))
    assert close_quarters.bar_reaction_fire(battle, battle.unit("a1"), battle.unit("g1")) is None


@rule("bolt_action", "21.5")
def test_once_one_touches_every_man_of_both_units_fights() -> None:
    battle = place(men("sov_rifles", 8, 34), men("sov_rifles", 1, 28), dice=(1,) * 7 + (5, *(1,) * 20))
    assault(battle)
    assert len(faces(battle, "damage")[0]) == 8


@rule("bolt_action", "21.6", "6.4")
def test_an_assaulted_unit_loses_its_pins_when_contact_is_made() -> None:
    battle = place(men("sov_rifles", 2, 34), men("sov_rifles", 4, 28, pins=4), dice=(1, 1, 5, 5, 1, 1, 3))
    assault(battle)
    assert battle.unit("g1").pins == 0
    assert battle.unit("a1").status == "lost"


@rule("bolt_action", "21.7", "17.3")
def test_assault_weapons_have_two_attacks() -> None:
    battle = place(men("sov_smg_squad", 3, 34), men("sov_rifles", 2, 28))
    found = close_quarters.attacks(battle, battle.unit("a1"))
    assert (found.base, lines(found), found.total) == (3, {"assault_weapons": 3}, 6)


@rule("bolt_action", "27.2")
def test_tough_fighters_have_one_attack_more_each() -> None:
    battle = place(men("gb_commandos", 8, 34, side="american"), men("sov_rifles", 2, 28))
    found = close_quarters.attacks(battle, battle.unit("a1"))
    assert lines(found)["tough_fighters"] == 8
    battle = place(men("gb_commandos", 3, 34, side="american"), men("sov_rifles", 2, 28), dice=(5, 5, *(1,) * 20))
    armed = sum(any(battle.weapon(battle.unit("a1"), arm).assault for arm in m.arms) for m in battle.unit("a1").models)
    assault(battle)
    assert len(faces(battle, "damage")[0]) == 3 + 3 + armed
    assert battle.unit("g1").status == "lost"


@rule("bolt_action", "21.7")
def test_there_is_no_roll_to_hit_and_no_modifier_but_exceptional_damage() -> None:
    battle = place(men("sov_rifles", 1, 34, pins=3), men("sov_rifles", 9, 28, die="down"), dice=(6, 6, *(5,) * 20))
    assault(battle)
    assert not rolled(battle, "to hit")
    attacks, needed = tallies(battle, "damage")[:2]
    assert (attacks.what, attacks.total, needed.total, needed.lines) == ("Attacks", 1, 4, [])
    assert rolled(battle, "exceptional damage")


@rule("bolt_action", "21.8")
def test_behind_an_obstacle_that_had_to_be_crossed_both_strike_at_once() -> None:
    """The only defender dies, but strikes all the same and takes one with him."""
    wall = piece("stone_wall", (25, 29), (45, 29))
    battle = place(men("sov_rifles", 2, 33), men("sov_rifles", 1, 28), terrain=[wall], dice=(5, 1, 5, 1))
    assault(battle)
    assert happened(battle, Contact)[0].together
    assert len(faces(battle, "damage")) == 2
    assert battle.unit("g1").status == "lost"
    assert len(battle.unit("a1").models) == 1


@rule("bolt_action", "21.1", "21.8")
def test_in_the_open_the_dead_do_not_strike_back() -> None:
    battle = place(men("sov_rifles", 2, 33), men("sov_rifles", 1, 28), dice=(5, 1, 1))
    assault(battle)
    assert len(faces(battle, "damage")) == 1
    assert len(battle.unit("a1").models) == 2


@rule("bolt_action", "21.9")
def test_equal_losses_are_a_draw_and_both_strike_at_once_in_the_next_round() -> None:
    dice = (5, 1, 1, 5, 1, 5, 5, 1, 1, 1)
    battle = place(men("sov_rifles", 3, 33, quality="regular"), men("sov_rifles", 3, 28), dice=dice)
    assault(battle)
    assert rounds(battle)[0] == (1, 1)
    assert battle.unit("g1").status == "lost"  # two against none in the second round
    assert len(battle.unit("a1").models) == 2


@rule("bolt_action", "21.9")
def test_the_side_that_lost_more_men_is_destroyed() -> None:
    battle = place(men("sov_rifles", 3, 33), men("sov_rifles", 4, 28), dice=(1, 1, 1, 5, 1, 1, 1, 1))
    assault(battle)
    assert battle.unit("a1").status == "lost"
    assert battle.alive(battle.unit("g1"))


@rule("bolt_action", "21.10")
def test_the_winner_regroups_up_to_a_die_of_inches_clear_of_the_enemy() -> None:
    other = enemy("ger_2lt", (29.4, 26.2), "g2")
    battle = place(men("sov_rifles", 3, 33), men("sov_rifles", 1, 28), other, dice=(5, 1, 1, 4))
    assault(battle)
    assert rolled(battle, "regroup")[0].meaning == 4
    assert battle.gap(battle.unit("a1"), battle.unit("g2")) >= 99


@rule("bolt_action", "21.11")
def test_when_both_are_wiped_out_at_once_both_are_destroyed() -> None:
    wall = piece("stone_wall", (25, 29), (45, 29))
    battle = place(men("sov_rifles", 1, 33), men("sov_rifles", 1, 28), terrain=[wall], dice=(5, 5))
    assault(battle)
    assert battle.unit("a1").status == battle.unit("g1").status == "lost"


@rule("bolt_action", "21.11")
def test_after_five_rounds_without_blood_the_attackers_step_back_an_inch() -> None:
    battle = place(men("sov_rifles", 1, 33), men("sov_rifles", 1, 28), dice=(1,) * 10)
    assault(battle)
    assert len(rounds(battle)) == 5
    assert happened(battle, Parted)
    assert battle.gap(battle.unit("a1"), battle.unit("g1")) == pytest.approx(100, abs=3)
    assert not battle.state.scratch.fighting


@rule("bolt_action", "21.11")
@pytest.mark.parametrize("beyond", [0, 1])
@pytest.mark.parametrize(("x", "y"), [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_attackers_step_back_onto_the_edge_of_the_table_but_not_beyond_it(x: int, y: int, beyond: int) -> None:
    """Beyond it they go aside, as little as they must."""
    edge = (36 + 36 * x, 24 + 24 * y)
    at = (edge[0] - x * (1 - beyond / 100), edge[1] - y * (1 - beyond / 100))
    battle = place(us("sov_2lt", at), enemy("sov_2lt", (at[0] - x, at[1] - y)))
    close_quarters._part(battle, battle.unit("a1"), battle.unit("g1"))
    model = battle.unit("a1").models[0]
    assert ((model.x, model.y) == (edge[0] * 100, edge[1] * 100)) is not bool(beyond)
    assert 0 <= model.x <= 7200 and 0 <= model.y <= 4800


@rule("bolt_action", "21.12")
def test_a_gun_crew_fights_like_infantry_and_its_gun_is_lost_with_it() -> None:
    models = [{"id": "gun", "at": (30, 27)}, {"id": "m1", "at": (29.4, 29.2)}, {"id": "m2", "at": (30.6, 29.2)}]
    gun = enemy("ger_pak40", (30, 28), models=models, heading=0)
    battle = place(men("sov_rifles", 4, 33), gun, dice=(5, 1, 1, 1, 1, 1))
    assault(battle)
    assert len(faces(battle, "damage")[0]) == 4
    assert battle.unit("g1").status == "lost"


@rule("bolt_action", "21.13")
def test_losses_in_close_quarters_call_for_no_check() -> None:
    battle = place(men("sov_rifles", 6, 33), men("sov_rifles", 4, 28), dice=(5, 5, 1, 1, 1, 1, 1, 1, 1))
    assault(battle)
    assert not rolled(battle, "morale check")
    assert happened(battle, Losses)


@rule("bolt_action", "27.3")
def test_a_round_that_fanatics_lose_is_a_draw_while_any_lives() -> None:
    battle = place(men("sov_rifles", 2, 33), men("ger_hitlerjugend", 3, 28), dice=(5, 1, 1, 1, 5, 5, 1, 1, 1))
    assault(battle)
    assert rounds(battle)[0] == (0, 1)
    assert happened(battle, RoundOver)[0].side == ""
    assert battle.unit("g1").status == "lost"


@rule("bolt_action", "25.7", "21.8")
def test_the_winner_of_a_fight_for_a_building_occupies_it() -> None:
    farm = box("building", 28, 22, 34, 28, id="farm")
    inside = enemy("ger_infantry", (30, 25), building="farm", models=[(30, 25)])
    battle = place(men("sov_rifles", 3, 32), inside, terrain=[farm], dice=(5, 1, 1, 1, 3))
    assert close_quarters.bar(battle, battle.unit("a1"), battle.unit("g1")) is None
    assault(battle)
    assert happened(battle, Contact)[0].together
    assert battle.unit("g1").status == "lost"
    assert battle.unit("a1").building == "farm"


@rule("bolt_action", "12.1", "21.1")
def test_the_odds_of_an_assault_stop_where_it_ends() -> None:
    session = play(
        men("sov_rifles", 3, 33, die=""),
        men("sov_rifles", 2, 28),
        sides=["american", "german"],
        drawn="american",
        seed=b"cq",
    )
    answer(session, "unit a1", "run")
    found = session.odds("assault g1")
    assert abs(float(sum(outcome.probability for outcome in found.outcomes)) - 1) < 1e-9
    ends = {
        text for outcome in found.outcomes for text in outcome.results if "destroyed" in text or "wiped out" in text
    }
    fatal = {change.say(found.names) for outcome in found.outcomes for change in outcome.changes if change.fatal}
    assert ends and ends == fatal, "who is gone is out of the fight, and nobody else"
    assert 0 < found.to_them < 1 and 0 < found.to_us < 1, "what each does to the other is told apart"


@rule("bolt_action", "21.2", "25.2", "8.4")
def test_an_assault_out_of_a_building_reaches_who_stands_before_it() -> None:
    """The inch that is kept from enemies otherwise does not count for those who come out of a door, either."""
    farm = box("building", 28, 20, 34, 26, id="farm")
    inside = us("us_squad10", (31, 23), building="farm", die="run")
    three = enemy("ger_infantry", (31, 13), models=[(30, 13), (31.2, 13), (32.4, 13)])
    battle = place(inside, three, terrain=[farm], dice=[5] * 10 + [1])
    unit, target = battle.unit("a1"), battle.unit("g1")
    assert charge.can_reach(battle, unit, target)
    assert "stop short" not in close_quarters.option(battle, unit, target).label
    assault(battle)
    assert happened(battle, Contact)


@rule("bolt_action", "21.2", "25.2", "9.10")
def test_an_assault_goes_round_by_another_door_where_the_nearest_leads_nowhere() -> None:
    farm = box("building", 28, 20, 34, 26, id="farm")
    pond = box("pond", 27, 16.5, 35, 19.5, id="pond")
    inside = us("us_squad10", (31, 23), building="farm", die="run")
    battle = place(inside, enemy("ger_infantry", (37, 15), models=[(37, 17)]), terrain=[farm, pond])
    assert charge.can_reach(battle, battle.unit("a1"), battle.unit("g1"))


@rule("bolt_action", "21.2", "25.7")
def test_a_building_out_of_reach_is_not_assaulted() -> None:
    farm = box("building", 28, 10, 34, 16, id="farm")
    inside = enemy("ger_infantry", (30, 13), building="farm", models=[(30, 13)])
    for y, short in ((34, True), (44, True), (28, False)):
        here = us("sov_rifles", (30, y), models=[(30, y), (31.2, y), (32.4, y)])
        battle = place(here, inside, terrain=[farm])
        bar = close_quarters.bar(battle, battle.unit("a1"), battle.unit("g1"))
        assert (bar is not None) is short


@rule("bolt_action", "21.2")
def test_a_run_lists_only_the_enemies_that_an_assault_might_reach() -> None:
    """One straight ahead, one behind a pond whose way round is too long, one beyond any Run."""
    pond = box("pond", 33, 34, 45, 36)
    session = play(
        us("sov_rifles", (36, 40), models=[(36, 40), (37.2, 40)], die=""),
        enemy("ger_infantry", None, id="g1", models=[(30, 32)]),
        enemy("ger_infantry", None, id="g2", models=[(39, 30)], die="down"),
        enemy("ger_infantry", None, id="g3", models=[(36, 20)]),
        terrain=[pond],
        sides=["american", "german"],
        drawn="american",
        dice=[1] * 40,
    )
    answer(session, "unit a1", "run")
    listed = {option.key: option for option in options(session, "assault")}
    assert set(listed) == {"assault g1", "assault g2"}
    assert listed["assault g1"].target == "g1" and "short" not in listed["assault g1"].label
    assert (
        listed["assault g2"].target == "g2"
        and "would stop short: no way to it within 12″" in listed["assault g2"].label
    )
    with pytest.raises(IllegalError):
        answer(session, "assault g3")
    assert session.preview("assault g1").models and not session.preview("stay").models
    shown = session.preview("assault g2").models
    answer(session, "assault g2")
    # It is shown beforehand how far it would get, and by which way.
    assert {m.id: (m.x, m.y) for m in shown} == {m.id: (m.x, m.y) for m in look(session, "a1").models}
    assert all(len(m.path) > 1 and m.path[-1] == (m.x, m.y) for m in shown)
    assert happened(session, FellShort)
    assert the_battle(session).gap(look(session, "a1"), look(session, "g2")) >= 98


@rule("bolt_action", "9.10", "21.2")
def test_only_those_who_start_in_rough_ground_are_held_to_six_inches() -> None:
    """The man on the edge of the wood has his twelve inches; with all of them inside nobody has."""
    foe = enemy("ger_infantry", None, models=[(36, 30)])
    woods = box("woods", 36.5, 37, 45, 45)
    one_out = us("sov_rifles", (36, 40), models=[(36, 40), (37.2, 40), (38.4, 40)])
    battle = place(one_out, foe, terrain=[woods])
    assert close_quarters.bar(battle, battle.unit("a1"), battle.unit("g1")) is None
    assert close_quarters.option(battle, battle.unit("a1"), battle.unit("g1")).target == "g1"
    all_in = us("sov_rifles", (38, 40), models=[(37.2, 40), (38.4, 40)])
    battle = place(all_in, foe, terrain=[woods])
    bar = close_quarters.bar(battle, battle.unit("a1"), battle.unit("g1"))
    assert bar is not None and bar.rule == "21.2"


@rule("bolt_action", "21.8")
def test_a_wall_that_the_assaulter_walks_round_is_none_that_he_had_to_cross() -> None:
    """The straight line goes over the end of the wall; seven inches off, only the way round it is open (9.10)."""
    wall = piece("stone_wall", (20, 33), (30.4, 33))
    here = us("sov_rifles", (30, 37), models=[(30, 37.2)])
    there = enemy("ger_infantry", None, models=[(30, 29)])
    battle = place(here, there, terrain=[wall], dice=(5, 1, 1))
    assert not close_quarters.strikes_together(battle, battle.unit("a1"), battle.unit("g1"))
    near = place(
        us("sov_rifles", (28, 35), models=[(28, 35)]), enemy("ger_infantry", None, models=[(28, 31)]), terrain=[wall]
    )
    assert close_quarters.strikes_together(near, near.unit("a1"), near.unit("g1")), "six inches lead over it"


@pytest.mark.rule("bolt_action", "8.4", "21.5")
@pytest.mark.parametrize("across", [33.2, 34.4, 36.8, 38.0])
def test_assaulters_end_in_no_friends_base(across: float) -> None:
    beside = us("us_squad", id="a2", models=[(across + 1.2 * number, 21.6) for number in range(3)])
    battle = field(us("us_squad10", (36, 30)), beside, enemy("ger_infantry", (36, 20), men=6))
    friends = battle.bodies(battle.unit("a2"))
    plan = charge.Assault(battle, battle.unit("a1"), battle.unit("g1"))
    first = plan.first()
    assert first is not None
    stand = [plan.known[number].at(*place) for number, place in plan.close_in(first).items()]
    assert not any(bodies.overlaps(body, friends) for body in stand)
