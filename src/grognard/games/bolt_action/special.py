"""Special rules of units that touch orders and morale (27.3 to 27.6), and who the officer of a unit is."""

from __future__ import annotations

from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.state import GUN, HULL, Model, Unit

FANATICS, STUBBORN, SHIRKERS = "fanatics", "stubborn", "shirkers"
COMMAND_VEHICLE, FLAK = "command_vehicle", "flak"
ARTILLERY_OBSERVER, AIR_OBSERVER = "artillery_observer", "air_observer"
SLOW_LOAD = "slow_load"

#: An officer is the first man of his unit.
OFFICER = "m1"


def men(unit: Unit) -> int:
    """The living men of a unit, the gun and the hull not counted (7.4)."""
    return sum(1 for model in unit.models if model.role not in (GUN, HULL))


def officer_model(battle: BoltBattle, unit: Unit) -> Model | None:
    """The officer himself: the first model of his unit; None when he is dead, and his bonus with him (5.4, B29)."""
    return next((model for model in unit.models if model.id == OFFICER), None) if battle.type(unit).rank else None


def fights_on(battle: BoltBattle, unit: Unit) -> bool:
    """Fanatics are not broken by pins while enough of them live (27.3)."""
    return battle.has(unit, FANATICS) and men(unit) >= charts().number("fanatics", "men")


def never_checks_losses(battle: BoltBattle, unit: Unit) -> bool:
    """Fanatics take no morale check for their losses (27.3)."""
    return battle.has(unit, FANATICS)


def shirks(battle: BoltBattle, unit: Unit) -> bool:
    """Shirkers test for every order but Down (27.6)."""
    return battle.has(unit, SHIRKERS)


def weight_of_pins(battle: BoltBattle, unit: Unit, ordered: bool) -> tuple[int, str]:
    """What each pin counts in an order test or in a morale check, and by which rule (6.2, 27.4, 27.6)."""
    if ordered and shirks(battle, unit):
        return charts().number("order_test", "shirkers_per_pin"), "27.6"
    if not ordered and battle.has(unit, STUBBORN):
        return 0, "27.4"
    return charts().number("order_test", "per_pin"), "6.2"
