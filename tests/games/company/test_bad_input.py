"""Bad input: every file and every answer that cannot be is refused with a reason, and changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.errors import GrognardError, IllegalError, MalformedError
from grognard.core.files import Document
from grognard.core.session import Session
from grognard.games.company.charts import CompanyCharts
from grognard.games.company.game import GAME
from grognard.games.company.roster import load_units
from grognard.kits.table.state import ON_TABLE
from tests.games.company.playing import answer, battle_of, box, keys, platoon, play, team

FOE = platoon("ger_grenadiers", "g1", at=(20, 5), heading=180)
RIFLES = platoon("us_rifles", "a1", (20, 30), (22.5, 30), (25, 30))
MORTARS = platoon("us_mortars", "a2", at=(40, 40))
SMOKE = {"at": [10, 10]}


# ---- files -----------------------------------------------------------------------------------------------------


def told(faults: MalformedError) -> str:
    """The faults of a file; each has its line."""
    assert all(fault.line for fault in faults.faults), faults
    return str(faults)


def refused(*platoons: dict[str, Any], **more: Any) -> str:
    """What is wrong with a position."""
    with pytest.raises(MalformedError) as caught:
        battle_of(*platoons, **more)
    return told(caught.value)


SCENARIO = """game = "company"
name = "mill"
title = "The Mill"
[table]
name = "Mill"
size = [48, 48]
[[terrain]]
kind = "woods"
area = [[10, 38], [40, 38], [40, 46], [10, 46]]
[side.american]
nation = "american"
[[side.american.zone]]
name = "south"
points = [[0, 36], [48, 36], [48, 48], [0, 48]]
[[side.american.unit]]
kind = "us_rifles"
[side.german]
nation = "german"
[[side.german.zone]]
name = "north"
points = [[0, 0], [48, 0], [48, 12], [0, 12]]
[[side.german.unit]]
kind = "ger_grenadiers"
"""


def scenario_faults(text: str) -> str:
    with pytest.raises(MalformedError) as caught:
        GAME.load_scenario(Document.from_toml(text, "mill.toml"))
    return told(caught.value)


def with_unit(line: str, more: str = "") -> str:
    """The scenario with something said of its rifle platoon."""
    assert '"us_rifles"\n' in SCENARIO
    return SCENARIO.replace('kind = "us_rifles"\n', f"{line}\n") + more


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            with_unit('kind = "us_rifles"\nteams = { us_pl = 0 }'),
            "mill.toml:17: side.american.unit[1].teams.us_pl: 0 of",
        ),
        (with_unit('kind = "us_rifles"\nteams = { us_fo = 1 }'), 'unknown Team "us_fo"'),
        (with_unit('kind = "us_57_platoon"\nat = [24, 42]'), "guns can't go through"),
        (with_unit('kind = "us_rifles"\nat = [99, 40]'), "[99, 40] is not on the table (0 to 48 across"),
        (
            with_unit('kind = "us_rifles"\nat = [24, 42]\n[[side.american.unit]]\nkind = "us_rifles"\nat = [24, 42]'),
            "overlap",
        ),
        (with_unit('kind = "us_rifles"\nheading = 400'), "a heading of 400 (0 to 359 degrees"),
        (with_unit('kind = "us_rifles"\nmounted = true'), "has no transport"),
        (with_unit('kind = "us_rifles"\nturret = 90'), 'unknown key "turret"'),
        (with_unit('kind = "us_rifles"\ncount = 15'), "square inches are too few for its Units"),
        (with_unit(f'kind = "{"u" * 10_000}"'), "a name of 10,000 letters (at most 120)"),
        (f"smoke = [{{ at = [10, 10] }}]\n{SCENARIO}", 'unknown key "smoke"'),
    ],
)
def test_a_scenario_is_refused_with_line_and_what_would_be_right(text: str, wrong: str) -> None:
    found = scenario_faults(text)
    assert wrong in found and "(" in found, found


def test_all_faults_of_a_scenario_are_told_at_once() -> None:
    text = with_unit(
        'kind = "us_rifles"\nheading = 400\nteams = { us_pl = 2, us_fo = 1 }\nmounted = true\nzone = "west"'
    )
    found = scenario_faults(text.replace('"ger_grenadiers"', '"ger_grenadier"'))
    for wrong in ("heading of 400", "2 of us_pl (1)", 'Team "us_fo"', "no transport", 'zone "west"', '"ger_grenadier"'):
        assert wrong in found, found


def test_positions_are_refused_with_line_and_what_would_be_right() -> None:
    found = refused(
        platoon("us_57_platoon", "a1", team(24, 28), team(28, 28)), FOE, terrain=[box("woods", 18, 24, 34, 32)]
    )
    assert "guns can't go through" in found and "a place beside it" in found
    assert "overlap (a different place)" in refused(platoon("us_rifles", "a1", (20, 30), (20.4, 30)), FOE)
    assert "only artillery has a Forward Observer" in refused(
        platoon("us_rifles", "a1", (20, 30), team(23, 30, kind="us_fo")), FOE
    )
    found = refused(platoon("us_rifles", "a1", team(20, 30, turret=90)), FOE)
    assert "has no turret (leave it out)" in found
    load = [{"kind": "us_rifle", "aboard": "h1"} for _ in range(3)]
    found = refused(
        platoon("us_armored_rifles", "a1", (30, 30), team(34, 30, kind="us_m3ht", id="h1"), riders=load), FOE
    )
    assert "has 3 Teams aboard, with room for 2" in found


@pytest.mark.rule("company", "15.12", "15.17")
def test_smoke_is_refused_where_nobody_can_have_laid_it() -> None:
    found = refused(RIFLES, FOE, smoke=[SMOKE])
    assert "smoke[1]: smoke, but neither side has or had a Unit that fires barrages" in found
    assert 'with status = "lost"' in found, "it says what would be right"
    here = battle_of(RIFLES, MORTARS, FOE, smoke=[SMOKE])
    assert len(here.state.clouds) == 1


@pytest.mark.rule("company", "15.12", "15.17")
def test_smoke_outlives_its_guns() -> None:
    gone = platoon("us_mortars", "a2", status="lost")
    assert battle_of(RIFLES, gone, FOE, smoke=[SMOKE]).state.clouds
    named: dict[str, Any] = {"lost": {"american": ["a7"]}}
    assert battle_of(RIFLES, FOE, smoke=[SMOKE], **named).state.clouds, "of what kind a7 was nobody knows"
    assert "neither side" in refused(RIFLES, platoon("us_rifles", "a2", status="lost"), FOE, smoke=[SMOKE])


def test_smoke_is_on_the_table_and_still_there() -> None:
    smoke = [{"at": [100, 10], "heading": 400, "until": 1}]
    found = refused(RIFLES, MORTARS, FOE, smoke=smoke, turn=2)
    for wrong in ("[100, 10] is not on the table", "a heading of 400", "smoke that hung until turn 1, in turn 2"):
        assert wrong in found, found


@pytest.mark.rule("company", "14.1", "14.13")
def test_nobody_else_leads_while_the_platoon_leader_lives() -> None:
    found = refused(platoon("us_rifles", "a1", (20, 30), (22.5, 30), leader="t2"), FOE)
    assert "unit[1].leader: Rifle platoon a1 is led by Rifle team t2, but its Platoon Leader t1 is alive" in found
    assert 'leader = "t1"' in found
    alone = battle_of(platoon("us_rifles", "a1", team(20, 30, kind="us_rifle", id="t2"), leader="t2"), FOE)
    assert alone.unit("a1").leader == "t2", "where the Leader is dead somebody may have been appointed"
    ride = [team(kind="us_pl", id="t1", aboard="t10")]
    half_track = team(20, 40, kind="us_m3ht", id="t10")
    found = refused(platoon("us_armored_rifles", "a1", half_track, riders=ride, leader="t10"), FOE)
    assert "its Platoon Leader t1 is alive" in found, "one who rides lives too"


@pytest.mark.rule("company", "14.1", "15.14")
def test_observers_commanders_and_strangers_lead_no_platoon() -> None:
    watcher = team(20, 30, kind="us_fo", id="t2")
    assert "Forward Observer t2, who leads no platoon" in refused(
        platoon("us_mortars", "a1", watcher, leader="t2"), FOE
    )
    assert "who leads no platoon" in refused(RIFLES, platoon("us_commander", "a2", (30, 30), leader="t1"), FOE)
    one = platoon("us_rifles", "a1", team(20, 30, id="pl1"), (22.5, 30))
    other = platoon("us_rifles", "a2", team(40, 30, id="pl2"), (43, 30), leader="pl1")
    assert 'no Team "pl1" in a2 (one of pl2, t2, or "" for none)' in refused(one, other, FOE)


def test_force_files_are_refused() -> None:
    text = """game = "company"
