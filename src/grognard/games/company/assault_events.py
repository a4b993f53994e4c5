"""What happens in an assault: typed records with the rules behind them (13)."""

from __future__ import annotations

from typing import ClassVar

from grognard.core.events import Told


class Assaults(Told, frozen=True, kw_only=True):
    """{unit} assaults {target}.

    The assaulted Unit is named before anything else (13.15).
    """

    choice: ClassVar[bool] = True
    unit: str
    target: str


class AssaultFails(Told, frozen=True, kw_only=True):
    """{unit} does not get to {target}: the assault is over.

    At least one Team has to come into contact (13.3).
    """

    matters: ClassVar[bool] = True
    unit: str
    target: str


class AssaultHalted(Told, frozen=True, kw_only=True):
    """{unit} is halted before {target}.

    By five hits, or by two results against armour (13.5, 13.6).
    """

    matters: ClassVar[bool] = True
    unit: str
    target: str


class AssaultLands(Told, frozen=True, kw_only=True):
    """{unit} gets into close combat with {target}.

    It was not halted (13.7).
    """

    matters: ClassVar[bool] = True
    unit: str
    target: str


class CutDown(Told, frozen=True, kw_only=True):
    """{unit} overcomes {team} of {target}.

    A check made in close combat removes an enemy Team, and no Save is rolled (13.7).
    """

    unit: str
    target: str
    team: str


class CounterAttacks(Told, frozen=True, kw_only=True):
    """{unit} counter-attacks.

    It made its check (13.8).
    """

    unit: str


class BreaksOff(Told, frozen=True, kw_only=True):
    """{unit} breaks off.

    By choice, or because it failed to counter-attack (13.8, 13.10).
    """

    matters: ClassVar[bool] = True
    unit: str


class RunDown(Told, frozen=True, kw_only=True):
    """{team} of {unit} is run down.

    A Team of a Unit that broke off, within 2 inches of a Team that fought it (13.10, 13.22).
    """

    unit: str
    team: str


class LostOverTheEdge(Told, frozen=True, kw_only=True):
    """{team} of {unit} flees from the table.

    Whoever breaks off over the edge is lost (13.20).
    """

    unit: str
    team: str
