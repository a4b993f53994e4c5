"""Taking answers back: what a side may undo by itself, and what it has to ask the other side for.

Whoever can take a step back for nothing looks behind every hedge: a step shows by the wait, or by what can no longer
be undone, that somebody hidden could have reacted. So between people only a choice that nothing has come of yet is
undone at once; everything else is asked for, and the other side grants it or does not. What is said here about it
follows from what the side itself has seen.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Literal

from grognard.core.ask import FacesAsk
from grognard.core.errors import StaleError
from grognard.core.events import Asked, Event, Rolled
from grognard.core.session import Session, UndoError
from grognard.core.view import may_read
from grognard.server.errors import ForbiddenError
from grognard.server.rows import TakeBackRow

Say = Literal["ask", "grant", "refuse", "withdraw"]

NOTHING = "nothing has been answered yet"
OVER = "the battle is over"
ROLLED = "a die has been rolled since"
SHOWN = "something secret has been shown since"
GONE_ON = "play has gone on since"


class SinceError(StaleError):
    """Something has happened since that makes what was said pointless."""

    def __init__(self) -> None:
        super().__init__(0, 0)
        self.args = ("The battle has moved on. Look at it and try again.",)


def undo_bar(session: Session, side: str, people: bool) -> str:
    """Why a side cannot take its last answer back by itself; "" if it can. ``people`` says that two people play."""
    if people and session.over:
        return OVER
    if not people and not session.may_undo(side):
        return ""
    last = session.last_of(side)
    if last < 0:
        return NOTHING
    if isinstance(session.ask, FacesAsk):
        return ROLLED if session.ask.side == side else GONE_ON
    seen = _seen_since(session, side, session.answers[last].log)
    if any(isinstance(event, Rolled) for event in seen):
        return ROLLED
    if any(event.shows for event in seen):
        return SHOWN
    if not people or seen or session.may_undo(side):
        return GONE_ON
    return ""


def _seen_since(session: Session, side: str, start: int) -> list[Event]:
    """What a side saw happen from an event on, apart from what it chose itself."""
    events = (event for event in session.log[start:] if may_read(event, side))
    return [event for event in events if not ((event.choice or isinstance(event, Asked)) and event.side == side)]


def ask_bar(session: Session, side: str, people: bool, stands: TakeBackRow | None) -> str:
    """Why a side cannot ask the other for a take-back; "" if it can."""
    if not people:
        return "nobody else is playing"
    if session.over:
        return OVER
    if session.last_of(side) < 0:
        return NOTHING
    if stands is not None and stands.state == "asked":
        return "you have already asked" if stands.side == side else "the other side is asking you"
    if stands is not None and stands.state == "refused" and stands.side == side:
        return "the other side refused"
    return ""


def settle(
    session: Session, side: str, say: Say, people: Container[str], stands: TakeBackRow | None
) -> TakeBackRow | None:
    """What stands after a player has asked for a take-back, granted or refused one, or withdrawn their own.

    A granted one is carried out: the last answer of whoever asked goes, and all that came after it.
    """
    if side not in people:
        raise ForbiddenError("Only players can ask for take-backs and reply to them.")
    if say == "ask":
        if reason := ask_bar(session, side, True, stands):
            raise UndoError(f"You can't ask for a take-back: {reason}.")
        return TakeBackRow(side, "asked")
    if stands is None or stands.state != "asked":
        raise UndoError("Nobody is asking for a take-back.")
    if say == "withdraw":
        if stands.side != side:
            raise UndoError("The other side asked for this take-back. Allow or refuse it.")
        return None
    if stands.side == side:
        raise UndoError("You asked for this take-back yourself. The other side allows or refuses it.")
    if say == "refuse":
        return TakeBackRow(stands.side, "refused")
    session.take_back(stands.side)
    return TakeBackRow(stands.side, "granted")
