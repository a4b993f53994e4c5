"""What programs thought, and who is told of it when."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from grognard.core.open_files import open_scenario
from grognard.core.session import Session
from grognard.core.tactics import Proposal, Reason
from grognard.players import seats
from grognard.players.thought import Thought, Weighed, Why, note, weighed
from grognard.server import bots, live_battle, thought_views
from grognard.server.errors import ForbiddenError
from grognard.server.sql_tables import thoughts as stored
from grognard.server.store import Store
from grognard.server.thought_log import MOST, ThoughtLog, idle, stored_thoughts
from grognard.server.thought_views import Censor, view_of
from tests.server.playing import Table, open_battles, run


class Musing:
    """A program that answers at random and says what it thought."""

    thinks = True

    def __init__(self, seed: str = "", name: str = "normal") -> None:
        self.rng, self.name = Random(seed), name
        self.thought: Thought | None = None

    def choose_from(self, probe: Session, deadline: float) -> str:
        ask = probe.ask
        assert ask is not None
        options = self.rng.sample(ask.options, min(4, len(ask.options)))
        found = [
            weighed(Proposal(each.key, 5.0 - number, (Reason(f"because of {each.unit or 'it'}", 1.0),)), each)
            for number, each in enumerate(options)
        ]
        self.thought = note(probe, self.name, options[0].key, found, seconds=0.01, standing=0.25)
        return options[0].key


@pytest.fixture(autouse=True)
def musing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def make_player(name: str, seed: str) -> Any:
        return seats.make_player(name, seed) if name == "human" else Musing(seed, name)

    monkeypatch.setattr(bots, "make_player", make_player)
    monkeypatch.setattr(live_battle, "make_player", make_player)
    yield


async def a_while(table: Table, answers: int) -> None:
    rng = Random(1)
    for _ in range(answers):
        if await table.battle.runner.run(lambda: table.battle.session.over):
            return
        await table.play(1, rng)


def test_somebody_who_plays_alone_reads_what_was_thought_of_what_they_saw(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, seed="3", players={"german": "random"})
            await a_while(table, 30)
            seat = table.seat("american")
            found = await table.battle.thoughts(seat, 0)
            assert found.open and found.thoughts
            session = table.battle.session
            censor = Censor(session, "american")
            for each in found.thoughts:
                assert each.side == "german" and each.standing is None
                assert session.answers[each.number].key == each.chosen
                assert censor.saw(each.number)
                for option in each.options:
                    assert option.estimate is None
                    assert option.key or option.label == thought_views.UNSEEN
                    assert option.unit not in censor.unseen
            last = found.thoughts[-1].number
            assert next(each.number for each in (await table.battle.thoughts(seat, last)).thoughts) == last
            watcher = await table.battle.thoughts(table.seat("watcher"), 0)
            assert not watcher.open and watcher.why and not watcher.thoughts

    run(main)


def test_between_people_nothing_is_told_before_the_end(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, invite=True)
            found = await table.battle.thoughts(table.seat("american"), 0)
            assert not found.open and "over" in found.why

    run(main)


def test_when_it_is_over_everybody_reads_all_of_it(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, seed="1", players={"american": "random", "german": "random"})
            while not await table.battle.runner.run(lambda: table.battle.session.over):
                await asyncio.sleep(0.02)
            found = await table.battle.thoughts(table.seat("watcher"), 0)
            assert found.open and 0 < len(found.thoughts) <= MOST
            assert all(each.standing == 0.25 for each in found.thoughts)
            numbers = [each.number for each in found.thoughts]
            assert numbers == sorted(numbers)

    run(main)


def test_advice_is_for_whoever_is_asked(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles)
            seat, update = await table.asked()
            advice = await table.battle.advice(seat, update.seq)
            assert update.view.ask is not None
            assert advice.chosen in {option.key for option in update.view.ask.options}
            assert (advice.side, advice.player) == (seat.side, seats.DEFAULT), "who plays where nobody says who"
            thorough = await table.battle.advice(seat, update.seq, thorough=True)
            assert (thorough.side, thorough.player) == (seat.side, seats.levels()[-1].name)
            for side in ("american", "german"):
                if side != seat.side:
                    with pytest.raises(ForbiddenError):
                        await table.battle.advice(table.seat(side), update.seq)

    run(main)


def thought(session: Session) -> Thought:
    player = Musing("x")
    player.choose_from(session.probe(), 0.0)
    assert player.thought is not None
    return player.thought


def test_a_notebook_forgets_what_was_taken_back(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            session = (await Table.make(battles)).battle.session
            thought_log = ThoughtLog()
            first = thought(session)
            thought_log.add(0, first)
            assert not list(thought_log.standing(session)), "it has not been answered yet"
            session.answer(first.chosen)
            assert list(thought_log.standing(session)) == [(0, first)]
            thought_log.add(0, first)
            assert list(thought_log.standing(session)) == [(0, first)], "a new thought takes the old one's place"
            for number in range(1, 2 * MOST):
                thought_log.add(number, first)
            assert len(thought_log._notes) == MOST

    run(main)


def test_the_latest_thought_of_a_side_is_told_while_its_answer_stands(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            session = (await Table.make(battles)).battle.session
            thought_log, first = ThoughtLog(), thought(session)
            thought_log.add(0, first)
            assert thought_log.latest(session, first.side) is None, "it has not been answered yet"
            session.answer(first.chosen)
            assert thought_log.latest(session, first.side) is first
            assert thought_log.latest(session, "nobody") is None
            second = thought(session)
            other = next(each.key for each in session.ask.options if each.key != second.chosen)  # type: ignore[union-attr]
            thought_log.add(1, second)
            session.answer(other)
            assert thought_log.latest(session, second.side) is None, "something else was answered"

    run(main)


def test_a_program_that_plans_is_told_how_its_last_answer_was_meant(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, Thought]] = []

    class Planning(Musing):
        """Remembers by being told."""

        def recall(self, thought: Thought) -> None:
            told.append((len(table.battle.session.answers), thought))

    monkeypatch.setattr(bots, "make_player", lambda name, seed: Planning(seed, name))

    async def main() -> None:
        nonlocal table
        async with open_battles(database) as battles:
            table = await Table.make(battles, seed="3", players={"german": "hard"})
            await a_while(table, 30)

    table: Any = None
    run(main)
    session = table.battle.session
    assert told
    for now, thought in told:
        before = [n for n, answer in enumerate(session.answers[:now]) if answer.side == "german"]
        assert thought.side == "german"
        assert any(session.answers[n].key == thought.chosen for n in before[-6:]), "lately, and by this side"


def test_a_censor_names_nothing_that_is_not_seen(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            session = (await Table.make(battles)).battle.session
            player = Musing("y")
            player.choose_from(session.probe(), 0.0)
            assert player.thought is not None
            side = next(side for side in session.scenario.sides if side != player.thought.side)
            censor = Censor(session, side)
            assert not censor.hides("38 % to break it")
            seen = next(iter(set(session.game.names(session.battle)) - censor.unseen))
            reasons = (Why("no ambush is near", 1.0), Why("they have not found it yet", 1.0, secret=True))
            read = censor.read(Weighed(key="stay", label="Stay", unit=seen, reasons=reasons))
            assert read is not None and read.reasons == reasons[:1], "by what it is, not by its words"
            for unit in censor.unseen:
                assert censor.hides(f"with {unit} beside it")
                assert censor.hides(session.game.names(session.battle)[unit])
            shown = view_of(0, player.thought, 0, session.game.names(session.battle), censor)
            for option in shown.options:
                assert option.unit not in censor.unseen
                assert not censor.hides(option.label)
                assert all(unit not in why.text.split() for why in option.reasons for unit in censor.unseen)

    run(main)


def test_each_answer_is_told_once_and_names_its_unit() -> None:
    """Of a question about all units every answer is "Move"; what was proposed twice stands once."""
    options = (
        Weighed(key="move a1", label="Move", unit="a1", worth=2.0),
        Weighed(key="move a2", label="Move", unit="a2", worth=1.0),
        Weighed(key="move a1", label="Move", unit="a1", worth=-1.0),
        Weighed(key="done", label="Done"),
    )
    thought = Thought(side="american", prompt="Your Impulse", player="normal", options=options, chosen="move a1")
    shown = view_of(0, thought, 0, {"a1": "Rifle Squad a1", "a2": "Rifle Squad a2"})
    assert [option.label for option in shown.options] == ["Rifle Squad a1: Move", "Rifle Squad a2: Move", "Done"]
    assert shown.options[0].worth == 2.0


def test_thoughts_outlive_the_server(database: str) -> None:
    """What was thought before a restart can be read after it, with what is thought later; an undo forgets."""

    async def before() -> tuple[str, list[int], dict[str, str]]:
        async with open_battles(database) as battles:
            table = await Table.make(battles, seed="3", players={"german": "random"})
            await a_while(table, 12)
            found = await table.battle.thoughts(table.seat("american"), 0)
            return table.battle.id, [each.number for each in found.thoughts], table.tokens

    async def after(id: str, numbers: list[int], tokens: dict[str, str]) -> None:
        async with open_battles(database) as battles:
            battle = await battles.open(id)
            seat = battle.seat(tokens["american"])
            found = [each.number for each in (await battle.thoughts(seat, 0)).thoughts]
            assert found[: len(numbers)] == numbers

    id, numbers, tokens = run(before)
    assert numbers
    run(lambda: after(id, numbers, tokens))


def test_a_database_of_before_gets_the_table(database: str) -> None:
    """Games that were kept before thoughts were can be played on, and their thoughts are kept from then on."""
    store = Store(database)
    stored.drop(store.engine)
    store.close()
    again = Store(database)
    assert stored_thoughts(again.engine, "nobody") == []
    again.close()


def test_a_notebook_keeps_the_latest_of_both_times() -> None:
    old = [(number, Thought(side="red", prompt="?", player="normal", chosen="a")) for number in range(5)]
    asked = []
    thought_log = ThoughtLog(lambda: asked.append(1) or old)  # type: ignore[func-returns-value]
    later = Thought(side="red", prompt="later?", player="normal", chosen="b")
    thought_log.add(3, later)
    thought_log._remember()
    assert list(thought_log._notes) == [*old[:3], (3, later)], "what was thought anew stands for what was taken back"
    thought_log._remember()
    assert len(asked) == 1


def test_only_what_could_be_otherwise_is_noted() -> None:
    one = Weighed(key="done", label="Done")
    said = Weighed(key="fire", label="Fire", reasons=(Why("a good shot", 2.0),))
    assert idle(Thought(side="red", prompt="?", player="normal", options=(one,), chosen="done"))
    assert not idle(Thought(side="red", prompt="?", player="normal", options=(said,), chosen="fire"))
    assert not idle(Thought(side="red", prompt="?", player="normal", options=(one, said), chosen="fire"))


def test_a_pose_that_is_not_listed_is_told_in_words_with_its_place() -> None:
    """Tactics propose poses of their own: nobody reads keys."""
    game, scenario = open_scenario("first_steps")
    session = Session(game, scenario, seed=b"poses")
    key = "pose 12.34 30 90 line"
    found = note(session, "normal", key, [Weighed(key=key, label=key), Weighed(key="stay", label="Stays")], seconds=0.1)
    names = game.names(session.battle)
    pose, stay = view_of(0, found, 0, names).options
    assert (pose.key, pose.place, stay.label) == (key, "12.34,30", "Stays")
    assert pose.label.endswith("in the open, heading 90°") and "″ " in pose.label and "12.34" not in pose.label
