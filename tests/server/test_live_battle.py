"""A live battle: what is acknowledged is stored, what is refused has changed nothing, and everybody is told."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from grognard.core.dice import FairDice
from grognard.core.errors import IllegalError, StaleError
from grognard.core.odds import AbandonedError
from grognard.core.session import Session, UndoError
from grognard.core.view import LogLine, OddsView, may_read
from grognard.server.errors import ForbiddenError, MissingError, TokenError
from grognard.server.live_battle import LiveBattle
from grognard.server.schema import Frame, NewOrder, Update
from tests.server.playing import Table, open_battles, pick, run


def plain(update: Update) -> bytes:
    """An update as it is sent, but for who is connected."""
    return msgspec.json.encode(msgspec.structs.replace(update, seats=[]))


async def all_see(table: Table) -> dict[str, bytes]:
    return {side: plain(await table.battle.update(table.seat(side))) for side in table.tokens}


def is_reaction(update: Update) -> bool:
    return update.view.ask is not None and bool(update.view.ask.reaction)


def wants_dice(update: Update) -> bool:
    return update.view.ask is not None and update.view.ask.dice is not None


# ---- answers -------------------------------------------------------------------------------------------------------


def test_an_answer_is_stored_when_it_is_acknowledged(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, seed="1")
            rng = Random(1)
            for _ in range(30):
                seat, update = await table.asked()
                key = pick(update, rng)
                after = await table.battle.answer(seat, update.seq, key)
                stored = battles.store.read(table.battle.id)
                assert (stored.answers[-1].side, stored.answers[-1].key) == (seat.side, key)
                assert (stored.standing.seq, stored.standing.number) == (table.battle.session.seq, after.number)
                assert after.number == update.number + 1

    run(main)


def test_the_same_question_stands_after_a_restart(database: str) -> None:
    """At any point of play, inside reactions and while real dice are awaited too; and play goes on the same."""

    async def main() -> None:
        rng = Random(2)
        async with open_battles(database) as battles:
            tables = [
                await Table.make(battles, seed="1"),
                await Table.make(battles, scenario="causeway", invite=True),
                await Table.make(battles, own_dice=True),
            ]
        for number in range(10):
            async with open_battles(database) as battles:
                tables = [await table.again(battles) for table in tables]
                for table in tables:
                    await table.play(rng.randint(1, 12), rng)
                if number == 4:
                    await tables[0].until(is_reaction, rng)
                if number == 5:
                    await tables[2].until(wants_dice, rng)
                before = [await all_see(table) for table in tables]
            async with open_battles(database) as battles:
                tables = [await table.again(battles) for table in tables]
                assert [await all_see(table) for table in tables] == before

    run(main)


def test_what_is_refused_changes_nothing(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, seed="1")
            rng = Random(4)
            await table.play(12, rng)
            seat, update = await table.asked()
            other = table.seat(next(side for side in table.sides if side != seat.side))
            key = pick(update, rng)
            before, stored = await all_see(table), battles.store.read(table.battle.id)
            battle = table.battle
            with pytest.raises(StaleError):
                await battle.answer(seat, update.seq - 1, key)
            with pytest.raises(IllegalError):
                await battle.answer(seat, update.seq, "surrender everything")
            with pytest.raises(IllegalError):
                await battle.plan(seat, update.seq, ["surrender everything", key])
            for stranger in (other, table.seat("watcher")):
                seq = (await battle.update(stranger)).seq
                with pytest.raises(ForbiddenError, match="not your turn"):
                    await battle.answer(stranger, seq, key)
                with pytest.raises(ForbiddenError, match="not your turn"):
                    await battle.odds(stranger, seq, [key])
                with pytest.raises(ForbiddenError, match="not your turn"):
                    await battle.preview(stranger, seq, key)
                with pytest.raises(ForbiddenError, match="not your turn"):
                    await battle.prospect(stranger, seq, "x")
            with pytest.raises(ForbiddenError, match="isn't over"):
                await battle.end(seat)
            with pytest.raises(ForbiddenError, match="Only players"):
                await battle.set_orders(table.seat("watcher"), [])
            with pytest.raises(UndoError, match="only players"):
                await battle.undo(table.seat("watcher"), seq)
            for token in ("", "x", table.tokens[seat.side][:-1]):
                with pytest.raises(TokenError):
                    battle.seat(token)
            with pytest.raises(MissingError):
                await battle.frame(seat, 10_000)
            with pytest.raises(MissingError):
                await battle.roll_odds(seat, 10_000)
            assert await all_see(table) == before
            assert battles.store.read(battle.id) == stored
            await battle.answer(seat, update.seq, key)
            with pytest.raises(StaleError):
                await battle.answer(seat, update.seq, key)  # sent twice

    run(main)


def test_many_at_once_give_one_answer(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, seed="1")
            seat, update = await table.asked()
            key = pick(update, Random(1))
            answers = (table.battle.answer(seat, update.seq, key) for _ in range(10))
            got = await asyncio.gather(*answers, return_exceptions=True)
            assert sum(isinstance(each, Update) for each in got) == 1
            assert sum(isinstance(each, StaleError) for each in got) == 9
            assert len(battles.store.read(table.battle.id).answers) == 1

    run(main)


def test_nobody_waits_for_odds_that_are_being_reckoned(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()

    def without_end(session: Session, *keys: str, stop: Any, seconds: float | None) -> OddsView:
        begun.set()
        while not stop():
            time.sleep(0.001)
        raise AbandonedError("given up")

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles, seed="1")
            seat, update = await table.asked()
            key = pick(update, Random(1))
            waiting = [asyncio.create_task(table.battle.odds(seat, update.seq, [key])) for _ in range(3)]
            await asyncio.to_thread(begun.wait, 30)
            after = await table.battle.answer(seat, update.seq, key)
            assert after.number == update.number + 1
            got = await asyncio.gather(*waiting, return_exceptions=True)
            assert all(isinstance(each, StaleError) for each in got), got

    monkeypatch.setattr(Session, "odds_view", without_end)
    run(main)


def test_an_estimate_does_not_wait_for_exact_odds(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()
    whole = Session.odds_view

    def slow(session: Session, *keys: str, stop: Any, seconds: float | None) -> OddsView:
        if seconds is not None:
            assert seconds < 0.5, "it is there within half a second"
            return whole(session, *keys, stop=stop, seconds=seconds)
        begun.set()
        while not stop():
            time.sleep(0.001)
        raise AbandonedError("given up")

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles, seed="1")
            seat, update = await table.asked()
            key = pick(update, Random(1))
            waiting = asyncio.create_task(table.battle.odds(seat, update.seq, [key]))
            await asyncio.to_thread(begun.wait, 30)
            estimate = await table.battle.odds(seat, update.seq, [key], quick=True)
            assert estimate.keys == [key] and not waiting.done()
            await table.battle.answer(seat, update.seq, key)
            with pytest.raises(StaleError):
                await waiting

    monkeypatch.setattr(Session, "odds_view", slow)
    run(main)


def test_who_goes_away_in_the_middle_leaves_no_mess(database: str) -> None:
    """A call that is cancelled at any moment is either stored and known, or neither."""

    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, seed="1")
            rng = Random(5)
            for n in range(25):
                seat, update = await table.asked()
                task = asyncio.create_task(table.battle.answer(seat, update.seq, pick(update, rng)))
                for _ in range(n % 6):
                    await asyncio.sleep(0)
                await asyncio.sleep(rng.choice([0, 0.001, 0.003]))
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                given = await table.battle.runner.run(lambda: table.battle.session.given)
                stored = battles.store.read(table.battle.id)
                assert [(a.side, a.key, a.by_order) for a in stored.answers] == given
                assert stored.standing.seq == table.battle.session.seq

    run(main)


def test_two_servers_on_one_database_do_not_both_write(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as one, open_battles(database) as two:
            here = await Table.make(one, seed="1")
            there = await here.again(two)
            seat, update = await here.asked()
            key = pick(update, Random(1))
            after = await here.battle.answer(seat, update.seq, key)
            with pytest.raises(Exception, match="Another server"):
                await there.battle.answer(seat, update.seq, key)
            seen = await there.battle.update(seat)  # it has looked again
            assert (seen.seq, seen.number) == (after.seq, after.number)

    run(main)


# ---- telling -------------------------------------------------------------------------------------------------------


class Client:
    """What a browser would know: it keeps log and frames, and takes updates as they come."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Update] = asyncio.Queue(32)
        self.log: list[LogLine] = []
        self.frames: list[Frame] = []
        self.number = self.steps = 0

    def take(self, update: Update) -> None:
        assert update.number >= self.number
        self.steps += update.number > self.number
        self.number = update.number
        assert update.log_start <= len(self.log)
        assert update.frames_start <= len(self.frames)
        self.log[update.log_start :] = update.view.log
        self.frames[update.frames_start :] = update.frames

    def drain(self) -> None:
        while not self.queue.empty():
            self.take(self.queue.get_nowait())

    async def join(self, battle: LiveBattle, seat: Any) -> None:
        battle.runner.listen(seat, self.queue)
        self.take(await battle.update(seat, len(self.log), len(self.frames)))
        self.drain_old()

    def drain_old(self) -> None:
        while not self.queue.empty():
            update = self.queue.get_nowait()
            if update.number > self.number:
                self.take(update)


