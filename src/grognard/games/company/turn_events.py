"""What happens in the course of a turn: typed records with the rules behind them (sections 1, 3 and 12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from grognard.core.events import Told


class TurnBegins(Told, frozen=True, kw_only=True):
    """Turn {turn} begins."""

    turn: int


class InitiativeBegins(Told, frozen=True, kw_only=True):
    """The {side} player has the Initiative."""

    choice: ClassVar[bool] = True
    number: int


class NobodyLeft(Told, frozen=True, kw_only=True):
    """The {side} player has no Unit left to activate."""


class TurnEnds(Told, frozen=True, kw_only=True):
    """Every Unit has acted: turn {turn} ends."""

    turn: int


class UnitEvent(Told, frozen=True, kw_only=True):
    """An event of a Unit."""

    unit: str


class OutOfTheQuestion(UnitEvent, frozen=True, kw_only=True):
    """{unit} needs {needed} and fails without a roll."""

    needed: int


class Activated(UnitEvent, frozen=True, kw_only=True):
    """{unit} activates.

    It made its check: all actions are open to it.
    """

    matters: ClassVar[bool] = True


class FailedToActivate(UnitEvent, frozen=True, kw_only=True):
    """{unit} fails to activate.

    Only the Fail list is open to it, and the Initiative passes when it has acted.
    """

    matters: ClassVar[bool] = True


class LiesLow(UnitEvent, frozen=True, kw_only=True):
    """{unit} has gone to ground and does nothing."""


class Acts(UnitEvent, frozen=True, kw_only=True):
    """{unit}: {who} {action}.

    What Teams of a Unit do with its activation, announced before any of it is done.
    """

    choice: ClassVar[bool] = True
    who: str
    action: str
    words: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "action": {
            "fire_and_move": "will fire, then move",
            "move_and_fire": "will move, then fire",
            "run": "will run",
            "aimed_fire": "will stand and aim",
            "barrage": "will fire a barrage",
            "assault": "will assault",
            "move": "will move",
            "fire": "will fire",
            "overwatch": "will go on Overwatch",
            "nothing": "will do nothing",
        }
    }


class OnOverwatch(UnitEvent, frozen=True, kw_only=True):
    """{unit}: {who} on Overwatch."""

    matters: ClassVar[bool] = True
    who: str


class Holds(UnitEvent, frozen=True, kw_only=True):
    """{unit} stays to fight.

    It made its morale check.
    """

    matters: ClassVar[bool] = True


class Breaks(UnitEvent, frozen=True, kw_only=True):
    """{unit} will fight no more.

    It failed its morale check.
    """

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True


class LastTeam(UnitEvent, frozen=True, kw_only=True):
    """{unit} is down to one Team.

    A Unit that is no Tank Unit is destroyed when the turn ends.
    """

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
