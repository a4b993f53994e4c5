"""The Units as somebody looks them up: training, Teams, armour and every weapon."""

from __future__ import annotations

from collections import Counter
from typing import Any

from grognard.core.aid_views import UnitSheet, WeaponSheet
from grognard.games.company.charts import Weapon, charts
from grognard.games.company.roster import UnitType, roster, team_types


def units() -> list[UnitSheet]:
    """Every Unit of the roster with its figures."""
    return [_sheet(kind) for kind in roster().values()]


def _sheet(kind: UnitType) -> UnitSheet:
    weapons = Counter(id for type in kind.types for id in type.weapons)
    return UnitSheet(
        id=kind.id,
        name=kind.name,
        nation=kind.nation,
        kind=kind.role,
        figures=_figures(kind),
        weapons=[_weapon(charts().weapons[id], count) for id, count in weapons.items()],
        years=kind.years,
        provenance=kind.provenance,
    )


def _figures(kind: UnitType) -> dict[str, Any]:
    training, known = charts().trainings[kind.training], team_types()
    found: dict[str, Any] = {
        "training": training.title,
        "check": f"{training.check}+",
        "hit on": f"{training.to_hit}+",
        "Teams": [f"{each.count} x {known[each.team].name}" for each in kind.teams],
    }
    if armour := {type.name: f"{type.armor}+" for type in kind.types if type.armored}:
        found["armor"] = [f"{name} {number}" for name, number in armour.items()]
    if room := max(type.transport for type in kind.types):
        found["carries"] = room
    assault = {type.name: type.tank_assault for type in kind.types if type.tank_assault}
    if assault:
        found["tank assault"] = [f"{name} {number}" for name, number in assault.items()]
    return found | {"points": kind.points}


def _weapon(weapon: Weapon, count: int) -> WeaponSheet:
    found: dict[str, Any] = {"no.": count, "range": f"{weapon.range / 100:g}″", "FP": weapon.fp}
    if weapon.at:
        found["AT"] = "yes"
    if weapon.he_fp:
        found["HE"] = weapon.he_fp
    if weapon.barrage_fp:
        found["barrage"] = weapon.barrage_fp
    return WeaponSheet(weapon.title, found)
