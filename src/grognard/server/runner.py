"""Runs a live battle: all work on its session is done in a thread, by one at a time.

A change is stored before anybody hears of it. One that cannot be stored has not happened, and the battle is read again
from the store.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NamedTuple, TypeVar

from grognard.core.errors import IllegalError, StaleError
from grognard.core.session import Session, UndoError
from grognard.server.errors import ForbiddenError
from grognard.server.position import Position
from grognard.server.rows import AnswerRow, answer_rows, open_stored, standing_of
from grognard.server.schema import Update
from grognard.server.seats import Seat
from grognard.server.store import Progress, Store
from grognard.server.thinking_threads import ThinkingThreads
from grognard.server.threads import ThreadPool, tell
from grognard.server.writer import Writer

log = logging.getLogger("grognard.server")

#: How many updates wait for a listener whose queue has no limit of its own.
PATIENCE = 64
#: Seconds for which somebody who has asked for something counts as present.
PRESENT = 60.0

T = TypeVar("T")
#: Changes a session, and calls what it is given after every step that people may want to see.
Act = Callable[[Session, Callable[[], None]], T]


class Resources(NamedTuple):
    """What all battles of a server share. People's calls never queue up behind those of programs."""

    store: Store
    writer: Writer
    people: ThreadPool
    bots: ThreadPool
    aids: ThreadPool
    thinking: ThinkingThreads
    pace: float


class _Done(NamedTuple):
    """What a change did: what must be stored, and what everybody will then be told."""

    result: Any
    progress: Progress | None
    turns: list[tuple[int, str]]
    rows: list[AnswerRow]
    told: list[dict[str, Update]]
    update: Update | None


