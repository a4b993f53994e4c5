"""Sight in the words of the rules: cover, openings, friends in the way, and what each weapon could do from here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from grognard.board.table.bodies import Footprint
from grognard.board.table.places import apart as ruled
from grognard.board.table.sight import Crossing
from grognard.core.aid_views import Crossed
from grognard.core.ask import Bar
from grognard.games.bolt_action import weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.line_of_sight import looks_of
from grognard.games.bolt_action.shooting import volley, weapon_groups
from grognard.games.bolt_action.shooting.volley import Firer
from grognard.games.bolt_action.state import Unit
from grognard.games.bolt_action.to_hit import HARD, SOFT
from grognard.kits.table import sight_report as kit
from grognard.kits.table.looks import Look
from grognard.kits.table.sight_report import SightReport, SightWords

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


def report(battle: BoltBattle, start: str, end: str) -> SightReport:
    """Sight between two units or points; a point is "x,y" in inches, where a man is taken to stand."""
    return kit.report(looks_of(battle), start, end, BoltWords())


class BoltWords(SightWords[BoltBattle, Unit]):
    """The words and rules of sight (11, 25.3)."""

    unseen: ClassVar[str] = "11.1"
    friends: ClassVar[str] = "11.2"
    somebody: ClassVar[str] = "a man"

    @property
    def foot(self) -> Footprint:
        """A man stands at a point that is asked for."""
        return charts().footprints["man"]

    def cover(self, cover: int) -> str:
        """Soft or hard."""
        return _COVER[cover]

    def rule(self, battle: BoltBattle, crossing: Crossing) -> str:
        """Looking over is 11.8 for a hedge, and not for a hill or a house."""
        piece = battle.table.by_id.get(battle.scene.things[crossing.thing].id)
        if crossing.why == "over" and (piece is None or not battle.table.kind(piece).linear):
            return "11.1"
        return _RULES.get(crossing.why, "11.1")

    def blind(self) -> str:
        """Men in a building look out of its openings (25.3)."""
        return "no opening of the building faces it [25.3]"

    def of_the_whole(self, seen: Look, row: int, column: int) -> Iterable[Crossed]:
        """What more than half of its models have (11.5)."""
        if seen.cover[row] == int(seen.pairs.cover[row, column]):
            return ()
        covers = seen.pairs.cover[row]
        some, hard, hidden = int((covers > 0).sum()), int((covers == HARD).sum()), int((~seen.pairs.seen[row]).sum())
        more = f" ({hidden} wholly hidden)" if hidden else ""
        text = f"of its {len(covers)} models {some} are in cover, {hard} of them in hard cover{more}"
        return (Crossed(places=[], text=text, effect="degrade" if seen.cover[row] else "none", rule="11.5"),)

    def weapons(self, battle: BoltBattle, unit: Unit, target: Unit, seen: Look) -> Iterable[Crossed]:
        """Range and arc of each weapon, man by man where they differ (12.3, 12.7)."""
        return _weapons(battle, unit, target, seen)


def _weapons(battle: BoltBattle, unit: Unit, target: Unit, seen: Look) -> Iterator[Crossed]:
    """What each weapon could do to an enemy from here: range and arc, man by man where they differ (12.3, 12.7)."""
    if unit.side == target.side:
        return
    for group in weapon_groups.weapon_groups(battle, unit):
        for mode in weapon_groups.ways_to_fire(battle, unit, group, target):
            groups: dict[tuple[str, Bar | None], list[Firer]] = {}
            for firer in mode.firers:
                title = " ".join(filter(None, (battle.weapon(unit, firer.held.slot).title, mode.label)))
                bar = weapon_groups.bar_firer(battle, unit, firer, target, seen, False, "")
                groups.setdefault((title, bar), []).append(firer)
            for (title, bar), firers in groups.items():
                yield _weapon_line(battle, unit, seen, title, bar, firers)


def _weapon_line(
    battle: BoltBattle, unit: Unit, seen: Look, title: str, bar: Bar | None, firers: list[Firer]
) -> Crossed:
    who = f" ({', '.join(firer.held.model for firer in firers)})" if len(unit.models) > 1 else ""
    if bar is not None:
        return Crossed(places=[], text=f"{title}{who}: {bar.reason}", effect="none", rule=bar.rule)
    ranges = [volley.distance(battle, unit, firer, seen, False) for firer in firers]
    near, far = (ruled(end, battle.measure) for end in (min(ranges), max(ranges)))
    most = weapons.reach(battle, unit, firers[0].held.slot, moved=False, indirect=firers[0].indirect).most
    span = near if near == far else f"{near} to {far}"
    arc = "in its arc, " if battle.mount(unit, firers[0].held.slot).arc < 360 else ""
    text = f"{title}{who}: {arc}range {span} of {ruled(most, battle.measure)}"
    return Crossed(places=[], text=text, effect="none", rule="12.3")
