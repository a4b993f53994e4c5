"""The scenarios that come with the game, and what is told of a faulty scenario file."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
import shapely

from grognard.core.errors import GrognardError, MalformedError
from grognard.core.files import Document
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.game import GAME
from grognard.games.bolt_action.roster import roster
from grognard.games.bolt_action.scenario import Scenario
from grognard.kits.table.state import ABOARD, ON_TABLE, RESERVE, UNPLACED

FILES = GAME.scenario_files()
BATTLES = [name for name in FILES if name != "first_steps"]


def load(name: str) -> Scenario:
    return GAME.load_scenario(Document.read(FILES[name]))


def points(scenario: Scenario, side: str) -> int:
    kinds = {**roster(), **scenario.types}
    return sum(kinds[unit.kind].points for unit in scenario.units if unit.side == side)


def faults(text: str) -> list[str]:
    with pytest.raises(MalformedError) as error:
        GAME.load_scenario(Document.from_toml(text, "battle.toml"))
    return [str(fault) for fault in error.value.faults]


# ---- ours -------------------------------------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "28.2")
def test_six_battles_and_a_small_one_to_learn_with() -> None:
    assert len(BATTLES) == 6
    nations = {nation for name in BATTLES for nation in load(name).nations.values()}
    assert nations == {"german", "american", "soviet", "british"}
    small = load("first_steps")
    assert [sum(unit.side == side for unit in small.units) for side in small.sides] == [4, 4]
    assert (small.table.width, small.table.height) == (4800, 3600)


@pytest.mark.rule("bolt_action", "28.2")
@pytest.mark.parametrize("name", BATTLES)
def test_forces_are_about_equal_and_of_the_usual_size(name: str) -> None:
    scenario = load(name)
    prices = [points(scenario, side) for side in scenario.sides]
    assert all(700 <= price <= 1100 for price in prices)
    assert max(prices) - min(prices) <= 50


@pytest.mark.parametrize("name", FILES)
def test_a_table_has_no_two_things_in_one_place(name: str) -> None:
    """Houses, woods and water lie beside each other, none under a road and none in another."""
    table = load(name).table
    solid = [piece for piece in table.pieces if not table.kind(piece).linear and table.kind(piece).sight != "crest"]
    roads = [piece for piece in table.pieces if table.kind(piece).ground == "road"]
    for one, other in [*combinations(solid, 2), *((piece, road) for piece in solid for road in roads)]:
        common = table.area(one).intersection(table.area(other)).area
        assert common < 1, f"{table.title(one)} and {table.title(other)}"
    for piece in table.pieces:
        if table.kind(piece).shape == "line" and table.kind(piece).ground == "obstacle":
            for house in (each for each in solid if table.kind(each).ground == "building"):
                assert not table.line(piece).intersects(table.area(house)), f"{piece.id} in {house.name}"


@pytest.mark.rule("bolt_action", "25.1")
@pytest.mark.parametrize("name", FILES)
def test_no_house_is_larger_than_eight_inches(name: str) -> None:
    table = load(name).table
    largest = charts().distance("buildings", "largest")
    for piece in table.pieces:
        if table.kind(piece).ground == "building":
            left, top, right, bottom = table.area(piece).bounds
            assert right - left <= largest and bottom - top <= largest, piece.name


@pytest.mark.parametrize("name", FILES)
def test_objectives_can_be_held(name: str) -> None:
    """Somebody can stand within reach of every objective."""
    scenario = load(name)
    table, near = scenario.table, charts().distance("length", "objective_distance")
    closed = [table.area(piece) for piece in table.pieces if table.kind(piece).ground == "impassable"]
    for objective in scenario.objectives:
        room = shapely.Point(objective.x, objective.y).buffer(near).difference(shapely.union_all(closed))
        assert room.area > 4 * 100 * 100, objective.name


@pytest.mark.rule("bolt_action", "28.6", "28.2")
@pytest.mark.parametrize("name", FILES)
def test_zones_are_apart_and_have_room(name: str) -> None:
    scenario = load(name)
    first, second = (
        shapely.union_all([shapely.Polygon(zone.points) for zone in scenario.zones[side]]) for side in scenario.sides
    )
    assert first.distance(second) >= 800
    assert min(first.area, second.area) > 48 * 8 * 10_000


@pytest.mark.parametrize("name", FILES)
def test_a_briefing_tells_where_when_and_what_for(name: str) -> None:
    scenario = load(name)
    assert scenario.place and scenario.date and len(scenario.briefing) > 200 and scenario.victory.text
    assert all(scenario.titles[side] for side in scenario.sides)


@pytest.mark.rule("bolt_action", "28.6", "1.9")
@pytest.mark.parametrize("name", FILES)
def test_a_battle_opens_without_pins_and_dice(name: str) -> None:
    scenario = load(name)
    state = GAME.begin(scenario)
    assert all(unit.pins == 0 and unit.die == "" for unit in state.units.values())
    assert {unit.status for unit in state.units.values()} <= {UNPLACED, ON_TABLE, ABOARD, RESERVE}
    assert [unit.n for unit in state.units.values()] == sorted(unit.n for unit in state.units.values())


def test_the_breakout_is_won_over_the_far_edge() -> None:
    scenario = load("breakout")
    (way,) = scenario.victory.exits
    assert (way.side, way.edge, way.points) == ("german", "right", 3)
    assert scenario.victory.otherwise == "american"
    assert [unit.aboard for unit in scenario.units if unit.aboard] == ["g5", "g5", "g6"]


def test_reserves_come_over_an_edge() -> None:
    reserves = {unit.kind: unit for unit in load("ridge").units if unit.edge}
    assert reserves["ger_panzer3"].turn == 2
    assert reserves["ger_panzer3"].entry == (600, 5400)


# ---- faults -----------------------------------------------------------------------------------------------


GOOD = Path(FILES["first_steps"]).read_text("utf-8")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('kind = "us_mmg"', 'kind = "us_mgm"'), 'no unit called "us_mgm"'),
        (("turns = 4", "turns = 40"), "40 turns"),
        (("turns = 4", 'turns = "four"'), "Expected `int"),
        (('attacker = "american"', 'attacker = "uk"'), "side"),
        (("at = [24, 33.5]", "at = [24, 40]"), "is not on the table"),
        (("heading = 180", "heading = 400"), "a heading of 400"),
        (('id = "a2"', 'id = "a1"'), 'the id "a1" twice'),
        (('nation = "american"', 'nation = "usa"'), "nation"),
        (('kind = "hedge"', 'kind = "hegde"'), "hegde"),
        (("points = 3", "points = 3\ncolour = 2"), 'unknown key "colour"'),
        (('game = "bolt_action"', 'game = "ost"'), 'a scenario of "ost"'),
        (("[victory]", '[victory]\notherwise = "nobody"'), "side"),
        (("[[0, 24], [48, 24], [48, 36], [0, 36]]", "[[0, 24], [48, 24]]"), "do not enclose an area"),
    ],
)
def test_a_fault_is_told_with_its_line(change: tuple[str, str], told: str) -> None:
    text = GOOD.replace(*change, 1)
    line = next(n for n, (old, new) in enumerate(zip(GOOD.splitlines(), text.splitlines()), 1) if old != new)
    found = faults(text)
    assert any(told in fault for fault in found), found
    assert any(fault.startswith(f"battle.toml:{near}:") for fault in found for near in (line, line + 1)), found


def test_all_faults_are_told_at_once() -> None:
    text = GOOD.replace("turns = 4", "turns = 40").replace('kind = "us_mmg"', 'kind = "us_mgm"')
    assert len(faults(text)) == 2


@pytest.mark.rule("bolt_action", "24.1")
def test_who_starts_aboard_must_fit_in() -> None:
    text = Path(FILES["breakout"]).read_text("utf-8")
    crowded = text.replace(
        'kind = "ger_vet_grenadiers"\naboard = "g5"', 'kind = "ger_vet_grenadiers"\nmen = 12\naboard = "g5"'
    )
    assert any("13 men aboard SdKfz 251/1 half-track" in fault for fault in faults(crowded))
    assert any('no transport "g4"' in fault for fault in faults(text.replace('aboard = "g6"', 'aboard = "g4"')))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('turn = 3\nedge = "bottom"', ""),
        ('turn = 0\nedge = "bottom"', "a reserve of turn 0"),
        ("turn = 3", "needs an edge"),
        ('turn = 3\nedge = "south"', "edge"),
        ('turn = 3\nedge = "bottom"\nentry = [50, 90]', "where it starts and ends along the edge, 0 to 72"),
    ],
)
def test_a_reserve_needs_a_turn_and_an_edge(line: str, told: str) -> None:
    text = Path(FILES["breakout"]).read_text("utf-8")
    given = 'turn = 5\nedge = "bottom"\nentry = [30, 70]'
    assert given in text
    text = text.replace(given, line)
    if told:
        assert any(told in fault for fault in faults(text))
    else:
        assert GAME.load_scenario(Document.from_toml(text, "battle.toml"))


# ---- random battles ---------------------------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "28.1")
@pytest.mark.parametrize("seed", range(6))
def test_a_random_battle_is_fair(seed: int) -> None:
    scenario = GAME.random_battle(seed=seed, nations="soviet/german", terrain="close")
    prices = [points(scenario, side) for side in scenario.sides]
    assert all(675 <= price <= 750 for price in prices)
    again = GAME.load_scenario(Document.from_toml(scenario.source, "again.toml"))
    assert again == scenario


@pytest.mark.rule("bolt_action", "28.1")
@pytest.mark.parametrize("size", ["500", "750", "1000"])
def test_a_random_force_is_a_reinforced_platoon(size: str) -> None:
    scenario = GAME.random_battle(points=size, seed="limits")
    kinds = {**roster(), **scenario.types}
    for side in scenario.sides:
        roles = [kinds[unit.kind].role for unit in scenario.units if unit.side == side]
        for role in charts().platoon.values():
            assert role.least <= roles.count(role.id) <= role.most or role.id == "transport"


def test_the_same_seed_gives_the_same_battle() -> None:
    assert GAME.random_battle(seed=3).source == GAME.random_battle(seed=3).source != GAME.random_battle(seed=4).source


@pytest.mark.parametrize(
    "choices",
    [
        {"points": "50"},
        {"points": "x"},
        {"nations": "american/american"},
        {"nations": "american/it"},
        {"terrain": "moon"},
        {"year": "x"},
    ],
)
def test_choices_that_cannot_be_are_told(choices: dict[str, str]) -> None:
    with pytest.raises(GrognardError, match=r"points|nation|terrain|year"):
        GAME.random_battle(**choices)
