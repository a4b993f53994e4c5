"""The scenarios that come with the game: they load, they have room, and between them they use everything."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from grognard.board.hex.battlefield import Battlefield, load_battlefield
from grognard.board.hex.features import ROW_HOUSE_WALL
from grognard.core.dice import FairDice
from grognard.core.files import Document
from grognard.core.session import Session
from grognard.games.ost import setup
from grognard.games.ost.charts import charts
from grognard.games.ost.game import GAME
from grognard.games.ost.reading import MAPS, vocabulary
from grognard.games.ost.roster import roster
from grognard.games.ost.scenario import ASSETS, WORKS, Placing, Scenario
from grognard.games.ost.state import OFF_MAP, ON_MAP, PLANE, UNPLACED
from grognard.games.ost.terrain import entry_cost
from grognard.players.random import RandomPlayer

NAMES = sorted(GAME.scenario_files())
EXPECTED = {
    "first_patrol",
    "mill_farm",
    "two_columns",
    "canal_bridge",
    "drop_zone_linden",
    "causeway",
    "print_works",
    "the_gully",
    "steppe",
    "forest_road",
}


@cache
def load(name: str) -> Scenario:
    scenario: Scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[name]))
    return scenario


def every() -> Iterator[Scenario]:
    return map(load, NAMES)


def test_the_scenarios_that_we_promise_are_there() -> None:
    assert set(NAMES) >= EXPECTED


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_says_what_it_is(name: str) -> None:
    scenario = load(name)
    assert scenario.name == name
    assert scenario.title and scenario.place and scenario.date
    assert len(scenario.briefing.split()) > 40
    assert scenario.victory.text
    rules = scenario.victory
    assert rules.control or rules.exits or rules.wins
    assert all(scenario.cards[side] >= 0 and scenario.impulse[side] for side in scenario.sides)


@pytest.mark.parametrize("name", NAMES)
def test_every_hex_it_names_is_on_its_map(name: str) -> None:
    scenario = load(name)
    grid = scenario.battlefield.grid
    assert grid is not None
    named = {*scenario.wrecks, *scenario.control, *(hex for exits in scenario.exits.values() for hex in exits)}
    for unit in scenario.units:
        named |= {unit.at, *unit.zone}
        named |= set() if unit.load else set(unit.entry)
    for work in scenario.works:
        named |= {work.at, *work.zone}
    for mines in scenario.mines:
        named |= {mines.at, *mines.zone}
    assert named - {""} <= set(grid.hexes)
    entries = {hex for unit in scenario.units if not unit.load for hex in unit.entry}
    assert all(grid.is_edge(hex) for hex in entries)


@pytest.mark.parametrize("name", NAMES)
def test_set_up_leaves_nothing_out(name: str) -> None:
    """Whatever is placed first, there is room for the rest, and vehicles do not stand where none can drive."""
    scenario = load(name)
    for seed in range(4):
        session = Session(GAME, scenario, seed=b"set up %d" % seed)
        player = RandomPlayer(seed)
        while session.ask is not None and session.state.phase == "setup":
            session.answer(player.choose(None, session.ask))
        battle, state = session.battle, session.state
        planes = {unit.id for unit in scenario.units if unit.load}
        jumped = planes | {unit.id for unit in scenario.units if unit.aboard in planes}
        for unit in state.units.values():
            assert unit.status in (ON_MAP, OFF_MAP) or unit.id in jumped, unit.id
            assert unit.status not in (UNPLACED, PLANE) or unit.id in planes, unit.id
        assert {w.id for w in scenario.weapons} == set(state.weapons)
        assert len(state.mines) == len(scenario.mines)
        assert sorted(work.kind for work in state.works.values()) == sorted(work.kind for work in scenario.works)
        assert not GAME.invariants(battle)


@pytest.mark.parametrize("name", NAMES)
def test_fixed_units_stand_where_they_may(name: str) -> None:
    scenario = load(name)
    state = GAME.begin(scenario)
    battle = GAME.battle(scenario, state, FairDice(b"fixed"))
    for placing in scenario.units:
        unit = state.units[placing.id]
        if placing.at and unit.hex and not placing.attached and not placing.aboard:
            assert setup.bar_ground(battle, unit, unit.hex, road=unit.on_road) is None, placing.id
            if placing.inside:
                assert state.works[unit.hex].kind in ("bunker", "pillbox")


@pytest.mark.parametrize("name", NAMES)
def test_reinforcements_can_enter_by_their_hexes(name: str) -> None:
    scenario = load(name)
    state = GAME.begin(scenario)
    battle = GAME.battle(scenario, state, FairDice(b"entry"))
    for placing in scenario.units:
        unit = state.units[placing.id]
        if unit.status != OFF_MAP or unit.aboard or unit.attached:
            continue
        ways = [hex for hex in placing.entry if hasattr(entry_cost(battle, unit, "", hex), "points")]
        assert ways, placing.id


@pytest.mark.parametrize("name", NAMES)
def test_control_hexes_can_be_reached_on_foot(name: str) -> None:
    """From wherever a side's foot units begin, there is a way to every control hex."""
    scenario = load(name)
    state = GAME.begin(scenario)
    battle = GAME.battle(scenario, state, FairDice(b"reach"))
    for side in scenario.sides:
        squads = [p for p in scenario.units if p.side == side and roster()[p.kind].squad]
        walker = state.units[squads[0].id]
        for start in _starts(scenario, squads):
            reached, edge = {start}, [start]
            while edge:
                here = edge.pop()
                for hex in battle.grid.adjacent[here]:
                    if hex not in reached and hasattr(entry_cost(battle, walker, here, hex), "points"):
                        reached.add(hex)
                        edge.append(hex)
            assert set(scenario.control) <= reached, (side, start)


