"""What a unit sees and can fire at from where it stands: the ranges of its arms, and the sight to every hex."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from grognard.board.arcs import covered_arc
from grognard.core.aids import FieldView, Ring, Seen
from grognard.core.errors import GrognardError
from grognard.games.ost.arms import Arm, arms
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.sight import sight_hex, state_of
from grognard.games.ost.state import ON_MAP, Unit
from grognard.games.ost.view import as_known, knows_unit


class _Reach(NamedTuple):
    """How far something of a unit's goes, what it is, and which way it must face (0: any)."""

    range: int
    text: str
    facing: int = 0
    bonus: bool = True  # reaches a hex further at what is below (49.7)


def field_of_fire(battle: OstBattle, side: str, unit_id: str) -> FieldView:
    """The field of fire of a unit on the map that the side knows of, from what it may know."""
    known = as_known(battle, side)
    unit = known.state.units.get(unit_id)
    if unit is None or unit.status != ON_MAP or not knows_unit(known, side, unit):
        raise GrognardError(f"{unit_id!r} is no unit on the map that you know of; give the id of one, such as g3")
    reaches = sorted(set(_reaches(known, unit)))
    rings = list(dict.fromkeys(reach.range for reach in reaches))
    texts = {each: ", ".join(reach.text for reach in reaches if reach.range == each) for each in rings}
    return FieldView(
        unit=unit.id,
        rings=[Ring(each, texts[each]) for each in rings],
        places=[_seen(known, unit, hex, reaches, rings) for hex in known.grid.hexes if hex != unit.hex],
    )


def _seen(battle: OstBattle, unit: Unit, hex: str, reaches: list[_Reach], rings: list[int]) -> Seen:
    distance = battle.grid.dist[unit.hex][hex]
    down = _bonus(battle, unit, hex)
    within = (
        rings.index(reach.range)
        for reach in reaches
        if distance <= reach.range + (down if reach.bonus else 0)
        and (not reach.facing or covered_arc(battle.grid, unit.hex, reach.facing, hex))
    )
    return Seen(hex, state_of(sight_hex(battle, unit, hex)), next(within, -1))


def _bonus(battle: OstBattle, unit: Unit, hex: str) -> int:
    """From level 2 or 3 a weapon reaches a hex further at what is below (49.7, 60.9)."""
    level = battle.level(unit)
    further: int = battle.figures["levels"]["range_bonus_firing_down"]
    return further if level >= 2 and level > battle.ground_level(hex) else 0


def _reaches(battle: OstBattle, unit: Unit) -> Iterator[_Reach]:
    """The ranges of a unit's arms; guns by their bands; a Leader's command."""
    kind = battle.type(unit)
    work = battle.state.works.get(unit.hex)
    slit = work.facing if unit.inside and work is not None and work.kind == "pillbox" else 0
    if kind.leader or kind.armor_leader:
        yield _Reach(kind.command_range, "command range", bonus=False)
        return
    for arm in arms(battle, unit):
        if arm.kind == "gun":
            gun = kind.guns[arm.gun]
            facing = slit or (unit.facing if gun.mount != "turret" else 0)
            for _, last, to_hit, power in gun.bands:
                yield _Reach(last, f"{gun.name}: {to_hit}+ to hit a vehicle, AP {power}", facing)
            yield _Reach(gun.range, f"{gun.name}: maximum range", facing)
        elif arm.range:
            yield _Reach(arm.range, _arm_words(battle, arm), slit, bonus=not arm.near)
    for weapon in battle.weapons(unit) if kind.squad else ():
        type_ = battle.kinds[weapon.kind]
        if type_.mortar or type_.class_ == "satchel":  # aimed at hexes, so no arms at targets
            yield _Reach(max(type_.range, 1), type_.name, slit, bonus=False)


def _arm_words(battle: OstBattle, arm: Arm) -> str:
    if arm.weapon is not None:
        name = battle.kinds[arm.weapon.kind].name
        return f"with {name}" if arm.word.startswith("own+") else name
    return "machine guns" if arm.kind == "mg" else "small arms"
