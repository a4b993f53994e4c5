"""INTERIM view."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.core.view import View
from grognard.games.ost.battle import OstBattle


def names(battle: OstBattle) -> Mapping[str, str]:
    """How people call units and weapons: "Rifle Squad g3"."""
    kinds, state = battle.kinds, battle.state
    called = {unit.id: f"{kinds[unit.kind].name} {unit.id}" for unit in state.units.values()}
    called.update((weapon.id, f"{kinds[weapon.kind].name} {weapon.id}") for weapon in state.weapons.values())
    return called


def conceal(battle: OstBattle, side: str) -> None:
    pass


def view(battle: OstBattle, side: str) -> View:
    state = battle.state
    return View("ost", battle.scenario.name, side, battle.field.name, state.turn, state.phase, state.active, {}, [], [])


def draw(battle: OstBattle, side: str) -> str:
    return ""


def draw_text(battle: OstBattle, side: str) -> str:
    return ""
