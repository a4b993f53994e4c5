"""Sight in words and as threads on the table: between units, between points, or from one to the other."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from grognard.board.table.bodies import Body, gap
from grognard.board.table.places import from_edges, measured
from grognard.board.table.scene import Eye, Mark
from grognard.board.table.sight import Crossing, sight, trace
from grognard.core.aids import Crossed, SightLine, SightView
from grognard.core.errors import GrognardError
from grognard.core.poses import place, point
from grognard.games.bolt_action import openings
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.figures import figures
from grognard.games.bolt_action.line_of_sight import Look, eye_of, look, rules
from grognard.games.bolt_action.state import ON_TABLE, Unit
from grognard.games.bolt_action.to_hit import HARD, SOFT

CLEAR, COVERED, BLOCKED = "clear", "degraded", "blocked"
_COVER = {0: "in the open", SOFT: "in soft cover", HARD: "in hard cover"}

#: The rule behind what a thing does to a line, by the word that sight gives for it.
_RULES = {
    "through": "11.3",
    "deep": "11.3",
    "entered": "11.3",
    "inside": "11.3",
    "area": "11.4",
    "building": "25.3",
    "wall": "25.3",
    "crest": "11.1",
    "behind": "11.1",
    "high_line": "11.8",
    "line": "11.8",
    "over": "11.8",
    "at_hand": "11.8",
    "too_far": "11.8",
    "near_firer": "11.8",
    "far_target": "11.8",
    "near_side": "11.8",
    "part": "11.4",
}


class Thread(NamedTuple):
    """A line of sight between two models or points, in inches, and what it comes to."""

    x1: float
    y1: float
    x2: float
    y2: float
    state: str
    text: str
    blocked_at: tuple[float, float] | None = None


class SightReport(NamedTuple):
    """What is seen of what, why or why not, and over which range in hundredths."""

    start: str
    end: str
    range: float
    state: str
    text: str
    crossed: tuple[Crossed, ...]
    threads: tuple[Thread, ...]

    @property
    def clear(self) -> bool:
        """Whether there is sight at all."""
        return self.state != BLOCKED

    def say(self) -> str:
        """The verdict, and what lies on the way."""
        crossed = [f"  {each.text}" + (f" [{each.rule}]" if each.rule else "") for each in self.crossed]
        return "\n".join([self.text, *crossed])

    def view(self) -> SightView:
        """The same as a client shows it."""
        return SightView(
            start=self.start,
            end=self.end,
            range=round(self.range / 100),
            state=self.state,
            text=self.text,
            crossed=list(self.crossed),
            lines=[SightLine(t.x1, t.y1, t.x2, t.y2, t.state, t.blocked_at, t.text) for t in self.threads],
        )


def report(battle: BoltBattle, start: str, end: str) -> SightReport:
    """Sight between two units or points; a point is "x,y" in inches, where a man is taken to stand."""
    one, other = _party(battle, start), _party(battle, end)
    if isinstance(one, Unit) and isinstance(other, Unit):
        return _units(battle, one, other)
    eyes = _eyes(battle, one, other)
    marks = _marks(battle, other)
    return _traced(battle, start, end, one, other, eyes, marks)


def _party(battle: BoltBattle, text: str) -> Unit | Body:
    """A unit on the table, or a man at a point."""
    found = battle.state.units.get(text)
    if found is not None:
        if found.status != ON_TABLE or not found.models:
            raise GrognardError(f"{battle.say(found)} is not on the table")
        return found
    try:
        x, y = point(text)
    except ValueError as error:
        raise GrognardError(f"{text!r} is neither a unit nor a place; write a place as 12.5,30") from error
    if not (0 <= x <= battle.table.width and 0 <= y <= battle.table.height):
        raise GrognardError(f"{text} is not on the table")
    return Body(x, y, 0, figures().footprints["man"])


def _eyes(battle: BoltBattle, one: Unit | Body, other: Unit | Body) -> list[Eye]:
    """Where somebody looks from: models, openings of a building, or a point."""
    if isinstance(one, Body):
        return [battle.scene.eye(one)]
    if not one.building:
        return [eye_of(battle, one, row, body) for row, body in enumerate(battle.bodies(one))]
    there = battle.bodies(other) if isinstance(other, Unit) else [other]
    foot = figures().footprints["man"]
    found = openings.toward(battle, one.building, there)
    return [Eye(x, y, float(foot.eye), Body(round(x), round(y), 0, foot), one.building) for _, x, y in found]


def _marks(battle: BoltBattle, other: Unit | Body) -> list[Mark]:
    if isinstance(other, Body):
        return [Mark(other)]
    return [Mark(body, other.building) for body in battle.bodies(other)]


def _name(battle: BoltBattle, party: Unit | Body) -> str:
    if isinstance(party, Unit):
        return battle.say(party)
    return f"a man ({from_edges(battle.table, party.x, party.y)})"


# ---- unit to unit ------------------------------------------------------------------------------------


def _units(battle: BoltBattle, unit: Unit, target: Unit) -> SightReport:
    """How many of a unit see another, over which range and in which cover; one thread for each model."""
    seen = look(battle, unit, target)
    if np.isinf(seen.gaps).all():
        return _no_opening(unit.id, target.id, f"{battle.say(unit)} does not see {battle.say(target)}")
    who = [row for row, sees in enumerate(seen.in_sight) if sees]
    best, column = _best_pair(seen, who)
    crossed, at = _on_the_way(battle, unit, target, seen, best, column)
    far = float(seen.gaps[best, column])
    if who:
        cover = max(set(covers := [seen.cover[row] for row in who]), key=covers.count)
        masked = sum(seen.nearest[row] == math.inf for row in who)
        count = "sees" if len(unit.models) == 1 else f"({len(who)} of {len(unit.models)}) sees"
        text = f"{battle.say(unit)} {count} {battle.say(target)} at {measured(far)}, {_COVER[cover]}"
        if masked:
            text += f"; friends are in the way of {masked} [11.2]"
        state = COVERED if cover else CLEAR
        crossed += _by_majority(seen, best, column)
    else:
        text = f"{battle.say(unit)} does not see {battle.say(target)} at {measured(far)} [11.1]"
        state = BLOCKED
    threads = tuple(_thread(battle, unit, target, seen, row, best, at) for row in range(len(unit.models)))
    return SightReport(unit.id, target.id, far, state, text, crossed, threads)


def _no_opening(start: str, end: str, text: str) -> SightReport:
    """Nobody looks out on that side, and from nowhere there is no range (25.3)."""
    return SightReport(start, end, 0.0, BLOCKED, f"{text}: no opening of the building faces it [25.3]", (), ())


def _best_pair(seen: Look, who: list[int]) -> tuple[int, int]:
    """The nearest pair of models that see each other, or simply the nearest."""
    ranges = np.where(seen.pairs.seen, seen.gaps, np.inf) if who else seen.gaps
    row, column = divmod(int(np.asarray(ranges).argmin()), ranges.shape[1])
    return row, column


def _on_the_way(
    battle: BoltBattle, unit: Unit, target: Unit, seen: Look, row: int, column: int
) -> tuple[tuple[Crossed, ...], tuple[float, float] | None]:
    x, y = seen.eyes[row]
    body = battle.bodies(unit)[row]
    if unit.building:
        body = Body(round(x), round(y), 0, figures().footprints["man"])
    eye = Eye(x, y, float(body.foot.eye), body, unit.building)
    return _crossings(battle, eye, Mark(battle.bodies(target)[column], target.building))


def _crossings(battle: BoltBattle, eye: Eye, mark: Mark) -> tuple[tuple[Crossed, ...], tuple[float, float] | None]:
    """What lies on a line, each thing once, and where it is stopped."""
    found = trace(battle.scene, eye, mark, rules())
    effects = {"block": "block", "cover": "degrade", "none": "none"}
    crossed = tuple(
        Crossed(
            places=[place(round(each.at[0]), round(each.at[1]))],
            text=each.says,
            effect=effects[each.effect],
            rule=_rule(battle, each),
        )
        for each in found.crossings
    )
    stops = [each.at for each in found.crossings if each.effect == "block"]
    at = (stops[0][0] / 100, stops[0][1] / 100) if stops and not found.seen else None
    return crossed, at


def _rule(battle: BoltBattle, each: Crossing) -> str:
    """The rule behind what a thing does to a line; looking over is 11.8 for a hedge, and not for a hill or a house."""
    piece = battle.table.by_id.get(battle.scene.things[each.thing].id)
    if each.why == "over" and (piece is None or not battle.table.kind(piece).linear):
        return "11.1"
    return _RULES.get(each.why, "11.1")


def _by_majority(seen: Look, row: int, column: int) -> tuple[Crossed, ...]:
    """Why a unit has another cover than the model that is looked at: what more than half of its models have (11.5)."""
    if seen.cover[row] == int(seen.pairs.cover[row, column]):
        return ()
    covers = seen.pairs.cover[row]
    some, hard, hidden = int((covers > 0).sum()), int((covers == HARD).sum()), int((~seen.pairs.seen[row]).sum())
    more = f" ({hidden} wholly hidden)" if hidden else ""
    text = f"of its {len(covers)} models {some} are in cover, {hard} of them in hard cover{more}"
    return (Crossed(places=[], text=text, effect="degrade" if seen.cover[row] else "none", rule="11.5"),)


def _thread(
    battle: BoltBattle, unit: Unit, target: Unit, seen: Look, row: int, best: int, at: tuple[float, float] | None
) -> Thread:
    """The thread of one model: to the nearest that it sees, or to the nearest."""
    sees = seen.pairs.seen[row]
    ranges = np.where(sees, seen.gaps[row], np.inf) if sees.any() else seen.gaps[row]
    column = int(np.asarray(ranges).argmin())
    there = target.models[column]
    x, y = seen.eyes[row]
    state = BLOCKED if not sees.any() else COVERED if seen.cover[row] else CLEAR
    text = f"{unit.models[row].id}: {measured(float(seen.gaps[row][column]))}, "
    if state == BLOCKED:
        thing = int(seen.pairs.by[row][column])
        text += battle.scene.things[thing].title if thing >= 0 else "not in sight"
    elif seen.nearest[row] == math.inf:
        text += "friends in the way"
    else:
        text += _COVER[seen.cover[row]]
    stopped = at if state == BLOCKED and row == best else None
    return Thread(x / 100, y / 100, there.x / 100, there.y / 100, state, text, stopped)


# ---- with a point at one end or both -----------------------------------------------------------------


def _traced(
    battle: BoltBattle,
    start: str,
    end: str,
    one: Unit | Body,
    other: Unit | Body,
    eyes: list[Eye],
    marks: list[Mark],
) -> SightReport:
    """Sight from eyes to marks, of which there are few: the best pair is explained."""
    who = _name(battle, one)
    names = f"{who[:1].upper()}{who[1:]} {{}} {_name(battle, other)}"
    if not eyes:
        return _no_opening(start, end, names.format("does not see"))
    found = sight(battle.scene, eyes, marks, rules())
    apart = np.array([[gap(eye.body, mark.body) for mark in marks] for eye in eyes])
    ranges = np.where(found.seen, apart, np.inf) if found.seen.any() else apart
    row, column = divmod(int(ranges.argmin()), ranges.shape[1])
    crossed, at = _crossings(battle, eyes[row], marks[column])
    cover = int(found.cover[row, column])
    far = float(apart[row, column])
    state = BLOCKED if not found.seen.any() else COVERED if cover else CLEAR
    if state == BLOCKED:
        text = names.format("does not see") + f" at {measured(far)} [11.1]"
    else:
        text = names.format("sees") + f" at {measured(far)}, {_COVER[cover]}"
    threads = []
    for i, eye in enumerate(eyes):
        j = int(np.where(found.seen[i], apart[i], apart[i] + 1e6).argmin())
        there = marks[j].body
        seen = bool(found.seen[i, j])
        each = BLOCKED if not seen else COVERED if found.cover[i, j] else CLEAR
        stopped = at if not seen and i == row else None
        threads.append(
            Thread(eye.x / 100, eye.y / 100, there.x / 100, there.y / 100, each, measured(float(apart[i, j])), stopped)
        )
    return SightReport(start, end, far, state, text, crossed, tuple(threads))
