"""The battle in figures, for the lab: worth in Casualty Points (5), control hexes (65) and what counts (64)."""

from __future__ import annotations

from grognard.core.chronicle import Attack, Muster
from grognard.core.events import Event
from grognard.games.ost import combat_events, turn_events
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import LOST, ON_MAP, UNMANNED, Unit

#: How a declaration of fire begins; moves and works are declared too.
ATTACKS = ("fires", "uses Sustained Fire", "assaults", "throws", "concentrates")


def muster(battle: OstBattle) -> dict[str, Muster]:
    """Every unit with the Casualty Points that its loss would still give (5.1 to 5.8)."""
    return {
        unit.id: Muster(
            unit.side, battle.type(unit).name, unit.hex if unit.status == ON_MAP else "", float(_worth(battle, unit))
        )
        for unit in battle.state.units.values()
    }


def _worth(battle: OstBattle, unit: Unit) -> int:
    if unit.status in (LOST, UNMANNED):
        return 0
    kind = battle.type(unit)
    return kind.points_reduced if unit.reduced and kind.points_reduced else kind.points


def attack(event: Event) -> Attack | None:
    """Fire, assaults and Melee as they are declared, and strikes from off the map."""
    if isinstance(event, turn_events.Declared) and event.what.startswith(ATTACKS):
        return Attack(event.side, event.unit, event.target, event.place)
    if isinstance(event, combat_events.StrikeCalled) and not event.smoke:
        return Attack(event.side, "", "", event.place)
    if isinstance(event, combat_events.AirStrike):
        return Attack(event.side, "", "", event.places[0])
    return None


def held(battle: OstBattle) -> dict[str, str]:
    """The control hexes and their owners (65)."""
    return dict(battle.state.control)


def score(battle: OstBattle) -> dict[str, float]:
    """The Victory Points, or the Casualty Points where a scenario counts nothing else (4, 5)."""
    state, rules = battle.state, battle.scenario.victory
    points = state.victory if rules.control or rules.casualties or rules.exits else state.casualties
    return {side: float(points.get(side, 0)) for side in battle.sides}
