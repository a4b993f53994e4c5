"""The stage of a battle: how its session is changed, stored and shown.

All work on the session is done in a thread, by one at a time. A change is stored before anybody hears of it; one
that cannot be stored has not happened, and the session is read anew from the store.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

from msgspec.structs import replace

from grognard.core.ask import FacesAsk
from grognard.core.dice import FairDice, ScriptedDice
from grognard.core.errors import IllegalError, StaleError
from grognard.core.events import Rolled
from grognard.core.session import Session, UndoError
from grognard.core.view import ask_view, may_read
from grognard.players.thought import Thought
from grognard.server import schema
from grognard.server.bots import Thinkers, play_bots
from grognard.server.clerk import Clerk
from grognard.server.crew import Crew, tell
from grognard.server.errors import ForbiddenError, TokenError
from grognard.server.eyes import Eyes
from grognard.server.kept import answer_rows, open_kept, standing_of, token_hash
from grognard.server.notebook import NewThought, Notebook, idle, kept_thoughts
from grognard.server.scenes import Scene
from grognard.server.schema import Update
from grognard.server.store import AnswerRow, Kept, Progress, Store

log = logging.getLogger("grognard.server")

HUMAN = "human"
WATCHER = "watcher"
#: How many updates wait for a listener whose queue has no limit of its own.
PATIENCE = 64

T = TypeVar("T")


class Seat(NamedTuple):
    """A place at the table: the side ("watcher" has none of its own) and who plays it."""

    side: str
    player: str


class Service(NamedTuple):
    """What all rooms of a server share. People's calls never queue up behind those of programs."""

    store: Store
    clerk: Clerk
    crew: Crew
    bot_crew: Crew
    thinkers: Thinkers
    pace: float


class _Done(NamedTuple):
    """What a change did: what must be stored, and what everybody will then be told."""

    result: Any
    progress: Progress | None
    turns: list[tuple[int, str]]
    rows: list[AnswerRow]
    told: list[dict[str, Update]]
    update: Update | None