@pytest.mark.parametrize("scenario", ["first_patrol", "canal_bridge"])
def test_listeners_know_what_there_is_to_know(scenario: str, tmp_path: Any) -> None:
    """With answers, plans, undo and orders, and when somebody misses some of it and comes back."""

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles, scenario=scenario, seed="4", free_undo=True)
            battle, rng = table.battle, Random(6)
            clients = {side: Client() for side in table.tokens}
            for side, client in clients.items():
                await client.join(battle, table.seat(side))
            away = ""
            for n in range(110):
                if n % 20 == 10:
                    away = rng.choice(sorted(clients))
                    battle.runner.leave(clients[away].queue)
                if n % 20 == 15:
                    await clients[away].join(battle, table.seat(away))
                    away = ""
                if await battle.runner.run(lambda: battle.session.over):
                    break
                seat, update = await table.asked()
                if rng.random() < 0.25 and not update.may_undo:
                    await battle.undo(seat, update.seq)
                elif rng.random() < 0.05:
                    await battle.set_orders(seat, [NewOrder(below=rng.random())] if rng.random() < 0.5 else [])
                else:
                    await battle.answer(seat, update.seq, pick(update, rng))
                await asyncio.sleep(0)
                for side, client in clients.items():
                    if side == away:
                        continue
                    client.drain()
                    whole = await battle.update(table.seat(side))
                    assert client.log == whole.view.log
                    assert client.frames == whole.frames
                    assert client.number == whole.number
                    assert [frame.number for frame in client.frames] == list(range(len(client.frames)))
                    assert client.frames[-1].log == len(client.log)

    run(main)


