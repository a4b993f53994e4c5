"""What the author of a scenario can turn: turns, Impulse dice, the lead that is needed, a unit more or less."""

from __future__ import annotations

from grognard.core.dice import pool
from grognard.core.knobs import REACH, Knob, number_knob, unit_knobs
from grognard.games.ost.roster import roster
from grognard.games.ost.scenario import Scenario

#: What may be one more or less; Leaders and crewed weapons are what a scenario is about.
KINDS = ("squad", "tank", "assault_gun")


def knobs(scenario: Scenario) -> list[Knob]:
    """The knobs of a scenario."""
    found = [number_knob("turns", "turns", ("turns",), scenario.turns, 2, 99)]
    found += [_impulse(side, scenario.impulse[side]) for side in scenario.sides]
    rules = scenario.victory
    if rules.control or rules.casualties or rules.exits:
        for side, enemy in zip(scenario.sides, reversed(scenario.sides)):
            title = f"lead that {side.replace('_', ' ').capitalize()} needs"
            place, now = ("victory", "lead", side), rules.lead.get(side, 0)
            found.append(number_knob(f"lead.{side}", title, place, now, 0, 12, helps=enemy))
    types = roster()
    wanted = {kind: type_.kind in KINDS or type_.class_ in KINDS for kind, type_ in types.items()}
    names = {kind: type_.name for kind, type_ in types.items()}
    return found + unit_knobs(scenario.source, scenario.sides, names, wanted)


def _impulse(side: str, dice: str) -> Knob:
    """The Impulse Points that a side gets a turn besides its dice (67)."""
    number, sides, more = pool(dice)
    values = tuple(_dice(number, sides, more + step) for step in range(-min(REACH, number + more - 1), REACH + 1))
    title = f"Impulse dice of {side.replace('_', ' ').capitalize()}"
    return Knob(f"impulse.{side}", title, ("side", side, "impulse"), _dice(number, sides, more), values, side)


def _dice(number: int, sides: int, more: int) -> str:
    return f"{number}d{sides}" + (f"{more:+d}" if more else "")
