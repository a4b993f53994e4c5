"""A session drives a battle: one question, one answer; fork, undo and save."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from grognard.core import odds as _odds
from grognard.core.ask import Ask, Bar, FacesAsk, Rules
from grognard.core.battle import Battle
from grognard.core.dice import Dice, FacesNeededError, FairDice, ScriptedDice
from grognard.core.errors import GrognardError, IllegalError, StaleError
from grognard.core.events import Asked, Event
from grognard.core.game import Game
from grognard.core.history import Answer, Graft, Mark, copy_dice, replay
from grognard.core.luck import Luck, luck_report
from grognard.core.orders import StandingOrder
from grognard.core.prospects import preview, prospect
from grognard.core.saves import write_save
from grognard.core.view import LogLine, OddsView, PreviewView, Prospect, Result, View, ask_view, log_lines, odds_view

#: How many of the latest snapshots are kept all; of older ones only every so-many-th.
RECENT = 32


class UndoError(GrognardError):
    """The last answer cannot be taken back."""


class Session:
    """A game being played.

    ``snapshots`` keeps the state at each quiet question so that undo and fork are quick; without it they
    replay from the start. ``solo`` lifts the limits of undo.
    """

    def __init__(
        self,
        game: Game,
        scenario: Any,
        *,
        seed: bytes | None = None,
        script: Sequence[int] | None = None,
        state: Any = None,
        snapshots: bool = True,
        solo: bool = False,
    ) -> None:
        self.game, self.scenario, self.snapshots, self.solo = game, scenario, snapshots, solo
        self.situation = state is not None
        self.dice: Dice = FairDice(seed or secrets.token_bytes(16)) if script is None else ScriptedDice(script)
        self._base: Dice = self.dice
        self._grafts: tuple[Graft, ...] = ()
        self.answers: list[Answer] = []
        self.orders: list[StandingOrder] = []
        self.seq = 0
        self._ask: Ask | None = None
        self._pending: tuple[str, str, bool] | None = None
        opening = game.begin(scenario) if state is None else state
        self._marks = [Mark(0, game.copy(opening), 0, 0)]
        self._open(opening, [])
        self._step(None)

    # -- the question and its answer -------------------------------------------------------------

    @property
    def ask(self) -> Ask | None:
        """The question that stands, or None when the battle is over."""
        return self._ask

    @property
    def over(self) -> bool:
        """Whether the battle has ended."""
        return self._ask is None

    @property
    def result(self) -> Result | None:
        """How it ended."""
        return self.game.result(self.battle)

    @property
    def state(self) -> Any:
        """The battle's state."""
        return self.battle.state

    @property
    def log(self) -> list[Event]:
        """What has happened."""
        return self.battle.log

    @property
    def given(self) -> list[tuple[str, str, bool]]:
        """Every answer as side, key and whether a standing order gave it; the one that waits for real dice too."""
        given = [(answer.side, answer.key, answer.by_order) for answer in self.answers]
        return given if self._pending is None else [*given, self._pending]

    def answer(self, key: str, seq: int | None = None, *, trusted: bool = False) -> list[Event]:
        """Answer the question, and return what happened.

        Anything but a key of one of its options is refused without any change, unless the caller vouches for
        the answer as ``trusted`` (a replay does).
        """
        ask = self._ask
        if seq is not None and seq != self.seq:
            raise StaleError(seq, self.seq)
        if ask is None:
            raise IllegalError(key, None, "the battle is over; no question stands")
        if not trusted or isinstance(ask, FacesAsk):
            ask.option(key)
        before = len(self.battle.log)
        self.take(key, ask, False)
        self._follow_orders()
        return self.battle.log[before:]

    def plan(self, keys: Sequence[str]) -> int:
        """Answer with a whole plan; stops at the first thing not expected. Returns how many were taken."""
        side = self._ask.side if self._ask else ""
        for count, key in enumerate(keys):
            if self._ask is None or self._ask.side != side:
                return count
            try:
                self.answer(key)
            except IllegalError:
                return count
        return len(keys)

    def take(self, key: str, ask: Ask, by_order: bool) -> None:
        """Go on with an answer that is known to be good, as one of a save is, or a standing order's."""
        if isinstance(ask, FacesAsk):
            assert isinstance(self.dice, ScriptedDice)
            self.dice.script.extend(int(word) for word in key.split()[1:])
            pending, self._pending = self._pending, None
            if pending is None:
                self._step(None)
            else:
                side, again, ordered = pending
                self._record(again, side, ordered)
                self._step(again)
            return
        self._record(key, ask.side, by_order)
        self._step(key)

    def _record(self, key: str, side: str, by_order: bool) -> None:
        self.answers.append(Answer(side, key, by_order, self.dice.position, len(self.battle.log)))
        self.battle.log.append(Asked(side=side, key=key, by_order=by_order))

    def _step(self, key: str | None) -> None:
        try:
            ask = next(self._procedure) if key is None else self._procedure.send(key)
        except StopIteration:
            self._settle(None)
        except FacesNeededError as need:
            side, what, tallies, _ = self.battle.throw
            assert isinstance(self.dice, ScriptedDice)
            del self.dice.script[self.dice.position :]  # a throw is told whole
            if key is not None:
                waiting = self.answers.pop()
                self._pending = (waiting.side, waiting.key, waiting.by_order)
            self._restore(len(self.answers))
            if key is None:
                self.dice.position = 0
                self._open(self.game.copy(self._marks[0].state), [])
            self._settle(FacesAsk(side, need.number, need.sides, what, tallies))
        else:
            self._settle(ask)

    def _settle(self, ask: Ask | None) -> None:
        self.seq += 1
        self._ask = ask
        if ask is None:
            return
        ask.seq = self.seq
        if ask.quiet and self.snapshots and self._marks[-1].answers < len(self.answers):
            self._marks.append(self._mark())
            if len(self._marks) % (2 * RECENT) == 0:
                self._thin()

    def _thin(self) -> None:
        """Give up most of the old snapshots: going back that far replays a few answers more."""
        old, recent = self._marks[1:-RECENT], self._marks[-RECENT:]
        kept, reached = [self._marks[0]], 0
        for mark in old:
            if mark.answers - reached >= RECENT:
                kept.append(mark)
                reached = mark.answers
        self._marks = kept + recent

    def _mark(self) -> Mark:
        state = self.game.copy(self.battle.state)
        return Mark(len(self.answers), state, self.dice.position, len(self.battle.log), len(self._grafts))

    # -- going back --------------------------------------------------------------------------------

    def _open(self, state: Any, log: list[Event]) -> None:
        self.battle: Battle[Any] = self.game.battle(self.scenario, state, self.dice)
        self.battle.log = log
        self._procedure: Rules = self.game.play(self.battle)

    def _restore(self, count: int) -> Ask | None:
        """Go back to where ``count`` answers had been given; the question that stood there."""
        while self._marks[-1].answers > count:
            self._marks.pop()
        mark = self._marks[-1]
        log = self.battle.log[: mark.log]
        again = self.answers[mark.answers : count]
        del self.answers[count:]
        self._grafts = tuple(graft._replace(answers=min(graft.answers, count)) for graft in self._grafts)
        self.battle, self._procedure, ask = replay(self.game, self.scenario, mark, again, log, self._base, self._grafts)
        self.dice = self.battle.dice
        return ask

    def may_undo(self, side: str | None = None) -> str:
        """Why the last answer cannot be taken back; "" if it can."""
        count = self._last_given()
        if count < 0:
            return "nothing has been answered yet"
        if self.solo:
            return ""
        if isinstance(self._ask, FacesAsk):
            return "a die has been rolled since"
        last = self.answers[count]
        if side is not None and last.side != side:
            return f"{last.side.capitalize()} has answered since"
        if self.dice.position != last.dice:
            return "a die has been rolled since"
        if any(event.shows for event in self.battle.log[last.log :]):
            return "something secret has been shown since"
        return ""

    def _last_given(self) -> int:
        """How many answers stood before the last one that no standing order gave; -1 if there is none."""
        if self._pending is not None and not self._pending[2]:
            return len(self.answers)
        return max((i for i, answer in enumerate(self.answers) if not answer.by_order), default=-1)

    def undo(self, side: str | None = None) -> None:
        """Take back the last answer, with whatever standing orders answered after it."""
        if reason := self.may_undo(side):
            raise UndoError(f"cannot undo: {reason}")
        count = self._last_given()
        rolled, waited = self.dice.position, self._pending is not None
        self._pending = None
        ask = self._restore(count)
        if isinstance(self.dice, ScriptedDice) and (waited or self.dice.position < rolled):
            del self.dice.script[self.dice.position :]  # the table will roll again
        self._settle(ask)

    def rerun(self) -> tuple[Battle[Any], Rules]:
        """A fresh copy of the battle, run up to the question that stands: for odds and for thinking."""
        battle, procedure, _ = self._again(self._grafts)
        return battle, procedure

    def trial(self) -> tuple[Battle[Any], Rules, Ask | None]:
        """The battle and the question that stands as `probe` has them, without a session: quick, for many tries."""
        side = self._ask.side if self._ask else ""
        return self._again((*self._grafts, Graft(len(self.answers), b"odds", side)))

    def _again(self, grafts: tuple[Graft, ...]) -> tuple[Battle[Any], Rules, Ask | None]:
        mark = self._marks[-1] if not (self._ask and self._ask.quiet) or self.snapshots else self._mark()
        return replay(self.game, self.scenario, mark, self.answers[mark.answers :], [], copy_dice(self._base), grafts)

    def fork(self, seed: bytes | None = None) -> Session:
        """A copy with the same future; with a seed of its own, a copy for thinking that has other dice."""
        return self._fork(() if seed is None else (Graft(len(self.answers), seed),))

    def probe(self) -> Session:
        """A copy for looking ahead: with dice of its own, and only what the side that is asked knows."""
        copy = self._fork((Graft(len(self.answers), b"odds", self._ask.side if self._ask else ""),))
        copy.orders = []
        return copy

    def _fork(self, grafts: tuple[Graft, ...]) -> Session:
        copy = self._copy()
        copy._grafts += grafts
        ask = copy._restore(len(copy.answers))
        if isinstance(self._ask, FacesAsk):
            told = self._ask
            ask = FacesAsk(told.side, told.number, told.sides, told.what, told.tallies)
        if ask is not None:
            ask.seq = copy.seq
        copy._ask = ask
        return copy

    def past(self, count: int) -> Session:
        """A copy as the game stood when ``count`` answers had been given, for looking at and playing on from."""
        if not 0 <= count <= len(self.answers):
            raise GrognardError(f"{count} answers have not been given; there are {len(self.answers)}")
        if count == len(self.answers):
            return self.fork()
        copy = self._copy()
        copy._pending = None
        copy._ask = copy._restore(count)
        if isinstance(copy.dice, ScriptedDice):
            del copy.dice.script[copy.dice.position :]
        if copy._ask is not None:
            copy._ask.seq = copy.seq
        return copy

    def _copy(self) -> Session:
        """A session with the same past, whose procedure has yet to be brought to where it stands."""
        copy = object.__new__(Session)
        copy.game, copy.scenario, copy.snapshots, copy.solo = self.game, self.scenario, self.snapshots, self.solo
        copy.situation = self.situation
        copy.answers, copy.orders, copy.seq = list(self.answers), list(self.orders), self.seq
        copy._marks, copy._pending = list(self._marks), self._pending
        copy._base, copy._grafts = copy_dice(self._base), self._grafts
        copy.dice = copy._base
        copy.battle = self.battle
        return copy

    # -- what may be known -------------------------------------------------------------------------

    def view(self, side: str, since: int = 0) -> View:
        """What a side may see, with its question and the log from an event on.

        A word that names no side, such as "watcher", sees what everybody may see.
        """
        view = self.game.view(self.battle, side)
        if self._ask is not None and self._ask.side == side:
            view.ask = ask_view(self._ask, side, self.game.phrases, self.game.hints(self.battle, self._ask))
        view.log = self.lines(side, since)
        view.result = self.result
        return view

    def lines(self, side: str, since: int = 0) -> list[LogLine]:
        """What a side may read of the log from an event on: who keeps the lines asks for the new ones only."""
        events = self.battle.log[since:] if since else self.battle.log
        if not events:
            return []
        game = self.game
        return log_lines(events, side, game.phrases, game.names(self.battle), game.places(self.scenario))

    def odds(self, *keys: str, stop: Callable[[], bool] = lambda: False) -> _odds.Odds:
        """The exact distribution of what answering leads to; given up with an AbandonedError once ``stop`` says so."""
        if self._ask is None:
            raise IllegalError(" ".join(keys), None, "the battle is over; no question stands")
        if not keys:
            raise IllegalError("", self._ask, "say which answer the odds are wanted of")
        if isinstance(self._ask, FacesAsk):
            raise IllegalError(keys[0], self._ask, "the dice are already in the air; say what they showed")
        self._ask.option(keys[0])
        if len(keys) > 1:
            probe = self.probe()
            for key, following in pairwise(keys):
                probe.answer(key)
                if probe.ask is None:
                    raise IllegalError(following, None, f"the battle ends with {key!r}")
                probe.ask.option(following)
        return _odds.odds(self, keys, stop=stop)

    def odds_view(self, *keys: str, stop: Callable[[], bool] = lambda: False) -> OddsView:
        """The distribution of what answering leads to, as a client shows it."""
        return odds_view(self.odds(*keys, stop=stop), keys, self.game.phrases)

    def prospect(self, unit: str) -> Prospect:
        """What a unit can do now, so far as the side that is asked knows: its options, and where they lead."""
        return prospect(self, unit)

    def preview(self, key: str, *, area: bool = False) -> PreviewView:
        """What a pose would come to at the question that stands; with the area for its form and heading if wanted."""
        return preview(self._ask, key, area=area)

    def why_not(self, side: str, words: str) -> list[Bar]:
        """Why something is not offered."""
        return self.game.why_not(self.battle, side, words)

    def luck(self) -> dict[str, dict[str, Luck]]:
        """What each side rolled against what it could expect."""
        return luck_report(self.battle.log)

    # -- standing orders ---------------------------------------------------------------------------

    def give_order(self, order: StandingOrder) -> None:
        """Add a standing order; it answers at once if its question stands."""
        self.orders.append(order)
        self._follow_orders()

    def orders_of(self, side: str) -> list[StandingOrder]:
        """The standing orders of a side."""
        return [order for order in self.orders if order.side == side]

    def set_orders(self, side: str, orders: Iterable[StandingOrder]) -> None:
        """Replace the standing orders of a side; they answer at once if their question stands."""
        new = list(orders)
        if any(order.side != side for order in new):
            raise GrognardError(f"a standing order of {side} has to be {side}'s own")
        self.orders = [order for order in self.orders if order.side != side] + new
        self._follow_orders()

    def _follow_orders(self) -> None:
        while self.orders and self._ask is not None and self._ask.reaction:
            ask = self._ask
            key = next((k for order in self.orders if (k := order.answer(self, ask)) is not None), None)
            if key is None:
                return
            self.take(key, ask, True)

    # -- saving ------------------------------------------------------------------------------------

    @property
    def digest(self) -> str:
        """A fingerprint of the state, to tell whether a replay led to the same place."""
        return hashlib.blake2b(self.game.encode(self.battle.state), digest_size=16).hexdigest()

    def save(self) -> bytes:
        """The game as a file."""
        return write_save(self)
