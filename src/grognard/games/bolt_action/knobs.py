"""What the author of a scenario can turn: turns, the lead that wins, a unit more or less."""

from __future__ import annotations

from grognard.core.knobs import Knob, number_knob, unit_knobs
from grognard.games.bolt_action.roster import roster
from grognard.games.bolt_action.scenario import Scenario

#: What may be one more or less; officers and what a force has one of stay.
KINDS = ("infantry", "vehicle")


def knobs(scenario: Scenario) -> list[Knob]:
    """The knobs of a scenario."""
    types = roster()
    wanted = {kind: type_.kind in KINDS for kind, type_ in types.items()}
    names = {kind: type_.name for kind, type_ in types.items()}
    return [
        number_knob("turns", "turns", ("turns",), scenario.turns, 2, 20),
        number_knob("lead", "lead that wins", ("victory", "lead"), scenario.victory.lead, 1, 20),
        *unit_knobs(scenario.source, scenario.sides, names, wanted),
    ]
