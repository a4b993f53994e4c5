"""A table game of a few pages, in centimetres, to prove that `board.table` knows no game: patrols and their carriers.

Nothing in it is Bolt Action's: other bases, another rule of keeping together, cover that is all or nothing for each
base, a reaction at a point of a move, templates, hulls that drive, and terrain with words of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import shapely

from grognard.board.table import bodies, formations
from grognard.board.table.bodies import Body, Footprint
from grognard.board.table.draw_table import draw_battle, draw_table, draw_table_thumbnail, table_board
from grognard.board.table.drive import Drive
from grognard.board.table.footing import Footing, Thing, barriers, shape_of
from grognard.board.table.outlook import visible_outline
from grognard.board.table.placement import DriveArea, FormationArea
from grognard.board.table.point_area import PointArea
from grognard.board.table.random_table import random_table
from grognard.board.table.routes import strides
from grognard.board.table.scene import Eye, Scene, SightRules
from grognard.board.table.sight import Pairs, sight, trace
from grognard.board.table.table_text import table_text
from grognard.board.table.templates import Disc, touched
from grognard.board.table.terrain import Kind, Piece, Table
from grognard.board.table.terrain_file import to_toml
from grognard.board.table.ways import Ways
from grognard.core.aid_views import BoardView, Crossed, Fan, FieldView, Seen, SightView, VerbHelp
from grognard.core.ask import Ask, Bar, Option, Procedure, Rules
from grognard.core.battle import Battle
from grognard.core.dice import at_least, counts
from grognard.core.errors import GrognardError
from grognard.core.events import NO_NAMES, Change, Event
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.glossary import Term
from grognard.core.ledger import Ledger, Rule
from grognard.core.poses import Area, Pose, length, place, point, read_pose
from grognard.core.random_battles import Choice, RandomBattles
from grognard.core.tally import Tally
from grognard.core.view import ModelView, Result, UnitView, View

HERE = Path(__file__).parent
SIDES = ("red", "blue")
#: All lengths are hundredths of a centimetre.
INCH = 254
CHAIN, VOICE = 1000, 6 * INCH
MARCH, DRIVE, STRIDE, ROOM = 1200, 2500, 400, 200
RIFLE, LOB, BURST = 6000, 5000, 500

KINDS = {
    kind.name: kind
    for kind in (
        Kind("spinney", "area", "thick", "soft", "no_through", 1200, 600, looks="woods"),
        Kind("bank", "line", "step", "hard", "clear", 180, looks="hedge"),
        Kind("barn", "area", "shut", "hard", "blocks", 1000, looks="building"),
        Kind("mere", "area", "shut", looks="pond"),
        Kind("track", "line", "easy", width=500, looks="road"),
    )
}
#: A man behind a bank is covered only if it is right before him, and nothing gives cover by hiding a part.
SIGHT = SightRules(target_height=0.8, at_hand=250, low=250, partly_hidden=False, crest_cover=1, hidden_cover=1)
MAN = Footprint("disc", radius=125, height=350, eye=300)
LEADER = Footprint("disc", radius=160, height=350, eye=300)
HULL = Footprint("rect", length=1100, width=600, height=450, eye=400)

LEDGER = {
    "1.1": "Sides take turns in using one unit; each is used once a turn.",
    "1.2": "After the last turn, or when a side has nobody left, the side with more left has won.",
    "2.1": "A patrol marches 12 cm, each base by its own way, and keeps 2 cm from the enemy.",
    "2.2": "Bases keep a chain of 10 cm, or all are within 6 inches of their leader.",
    "2.3": "No base stands in another, in a building or in water.",
    "2.4": "A carrier turns once by up to 90 degrees and drives 25 cm; it enters neither spinneys nor banks.",
    "3.1": "Whoever sees an enemy base within 60 cm shoots at the nearest: 4 or more kills, in cover 6.",
    "3.2": "A base is in cover if it is so from all who shoot at it.",
    "3.3": "A carrier is hit on 6, from the side or rear on 5; it shoots twice, to its front.",
    "3.4": "A unit on watch may shoot once at an enemy at any point of its move.",
    "3.5": "Each patrol has a mortar bomb: every base under its disc is killed on 5 or more.",
}


# ---- data --------------------------------------------------------------------------------------------------


class Model(msgspec.Struct, array_like=True):
    id: str
    x: int
    y: int


class Unit(msgspec.Struct, array_like=True):
    id: str
    side: str
    kind: str
    x: int
    y: int
    heading: int
    models: list[Model]
    used: bool = False
    watching: bool = False
    bombs: int = 1


class State(msgspec.Struct, array_like=True):
    units: dict[str, Unit]
    turn: int = 1
    side: str = "red"
    mover: str = ""


class Scenario(msgspec.Struct):
    name: str
    title: str
    source: str
    briefing: str
    turns: int
    table: Any
    units: list[dict[str, Any]]
    sides: tuple[str, str] = SIDES
    files: dict[str, str] = {}


class Went(Event, frozen=True, kw_only=True):
    unit: str
    end: str

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        return f"{names.get(self.unit, self.unit)} goes to {self.end}"


class Lost(Event, frozen=True, kw_only=True):
    unit: str
    count: int

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        return f"{names.get(self.unit, self.unit)} loses {self.count}"

    def change(self) -> Change | None:
        return Change(self.unit, "loses #", self.count, "man", harm=True)


class Field(Battle[State]):
    """A battle with its table and bases."""

    @property
    def table(self) -> Table:
        found: Table = self.scenario.table
        return found

    def units(self, side: str = "") -> list[Unit]:
        return [unit for unit in self.state.units.values() if unit.models and side in ("", unit.side)]

    def foes(self, side: str) -> list[Unit]:
        return [unit for unit in self.units() if unit.side != side]

    def bodies(self, unit: Unit) -> list[Body]:
        return [Body(m.x, m.y, unit.heading, foot(unit, m)) for m in unit.models]

    def scene(self) -> Scene:
        hulls = [unit for unit in self.units() if unit.kind == "carrier"]
        return Scene(self.table, [self.bodies(u)[0] for u in hulls], titles=[name(u) for u in hulls])


def foot(unit: Unit, model: Model) -> Footprint:
    return HULL if unit.kind == "carrier" else LEADER if model.id == "m1" else MAN


def name(unit: Unit) -> str:
    return f"{unit.kind.capitalize()} {unit.id}"


# ---- moving ------------------------------------------------------------------------------------------------


class March(Ways):
    rule = "2.1"


class Leg(DriveArea):
    far_rule = "2.4"
    off_table = Bar("2.3", "it would leave the table")
    too_far_round = Bar("2.4", "it turns by 90 degrees at most")


def holds(unit: Unit, stand: list[Body]) -> Bar | None:
    """2.2, 2.3: bases keep together and none stands in another."""
    if not formations.clear(stand):
        return Bar("2.3", "one base would stand in another")
    leaders = [body for body, model in zip(stand, unit.models) if model.id == "m1"]
    if leaders and (bodies.gaps(stand, leaders) <= VOICE).all():
        return None
    return None if formations.chained(stand, CHAIN) else Bar("2.2", "the patrol would fall apart")


def closed(table: Table, piece: Piece) -> tuple[Bar, bool] | None:
    """2.3: what no base may touch."""
    if table.kind(piece).ground != "shut":
        return None
    return Bar("2.3", "nobody goes in there", table.title(piece)), True


def march_area(battle: Field, unit: Unit) -> FormationArea:
    """Where a patrol can go (2.1 to 2.3)."""
    table, stand = battle.table, battle.bodies(unit)
    starts = np.array([(body.x, body.y) for body in stand], dtype=np.float64)
    low, high = starts.min(0) - MARCH - CHAIN, starts.max(0) + MARCH + CHAIN
    grounds = {}
    for radius in {body.foot.radius for body in stand}:
        ground = Footing(table, Bar("2.3", "it would leave the table"))
        ground.block_terrain(barriers(table, "men", radius, lambda p: closed(table, p)), starts, low, high)
        for other in battle.units():
            for body in battle.bodies(other) if other is not unit else ():
                if other.side != unit.side:
                    ground.block_body(
                        body, radius + ROOM, Bar("2.1", "it is too near to the enemy", name(other)), starts
                    )
                elif other.kind == "carrier":
                    ground.block_body(body, radius, Bar("2.3", "a carrier is in the way", name(other)), starts)
                else:
                    ground.no_stop(body, radius, Bar("2.3", "a friend stands there", name(other)))
        grounds[radius] = ground
    ways = March([(body.x, body.y) for body in stand], [grounds[body.foot.radius] for body in stand], MARCH)
    forms = [formations.AS_THEY_STAND, formations.CLUSTER, formations.LINE, formations.COLUMN]
    forms.sort(key=lambda form: form == formations.AS_THEY_STAND and holds(unit, stand) is not None)
    return FormationArea(
        unit.id,
        [model.id for model in unit.models],
        stand,
        [ways],
        names=forms,
        spacing=ROOM,
        holds=lambda stand, _: holds(unit, list(stand)),
        label=f"{name(unit)} marches there",
        rule="2.1",
    )


def drive_area(battle: Field, unit: Unit) -> Leg:
    """Where a carrier can go (2.4)."""
    table, hull = battle.table, battle.bodies(unit)[0]
    things: dict[str, list[Thing]] = {"shut": [], "thick": [], "step": []}
    for piece in table.pieces:
        if (ground := table.kind(piece).ground) in things:
            bar = Bar("2.3" if ground == "shut" else "2.4", "a carrier does not go there", table.title(piece))
            things[ground].append(Thing(shape_of(table, piece), bar))
    hulls = [
        *things["shut"],
        *(
            Thing(bodies.shape(body, min(ROOM, bodies.gap(hull, body)) if other.side != unit.side else 0.0),
                  Bar("2.3", "somebody stands there", name(other)))
            for other in battle.units()
            if other is not unit
            for body in battle.bodies(other)
        ),
    ]  # fmt: skip
    centres = [*things["thick"], *things["step"]]
    drive = Drive(
        hull,
        [thing.shape for thing in hulls],
        table.width,
        table.height,
        DRIVE,
        1,
        centres=[thing.shape for thing in centres],
    )
    return Leg(
        unit.id, "m1", drive, hulls, centres, measure=table.measure, label=f"{name(unit)} drives there", rule="2.4"
    )


def good_poses(battle: Field, unit: Unit, area: Area) -> Iterator[Option]:
    """A few poses to choose from: about the compass."""
    far = DRIVE if unit.kind == "carrier" else MARCH
    form = area.start.form
    seen = set()
    for part in (0.95, 0.4):
        for heading in range(0, 360, 45):
            dx, dy = bodies.direction(heading)
            pose = Pose(round(unit.x + dx * far * part), round(unit.y + dy * far * part), heading, form)
            if area.bar(pose) is None and pose.place not in seen:
                if isinstance(area, Leg):
                    end = area.end(pose)[0]
                    pose = pose._replace(x=end.x, y=end.y, heading=end.heading)
                    if area.bar(pose) is not None or area.end(pose)[0][:2] != pose[:2]:
                        continue
                seen.add(pose.place)
                way = f"{length(round(far * part))} cm"
                yield Option(
                    pose.key(), f"{way} towards {heading}°", "pose", unit.id, pose.place, cost=way, rule=area.rule
                )


def move(battle: Field, unit: Unit) -> Procedure[None]:
    """2.1, 2.4, 3.4: go to a pose; whoever is on watch may shoot at any point of the way."""
    area: FormationArea | Leg = drive_area(battle, unit) if unit.kind == "carrier" else march_area(battle, unit)
    stay = Option("stay", "Stay", "stay", unit.id, rule="1.1")
    answer = yield Ask(
        unit.side,
        f"{name(unit)}: go where?",
        lambda: [stay, *good_poses(battle, unit, area)],
        rule=area.rule,
        area=lambda: area,
    )
    if answer == "stay":
        return
    read = read_pose(answer)
    assert read is not None
    pose = read[1]
    heading = pose.heading
    if isinstance(area, Leg):
        end, pivots = area.end(pose)
        heading = area.last_heading(pose, end, pivots)
        unit.heading = end.heading
        pose = pose._replace(x=end.x, y=end.y)
        paths = {"m1": [(unit.x, unit.y), (end.x, end.y)]}
    else:
        paths = area.paths(pose)
        unit.heading = heading
    battle.state.mover = unit.id
    for _, where in strides(paths, STRIDE):
        for model in unit.models:
            model.x, model.y = where[model.id]
        yield from overwatch(battle, unit)
        if not unit.models:
            break
    battle.state.mover = ""
    unit.heading = heading
    unit.x, unit.y = pose.x, pose.y
    battle.emit(Went(side=unit.side, unit=unit.id, end=place(pose.x, pose.y), rules=(area.rule,)))


def overwatch(battle: Field, unit: Unit) -> Procedure[None]:
    """3.4: each enemy on watch that sees the mover may shoot once."""
    for watcher in battle.foes(unit.side):
        if watcher.watching and unit.models and shots(battle, watcher, unit):
            answer = yield Ask(
                watcher.side,
                f"{name(watcher)}: shoot at {name(unit)} now?",
                [
                    Option("pass", "Wait", "pass", rule="3.4"),
                    Option(f"shoot {watcher.id}", f"{name(watcher)} shoots", "shoot", watcher.id, rule="3.4"),
                ],
                reaction="overwatch",
                meanwhile="pass",
                rule="3.4",
            )
            if answer != "pass":
                watcher.watching = False
                shoot(battle, watcher, unit, "3.4")


# ---- shooting ----------------------------------------------------------------------------------------------


def look(battle: Field, unit: Unit, target: Unit) -> Pairs:
    """What each base of a unit sees of each base of another."""
    scene = battle.scene()
    eyes = [scene.eye(body) for body in battle.bodies(unit)]
    return sight(scene, eyes, battle.bodies(target), SIGHT)


def shots(battle: Field, unit: Unit, target: Unit) -> dict[str, tuple[int, Tally]]:
    """3.1 to 3.3: how many shoot at which base, and what they need."""
    mine, theirs = battle.bodies(unit), battle.bodies(target)
    apart = bodies.gaps(mine, theirs)
    pairs = look(battle, unit, target)
    can = pairs.seen & (apart <= RIFLE)
    if unit.kind == "carrier":
        can &= [bodies.in_arc(*bodies.front(mine[0]), unit.heading, 90, bodies.samples(body)) for body in theirs]
    found: dict[str, tuple[int, Tally]] = {}
    who = np.where(can, apart, np.inf).argmin(axis=1)
    for column in sorted({int(j) for i, j in enumerate(who) if can[i, j]}):
        rows = [i for i, j in enumerate(who) if j == column and can[i, j]]
        need = Tally("To hit", 4, "3.1", name(unit))
        if target.kind == "carrier":
            need.add("armour", 2, "3.3")
            if any(bodies.face(theirs[0], mine[i].x, mine[i].y) != bodies.FRONT for i in rows):
                need.add("flank", -1, "3.3")
        elif (pairs.cover[rows, column] > 0).all():
            need.add("cover", 2, "3.2")
        found[target.models[column].id] = (len(rows) * (2 if unit.kind == "carrier" else 1), need)
    return found


def shoot(battle: Field, unit: Unit, target: Unit, rule: str = "3.1") -> None:
    """3.1: one handful of dice for each base shot at."""
    lost = []
    for id, (dice, need) in shots(battle, unit, target).items():
        reader = counts((tuple(int(face >= need.total) for face in range(1, 7)),) * dice)
        if battle.roll(unit.side, "shooting", f"{dice}d6", reader, (rule,), (need,), unit=target.id):
            lost.append(id)
    lose(battle, target, lost, rule)


def lose(battle: Field, unit: Unit, lost: list[str], rule: str) -> None:
    if lost:
        unit.models = [model for model in unit.models if model.id not in lost]
        battle.emit(Lost(side=unit.side, unit=unit.id, count=len(lost), rules=(rule,)))


def burst_area(battle: Field, unit: Unit) -> PointArea:
    """3.5: a bomb lands anywhere within 50 cm, whatever is in between."""
    table = battle.table
    return PointArea(
        unit.id,
        lambda: shapely.Point(unit.x, unit.y).buffer(LOB).intersection(shapely.box(0, 0, table.width, table.height)),
        (unit.x, unit.y),
        label="The bomb lands there",
        verb="burst",
        rule="3.5",
        template=lambda pose: Disc(pose.x, pose.y, BURST),
        standing=lambda: [(name(each), battle.bodies(each)) for each in battle.units()],
        outside=Bar("3.5", "that is farther than 50 cm"),
    )


def bomb(battle: Field, unit: Unit) -> Procedure[None]:
    """3.5: choose where it lands, then roll for every base under it."""
    area = burst_area(battle, unit)

    def aims() -> Iterator[Option]:
        for foe in battle.foes(unit.side):
            pose = Pose(foe.x, foe.y)
            if area.bar(pose) is None:
                yield Option(pose.key("burst"), f"On {name(foe)}", "burst", unit.id, pose.place, foe.id, rule="3.5")
        yield Option("stay", "Keep it", "stay", unit.id, rule="3.5")

    answer = yield Ask(unit.side, "Where does the bomb land?", lambda: list(aims()), rule="3.5", area=lambda: area)
    read = read_pose(answer)
    if read is None:
        return
    unit.bombs -= 1
    disc = Disc(read[1].x, read[1].y, BURST)
    for other in battle.units():
        under = touched(battle.bodies(other), disc)
        hit = [model.id for model, is_under in zip(other.models, under) if is_under]
        lost = [
            id for id in hit if battle.roll(unit.side, "bomb", "1d6", at_least(5), ("3.5",), unit=other.id)
        ]  # fmt: skip
        lose(battle, other, lost, "3.5")


# ---- the sequence of play ----------------------------------------------------------------------------------


def orders(battle: Field, side: str) -> Iterator[Option]:
    for unit in battle.units(side):
        if unit.used:
            continue
        verb = "drive" if unit.kind == "carrier" else "march"
        yield Option(f"{verb} {unit.id}", f"{name(unit)} moves", verb, unit.id, rule="1.1")
        yield Option(f"watch {unit.id}", f"{name(unit)} watches", "watch", unit.id, rule="3.4")
        for foe in battle.foes(side):
            if shots(battle, unit, foe):
                text = f"{name(unit)} shoots at {name(foe)}"
                yield Option(f"fire {unit.id} {foe.id}", text, "fire", unit.id, target=foe.id, rule="3.1")
        if unit.bombs and unit.kind == "patrol":
            yield Option(f"bomb {unit.id}", f"{name(unit)} throws its bomb", "bomb", unit.id, rule="3.5")


def play(battle: Field) -> Rules:
    """1.1, 1.2: unit after unit, side after side, turn after turn."""
    state = battle.state
    while state.turn <= battle.scenario.turns and all(battle.units(side) for side in SIDES):
        if all(unit.used for unit in battle.units()):
            state.turn += 1
            for unit in battle.units():
                unit.used = False
            continue
        if all(unit.used for unit in battle.units(state.side)):
            state.side = other(state.side)
        side = state.side
        answer = yield Ask(side, "Your unit", lambda side=side: list(orders(battle, side)), quiet=True, rule="1.1")  # type: ignore[misc]
        verb, id, *words = answer.split()
        unit = state.units[id]
        unit.watching = verb == "watch"
        if verb in ("march", "drive"):
            yield from move(battle, unit)
        elif verb == "fire":
            shoot(battle, unit, state.units[words[0]])
        elif verb == "bomb":
            yield from bomb(battle, unit)
        unit.used = True
        state.side = other(side)


def other(side: str) -> str:
    return SIDES[side == SIDES[0]]


# ---- the game ----------------------------------------------------------------------------------------------


class Threads(msgspec.Struct):
    """A line of sight that can be told and drawn."""

    seen: SightView

    def say(self) -> str:
        return self.seen.text

    def view(self) -> SightView:
        return self.seen


class RandomSkirmishes(RandomBattles):
    def choices(self) -> Sequence[Choice]:
        return ()

    def write(self, name: str, chosen: Mapping[str, str], random: Random) -> str:
        passable = frozenset({"easy", "step", "thick"})
        table = random_table(chosen["seed"], 12000, 8000, KINDS, measure="cm", passable=passable)
        head, tail = (HERE / "skirmish.toml").read_text("utf-8").split("[table]")
        return f"{head}{to_toml(table)}\n{tail[tail.index('[[unit]]') :]}"


class Skirmish(Game[Scenario, State, Field]):
    name, title, rules_version, folder = "skirmish", "Skirmish", 1, HERE
    random_battles: RandomBattles | None = RandomSkirmishes()
    state_type, battle_type = State, Field

    @cached_property
    def ledger(self) -> Ledger:
        return Ledger("skirmish", "Skirmish", "1", [Rule(id, "procedure", text) for id, text in LEDGER.items()])

    @property
    def phrases(self) -> Mapping[str, str]:
        return {"cover": "in cover", "armour": "armoured", "flank": "side or rear"}

    def scenario_files(self) -> dict[str, Path]:
        return {"ford": HERE / "skirmish.toml"}

    def load_scenario(self, document: Document) -> Scenario:
        table, data = Table.from_document(document, KINDS, measure="cm"), document.data
        name = Path(document.name).stem
        return Scenario(name, data["title"], document.text, data["briefing"], data["turns"], table, data["unit"])

    def load_situation(self, document: Document) -> tuple[Any, Any]:
        scenario = self.load_scenario(document)
        return scenario, self.begin(scenario)

    def begin(self, scenario: Scenario) -> State:
        found = {}
        for row in scenario.units:
            x, y = (round(value * 100) for value in row["place"])
            count = 5 if row["kind"] == "patrol" else 1
            unit = Unit(row["id"], row["side"], row["kind"], x, y, row["heading"], [])
            unit.models = [Model(f"m{n + 1}", x, y) for n in range(count)]
            stand = [Body(x, y, unit.heading, foot(unit, model)) for model in unit.models]
            for model, at in zip(unit.models, formations.lay_out("cluster", stand, x, y, unit.heading, ROOM)):
                model.x, model.y = at
            found[unit.id] = unit
        return State(found)

    def play(self, battle: Field) -> Rules:
        return play(battle)

    def result(self, battle: Field) -> Result | None:
        left = {side: sum(len(unit.models) for unit in battle.units(side)) for side in SIDES}
        if battle.state.turn <= battle.scenario.turns and all(left.values()):
            return None
        winner = "" if left["red"] == left["blue"] else max(left, key=lambda side: left[side])
        return Result(winner, f"{left['red']} to {left['blue']} are left", "1.2")

    def view(self, battle: Field, side: str) -> View:
        units = []
        for unit in battle.units():
            models = [
                ModelView(m.id, m.x / 100, m.y / 100, b.heading, f.radius / 100, f.length / 100, f.width / 100)
                for m, b in zip(unit.models, battle.bodies(unit))
                for f in (b.foot,)
            ]
            states = ("watching",) if unit.watching else ()
            at = place(unit.x, unit.y)
            units.append(
                UnitView(
                    unit.id, unit.side, name(unit), "", at, unit.heading, states=states, short=unit.kind, models=models
                )
            )
        turn, phase = self.turn_of(battle)
        return View("skirmish", battle.scenario.name, side, "", turn, phase, battle.state.side, {}, units, [])

    def conceal(self, battle: Field, side: str) -> None:
        """Nothing is hidden."""

    def why_not(self, battle: Field, side: str, words: str, *, reacts: bool = False) -> list[Bar]:
        unit = battle.state.units.get(words.split(" ", 1)[0])
        return [Bar("1.1", "it was used this turn")] if unit is not None and unit.used else []

    def sight(self, battle: Field, side: str, start: str, end: str) -> Threads:
        one, two = self._body(battle, start), self._body(battle, end)
        scene = battle.scene()
        found = trace(scene, scene.eye(one), two, SIGHT)
        state = "blocked" if not found.seen else "degraded" if found.cover else "clear"
        crossed = [
            Crossed([], each.says, {"cover": "degrade"}.get(each.effect, each.effect)) for each in found.crossings
        ]
        words = {"clear": "in the open", "degraded": "in cover", "blocked": "not seen"}[state]
        return Threads(SightView(start, end, round(bodies.gap(one, two) / 100), state, f"It is {words}", crossed))

    def _body(self, battle: Field, text: str) -> Body:
        if text in battle.state.units and battle.state.units[text].models:
            return battle.bodies(battle.state.units[text])[0]
        try:
            return Body(*point(text), 0, MAN)
        except ValueError as error:
            raise GrognardError(str(error)) from None

    def field_of_fire(self, battle: Field, side: str, unit: str) -> FieldView:
        mine = battle.state.units.get(unit)
        if mine is None or not mine.models or not (foes := battle.foes(mine.side)):
            raise GrognardError(f"{unit!r} sees nobody")
        seen = []
        for foe in foes:
            pairs = look(battle, mine, foe)
            state = (
                "blocked" if not pairs.seen.any() else "degraded" if (pairs.cover[pairs.seen] > 0).all() else "clear"
            )
            seen.append(Seen(place(foe.x, foe.y), state))
        body = battle.bodies(mine)[0]
        width = 90 if mine.kind == "carrier" else 360
        scene = battle.scene()
        eye: Eye = scene.eye(body)
        own = [number for number, blocker in enumerate(scene.blockers) if blocker == body]
        outlines = visible_outline(scene, eye, RIFLE, SIGHT, height=MAN.height, radius=MAN.radius, not_blocking=own)
        areas = [[(x / 100, y / 100) for x, y in polygon[0]] for polygon in outlines]
        fan = Fan(body.x / 100, body.y / 100, mine.heading, width, RIFLE / 100, "Rifles: 60 cm")
        return FieldView(unit, places=seen, fans=[fan], areas=areas)

    def names(self, battle: Field) -> Mapping[str, str]:
        return {unit.id: name(unit) for unit in battle.state.units.values()}

    def invariants(self, battle: Field) -> list[str]:
        """What the rules of 2 promise of every state; who is on the move may be passing through friends."""
        wrong = []
        table = battle.table
        standing = [unit for unit in battle.units() if unit.id != battle.state.mover]
        stand = [body for unit in standing for body in battle.bodies(unit)]
        if not formations.clear(stand):
            wrong.append("a base stands in another")
        for unit in battle.units():
            for body in battle.bodies(unit):
                outline = bodies.shape(body, -2)
                if not (0 <= body.x <= table.width and 0 <= body.y <= table.height):
                    wrong.append(f"{unit.id} has left the table")
                if any(closed(table, piece) and outline.intersects(table.area(piece)) for piece in table.pieces):
                    wrong.append(f"{unit.id} stands in what is closed")
        return wrong

    def draw(self, battle: Field, side: str) -> str:
        view = self.view(battle, side)
        return draw_battle(battle.table, view.units, view.markers, scale=8)

    def draw_text(self, battle: Field, side: str) -> str:
        view = self.view(battle, side)
        return table_text(battle.table, view.units, view.markers, across=2)

    def board(self, scenario: Scenario) -> BoardView:
        return table_board(scenario.table, SIDES, 8)

    def land(self, scenario: Scenario, theme: str = "light") -> str:
        kept: dict[Any, Any] = scenario.table.cache
        if ("land", theme) not in kept:
            kept["land", theme] = draw_table(scenario.table, theme, 8)
        return str(kept["land", theme])

    def thumbnail(self, scenario: Scenario, theme: str = "light") -> str:
        return draw_table_thumbnail(scenario.table, theme)

    def turn_of(self, battle: Field) -> tuple[int, str]:
        return battle.state.turn, "orders"

    def verbs(self) -> list[VerbHelp]:
        words = {
            "march": ("March", "Go on foot.", "2.1"),
            "drive": ("Drive", "Go on tracks.", "2.4"),
            "pose": ("Go there", "Where the unit goes, which way it looks and in what form.", "2.1"),
            "stay": ("Stay", "Do nothing.", "1.1"),
            "watch": ("Watch", "Wait for somebody to move.", "3.4"),
            "fire": ("Fire", "Shoot at what is seen.", "3.1"),
            "shoot": ("Shoot", "Shoot at the mover.", "3.4"),
            "bomb": ("Bomb", "Throw the bomb.", "3.5"),
            "burst": ("Burst", "Where the bomb lands.", "3.5"),
            "pass": ("Pass", "Let it go by.", "3.4"),
        }
        return [VerbHelp(verb, *more) for verb, more in words.items()]

    def glossary(self) -> list[Term]:
        return [
            Term("patrol", "Patrol", "Men on foot: they march, watch and throw bombs.", "2.1", alone=True),
            Term("carrier", "Carrier", "A small tracked vehicle: it drives and turns.", "2.4", alone=True),
        ]

    def forces(self, scenario: Scenario) -> dict[str, list[str]]:
        return {side: [f"1 {u['kind']} {u['id']}" for u in scenario.units if u["side"] == side] for side in SIDES}

    def losses(self, battle: Field) -> dict[str, list[str]]:
        gone = [unit for unit in battle.state.units.values() if not unit.models]
        return {side: [f"1 {unit.kind}" for unit in gone if unit.side == side] for side in SIDES}


SKIRMISH = Skirmish()
