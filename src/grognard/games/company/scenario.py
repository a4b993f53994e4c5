"""Scenarios (16.5): what a battle is fought with and for.

A scenario is fixed once it is read (see `scenario_file`): the state of a battle names its Units by id and finds here
what set-up and victory need to know of them. Lengths are hundredths of an inch.
"""

from __future__ import annotations

from grognard.kits.table import scenario as kit
from grognard.kits.table.scenario import TableScenario


class Placing(kit.Placing, frozen=True, kw_only=True):
    """A Unit of a force: its training, the kinds of its Teams, and whether they ride from the start (16.1)."""

    training: str = ""
    teams: tuple[str, ...] = ()
    mounted: bool = False


class Scenario(TableScenario[Placing], frozen=True, kw_only=True):
    """A battle to fight: for objectives, and for Units that leave over an edge (16.4, 16.6)."""

    year: int = 0
