"""Programs at the table: they play like people, within their time, on what they know, and keep nobody waiting."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard.core.ask import Ask, Option
from grognard.core.session import Session
from grognard.core.view import View
from grognard.players import seats
from grognard.players.random import RandomPlayer
from grognard.server import bots
from grognard.server.bots import simple_answer
from grognard.server.schema import Update
from grognard.server.thinking_threads import ThinkingThreads
from tests.server.playing import Table, open_battles, pick, run


class Odd:
    """A program that does what a test wants."""

    looks = False

    def __init__(self, choose: Callable[[View | None, Ask], str]) -> None:
        self.choose = choose


class Deep:
    """A program that thinks ahead as a test wants."""

    thinks = True

    def __init__(self, choose_from: Callable[[Session, float], str]) -> None:
        self.choose_from = choose_from


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """Takes the place of the program "random" in battles."""
    made: dict[str, Any] = {}

    def make_player(name: str, seed: str) -> Any:
        return made["player"] if "player" in made else seats.make_player(name, seed)

    monkeypatch.setattr(bots, "make_player", make_player)
    yield made


def first(view: View | None, ask: Ask) -> str:
    return RandomPlayer(1).choose(None, ask)


async def over(table: Table) -> None:
    while not await table.battle.runner.run(lambda: table.battle.session.over):
        await asyncio.sleep(0.02)


# ---- playing -------------------------------------------------------------------------------------------------------


def test_programs_play_to_the_end_and_everybody_sees_each_step(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, seed="1", players={"american": "random", "german": "random"})
            queue: asyncio.Queue[Update] = asyncio.Queue(10_000)
            table.battle.runner.listen(table.seat("watcher"), queue)
            await over(table)
            numbers = [update.number for update in (queue.get_nowait() for _ in range(queue.qsize()))]
            steps = sorted(set(numbers))
            assert steps == list(range(steps[0], table.battle.runner.position.number + 1))
            assert len(battles.store.read(table.battle.id).answers) == len(table.battle.session.answers)

    run(main)


def test_a_person_and_a_program(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, scenario="canal_bridge", players={"german": "random"})
            rng = Random(1)
            await table.play(60, rng)
            sides = {answer.side for answer in battles.store.read(table.battle.id).answers}
            assert sides == {"german", *table.sides}

    run(main)


def test_a_program_plays_on_after_a_restart_as_it_would_have(database: str) -> None:
    async def main() -> None:
        given = []
        for restarts in (0, 6):
            table = None
            for count in range(restarts + 1):
                async with open_battles(database) as battles:
                    if table is None:
                        table = await Table.make(battles, seed="3", players={"german": "random"})
                        rng = Random(5)
                    else:
                        table = await table.again(battles)
                    await table.play(6 if count < restarts else 60 - 6 * restarts, rng)
                    await table.asked()
                    answers = battles.store.read(table.battle.id).answers
            given.append([(answer.side, answer.key) for answer in answers])
        assert given[0] == given[1]

    run(main)


def test_the_pace_of_programs(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db"), pace=0.1) as battles:
            begun = time.monotonic()
            table = await Table.make(battles, seed="1", players={"american": "random", "german": "random"})
            while len(table.battle.runner.position.rows) < 5:
                await asyncio.sleep(0.01)
            assert time.monotonic() - begun >= 0.5

    run(main)


# ---- thinking ------------------------------------------------------------------------------------------------------


def test_a_program_sees_only_what_its_side_knows(tmp_path: Path, program: dict[str, Any]) -> None:
    """It gets a copy with dice of its own and without the enemy's secrets, and a deadline."""
    secret: list[str] = []
    seen: list[str] = []
    hidden: list[str] = []
    late: list[float] = []

    def choose_from(probe: Session, deadline: float) -> str:
        assert probe.ask is not None
        late.append(deadline - time.monotonic())
        for unit in probe.battle.state.units.values():
            if unit.hidden and unit.status == "map":
                (hidden if unit.side == probe.ask.side else secret).append(unit.id)
            elif unit.side != probe.ask.side:
                seen.append(unit.id)
        if probe.dice.seed == dice:  # type: ignore[attr-defined]
            secret.append("the dice")
        return RandomPlayer(len(late)).choose(None, probe.ask)

    program["player"] = Deep(choose_from)
    dice = b"of the game"

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            both = dict.fromkeys(("german", "soviet"), "random")
            table = await Table.make(battles, scenario="causeway", seed=dice.decode(), players=both)
            while len(table.battle.runner.position.rows) < 100:
                await asyncio.sleep(0.02)
            assert table.battle.session.dice.seed == dice  # type: ignore[attr-defined]

    run(main)
    assert seen
    assert hidden
    assert not secret
    assert all(0 < left <= 1.0 for left in late)


