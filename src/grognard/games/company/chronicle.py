"""The battle in figures, for the lab: worth in points, objectives held and the score (16.4)."""

from __future__ import annotations

from grognard.core import poses
from grognard.core.chronicle import Attack, Muster
from grognard.core.events import Event
from grognard.games.company import assault_events, fire_events, victory
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.roster import cost
from grognard.games.company.state import Platoon, everybody
from grognard.kits.table.state import LOST, ON_TABLE


def muster(battle: CompanyBattle) -> dict[str, Muster]:
    """Every Unit with what its living Teams are worth, the whole of it when it left the table."""
    return {
        unit.id: Muster(unit.side, battle.type(unit).name, _place(battle, unit), _worth(unit))
        for unit in battle.state.units.values()
    }


def _place(battle: CompanyBattle, unit: Platoon) -> str:
    return poses.place(*battle.anchor(unit)) if unit.status == ON_TABLE and unit.models else ""


def _worth(unit: Platoon) -> float:
    return 0.0 if unit.status == LOST else float(cost([team.kind for team in everybody(unit)], unit.training))


def attack(event: Event) -> Attack | None:
    """Fire and assaults as they are declared."""
    if isinstance(event, fire_events.Fires | assault_events.Assaults):
        return Attack(event.side, event.unit, event.target)
    return None


def held(battle: CompanyBattle) -> dict[str, str]:
    """The objectives and who holds them (16.4)."""
    return {poses.place(each.x, each.y): victory.holder(battle, each) for each in battle.scenario.objectives}


def score(battle: CompanyBattle) -> dict[str, float]:
    """The points of both sides so far (16.4)."""
    return {side: float(points) for side, points in victory.score(battle).items()}
