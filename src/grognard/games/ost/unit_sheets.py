"""The counters as somebody looks them up: every figure of front, reverse and card (9-23, 63)."""

from __future__ import annotations

from typing import Any

from grognard.core.aid_views import UnitSheet, WeaponSheet
from grognard.games.ost.roster import UnitType, roster
from grognard.games.ost.view import in_words

#: What a counter says by a mark or on its card.
MARKS = (
    "engineer",
    "sustained_fire",
    "asterisk",
    "covered_arc",
    "no_structures",
    "collapse",
    "open_top",
    "armored_transport",
    "soft",
    "no_riders",
    "limited_fire",
    "dual",
    "single_use",
    "engineers_only",
    "at_weapon",
    "blowback",
    "mortar",
)


def units() -> list[UnitSheet]:
    """Every counter with its figures, guns by range."""
    return [_sheet(kind) for kind in roster().values()]


def _sheet(kind: UnitType) -> UnitSheet:
    return UnitSheet(
        id=kind.id,
        name=kind.name,
        nation=kind.nation,
        kind=in_words(kind),
        figures=_figures(kind),
        weapons=_weapons(kind),
        years=kind.years,
        provenance=kind.provenance,
    )


def _figures(kind: UnitType) -> dict[str, Any]:
    named = {
        "fp": kind.fp,
        "he": kind.he,
        "min range": kind.min_range,
        "range": kind.range,
        "command range": kind.command_range,
        "front": kind.front,
        "flank": kind.flank,
        "defense": kind.defense,
        "move": kind.move,
    }
    found: dict[str, Any] = {name: value for name, value in named.items() if value}
    if kind.vehicle:
        found["movement"] = kind.move_type
    if kind.reduced is not None:
        back = kind.reduced
        sides = {"fp": back.fp, "range": back.range, "he": back.he, "defense": back.defense, "move": back.move}
        found["reduced"] = {name: value for name, value in sides.items() if value}
    if marks := [mark.replace("_", " ") for mark in MARKS if getattr(kind, mark)]:
        found["marks"] = marks
    if kind.points:
        found["points"] = f"{kind.points}/{kind.points_reduced}" if kind.points_reduced else kind.points
    return found


def _weapons(kind: UnitType) -> list[WeaponSheet]:
    found = [
        WeaponSheet(gun.name, {"mount": gun.mount, "he": gun.he, "range": gun.range}, _rows(gun.bands))
        for gun in kind.guns
    ]
    if kind.bands:  # an anti-tank weapon that a squad carries
        found.append(WeaponSheet(kind.name, {}, _rows(kind.bands)))
    if kind.secondary.fp:
        found.append(WeaponSheet("machine guns", {"fp": kind.secondary.fp, "range": kind.secondary.range}))
    return found


def _rows(bands: tuple[tuple[int, int, int, int], ...]) -> list[dict[str, Any]]:
    """To Hit and AP by range band (63.2)."""
    return [{"hexes": f"{near}-{far}", "to hit": to_hit, "ap": ap} for near, far, to_hit, ap in bands]
