"""Thinking for many battles: people come first, and nobody waits because somebody else asks much."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from grognard.server import thinking_threads as module
from grognard.server.thinking_threads import ThinkingThreads
from grognard.server.threads import ThreadPool
from tests.server.playing import run


def test_people_do_not_wait_for_battles_of_programs() -> None:
    async def main() -> None:
        thinking = ThinkingThreads(threads=2, budget=5)
        going, order = threading.Event(), []

        def think(name: str, wait: bool = False) -> str:
            if wait:
                going.wait(10)
            order.append(name)
            return name

        alone = [
            asyncio.create_task(thinking.choose(lambda _, n=n: think(f"program {n}", True), caller=None))  # type: ignore[misc]
            for n in range(5)
        ]
        await asyncio.sleep(0.2)
        began = time.monotonic()
        assert await thinking.choose(lambda _: think("person"), caller="somebody") == "person"
        assert time.monotonic() - began < 2 and order == ["person"]
        going.set()
        assert len(await asyncio.gather(*alone)) == 5
        thinking.stop()

    run(main)


def test_callers_take_turns() -> None:
    async def main() -> None:
        thinking = ThinkingThreads(threads=1, budget=5)
        going, order = threading.Event(), []

        def think(name: str) -> None:
            going.wait(10)
            order.append(name)

        many = [asyncio.create_task(thinking.choose(lambda _: think("many"), caller="many")) for _ in range(6)]
        await asyncio.sleep(0.1)
        few = [asyncio.create_task(thinking.choose(lambda _: think("few"), caller="few")) for _ in range(2)]
        await asyncio.sleep(0.1)
        going.set()
        await asyncio.gather(*many, *few)
        assert order[:5].count("few") == 2, order
        thinking.stop()

    run(main)


def test_a_thread_that_comes_back_works_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """When so many are lost that no more are started, those that come back are not lost as well."""
    monkeypatch.setattr(module, "LOST", 1)

    async def main() -> None:
        thinking = ThinkingThreads(threads=1, budget=0.05)
        stuck = threading.Event()
        for _ in range(2):
            assert await thinking.choose(lambda _: stuck.wait(10)) is None
        stuck.set()
        async with asyncio.timeout(10):
            assert await thinking.choose(lambda _: "found") == "found"
        thinking.stop()

    run(main)


def test_those_who_look_things_up_take_turns_and_all_of_it_is_done() -> None:
    async def main() -> None:
        pool = ThreadPool(1, "aids", turns=True)
        going, order = threading.Event(), []

        def look(name: str) -> None:
            going.wait(10)
            order.append(name)

        first = asyncio.create_task(pool.do(lambda: look("first"), "crowd"))
        await asyncio.sleep(0.1)
        many = [asyncio.create_task(pool.do(lambda n=n: look(f"crowd {n}"), "crowd")) for n in range(6)]  # type: ignore[misc]
        await asyncio.sleep(0.1)
        one = asyncio.create_task(pool.do(lambda: look("somebody"), "somebody"))
        await asyncio.sleep(0.1)
        going.set()
        await one
        assert order.index("somebody") <= 2
        pool.stop()  # what was asked for is done first
        assert len(order) == 8
        await asyncio.gather(first, *many)

    run(main)
