"""What the author of a scenario can turn: turns, the lead that wins, a Unit more or less."""

from __future__ import annotations

from grognard.core.knobs import Knob, number_knob, unit_knobs
from grognard.games.company.roster import roster
from grognard.games.company.scenario import Scenario


def knobs(scenario: Scenario) -> list[Knob]:
    """The knobs of a scenario; a commander stays."""
    types = roster()
    wanted = {id: not kind.commander for id, kind in types.items()}
    names = {id: kind.name for id, kind in types.items()}
    return [
        number_knob("turns", "turns", ("turns",), scenario.turns, 2, 20),
        number_knob("lead", "lead that wins", ("victory", "lead"), scenario.victory.lead, 1, 20),
        *unit_knobs(scenario.source, scenario.sides, names, wanted),
    ]
