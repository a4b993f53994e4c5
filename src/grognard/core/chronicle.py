"""What happened in a battle in figures, the same for every game: fire, losses, ground held and points, turn by turn.

A game says four things of itself (who stands where and what it is worth, which events are attacks, who holds what, and
the score); this follows a session answer by answer and keeps the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from grognard.core.battle import Battle
from grognard.core.events import Asked

if TYPE_CHECKING:
    from grognard.core.game import Game


class Muster(NamedTuple):
    """A unit as a roll call finds it: its kind, where it is ("" off the map), and what is left of its worth."""

    side: str
    kind: str
    place: str
    worth: float


class Attack(NamedTuple):
    """Somebody attacks: who, and whom or which place. A strike from off the map has no unit."""

    side: str
    unit: str
    target: str = ""
    place: str = ""


class Fire(NamedTuple):
    """An attack with the turn, who made it from where, and at whom and where it went."""

    turn: int
    side: str
    unit: str
    kind: str
    start: str
    target: str
    place: str


class Loss(NamedTuple):
    """What a unit lost at one time, where, and by whom, so far as anybody attacked it."""

    turn: int
    side: str
    unit: str
    kind: str
    place: str
    worth: float
    by_side: str
    by: str
    by_kind: str


class Note(NamedTuple):
    """How a turn ended: each side's score, what it has lost so far, what it holds, and who stood where."""

    turn: int
    score: Mapping[str, float]
    lost: Mapping[str, float]
    held: Mapping[str, str]
    present: Mapping[tuple[str, str], int]


class Chronicle:
    """Follows a battle. Turns are numbered from 1 as they are seen, whichever way a game counts them; 0 is set-up.

    A game that counts down may come to 0 as well, in a turn like any other.
    """

    def __init__(self, game: Game, battle: Battle[Any]) -> None:
        self.game = game
        self.fires: list[Fire] = []
        self.losses: list[Loss] = []
        self.notes: list[Note] = []
        #: Every unit that was ever there, with its whole worth.
        self.forces: dict[str, Muster] = {}
        self._read = len(battle.log)
        self._roll: dict[str, Muster] = {}
        self.turn = 0
        self._turns: list[int] = []
        self._call(battle)

    def follow(self, battle: Battle[Any]) -> None:
        """Take in what has happened since the last time: best after every answer."""
        events = battle.log[self._read :]
        self._read = len(battle.log)
        for event in events:
            attack = self.game.attack(event)
            if attack is not None:
                self._attack(attack)
        # An answer that changed nothing else has put nobody elsewhere and cost nobody anything.
        if any(not isinstance(event, Asked) for event in events):
            self._call(battle)

    def close(self, battle: Battle[Any]) -> None:
        """The battle is over: note how its last turn ended."""
        self.follow(battle)
        if self.notes and self.notes[-1].turn == self.turn:
            self.notes.pop()
        self._note(battle)

    def _attack(self, attack: Attack) -> None:
        unit, target = self._roll.get(attack.unit), self._roll.get(attack.target)
        place = attack.place or (target.place if target else "")
        kind, start = (unit.kind, unit.place) if unit else ("", "")
        self.fires.append(Fire(max(self.turn, 1), attack.side, attack.unit, kind, start, attack.target, place))

    def _call(self, battle: Battle[Any]) -> None:
        """Call the roll: what is worth less than before is a loss."""
        roll = self.game.muster(battle)
        self._turn(battle)
        for id, now in roll.items():
            before = self._roll.get(id)
            if before is None:
                self.forces[id] = now
            elif now.worth < before.worth:
                self._loss(id, before, before.worth - now.worth)
        for id, before in self._roll.items():
            if id not in roll:
                self._loss(id, before, before.worth)
        self._roll = roll

    def _turn(self, battle: Battle[Any]) -> None:
        number = self.game.turn_of(battle)[0]
        if not self._turns or self._turns[-1] != number:
            if self.turn:
                self._note(battle)
            self._turns.append(number)
            self.turn = len(self._turns) - (not self._turns[0])

    def _loss(self, id: str, before: Muster, worth: float) -> None:
        by = self._culprit(id, before.side)
        by_side, by_unit, by_kind = (by.side, by.unit, by.kind) if by else ("", "", "")
        self.losses.append(
            Loss(max(self.turn, 1), before.side, id, before.kind, before.place, worth, by_side, by_unit, by_kind)
        )

    def _culprit(self, id: str, side: str) -> Fire | None:
        """The latest attack on a unit in this turn, or else the latest of its enemies."""
        latest = None
        for fire in reversed(self.fires):
            if fire.turn != max(self.turn, 1):
                break
            if fire.target == id:
                return fire
            if latest is None and fire.side != side:
                latest = fire
        return latest

    def _note(self, battle: Battle[Any]) -> None:
        lost: dict[str, float] = {}
        for loss in self.losses:
            lost[loss.side] = lost.get(loss.side, 0.0) + loss.worth
        present: dict[tuple[str, str], int] = {}
        for unit in self._roll.values():
            if unit.place and unit.worth > 0:
                present[unit.place, unit.side] = present.get((unit.place, unit.side), 0) + 1
        self.notes.append(Note(self.turn, self.game.score(battle), lost, self.game.held(battle), present))
