"""The question of a session as people read it; of awaited dice whose they are, what happened, and what faces mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.core.ask import FacesAsk
from grognard.core.dice_words import Reading, readings
from grognard.core.view import AskView, FaceMeaning, ask_view, log_lines

if TYPE_CHECKING:
    from grognard.core.session import Session

#: A word that names no side, and so sees what everybody may see.
WATCHER = "watcher"


def asked(session: Session, reader: str) -> AskView | None:
    """The question as the side that is asked reads it; of dice, which anybody may tell, only what all may know."""
    ask, game = session.ask, session.game
    if ask is None:
        return None
    found = ask_view(ask, ask.side, game.phrases, game.hints(session.battle, ask))
    if isinstance(ask, FacesAsk) and found is not None and found.dice is not None:
        events = session.seen.log[len(session.battle.log) :]
        names, places = game.names(session.seen), game.places(session.scenario)
        found.dice.so_far = log_lines(events, WATCHER, game.phrases, names, places)
        if not ask.throw.seen_by:  # what is still in a deck tells what the other side drew
            found.dice.meanings = [FaceMeaning(*each) for each in readings_of(session)]
            found.dice.about = names.get(ask.throw.unit, "")
        elif ask.throw.seen_by != reader:
            found.dice.tallies = []
    return found


def readings_of(session: Session) -> list[Reading]:
    """What the faces of the dice mean that are awaited; nothing where none are."""
    ask = session.ask
    if not isinstance(ask, FacesAsk) or ask.names:
        return []
    return readings(ask.number, ask.sides, ask.throw.read, session.game.meanings())