def _starts(scenario: Scenario, squads: list[Placing]) -> set[str]:
    places = {hex for unit in squads for hex in (unit.at, *unit.zone[:1], *unit.entry[:1]) if hex}
    field = scenario.battlefield
    return {hex for hex in places if field.terrain.get(hex) != "river"}


# ---- the maps -------------------------------------------------------------------------------------------------


def test_each_scenario_has_a_map_of_its_own_and_each_map_a_scenario() -> None:
    """Only a lesson is fought on the map of another: the learner then knows the ground of the next battle."""
    files = {path.stem: load_battlefield(path, vocabulary()) for path in MAPS.glob("*.geojson")}
    taught = {lesson.scenario for lesson in GAME.lessons()}
    used = {name: load(name).battlefield for name in NAMES if name not in taught}
    assert {load(name).battlefield.digest for name in taught} <= {field.digest for field in used.values()}
    assert len(set(used.values())) == len(used)
    assert {field.digest for field in files.values()} == {field.digest for field in used.values()}


@pytest.mark.parametrize("path", sorted(MAPS.glob("*.geojson")), ids=lambda path: path.stem)
def test_a_map_comes_back_as_it_was_written(path: Path) -> None:
    field = load_battlefield(path, vocabulary())
    assert field.labels and field.name
    document = Document(field.to_geojson(), path.name)
    assert Battlefield.from_geojson(document, vocabulary()) == field


@pytest.mark.parametrize("name", NAMES)
def test_maps_are_drawn_as_the_rules_read_them(name: str) -> None:
    """Roads have no hedge across them (M-3), and cross deep water only on a bridge (M-13)."""
    field = load(name).battlefield
    grid = field.grid
    assert grid is not None
    for hex, ways in field.roads.items():
        for way in ways:
            other = grid.neighbors[hex][way]
            assert other is None or grid.hexside(hex, other) not in field.hexsides, f"{hex}|{other}"
        if ways and field.terrain[hex] == "river":
            assert hex in field.bridges
    assert all(field.roads[hex] and field.terrain[hex] in ("river", "stream") for hex in field.bridges)
    for side, kind in field.hexsides.items():
        if kind == ROW_HOUSE_WALL:
            assert all(charts().terrain[field.terrain[hex]].structure for hex in grid.side_hexes(side)), side


# ---- between them ----------------------------------------------------------------------------------------------


