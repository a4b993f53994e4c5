"""A hex game on a few pages: platoons of three steps and a truck, a stack of six steps, woods, sight and smoke.

It stands on `kits.hex` alone, in a way that Old School Tactical does not: stacks are counted in steps, turns upward, a
look may end on a hexside, and nothing has a facing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.features import Vocabulary
from grognard.board.hex.grid import HexGrid
from grognard.board.hex.trace import trace
from grognard.core.aid_views import FieldView, VerbHelp
from grognard.core.ask import Ask, Bar, Option, Procedure, Rules
from grognard.core.dice import Dice, ScriptedDice, at_least
from grognard.core.drafts import Draft, DraftPreview
from grognard.core.events import Told
from grognard.core.files import Document
from grognard.core.forms import Field, FieldChoice, Form, place_in
from grognard.core.ledger import Ledger, Rule
from grognard.core.read_tables import read_record, read_word
from grognard.core.scenario_files import read_head, read_sides
from grognard.core.situations import filled, table_of
from grognard.core.view import FormationView, GraphicView, MarkerView, Result, UnitView, View
from grognard.kits.hex import invariants, situation
from grognard.kits.hex import state as kit
from grognard.kits.hex import view as shown
from grognard.kits.hex.battle import HexBattle
from grognard.kits.hex.field_of_fire import Reach, field_view, unit_of
from grognard.kits.hex.game import HexGame
from grognard.kits.hex.looks import Looks
from grognard.kits.hex.reading import BLANK, read_area, read_map
from grognard.kits.hex.scenario import HexScenario, Placing
from grognard.kits.hex.scenario_file import ForceReader, HexHead, letters_of
from grognard.kits.hex.sight_report import ReportLine, SightReport, read_end
from grognard.kits.hex.state import EXITED, LOST, OFF_MAP, ON_MAP
from grognard.kits.hex.tactics.land import Back, Land, Step, far

HERE = Path(__file__).parent
KNOWN = Vocabulary(("open", "woods", "water"), (), (1,))
STEPS = {"platoon": 3, "truck": 1}
LIMIT, REACH, MOVES, WOODS = 6, 6, 4, 2
LEDGER = {
    "1.1": "Sides take turns, counted upward; each unit is used once. Then more steps win.",
    "2.1": "A unit moves four points: one for a hex, two for woods; nobody enters water or a hex of the enemy's.",
    "2.2": "No more than six steps of a side end in a hex. Whoever is aboard counts, and goes along.",
    "2.3": "A unit leaves by its side's exit, and comes on by an entry hex from its turn on.",
    "3.1": "A unit shoots at a stack that it sees within six hexes: 4 or more costs a step. Woods and smoke block.",
    "3.2": "A unit may lay smoke in a hex that it sees.",
    "4.1": "A side may draw one plan: groups of units, each with a route to keep to.",
    "4.2": "A route runs over dry land from hex to hex, or straight on; its width is 0 to 3, its goals lie within it.",
    "4.3": "A plan is secret. It can be drawn again at any time.",
}
WATER, HELD, FULL = Bar("2.1", "nobody enters water"), Bar("2.1", "the enemy is there"), Bar("2.2", "the stack is full")
USED = Bar("1.1", "it was used this turn")


class Unit(kit.Unit, array_like=True):
    steps: int = 3
    used: bool = False
    aboard: str = ""
    turn: int = 0
    entry: tuple[str, ...] = ()


class Group(msgspec.Struct, array_like=True):
    units: list[str]
    route: list[str]
    width: int = 0


class Plan(msgspec.Struct, array_like=True):
    name: str
    groups: list[Group]


class State(kit.HexState[Unit], array_like=True):
    turn: int = 1
    phase: str = "play"
    active: str = ""
    smoke: list[str] = []
    plans: dict[str, Plan] = {}


class Scenario(HexScenario[Placing], frozen=True, kw_only=True):
    """A battle of steps."""


class Went(Told, frozen=True, kw_only=True):
    """{unit} goes to {place}."""

    unit: str
    place: str


class Battle(HexBattle[Scenario, State, Unit, int]):
    """A battle of steps."""

    def __init__(self, scenario: Scenario, state: State, dice: Dice) -> None:
        super().__init__(scenario, state, dice, STEPS)
        self.eyes = Eyes(self.field)

    def name(self, unit: Unit) -> str:
        return f"{unit.kind} {unit.id}"

    def followers(self, unit: Unit) -> list[Unit]:
        return [other for other in self.at.get(unit.hex, ()) if other.aboard == unit.id]


# ---- sight -------------------------------------------------------------------------------------------------


class End(NamedTuple):
    """The middle of a hex, or that of one of its sides."""

    hex: str
    side: int = 0


class Seen(NamedTuple):
    clear: bool
    blocked_by: str = ""
    rule: str = "3.1"
    degraded: tuple[str, ...] = ()


class Eyes(Looks[End, Seen, State, frozenset[str]]):
    """Who sees whom: what lies between blocks, if it is wooded or under smoke."""

    def __init__(self, field: Battlefield) -> None:
        super().__init__()
        self.field = field
        self.looked = 0

    def between(self, viewer: End, target: End) -> Iterator[str]:
        assert self.field.grid is not None
        line = trace(self.field.grid, viewer.hex, target.hex, viewer.side, target.side)
        return (hex for step in line.steps for hex in step)

    def look(self, viewer: End, target: End, things: frozenset[str] | None = None) -> Seen:
        self.looked += 1
        crossed = list(self.between(viewer, target))
        blocking = [hex for hex in crossed if self.field.terrain[hex] == "woods"]
        blocking += [hex for hex in crossed if hex in (things or ())]
        return Seen(False, blocking[0]) if blocking else Seen(True)

    def lying(self, now: State, hexes: frozenset[str]) -> frozenset[str] | None:
        return hexes.intersection(now.smoke) or None


def sight(battle: Battle, viewer: End, target: End) -> Seen:
    eyes = battle.eyes
    return eyes.ask(eyes.number(viewer), eyes.number(target), battle.state if battle.state.smoke else None)


# ---- plans -------------------------------------------------------------------------------------------------


class Planned(Told, frozen=True, kw_only=True):
    """{side} draws {plan}."""

    plan: str


def way_along(battle: Battle, route: list[str]) -> list[str]:
    """The hexes of a route, whose corners are joined by straight lines."""
    found = route[:1]
    for a, b in pairwise(route):
        found += battle.grid.straight(a, b)[1:]
    return found


def corridor(battle: Battle, route: list[str], width: int) -> set[str]:
    """The hexes within a width of a route."""
    return {hex for step in way_along(battle, route) for hex in battle.grid.within(step, width)}


class PlanDraft(Draft):
    """A plan with groups that are drawn on the map."""

    def __init__(self, battle: Battle, side: str) -> None:
        super().__init__("plan", "Give this plan", places=battle.grid.adjacent, rule="4.1")
        self.battle, self.side = battle, side

    def fields(self) -> list[Field]:
        units = tuple(FieldChoice(unit.id, self.battle.name(unit)) for unit in self.battle.units(self.side))
        group = (
            Field("units", "Units", "units", units, most=6, rule="4.1"),
            Field("route", "Route", "route", most=12, rule="4.2"),
            Field("width", "Width", "number", most=3, default=1, rule="4.2"),
            Field("goals", "Goals", "places", most=20, required=False, rule="4.2"),
            Field("start", "Start", "choice", (FieldChoice("now"), FieldChoice("later")), required=False),
            Field("rally", "Rally place", "place", required=False),
            Field("limit", "Boundary", "line", required=False),
        )
        return [
            Field("name", "Name", "text", most=30, default="Oak"),
            Field("group", "Groups", "rows", least=1, most=4, fields=group),
        ]

    def bars(self, form: Form) -> Iterator[Bar]:
        seen: dict[str, int] = {}
        for index, group in enumerate(form.get("group", ())):
            for place, id in enumerate(group.get("units", ())):
                if id in seen:
                    where = place_in(("group", index, "units", place))
                    yield Bar("4.1", f"{id} is in group {seen[id] + 1} already", where)
                seen.setdefault(id, index)
            route = group.get("route", [])
            try:
                wet = [hex for hex in way_along(self.battle, route) if self.battle.field.terrain[hex] == "water"]
            except ValueError as error:
                yield Bar("4.2", str(error), place_in(("group", index, "route")))
                continue
            if wet:
                yield Bar("4.2", f"the route runs through water in {wet[0]}", place_in(("group", index, "route")))
            inside = corridor(self.battle, route, group.get("width", 3))
            for place, hex in enumerate(group.get("goals", ())):
                if hex not in inside:
                    where = place_in(("group", index, "goals", place))
                    yield Bar("4.2", f"{hex} lies outside the route", where)

    def preview(self, form: Form) -> DraftPreview:
        shown = DraftPreview()
        for number, group in enumerate(form.get("group", ()), 1):
            with suppress(ValueError):
                hexes = corridor(self.battle, group.get("route", []), group.get("width", 0))
                shown.tints |= dict.fromkeys(sorted(hexes), "route")
                shown.lines.append(f"Group {number} keeps to {len(hexes)} hexes")
        shown.graphics = [
            GraphicView(f"draft-{number}", "arrow", group["route"], self.side, str(number))
            for number, group in enumerate(form.get("group", ()), 1)
            if group.get("route")
        ]
        return shown

    def sample(self, rng: Random) -> Form:
        form = super().sample(rng)
        left = [unit.id for unit in self.battle.units(self.side)]
        for group in form["group"]:
            if left and rng.random() < 0.9:
                group["units"] = [left.pop(rng.randrange(len(left)))]
            if rng.random() < 0.9:  # from hex to hex, and nothing beside
                group["route"] = [rng.choice(self.battle.grid.hexes)]
                group["route"].append(rng.choice(self.battle.grid.adjacent[group["route"][0]]))
                group.pop("goals", None)
        return form

    def suggestions(self) -> list[Option]:
        """A plan of one group, from where its first unit stands; none where one has been drawn."""
        units = [unit for unit in self.battle.units(self.side) if not unit.aboard][:2]
        if self.side in self.battle.state.plans or not units:
            return []
        group = {"units": [unit.id for unit in units], "route": [units[0].hex], "width": 3}
        return [Option(self.key({"name": "Elm", "group": [group]}), "Keep about here", "plan", rule="4.1")]

    def made(self, form: Form) -> Plan:
        """The plan of a form without a fault."""
        groups = [Group(each["units"], each["route"], each["width"]) for each in form["group"]]
        return Plan(form["name"], groups)


# ---- moving ------------------------------------------------------------------------------------------------


class Ground(Land[Battle, dict[str, int]]):
    """What steps cost."""

    def step(self, battle: Battle, move: str, start: str, way: int, hex: str) -> Step | None:
        terrain = battle.field.terrain[hex]
        return None if terrain == "water" else Step(hex, WOODS if terrain == "woods" else 1, False, way)

    def extra(self, battle: Battle, side: str, move: str) -> dict[str, int]:
        return dict.fromkeys(battle.state.smoke, 1)

    def distances(self, battle: Battle, move: str, ends: tuple[str, ...], back: Back) -> dict[str, int]:
        return far(ends, back)


def bar_hex(battle: Battle, unit: Unit, hex: str) -> Bar | None:
    plan = battle.state.plans.get(unit.side)
    for group in plan.groups if plan else ():
        if unit.id in group.units and unit.status == ON_MAP and hex not in corridor(battle, group.route, group.width):
            assert plan is not None
            return Bar("4.1", f"{hex} lies outside the route of {plan.name}")
    if battle.field.terrain[hex] == "water":
        return WATER
    if battle.stack(hex, battle.other(unit.side)):
        return HELD
    coming = [unit, *battle.followers(unit)]
    here = [other for other in battle.stack(hex, unit.side) if other not in coming]
    return FULL if sum(each.steps for each in (*here, *coming)) > LIMIT else None


def play(battle: Battle) -> Rules:
    state, last = battle.state, battle.scenario.turns
    while GAME.result(battle) is None:
        side = state.active
        options = list(options_of(battle, side))
        drawing = PlanDraft(battle, side)
        key = yield Ask(
            side,
            "What do you do?",
            [*options, *drawing.suggestions(), Option("end", "End the turn")],
            quiet=True,
            draft=lambda drawing=drawing: drawing,  # type: ignore[misc]
        )
        if drawing.takes(key):
            battle.state.plans[side] = drawing.made(drawing.read(key)[0])
            battle.emit(Planned(side=side, plan=battle.state.plans[side].name, seen_by=side, rules=("4.1",)))
            continue
        if key != "end":
            yield from act(battle, side, key)
            continue
        for unit in battle.units(side):
            unit.used = False
        state.active = battle.other(side)
        if state.active == battle.sides[0]:
            state.turn += 1
            state.smoke = []
    assert state.turn > last or not all(map(battle.units, battle.sides))
    state.phase = "over"


def options_of(battle: Battle, side: str) -> Iterator[Option]:
    for unit in battle.state.units.values():
        if unit.side == side and unit.status == OFF_MAP and unit.turn <= battle.state.turn and not unit.aboard:
            for hex in unit.entry:
                if bar_hex(battle, unit, hex) is None:
                    yield Option(f"enter {unit.id} {hex}", f"Enter at {hex}", "enter", unit.id, hex, rule="2.3")
    for unit in battle.units(side):
        if unit.used or unit.aboard:
            continue
        yield Option(f"move {unit.id}", "Move", "move", unit.id, rule="2.1")
        if unit.hex in battle.scenario.exits.get(side, ()):
            yield Option(f"exit {unit.id}", "Leave the map", "exit", unit.id, rule="2.3")
        for target in targets(battle, unit):
            yield Option(f"fire {unit.id} {target}", f"Fire at {target}", "fire", unit.id, target, rule="3.1")
        if len(battle.state.smoke) < 2:
            hex = battle.grid.adjacent[unit.hex][0]
            if hex not in battle.state.smoke:
                yield Option(f"smoke {unit.id} {hex}", f"Smoke in {hex}", "smoke", unit.id, hex, rule="3.2")


def targets(battle: Battle, unit: Unit) -> list[str]:
    here, foes = battle.grid.dist[unit.hex], battle.units(battle.other(unit.side))
    near = dict.fromkeys(foe.hex for foe in foes if here[foe.hex] <= REACH)
    return [hex for hex in near if sight(battle, End(unit.hex), End(hex)).clear]


def act(battle: Battle, side: str, key: str) -> Procedure[None]:
    verb, id, *rest = key.split()
    unit = battle.unit(id)
    unit.used = True
    if verb == "enter":
        battle.place(unit, rest[0])
    elif verb == "exit":
        for each in (*battle.followers(unit), unit):
            battle.lift(each)
            each.status, each.hex = EXITED, ""
    elif verb == "smoke":
        battle.state.smoke.append(rest[0])
    elif verb == "fire":
        victim = battle.stack(rest[0], battle.other(side))[0]
        if battle.roll(side, "fire", "1d6", at_least(4), ("3.1",), unit=victim.id):
            lose_step(battle, victim)
    else:
        yield from move(battle, unit)


def lose_step(battle: Battle, unit: Unit) -> None:
    unit.steps -= 1
    if not unit.steps:
        for each in (*battle.followers(unit), unit):
            battle.lift(each)
            each.status, each.hex, each.aboard = LOST, "", ""


def move(battle: Battle, unit: Unit) -> Procedure[None]:
    ground, left = Ground(), MOVES
    while True:
        ways = [
            step
            for step in ground.steps(battle, "foot")[unit.hex]
            if step.points <= left and bar_hex(battle, unit, step.hex) is None
        ]
        options = [
            Option(f"go {s.hex}", f"To {s.hex}", "go", unit.id, s.hex, cost=f"{s.points} MP", rule="2.1") for s in ways
        ]
        key = yield Ask(unit.side, f"Where does {battle.name(unit)} go?", [*options, Option("stop", "Stop", "stop")])
        if key == "stop":
            return
        step = next(step for step in ways if key == f"go {step.hex}")
        left -= step.points
        battle.place(unit, step.hex)
        battle.emit(Went(side=unit.side, unit=unit.id, place=step.hex, rules=("2.1",)))


# ---- files -------------------------------------------------------------------------------------------------


class UnitEntry(msgspec.Struct, kw_only=True):
    kind: str
    id: str = ""
    count: int = 1
    at: str = ""
    aboard: str = ""
    turn: int = 0
    entry: str = ""


class SideEntry(msgspec.Struct, kw_only=True):
    exit: str = ""
    unit: Any = []


class Forces(ForceReader[Placing]):
    def __init__(self, doc: Document, grid: HexGrid, names: tuple[str, ...], turns: int) -> None:
        super().__init__(doc, grid, names, turns)
        self.exits: dict[str, frozenset[str]] = {}

    def read_side(self, side: str, data: Any) -> None:
        path = ("side", side)
        table = read_record(self.doc, path, data, SideEntry)
        if table is None:
            return
        self.exits[side] = self.edge((*path, "exit"), table.exit)
        for where, item in self.tables((*path, "unit"), table.unit):
            entry = read_record(self.doc, where, item, UnitEntry)
            if entry is None or not read_word(self.doc, (*where, "kind"), "unit", entry.kind, STEPS):
                continue
            self.check_turn(where, entry.turn)
            self.check_at(where, entry.at)
            hexes = self.hexes((*where, "entry"), entry.entry)
            for _ in range(self.count(where, entry.count)):
                id = self.id_of((*where, "id"), side, entry.id)
                more = {"at": entry.at, "aboard": entry.aboard, "turn": entry.turn, "entry": hexes}
                self.add(where, Placing(id=id, n=self.next_n(), kind=entry.kind, side=side, **more))

    def link(self) -> None:
        for unit in self.units.values():
            self.named(unit, "aboard")
        self.follow()


class SituationHead(msgspec.Struct, kw_only=True):
    map: Any
    game: str = "steps"
    turn: int = 1
    sides: list[str] = []
    smoke: str = ""
    unit: Any = []


UnitTable = table_of(
    Unit, without=("n", "turn", "entry"), id=(str, ""), side=(str, ""), status=(str, ""), aboard=(str, "")
)


# ---- the game ----------------------------------------------------------------------------------------------


class Steps(HexGame[Scenario, State, Battle]):
    name, title, rules_version, folder = "steps", "Steps", 1, HERE
    state_type, battle_type = State, Battle
    phases: Mapping[str, str] = {"play": "Play", "over": "Over"}

    @cached_property
    def ledger(self) -> Ledger:
        return Ledger("steps", "Steps", "1", [Rule(id, "procedure", text) for id, text in LEDGER.items()])

    @property
    def phrases(self) -> Mapping[str, str]:
        return {}

    def vocabulary(self) -> Vocabulary:
        return KNOWN

    def ground_words(self, field: Battlefield, hex: str) -> str:
        return shown.ground_words(field, hex, field.terrain[hex])

    def scenario_files(self) -> dict[str, Path]:
        return {"ridge": HERE / "steps.toml"}

    def load_scenario(self, document: Document) -> Scenario:
        head = read_head(document, HexHead, "steps", 20, turns=20, map=BLANK)
        field = read_area(document, read_map(document, head.map, KNOWN, HERE), head.area)
        tables, names = read_sides(document, head.side)
        assert field.grid is not None
        forces = Forces(document, field.grid, names, head.turns)
        for side, data in tables.items():
            forces.read_side(side, data)
        forces.link()
        document.check()
        return Scenario(
            name=head.name,
            title=head.title,
            source=document.text,
            files=document.files,
            turns=head.turns,
            side_names=names,
            battlefield=field,
            briefing=head.briefing,
            exits=forces.exits,
            units=tuple(forces.units.values()),
        )

    def load_situation(self, document: Document) -> tuple[Scenario, State]:
        head = read_record(document, (), document.data, SituationHead, {"map": BLANK})
        assert head is not None
        field = read_map(document, head.map, KNOWN, HERE)
        assert field.grid is not None
        reader = situation.HexSituation(
            document, field.grid, head.unit, UnitTable, head.sides, lambda kind: "", ("red", "blue")
        )
        units: dict[str, Unit] = {}
        for path, table in reader.tables:
            side = reader.side((*path, "side"), table.side)
            id = reader.id_of(path, table, letters_of(reader.names).get(side, "x"))
            if table.hex:
                reader.hex((*path, "hex"), table.hex)
            units[id] = filled(Unit, table, id=id, n=len(units) + 1, side=side, status=table.status or ON_MAP)
        reader.check_units(units, ("aboard",))
        reader.follow(units, lambda unit: unit.aboard)
        reader.check_standing(units.values(), (ON_MAP,))
        smoke = reader.hexes(("smoke",), head.smoke)
        document.check()
        scenario = Scenario(
            name="situation",
            title="A situation",
            source=document.text,
            turns=20,
            side_names=reader.names,
            battlefield=field,
        )
        state = State(units, head.turn, active=reader.names[0], smoke=smoke)
        for wrong in self.wrong(Battle(scenario, state, ScriptedDice(()))):
            document.fault(reader.place_of(wrong), wrong.what, wrong.right)
        document.check()
        return scenario, state

    def begin(self, scenario: Scenario) -> State:
        units = {
            each.id: Unit(
                each.id,
                each.n,
                each.kind,
                each.side,
                OFF_MAP if each.turn else ON_MAP,
                each.at,
                STEPS[each.kind],
                aboard=each.aboard,
                turn=each.turn,
                entry=each.entry,
            )
            for each in scenario.units
        }
        return State(units, active=scenario.side_names[0])

    def play(self, battle: Battle) -> Rules:
        return play(battle)

    def result(self, battle: Battle) -> Result | None:
        first, second = battle.sides
        left = {side: sum(unit.steps for unit in battle.units(side)) for side in battle.sides}
        if battle.state.turn <= battle.scenario.turns and all(left.values()):
            return None
        winner = "" if left[first] == left[second] else max(left, key=lambda side: left[side])
        return Result(winner, f"{left[first]} to {left[second]} steps are left", "1.1")

    def view(self, battle: Battle, side: str) -> View:
        units = [
            UnitView(
                unit.id,
                unit.side,
                battle.name(unit),
                "",
                unit.hex,
                stack=shown.place_in_stack(battle, unit, lambda _: True),
                with_unit=unit.aboard,
                stats={"steps": unit.steps},
                short=unit.kind,
            )
            for unit in battle.state.units.values()
            if unit.status == ON_MAP
        ]
        turn, phase = self.turn_of(battle)
        markers = [MarkerView("smoke", hex) for hex in battle.state.smoke]
        active = battle.state.active
        view = View("steps", battle.scenario.name, side, battle.field.name, turn, phase, active, {}, units, markers)
        for owner, plan in battle.state.plans.items():
            for number, group in enumerate(plan.groups if side in ("", owner) else (), 1):
                view.graphics.append(GraphicView(f"{owner}-{number}", "arrow", group.route, owner, plan.name))
        if side in battle.sides:
            own = tuple(unit.id for unit in battle.units(side))
            view.formations = [FormationView(f"{side}-1", f"1st of {side}", side, own)]
        return view

    def conceal(self, battle: Battle, side: str) -> None:
        """A plan is secret (4.3)."""
        battle.state.plans = {owner: plan for owner, plan in battle.state.plans.items() if side in ("", owner)}

    def drafts(self, battle: Battle, side: str) -> list[Draft]:
        return [PlanDraft(battle, side)] if side in battle.sides and self.result(battle) is None else []

    def names(self, battle: Battle) -> Mapping[str, str]:
        return shown.called(battle)

    def enrolled(self, battle: Battle) -> Iterator[Any]:
        return shown.enrolled(battle, lambda unit: unit.kind.capitalize(), lambda _: False)

    def sight(self, battle: Battle, side: str, start: str, end: str) -> SightReport[Seen]:
        ends = [read_end(battle, word, lambda _: True) for word in (start, end)]
        a, b = (end if isinstance(end, str) else end.hex for end in ends)
        seen = sight(battle, End(a), End(b))
        by = [] if seen.clear else [seen.blocked_by]
        lines = tuple(ReportLine(hex, battle.field.terrain[hex], "block", "3.1") for hex in by)
        return SightReport(a, b, "", "", battle.grid.distance(a, b), seen, lines)

    def field_of_fire(self, battle: Battle, side: str, unit: str) -> FieldView:
        own = unit_of(battle, unit, lambda _: True)
        look = lambda hex: sight(battle, End(own.hex), End(hex))  # noqa: E731
        return field_view(battle, own, [Reach(REACH, "rifles")], look, lambda hex: 0)

    def wrong(self, battle: Battle) -> Iterable[invariants.Wrong]:
        yield from invariants.units(battle)
        yield from invariants.index(battle)
        for unit in battle.state.units.values():
            yield from invariants.company(battle, unit, ["aboard"])
        yield from invariants.markers(battle, battle.state.smoke)
        for hex, here in battle.at.items():
            for side in sorted({unit.side for unit in here}):
                steps = sum(unit.steps for unit in battle.stack(hex, side))
                if steps > LIMIT:
                    yield invariants.Wrong(f"{steps} steps of {side} in {hex} [2.2]", f"{LIMIT} at most", here[-1].id)

    def invariants(self, battle: Battle) -> list[str]:
        return [wrong.what for wrong in self.wrong(battle)]

    def verbs(self) -> list[VerbHelp]:
        words = {
            "move": ("Move", "Move up to four points.", "2.1"),
            "go": ("Go", "Enter the next hex.", "2.1"),
            "stop": ("Stop", "End the move.", "2.1"),
            "enter": ("Enter", "Come onto the map.", "2.3"),
            "exit": ("Leave", "Leave the map by the exit.", "2.3"),
            "fire": ("Fire", "Shoot at a stack in sight.", "3.1"),
            "smoke": ("Smoke", "Lay smoke in a hex.", "3.2"),
            "plan": ("Plan", "Draw where units are to go.", "4.1"),
        }
        return [VerbHelp(verb, *more) for verb, more in words.items()]

    def forces(self, scenario: Scenario) -> dict[str, list[str]]:
        return {side: [f"1 {u.kind} {u.id}" for u in scenario.units if u.side == side] for side in scenario.sides}

    def losses(self, battle: Battle) -> dict[str, list[str]]:
        gone = [unit for unit in battle.state.units.values() if unit.status == LOST]
        return {side: [f"1 {unit.kind} {unit.id}" for unit in gone if unit.side == side] for side in battle.sides}


GAME = Steps()
