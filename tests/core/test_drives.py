"""A move in one answer: to a place or along a path, facing the way it goes, with every reaction on the way."""

from __future__ import annotations

import pytest

from grognard.core.drives import drive, staged
from grognard.core.errors import IllegalError
from grognard.core.session import Session
from tests.games.ost.helpers import answer, position

TANK = ("k us_m4a1 D7 facing=1", "a us_rifle D7", "g ger_rifle A1")
WATCHED = ("k us_m4a1 D7 facing=1", "h ger_pak40 D2 facing=4")


def steps(session: Session) -> list[str]:
    return [key for _, key, _ in session.given]


def test_a_drive_goes_to_a_place_and_faces_the_way_it_goes() -> None:
    session = position(*TANK, active="american", map="open 10x10")
    move = drive(session, "move k C5")
    assert move is not None
    move.go_on(session)
    assert session.battle.unit("k").hex == "C5"
    assert move.arrived and session.ask is not None and "MP left" in session.ask.prompt, "it may go on from there"
    assert steps(session)[0] == "move k" and any(key.startswith("face") for key in steps(session))


def test_a_drive_follows_the_path_that_is_told() -> None:
    session = position(*TANK, active="american", map="open 10x10")
    move = drive(session, "move k D6 E6 E5")
    assert move is not None
    move.go_on(session)
    assert [key for key in steps(session) if key.startswith("step")] == ["step D6", "step E6", "step E5"]
    assert session.battle.unit("k").facing == 1, "as it drove in"
    assert drive(session, "drive E4") is not None, "on from where it stands"


def test_every_hex_of_a_drive_may_be_reacted_to() -> None:
    session = position(*WATCHED, active="american", map="open 10x10")
    move = drive(session, "move k D6 D5")
    assert move is not None
    move.go_on(session)
    assert session.ask is not None and session.ask.side == "german" and move.left[-1] == "step D5"
    assert move.go_on(session) == [], "it waits for the other side"
    answer(session, "pass")
    assert move.go_on(session)[-1] == "step D5" and session.ask is not None and session.ask.side == "german"
    answer(session, "pass")
    move.go_on(session)
    assert move.arrived


def test_a_drive_that_is_halted_is_given_up() -> None:
    session = position(*WATCHED, active="american", map="open 10x10", dice=(6, 5, 6, 6, 1, 1))
    move = drive(session, "move k D6 D5")
    assert move is not None
    move.go_on(session)
    answer(session, "h at k main")
    move.go_on(session)
    assert move.stopped and move.left and session.battle.unit("k").hex == "D6"


@pytest.mark.parametrize("typed", ["move k", "move k K99", "move z D6", "fire k D6", "D6", "move k J1", ""])
def test_what_is_no_drive_is_none(typed: str) -> None:
    assert drive(position(*TANK, active="american", map="open 10x10"), typed) is None


# -- odds ------------------------------------------------------------------------------------------


def test_odds_take_a_drive_as_one_answer() -> None:
    session = position(*WATCHED, active="american", map="open 10x10")
    keys = staged(session, ["move k D6 D5"])
    assert [key for key in keys if not key.startswith("face")] == ["move k", "step D6", "step D5"]
    assert session.odds("move k D6 D5") == session.odds(*keys)
    assert session.odds("move k D5").to_us == 0 and session.odds("move k D5").assumed, (
        "the gun is taken to hold its fire"
    )
    assert not session.answers, "and nothing has moved"


def test_what_follows_a_drive_is_for_the_first_question_that_takes_it() -> None:
    session = position(*WATCHED, active="american", map="open 10x10")
    odds = session.odds("move k D6 D5", "h at k main")
    keys = staged(session, ["move k D6 D5", "h at k main"])
    assert keys.index("h at k main") < keys.index("step D5"), "the shot meets the tank in the first hex"
    assert odds == session.odds(*keys) and 0 < odds.to_us < 1
    later = staged(session, ["move k D6", "pass", "drive D5", "h at k main"])
    assert later.index("h at k main") > later.index("step D5")
    assert 0 < session.odds(*later).to_us < 1


@pytest.mark.parametrize("typed", [["move k K99"], ["move k D5", "h at k bazooka"], ["move k D5", "move k D4"]])
def test_odds_of_what_is_no_drive_are_refused(typed: list[str]) -> None:
    session = position(*WATCHED, active="american", map="open 10x10")
    with pytest.raises(IllegalError, match="not an answer"):
        session.odds(*typed)


def test_odds_name_the_sides_as_people_write_them() -> None:
    odds = position(*WATCHED, active="american", map="open 10x10").odds("move k", "step D6", "face 1")
    assert [assumed.text.split(" answers")[0] for assumed in odds.assumed] == ["Assuming the German player"]
