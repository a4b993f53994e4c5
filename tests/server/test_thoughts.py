"""What programs thought, and who is told of it when."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from grognard.core.session import Session
from grognard.core.tactics import Proposal, Reason
from grognard.players import seats
from grognard.players.thought import Thought, note, weighed
from grognard.server import bots, room, thoughts
from grognard.server.errors import ForbiddenError
from grognard.server.thoughts import Censor, Notebook, view_of
from tests.server.rooms import Table, open_hall, run


class Musing:
    """A program that answers at random and says what it thought."""

    thinks = True

    def __init__(self, seed: str = "") -> None:
        self.rng = Random(seed)
        self.thought: Thought | None = None

    def choose_from(self, probe: Session, deadline: float) -> str:
        ask = probe.ask
        assert ask is not None
        options = self.rng.sample(ask.options, min(4, len(ask.options)))
        found = [
            weighed(Proposal(each.key, 5.0 - number, (Reason(f"because of {each.unit or 'it'}", 1.0),)), each)
            for number, each in enumerate(options)
        ]
        self.thought = note(probe, "normal", options[0].key, found, seconds=0.01, standing=0.25)
        return options[0].key


@pytest.fixture(autouse=True)
def musing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def make_player(name: str, seed: str) -> Any:
        return seats.make_player(name, seed) if name == "human" else Musing(seed)

    monkeypatch.setattr(bots, "make_player", make_player)
    monkeypatch.setattr(room, "make_player", make_player)
    yield


async def a_while(table: Table, answers: int) -> None:
    rng = Random(1)
    for _ in range(answers):
        if await table.room.run(lambda: table.room.session.over):
            return
        await table.play(1, rng)


def test_somebody_who_plays_alone_reads_what_was_thought_of_what_they_saw(database: str) -> None:
    async def main() -> None:
        async with open_hall(database) as hall:
            table = await Table.make(hall, seed="3", players={"german": "random"})
            await a_while(table, 30)
            seat = table.seat("american")
            found = await table.room.thoughts(seat, 0)
            assert found.open and found.thoughts
            session = table.room.session
            censor = Censor(session, "american")
            for each in found.thoughts:
                assert each.side == "german" and each.standing is None
                assert session.answers[each.number].key == each.chosen
                assert censor.saw(each.number)
                for option in each.options:
                    assert option.estimate is None
                    assert option.key or option.label == thoughts.UNSEEN
                    assert option.unit not in censor.unseen
            last = found.thoughts[-1].number
            assert next(each.number for each in (await table.room.thoughts(seat, last)).thoughts) == last
            watcher = await table.room.thoughts(table.seat("watcher"), 0)
            assert not watcher.open and watcher.why and not watcher.thoughts

    run(main)


def test_between_people_nothing_is_told_before_the_end(database: str) -> None:
    async def main() -> None:
        async with open_hall(database) as hall:
            table = await Table.make(hall, invite=True)
            found = await table.room.thoughts(table.seat("american"), 0)
            assert not found.open and "over" in found.why

    run(main)


def test_when_it_is_over_everybody_reads_all_of_it(database: str) -> None:
    async def main() -> None:
        async with open_hall(database) as hall:
            table = await Table.make(hall, seed="1", players={"american": "random", "german": "random"})
            while not await table.room.run(lambda: table.room.session.over):
                await asyncio.sleep(0.02)
            found = await table.room.thoughts(table.seat("watcher"), 0)
            assert found.open and 0 < len(found.thoughts) <= thoughts.MOST
            assert all(each.standing == 0.25 for each in found.thoughts)
            numbers = [each.number for each in found.thoughts]
            assert numbers == sorted(numbers)

    run(main)


def test_advice_is_for_whoever_is_asked(database: str) -> None:
    async def main() -> None:
        async with open_hall(database) as hall:
            table = await Table.make(hall)
            seat, update = await table.asked()
            advice = await table.room.advice(seat, update.seq, "normal")
            assert update.view.ask is not None
            assert advice.chosen in {option.key for option in update.view.ask.options}
            assert advice.side == seat.side and advice.title == "Normal"
            for side in ("american", "german"):
                if side != seat.side:
                    with pytest.raises(ForbiddenError):
                        await table.room.advice(table.seat(side), update.seq, "normal")

    run(main)


def thought(session: Session) -> Thought:
    player = Musing("x")
    player.choose_from(session.probe(), 0.0)
    assert player.thought is not None
    return player.thought


def test_a_notebook_forgets_what_was_taken_back(database: str) -> None:
    async def main() -> None:
        async with open_hall(database) as hall:
            session = (await Table.make(hall)).room.session
            notebook = Notebook()
            first = thought(session)
            notebook.add(0, first)
            assert not list(notebook.standing(session)), "it has not been answered yet"
            session.answer(first.chosen)
            assert list(notebook.standing(session)) == [(0, first)]
            notebook.add(0, first)
            assert list(notebook.standing(session)) == [(0, first)], "a new thought takes the old one's place"
            for number in range(1, 2 * thoughts.MOST):
                notebook.add(number, first)
            assert len(notebook._notes) == thoughts.MOST

    run(main)


def test_a_censor_names_nothing_that_is_not_seen(database: str) -> None:
    async def main() -> None:
        async with open_hall(database) as hall:
            session = (await Table.make(hall)).room.session
            player = Musing("y")
            player.choose_from(session.probe(), 0.0)
            assert player.thought is not None
            side = next(side for side in session.scenario.sides if side != player.thought.side)
            censor = Censor(session, side)
            assert censor.hides("an ambush waits") and not censor.hides("38 % to break it")
            for unit in censor.unseen:
                assert censor.hides(f"with {unit} beside it")
                assert censor.hides(session.game.names(session.battle)[unit])
            shown = view_of(0, player.thought, 0, censor)
            for option in shown.options:
                assert option.unit not in censor.unseen
                assert all(unit not in why.text.split() for why in option.reasons for unit in censor.unseen)

    run(main)
