"""Lines of the log: which units and places one is about, and that it gives away no more than its text tells."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.core.events import NO_NAMES, Event, Names, place_told
from grognard.core.view import log_line

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