class Runner:
    """Changes a battle, stores that and tells it. ``position`` is touched only inside ``run`` and ``change``."""

    def __init__(self, resources: Resources, position: Position, changed: Callable[[], None]) -> None:
        self.id = position.row.id
        self.resources, self.position = resources, position
        self.closed = False
        #: The address of whoever sat here last, when that was, and when anything was done.
        self.caller = ""
        self.seen = float("-inf")
        self.used = time.monotonic()
        self._changed = changed
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._listeners: list[tuple[Seat, asyncio.Queue[Update]]] = []
        self._broken = False

    # -- who is here -----------------------------------------------------------------------------------------------

    def listen(self, seat: Seat, queue: asyncio.Queue[Update]) -> None:
        """Put an update into the queue after every answer, from now on."""
        before = self.online
        self._listeners.append((seat, queue))
        self.used = time.monotonic()
        if self.online != before:
            self.spawn(self._tell())
        self._changed()

    def leave(self, queue: asyncio.Queue[Update]) -> None:
        """Put nothing more into the queue."""
        before = self.online
        self._listeners = [each for each in self._listeners if each[1] is not queue]
        self.used = time.monotonic()
        if self.online != before and not self.closed:
            self.spawn(self._tell())

    @property
    def online(self) -> set[str]:
        """The sides that somebody listens for."""
        return {seat.side for seat, _ in self._listeners}

    @property
    def attended(self) -> bool:
        """Whether somebody listens, or has asked for something lately."""
        return bool(self._listeners) or time.monotonic() - self.seen < PRESENT

    @property
    def idle(self) -> bool:
        """Whether nobody listens, nobody waits and no program thinks."""
        return not self._listeners and not self._tasks and not self._lock.locked()

    # -- one at a time -----------------------------------------------------------------------------------------------

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start something that must end before the battle is closed."""
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

        return await asyncio.shield(self.spawn(held()))

    async def run(self, work: Callable[[], T], for_bot: bool = False) -> T:
        """Run something with the session in a thread, while nobody else touches it. It must not change the session."""
        threads = self.resources.bots if for_bot else self.resources.people
        return await self._alone(lambda: threads.do(work))

    async def close(self) -> None:
        """Let what has begun end."""
        self.closed = True
        while self._tasks:
            await asyncio.wait(self._tasks)

    # -- changing ------------------------------------------------------------------------------------------------------

    async def change(self, side: str, act: Act[T]) -> tuple[T, Update]:
        """Let ``act`` change the session for a person's side, store that, and tell everybody."""
        done = await self._alone(lambda: self._change(side, act))
        assert done.update is not None
        return done.result, done.update

    async def change_for_bot(self, act: Act[T]) -> T:
        """Let ``act`` change the session for a program; it is stored and told like a person's change."""
        result: T = (await self._alone(lambda: self._change("", act))).result
        return result

    async def _change(self, side: str, act: Act[Any]) -> _Done:
        try:
            done = await self._carry_out(side, act)
        except (IllegalError, StaleError, UndoError, ForbiddenError):
            raise  # these have changed nothing
        except BaseException:
            self._broken = True
            await self._reload_if_possible()
            raise
        if done.progress is not None:
            position = self.position
            position.turns, position.rows = done.turns, done.rows
            position.number = done.progress.standing.number
            position.undone = done.progress.standing.undone
            position.orders = list(position.session.orders)
            position.stored_take_back = position.take_back
            self._deliver(done.told)
            self._changed()
        return done

    async def _carry_out(self, side: str, act: Act[Any]) -> _Done:
        """Act in a thread, which hands what it did straight to the writer; returns when that is committed."""
        resources, loop = self.resources, asyncio.get_running_loop()
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
                resources.writer.put(done.progress, loop, settled, done)

        (resources.people if side else resources.bots).put(job)
        return await settled

    def _act(self, side: str, act: Act[Any]) -> _Done:
        position = self.position
        session = position.session
        turns = list(position.turns)
        number, low = position.number, len(session.answers)
        told: list[dict[str, Update]] = []
        bases: list[tuple[int, int]] = []
        seq, asked = session.seq, position.take_back

        def step() -> None:
            nonlocal number, low
            number += 1
            if session.seq != seq and position.take_back is asked:
                position.take_back = None  # somebody has played on
            count = len(session.answers)
            low = min(low, count)
            del turns[count + 1 :]
            turns.extend([session.game.turn_of(session.battle)] * (count + 1 - len(turns)))
            online = self.online
            updates = {}
            for each in sorted(online | {side} if side else online):
                lines, frames = position.log_of(each).sync(session, turns)
                updates[each] = position.update(each, number, lines, frames, online)
                if each == side:
                    bases.append((lines, frames))
            told.append(updates)

        result = act(session, step)
        if not told:
            return _Done(result, None, turns, position.rows, told, None)
        added = answer_rows(session, turns, low)
        take_back = position.take_back
        progress = Progress(
            id=self.id,
            before=position.number,
            standing=standing_of(session, number, position.undone or low < len(position.turns) - 1),
            since=low,
            cut=len(position.rows) > low,
            answers=added,
            orders=list(session.orders) if session.orders != position.orders else None,
            take_back=None if take_back == position.stored_take_back else [take_back] if take_back else [],
        )
        update = None
        if side and len(told) == 1:
            update = told[0][side]
        elif side:
            lines, frames = (min(base) for base in zip(*bases))
            update = position.update(side, number, lines, frames, self.online)
        return _Done(result, progress, turns, position.rows[:low] + added, told, update)

    async def _reload(self) -> None:
        """Read the battle again: what is stored is what happened."""

        def read() -> Position:
            stored = self.resources.store.read(self.id)
            return Position(stored, open_stored(stored)[1])

        self.position = await self.resources.people.do(read)
        self._broken = False
        self._changed()

    async def _reload_if_possible(self) -> None:
        number = self.position.number
        try:
            await self._reload()
        except Exception:
            log.exception("battle %s could not be read again; it will be tried when somebody asks", self.id)
            return
        if self.position.number != number:
            self.spawn(self._tell())

    # -- telling -------------------------------------------------------------------------------------------------------

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
                queue.put_nowait(self.position.whole(news[-1]))

    async def _tell(self) -> None:
        """Tell everybody how things stand, although nobody has answered."""

        async def work() -> None:
            online = self.online

            def look() -> dict[str, Update]:
                return {side: self.position.now(side, 10**9, 10**9, online) for side in sorted(online)}

            self._deliver([await self.resources.people.do(look)])

        await self._alone(work)
