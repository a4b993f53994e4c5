"""Setting up (16.3): who begins, by turns, in which zone, on which ground, together, and mounted."""

from __future__ import annotations

import pytest

from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.core.poses import Hand, Pose
from grognard.core.session import Session
from grognard.games.company import setup
from grognard.games.company.cover import gone_to_ground
from grognard.games.company.game import GAME
from grognard.games.company.invariants import invariants
from grognard.kits.table.deployment import DeployArea
from grognard.kits.table.state import ON_TABLE
from tests.games.company.playing import answer, happened, keys, team_of, unit_of

rule = pytest.mark.rule

TEXT = """game = "company"
name = "meadow"
title = "Meadow"
turns = 4
[table]
name = "Meadow"
size = [60, 48]
[[terrain]]
kind = "woods"
area = [[20, 34], [40, 34], [40, 46], [20, 46]]
name = "Oak wood"
[[terrain]]
kind = "building"
area = [[2, 38], [8, 38], [8, 44], [2, 44]]
[side.american]
nation = "american"
[[side.american.zone]]
points = [[0, 32], [60, 32], [60, 48], [0, 48]]
[side.german]
nation = "german"
[[side.german.zone]]
points = [[0, 0], [60, 0], [60, 12], [0, 12]]
"""


def meadow(american: list[str], german: list[str], dice: tuple[int, ...] = (2, 5), more: str = "") -> Session:
    units = {"american": american, "german": german}
    text = TEXT + more
    for side, kinds in units.items():
        text += "".join(f'[[side.{side}.unit]]\nkind = "{kind}"\n' for kind in kinds)
    return Session(GAME, GAME.load_scenario(Document.from_toml(text, "meadow.toml")), script=dice)


def area_of(session: Session, id: str) -> DeployArea:
    return setup.area_of(session.battle, unit_of(session, id))


@rule("company", "16.3")
def test_the_lower_roll_places_first_and_both_take_turns() -> None:
    session = meadow(["us_rifles", "us_commander"], ["ger_grenadiers", "ger_hmg_platoon"], (3, 3, 2, 5, 6, 1))
    assert [event.side for event in happened(session, setup.DeploysFirst)] == ["american"]
    placed = []
    while session.battle.state.phase == "deploy":
        assert session.ask is not None
        placed.append(session.ask.side) if session.ask.area is not None else None
        session.answer(session.ask.options[0].key)
    assert placed == ["american", "german", "american", "german"]
    assert all(unit.status == ON_TABLE for unit in session.battle.state.units.values())
    assert invariants(session.battle) == []


@rule("company", "16.3")
def test_a_scenario_may_have_one_side_place_everything_first() -> None:
    text = TEXT.replace("turns = 4", 'turns = 4\nfirst_to_deploy = "german"')
    text += '[[side.american.unit]]\nkind = "us_rifles"\n[[side.german.unit]]\nkind = "ger_grenadiers"\ncount = 2\n'
    session = Session(GAME, GAME.load_scenario(Document.from_toml(text, "m.toml")), script=(1, 6))
    sides = []
    for _ in range(4):
        assert session.ask is not None
        sides.append(session.ask.side)
        session.answer(session.ask.options[0].key)
    assert sides[:3] == ["german"] * 3 and sides[3] == "american"


@rule("company", "16.3", "6.27", "10.13")
def test_everybody_starts_gone_to_ground_and_unsuppressed() -> None:
    session = meadow(["us_rifles"], ["ger_grenadiers"], (2, 5, 6, 1))
    while session.battle.state.phase == "deploy":
        assert session.ask is not None
        session.answer(session.ask.options[0].key)
    battle = session.battle
    for unit in battle.units():
        assert all(gone_to_ground(battle, unit, team) and not team.marks for team in unit.models)
        assert unit.acted == 0


@rule("company", "16.3")
def test_a_unit_sets_up_anywhere_in_its_zone_and_nowhere_else() -> None:
    session = meadow(["us_rifles"], ["ger_grenadiers"])
    area = area_of(session, "a1")
    assert area.bar(Pose(1200, 3600, 0, "line")) is None
    assert (bar := area.bar(Pose(1200, 2800, 0, "line"))) is not None and bar.rule == "16.3"
    before = GAME.encode(session.battle.state)
    with pytest.raises(GrognardError, match="zone"):
        session.answer("pose 12 28 0 line")
    assert GAME.encode(session.battle.state) == before
    session.answer("pose 12 36 0 line")
    assert battle_place(session, "a1") == (1200, 3600)


def battle_place(session: Session, id: str) -> tuple[int, int]:
    return session.battle.anchor(unit_of(session, id))


