"""A table game of two pages, in centimetres, for what a client shows of single models: stands, turrets and templates.

A platoon marches and chooses who of its stands fires at which; tanks turn hull and turret each by itself; shells have
a round template and smoke a square one. It is played on the table of the skirmish, whose terrain and pictures it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np
import shapely

from grognard.board.table import formations
from grognard.board.table.bodies import Body, Footprint
from grognard.board.table.footing import Footing
from grognard.board.table.point_area import PointArea
from grognard.board.table.stand_area import StandArea
from grognard.board.table.templates import Disc, Square, Template, touched
from grognard.board.table.terrain import Table
from grognard.board.table.ways import Ways
from grognard.core.aid_views import FieldView, VerbHelp
from grognard.core.ask import Ask, Bar, Option, Procedure, Rules
from grognard.core.battle import Battle
from grognard.core.dice import at_least
from grognard.core.errors import GrognardError
from grognard.core.events import NO_NAMES, Change, Event
from grognard.core.ledger import Ledger, Rule
from grognard.core.poses import Pose, place, read_pose
from grognard.core.view import FormationView, GraphicView, MarkerView, ModelView, Result, UnitView, View
from tests.board.table.skirmish import SIDES, Scenario, Skirmish, Threads, other
from tests.board.table.standing import Standing

HERE = Path(__file__).parent
MARCH, RANGE, SHELL, SMOKE = 1500, 6000, 400, 500
STAND = Footprint("rect", length=250, width=400, height=200, eye=180)
TANK = Footprint("rect", length=650, width=350, height=250, eye=230)
GUN = Footprint("rect", length=400, width=300, height=150, eye=130)
#: What each model of a kind is: its base, its look, its letter, its figures and all of it in words.
KINDS: dict[str, list[tuple[Footprint, str, str, int, str]]] = {
    "platoon": [
        (STAND, "stand", "HQ", 2, "leader"),
        (STAND, "stand", "R", 4, "rifles"),
        (STAND, "stand", "R", 5, "rifles"),
        (STAND, "stand", "MG", 3, "machine gun"),
        (STAND, "stand", "M", 2, "mortar"),
        (STAND, "stand", "R", 4, "rifles"),
    ],
    "tanks": [(TANK, "tank", "", 0, "tank")] * 3,
    "guns": [(GUN, "gun", "G", 0, "gun")] * 2,
}
RULES = {
    "1": "Sides take turns; a unit does one thing.",
    "2": "Models go 15 cm, and turn as they like.",
    "3": "The stands that are chosen fire at one stand within 60 cm: each hits on 4 or more, and pins it.",
    "4": "A shell pins every base under a disc of 8 cm; smoke covers a square of 10 cm.",
}


class Model(msgspec.Struct, array_like=True):
    id: str
    x: int
    y: int
    heading: int
    turret: int = -1
    pins: int = 0


class Unit(msgspec.Struct, array_like=True):
    id: str
    side: str
    kind: str
    models: list[Model]
    used: bool = False


class State(msgspec.Struct, array_like=True):
    units: dict[str, Unit]
    turn: int = 1
    side: str = "red"
    smoke: list[tuple[int, int, int]] = []


class Pinned(Event, frozen=True, kw_only=True):
    unit: str
    count: int

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        return f"{names.get(self.unit, self.unit)}: {self.count} pinned"

    def change(self) -> Change | None:
        return Change(self.unit, "# pinned", self.count, "stand", harm=True)


class Yard(Battle[State]):
    """A battle with its table and bases."""

    @property
    def table(self) -> Table:
        found: Table = self.scenario.table
        return found

    def bodies(self, unit: Unit) -> list[Body]:
        return [Body(m.x, m.y, m.heading, KINDS[unit.kind][n][0]) for n, m in enumerate(unit.models)]

    def units(self, side: str = "") -> list[Unit]:
        return [unit for unit in self.state.units.values() if side in ("", unit.side)]


def name(unit: Unit) -> str:
    return {"platoon": "Platoon", "tanks": "Tank troop", "guns": "Gun section"}[unit.kind] + f" {unit.id[-1]}"


def middle(unit: Unit) -> tuple[int, int]:
    count = len(unit.models)
    return round(sum(m.x for m in unit.models) / count), round(sum(m.y for m in unit.models) / count)


def march_area(battle: Yard, unit: Unit) -> StandArea:
    """2: where the models can go."""
    table, stand = battle.table, battle.bodies(unit)
    starts = [(body.x, body.y) for body in stand]
    others = [body for each in battle.units() if each is not unit for body in battle.bodies(each)]
    taken, off = Bar("2", "somebody stands there"), Bar("2", "that is off the table")
    ground = Footing(table, off)
    for body in others:
        ground.block_body(body, stand[0].foot.narrowest, taken, np.array(starts, float))
    return StandArea(
        unit.id,
        [model.id for model in unit.models],
        stand,
        [Ways(starts, [ground] * len(stand), MARCH)],
        room=Standing((table.width, table.height), others, taken=taken, off=off),
        names=[formations.AS_THEY_STAND, formations.LINE, formations.COLUMN],
        spacing=100,
        label=f"{name(unit)} goes there",
        rule="2",
    )


def march(battle: Yard, unit: Unit) -> Procedure[None]:
    area = march_area(battle, unit)
    stay = Option("stay", "Stay", "stay", unit.id, rule="2")
    answer = yield Ask(unit.side, f"{name(unit)}: go where?", [stay], rule="2", area=lambda: area)
    read = read_pose(answer)
    if read is None:
        return
    pose = read[1]
    stand, turrets = area.stand(pose, area.ends(pose)), {hand.id: hand.turret for hand in pose.by_hand}
    for model, body in zip(unit.models, stand):
        model.x, model.y, model.heading = round(body.x), round(body.y), body.heading
        if model.turret >= 0:
            turret = turrets.get(model.id, -1)
            model.turret = turret if turret >= 0 else model.heading


def fire(battle: Yard, unit: Unit) -> Procedure[None]:
    """3: who fires, one stand after the other, and at which stand."""
    firing: list[str] = []
    while True:
        done = Option("done", "That is all", "done", rule="3")
        words = [
            ("Not " if model.id in firing else "") + f"{KINDS[unit.kind][number][4]} {model.id}"
            for number, model in enumerate(unit.models)
        ]
        teams = [
            Option(f"team {model.id}", text, "team", unit.id, rule="3", model=model.id)
            for model, text in zip(unit.models, words)
        ]
        answer = yield Ask(unit.side, "Who fires?", [*teams, done], rule="3")
        if answer == "done":
            break
        team = answer.split()[1]
        firing = [each for each in firing if each != team] if team in firing else [*firing, team]
    options = [
        Option(f"at {foe.id} {model.id}", f"At {KINDS[foe.kind][n][4]} {model.id} of {name(foe)}", "at", unit.id,
               target=foe.id, target_model=model.id, rule="3")
        for foe in battle.units(other(unit.side))
        for n, model in enumerate(foe.models)
        if min(np.hypot(model.x - m.x, model.y - m.y) for m in unit.models if m.id in firing or not firing) <= RANGE
    ]  # fmt: skip
    if not firing or not options:
        return
    answer = yield Ask(unit.side, f"{len(firing)} fire: at which stand?", options, rule="3")
    _, id, wanted = answer.split()
    foe = battle.state.units[id]
    hits = [battle.roll(unit.side, "fire", "1d6", at_least(4), ("3",), unit=id) for _ in firing]
    if any(hits):
        next(model for model in foe.models if model.id == wanted).pins += 1
        battle.emit(Pinned(side=unit.side, unit=id, count=1, rules=("3",)))


def lay(battle: Yard, unit: Unit, verb: str) -> Procedure[None]:
    """4: a template is laid anywhere on the table."""
    table = battle.table

    def template(pose: Pose) -> Template:
        return Disc(pose.x, pose.y, SHELL) if verb == "shell" else Square(pose.x, pose.y, 2 * SMOKE, pose.heading)

    area = PointArea(
        unit.id,
        lambda: shapely.box(0, 0, table.width, table.height),
        middle(unit),
        label="It falls there",
        verb=f"{verb}_at",
        rule="4",
        template=template,
        standing=lambda: [(name(each), battle.bodies(each)) for each in battle.units()],
        turns=verb == "smoke",
    )
    stay = Option("stay", "Do not fire", "stay", unit.id, rule="4")
    answer = yield Ask(unit.side, "Where does it fall?", [stay], rule="4", area=lambda: area)
    read = read_pose(answer)
    if read is None:
        return
    pose = read[1]
    if verb == "smoke":
        battle.state.smoke = [*battle.state.smoke, (pose.x, pose.y, pose.heading)]
        return
    for each in battle.units():
        under = touched(battle.bodies(each), template(pose))
        for model, is_under in zip(each.models, under):
            model.pins += is_under
        if any(under):
            battle.emit(Pinned(side=unit.side, unit=each.id, count=sum(under), rules=("4",)))


def orders(battle: Yard, side: str) -> Iterator[Option]:
    for unit in battle.units(side):
        if unit.used:
            continue
        for verb, words in (("march", "goes"), ("fire", "fires"), ("shell", "shells"), ("smoke", "lays smoke")):
            yield Option(f"{verb} {unit.id}", f"{name(unit)} {words}", verb, unit.id, rule="1")


def play(battle: Yard) -> Rules:
    state = battle.state
    while state.turn <= battle.scenario.turns:
        if all(unit.used for unit in battle.units()):
            state.turn += 1
            for unit in battle.units():
                unit.used = False
            continue
        side = state.side
        answer = yield Ask(side, "Your unit", lambda side=side: list(orders(battle, side)), quiet=True, rule="1")  # type: ignore[misc]
        verb, id = answer.split()
        unit = state.units[id]
        if verb == "march":
            yield from march(battle, unit)
        elif verb == "fire":
            yield from fire(battle, unit)
        else:
            yield from lay(battle, unit, verb)
        unit.used = True
        waiting = [unit for unit in battle.units(other(side)) if not unit.used]
        state.side = other(side) if waiting else side


class Drill(Skirmish):
    """The skirmish's files and pictures, with units and rules of its own."""

    name, title, rules_version, folder = "drill", "Drill", 1, HERE
    random_battles = None
    state_type, battle_type = State, Yard  # type: ignore[assignment]

    @cached_property
    def ledger(self) -> Ledger:
        return Ledger("drill", "Drill", "1", [Rule(id, "procedure", text) for id, text in RULES.items()])

    def scenario_files(self) -> dict[str, Path]:
        return {"drill": HERE / "drill.toml"}

    def begin(self, scenario: Scenario) -> State:  # type: ignore[override]
        found = {}
        for row in scenario.units:
            x, y = (round(value * 100) for value in row["place"])
            kinds = KINDS[row["kind"]]
            stand = [Body(x, y, row["heading"], foot) for foot, *_ in kinds]
            spots = formations.lay_out("line", stand, x, y, row["heading"], 150)
            models = [
                Model(f"t{n + 1}", *at, row["heading"], row["heading"] if kind[1] == "tank" else -1)
                for n, (at, kind) in enumerate(zip(spots, kinds))
            ]
            found[row["id"]] = Unit(row["id"], row["side"], row["kind"], models)
        found["b1"].models[2].pins = 1
        found["b1"].models[3].pins = 2
        found["r2"].models[0].turret = 45
        return State(found)

    def play(self, battle: Yard) -> Rules:  # type: ignore[override]
        return play(battle)

    def result(self, battle: Yard) -> Result | None:  # type: ignore[override]
        return Result("", "the drill is over", "1") if battle.state.turn > battle.scenario.turns else None

    def view(self, battle: Yard, side: str) -> View:  # type: ignore[override]
        units = [
            UnitView(
                unit.id,
                unit.side,
                name(unit),
                "",
                place(*middle(unit)),
                unit.models[0].heading,
                states=("used",) if unit.used else (),
                short=unit.kind,
                models=[self._model(unit, number) for number in range(len(unit.models))],
            )
            for unit in battle.units()
        ]
        markers = [
            MarkerView("smoke", place(x, y), facing=heading, length=2 * SMOKE / 100, width=2 * SMOKE / 100)
            for x, y, heading in battle.state.smoke
        ]
        graphics = [
            GraphicView("limit", "line", ["60,80", "62,40", "58,0"], text="Boundary"),
            GraphicView("axis", "arrow", ["52,60", "50,40", "58,26"], "red", "Axis"),
            GraphicView("assembly", "area", ["80,54", "106,54", "106,74", "80,74"], "red", "Assembly"),
        ]
        below = [FormationView("rp", "Infantry", "red", ("r1",)), FormationView("rt", "Armour", "red", ("r2",))]
        red = FormationView("rc", "Red company", "red", (), below)
        formations = [red, FormationView("bc", "Blue company", "blue", ("b1", "b2"))]
        state = battle.state
        view = View("drill", battle.scenario.name, side, "", state.turn, "orders", state.side, {}, units, markers)
        view.graphics, view.formations = graphics, formations
        return view

    def _model(self, unit: Unit, number: int) -> ModelView:
        model = unit.models[number]
        foot, look, short, figures, title = KINDS[unit.kind][number]
        states = ("leader",) * (title == "leader") + (("pinned",) if model.pins else ())
        badges = ("HQ",) * (title == "leader") + ((f"Pin {model.pins}",) if model.pins else ())
        return ModelView(
            model.id,
            model.x / 100,
            model.y / 100,
            model.heading,
            length=foot.length / 100,
            width=foot.width / 100,
            short="" if short == "HQ" else short,
            title=title,
            turret=model.turret,
            look=look,
            figures=figures,
            states=states,
            badges=badges,
        )

    def why_not(self, battle: Yard, side: str, words: str) -> list[Bar]:  # type: ignore[override]
        return []

    def sight(self, battle: Yard, side: str, start: str, end: str) -> Threads:  # type: ignore[override]
        raise GrognardError("nobody looks here")

    def field_of_fire(self, battle: Yard, side: str, unit: str) -> FieldView:  # type: ignore[override]
        raise GrognardError("nobody looks here")

    def names(self, battle: Yard) -> Mapping[str, str]:  # type: ignore[override]
        return {unit.id: name(unit) for unit in battle.units()}

    def invariants(self, battle: Yard) -> list[str]:  # type: ignore[override]
        return []

    def verbs(self) -> list[VerbHelp]:
        words = {
            "march": ("Go", "Go on foot or on tracks.", "2"),
            "pose": ("Go there", "Where the unit goes, and how each of it looks.", "2"),
            "stay": ("Stay", "Do nothing.", "2"),
            "fire": ("Fire", "Choose who fires, and at which stand.", "3"),
            "team": ("Who fires", "Take a stand in, or leave it out.", "3"),
            "at": ("Target", "The stand that is fired at.", "3"),
            "done": ("Done", "Nobody else fires.", "3"),
            "shell": ("Shell", "Lay a round template.", "4"),
            "smoke": ("Smoke", "Lay a square template.", "4"),
            "shell_at": ("Shell there", "Where the shell falls.", "4"),
            "smoke_at": ("Smoke there", "Where the smoke lies.", "4"),
        }
        return [VerbHelp(verb, *more) for verb, more in words.items()]

    def losses(self, battle: Yard) -> dict[str, list[str]]:  # type: ignore[override]
        return {side: [] for side in SIDES}


DRILL = Drill()
