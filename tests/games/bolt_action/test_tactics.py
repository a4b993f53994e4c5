"""The opponent's judgement in small positions where the right answer is plain."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from grognard.core.files import Document
from grognard.core.session import Session
from grognard.core.tactics import Clock, Proposal
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.game import GAME
from grognard.games.bolt_action.tactics.outlook import BoltOutlook
from grognard.games.bolt_action.tactics.player import BoltTactics
from grognard.games.bolt_action.tactics.replies import quick_reply
from grognard.kits.table.tactics.judge import BY_CHART
from grognard.players.greedy import propose
from tests.games.bolt_action.play import answer, box, piece, play, the_battle, unit

OBJECTIVE = [{"at": [36, 24], "points": 3, "name": "The well"}]


def proposals(session: Session) -> list[Proposal]:
    """What is thought of the question that stands."""
    told: list[Proposal] = propose(GAME.tactics(session.scenario), session.probe(), Clock.of(20))
    return told


def best(session: Session) -> str:
    """The answer that is thought best."""
    return proposals(session)[0].key


def scenario(name: str) -> Any:
    return GAME.load_scenario(Document.read(GAME.scenario_files()[name]))


# ---- orders ----------------------------------------------------------------------------------------------------


def test_a_machine_gun_fires_at_men_in_the_open() -> None:
    session = play(
        unit("ger_mmg", "g1", at=(20, 30)),
        unit("us_squad", "a1", at=(20, 14), heading=180),
        drawn="german",
        seed=b"1",
    )
    answer(session, "unit g1")
    told = proposals(session)
    assert told[0].key == "fire"
    assert told[0].reasons[0].text.startswith("Infantry squad a1 loses ")


def test_a_unit_with_many_pins_and_nobody_about_rallies() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 44), pins=5),
        unit("ger_grenadiers", "g1", at=(60, 4), heading=180),
        terrain=[box("building", 30, 10, 36, 30)],
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1")
    assert best(session) == "rally"


def test_men_whom_fire_does_not_shift_are_assaulted() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 20)),
        unit("ger_vet_grenadiers", "g1", at=(20, 14), heading=180, men=6, die="down"),
        terrain=[box("ruins", 12, 10, 28, 16)],
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1")
    assert best(session) == "run"
    answer(session, "run")
    told = proposals(session)[0]
    assert told.key == "assault g1" and "in close quarters" in told.reasons[0].text


def test_nobody_assaults_a_stronger_enemy() -> None:
    session = play(
        unit("ger_mmg", "g1", at=(20, 20)),
        unit("sov_smg_squad", "s1", at=(20, 10), heading=180),
        drawn="german",
        seed=b"1",
    )
    answer(session, "unit g1", "run")
    assert not best(session).startswith("assault")


def test_the_objective_is_taken_in_the_last_turn() -> None:
    session = play(
        unit("us_squad", "a1", at=(36, 33)),
        unit("ger_grenadiers", "g1", at=(60, 4), heading=180, die="fire"),
        objective=OBJECTIVE,
        turn=6,
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1")
    assert best(session) == "run"
    answer(session, "run")
    told = proposals(session)[0]
    assert told.reasons[0].text == "at The well"
    answer(session, told.key)
    assert any(abs(m.x - 3600) < 400 and abs(m.y - 2400) < 400 for m in session.state.units["a1"].models)


def test_the_die_goes_to_the_unit_that_can_do_something() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 30)),
        unit("us_squad", "a2", at=(60, 46)),
        unit("ger_grenadiers", "g1", at=(20, 16), heading=180),
        drawn="american",
        seed=b"1",
    )
    assert best(session) == "unit a1"


def test_a_gun_turns_to_what_it_cannot_fire_at() -> None:
    session = play(
        unit("ger_pak40", "g1", at=(20, 24), heading=90),
        unit("us_m4_76", "a1", at=(20, 4), heading=180),
        drawn="german",
        seed=b"1",
    )
    answer(session, "unit g1")
    assert best(session) == "advance"
    answer(session, "advance")
    assert best(session).split()[3] in ("0", "359", "1")


# ---- shots -----------------------------------------------------------------------------------------------------


def test_a_bazooka_is_for_the_tank() -> None:
    session = play(
        unit("us_bazooka", "a1", at=(20, 30)),
        unit("ger_panzer4", "g1", at=(20, 20), heading=90),
        unit("ger_grenadiers", "g2", at=(32, 20), heading=180),
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1", "fire")
    told = proposals(session)[0]
    assert told.key.startswith("at g1") and "to destroy" in told.reasons[0].text


def test_rifles_are_not_fired_at_a_tank() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 30)),
        unit("ger_panzer4", "g1", at=(20, 16), heading=180),
        unit("ger_grenadiers", "g2", at=(30, 16), heading=180),
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1", "fire")
    assert best(session).startswith("at g2")


def test_shells_at_men_and_shot_at_armour() -> None:
    session = play(
        unit("us_m4_76", "a1", at=(20, 40)),
        unit("ger_panzer4", "g1", at=(20, 16), heading=90),
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1", "fire")
    assert best(session) == "at g1 ap"


# ---- reactions -------------------------------------------------------------------------------------------------


def test_a_team_without_anything_better_goes_down_under_fire() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 30)),
        unit("ger_mmg", "g1", at=(20, 14), heading=90, pins=6),
        cup={"american": 0, "german": 1},
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1", "fire", "at g1")
    assert session.ask is not None and session.ask.reaction == "go down"
    assert best(session) == "down"


def test_an_ambush_is_sprung_on_a_good_target() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 30)),
        unit("ger_mmg", "g1", at=(20, 12), heading=180, die="ambush"),
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1", "advance")
    assert session.ask is not None and session.ask.reaction == "ambush"
    assert best(session) == "spring g1"


# ---- the way out, and how it stands ------------------------------------------------------------------------------


EXIT = {"exit": [{"side": "german", "edge": "right", "points": 2}], "otherwise": "american"}


def test_whoever_can_leave_with_points_leaves() -> None:
    session = play(
        unit("ger_panzer4", "g1", at=(62, 24), heading=90),
        unit("us_squad", "a1", at=(20, 24), heading=90),
        victory=EXIT,
        drawn="german",
        seed=b"1",
    )
    answer(session, "unit g1")
    order = best(session)
    assert order in ("run", "advance")
    answer(session, order)
    assert best(session) == "exit right"


def test_the_standing_is_zero_sum_and_knows_the_score() -> None:
    squads = (unit("us_squad", "a1", at=(20, 30)), unit("ger_grenadiers", "g1", at=(20, 10), heading=180))
    even = play(*squads, objective=OBJECTIVE, drawn="american", seed=b"1")
    held = play(
        unit("us_squad", "a1", at=(36, 26)), squads[1], objective=OBJECTIVE, turn=6, drawn="american", seed=b"1"
    )
    tactics = GAME.tactics(even.scenario)
    for session in (even, held):
        ours, theirs = (tactics.standing(session.battle, side) for side in ("american", "german"))
        assert ours == pytest.approx(-theirs) and -1 <= ours <= 1
    assert tactics.standing(held.battle, "american") > tactics.standing(even.battle, "american") + 0.2


def test_pins_and_losses_worsen_the_standing() -> None:
    foe = unit("ger_grenadiers", "g1", at=(20, 10), heading=180)
    fresh = play(unit("us_squad", "a1", at=(20, 30)), foe, drawn="american", seed=b"1")
    worn = play(unit("us_squad", "a1", at=(20, 30), men=5, pins=4), foe, drawn="american", seed=b"1")
    tactics = GAME.tactics(fresh.scenario)
    assert tactics.standing(worn.battle, "american") < tactics.standing(fresh.battle, "american")


# ---- setting up, playing on, and what is hidden ------------------------------------------------------------------


def test_defenders_are_set_up_in_cover() -> None:
    session = Session(GAME, scenario("ridge"), seed=b"1")
    battle = session.battle
    assert isinstance(battle, BoltBattle)
    while session.ask is not None and session.ask.side == "german" and session.ask.quiet:
        session.answer(best(session))
    men = [u for u in battle.units("german") if battle.type(u).infantry]
    assert men
    trench = battle.table.line(next(p for p in battle.table.pieces if p.kind == "trench"))
    from shapely import Point

    near = [u for u in men if u.building or min(trench.distance(Point(m.x, m.y)) for m in u.models) < 600]
    assert len(near) * 2 >= len(men)


def test_an_officer_is_not_set_up_where_everybody_can_shoot_at_him() -> None:
    opened = scenario("bridge")
    tactics = GAME.tactics(opened)
    session = Session(GAME, opened, seed=b"setup")
    while (ask := session.ask) is not None and not tactics.joined(session.battle):
        session.answer(ask.only or propose(tactics, session.probe(), Clock.of(20))[0].key)
    battle = session.battle
    assert isinstance(battle, BoltBattle)
    for side in battle.sides:
        outlook = BoltOutlook(battle, side)
        officers = [each for each in battle.units(side) if battle.type(each).rank]
        assert officers and all(outlook.threatened(each) < 0.5 for each in officers)


@pytest.mark.parametrize("seed", [1, 2])
def test_quick_replies_are_legal_to_the_end(seed: int) -> None:
    session = Session(GAME, scenario("first_steps"), seed=b"%d" % seed)
    tactics = GAME.tactics(session.scenario)
    for _ in range(1000):
        if session.ask is None:
            break
        session.answer(tactics.best(session.battle, session.ask, Clock.of(600)))
    assert session.over


def test_proposals_are_legal_and_the_same_again() -> None:
    session = Session(GAME, scenario("first_steps"), seed=b"5")
    for number in range(30):
        if session.ask is None:
            break
        told = proposals(session)
        for each in told:
            session.ask.option(each.key)
        if number % 10 == 0:
            assert [each.key for each in proposals(session)] == [each.key for each in told]
        assert [each.worth for each in told] == sorted((each.worth for each in told), reverse=True)
        session.answer(told[0].key)


def test_secret_reserves_are_redealt_from_the_roster() -> None:
    session = Session(GAME, scenario("breakout"), seed=b"1")
    battle = session.battle
    GAME.conceal(battle, "german")
    hidden = [u for u in session.state.units.values() if u.side == "american" and not u.models]
    assert hidden
    tactics = GAME.tactics(session.scenario)
    assert isinstance(tactics, BoltTactics)
    kinds = set()
    for seed in range(12):
        for each in hidden:
            each.models = []
        tactics.redeal(battle, "german", Random(seed))
        assert all(each.models for each in hidden)
        kinds |= {each.kind for each in hidden}
    assert len(kinds) > 3


def test_a_wall_is_worth_a_few_steps() -> None:
    """Men under fire in the open prefer the wall in front of them to the open ground beside it."""
    session = play(
        unit("us_squad", "a1", at=(36, 33)),
        unit("ger_mmg", "g1", at=(36, 6), heading=180),
        unit("ger_grenadiers", "g2", at=(22, 6), heading=180),
        terrain=[piece("stone_wall", (26, 29), (46, 29))],
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1", "advance")
    told = proposals(session)[0]
    assert "hard cover" in " ".join(reason.text for reason in told.reasons)


# ---- reasons ---------------------------------------------------------------------------------------------------


def unexplained(proposal: Proposal) -> float:
    """What the reasons leave of a worth, in hundredths of a battle."""
    return abs(proposal.worth - sum(reason.worth for reason in proposal.reasons))


def test_the_reasons_for_a_place_in_the_line_add_up() -> None:
    session = Session(GAME, scenario("crossroads"), seed=b"1")
    seen: set[str] = set()
    while len(seen) < 6:
        told = proposals(session)
        if session.ask is not None and session.ask.area is not None:
            seen.add(session.ask.prompt)
            assert all(unexplained(each) < 1.0 for each in told), told
            assert all(len(each.reasons) >= 2 for each in told)
        session.answer(told[0].key)


def test_orders_and_moves_are_told_by_what_they_gain() -> None:
    """Against staying where one is, as their reasons are."""
    session = play(
        unit("us_squad", "a1", at=(20, 40)),
        unit("ger_mmg", "g1", at=(60, 8), heading=180),
        objective=[{"at": [24, 24], "points": 3, "name": "The well"}],
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1")
    orders = {each.key: each for each in proposals(session)}
    assert orders["run"].worth > 0 and unexplained(orders["run"]) < 1.0
    answer(session, "run")
    told = proposals(session)
    nearer = [each for each in told if any("The well" in reason.text for reason in each.reasons)]
    assert nearer and told[0] in nearer and told[0].worth > 0
    assert all(unexplained(each) < 1.0 for each in nearer)


def test_an_officer_is_placed_with_those_whom_he_leads_and_told_so() -> None:
    session = Session(GAME, scenario("crossroads"), seed=b"1")
    while session.ask is not None and not session.ask.prompt.startswith("Place First Lieutenant"):
        session.answer(proposals(session)[0].key)
    told = proposals(session)[0]
    assert {reason.text: reason.worth for reason in told.reasons}["with the units it leads"] > 0


# ---- looks -----------------------------------------------------------------------------------------------------


def test_small_arms_are_not_fired_at_what_they_cannot_harm() -> None:
    session = play(
        unit("us_squad", "a1", at=(36, 30)),
        unit("ger_panzer4", "g1", at=(36, 12), heading=180),
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1")
    fire = next(each for each in proposals(session) if each.key == "fire")
    assert [reason.text for reason in fire.reasons] == ["no enemy in sight and range that it can hurt"]
    answer(session, "advance")
    answer(session, "stay")
    assert session.ask is not None and session.ask.prompt.endswith("shoot at what?")
    assert best(session) == "done" == quick_reply(the_battle(session), session.ask)


def test_nobody_says_what_he_fires_at_without_a_look_from_there() -> None:
    """Gazala, where tanks on the move said that they would fire at guns that they could not see (seed 880200)."""
    session = Session(GAME, scenario("gazala"), seed=b"880200")
    claims, said = 0, set[str]()
    while session.ask is not None and len(session.answers) < 180:
        ask, battle = session.ask, the_battle(session)
        if said and ask.prompt.endswith("shoot at what?"):
            offered = {battle.name(battle.unit(option.target)) for option in ask.options if option.verb == "at"}
            assert said <= offered, f"answer {len(session.answers)}: {said - offered} is not in its sights"
            claims += 1
        told = proposals(session)[0]
        said = set()
        if ask.area is not None and not ask.quiet and battle.unit(ask.area.unit).die == "advance":
            assert not any(reason.text.startswith(("fires at", BY_CHART)) for reason in told.reasons), told
            shots = [r.text for r in told.reasons if "men on average" in r.text or "to destroy" in r.text]
            enemies = map(battle.name, battle.units(battle.other(ask.side)))
            said = {name for name in enemies if any(name in text for text in shots)}
        session.answer(told.key)
    assert claims >= 5


@pytest.mark.parametrize("kind", ["us_m4", "us_squad"])
@pytest.mark.parametrize("wall", [False, True])
def test_reserves_look_before_they_say_what_they_fire_at(kind: str, wall: bool) -> None:
    """The enemy is in sight from all along the edge, or from nowhere: a wall of houses hides him."""
    houses = [box("building", x, 30, x + 8, 34, id=f"h{x}") for x in range(0, 72, 8)] if wall else []
    session = play(
        unit(kind, "a1", status="reserve"),
        unit("ger_grenadiers", "g1", at=(36, 28), heading=180),
        drawn="american",
        terrain=houses,
        seed=b"1",
    )
    answer(session, "unit a1")
    answer(session, "advance")
    told = [reason.text for reason in proposals(session)[0].reasons]
    assert not any(text.startswith(BY_CHART) for text in told)
    assert any("men on average" in text for text in told) is not wall


def test_less_danger_is_said_to_be_less() -> None:
    """Before two machine guns in the open: a step back both still see, but it is safer than to stay."""
    guns = [unit("ger_mmg", id, at=at, heading=180) for id, at in (("g1", (36, 24)), ("g2", (66, 24)))]
    session = play(unit("us_squad", "a1", at=(36, 34)), *guns, drawn="american", seed=b"1")
    answer(session, "unit a1")
    advance = next(each for each in proposals(session) if each.key == "advance")
    worths = {reason.text: reason.worth for reason in advance.reasons}
    assert worths["safer than here: 2 enemies would see it in the open"] > 0
    one = play(unit("us_squad", "a1", at=(36, 34)), guns[0], drawn="american", seed=b"1")
    answer(one, "unit a1")
    advance = next(each for each in proposals(one) if each.key == "advance")
    worths = {reason.text: reason.worth for reason in advance.reasons}
    assert worths["1 enemy would see it in the open"] < 0