def test_an_update_after_every_answer_of_a_plan(tmp_path: Any) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles, seed="1")
            battle = table.battle
            moves = lambda u: any(o.verb == "move" for o in u.view.ask.options)  # noqa: E731
            seat, update = await table.until(moves, Random(3))
            unit = next(o.unit for o in update.view.ask.options if o.verb == "move")
            prospect = await battle.prospect(seat, update.seq, unit)
            journeys = [j for branch in prospect.branches for j in branch.journeys if len(j.keys) > 2]
            journey = max(journeys, key=lambda j: len(j.keys))
            queue: asyncio.Queue[Update] = asyncio.Queue()
            battle.runner.listen(seat, queue)
            await asyncio.sleep(0.1)
            while not queue.empty():
                queue.get_nowait()
            taken = await battle.plan(seat, update.seq, journey.keys)
            assert taken.taken >= 2
            numbers = [queue.get_nowait().number for _ in range(queue.qsize())]
            assert numbers == list(range(update.number + 1, update.number + 1 + taken.taken))
            assert taken.update.number == numbers[-1]
            assert taken.update.log_start == len(update.view.log)
            stored = [a.key for a in battles.store.read(battle.id).answers]
            assert stored[-taken.taken :] == journey.keys[: taken.taken]

    run(main)


def test_a_slow_listener_gets_one_whole_update(tmp_path: Any) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles, seed="1")
            queue: asyncio.Queue[Update] = asyncio.Queue(5)
            watcher = table.seat("watcher")
            table.battle.runner.listen(watcher, queue)
            await table.play(28, Random(1))
            assert queue.qsize() <= 5
            whole = await table.battle.update(watcher)
            collapsed = [queue.get_nowait() for _ in range(queue.qsize())]
            assert collapsed[0].log_start == collapsed[0].frames_start == 0
            client = Client()
            for update in collapsed:
                client.take(update)
            assert (client.log, client.frames, client.number) == (whole.view.log, whole.frames, whole.number)

    run(main)


