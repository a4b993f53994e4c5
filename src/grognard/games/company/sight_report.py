"""Sight in the words of the rules: cover, concealment, friends in the way, and what could be fired from here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from grognard.board.table.bodies import Footprint
from grognard.board.table.sight import Crossing
from grognard.core.aid_views import Crossed
from grognard.games.company import cover, firing, volley
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.cover import HARD, OPEN, SOFT, looks_of
from grognard.games.company.state import Platoon
from grognard.games.company.volley import FIRE
from grognard.kits.table import sight_report as kit
from grognard.kits.table.looks import Look
from grognard.kits.table.sight_report import SightReport, SightWords

_COVER = {OPEN: "in the open", SOFT: "in soft cover", HARD: "in hard cover"}

#: The rule behind what a thing does to a line, by the word that sight gives for it.
_RULES = {
    "through": "10.4",
    "deep": "10.4",
    "entered": "10.4",
    "inside": "10.4",
    "area": "10.4",
    "high_line": "10.6",
    "at_hand": "10.10",
    "line": "10.5",
    "too_far": "10.5",
    "near_firer": "10.5",
    "far_target": "10.5",
    "near_side": "10.5",
}


def report(battle: CompanyBattle, start: str, end: str) -> SightReport:
    """Sight between two Units or points; a point is "x,y" in inches, where an Infantry Team is taken to stand."""
    return kit.report(looks_of(battle), start, end, CompanyWords())


class CompanyWords(SightWords[CompanyBattle, Platoon]):
    """The words and rules of sight (10)."""

    unseen: ClassVar[str] = "6.2"
    friends: ClassVar[str] = "6.6"
    somebody: ClassVar[str] = "an Infantry Team"

    @property
    def foot(self) -> Footprint:
        """Infantry stands at a point that is asked for."""
        return charts().footprints["infantry"]

    def cover(self, cover: int) -> str:
        """Open, soft or hard."""
        return _COVER[cover]

    def rule(self, battle: CompanyBattle, crossing: Crossing) -> str:
        """Smoke and hills have rules of their own; looking over is 10.6 for a wall."""
        thing = battle.scene.things[crossing.thing]
        if thing.sort == "smoke":
            return "15.13"
        piece = battle.table.by_id.get(thing.id)
        if crossing.why == "over" and piece is not None and battle.table.kind(piece).linear:
            return "10.6"
        return _RULES.get(crossing.why, "6.2")

    def of_the_whole(self, seen: Look, row: int, column: int) -> Iterable[Crossed]:
        """One stand that is not in cover reveals all (10.3)."""
        covers = [int(level) for level, sees in zip(seen.pairs.cover[row], seen.pairs.seen[row]) if sees]
        bare = covers.count(OPEN)
        if not bare or bare == len(covers):
            return ()
        text = f"{bare} of the {len(covers)} Teams that it sees {'is' if bare == 1 else 'are'} in the open"
        return (Crossed(places=[], text=text, effect="none", rule="10.3"),)

    def weapons(self, battle: CompanyBattle, unit: Platoon, target: Platoon, seen: Look) -> Iterable[Crossed]:
        """How the target stands to all that see it, and what could be fired at it (6.8, 10.3, 10.12)."""
        return _fire(battle, unit, target, seen) if unit.side != target.side else ()


def _fire(battle: CompanyBattle, unit: Platoon, target: Platoon, seen: Look) -> Iterator[Crossed]:
    rows = [row for row, sees in enumerate(seen.in_sight) if sees]
    if rows:
        how = cover.judged(battle, unit, rows, target)
        for applies, words, rule in ((how.concealed, "concealed", "10.3"), (how.down, "gone to ground", "6.22")):
            if applies:
                text = f"{battle.name(target)} is {words} from all that see it"
                yield Crossed(places=[], text=text, effect="degrade", rule=rule)
    modes = dict.fromkeys((team.id for team in unit.models), FIRE)
    found = False
    for fired in volley.ways(battle, unit, target, modes):
        found = True
        told = "no die can hit" if fired.hopeless else firing.numbers(fired)
        what = f"fire{firing.said(fired.word)}: {told}"
        yield Crossed(places=[], text=what, effect="none", rule="6.8")
    if not found and (bar := volley.bar_target(battle, unit, target, modes)) is not None:
        yield Crossed(places=[], text=bar.reason, effect="none", rule=bar.rule)
