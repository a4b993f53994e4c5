"""What a unit sees and can fire at from where it stands: the ranges of its arms, and the sight to every hex."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.aid_views import FieldView
from grognard.games.ost.arms import Arm, arms
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.sight import sight_hex
from grognard.games.ost.state import Unit
from grognard.games.ost.view import as_known, knows_unit
from grognard.kits.hex.field_of_fire import Reach, field_view, unit_of


def field_of_fire(battle: OstBattle, side: str, unit_id: str) -> FieldView:
    """The field of fire of a unit on the map that the side knows of, from what it may know."""
    known = as_known(battle, side)
    unit = unit_of(known, unit_id, lambda unit: knows_unit(known, side, unit))
    return field_view(
        known,
        unit,
        _reaches(known, unit),
        lambda hex: sight_hex(known, unit, hex),
        lambda hex: _bonus(known, unit, hex),
    )


def _bonus(battle: OstBattle, unit: Unit, hex: str) -> int:
    """From level 2 or 3 a weapon reaches a hex further at what is below (49.7, 60.9)."""
    level = battle.level(unit)
    further: int = battle.charts["levels"]["range_bonus_firing_down"]
    return further if level >= 2 and level > battle.ground_level(hex) else 0


def _reaches(battle: OstBattle, unit: Unit) -> Iterator[Reach]:
    """The ranges of a unit's arms; guns by their bands; a Leader's command."""
    kind = battle.type(unit)
    work = battle.state.works.get(unit.hex)
    slit = work.facing if unit.inside and work is not None and work.kind == "pillbox" else 0
    if kind.leader or kind.armor_leader:
        yield Reach(kind.command_range, "command range", bonus=False)
        return
    for arm in arms(battle, unit):
        if arm.kind == "gun":
            gun = kind.guns[arm.gun]
            facing = slit or (unit.facing if gun.mount != "turret" else 0)
            for _, last, to_hit, power in gun.bands:
                yield Reach(last, f"{gun.name}: {to_hit}+ to hit a vehicle, AP {power}", facing)
            yield Reach(gun.range, f"{gun.name}: maximum range", facing)
        elif arm.range:
            yield Reach(arm.range, _arm_words(battle, arm), slit, bonus=not arm.near)
    for weapon in battle.weapons(unit) if kind.squad else ():
        type_ = battle.kinds[weapon.kind]
        if type_.mortar or type_.class_ == "satchel":  # aimed at hexes, so no arms at targets
            yield Reach(max(type_.range, 1), type_.name, slit, bonus=False)


def _arm_words(battle: OstBattle, arm: Arm) -> str:
    if arm.weapon is not None:
        name = battle.kinds[arm.weapon.kind].name
        return f"with {name}" if arm.word.startswith("own+") else name
    return "machine guns" if arm.kind == "mg" else "small arms"
