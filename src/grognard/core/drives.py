"""A move in one answer: the staged answers that take a unit to a place, or along a path, facing the way it goes.

Every step is still an answer of its own, so that whatever may react to it does; the rest of the move waits meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from grognard.core.ask import Ask, FacesAsk
from grognard.core.errors import IllegalError
from grognard.core.prospects import INTERLUDE, NODES, SECONDS, Search, Trial

if TYPE_CHECKING:
    from grognard.core.session import Session

#: What may stand before the places in the midst of a move.
DRIVE = "drive"


class Drive:
    """A move under way: the answers that are left of it, which go on whenever its side is asked for them."""

    def __init__(self, side: str, unit: str, keys: Sequence[str]) -> None:
        self.side, self.unit, self.left = side, unit, list(keys)
        self.stopped = self.arrived = False

    @property
    def over(self) -> bool:
        """Whether nothing is left to do of it."""
        return self.stopped or self.arrived

    def go_on(self, session: Session) -> list[str]:
        """Answer for as long as the questions are those of the move; what was answered.

        It waits while others react or dice are awaited, and is given up when its side is asked something else.
        """
        given: list[str] = []
        while not self.over:
            ask = session.ask
            if ask is not None and (isinstance(ask, FacesAsk) or ask.side != self.side) and not ask.quiet:
                break
            if not self.left:
                self.arrived = True
                if key := _as_it_stands(session, self.unit):  # the last question is how to stand: as the move ended
                    given.append(key)
                    session.answer(key)
            elif ask is not None and any(option.key == self.left[0] for option in ask.options):
                given.append(self.left.pop(0))
                session.answer(given[-1])
            else:
                self.stopped = True
        return given


def drive(session: Session, typed: str) -> Drive | None:
    """The move that somebody means by ``move k D4``, or by ``move k D6 D5 C5`` along a path; None if it is none."""
    ask = session.ask
    if ask is None or isinstance(ask, FacesAsk) or ask.area is not None:
        return None
    places = session.game.places(session.scenario)
    words = typed.split()
    path: list[str] = []
    while words and words[-1] in places:
        path.insert(0, words.pop())
    if not path:
        return None
    head = " ".join(words)
    opening = next((option for option in ask.options if option.key == head), None)
    if opening is None and (ask.quiet or head not in ("", DRIVE)):
        return None
    unit = opening.unit if opening is not None else _mover(ask)
    if not unit:
        return None
    start, cost = ((opening.key,), opening.cost) if opening is not None else ((), "")
    search = Search(session, unit, start, cost, *((path, "") if len(path) > 1 else ((), path[0])))
    trial = Trial(session)
    if any(not trial.send(key) for key in start) or trial.ask is None or not search.is_move(trial.ask):
        return None
    for journey in search.journeys(NODES, time.monotonic() + SECONDS):
        if journey.place == path[-1] and (len(path) == 1 or journey.via == path):
            return Drive(ask.side, unit, journey.keys)
    return None


def _by_key(ask: Ask, typed: str) -> str:
    """The key of an option that is said word for word."""
    return ask.option(typed).key


def staged(session: Session, typed: Sequence[str], choose: Callable[[Ask, str], str] = _by_key) -> list[str]:
    """The keys of answers that follow one another, for their odds: each is looked up where those before it lead.

    A move in one answer becomes its steps. What is said after it is for the first question on the way that takes it,
    and the move goes on behind it. Questions that no answer is for are answered as odds do in the meantime. Once dice
    were thrown in the trial, it may have led elsewhere: then what is left has to be keys, word for word.
    """
    if session.ask is None or isinstance(session.ask, FacesAsk):
        return list(typed)
    keys: list[str] = []
    probe = session.probe()
    start = probe.dice.position
    move: Drive | None = None

    def go_on() -> None:
        nonlocal move
        if move is not None:
            keys.extend(move.go_on(probe))
            if move.arrived:
                move = None

    def untold() -> list[str]:
        return move.left if move is not None else []

    for number, word in enumerate(typed):
        while True:
            ask, thrown = probe.ask, probe.dice.position != start
            rest = [*keys, *untold(), *typed[number:]]
            if ask is None:
                if thrown:
                    return rest
                raise IllegalError(word, None, f"the battle is over before {word!r}")
            try:
                key = choose(ask, word)
                break
            except IllegalError:
                if move is None and (begun := drive(probe, word)) is not None:
                    move, key = begun, ""
                    break
                if thrown:
                    return rest
                if not keys or not ask.meanwhile:
                    raise
                probe.answer(ask.meanwhile)
                go_on()
        if key:
            keys.append(key)
            if number + 1 == len(typed) and move is None:
                return keys
            probe.answer(key)
        go_on()
    while move is not None and not move.over and probe.ask is not None and probe.ask.meanwhile:
        probe.answer(probe.ask.meanwhile)
        go_on()
    return [*keys, *untold()]


def _mover(ask: Ask) -> str:
    units = {option.unit for option in ask.options if option.unit and option.place}
    return units.pop() if len(units) == 1 else ""


def _as_it_stands(session: Session, unit: str) -> str:
    """The answer that leaves a unit as it stands, where nothing else is asked of it; "" otherwise."""
    ask = session.ask
    if ask is None or isinstance(ask, FacesAsk) or ask.quiet or not 1 < len(ask.options) <= INTERLUDE:
        return ""
    where = session.game.whereabouts
    now = where(session.battle, unit)
    if any(option.unit != unit or option.place != now[0] or option.cost for option in ask.options):
        return ""
    for option in ask.options:
        trial = Trial(session)
        if trial.send(option.key) and where(trial.battle, unit) == now:
            return option.key
    return ""