def test_who_is_there_is_told(tmp_path: Any) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles, invite=True)
            one, two = table.sides
            queue: asyncio.Queue[Update] = asyncio.Queue()
            table.battle.runner.listen(table.seat(one), queue)
            other: asyncio.Queue[Update] = asyncio.Queue()
            table.battle.runner.listen(table.seat(two), other)
            while not all(seat.online for seat in (await asyncio.wait_for(queue.get(), 5)).seats):
                pass
            table.battle.runner.leave(other)
            while all(seat.online for seat in (await asyncio.wait_for(queue.get(), 5)).seats):
                pass

    run(main)


# ---- undo and orders -----------------------------------------------------------------------------------------------


def test_undo_is_stored(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, seed="1")
            rng = Random(8)
            undone = 0
            for _ in range(60):
                seat, update = await table.asked()
                after = await table.battle.answer(seat, update.seq, pick(update, rng))
                if not after.may_undo:
                    back = await table.battle.undo(seat, after.seq)
                    undone += 1
                    assert (back.view.ask.options, back.view.ask.prompt) == (
                        update.view.ask.options,
                        update.view.ask.prompt,
                    )
                    assert back.seq > after.seq
                    stored = battles.store.read(table.battle.id)
                    assert [(a.side, a.key, a.by_order) for a in stored.answers] == table.battle.session.given
                    assert stored.standing.seq == table.battle.session.seq
                    await table.battle.answer(seat, back.seq, pick(back, rng))
                else:
                    with pytest.raises(UndoError, match="since"):
                        await table.battle.undo(seat, after.seq)
            assert undone > 5

    run(main)


def test_free_undo_goes_back_to_ones_own_answer(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, seed="1", free_undo=True, players={"german": "random"})
            rng = Random(8)
            seen = []
            for _ in range(20):
                seat, update = await table.asked()
                seen.append((update.view.ask.prompt, update.view.ask.options, len(update.view.log)))
                await table.battle.answer(seat, update.seq, pick(update, rng))
            while seen:
                seat, update = await table.asked()
                back = await table.battle.undo(seat, update.seq)
                assert (back.view.ask.prompt, back.view.ask.options, back.log_start + len(back.view.log)) == seen.pop()
            with pytest.raises(UndoError, match="nothing has been answered"):
                await table.battle.undo(seat, back.seq)

    run(main)


def test_orders_are_stored_and_obeyed(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, seed="2")
            seat, update = await table.until(lambda u: bool(u.view.ask.reaction), Random(2))
            orders = [NewOrder(reaction=update.view.ask.reaction), NewOrder(below=0.25), NewOrder(beyond=3)]
            after = await table.battle.set_orders(seat, orders)
            assert after.seq > update.seq  # it answered at once
            assert [order.below for order in after.orders] == [None, 0.25, None]
            other = next(side for side in table.sides if side != seat.side)
            assert (await table.battle.update(table.seat(other))).orders == []  # nobody else's business
        async with open_battles(database) as battles:
            table = await table.again(battles)
            again = await table.battle.update(seat)
            assert plain(again) == plain(msgspec.structs.replace(again, orders=after.orders, seq=after.seq))
            stored = battles.store.read(table.battle.id)
            assert stored.answers[-1].by_order
            assert not (await table.battle.set_orders(seat, [])).orders
            assert not battles.store.read(table.battle.id).orders

    run(main)


# ---- looking back --------------------------------------------------------------------------------------------------


def test_frames_show_what_was_seen(database: str) -> None:
    """Each frame is the view as the side had it then, also after a restart."""

    async def main() -> None:
        seen: dict[str, dict[int, bytes]] = {}

        def sight(update: Update) -> bytes:
            return msgspec.json.encode(msgspec.structs.replace(update.view, ask=None, log=[]))

        async with open_battles(database) as battles:
            table = await Table.make(battles, scenario="causeway", seed="3")
            rng = Random(9)
            for _ in range(90):
                for side in table.tokens:
                    update = await table.battle.update(table.seat(side))
                    seen.setdefault(side, {})[update.frames[-1].number] = sight(update)
                seat, update = await table.asked()
                await table.battle.answer(seat, update.seq, pick(update, rng))
        async with open_battles(database) as battles:
            table = await table.again(battles)
            for side, views in seen.items():
                seat = table.seat(side)
                for number in range(0, max(views), 7):
                    frame = await table.battle.frame(seat, number)
                    assert sight(frame) == views[number]
                with pytest.raises(ForbiddenError, match="when the battle is over"):
                    await table.battle.frame(seat, 1, reveal=True)

    run(main)


