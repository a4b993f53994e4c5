"""A live battle: all that the people at it can do. What a seat is told is made from what its side may know."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

from grognard.core.aid_views import FieldView, SightView
from grognard.core.ask import FacesAsk
from grognard.core.dice import FairDice, ScriptedDice, pool
from grognard.core.errors import GrognardError, IllegalError, StaleError
from grognard.core.events import Rolled
from grognard.core.odds import AbandonedError
from grognard.core.session import Session, UndoError
from grognard.core.standing_orders import StandingOrder
from grognard.core.view import BarView, OddsView, PreviewView, Prospect, bar_view, luck_views
from grognard.players.seats import BUDGET, DEFAULT, Thinker, budget_of, levels, make_player, make_ready
from grognard.players.thought import Thought
from grognard.server import schema
from grognard.server.bots import Bots
from grognard.server.errors import ForbiddenError, MissingError, TooMuchError
from grognard.server.position import Position
from grognard.server.rows import GameRow, ShareRow, StoredGame, check_orders
from grognard.server.runner import Resources, Runner
from grognard.server.scenario_cache import LoadedScenario
from grognard.server.schema import EndView, Taken, Update
from grognard.server.seats import Seat, seat_of, token_hash
from grognard.server.store import NewShare
from grognard.server.take_backs import Say, SinceError, settle
from grognard.server.thought_log import ThoughtLog, stored_thoughts
from grognard.server.thought_views import told, view_of

#: How many seconds a first estimate of odds may take.
ESTIMATE = 0.3
#: How many things may wait to be looked up at a battle.
LOOKS = 16

T = TypeVar("T")


class LiveBattle:
    """One battle that is open, with its seats. Its ``runner`` does all work on it, its ``bots`` play for programs."""

    def __init__(self, resources: Resources, stored: StoredGame, loaded: LoadedScenario, session: Session) -> None:
        self.id, self.row, self.game = stored.row.id, stored.row, loaded.game
        #: How large its map is, in hexes or square inches.
        self.ground = loaded.size
        #: What everybody at the battle may know of it, and what does not change.
        self.description = describe(stored.row, loaded, session)
        self.thought_log = ThoughtLog(lambda: stored_thoughts(resources.store.engine, self.id))
        self.runner = Runner(resources, Position(stored, session), lambda: self.bots.wake())
        self.bots = Bots(self.runner, self.description.lesson, self.thought_log)
        self._reckoning = asyncio.Lock()
        self._estimating = asyncio.Lock()
        self._looking = asyncio.Lock()
        self._looks = 0
        self._advising = False

    @property
    def _position(self) -> Position:
        return self.runner.position

    @property
    def session(self) -> Session:
        """The battle as it is played; touched only inside the runner's ``run`` and ``change``."""
        return self.runner.position.session

    def seat(self, token: str) -> Seat:
        """The seat of a token."""
        found = seat_of(self._position.seats, token)
        self.runner.seen = time.monotonic()
        if not self._position.humans:
            self.bots.wake()  # programs play on while somebody looks
        return found

    async def close(self) -> None:
        """Stop the programs, and let what has begun end."""
        self.bots.stop()
        await self.runner.close()

    # -- playing -----------------------------------------------------------------------------------------------------

    def _check(self, seat: Seat, seq: int) -> None:
        """Refuse a question that no longer stands, and one that is not this seat's."""
        self._check_seq(seat, seq)
        if self.session.ask is None:
            raise IllegalError("", None, "The battle is over.")
        if not self._position.may_answer(seat.side):
            raise ForbiddenError("It's not your turn to answer.")

    def _check_seq(self, seat: Seat, seq: int) -> None:
        now = self.session.seq_of(seat.side)
        if seq != now:
            raise StaleError(seq, now)

    async def update(self, seat: Seat, log: int = 0, frames: int = 0) -> Update:
        """What the seat sees, for a client that has so many lines of the log and so many frames."""
        return await self.runner.run(lambda: self._position.now(seat.side, log, frames, self.runner.online))

    async def answer(self, seat: Seat, seq: int, key: str) -> Update:
        """Answer the question; stored before it returns."""

        def act(session: Session, step: Callable[[], None]) -> None:
            self._check(seat, seq)
            session.answer(key)
            step()

        _, update = await self.runner.change(seat.side, act)
        return update

    async def plan(self, seat: Seat, seq: int, keys: Sequence[str]) -> Taken:
        """Give several answers until something unexpected is asked; at least the first must be legal."""

        def act(session: Session, step: Callable[[], None]) -> int:
            self._check(seat, seq)
            for taken, key in enumerate(keys):
                if taken and not self._position.may_answer(seat.side):
                    return taken
                try:
                    session.answer(key)
                except IllegalError:
                    if not taken:
                        raise
                    return taken
                step()
            return len(keys)

        taken, update = await self.runner.change(seat.side, act)
        return Taken(taken, update)

    async def undo(self, seat: Seat, seq: int) -> Update:
        """Take the seat's last answer back; with free undo the last of any person, and what programs did since."""

        def act(session: Session, step: Callable[[], None]) -> None:
            self._check_seq(seat, seq)
            if reason := self._position.undo_bar(seat.side):
                raise UndoError(f"You can't undo: {reason}.")
            if not self.row.free_undo:
                session.undo(seat.side)
            else:
                while True:
                    by = next(by for by, _, by_order in reversed(session.given) if not by_order)
                    session.undo()
                    if by in self._position.humans:
                        break
            step()

        _, update = await self.runner.change(seat.side, act)
        return update

    async def take_back(self, seat: Seat, number: int, say: Say) -> Update:
        """Ask the other side for a take-back, grant or refuse theirs, or withdraw one's own."""

        def act(session: Session, step: Callable[[], None]) -> None:
            if not self._position.between_people:
                raise UndoError("Take-backs are only for battles between people. Use undo instead.")
            if number != self._position.number:
                raise SinceError
            self._position.take_back = settle(session, seat.side, say, self._position.humans, self._position.take_back)
            step()

        _, update = await self.runner.change(seat.side, act)
        return update

    async def set_orders(self, seat: Seat, orders: Sequence[schema.NewOrder]) -> Update:
        """Replace the standing orders of the seat's side."""
        check_orders(orders)
        new = [StandingOrder(seat.side, order.reaction, order.beyond, order.below) for order in orders]

        def act(session: Session, step: Callable[[], None]) -> None:
            if seat.side not in self._position.humans:
                raise ForbiddenError("Only players can give standing orders.")
            session.set_orders(seat.side, new)
            step()

        _, update = await self.runner.change(seat.side, act)
        return update

    # -- aids --------------------------------------------------------------------------------------------------------

    async def prospect(self, seat: Seat, seq: int, unit: str) -> Prospect:
        """What a unit can do at the question that stands; whoever answers meanwhile does not wait for it."""
        now = await self._copy(seat, seq)
        found = await self._look(lambda: now.prospect(unit))
        found.seq = seq
        return found

    async def _look(self, work: Callable[[], T]) -> T:
        """Look up something that may take seconds, in threads that nobody's answer waits for; one at a time."""
        if self._looks >= LOOKS:
            raise TooMuchError("Too many lookups are running for this battle. Wait for some of them to finish.")
        self._looks += 1
        try:
            async with self._looking:
                return await self.runner.resources.aids.do(work, self.runner.caller)
        finally:
            self._looks -= 1

    async def _copy(self, seat: Seat, seq: int) -> Session:
        """The battle at the question of a seat, for looking ahead while the battle itself goes on."""

        def copy() -> Session:
            self._check(seat, seq)
            return self.session.fork()

        return await self.runner.run(copy)

    async def odds(self, seat: Seat, seq: int, keys: Sequence[str], quick: bool = False) -> OddsView:
        """The exact odds of what answers lead to, or a ``quick`` estimate where the exact ones take longer.

        Exact ones can take seconds and nobody waits for them: they are reckoned from a copy, one after the other, and
        given up as soon as another question stands. An estimate does not wait for them.
        """

        def reckon() -> OddsView:
            seconds = ESTIMATE if quick else None
            return now.odds_view(*keys, stop=lambda: self.runner.closed or self.session.seq != now.seq, seconds=seconds)

        async with self._estimating if quick else self._reckoning:
            now = await self._copy(seat, seq)
            try:
                return await self.runner.resources.aids.do(reckon, self.runner.caller)
            except AbandonedError:
                raise StaleError(seq, self.session.seq_of(seat.side)) from None

    async def preview(self, seat: Seat, seq: int, key: str, area: bool = False) -> PreviewView:
        """What a pose or a draft would come to at the question that stands; a prepared draft whoever is asked."""

        def look() -> PreviewView:
            if not self._position.may_answer(seat.side) and self.session.prepares(seat.side, key):
                self._check_seq(seat, seq)
                return self.session.prepared(seat.side, key)
            self._check(seat, seq)
            return self.session.preview(key, area=area)

        return await self.runner.run(look)

    def _known(self, seat: Seat) -> Any:
        """A copy of the battle without what the seat may not know."""
        copy = self.session.fork(seed=b"a look")
        self.game.conceal(copy.battle, seat.side)
        return copy.battle

    async def why_not(self, seat: Seat, words: str) -> list[BarView]:
        """Why something is not offered."""
        now, known = await self.runner.run(lambda: (self.session.fork(), self._known(seat)))
        return await self._look(lambda: [bar_view(bar) for bar in now.why_not(seat.side, words, known)])

    async def sight(self, seat: Seat, a: str, b: str) -> SightView:
        """The line of sight between two places."""

        known = await self.runner.run(lambda: self._known(seat))

        def look() -> SightView:
            view: SightView = self.game.sight(known, seat.side, a, b).view()
            return view

        return await self._look(look)

    async def field(self, seat: Seat, unit: str) -> FieldView:
        """What a unit sees and can fire at."""
        known = await self.runner.run(lambda: self._known(seat))
        return await self._look(lambda: self.game.field_of_fire(known, seat.side, unit))

    async def advice(self, seat: Seat, seq: int, thorough: bool = False) -> schema.ThoughtView:
        """What a program would answer in the seat's place, on what the seat knows; one thought at a time.

        The usual one is asked, or the strongest where it is to be ``thorough``.
        """
        level = levels()[-1].name if thorough else DEFAULT
        if self._advising:
            raise TooMuchError("Someone in this battle is already getting advice. Ask again in a moment.")
        self._advising = True
        try:
            probe, frame = await self.runner.run(lambda: self._to_advise(seat, seq))

            def think(deadline: float) -> Thought | None:
                player = make_player(level, "advice")
                assert isinstance(player, Thinker)
                player.choose_from(probe, deadline)
                thought: Thought | None = getattr(player, "thought", None)
                return thought

            thought = await self.runner.resources.thinking.choose(think, budget_of(level) / BUDGET, self.runner.caller)
        finally:
            self._advising = False
        if thought is None:
            raise GrognardError("The adviser ran out of time. Ask again.")
        return view_of(frame, thought, frame, probe.game.names(probe.battle))

    def _to_advise(self, seat: Seat, seq: int) -> tuple[Session, int]:
        self._check(seat, seq)
        session = self.session
        if isinstance(session.ask, FacesAsk):
            raise ForbiddenError("There's no advice while the dice are being rolled.")
        make_ready(session, [make_player(DEFAULT, "")])
        return session.probe(), self._position.synced(seat.side).frame_at(len(session.answers))

    async def thoughts(self, seat: Seat, since: int) -> schema.Thoughts:
        """What the programs thought, so far as the seat may know it."""

        def look() -> schema.Thoughts:
            people = {side: side in self._position.humans for side in self.session.scenario.sides}
            solo = self.row.mode == "solo"
            return told(self.thought_log, self.session, self._position.synced(seat.side), people, solo, since)

        return await self.runner.run(look)

    # -- looking back --------------------------------------------------------------------------------------------------

    async def frame(self, seat: Seat, number: int, reveal: bool = False) -> Update:
        """The battle as it stood at a frame, as the seat saw it then; with everything shown once it is over."""

        def look() -> Update:
            if reveal and not self.session.over:
                raise ForbiddenError("You can see what was hidden when the battle is over.")
            side_log = self._position.synced(seat.side)
            count = side_log.count(number)
            lines = side_log.frames[number].log
            return self._position.past(seat.side, count, lines, self.runner.online, reveal)

        return await self.runner.run(look)

    async def roll_odds(self, seat: Seat, line: int) -> OddsView:
        """The odds of the answer behind a line of the log, as they were then: of one's own, or of any when over."""

        def find() -> tuple[Session, str]:
            session, side_log = self.session, self._position.synced(seat.side)
            index = side_log.answer_behind(line)
            if index < 0:
                raise MissingError("This happened before the first answer, so it has no odds.")
            answer = session.answers[index]
            if answer.side != seat.side and not session.over:
                raise ForbiddenError("You can see the odds of the other side's answers when the battle is over.")
            return session.past(index), answer.key

        then, key = await self.runner.run(find)
        return await self._look(lambda: then.odds_view(key))

    async def end(self, seat: Seat) -> EndView:
        """How it ended, what it cost, who was lucky, and the seed."""

        def look() -> EndView:
            session, dice = self.session, self.session.dice
            result = session.result
            if not session.over or result is None:
                raise ForbiddenError("The battle isn't over. You can see the seed and the luck at the end.")
            rolls = [event for event in session.log if isinstance(event, Rolled)]
            return EndView(
                result=result,
                losses=self.game.losses(session.battle),
                luck=luck_views(session.luck()),
                seed=dice.seed.hex() if isinstance(dice, FairDice) else "",
                commitment=dice.commitment if isinstance(dice, FairDice) else "",
                rolls=[(*pool(event.dice)[:2], list(event.faces)) for event in rolls],
            )

        return await self.runner.run(look)

    def may_save(self, seat: Seat) -> None:
        """Refuse a save, which holds everything, to whom it would tell secrets."""
        if self.session.over:
            return
        if seat.side not in self._position.humans:
            raise ForbiddenError("A saved game contains all secrets. Spectators can save when the battle is over.")
        if self.row.mode == "invite":
            raise ForbiddenError(
                "A saved game contains the other side's secrets and the dice. You can save when the battle is over."
            )

    async def save(self, seat: Seat) -> bytes:
        """The battle as a file."""

        def look() -> bytes:
            self.may_save(seat)
            return self.session.save()

        return await self.runner.run(look)

    async def share(self, seat: Seat, frame: int) -> str:
        """A token for others to see a frame as this seat saw it."""
        count = await self.runner.run(lambda: self._position.synced(seat.side).count(frame))
        token = secrets.token_urlsafe(18)
        await self.runner.resources.writer.write(NewShare(token_hash(token), ShareRow(self.id, seat.side, count)))
        return token

    async def moment(self, share: ShareRow) -> schema.Moment:
        """A shared moment, with its log so far."""

        def look() -> schema.Moment:
            count = min(share.answers, len(self.session.answers))
            lines = self._position.synced(share.side).line_count(count)
            update = self._position.past(share.side, count, 0, self.runner.online)
            update.view.log = self._position.log_of(share.side).lines[:lines]
            return schema.Moment(self.description, update, self.playable(share.side))

        return await self.runner.run(look)

    def playable(self, side: str) -> bool:
        """Whether others may play on from a moment that a side shared: not while that would show what it cannot see."""
        return self.session.over or (self.row.mode != "invite" and side in self._position.humans)


def describe(row: GameRow, loaded: LoadedScenario, session: Session) -> schema.Battle:
    """What everybody at a battle may know of it, and what does not change."""
    game, scenario, dice = loaded.game, session.scenario, session.dice
    mode: Literal["solo", "hotseat", "invite"] = "solo"
    if row.mode == "hotseat":
        mode = "hotseat"
    elif row.mode == "invite":
        mode = "invite"
    return schema.Battle(
        id=row.id,
        game=game.name,
        game_title=game.title,
        scenario=scenario.name,
        title=scenario.title,
        briefing=scenario.briefing,
        special=list(getattr(scenario, "special", ())),
        sides=list(scenario.sides),
        turns=scenario.turns,
        board=loaded.board,
        land=f"/api/battles/{row.id}/land.svg",
        mode=mode,
        own_dice=isinstance(dice, ScriptedDice),
        free_undo=row.free_undo,
        commitment=dice.commitment if isinstance(dice, FairDice) else "",
        verbs=game.verbs(),
        glossary=game.glossary(),
        lesson=next((lesson for lesson in game.lessons() if lesson.id == row.lesson), None),
        victory=game.aims(scenario),
    )
