"""Short words for tests that play battles without any web about them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any, TypeVar

from grognard.server.battles import Battles
from grognard.server.live_battle import LiveBattle
from grognard.server.schema import NewBattle, SeatKey, Update
from grognard.server.seats import Seat

T = TypeVar("T")


def run(work: Callable[[], Awaitable[T]]) -> T:
    """Run a test's coroutine; one that hangs fails."""

    async def limited() -> T:
        return await asyncio.wait_for(work(), 60)

    return asyncio.run(limited())


@asynccontextmanager
async def open_battles(database: str, **options: Any) -> AsyncIterator[Battles]:
    """The battles of a database."""
    battles = Battles(database, **options)
    await battles.start()
    try:
        yield battles
    finally:
        await battles.stop()


class Table:
    """A battle with its seats by side."""

    def __init__(self, battle: LiveBattle, keys: list[SeatKey]) -> None:
        self.battle = battle
        self.tokens = {key.side: key.token for key in keys}

    @classmethod
    async def make(cls, battles: Battles, scenario: str = "first_patrol", **options: Any) -> Table:
        """A new battle, which somebody looks at: programs alone play only then."""
        table = cls(*await battles.make(NewBattle(game="ost", scenario=scenario, **options)))
        table.seat("watcher")
        return table

    async def again(self, battles: Battles) -> Table:
        """The same battle on another server."""
        table = Table(await battles.open(self.battle.id), [SeatKey(side, token) for side, token in self.tokens.items()])
        table.seat("watcher")
        return table

    def seat(self, side: str) -> Seat:
        """The seat of a side."""
        return self.battle.seat(self.tokens[side])

    @property
    def sides(self) -> list[str]:
        """The sides that people play."""
        return [side for side in self.tokens if side != "watcher"]

    async def asked(self) -> tuple[Seat, Update]:
        """The seat that is asked, and what it sees; the battle must not be over."""
        while True:
            for side in self.sides:
                update = await self.battle.update(self.seat(side))
                assert update.waiting != "over"
                if update.waiting == "you":
                    return self.seat(side), update
            await asyncio.sleep(0.001)

    async def play(self, count: int, rng: Random, verbs: bool = True) -> int:
        """Answer at random so many times, or to the end; how many answers were given."""
        for given in range(count):
            if await self.battle.runner.run(lambda: self.battle.session.over):
                return given
            seat, update = await self.asked()
            await self.battle.answer(seat, update.seq, pick(update, rng))
        return count

    async def until(self, test: Callable[[Update], bool], rng: Random, most: int = 600) -> tuple[Seat, Update]:
        """Play at random until a question like this is asked."""
        for _ in range(most):
            seat, update = await self.asked()
            if test(update):
                return seat, update
            await self.battle.answer(seat, update.seq, pick(update, rng))
        raise AssertionError("no such question was asked")


def pick(update: Update, rng: Random) -> str:
    """A random answer: first a verb, then one of its options."""
    ask = update.view.ask
    assert ask is not None
    if ask.dice is not None:
        return " ".join(["dice", *(str(rng.randint(1, ask.dice.sides)) for _ in range(ask.dice.number))])
    verb = rng.choice(sorted({option.verb for option in ask.options}))
    return rng.choice([option for option in ask.options if option.verb == verb]).key
