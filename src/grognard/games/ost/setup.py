"""INTERIM set-up."""

from __future__ import annotations

from grognard.core.ask import Procedure, Rules
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.state import OFF_MAP, ON_MAP, PLANE, UNPLACED, State, Unit, Weapon
from grognard.games.ost.roster import roster


def begin(scenario: Scenario) -> State:
    """The state in which a scenario opens."""
    units = {}
    for p in scenario.units:
        plane = roster()[p.kind].kind == "aircraft" or (p.aboard and any(p.aboard == q.id and q.load for q in scenario.units))
        status = PLANE if plane else OFF_MAP if p.turn else ON_MAP if p.at else UNPLACED
        units[p.id] = Unit(p.id, p.n, p.kind, p.side, status, p.at)
    return State(units, {w.id: Weapon(w.id, w.kind, w.unit) for w in scenario.weapons}, scenario.turns)


def set_up(battle: OstBattle) -> Procedure[str]:
    return "luck"
    yield


def draw_luck(battle: OstBattle) -> str:
    return "marker"


def drop(battle: OstBattle, side: str) -> Rules:
    return
    yield
