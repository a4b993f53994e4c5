"""The battle in figures, for the lab: worth in points of the force list, objectives held and the score (28.4, 28.5)."""

from __future__ import annotations

from grognard.core import poses
from grognard.core.chronicle import Attack, Muster
from grognard.core.events import Event
from grognard.games.bolt_action import fire_events, turn_events, victory
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import GUN, Unit
from grognard.kits.table.state import LOST, ON_TABLE


def muster(battle: BoltBattle) -> dict[str, Muster]:
    """Every unit with what is left of its points: of a squad the share of its men."""
    return {
        unit.id: Muster(unit.side, battle.type(unit).name, _place(battle, unit), _worth(battle, unit))
        for unit in battle.state.units.values()
    }


def _place(battle: BoltBattle, unit: Unit) -> str:
    """Where the middle of a unit is."""
    if unit.status != ON_TABLE or not unit.models:
        return ""
    count = len(unit.models)
    return poses.place(sum(m.x for m in unit.models) // count, sum(m.y for m in unit.models) // count)


def _worth(battle: BoltBattle, unit: Unit) -> float:
    if unit.status == LOST:
        return 0.0
    points = float(battle.type(unit).points)
    men = sum(model.role != GUN for model in unit.models)
    return points * men / unit.size if unit.size and unit.models else points


def attack(event: Event) -> Attack | None:
    """Shooting and assaults as they are declared, and shells from off the table."""
    if isinstance(event, fire_events.Shoots | fire_events.Assaults | fire_events.VehicleAssaulted):
        return Attack(event.side, event.unit, event.target)
    if isinstance(event, turn_events.AmbushSprung):
        return Attack(event.side, event.unit, event.target)
    if isinstance(event, turn_events.StrikeCalled):
        return Attack(event.side, event.unit, event.target, event.place)
    if isinstance(event, fire_events.Rocketed):
        return Attack(event.side, "", event.target)
    return None


def held(battle: BoltBattle) -> dict[str, str]:
    """The objectives and who holds them (28.5)."""
    return {poses.place(each.x, each.y): victory.holder(battle, each) for each in battle.scenario.objectives}


def score(battle: BoltBattle) -> dict[str, float]:
    """The points of both sides so far (28.4)."""
    return {side: float(points) for side, points in victory.score(battle).items()}
