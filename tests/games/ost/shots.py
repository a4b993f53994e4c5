"""Shots in a word or two, and the numbers behind them: for the tests of units, weapons, morale and actions."""

from __future__ import annotations

from typing import Any, NamedTuple

from grognard.core.ask import FacesAsk
from grognard.core.dice import ScriptedDice
from grognard.core.events import Event
from grognard.core.session import Session
from grognard.games.ost.charts import charts
from tests.games.ost.helpers import answer, keys, rolled

NOTHING = (1, 1)  # an attack roll that does nothing below the last column
FAIL, PASS = (1, 2), (6, 5)  # Gut Checks and rallies

ICT, VCT = charts().ict, charts().vct


class Attack(NamedTuple):
    """An attack roll: on which table, at whom, and its three numbers."""

    table: str
    target: str
    firepower: int
    defense: int
    roll: int


def dice_for(result: str, column: int, chart: Any = ICT) -> tuple[int, int]:
    """The lowest dice that give a result in a column."""
    for total in range(2, 13):
        if chart.result(total, column) == result:
            return min(6, total - 1), total - min(6, total - 1)
    raise AssertionError(f"column {column} has no {result!r}")


def shoot(session: Session, unit: str, *at: str) -> list[Event]:
    """Fire with a unit: at a target with an arm, and with a vehicle's other armament at another."""
    return answer(session, f"fire {unit}", *(f"at {words}" for words in at))


def shots(session: Session, unit: str) -> list[str]:
    """Everything that a unit could fire at now, in the words of the answers; nothing happens."""
    if f"fire {unit}" not in keys(session):
        return []
    look = session.fork()
    look.answer(f"fire {unit}")
    return [key.removeprefix("at ") for key in keys(look)]


def attacks(session: Session) -> list[Attack]:
    """Every attack roll so far that had Firepower, Defense and dice."""
    return [
        Attack(event.what.removesuffix(" attack"), event.unit, *(tally.total for tally in event.tallies))
        for event in rolled(session)
        if event.what in ("ICT attack", "VCT attack") and len(event.tallies) == 3
    ]


def dice_thrown(session: Session) -> list[str]:
    """What dice were thrown for, in order."""
    return [f"{event.what} {event.unit}".strip() for event in rolled(session)]


def all_thrown(session: Session) -> bool:
    """Whether every die of the script was thrown and none is wanting."""
    assert isinstance(session.dice, ScriptedDice)
    return not isinstance(session.ask, FacesAsk) and session.dice.position == len(session.dice.script)
