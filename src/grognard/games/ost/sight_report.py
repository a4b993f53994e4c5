"""A line of sight in words: what it crosses, and what each weapon could do along it."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.board.hex.arcs import front_arc
from grognard.core.ask import Bar
from grognard.games.ost import arms, sight
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import Unit
from grognard.games.ost.view import as_known, knows_unit
from grognard.kits.hex.sight_report import SightReport, read_end


def line_of_sight(battle: OstBattle, side: str, start: str, end: str) -> SightReport[sight.Sight]:
    """The line of sight between two units or hexes with what it crosses, from what the side may know."""
    known = as_known(battle, side)
    viewer, target = (read_end(known, word, lambda unit: knows_unit(known, side, unit)) for word in (start, end))
    report = sight.explain(known, viewer, target)
    return report._replace(fire=tuple(_fire_lines(known, viewer, target))) if isinstance(viewer, Unit) else report


def _fire_lines(battle: OstBattle, unit: Unit, target: Unit | str) -> Iterator[Bar]:
    """What each weapon of a unit can do to a target or in a hex: range, arc, and the armor it would meet (88.2, 95)."""
    hex = target if isinstance(target, str) else target.hex
    if isinstance(target, Unit) and target.side == unit.side:
        return
    if bar := arms.bar_fire(battle, unit) or arms.bar_arms(battle, unit):
        yield Bar(bar.rule, f"it can't fire: {bar.reason}", bar.source)
        return
    distance, kind = battle.grid.dist[unit.hex][hex], battle.type(unit)
    for arm in arms.arms(battle, unit):
        what = arms.say_arm(battle, unit, arm) or "with its own fire"
        if isinstance(target, Unit):
            bar = arms.bar_shot(battle, unit, target, arm)
        else:
            bar = arms.bar_hex(battle, unit, hex, arm)
        if bar is not None:
            far = f" ({distance} of {arm.range})" if bar == arms.OUT_OF_RANGE else ""
            yield Bar(bar.rule, f"{what}: {bar.reason}{far}", bar.source)
            continue
        yield Bar("88.2", f"{what}: in range ({distance} of {arm.range}){arms.say_arc(battle, unit, arm)}")
        if arm.kind == "gun" and kind.guns:
            _, _, to_hit, ap = kind.guns[arm.gun].band(distance)
            yield Bar("95.3", f"{what}: To Hit {to_hit}, AP {ap} at this range, HE {kind.guns[arm.gun].he}")
    if isinstance(target, Unit) and battle.type(target).armored:
        front, armor = front_arc(battle.grid, target.hex, target.facing, unit.hex), battle.type(target)
        where = f"front, Defense {armor.front}" if front else f"flank, Defense {armor.flank}"
        yield Bar("76.2" if front else "76.3", f"it would be hit in its {where}")
