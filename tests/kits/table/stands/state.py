"""What a battle remembers, and what a scenario is: plain data."""

from __future__ import annotations

from grognard.kits.table import state as kit
from grognard.kits.table.scenario import Placing, TableScenario


class Unit(kit.Unit[kit.Model], array_like=True):
    """A company; its first stand is the leader until he falls."""

    used: bool = False
    called: bool = False


class State(kit.TableState[Unit], array_like=True):
    """What is on the table, with the clouds of smoke: where the middle of each is, and its heading."""

    smoke: list[tuple[int, int, int]] = []
    step: int = 0


class Company(Placing, frozen=True, kw_only=True):
    """A company of a scenario."""

    stands: int


class Scenario(TableScenario[Company], frozen=True, kw_only=True):
    """A battle of companies."""
