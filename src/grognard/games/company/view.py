"""What a side sees: everything, for nothing is hidden in this game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grognard.board.table import formations
from grognard.core.poses import place
from grognard.core.view import MarkerView, UnitView, View
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import FOLDER
from grognard.games.company.state import DEPLOY, INITIATIVE, OVER, START, TURN_END, Platoon
from grognard.kits.table.state import ON_TABLE
from grognard.kits.table.view import model_view

#: What people call the phases.
TITLES = {
    DEPLOY: "Set-up",
    START: "Start of the turn",
    INITIATIVE: "Initiative",
    TURN_END: "End of the turn",
    OVER: "Over",
}


def view(battle: CompanyBattle, side: str) -> View:
    """The battle as a side sees it."""
    state = battle.state
    units = [unit_view(battle, unit) for unit in battle.units(on_table=False)]
    markers = list(smoke(battle))
    now = TITLES[state.phase]
    return View(FOLDER.name, battle.scenario.name, side, "", state.turn, now, state.side, {}, units, markers)


def unit_view(battle: CompanyBattle, unit: Platoon) -> UnitView:
    """A Unit with its Teams."""
    stand = battle.bodies(unit)
    here = unit.status == ON_TABLE and bool(stand)
    models = [model_view(team, body.foot, turret=team.turret) for team, body in zip(unit.models, stand)]
    at: Any = place(*battle.anchor(unit)) if here else ""
    heading = formations.facing(stand) if here else 0
    return UnitView(unit.id, unit.side, battle.name(unit), "", at, heading, models=models)


def smoke(battle: CompanyBattle) -> Iterator[MarkerView]:
    """The smoke (15.12)."""
    for cloud in battle.clouds():
        outline = [(x / 100, y / 100) for x, y in cloud.outline()]
        yield MarkerView("smoke", place(cloud.x, cloud.y), outline=outline)