@rule("company", "4.3", "4.4", "16.3")
def test_guns_are_not_set_up_in_woods_but_their_leader_may_be() -> None:
    session = meadow(["us_hmg_platoon", "us_m4_platoon"], ["ger_grenadiers"])
    area = area_of(session, "a1")
    assert (bar := area.bar(Pose(3000, 4000, 0, "line"))) is not None
    assert bar.rule == "4.3" and "Oak wood" in bar.reason
    hands = [Hand("t1", 2300, 3500)] + [Hand(f"t{n}", 1300 + 180 * (n - 2), 3500) for n in range(2, 6)]
    assert area.bar(Pose(1500, 3500, 0, "line", tuple(hands))) is None
    tanks = area_of(session, "a2")
    assert tanks.bar(Pose(3000, 4000, 0, "line")) is None, "very difficult ground is not closed to vehicles"
    assert (bar := tanks.bar(Pose(500, 4100, 0, "line"))) is not None and bar.rule == "4.4"


@rule("company", "4.7", "16.3")
def test_nobody_is_set_up_in_another() -> None:
    session = meadow(["us_rifles", "us_commander"], ["ger_grenadiers"])
    answer(session, "unit a1", "pose 12 36 0 line")
    area = area_of(session, "a2")
    body = session.battle.bodies(unit_of(session, "a1"))[0]
    assert (bar := area.bar(Pose(body.x, body.y, 0, "as_they_stand"))) is not None and bar.rule == "4.7"
    rifles = area_of(meadow(["us_rifles"], ["ger_grenadiers"]), "a1")
    hands = (Hand("t2", 1200, 3600), Hand("t3", 1250, 3600))
    assert (bar := rifles.bar(Pose(1200, 3600, 0, "line", hands))) is not None
    assert "overlap" in bar.reason


@rule("company", "5.1", "5.4", "15.14")
def test_a_unit_is_set_up_in_cohesion_but_for_its_observer() -> None:
    session = meadow(["us_mortars"], ["ger_grenadiers"])
    area = area_of(session, "a1")
    kinds = {team.kind: team.id for team in unit_of(session, "a1").models}
    spots = [Hand("t1", 4400, 3400), Hand("t2", 400, 3400), Hand("t3", 4600, 3400), Hand("t4", 4900, 3400)]
    assert kinds["us_fo"] == "t2"
    assert area.bar(Pose(4400, 3400, 0, "line", (*spots, Hand("t5", 5400, 3400)))) is None
    bar = area.bar(Pose(4400, 3400, 0, "line", (*spots, Hand("t5", 5900, 3400))))
    assert bar is not None and bar.rule == "5.1"


@rule("company", "6.5", "16.3")
def test_hulls_and_turrets_may_be_turned_one_by_one() -> None:
    session = meadow(["us_m4_platoon"], ["ger_grenadiers"])
    answer(session, "pose 48 40 0 line t1@42,40,90,180 t2@46,44,45")
    assert (team_of(session, "a1", "t1").heading, team_of(session, "a1", "t1").turret) == (90, 180)
    assert (team_of(session, "a1", "t2").heading, team_of(session, "a1", "t2").turret) == (45, 45)
    assert (team_of(session, "a1", "t3").heading, team_of(session, "a1", "t3").turret) == (0, 0)


@rule("company", "16.1", "16.3")
def test_a_unit_with_transports_may_begin_mounted() -> None:
    session = meadow(["us_armored_rifles"], ["ger_grenadiers"])
    assert keys(session) == ["unit a1", "mounted a1"]
    answer(session, "mounted a1", "pose 48 40 0 line")
    unit = unit_of(session, "a1")
    assert len(unit.models) == 5 and len(unit.riders) == 9
    carriers = {team.id: team for team in unit.models}
    assert all((rider.x, rider.y) == (carriers[rider.aboard].x, carriers[rider.aboard].y) for rider in unit.riders)
    guns = meadow(["us_rifles"], ["ger_pak40_motorised"], (5, 2))
    answer(guns, "mounted g1")
    towed = unit_of(guns, "g1")
    assert [team.kind for team in towed.riders] == ["ger_pak40"] * 3 and len(towed.models) == 4


def test_the_question_is_the_same_when_the_state_is_taken_up_again() -> None:
    session = meadow(["us_armored_rifles", "us_rifles"], ["ger_grenadiers"])
    answer(session, "mounted a1")
    again = Session(GAME, session.scenario, state=GAME.decode(GAME.encode(session.battle.state)), script=(1,))
    assert session.ask is not None and again.ask is not None
    assert keys(again) == keys(session) and again.ask.side == session.ask.side


@rule("company", "16.3", "10.1")
def test_places_are_looked_for_first_in_what_gives_cover_of_any_kind() -> None:
    """In the wood, the house and the ruins of the zone, not in the marsh."""
    more = "".join(
        f'[[terrain]]\nkind = "{kind}"\narea = [[{x}, 36], [{x + 4}, 36], [{x + 4}, 40], [{x}, 40]]\n'
        for kind, x in (("marsh", 44), ("ruins", 52))
    )
    session = meadow(["us_rifles"], ["ger_grenadiers"], more=more)
    battle = session.battle
    rules = setup.Deployment(battle)
    kinds = {piece.kind for piece in battle.table.pieces}
    assert {kind for kind in kinds if rules.shelters(battle.table.kinds[kind])} == {"woods", "building", "ruins"}
