"""The roster against the published lists, restated in units_table.txt: what a unit has, costs and rides in."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.games.bolt_action.roster import Mount, roster

ROWS = [
    [cell.strip() for cell in line.split("|")]
    for line in (Path(__file__).parent / "units_table.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
HEAD, *UNITS = ROWS
TABLE = {row[0]: dict(zip(HEAD, [*row, *[""] * (len(HEAD) - len(row))])) for row in UNITS}

#: What a man costs by his quality, what his weapon costs more than a rifle, and what a special rule costs each man.
MEN = {"inexperienced": 7, "regular": 10, "veteran": 13}
ARMS = {"rifle": 0, "smg": 3, "automatic_rifle": 5, "assault_rifle": 5, "lmg": 20, "flamethrower_infantry": 20}
TRAINING = {"tank_hunters": 1, "tough_fighters": 1, "stubborn": 1, "fanatics": 2, "green": 0, "shirkers": -1}


def in_words(mount: Mount) -> str:
    """A weapon as the table has it: "2 panzerfaust extra", "mmg hull_front 90"."""
    words = [
        str(mount.count) if mount.count != 1 else "",
        mount.weapon,
        f"crew {mount.crew}" if mount.crew != 1 else "",
        "extra" if mount.extra else "",
        "scope" if mount.scope else "",
        "instead" if mount.alternative else "",
        f"HE {mount.he}" if mount.he else "",
        mount.mount,
        str(mount.arc) if mount.arc != 360 else "",
    ]
    return " ".join(word for word in words if word)


@pytest.mark.rule("bolt_action", "7.1", "28.1")
def test_every_unit_of_the_lists_is_in_the_roster_and_no_other() -> None:
    assert set(roster()) == set(TABLE)


@pytest.mark.rule("bolt_action", "7.1", "7.5", "28.1")
@pytest.mark.parametrize("id", sorted(TABLE))
def test_a_unit_is_what_the_lists_say(id: str) -> None:
    kind, row = roster()[id], TABLE[id]
    found = {
        "unit": kind.id,
        "kind": kind.kind,
        "quality": kind.quality,
        "models": str(kind.models),
        "points": str(kind.points),
        "years": f"{kind.years[0]}-{kind.years[1]}",
        "base": kind.footprint,
        "rank": kind.rank,
        "armour": kind.damage_class,
        "moves as": kind.mobility,
        "carries": str(kind.transport_capacity or ""),
        "tows": ", ".join(kind.tow),
        "special": ", ".join(sorted(kind.special)),
        "weapons": ", ".join(in_words(mount) for mount in kind.weapons),
    }
    assert found == row


@pytest.mark.rule("bolt_action", "28.1")
@pytest.mark.parametrize("id", sorted(id for id, row in TABLE.items() if row["kind"] == "infantry"))
def test_a_squad_costs_what_its_men_their_weapons_and_their_training_cost(id: str) -> None:
    kind = roster()[id]
    arms = sum((5 if mount.weapon == "panzerfaust" else ARMS[mount.weapon]) * mount.count for mount in kind.weapons)
    assert kind.points == kind.models * (MEN[kind.quality] + sum(TRAINING[each] for each in kind.special)) + arms
