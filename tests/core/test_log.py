"""Lines of the log: which units and places one is about, and that it gives away no more than its text tells."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.core.battle import Battle
from grognard.core.dice import Reader, ScriptedDice, at_least, counts, total
from grognard.core.events import NO_NAMES, Event, Names, Told, place_told
from grognard.core.view import LogLine, log_line

PLACES = frozenset({"A1", "A10", "B2", "2,5", "12,5"})


class Went(Event, frozen=True, kw_only=True):
    """A unit goes somewhere; from where is nobody's business."""

    unit: str
    start: str
    place: str

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        return f"{names.get(self.unit, self.unit)} goes to {place_told(self.place, names)}"


class Measured(Names):
    """Places in words."""

    def place(self, word: str) -> str:
        across, down = word.split(",")
        return f"{across}″ from the left, {down}″ from the top"


def about(event: Event, names: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    line = log_line(event, {}, names, PLACES)
    return line.units, line.places


def test_a_line_is_about_what_its_text_tells() -> None:
    names = {"r1": "Rifle Squad r1", "r10": "Rifle Squad r10"}
    assert about(Went(side="red", unit="r1", start="B2", place="A1"), names) == (("r1",), ("A1",))
    assert about(Went(side="red", unit="r1", start="A1", place="A10"), names) == (("r1",), ("A10",)), "A1 is not A10"


def test_places_in_words_are_found_by_their_words() -> None:
    names = Measured(r1="Rifle Squad r1")
    assert about(Went(side="red", unit="r1", start="12,5", place="2,5"), names)[1] == ("2,5",)
    assert about(Went(side="red", unit="r1", start="2,5", place="12,5"), names)[1] == ("12,5",), "2″ is not 12″"


class Broken(Told, frozen=True, kw_only=True):
    """{unit} is Broken"""

    matters = True
    harm = True
    unit: str


def test_a_line_tells_what_befell_a_unit_without_its_name() -> None:
    names = {"r1": "Rifle Squad 1"}
    line = log_line(Broken(side="red", unit="r1"), {}, names)
    assert (line.text, line.whom, line.change) == ("Rifle Squad 1 is Broken", "r1", "is Broken")
    assert line.harm
    assert not line.fatal


def test_a_unit_that_the_text_does_not_tell_is_not_told_otherwise() -> None:
    assert log_line(Broken(side="red", unit="r1"), {}, {}).whom == ""


def thrown(dice: str, read: Reader, *faces: int) -> LogLine:
    """The line of a throw."""
    battle: Battle[None] = Battle(None, None, ScriptedDice(faces))
    battle.roll("red", "attack", dice, read, unit="r1")
    return log_line(battle.log[0], {}, {"r1": "Rifle Squad 1"})


def test_a_throw_tells_its_total_and_what_would_have_come_to_anything() -> None:
    line = thrown("2d6", at_least(7), 4, 2)
    assert (line.total, line.needed, line.meaning) == (6, "7 or more", "failed")
    initiative = thrown("2d6+3", total(3), 4, 2)
    assert (initiative.total, initiative.needed, initiative.meaning) == (9, "", "9")


def test_of_a_handful_each_die_is_told_and_no_total() -> None:
    line = thrown("3d6", counts(((0, 0, 0, 0, 1, 1),) * 3, words=("hit",)), 5, 6, 1)
    assert (line.total, line.needed, line.meaning) == (0, "5 or more each", "2 hit")
