"""Scenarios (28.2): what a battle is fought for, and the special rules that it may have.

A scenario is fixed once it is read (see `scenario_file`): the state of a battle names its units by id and finds here
what deployment and victory need to know of them. Lengths are hundredths of an inch.
"""

from __future__ import annotations

from grognard.games.bolt_action.roster import UnitType
from grognard.kits.table import scenario as kit
from grognard.kits.table.scenario import TableScenario


class Placing(kit.Placing, frozen=True, kw_only=True):
    """A unit of a force, and how it comes to the table (28.6)."""

    quality: str = ""  # another than the roster's


class VictoryRules(kit.VictoryRules, frozen=True, kw_only=True):
    """How a battle is won: points for units destroyed, for objectives and for units that got through (28.4, 28.5)."""

    attrition: dict[str, int] = {}  # by side, the points it scores for each enemy unit destroyed
    lead: int = 2


class Scenario(TableScenario[Placing], frozen=True, kw_only=True):
    """A battle to fight. ``first_to_deploy`` deploys all his units first; "" rolls and takes turns (28.6)."""

    further_turn: bool = True  # a die decides on one turn more (28.3)
    types: dict[str, UnitType] = {}  # units with upgrades, beside the roster's
    victory: VictoryRules = VictoryRules()
    hidden_reserves: bool = False  # the enemy does not know what is in reserve
    german_machine_guns: bool = False  # 27.9
    wrecks_removed: bool = False  # 20.7