class Stage:
    """A live battle that can be changed and looked at by one at a time. ``session`` is touched only inside ``run``."""

    def __init__(self, service: Service, kept: Kept, opened: Scene, session: Session) -> None:
        self.id = kept.row.id
        self.row = kept.row
        self.game = opened.game
        self.used = time.monotonic()
        self._service = service
        self._lock = asyncio.Lock()
        self._reckoning = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._bot_task: asyncio.Task[None] | None = None
        self._listeners: list[tuple[Seat, asyncio.Queue[Update]]] = []
        self._closed = False
        self._broken = False
        self._seats = kept.seats
        self.humans = frozenset(seat.side for seat in kept.seats if seat.player == HUMAN)
        self.bots = {seat.side: seat for seat in kept.seats if seat.player not in (HUMAN, WATCHER)}
        self.notebook = Notebook(lambda: kept_thoughts(service.store.engine, self.id))
        self._board = opened.board
        self._settle(kept, session)
        self._battle = self._describe()

    def _settle(self, kept: Kept, session: Session) -> None:
        self.session = session
        self.number = kept.standing.number
        self._undone = kept.standing.undone
        self._rows = list(kept.answers)
        self._orders = list(kept.orders)
        start = self.game.turn_of(session.past(0).battle)
        self._turns = [start, *((row.turn, row.phase) for row in kept.answers[: len(session.answers)])]
        self._eyes: dict[str, Eyes] = {}
        self._broken = False

    def _describe(self) -> schema.Battle:
        scenario, dice = self.session.scenario, self.session.dice
        mode: Literal["solo", "hotseat", "invite"] = "solo"
        if self.row.mode == "hotseat":
            mode = "hotseat"
        elif self.row.mode == "invite":
            mode = "invite"
        return schema.Battle(
            id=self.id,
            game=self.game.name,
            game_title=self.game.title,
            scenario=scenario.name,
            title=scenario.title,
            briefing=scenario.briefing,
            special=list(getattr(scenario, "special", ())),
            sides=list(scenario.sides),
            turns=scenario.turns,
            board=self._board,
            land=f"/api/battles/{self.id}/land.svg",
            mode=mode,
            own_dice=isinstance(dice, ScriptedDice),
            free_undo=self.row.free_undo,
            commitment=dice.commitment if isinstance(dice, FairDice) else "",
            verbs=self.game.verbs(),
            lesson=next((lesson for lesson in self.game.lessons() if lesson.id == self.row.lesson), None),
        )

    # -- who is here -----------------------------------------------------------------------------------------

    def seat(self, token: str) -> Seat:
        """The seat of a token."""
        given = token_hash(token)
        found = None
        for seat in self._seats:
            if seat.token and hmac.compare_digest(seat.token, given):
                found = Seat(seat.side, seat.player)
        if found is None:
            raise TokenError("this token is of no seat at this battle; open the link that you were given")
        return found

    def battle(self) -> schema.Battle:
        """What everybody at the battle may know of it, and what does not change."""
        return self._battle

    def listen(self, seat: Seat, queue: asyncio.Queue[Update]) -> None:
        """Put an update into the queue after every answer, from now on."""
        before = self._online()
        self._listeners.append((seat, queue))
        self.used = time.monotonic()
        if self._online() != before:
            self._spawn(self._tell())
        self.wake_bots()

    def leave(self, seat: Seat, queue: asyncio.Queue[Update]) -> None:
        """Put nothing more into the queue."""
        before = self._online()
        self._listeners = [each for each in self._listeners if each[1] is not queue]
        self.used = time.monotonic()
        if self._online() != before and not self._closed:
            self._spawn(self._tell())

    def _online(self) -> set[str]:
        return {seat.side for seat, _ in self._listeners}

    @property
    def idle(self) -> bool:
        """Whether nobody listens, nobody waits and no program thinks."""
        return not self._listeners and not self._tasks and not self._lock.locked()

    # -- one at a time -----------------------------------------------------------------------------------------

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever asked has been told, or has gone

    async def _alone(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do something while nobody else touches the session; it is done to the end even if the caller goes away."""

        async def held() -> T:
            async with self._lock:
                self.used = time.monotonic()
                if self._broken:
                    await self._reload()
                return await work()

        return await asyncio.shield(self._spawn(held()))

    async def _thread(self, work: Callable[[], T], for_bot: bool = False) -> T:
        return await (self._service.bot_crew if for_bot else self._service.crew).do(work)

    async def run(self, work: Callable[[], T], for_bot: bool = False) -> T:
        """Run something with the session in a thread, while nobody else touches it. It must not change the session."""
        return await self._alone(lambda: self._thread(work, for_bot))

    async def close(self) -> None:
        """Let what has begun end, and stop the programs."""
        self._closed = True
        if self._bot_task is not None:
            self._bot_task.cancel()
        while self._tasks:
            await asyncio.wait(self._tasks)

    # -- changing ------------------------------------------------------------------------------------------------

    async def _change(self, side: str, act: Callable[[Session, Callable[[], None]], T]) -> tuple[T, Update | None]:
        """Let ``act`` change the session for a side ("" for a program), store that, and then tell everybody.

        ``act`` calls what it is given after every step that people may want to see.
        """

        async def work() -> tuple[T, Update | None]:
            try:
                done = await self._carry_out(side, act)
            except (IllegalError, StaleError, UndoError, ForbiddenError):
                raise  # these have changed nothing
            except BaseException:
                self._broken = True
                await self._reload_if_possible()
                raise
            if done.progress is not None:
                self._turns, self._rows = done.turns, done.rows
                self.number = done.progress.standing.number
                self._undone = done.progress.standing.undone
                self._orders = list(self.session.orders)
                self._deliver(done.told)
                self.wake_bots()
            return done.result, done.update

        return await self._alone(work)

    async def _carry_out(self, side: str, act: Callable[[Session, Callable[[], None]], Any]) -> _Done:
        """Act in a thread, which hands what it did straight to the clerk; returns when that is committed."""
        service, loop = self._service, asyncio.get_running_loop()
        settled: asyncio.Future[_Done] = loop.create_future()

        def job() -> None:
            try:
                done = self._act(side, act)
            except BaseException as error:
                tell(loop, [(settled, None, error)])
                return
            if done.progress is None:
                tell(loop, [(settled, done, None)])
            else:
                service.clerk.put(done.progress, loop, settled, done)

        (service.crew if side else service.bot_crew).put(job)
        return await settled

    def _act(self, side: str, act: Callable[[Session, Callable[[], None]], Any]) -> _Done:
        session = self.session
        turns = list(self._turns)
        number, low = self.number, len(session.answers)
        told: list[dict[str, Update]] = []
        bases: list[tuple[int, int]] = []

        def step() -> None:
            nonlocal number, low
            number += 1
            count = len(session.answers)
            low = min(low, count)
            del turns[count + 1 :]
            turns.extend([self.game.turn_of(session.battle)] * (count + 1 - len(turns)))
            sides = self._online()
            if side:
                sides.add(side)
            updates = {}
            for each in sorted(sides):
                eyes = self._eyes_of(each)
                lines, frames = eyes.sync(session, turns)
                updates[each] = self._update(each, number, turns, lines, frames)
                if each == side:
                    bases.append((lines, frames))
            told.append(updates)

        result = act(session, step)
        if not told:
            return _Done(result, None, turns, self._rows, told, None)
        added = answer_rows(session, turns, low)
        cut = len(self._rows) > low
        progress = Progress(
            id=self.id,
            before=self.number,
            standing=standing_of(session, number, self._undone or low < len(self._turns) - 1),
            since=low,
            cut=cut,
            answers=added,
            orders=list(session.orders) if session.orders != self._orders else None,
        )
        update = None
        if side and len(told) == 1:
            update = told[0][side]
        elif side:
            lines, frames = (min(base) for base in zip(*bases))
            update = self._update(side, number, turns, lines, frames)
        return _Done(result, progress, turns, self._rows[:low] + added, told, update)

    async def _reload(self) -> None:
        """Read the session anew: what is stored is what happened."""
        kept, (_, session) = await self._thread(self._read_again)
        self._settle(kept, session)
        self.wake_bots()

    def _read_again(self) -> tuple[Kept, tuple[Scene, Session]]:
        kept = self._service.store.read(self.id)
        return kept, open_kept(kept)

    async def _reload_if_possible(self) -> None:
        number = self.number
        try:
            await self._reload()
        except Exception:
            log.exception("battle %s could not be read again; it will be tried when somebody asks", self.id)
            return
        if self.number != number:
            self._spawn(self._tell())

    # -- telling ---------------------------------------------------------------------------------------------------

    def _deliver(self, told: list[dict[str, Update]]) -> None:
        for seat, queue in self._listeners:
            news = [updates[seat.side] for updates in told if seat.side in updates]
            if not news:
                continue
            if queue.qsize() + len(news) <= (queue.maxsize or PATIENCE):
                for update in news:
                    queue.put_nowait(update)
            else:
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(self._whole(news[-1]))

    def _whole(self, update: Update) -> Update:
        """The update with all of the log and the frames: for somebody who has missed some."""
        eyes = self._eyes_of(update.side)
        view = replace(update.view, log=list(eyes.lines))
        return replace(update, view=view, log_start=0, frames=list(eyes.frames), frames_start=0)

    async def _tell(self) -> None:
        """Tell everybody how things stand, although nobody has answered."""

        async def work() -> None:
            sides = self._online()

            def look() -> dict[str, Update]:
                return {side: self._now(side, 10**9, 10**9) for side in sorted(sides)}

            self._deliver([await self._thread(look)])

        await self._alone(work)

    def _eyes_of(self, side: str) -> Eyes:
        if side not in self._eyes:
            self._eyes[side] = Eyes(side, self._undone)
        return self._eyes[side]

    def _synced(self, side: str) -> Eyes:
        eyes = self._eyes_of(side)
        eyes.sync(self.session, self._turns)
        return eyes

    def _now(self, side: str, lines: int, frames: int) -> Update:
        """How things stand for a side that has so many lines and frames already."""
        eyes = self._synced(side)
        return self._update(side, self.number, self._turns, min(lines, eyes.line_floor), min(frames, eyes.frame_floor))

    def _update(self, side: str, number: int, turns: Sequence[tuple[int, str]], lines: int, frames: int) -> Update:
        """What a side sees, with the log from a line on and the frames from one on. Its eyes are up to date."""
        session, eyes = self.session, self._eyes_of(side)
        view = session.view(side, len(session.log))
        ask = session.ask
        if ask is not None and view.ask is None and self._may_answer(side):
            view.ask = ask_view(ask, ask.side, self.game.phrases, self.game.hints(session.battle, ask))
        lines, frames = max(0, min(lines, len(eyes.lines))), max(0, min(frames, len(eyes.frames)))
        view.log = eyes.lines[lines:]
        waiting: Literal["you", "other", "over"] = "over" if session.over else "other"
        if view.ask is not None:
            waiting = "you"
        return Update(
            number=number,
            seq=session.seq,
            side=side,
            waiting=waiting,
            view=view,
            log_start=lines,
            frames=eyes.frames[frames:],
            frames_start=frames,
            may_undo=self._undo_bar(side),
            orders=session.orders_of(side),
            seats=self._seat_views(),
        )

    def _seat_views(self) -> list[schema.SeatView]:
        online = self._online()
        return [
            schema.SeatView(seat.side, seat.player, seat.side in online or seat.side in self.bots)
            for seat in self._seats
            if seat.player != WATCHER
        ]

    def _may_answer(self, side: str) -> bool:
        """Whether the question is this side's, or asks for the faces of a program's dice, which any person can tell."""
        ask = self.session.ask
        if ask is None or side not in self.humans:
            return False
        return ask.side == side or (isinstance(ask, FacesAsk) and ask.side in self.bots)

    def _undo_bar(self, side: str) -> str:
        """Why a side cannot take its last answer back; the reason tells only what the side saw happen."""
        session = self.session
        if side not in self.humans:
            return "only players take answers back"
        if self.row.free_undo:
            mine = any(by in self.humans and not by_order for by, _, by_order in session.given)
            return "" if mine else "nothing has been answered yet"
        if not session.may_undo(side):
            return ""
        if isinstance(session.ask, FacesAsk) and self._may_answer(side):
            return "a die has been rolled since"
        last = next((a for a in reversed(session.answers) if a.side == side and not a.by_order), None)
        if last is None:
            return "nothing has been answered yet"
        since = [event for event in session.log[last.log :] if may_read(event, side)]
        if any(isinstance(event, Rolled) for event in since):
            return "a die has been rolled since"
        if any(event.shows for event in since):
            return "something secret has been shown since"
        return "play has gone on since"

    # -- programs --------------------------------------------------------------------------------------------------

    def wake_bots(self) -> None:
        """Let a program think, if it is asked."""
        if not self.bots_turn() or (self._bot_task is not None and not self._bot_task.done()):
            return
        self._bot_task = self._spawn(play_bots(self, self._service.thinkers, self._service.pace))

    def bots_turn(self) -> bool:
        """Whether a program is asked, and the room still open to it."""
        ask = self.session.ask
        return not self._closed and ask is not None and ask.side in self.bots and not isinstance(ask, FacesAsk)

    async def let_bot_choose(self, choose: Callable[[Session], str | None]) -> bool:
        """Let a program that needs no time choose and answer in one go; whether it did."""

        def act(session: Session, step: Callable[[], None]) -> bool:
            if not self.bots_turn() or (key := choose(session)) is None:
                return False
            session.answer(key)
            step()
            return True

        answered, _ = await self._change("", act)
        return answered

    def note_thought(self, number: int, thought: Thought) -> None:
        """Keep what a program thought; nobody waits until it is written."""
        if idle(thought):
            return
        change = NewThought(self.id, number, self.notebook.add(number, thought), thought)
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        done.add_done_callback(_overhear)
        self._service.clerk.put(change, loop, done)

    async def answer_for_bot(self, side: str, seq: int, key: str) -> None:
        """A program's answer; it is stored and told like a person's."""

        def act(session: Session, step: Callable[[], None]) -> None:
            if session.ask is None or session.ask.side != side:
                raise StaleError(seq, session.seq)
            session.answer(key, seq)
            step()

        await self._change("", act)


def _overhear(done: asyncio.Future[None]) -> None:
    """Note what could not be written, where nobody waits for it."""
    if not done.cancelled() and (error := done.exception()) is not None:
        log.warning("%s", error)
