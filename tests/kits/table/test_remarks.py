"""What a unit is told before it goes somewhere."""

from __future__ import annotations

from grognard.kits.table.remarks import listed, remarks
from tests.kits.table.test_ground import battle

WORDS = {"none": "In the open to", "soft": "In cover from"}


def test_the_most_dangerous_comes_first_and_alike_are_told_together() -> None:
    field = battle()
    unit = field.units("red")[0]
    names = [field.name(foe) for foe in field.enemies("red")]
    assert len(names) == 2
    one, two = names
    first = field.enemies("red")[0]

    def told(*covers: str | None) -> list[str]:
        known = dict(zip((foe.id for foe in field.enemies("red")), covers))
        return remarks(field, unit, lambda foe: known[foe.id], WORDS)

    assert told("none", "none") == [f"In the open to {one} and {two}"]
    assert told("soft", "none") == [f"In the open to {two}", f"In cover from {one}"]
    assert told("soft", None) == [f"In cover from {one}", "Out of sight of the other enemy"]
    assert told(None, None) == ["Out of sight of every enemy"]

    def watches(foe: object) -> str:
        return "watches" if foe is first else ""

    assert remarks(field, unit, lambda foe: "soft", WORDS, warned=watches)[0] == f"{one} watches"
    unseen = remarks(field, unit, lambda foe: None if foe is first else "soft", WORDS, warned=watches)
    assert unseen == [f"In cover from {two}", "Out of sight of the other enemy"], "who does not see it does not matter"
    assert listed(["a", "b", "c"]) == "a, b and c" and listed(["a"]) == "a"
