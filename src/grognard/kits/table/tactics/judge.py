"""What a unit's actions are worth, where a move leads it, and why: what every game weighs alike."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from grognard.core.tactics import Clock
from grognard.kits.table.state import ABOARD, ON_TABLE, Unit
from grognard.kits.table.tactics.chart import Bools, Floats
from grognard.kits.table.tactics.choices import Choice, Why, best_first, by_weight
from grognard.kits.table.tactics.goals import ALMOST, THERE_WITHIN
from grognard.kits.table.tactics.outlook import Outlook, Parts

#: A game's outlook, and its units.
L = TypeVar("L", bound=Outlook[Any, Any, Any])
U = TypeVar("U", bound=Unit[Any])

#: How the reason begins that tells of a shot which nobody has looked at: by the chart alone.
BY_CHART = "could fire at"
#: So many units are thought through before the rest is passed over that seems to gain less.
THOUGHT = 4
#: What it is worth to be a reserve: one would rather come on.
WAITING = -0.6


class Aim(NamedTuple):
    """A shot that can be declared: the answer, at whom, its worth, and why."""

    key: str
    target: Unit[Any]
    worth: float
    why: tuple[Why, ...]


class Judge(ABC, Generic[L, U]):
    """Weighs what units may do, in one outlook. ``how`` is a game's word for a way to move: "run", "advance"."""

    def __init__(self, outlook: L, clock: Clock | None = None) -> None:
        self.outlook, self.clock = outlook, clock

    # ---- what the game says ----

    @abstractmethod
    def weigh(self, unit: U) -> list[Choice]:
        """What a unit may do, the best first, each with what it does now and where it leaves the unit."""

    @abstractmethod
    def leads_to(self, unit: U, how: str) -> Bools:
        """The points of the chart that a unit may get to with a move, more or less."""

    def shoots(self, unit: U, how: str) -> bool:
        """Whether a unit shoots after a move."""
        return False

    def called(self, key: str) -> str:
        """What people call an action."""
        return key.partition(" ")[0].replace("_", " ").capitalize()

    def beside(self, unit: U, better: float) -> str:
        """What the neighbourhood of a place means to a unit, in words: it is better there than here, or worse."""
        return "closer to the enemy" if better > 0 else "further from the enemy"

    # ---- places ----

    @property
    def late(self) -> bool:
        """Whether it is time to answer."""
        return self.clock is not None and self.clock.late

    def stay(self, unit: U) -> float:
        """What it is worth to a unit to be where it is."""
        if unit.status == ON_TABLE:
            return float(self.outlook.places(unit)[self.outlook.here(unit)])
        return self.outlook.aboard(unit) if unit.status == ABOARD else WAITING

    def after(self, unit: U, how: str) -> Floats:
        """What a move is worth at every point: the place, and the shot from there."""
        places = self.outlook.places(unit)
        if not self.shoots(unit, how):
            return places
        shots, _ = self.outlook.shots(unit, True)
        found: Floats = places + self.outlook.taste.chart_shot * shots
        return found

    def best_point(self, unit: U, how: str) -> int:
        """Where a move leads a unit best; it may stay where it is."""
        mask = self.leads_to(unit, how)
        mask[self.outlook.here(unit)] = True
        return int(np.where(mask, self.after(unit, how), -np.inf).argmax())

    def why_there(self, unit: U, how: str, point: int, there: bool | None = None) -> tuple[Why, ...]:
        """Why a point is good for a unit, in words; ``there`` if it is known whether the unit is then at its goal."""
        outlook = self.outlook
        parts, goal = outlook.parts(unit), outlook.goal(unit)
        if there is not None and goal is not None:
            turns = parts.turns.copy()
            turns[point] = 0.0 if there else max(float(turns[point]), ALMOST)
            parts = parts._replace(turns=turns, aim=outlook.aim_from(unit, goal, turns))
        why = self.tell(unit, parts, point)
        if self.shoots(unit, how):
            why += self.by_chart(outlook.shots(unit, True)[1], point)
        return by_weight(why)

    def tell(self, unit: U, parts: Parts, number: int) -> list[Why]:
        """Why one of some places is good for a unit or bad, against being where it is."""
        outlook, slight = self.outlook, self.outlook.taste.slight
        goal, net, here = outlook.goal(unit), outlook.parts(unit), outlook.here(unit)
        there = unit.status == ON_TABLE
        before = [float(each[here]) if there else 0.0 for each in net[:4]]
        aim, risked, later, beside = (float(each[number]) - now for each, now in zip(parts[:4], before))
        why: list[Why] = [] if there else [("leaves its place", -self.stay(unit))]
        turns = float(parts.turns[number])
        if goal is not None and turns <= THERE_WITHIN:
            why.append((f"at {goal.name}", aim))
        elif goal is not None and (aim or math.isfinite(turns)):
            count = max(1, math.ceil(turns - 0.1)) if math.isfinite(turns) else 0
            within = f"within {count} turn{'' if count == 1 else 's'}" if count else "out of reach"
            leaves = there and goal.at is not None and net.turns[here] <= THERE_WITHIN
            why.append((f"leaves {goal.name}" if leaves else f"{goal.name} {within}", aim))
        rows = [row for foe in outlook.foes if (row := parts.rows[foe.id]).seen[number]]
        if rows:
            cover = min(int(row.cover_there[number]) for row in rows)
            watched = f"{len(rows)} enem{'y' if len(rows) == 1 else 'ies'} would see it"
            watched = f"safer than here: {watched}" if risked > slight else watched
            why.append((f"{watched} in {('the open', 'soft cover', 'hard cover')[cover]}", risked))
        elif outlook.foes:
            why.append(("out of the enemy's sight", risked))
        if abs(later) > slight:
            why.append((f"{'more' if later > 0 else 'fewer'} targets from there next turn", later))
        if abs(beside) > slight:
            why.append((self.beside(unit, beside), beside))
        return why

    def by_chart(self, each: Sequence[tuple[U, Floats]], number: int) -> list[Why]:
        """Whom a unit may fire at from a place by the chart: nobody has looked yet, and so nothing more is said."""
        taste = self.outlook.taste
        target = max(each, key=lambda one: float(one[1][number]), default=None)
        if target is None or float(target[1][number]) <= taste.slight:
            return []
        name = self.outlook.battle.name(target[0])
        return [(f"{BY_CHART} {name}", taste.chart_shot * float(target[1][number]))]

    def taken(self, shot: Aim | None) -> list[Why]:
        """Why the shot after a move is good, as far as it counts when the move is chosen."""
        share = self.outlook.taste.shot_taken
        return [] if shot is None else [(text, share * worth) for text, worth in shot.why]

    def worth_of(self, shot: Aim | None) -> float:
        """How much the shot after a move counts when the move is chosen."""
        return 0.0 if shot is None else self.outlook.taste.shot_taken * shot.worth

    def gained(self, unit: U, found: Sequence[Choice]) -> list[Choice]:
        """Choices by what they gain against staying as one is: reasons are told so, and add up to it."""
        stay = self.stay(unit)
        return [choice._replace(worth=choice.worth - stay) for choice in found]

    # ---- who acts ----

    def gain(self, unit: U) -> tuple[float, float, Choice]:
        """What a unit gains by acting now, how much of it by acting before the enemy does, and its best action."""
        best = self.weigh(unit)[0]
        gain = best.worth - self.stay(unit)
        threat = self.outlook.threatened(unit) if unit.status == ON_TABLE else 0.0
        # Whoever may be shot to pieces first acts while he can.
        haste = self.outlook.taste.haste * threat if gain > 0.05 else 0.0
        return gain + haste, haste, best

    def pick(self, units: Sequence[U], verb: str, glance: Judge[L, U]) -> list[Choice]:
        """The units that may act, the one that gains most by acting now first; those who promise nothing are only
        glanced at."""
        found: list[Choice] = []
        seems = sorted(((unit, glance.gain(unit)[0]) for unit in units), key=lambda each: (-each[1], each[0].n))
        for number, (unit, promised) in enumerate(seems):
            if number >= THOUGHT and promised < max(choice.worth for choice in found):
                found.append(Choice(f"{verb} {unit.id}", promised, (("at a glance", promised),)))
                continue
            if found and self.late:
                found.append(Choice(f"{verb} {unit.id}", -1.0, (("out of time to think about it", -1.0),)))
                continue
            gain, haste, best = self.gain(unit)
            name = self.called(best.key)
            leading = max(best.why, key=lambda each: each[1], default=("", 0.0))[0]
            why: list[Why] = [(f"{name}: {leading}" if leading else name, gain - haste)]
            if haste > 0.03:
                why.append(("before the enemy shoots at it", haste))
            found.append(Choice(f"{verb} {unit.id}", gain, tuple(why)))
        return best_first(found)
