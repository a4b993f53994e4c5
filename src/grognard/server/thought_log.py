"""What the programs of a battle thought lately, in memory and in the database.

A thought is no part of the game, which can be played on without it. So nobody waits until it is written, and one that
is lost, or cannot be read any more, is missing and nothing else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from grognard.core.errors import GrognardError
from grognard.core.session import Session
from grognard.players.thought import Thought
from grognard.server.sql_tables import thoughts

#: How many of the latest thoughts of a battle are kept.
MOST = 200

Note = tuple[int, Thought]


class ThoughtLog:
    """The latest thoughts of a battle, each with how many answers had been given before it."""

    def __init__(self, recall: Callable[[], list[Note]] = list) -> None:
        self._notes: deque[Note] = deque(maxlen=MOST)
        self._recall: Callable[[], list[Note]] | None = recall

    def add(self, number: int, thought: Thought) -> int:
        """Keep a thought; those about answers that have been taken back since are thrown away.

        The number of the oldest that is still stored.
        """
        while self._notes and self._notes[-1][0] >= number:
            self._notes.pop()
        self._notes.append((number, thought))
        return self._notes[0][0] if len(self._notes) == MOST else 0

    def standing(self, session: Session) -> Iterator[Note]:
        """The thoughts whose answers still stand, those of before a restart too."""
        self._remember()
        for number, thought in list(self._notes):  # more may be thought meanwhile
            if number < len(session.answers):
                answer = session.answers[number]
                if (answer.side, answer.key) == (thought.side, thought.chosen):
                    yield number, thought

    def latest(self, session: Session, side: str) -> Thought | None:
        """The last real thought of a side whose answer still stands, if it was thought since the start."""
        for number, thought in reversed(self._notes):
            if thought.side == side and number < len(session.answers):
                return thought if session.answers[number].key == thought.chosen else None
        return None

    def _remember(self) -> None:
        if self._recall is None:
            return
        first = self._notes[0][0] if self._notes else None
        earlier = [note for note in self._recall() if first is None or note[0] < first]
        self._recall = None
        free = MOST - len(self._notes)
        self._notes.extendleft(reversed(earlier[max(len(earlier) - free, 0) :]))


def idle(thought: Thought) -> bool:
    """Whether there was nothing to think about: one way to go, and nothing said about it."""
    return len(thought.options) < 2 and not any(option.reasons for option in thought.options)


class NewThought(NamedTuple):
    """A thought to be written; what is older than the oldest that is kept goes, and what was taken back."""

    game: str
    number: int
    oldest: int
    thought: Thought

    def apply(self, connection: Connection) -> None:
        """Write it. What cannot be written takes nothing else down with it (see the writer)."""
        text = msgspec.json.encode(self.thought).decode()
        try:
            connection.execute(_FORGET, {"the_game": self.game, "since": self.number, "oldest": self.oldest})
            connection.execute(_ADD, [{"game": self.game, "number": self.number, "text": text}])
        except SQLAlchemyError as error:
            raise GrognardError(f"A program's thought in battle {self.game} couldn't be stored: {error}") from None


_FORGET = thoughts.delete().where(
    thoughts.c.game == bindparam("the_game"),
    (thoughts.c.number >= bindparam("since")) | (thoughts.c.number < bindparam("oldest")),
)
_ADD = thoughts.insert()


def stored_thoughts(engine: Engine, game: str) -> list[Note]:
    """The thoughts of a battle that are kept, in their order; what another version wrote otherwise is left out."""
    found = []
    with engine.connect() as connection:
        rows = connection.execute(sa.select(thoughts).where(thoughts.c.game == game).order_by(thoughts.c.number))
        for row in rows:
            try:
                found.append((row.number, msgspec.json.decode(row.text, type=Thought)))
            except msgspec.MsgspecError:
                continue
    return found
