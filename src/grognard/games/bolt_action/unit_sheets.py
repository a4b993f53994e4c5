"""The units as somebody looks them up: quality, armour, rates of movement and every weapon (5.1, 14.1, 17.1)."""

from __future__ import annotations

from typing import Any

from grognard.core.aid_views import UnitSheet, WeaponSheet
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.roster import Mount, UnitType, roster

#: What a weapon of the chart is besides its figures.
MARKS = ("team", "fixed", "assault", "one_shot", "shaped", "indirect", "howitzer", "flame", "multiple")


def units() -> list[UnitSheet]:
    """Every unit of the roster with its figures."""
    return [_sheet(kind) for kind in roster().values()]


def _sheet(kind: UnitType) -> UnitSheet:
    return UnitSheet(
        id=kind.id,
        name=kind.name,
        nation=kind.nation,
        kind=kind.kind,
        figures=_figures(kind),
        weapons=[_weapon(mount) for mount in kind.weapons],
        years=kind.years,
        provenance=kind.provenance,
    )


def _figures(kind: UnitType) -> dict[str, Any]:
    now = charts()
    quality, rate = now.quality[kind.quality], now.rates[kind.moves_as]
    found: dict[str, Any] = {"quality": kind.quality, "morale": quality.morale}
    if kind.vehicle:
        armour = now.damage_classes[kind.damage_class]
        found |= {"class": armour.title, "damage value": armour.value}
    else:
        found |= {"men": kind.models, "damage value": quality.damage_value}
    found |= {"advance": f"{rate.advance / 100:g}″", "run": f"{rate.run / 100:g}″"}
    if kind.transport_capacity:
        found["carries"] = kind.transport_capacity
    if kind.special:
        found["special"] = sorted(word.replace("_", " ") for word in kind.special)
    return found | {"points": kind.points}


def _weapon(mount: Mount) -> WeaponSheet:
    weapon = charts().weapons[mount.weapon]
    low = f"{weapon.min_indirect / 100:g}-" if weapon.min_indirect else ""
    found: dict[str, Any] = {"no.": mount.count, "range": f"{low}{weapon.max / 100:g}″", "shots": weapon.shots}
    if weapon.pen is not None:
        found["pen"] = f"+{weapon.pen}"
    if he := mount.he or weapon.he:
        found["he"] = he
    if mount.mount:
        found["mount"] = mount.mount
    if mount.arc != 360:
        found["arc"] = f"{mount.arc}°"
    if marks := [mark.replace("_", " ") for mark in MARKS if getattr(weapon, mark)]:
        found["marks"] = marks
    return WeaponSheet(weapon.title, found)
