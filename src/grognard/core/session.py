"""A session drives a battle: one question, one answer; fork, undo and save."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from grognard.core import odds as _odds
from grognard.core.ask import Ask, Bar, FacesAsk, Rules
from grognard.core.asked import asked, readings_of
from grognard.core.battle import Battle
from grognard.core.dice import Dice, FacesNeededError, FairDice, ScriptedDice
from grognard.core.dice_words import Reading
from grognard.core.drives import staged
from grognard.core.errors import GrognardError, IllegalError, StaleError
from grognard.core.events import Asked, Event
from grognard.core.game import Game
from grognard.core.history import Answer, Graft, Mark, copy_dice, replay
from grognard.core.luck import Luck, luck_report
from grognard.core.prospects import preview, prospect
from grognard.core.saves import write_save
from grognard.core.standing_orders import StandingOrder
from grognard.core.view import (
    AskView,
    LogLine,
    OddsView,
    PreviewView,
    Prospect,
    Result,
    View,
    log_line,
    may_read,
    odds_view,
)
from grognard.core.why import why_not

#: How many of the latest snapshots are kept all, and how many answers lie between older ones: a server holds hundreds
#: of battles, and a snapshot is some ten kilobytes.
RECENT, APART = 8, 32
#: How far the numbers of questions jump when something is taken back, so that none of them ever stands for two.
STRIDE = 20_000
#: No question has a larger number than that.
LAST_SEQ = 2**31 - 2 * STRIDE


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

    #: The battle as it stands in the midst of an answer that waits for dice, for looking at only.
    _midway: Battle[Any] | None = None

    def _repr_svg_(self) -> str:
        """The battle as a picture, for notebooks: everything, as a referee sees it."""
        return self.game.draw(self.battle, "")

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
    def seen(self) -> Battle[Any]:
        """The battle for people to look at: while dice are awaited, with all that has happened before the throw.

        Its log begins with that of the battle, and the log goes on with it once the faces are told.
        """
        return self._midway or self.battle

    @property
    def given(self) -> list[tuple[str, str, bool]]:
        """Every answer as side, key and whether a standing order gave it; the one that waits for real dice too."""
        given = [(answer.side, answer.key, answer.by_order) for answer in self.answers]
        return given if self._pending is None else [*given, self._pending]

    def seq_of(self, side: str) -> int:
        """The number of a side's question, the one that stands or the next: it counts what that side has answered.

        The number of `seq` counts everybody's questions. Whoever knew it could tell by a jump that a hidden unit had
        been asked, so a side is told this one. It tells the dice that were read out too, which everybody sees.
        """
        given = sum(answer.side == side for answer in self.answers)
        if self._pending is not None and self._pending[0] == side:
            given += 1
        read_out = len(self.dice.script) if isinstance(self.dice, ScriptedDice) else 0
        return self.seq // STRIDE * STRIDE + given + read_out + 1

    def answer(self, key: str, seq: int | None = None, *, trusted: bool = False) -> list[Event]:
        """Answer the question, and return what happened.

        Anything but a key of one of its options is refused without any change, unless the caller vouches for
        the answer as ``trusted`` (a replay does).
        """
        ask = self._ask
        if seq is not None and seq != self.seq:
            raise StaleError(seq, self.seq)
        if ask is None:
            raise IllegalError(key, None, "the battle is over")
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
            self.dice.script.extend(ask.faces(key))
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
            midway, throw = self.battle, self.battle.throw
            assert isinstance(self.dice, ScriptedDice)
            del self.dice.script[self.dice.position :]  # a throw is told whole
            if key is not None:
                waiting = self.answers.pop()
                self._pending = (waiting.side, waiting.key, waiting.by_order)
            self._restore(len(self.answers))
            if key is None:
                self.dice.position = 0
                self._open(self.game.copy(self._marks[0].state), [])
            # What is nobody's own, such as a die drawn from a cup, is told by the side that has to do with it.
            side = throw.side or (self._pending[0] if self._pending else self.scenario.sides[0])
            self._settle(FacesAsk(side, need.number, need.sides, throw))
            self._midway = midway
        else:
            self._settle(ask)

    def _settle(self, ask: Ask | None) -> None:
        self.seq += 1
        self._ask, self._midway = ask, None
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
            if mark.answers - reached >= APART:
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
        """Why a side cannot take the last answer back; "" if it can. Without a side all who play agree to it."""
        count = self._last_given()
        if count < 0:
            return "nothing has been answered yet"
        if self.seq > LAST_SEQ:
            return "there have been too many take-backs in this battle"
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
        if side is None:
            return ""
        # To be asked, or to hear that a standing order has answered, tells that somebody there could react.
        if other := next((answer.side for answer in self.answers[count:] if answer.side != last.side), ""):
            return f"a standing order of {other.capitalize()} has answered since"
        if self._ask is not None and self._ask.side != last.side:
            return f"{self._ask.side.capitalize()} has been asked since"
        return ""

    def _last_given(self) -> int:
        """How many answers stood before the last one that no standing order gave; -1 if there is none."""
        if self._pending is not None and not self._pending[2]:
            return len(self.answers)
        return max((i for i, answer in enumerate(self.answers) if not answer.by_order), default=-1)

    def undo(self, side: str | None = None) -> None:
        """Take back the last answer, with whatever standing orders answered after it."""
        if reason := self.may_undo(side):
            raise UndoError(f"You can't undo: {reason}")
        self._go_back(self._last_given())

    def last_of(self, side: str) -> int:
        """How many answers stood before the last one that a side gave itself; -1 if there is none."""
        if self._pending is not None and self._pending[0] == side and not self._pending[2]:
            return len(self.answers)
        own = (i for i, answer in enumerate(self.answers) if answer.side == side and not answer.by_order)
        return max(own, default=-1)

    def take_back(self, side: str) -> None:
        """Take back the last answer of a side and all that came after it, as the other side has allowed."""
        count = self.last_of(side)
        if count < 0:
            raise UndoError("You can't take back an answer: nothing has been answered yet")
        if self.seq > LAST_SEQ:
            raise UndoError("You can't take back an answer: there have been too many take-backs in this battle")
        self._go_back(count)

    def _go_back(self, count: int) -> None:
        """Put the question again that was asked when ``count`` answers had been given."""
        rolled, waited = self.dice.position, self._pending is not None
        self._pending = None
        ask = self._restore(count)
        if isinstance(self.dice, ScriptedDice) and (waited or self.dice.position < rolled):
            del self.dice.script[self.dice.position :]  # the table will roll again
        self.seq = (self.seq // STRIDE + 1) * STRIDE
        self._settle(ask)

    def rerun(self) -> tuple[Battle[Any], Rules, Ask | None]:
        """A fresh copy of the battle, run up to the question that stands: for odds."""
        return self._again(self._grafts)

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
            ask, copy._midway = FacesAsk(told.side, told.number, told.sides, told.throw), self._midway
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
        view = self.game.view(self.seen, side)
        if self._ask is not None and self._ask.side == side:
            view.ask = self.ask_view(side)
        view.drafts = [draft.view() for draft in self.game.drafts(self.battle, side)]
        view.log = self.lines(side, since)
        view.result = self.result
        return view

    def ask_view(self, reader: str) -> AskView | None:
        """The question as the side that is asked reads it; of dice, which anybody may tell, only what all may know."""
        return asked(self, reader)

    def readings(self) -> list[Reading]:
        """What the faces of the dice mean that are awaited; nothing where none are."""
        return readings_of(self)

    def lines(self, side: str, since: int = 0) -> list[LogLine]:
        """What a side may read of the log from an event on: who keeps the lines asks for the new ones only."""
        return self.told(event for event in self.battle.log[since:] if may_read(event, side))

    def told(self, events: Iterable[Event]) -> list[LogLine]:
        """Events as lines of the log, whoever may read them."""
        found = list(events)
        if not found:
            return []
        phrases, names, places = self.game.phrases, self.game.names(self.battle), self.game.places(self.scenario)
        return [log_line(event, phrases, names, places) for event in found]

    def odds(self, *keys: str, stop: Callable[[], bool] = lambda: False, seconds: float | None = None) -> _odds.Odds:
        """The exact distribution of what answering leads to; with ``seconds`` a first estimate within that time.

        A move may be one answer, such as ``move k D4``. It is given up with an AbandonedError once ``stop`` says so.
        """
        if self._ask is None:
            raise IllegalError(" ".join(keys), None, "the battle is over")
        if not keys:
            raise IllegalError("", self._ask, "give the answer whose odds you want")
        if isinstance(self._ask, FacesAsk):
            raise IllegalError(keys[0], self._ask, "the roll comes first: enter the dice")
        try:
            self._ask.option(keys[0])
            return _odds.odds(self, keys, stop=stop, seconds=seconds)
        except IllegalError:
            steps = staged(self, keys)
            if steps == list(keys):
                raise
        return _odds.odds(self, steps, stop=stop, seconds=seconds)

    def odds_view(self, *keys: str, stop: Callable[[], bool] = lambda: False, seconds: float | None = None) -> OddsView:
        """The distribution of what answering leads to, as a client shows it."""
        return odds_view(self.odds(*keys, stop=stop, seconds=seconds), keys, self.game.phrases)

    def prospect(self, unit: str) -> Prospect:
        """What a unit can do now, so far as the side that is asked knows: its options, and where they lead."""
        return prospect(self, unit)

    def preview(self, key: str, *, area: bool = False) -> PreviewView:
        """What a pose or a draft would come to at the question that stands; with the area for the pose if wanted."""
        return preview(self._ask, key, area=area)

    def prepares(self, side: str, key: str) -> bool:
        """Whether an answer is meant to be one of the drafts that a side may prepare at any moment."""
        return any(draft.takes(key) for draft in self.game.drafts(self.battle, side))

    def prepared(self, side: str, key: str) -> PreviewView:
        """What a draft that a side prepares would come to, whoever is asked now, so far as the side knows."""
        copy = self._fork((Graft(len(self.answers), b"a draft", side),))
        found = next((draft for draft in self.game.drafts(copy.battle, side) if draft.takes(key)), None)
        if found is None:
            raise IllegalError(key, self._ask, "you have no such draft to prepare")
        return found.shown(key)

    @property
    def quiet_since(self) -> int:
        """How many answers had been given at the last quiet question."""
        return self._marks[-1].answers if self.snapshots else len(self.answers)

    def why_not(self, side: str, words: str, battle: Battle[Any] | None = None) -> list[Bar]:
        """Why something is not offered; ``battle`` is what the side knows of it, where that is at hand."""
        return why_not(self, side, words, battle)

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
            raise GrognardError(f"a standing order of {side} must come from {side} itself")
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