def test_between_them_they_use_every_terrain_hexside_and_level() -> None:
    fields = [scenario.battlefield for scenario in every()]
    terrain = {kind for field in fields for kind in field.terrain.values()}
    # Roads and bridges are laid over other terrain.
    terrain |= {"road" for field in fields if any(field.roads.values())}
    terrain |= {"bridge" for field in fields if field.bridges}
    assert terrain == set(charts().terrain)
    hexsides = {kind for field in fields for kind in field.hexsides.values()}
    # A change of level is no hexside of its own on a map.
    assert hexsides == set(charts().hexside) - {"level_change"}
    assert {level for field in fields for level in field.level.values()} == {-1, 1, 2, 3}
    assert {level for field in fields for level in field.building_level.values()} >= {1, 2, 3}
    assert any(field.outlines for field in fields)
    assert any(field.hill_edges for field in fields)
    assert any(
        field.terrain[hex] == water for water in ("river", "stream") for field in fields for hex in field.bridges
    )
    dual = [hex for field in fields for hex, ways in field.roads.items() if ways and hex in field.building]
    assert dual


def test_between_them_they_use_every_kind_of_work_asset_and_condition() -> None:
    scenarios = list(every())
    assert {work.kind for scenario in scenarios for work in scenario.works} == set(WORKS)
    assert any(scenario.mines for scenario in scenarios)
    assets = {kind for s in scenarios for table in s.assets.values() for kind, number in table.items() if number}
    assert assets == set(ASSETS)
    assert any(scenario.rolls for scenario in scenarios)
    assert any(turns for scenario in scenarios for turns in scenario.asset_turns.values())
    assert any(scenario.wrecks for scenario in scenarios)
    rules = [scenario.victory for scenario in scenarios]
    assert {points.when for each in rules for points in each.control} == {"turn", "end"}
    assert {win.when for each in rules for win in each.wins} == {"turn", "end"}
    assert any(each.exits for each in rules) and any(s.exits[side] for s in scenarios for side in s.sides)
    assert any(each.lead for each in rules) and {each.tie for each in rules} >= {"", "draw", "german"}
    assert {owner for scenario in scenarios for owner in scenario.control.values()} >= {"", "german", "soviet"}
    assert {scenario.options.urban for scenario in scenarios} == {True, False}
    assert {scenario.options.vehicle_luck_cards for scenario in scenarios} == {True, False}


def test_between_them_units_come_in_every_way() -> None:
    units = [unit for scenario in every() for unit in scenario.units]
    kinds = roster()
    assert any(unit.at for unit in units)
    assert any(unit.zone for unit in units)
    assert any(unit.turn for unit in units)
    assert any(unit.load for unit in units)
    assert any(unit.attached for unit in units)
    assert any(unit.aboard and kinds[unit.kind].crewed for unit in units)
    assert {unit.hidden for unit in units} == {"", "may", "yes"}
    assert any(unit.inside for unit in units)
    assert {kinds[unit.kind].kind for unit in units} == {
        "squad",
        "crewed",
        "leader",
        "armor_leader",
        "sniper",
        "vehicle",
        "aircraft",
    }
    assert {kinds[unit.kind].nation for unit in units} == {"german", "american", "soviet", "british"}


def test_the_first_patrol_is_small_and_open() -> None:
    """What a beginner meets: few units, nothing hidden, nothing to choose before the first Impulse."""
    scenario = load("first_patrol")
    grid = scenario.battlefield.grid
    assert grid is not None and len(grid.hexes) <= 100
    for side in scenario.sides:
        fighting = [u for u in scenario.units if u.side == side and not roster()[u.kind].leader]
        assert 3 <= len(fighting) <= 4
        assert scenario.cards[side] == 0
    assert len(scenario.control) == 1 and scenario.turns == 5
    assert not scenario.mines and not scenario.works and not any(unit.hidden for unit in scenario.units)
    session = Session(GAME, scenario, seed=b"patrol")
    assert session.ask is not None and session.state.phase not in ("setup", "luck")


def test_the_steppe_has_ten_units_a_side() -> None:
    """The benchmark counts on it."""
    scenario = load("steppe")
    for side in scenario.sides:
        fighting = [u for u in scenario.units if u.side == side and not roster()[u.kind].leader]
        assert len([u for u in fighting if not roster()[u.kind].armor_leader]) == 10
