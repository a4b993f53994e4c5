"""Scenarios (16.5): what a battle is fought with and for.

A scenario is fixed once it is read (see `scenario_file`): the state of a battle names its Units by id and finds here
what set-up and victory need to know of them. Lengths are hundredths of an inch.
"""

from __future__ import annotations

import msgspec

from grognard.kits.table import scenario as kit
from grognard.kits.table.scenario import ExitPoints, TableScenario


class Placing(kit.Placing, frozen=True, kw_only=True):
    """A Unit of a force: its training, the kinds of its Teams, and whether they ride from the start (16.1)."""

    training: str = ""
    teams: tuple[str, ...] = ()
    mounted: bool = False


class VictoryRules(msgspec.Struct, frozen=True, kw_only=True):
    """How a battle is won: by points for objectives and for Units that leave over an edge (16.4, 16.6).

    Whoever leads by ``lead`` points wins; short of that ``otherwise`` does, or nobody.
    """

    exits: tuple[ExitPoints, ...] = ()
    lead: int = 1
    otherwise: str = ""
    text: str = ""


class Scenario(TableScenario[Placing], frozen=True, kw_only=True):
    """A battle to fight."""

    year: int = 0
    victory: VictoryRules = VictoryRules()