def test_the_odds_behind_a_line(tmp_path: Any) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles, seed="5")
            rng = Random(1)
            fires = lambda u: any(o.verb == "fire" for o in u.view.ask.options)  # noqa: E731
            for _ in range(100):
                seat, update = await table.until(fires, rng)
                key = next(o.key for o in update.view.ask.options if o.verb == "fire")
                after = await table.battle.answer(seat, update.seq, key)
                if after.view.ask is None or after.waiting != "you":
                    continue
                ahead = [o.key for o in after.view.ask.options]
                odds = await table.battle.odds(seat, after.seq, ahead[:1])
                shot = await table.battle.answer(seat, after.seq, ahead[0])
                if any(line.kind == "Rolled" for line in shot.view.log):
                    break
            lines = (await table.battle.update(seat)).view.log
            number = max(n for n, line in enumerate(lines) if line.kind == "Rolled")
            assert await table.battle.roll_odds(seat, number) == odds
            other = table.seat(next(side for side in table.sides if side != seat.side))
            theirs = (await table.battle.update(other)).view.log
            number = max(n for n, line in enumerate(theirs) if line.kind == "Rolled")
            with pytest.raises(ForbiddenError, match="when the battle is over"):
                await table.battle.roll_odds(other, number)

    run(main)


def test_the_end(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, invite=True)
            seat = table.seat(table.sides[0])
            with pytest.raises(ForbiddenError, match="secrets"):
                await table.battle.save(seat)
            await table.play(5000, Random(3))
            assert battles.store.read(table.battle.id).standing.over
            battle = table.battle
            for side in table.tokens:
                seat = table.seat(side)
                update = await battle.update(seat)
                assert update.waiting == "over"
                end = await battle.end(seat)
                assert FairDice(bytes.fromhex(end.seed)).commitment == end.commitment == battle.description.commitment
                for n, (number, sides, faces) in enumerate(end.rolls, 1):
                    dice = FairDice(bytes.fromhex(end.seed), n - 1)
                    assert dice.roll(number, sides, tuple)[1] == tuple(faces)
                assert end.result == update.view.result
                assert await battle.save(seat)
                assert (await battle.frame(seat, 3, reveal=True)).view.units
                with pytest.raises(IllegalError, match="over"):
                    await battle.answer(seat, update.seq, "pass")
                number = max(n for n, line in enumerate(update.view.log) if line.kind == "Rolled")
                assert (await battle.roll_odds(seat, number)).outcomes

    run(main)


def test_own_dice_of_a_program_are_told_by_the_person(database: str) -> None:
    async def main() -> None:
        rng = Random(4)
        async with open_battles(database) as battles:
            table = await Table.make(battles, own_dice=True, players={"german": "random"})
            assert table.battle.description.own_dice
            theirs = 0
            for _ in range(80):
                seat, update = await table.asked()
                ask = update.view.ask
                if ask.dice is not None and ask.side == "german":
                    theirs += 1
                    assert update.waiting == "you"
                    assert (await table.battle.update(table.seat("watcher"))).view.ask is None
                    with pytest.raises(IllegalError, match="dice"):
                        await table.battle.answer(seat, update.seq, "dice 9 9 9")
                await table.battle.answer(seat, update.seq, pick(update, rng))
            assert theirs
            assert battles.store.read(table.battle.id).standing.script

    run(main)


def test_all_who_read_a_line_of_the_log_share_it(tmp_path: Path) -> None:
    """The log is most of what a battle keeps in memory; it is kept once and not once for every side."""

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles, seed="11")
            await table.play(60, Random(11))
            battle = table.battle
            seen = {side: (await battle.update(table.seat(side))).view.log for side in (*table.sides, "watcher")}
            for side, log in seen.items():
                assert log == battle.session.lines(side)
            told = {id(line) for log in seen.values() for line in log}
            assert len(seen["watcher"]) > 50
            readable = {n for n, event in enumerate(battle.session.log) for side in seen if may_read(event, side)}
            assert len(told) == len(readable)

    run(main)
