"""What the author of a scenario can turn: turns, the lead that wins, a unit more or less."""

from __future__ import annotations

from grognard.core.handles import Handle, number_handle, unit_handles
from grognard.games.bolt_action.roster import roster
from grognard.games.bolt_action.scenario import Scenario

#: What may be one more or less; officers and what a force has one of stay.
KINDS = ("infantry", "vehicle")


def handles(scenario: Scenario) -> list[Handle]:
    """The handles of a scenario."""
    types = roster()
    wanted = {kind: type_.kind in KINDS for kind, type_ in types.items()}
    names = {kind: type_.name for kind, type_ in types.items()}
    return [
        number_handle("turns", "turns", ("turns",), scenario.turns, 2, 20),
        number_handle("lead", "lead that wins", ("victory", "lead"), scenario.victory.lead, 1, 20),
        *unit_handles(scenario.source, scenario.sides, names, wanted),
    ]
