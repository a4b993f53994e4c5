"""A room: all that the people at a battle can do in it. What a seat is told is made from what its side may know."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any

from grognard.core.aids import FieldView, SightView
from grognard.core.ask import FacesAsk
from grognard.core.dice import FairDice, pool
from grognard.core.errors import GrognardError, IllegalError, StaleError
from grognard.core.events import Rolled
from grognard.core.odds import AbandonedError
from grognard.core.orders import StandingOrder
from grognard.core.session import Session, UndoError
from grognard.core.view import BarView, OddsView, PreviewView, Prospect, View, bar_view, luck_views
from grognard.players.seats import BUDGET, DEFAULT, Thinker, budget_of, levels, make_player, make_ready
from grognard.players.thought import Thought
from grognard.server import schema
from grognard.server.errors import ForbiddenError, MissingError, TooMuchError
from grognard.server.kept import token_hash
from grognard.server.schema import EndView, Taken, Update
from grognard.server.stage import Seat, Stage
from grognard.server.store import NewShare, ShareRow
from grognard.server.thoughts import told, view_of

__all__ = ["Room", "Seat"]


class Room(Stage):
    """One live battle, with the seats at it."""

    _advising = False

    # -- playing -----------------------------------------------------------------------------------------------------

    def _check(self, seat: Seat, seq: int) -> None:
        """Refuse a question that no longer stands, and one that is not this seat's."""
        if seq != self.session.seq:
            raise StaleError(seq, self.session.seq)
        if self.session.ask is None:
            raise IllegalError("", None, "the battle is over; no question stands")
        if not self._may_answer(seat.side):
            raise ForbiddenError("the question is not yours to answer; wait until it is your turn")

    async def update(self, seat: Seat, log: int = 0, frames: int = 0) -> Update:
        """What the seat sees, for a client that has so many lines of the log and so many frames."""
        return await self.run(lambda: self._now(seat.side, log, frames))

    async def answer(self, seat: Seat, seq: int, key: str) -> Update:
        """Answer the question; stored before it returns."""

        def act(session: Session, step: Callable[[], None]) -> None:
            self._check(seat, seq)
            session.answer(key, seq)
            step()

        _, update = await self._change(seat.side, act)
        assert update is not None
        return update

    async def plan(self, seat: Seat, seq: int, keys: Sequence[str]) -> Taken:
        """Give several answers until something unexpected is asked; at least the first must be legal."""

        def act(session: Session, step: Callable[[], None]) -> int:
            self._check(seat, seq)
            for taken, key in enumerate(keys):
                if taken and not self._may_answer(seat.side):
                    return taken
                try:
                    session.answer(key)
                except IllegalError:
                    if not taken:
                        raise
                    return taken
                step()
            return len(keys)

        taken, update = await self._change(seat.side, act)
        assert update is not None
        return Taken(taken, update)

    async def undo(self, seat: Seat, seq: int) -> Update:
        """Take the seat's last answer back; with free undo the last of any person, and what programs did since."""

        def act(session: Session, step: Callable[[], None]) -> None:
            if seq != session.seq:
                raise StaleError(seq, session.seq)
            if reason := self._undo_bar(seat.side):
                raise UndoError(f"cannot undo: {reason}")
            if not self.row.free_undo:
                session.undo(seat.side)
            else:
                while True:
                    by = next(by for by, _, by_order in reversed(session.given) if not by_order)
                    session.undo()
                    if by in self.humans:
                        break
            step()

        _, update = await self._change(seat.side, act)
        assert update is not None
        return update

    async def set_orders(self, seat: Seat, orders: Sequence[schema.NewOrder]) -> Update:
        """Replace the standing orders of the seat's side."""
        check_orders(orders)
        new = [StandingOrder(seat.side, order.reaction, order.beyond, order.below) for order in orders]

        def act(session: Session, step: Callable[[], None]) -> None:
            if seat.side not in self.humans:
                raise ForbiddenError("only players give standing orders")
            session.set_orders(seat.side, new)
            step()

        _, update = await self._change(seat.side, act)
        assert update is not None
        return update

    # -- aids --------------------------------------------------------------------------------------------------------

    async def prospect(self, seat: Seat, seq: int, unit: str) -> Prospect:
        """What a unit can do at the question that stands; whoever answers meanwhile does not wait for it."""
        now = await self._copy(seat, seq)
        return await self._thread(lambda: now.prospect(unit))

    async def _copy(self, seat: Seat, seq: int) -> Session:
        """The battle at the question of a seat, for looking ahead while the battle itself goes on."""

        def copy() -> Session:
            self._check(seat, seq)
            return self.session.fork()

        return await self.run(copy)

    async def odds(self, seat: Seat, seq: int, keys: Sequence[str]) -> OddsView:
        """The exact odds of what answers lead to.

        They can take seconds and nobody waits for them: they are reckoned from a copy, one after the other, and given
        up as soon as another question stands.
        """

        def reckon() -> OddsView:
            return now.odds_view(*keys, stop=lambda: self._closed or self.session.seq != seq)

        async with self._reckoning:
            now = await self._copy(seat, seq)
            try:
                return await self._thread(reckon)
            except AbandonedError:
                raise StaleError(seq, self.session.seq) from None

    async def preview(self, seat: Seat, seq: int, key: str, area: bool = False) -> PreviewView:
        """What a pose would come to at the question that stands."""

        def look() -> PreviewView:
            self._check(seat, seq)
            return self.session.preview(key, area=area)

        return await self.run(look)

    def _known(self, seat: Seat) -> Any:
        """A copy of the battle without what the seat may not know."""
        copy = self.session.fork(seed=b"a look")
        self.game.conceal(copy.battle, seat.side)
        return copy.battle

    async def why_not(self, seat: Seat, words: str) -> list[BarView]:
        """Why something is not offered."""
        return await self.run(lambda: [bar_view(bar) for bar in self.game.why_not(self._known(seat), seat.side, words)])

    async def sight(self, seat: Seat, a: str, b: str) -> SightView:
        """The line of sight between two places."""

        def look() -> SightView:
            view: SightView = self.game.sight(self._known(seat), seat.side, a, b).view()
            return view

        return await self.run(look)

    async def field(self, seat: Seat, unit: str) -> FieldView:
        """What a unit sees and can fire at."""
        return await self.run(lambda: self.game.field_of_fire(self._known(seat), seat.side, unit))

    async def advice(self, seat: Seat, seq: int, thorough: bool = False) -> schema.ThoughtView:
        """What a program would answer in the seat's place, on what the seat knows; one thought at a time.

        The usual one is asked, or the strongest where it is to be ``thorough``.
        """
        level = levels()[-1].name if thorough else DEFAULT
        if self._advising:
            raise TooMuchError("somebody at this battle is being advised; ask again when that is done")
        self._advising = True
        try:
            probe, frame = await self.run(lambda: self._to_advise(seat, seq))

            def think(deadline: float) -> Thought | None:
                player = make_player(level, "advice")
                assert isinstance(player, Thinker)
                player.choose_from(probe, deadline)
                thought: Thought | None = getattr(player, "thought", None)
                return thought

            thought = await self._service.thinkers.choose(think, budget_of(level) / BUDGET)
        finally:
            self._advising = False
        if thought is None:
            raise GrognardError("no advice was found in time; ask again")
        return view_of(len(probe.answers), thought, frame, probe.game.names(probe.battle))

    def _to_advise(self, seat: Seat, seq: int) -> tuple[Session, int]:
        self._check(seat, seq)
        session = self.session
        if isinstance(session.ask, FacesAsk):
            raise ForbiddenError("the dice are in the air: nobody can advise what they show")
        make_ready(session, [make_player(DEFAULT, "")])
        return session.probe(), self._synced(seat.side).frame_at(len(session.answers))

    async def thoughts(self, seat: Seat, since: int) -> schema.Thoughts:
        """What the programs thought, so far as the seat may know it."""

        def look() -> schema.Thoughts:
            people = {side: side in self.humans for side in self.session.scenario.sides}
            solo = self.row.mode == "solo"
            return told(self.notebook, self.session, self._synced(seat.side), people, solo, since)

        return await self.run(look)

    # -- looking back --------------------------------------------------------------------------------------------------

    async def frame(self, seat: Seat, number: int, reveal: bool = False) -> Update:
        """The battle as it stood at a frame, as the seat saw it then; with everything shown once it is over."""

        def look() -> Update:
            if reveal and not self.session.over:
                raise ForbiddenError("what is hidden is shown when the battle is over")
            eyes = self._synced(seat.side)
            count = eyes.count(number)
            return self._back(seat.side, count, eyes.frames[number].log, reveal)

        return await self.run(look)

    def _back(self, side: str, count: int, lines: int, reveal: bool = False) -> Update:
        past = self.session.past(count)
        view: View = past.view("" if reveal else side, len(past.log))
        view.ask = None
        return Update(
            number=self.number,
            seq=self.session.seq,
            side=side,
            waiting="over" if past.over else "other",
            view=view,
            log_start=lines,
            frames=[],
            frames_start=len(self._eyes_of(side).frames),
            may_undo="this is the past",
            orders=[],
            seats=self._seat_views(),
        )

    async def roll_odds(self, seat: Seat, line: int) -> OddsView:
        """The odds of the answer behind a line of the log, as they were then: of one's own, or of any when over."""

        def look() -> OddsView:
            session, eyes = self.session, self._synced(seat.side)
            index = eyes.answer_behind(line)
            if index < 0:
                raise MissingError("this happened before anybody answered anything")
            answer = session.answers[index]
            if answer.side != seat.side and not session.over:
                raise ForbiddenError("the odds of the other side's answers are told when the battle is over")
            return session.past(index).odds_view(answer.key)

        return await self.run(look)

    async def end(self, seat: Seat) -> EndView:
        """How it ended, what it cost, who was lucky, and the seed."""

        def look() -> EndView:
            session, dice = self.session, self.session.dice
            result = session.result
            if not session.over or result is None:
                raise ForbiddenError("the battle is not over; the seed and the luck are told at its end")
            rolls = [event for event in session.log if isinstance(event, Rolled)]
            return EndView(
                result=result,
                losses=self.game.losses(session.battle),
                luck=luck_views(session.luck()),
                seed=dice.seed.hex() if isinstance(dice, FairDice) else "",
                commitment=dice.commitment if isinstance(dice, FairDice) else "",
                rolls=[(*pool(event.dice)[:2], list(event.faces)) for event in rolls],
            )

        return await self.run(look)

    def may_save(self, seat: Seat) -> None:
        """Refuse a save, which holds everything, to whom it would tell secrets."""
        if self.session.over:
            return
        if seat.side not in self.humans:
            raise ForbiddenError("a saved game holds every secret; watchers can save when the battle is over")
        if self.row.mode == "invite":
            raise ForbiddenError("a saved game holds the other side's secrets and the dice; save when it is over")

    async def save(self, seat: Seat) -> bytes:
        """The battle as a file."""

        def look() -> bytes:
            self.may_save(seat)
            return self.session.save()

        return await self.run(look)

    async def share(self, seat: Seat, frame: int) -> str:
        """A token for others to see a frame as this seat saw it."""
        count = await self.run(lambda: self._synced(seat.side).count(frame))
        token = secrets.token_urlsafe(18)
        await self._service.clerk.write(NewShare(token_hash(token), ShareRow(self.id, seat.side, count)))
        return token

    async def moment(self, share: ShareRow) -> schema.Moment:
        """A shared moment, with its log so far."""

        def look() -> schema.Moment:
            count = min(share.answers, len(self.session.answers))
            lines = self._synced(share.side).line_count(count)
            update = self._back(share.side, count, 0)
            update.view.log = self._eyes_of(share.side).lines[:lines]
            return schema.Moment(self._battle, update, self.playable(share.side))

        return await self.run(look)

    def playable(self, side: str) -> bool:
        """Whether others may play on from a moment that a side shared: not while that would show what it cannot see."""
        return self.session.over or (self.row.mode != "invite" and side in self.humans)


def check_orders(orders: Sequence[schema.NewOrder]) -> None:
    """Refuse a standing order that no store could keep."""
    if any("\0" in order.reaction for order in orders):
        raise GrognardError("a standing order names a kind of reaction; this one has a NUL in it")