title = "Rifles"
nation = "american"
year = 1944
points = 600
[[unit]]
kind = "us_rifles"
count = 2
teams = { us_pl = 0, us_fo = 1, us_rifle = -3 }
training = "brave"
[[unit]]
kind = "ger_grenadiers"
"""
    with pytest.raises(MalformedError) as caught:
        GAME.check_force(Document.from_toml(text, "force.toml"))
    found = told(caught.value)
    for wrong in ("force.toml:9", "Expected `int` >= 0", "is German"):
        assert wrong in found, found
    with pytest.raises(MalformedError) as caught:
        GAME.check_force(Document.from_toml(text.replace("us_rifle = -3", "us_rifle = 90"), "force.toml"))
    found = told(caught.value)
    for wrong in (
        "0 of us_pl (1)",
        'unknown Team "us_fo"',
        "90 of us_rifle (0 to 14)",
        'training "brave"',
        "is German",
    ):
        assert wrong in found, found


def test_charts_with_negative_fire_points_are_refused() -> None:
    text = "[weapons]\nrifle = { fp = -1 }\ngun_88 = { he_fp = -2 }\n"
    with pytest.raises(MalformedError) as caught:
        CompanyCharts.read(Document.from_toml(text, "mine.toml"))
    found = told(caught.value)
    assert "mine.toml:2: weapons.rifle.fp: -1 is less than 0 (0 or more)" in found
    assert "mine.toml:3: weapons.gun_88.he_fp: -2 is less than 0 (0 or more)" in found


def test_a_user_s_own_units_are_refused() -> None:
    text = """[[team]]
