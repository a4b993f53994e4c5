"""Situations: positions set by hand, read with all their faults told, and impossible ones refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.core.errors import Fault, MalformedError
from grognard.core.files import Document
from grognard.core.resuming import load
from grognard.core.session import Session
from grognard.games.ost.game import GAME
from grognard.games.ost.state import BROKEN, OFF_MAP, ON_MAP, PLANE, UNMANNED, Melee, Mines, Strike, Work
from tests.games.ost.helpers import keys, position, situation, state, unit

TEXT = """\
game = "ost"
name = "knife_edge"
sides = ["german", "american"]
turn = 4
turns = 9
active = "american"
initiative = "german"
points = { german = 3, american = 6 }
casualties = { german = 2 }
score = { american = 5 }
gut_check = { german = 8, american = 6 }
impulse = { german = "3d6" }
cards = { german = ["old_soldier"] }
assets = { german = { mortars = 1 } }
exit = { american = "J1-J8" }
smoke = { E5 = 1, F5 = 2 }
wrecks = { C2 = 2 }
rubble = "G4"
[map]
columns = 10
rows = 8
[[unit]]
id = "g1"
kind = "ger_rifle"
hex = "D4"
morale = "broken"
reduced = true
weapons = ["ger_lmg"]
[[unit]]
kind = "ger_sgt"
attached = "g1"
[[unit]]
id = "tank"
kind = "us_m4a1"
hex = "F6"
facing = 4
moved = true
fired = 1
main_fires = 1
guns_out = [0]
acquired = "g1"
bogged = true
[[unit]]
id = "rider"
kind = "us_rifle"
aboard = "tank"
[[unit]]
id = "late"
kind = "us_rifle"
due = 2
entry = "J1-J3"
[[unit]]
id = "gun"
kind = "ger_pak40"
hex = "A8"
facing = 1
status = "unmanned"
[[unit]]
id = "dakota"
kind = "us_c47"
hex = "B8"
facing = 1
load = ["jumper"]
due = 3
[[unit]]
id = "jumper"
kind = "us_airborne"
[[unit]]
id = "g9"
kind = "ger_rifle"
hex = "I8"
[[unit]]
id = "a9"
kind = "us_rifle"
hex = "I8"
[[weapon]]
kind = "us_bazooka"
hex = "H2"
[[work]]
kind = "pillbox"
hex = "H3"
side = "german"
facing = 2
[[mines]]
hex = "C3"
side = "german"
[[strike]]
side = "german"
kind = "mortars"
hex = "H6"
[[melee]]
hex = "I8"
initiator = "american"
turn = 5
[control.D4]
owner = "american"
[control.E4]
"""


def faults(text: str) -> list[Fault]:
    with pytest.raises(MalformedError) as error:
        GAME.load_situation(Document.from_toml(text, "s.toml"))
    return list(error.value.faults)


def test_everything_is_where_it_was_put() -> None:
    session = situation(TEXT)
    found, scenario = state(session), session.scenario
    assert (found.turn, scenario.turns, found.phase, found.active, found.initiative) == (
        4,
        9,
        "play",
        "american",
        "german",
    )
    assert found.points == {"german": 3, "american": 6} and found.casualties == {"german": 2, "american": 0}
    assert found.victory == {"german": 0, "american": 5}
    assert scenario.gut_check == {"german": 8, "american": 6} and scenario.impulse["german"] == "3d6"
    assert found.cards == {"german": ["old_soldier"], "american": []}
    assert found.assets["german"] == {"mortars": 1} and "J4" in scenario.exits["american"]
    assert found.smoke == {"E5": 1, "F5": 2} and found.wrecks == {"C2": 2} and found.rubble == ["G4"]
    assert found.works == {"H3": Work("pillbox", "german", 2)} and found.mines == {"C3": Mines("german")}
    assert found.strikes == [Strike("german", "mortars", "H6")]
    assert found.melees == {"I8": Melee("american", 5)}
    assert found.control == {"D4": "american", "E4": ""}
    assert {w.kind: (w.unit, w.hex) for w in found.weapons.values()} == {
        "ger_lmg": ("g1", ""),
        "us_bazooka": ("", "H2"),
    }


def test_units_have_every_state_they_are_given() -> None:
    session = situation(TEXT)
    squad, tank = unit(session, "g1"), unit(session, "tank")
    assert squad.morale == BROKEN and squad.reduced
    assert (tank.facing, tank.moved, tank.fired, tank.main_fires) == (4, True, 1, 1)
    assert (tank.guns_out, tank.acquired, tank.bogged) == ((0,), "g1", True)
    assert unit(session, "g2").hex == "D4" and unit(session, "g2").attached == "g1"
    assert unit(session, "rider").hex == "F6" and unit(session, "rider").aboard == "tank"
    assert (unit(session, "late").status, unit(session, "late").entry) == (OFF_MAP, ("J1", "J2", "J3"))
    assert unit(session, "gun").status == UNMANNED and unit(session, "gun").facing == 1
    assert unit(session, "dakota").status == unit(session, "jumper").status == PLANE
    assert unit(session, "dakota").entry == ("jumper",) and unit(session, "jumper").aboard == "dakota"


def test_sides_follow_from_the_units() -> None:
    session = position("s1 sov_rifle A1", "g1 ger_rifle J8")
    assert session.scenario.sides == ("soviet", "german")
    assert position("a1 us_rifle A1").scenario.sides == ("american", "german")
    assert position("a1 us_rifle A1 side=blue", "a2 us_rifle J8 side=red").scenario.sides == ("blue", "red")


def test_a_situation_can_be_saved_and_loaded() -> None:
    session = situation(TEXT, dice=(1, 1, 1, 1))
    session.answer(next(key for key in keys(session) if key == "cover a9" or key == "burn" or key == "pass"))
    again = load(session.save(), GAME, *GAME.load_situation(Document.from_toml(session.scenario.source, "again")))
    assert again.digest == session.digest


WRONG = [
    ('kind = "ger_rifle"\nhex = "D4"', 'kind = "ger_rfile"\nhex = "D4"', "unit[1].kind", 'did you mean "ger_rifle"?'),
    ('hex = "D4"', 'hex = "D44"', "unit[1].hex", "D44"),
    ('morale = "broken"', 'morale = "brokn"', "unit[1].morale", 'did you mean "broken"?'),
    ("reduced = true", "redcued = true", "unit[1].redcued", 'did you mean "reduced"?'),
    ("facing = 4", "facing = 9", "unit[3].facing", "1 (north) to 6"),
    ("fired = 1\n", "fired = 3\n", "unit[3].fired", "0, 1 or 2"),
    ('acquired = "g1"', 'acquired = "x1"', "unit[3].acquired", "one of g1"),
    ('aboard = "tank"', 'aboard = "g1"', "unit[4].aboard", "79.1"),
    ('attached = "g1"', 'attached = "tank"', "unit[2].attached", "15.14"),
    ('id = "g9"', 'id = "g1"', "unit[9].id", "a different id"),
    ('kind = "us_bazooka"', 'kind = "us_bazoka"', "weapon[1].kind", 'did you mean "us_bazooka"?'),
    ('kind = "pillbox"', 'kind = "pilbox"', "work[1].kind", 'did you mean "pillbox"?'),
    ('initiator = "american"', 'initiator = "americans"', "melee[1].initiator", 'did you mean "american"?'),
    ('cards = { german = ["old_soldier"] }', 'cards = { german = ["old_solder"] }', "cards.german", "old_soldier"),
    ("smoke = { E5 = 1", "smoke = { E5 = 3", "smoke.E5", "2 for Smoke 2"),
    ('active = "american"', 'active = "amercan"', "active", 'did you mean "american"?'),
    ("points = { german", "points = { germn", "points.germn", 'did you mean "german"?'),
    ('sides = ["german", "american"]', 'sides = ["german"]', "sides", "american"),
]


@pytest.mark.parametrize(("right", "wrong", "place", "remedy"), WRONG, ids=[wrong for _, wrong, _, _ in WRONG])
def test_a_fault_names_its_line_its_place_and_what_would_be_right(
    right: str, wrong: str, place: str, remedy: str
) -> None:
    assert right in TEXT
    text = TEXT.replace(right, wrong, 1)
    found = [fault for fault in faults(text) if fault.place == place]
    assert found, [str(fault) for fault in faults(text)]
    assert remedy in str(found[0]) and found[0].line


def test_all_faults_are_told_together() -> None:
    text = TEXT.replace('hex = "D4"', 'hex = "D44"').replace("facing = 4", "facing = 9").replace("C3", "C33")
    assert {fault.place for fault in faults(text)} == {"unit[1].hex", "unit[3].facing", "mines[1].hex"}


@pytest.mark.parametrize(
    ("units", "wrong"),
    [
        (("g1 ger_rifle D4", "g2 ger_rifle D4", "g3 ger_rifle D4"), "3 units of german in D4 [72.1]"),
        (("g1 ger_rifle D4", "g2 ger_sgt D4", "g3 ger_lt D4", "g4 ger_cpt D4"), "3 Leaders of german in D4 [72.1]"),
        (("g1 ger_sniper D4", "g2 ger_rifle D4"), "a Sniper of german is not alone in D4 [12.2]"),
        (("g1 ger_rifle D4", "a1 us_rifle D4"), "enemies share D4 without a Melee [75.10]"),
        (
            ("g1 ger_rifle D4", "g2 ger_sgt D4 attached=g1", "g3 ger_lt D4 attached=g1"),
            "two Leaders are attached to one unit in D4 [15.13]",
        ),
        (("g1 ger_rifle D4", "g2 ger_sgt E4 attached=g1"), "g2 is attached to g1, which is not with it"),
        (("g1 ger_rifle D4 partner=g2", "g2 ger_pz4h D4"), "are not a Rolling Cover pair"),
        (("g1 ger_rifle - ",), "g1 needs a place"),
    ],
)
def test_an_impossible_position_is_refused(units: tuple[str, ...], wrong: str) -> None:
    with pytest.raises(MalformedError) as error:
        position(*units, "a9 us_rifle J8")
    assert wrong in str(error.value)


def test_what_looks_crowded_but_is_not() -> None:
    """Passengers count with their vehicle, two Leaders may be there, wrecks do not count (72.1, 72.2)."""
    session = position(
        "g1 ger_sdkfz251 D4",
        "g2 ger_rifle - aboard=g1",
        "g3 ger_lt - attached=g2",
        "g4 ger_rifle D4",
        "g5 ger_sgt D4 attached=g4",
        "a1 us_rifle J8",
        wrecks="D4",
    )
    assert not GAME.invariants(session.battle)
    assert unit(session, "g3").aboard == "g1" and unit(session, "g3").status == ON_MAP


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_mangled_file_is_refused_or_played(data: st.DataObject) -> None:
    lines = TEXT.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        number = data.draw(st.integers(0, len(lines) - 1))
        line = lines[number]
        where = data.draw(st.integers(0, len(line)))
        lines[number] = line[:where] + data.draw(st.text(max_size=2)) + line[where + data.draw(st.integers(0, 2)) :]
    try:
        scenario, found = GAME.load_situation(Document.from_toml("\n".join(lines), "s.toml"))
    except MalformedError as error:
        assert error.faults
        return
    session = Session(GAME, scenario, state=found, seed=b"x")
    assert session.over or session.ask is not None