def test_people_look_while_a_program_thinks(tmp_path: Path, program: dict[str, Any]) -> None:
    """The battle is not locked meanwhile, and what is taken back makes the thought worthless."""
    go, thinking = threading.Event(), threading.Event()
    asked: list[int] = []

    def choose(view: View | None, ask: Ask) -> str:
        asked.append(ask.seq)
        thinking.set()
        go.wait(10)
        return first(view, ask)

    program["player"] = Odd(choose)

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db"), budget=20) as battles:
            table = await Table.make(battles, seed="1", free_undo=True, players={"german": "random"})
            battle, seat = table.battle, table.seat("american")
            rng = Random(1)
            while not thinking.is_set():
                update = await battle.update(seat)
                if update.waiting == "you":
                    await battle.answer(seat, update.seq, pick(update, rng))
                await asyncio.sleep(0.01)
            update = await battle.update(seat)
            assert update.waiting == "other"
            if not update.may_undo:
                back = await battle.undo(seat, update.seq)
                assert back.waiting == "you"
            go.set()
            await asyncio.sleep(0.2)
            now = await battle.update(seat)
            assert now.seq == back.seq  # the late answer was for a question that no longer stands
            await battle.answer(seat, now.seq, pick(now, rng))

    run(main)


def test_a_program_that_takes_too_long_passes(tmp_path: Path, program: dict[str, Any]) -> None:
    """Something simple is answered for it, and other programs still have threads to think in."""
    stuck = threading.Event()

    def choose(view: View | None, ask: Ask) -> str:
        stuck.wait(5)
        return first(view, ask)

    program["player"] = Odd(choose)

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db"), budget=0.05) as battles:
            begun = time.monotonic()
            table = await Table.make(battles, seed="1", players={"american": "random", "german": "random"})
            while len(table.battle.runner.position.rows) < 6:
                await asyncio.sleep(0.01)
            assert time.monotonic() - begun < 5
            stuck.set()
            program.pop("player")
            await over(table)

    run(main)


@pytest.mark.parametrize("fault", ["raises", "illegal"])
def test_a_program_that_fails_is_helped_out(fault: str, tmp_path: Path, program: dict[str, Any]) -> None:
    def choose(view: View | None, ask: Ask) -> str:
        if fault == "raises":
            raise ZeroDivisionError("a fault in the program")
        return "attack everything"

    program["player"] = Odd(choose)

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles, seed="1", players={"german": "random"})
            await table.play(12, Random(2))
            german = [answer for answer in battles.store.read(table.battle.id).answers if answer.side == "german"]
            assert german

    run(main)


def test_a_program_tries_again_when_its_answer_could_not_be_stored(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            right, failures = battles.store.write, 0

            def failing(changes: Any) -> None:
                nonlocal failures
                failures += 1
                if failures % 5 == 4 and failures < 12:
                    raise OSError("no space")
                right(changes)

            battles.store.write = failing  # type: ignore[method-assign]
            table = await Table.make(battles, seed="1", players={"american": "random", "german": "random"})
            await over(table)
            assert failures > 12
            assert len(battles.store.read(table.battle.id).answers) == len(table.battle.session.given)

    run(main)


def test_the_simple_answer() -> None:
    shots = [Option(f"fire {n}", verb="fire") for n in range(4)]
    assert simple_answer(Ask("red", "?", [*shots, Option("hold", verb="pass")]), "x") == "hold"
    assert simple_answer(Ask("red", "?", shots), "x") in [option.key for option in shots]


def test_threads_are_shared_fairly() -> None:
    """Games take turns: whoever has thought goes to the end of the queue."""

    async def main() -> None:
        thinking = ThinkingThreads(threads=1, budget=5)
        thought: list[str] = []

        async def play(game: str) -> None:
            def think(deadline: float) -> str:
                time.sleep(0.02)
                thought.append(game)
                return game

            for _ in range(4):
                assert await thinking.choose(think) == game

        await asyncio.gather(*(play(game) for game in "abcd"))
        assert "".join(thought) == "abcd" * 4
        thinking.stop()

    run(main)


def test_a_thought_that_is_not_wanted_any_more_is_not_thought() -> None:
    async def main() -> None:
        thinking = ThinkingThreads(threads=1, budget=1)
        gate = threading.Event()
        thought: list[int] = []

        def think(number: int) -> Callable[[float], str]:
            def work(deadline: float) -> str:
                gate.wait(5)
                thought.append(number)
                return str(number)

            return work

        tasks = [asyncio.create_task(thinking.choose(think(number))) for number in range(3)]
        await asyncio.sleep(0.05)
        tasks[1].cancel()
        await asyncio.sleep(0)
        gate.set()
        assert await tasks[0] == "0"
        assert await tasks[2] == "2"
        assert thought == [0, 2]
        thinking.stop()

    run(main)


def test_a_program_goes_on_when_another_server_has_changed_the_battle(tmp_path: Path) -> None:
    """Two servers on one database: whoever was slower reads the battle anew, and its program plays on."""

    async def main() -> None:
        database = str(tmp_path / "games.db")
        async with open_battles(database) as one, open_battles(database) as two:
            table = await Table.make(one, seed="1", players={"american": "random", "german": "random"})
            other = await table.again(two)
            await over(table)
            await over(other)
            stored = one.store.read(table.battle.id)
            assert stored.standing.over
            given = [(answer.side, answer.key, answer.by_order) for answer in stored.answers]
            assert given == table.battle.session.given or not table.battle.session.over

    run(main)