id = "us_mine"
name = "Mine"
nation = "american"
type = "infantry"
footprint = "infantry"
points = 10
turret = true
years = [1941, 1945]
weapons = ["smg"]
tank_assault = 2
[[unit]]
id = "us_mob"
name = "Mob"
nation = "american"
role = "core"
training = "veteran"
teams = [{ team = "us_rifle", count = 4 }, { team = "us_fo" }]
"""
    with pytest.raises(MalformedError) as caught:
        load_units(Document.from_toml(text, "units.toml"))
    found = told(caught.value)
    for wrong in ("only a Tank Team has a turret", "needs a Platoon Leader", "only artillery has a Forward Observer"):
        assert wrong in found, found


# ---- poses -----------------------------------------------------------------------------------------------------

LONG = 10_000
FIELD = """game = "company"
name = "field"
title = "Field"
first_to_deploy = "american"
[table]
name = "Field"
size = [60, 48]
[side.american]
nation = "american"
[[side.american.zone]]
points = [[0, 24], [60, 24], [60, 48], [0, 48]]
[[side.american.unit]]
kind = "us_rifles"
[side.german]
nation = "german"
[[side.german.zone]]
points = [[0, 0], [60, 0], [60, 24], [0, 24]]
[[side.german.unit]]
kind = "ger_grenadiers"
at = [40, 21]
heading = 180
"""


def on_the_move() -> Session:
    """Three stands in a line are asked where they move, six inches from grenadiers."""
    session = play(
        platoon("us_rifles", "a1", (20, 40), (22.5, 40), (25, 40)),
        platoon("ger_grenadiers", "g1", (20, 34), (25, 34), heading=180),
        dice=(6,),
    )
    answer(session, "activate a1", "all move")
    assert session.ask is not None and session.ask.area is not None
    return session


def at_set_up() -> Session:
    """A rifle platoon is to be set up, with grenadiers just over the border of its zone."""
    session = Session(GAME, GAME.load_scenario(Document.from_toml(FIELD, "field.toml")), script=(1, 6))
    assert session.ask is not None and session.ask.area is not None
    return session


def everything(session: Session) -> tuple[object, ...]:
    """All that an answer could change."""
    return GAME.encode(session.state), session.dice.position, len(session.log), tuple(session.answers), keys(session)


def must_refuse(session: Session, pose: str) -> str:
    """An answer is refused, the battle stays as it was to the byte, and a preview says no as well; the reason."""
    before = everything(session)
    with pytest.raises(IllegalError) as caught:
        session.answer(pose)
    assert everything(session) == before
    try:
        assert not session.preview(pose).legal
    except GrognardError as error:
        assert len(str(error)) < 1000
    assert everything(session) == before
    found = str(caught.value)
    assert len(found) < 2000, "nobody reads an answer of thousands of letters again"
    return found


@pytest.mark.parametrize(
    ("pose", "wrong"),
    [
        ("pose 22.5 39 0 as_they_stand t9@20,39", "doesn't have a model 't9'"),
        ("pose 22.5 39 0 as_they_stand t1@20,39 t2@20,39", "its bases would overlap"),
        ("pose 22.5 39 0 as_they_stand t2@22.5,39 t2@20,41", "sets t2 by hand twice; once is right"),
        ("pose 22.5 40 0 as_they_stand t1@20,46 t3@31,40", "it would be out of cohesion"),
        ("pose 22.5 -4 0 as_they_stand", "it would leave the table"),
        ("pose 900 40 0 as_they_stand", "it would leave the table"),
        ("pose 22.5 37 0 as_they_stand", "within 2″ of an enemy"),
        ("pose 22.5 40 0 as_they_stand t1@20,36.5", "within 2″ of an enemy"),
        ("pose 22.5 20 0 as_they_stand", "the move is at most 6″"),
        ("pose 22.5 39 400 as_they_stand", "has a heading of 400; headings are 0 to 359 degrees"),
        ("pose 22.5 39 0 as_they_stand t2@22.5,39,400", "has a heading of 400; headings are 0 to 359 degrees"),
        ("pose 22.5 39 0 hedgehog", "'hedgehog' is not a form; known: "),
        ("pose 22.5 39 0 as_they_stand\n", "is not a pose; write it as 'pose 12.5 30 90'"),
        ("pose nan 39 0", "is not a pose; write it as 'pose 12.5 30 90'"),
        ("pose", "is not a pose; write it as 'pose 12.5 30 90'"),
        (f"pose {'9' * LONG} 39 0", "has 10,010 letters; a pose has at most 2,000"),
        (f"pose 22.5 39 0 {'x' * LONG}", "letters; a pose has at most 2,000"),
        ("pose 22.5 39 0 as_they_stand" + " t1@20,39" * 1200, "letters; a pose has at most 2,000"),
        ("x" * LONG, "legal: stay"),
        ("", "legal: stay"),
    ],
    ids=lambda value: value[:40],
)
def test_a_move_that_cannot_be_is_refused_and_changes_nothing(pose: str, wrong: str) -> None:
    session = on_the_move()
    assert wrong in must_refuse(session, pose)
    answer(session, "pose 22.5 39 0 as_they_stand")
    assert [stand.y for stand in session.state.units["a1"].models] == [3900] * 3, "the right answer is still taken"


@pytest.mark.parametrize(
    ("pose", "wrong"),
    [
        ("pose 20 36 0 line t99@20,36", "doesn't have a model 't99'"),
        ("pose 20 36 0 line t2@20,40 t3@20,40", "its bases would overlap"),
        ("pose 20 36 0 line t2@20,40 t2@22,40", "sets t2 by hand twice; once is right"),
        ("pose 20 36 0 line t2@50,40", "it would be farther than 6″ from its Leader"),
        ("pose 20 43 0 line t1@20,47.9", "it would stand off the table"),
        ("pose 90 36 0 line", "a Unit must set up inside its zone"),
        ("pose 20 20 0 line", "a Unit must set up inside its zone"),
        ("pose 40 25.5 0 line", "it would stand within 2″ of an enemy"),
        ("pose 20 36 400 line", "has a heading of 400; headings are 0 to 359 degrees"),
        ("pose 20 36 0 line t2@20,40,400", "has a heading of 400; headings are 0 to 359 degrees"),
        ("pose 20 36 0 hedgehog", "'hedgehog' is not a form; known: line, cluster, column"),
        (f"pose 20 36 0 {'x' * LONG}", "letters; a pose has at most 2,000"),
        ("pose 20 36 0 line" + " t1@20,39" * 1200, "letters; a pose has at most 2,000"),
        ("x" * LONG, "legal: pose"),
        ("", "legal: pose"),
    ],
    ids=lambda value: value[:40],
)
def test_a_set_up_that_cannot_be_is_refused_and_changes_nothing(pose: str, wrong: str) -> None:
    session = at_set_up()
    assert wrong in must_refuse(session, pose)
    answer(session, "pose 20 36 0 line")
    assert session.state.units["a1"].status == ON_TABLE, "the right answer is still taken"


@pytest.mark.rule("company", "4.8", "16.3")
def test_two_inches_from_an_enemy_is_far_enough_at_set_up() -> None:
    session = at_set_up()
    ask = session.ask
    assert ask is not None and ask.area is not None
    far = next(y for y in range(2400, 3600) if session.preview(f"pose 40 {y / 100} 0 line").legal)
    answer(session, f"pose 40 {far / 100} 0 line")
    own, foe = (session.state.units[id] for id in ("a1", "g1"))
    assert 200 <= round(session.battle.gap(own, foe)) <= 202  # type: ignore[attr-defined]
