"""How a battle on a table is won: holding objectives, leading by enough, and the rules of a file."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from grognard.core.files import Document
from grognard.core.read_tables import read_record
from grognard.core.tally import Tally
from grognard.core.view import Result
from grognard.kits.table import view
from grognard.kits.table.reading import VictoryEntry, victory_fields
from grognard.kits.table.scenario import ExitPoints, Objective
from grognard.kits.table.victory import Ended, Standing, add_objectives, compare, end, holder, result
from tests.kits.table.stands.battle import Field
from tests.kits.table.test_ground import battle

SIDES = ("red", "blue")


def field(*at: tuple[int, int]) -> tuple[Field, list[Objective]]:
    """A battle for objectives at some places."""
    found = battle()
    wells = [
        Objective(id=f"w{n}", name=f"Well {n}", x=x, y=y, points=n + 1, sides=SIDES) for n, (x, y) in enumerate(at)
    ]
    found.scenario = replace(found.scenario, objectives=tuple(wells))
    return found, wells


def put(battle: Field, id: str, x: int, y: int) -> None:
    """The first stand of a unit goes somewhere, and stands as it did."""
    model = battle.unit(id).models[0]
    model.x, model.y, model.heading = x, y, 0
    battle.invalidate()


def test_an_objective_is_held_by_who_alone_is_near() -> None:
    found, (well,) = field((7500, 5000))
    red, blue = (found.units(side)[0].id for side in SIDES)
    assert holder(found, well, 100) == ""
    half = found.bodies(found.unit(red))[0].foot.width // 2
    put(found, red, 7500 + half + 100, 5000)
    assert holder(found, well, 100) == "red"
    put(found, red, 7500 + half + 102, 5000)
    assert holder(found, well, 100) == ""
    put(found, red, 7500, 5000)
    put(found, blue, 7500 - half - 100, 5000)
    assert holder(found, well, 100) == "", "both are near"
    found.invalidate()
    assert holder(found, well, 100, lambda unit: unit.side == "blue") == "blue", "red does not count"


def test_points_are_for_objectives_that_one_holds_and_scores_for() -> None:
    found, wells = field((7500, 5000), (2000, 2000), (9000, 9000))
    wells[1] = replace(wells[1], sides=("blue",))
    found.scenario = replace(found.scenario, objectives=tuple(wells))
    held = {"w0": "red", "w1": "red", "w2": ""}
    tally = Tally("points", 0, "1.2")
    add_objectives(tally, found, "red", "1.2", lambda objective: held[objective.id])
    assert [(line.id, line.amount, line.rule, line.source) for line in tally.lines] == [
        ("objective", 1, "1.2", "Well 0")
    ]
    told = view.held(found, lambda objective: held[objective.id])
    red = found.scenario.title_of("red")
    assert told == {"Well 0": f"{red} (1)", "Well 1": f"{red} (2)", "Well 2": "nobody (3)"}


def test_a_side_without_a_title_is_told_by_its_name() -> None:
    scenario = replace(battle().scenario, titles={"red": "The Reds"})
    assert (scenario.title_of("red"), scenario.title_of("far_blue")) == ("The Reds", "Far blue")


@pytest.mark.parametrize(
    ("red", "blue", "told"),
    [
        (3, 1, ("red", "3 points to 1")),
        (1, 3, ("blue", "3 points to 1")),
        (1, 0, ("", "1 point to 0")),
        (2, 2, ("", "2 points to 2")),
    ],
)
def test_a_lead_of_two_wins(red: int, blue: int, told: tuple[str, str]) -> None:
    assert compare({"red": red, "blue": blue}, 2) == told


def test_the_end_is_noted_and_told() -> None:
    found, _ = field()
    assert result(found) is None
    end(found, Standing("red", "3 points to 1", "1.2"))
    assert result(found) == Result("red", "3 points to 1", "1.2")
    [ended] = found.log
    assert isinstance(ended, Ended) and ended.say() == "The Red side wins: 3 points to 1"
    end(found, Standing("", "1 point to 1", "1.2"))
    assert found.log[-1].say() == "A draw: 1 point to 1"


def read(text: str) -> tuple[dict[str, Any], list[str]]:
    doc = Document.from_toml(f"[victory]\n{text}", "battle.toml")
    entry = read_record(doc, ("victory",), doc.data["victory"], VictoryEntry, {}) or VictoryEntry()
    found = victory_fields(doc, ("victory",), entry, SIDES, ["company"], lead=4)
    return found, [str(fault) for fault in doc.faults]


def test_a_file_says_how_a_battle_is_won() -> None:
    exits = '[[victory.exit]]\nside = "red"\nedge = "top"\npoints = 2\n'
    found, faults = read(f'otherwise = "blue"\ntext = " Hold on. "\n{exits}')
    assert not faults
    assert found == {
        "exits": (ExitPoints(side="red", edge="top", points=2),),
        "lead": 4,
        "otherwise": "blue",
        "text": "Hold on.",
    }
    assert read("lead = 1")[0]["lead"] == 1


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("lead = 0", "victory.lead: a lead of 0 points"),
        ("lead = -2", "a lead of -2 points"),
        ('otherwise = "green"', "victory.otherwise"),
        ('[[victory.exit]]\nside = "green"\nedge = "top"', "side"),
    ],
)
def test_faults_in_it_are_told(text: str, wrong: str) -> None:
    _, faults = read(text)
    assert len(faults) == 1 and wrong in faults[0], faults
