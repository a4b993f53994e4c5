"""The store and its writer: rows, versions, one transaction for many, and what happens when a commit fails."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest
import sqlalchemy as sa

from grognard.core.errors import GrognardError, VersionError
from grognard.core.standing_orders import StandingOrder
from grognard.server.errors import MissingError
from grognard.server.rows import AnswerRow, GameRow, SeatRow, ShareRow, Standing
from grognard.server.schema import Update
from grognard.server.store import Change, ConflictError, NewGame, NewShare, Progress, Store, database_url
from grognard.server.writer import StoreError, Writer
from tests.server.playing import Table, open_battles, pick, run

ROW = GameRow(
    id="abc",
    game="ost",
    rules=1,
    scenario="hill",
    source="[side.red]\n",
    files={"maps/ä.toml": "…"},
    situation=False,
    seed="00ff",
    mode="solo",
    free_undo=True,
    lesson="first",
    created=7,
)
STANDING = Standing(number=1, seq=1, script=None, over=False, undone=False, digest="d")
SEATS = [
    SeatRow("red", "human", "hash"),
    SeatRow("blue", "random", "", "seed blue"),
    SeatRow("watcher", "watcher", "h"),
]
ANSWERS = [AnswerRow("red", f"move {n} “½”", n % 2 == 1, n, "Fire") for n in range(5)]
ORDERS = [StandingOrder("red", "opportunity fire", None, 0.25), StandingOrder("red", "", 4)]


def progress(before: int, since: int, cut: bool, answers: Sequence[AnswerRow]) -> Progress:
    standing = msgspec.structs.replace(STANDING, number=before + 1, seq=before + 10, script=(3, 4))
    return Progress("abc", before, standing, since, cut, answers, None)


@pytest.fixture
def store(database: str) -> Store:
    return Store(database)


def test_what_is_written_is_read(store: Store) -> None:
    store.write([NewGame(ROW, STANDING, SEATS, ANSWERS, ORDERS)])
    stored = store.read("abc")
    assert stored == (ROW, STANDING, SEATS, ANSWERS, ORDERS, None)
    store.close()


def test_answers_are_added_and_replaced(store: Store) -> None:
    store.write([NewGame(ROW, STANDING, SEATS, ANSWERS, ORDERS)])
    more = [AnswerRow("blue", "pass", False, 9, "Melee")]
    store.write([progress(1, 5, False, more)])
    assert store.read("abc").answers == ANSWERS + more
    store.write([progress(2, 3, True, more)])
    stored = store.read("abc")
    assert stored.answers == ANSWERS[:3] + more
    assert (stored.standing.number, stored.standing.seq, stored.standing.script) == (3, 12, (3, 4))
    assert stored.orders == ORDERS
    store.close()


def test_a_game_changed_by_another_is_not_overwritten(store: Store) -> None:
    store.write([NewGame(ROW, STANDING, SEATS, ANSWERS)])
    store.write([progress(1, 5, False, [])])
    with pytest.raises(ConflictError):
        store.write([progress(1, 0, True, [])])
    assert store.read("abc").answers == ANSWERS
    store.close()


def test_all_or_nothing(store: Store) -> None:
    store.write([NewGame(ROW, STANDING, SEATS, ANSWERS)])
    with pytest.raises(ConflictError):
        store.write([progress(1, 5, False, [AnswerRow("red", "x", False, 1, "")]), progress(1, 5, False, [])])
    assert store.read("abc").answers == ANSWERS
    store.close()


def test_a_game_is_read_as_it_stood_at_one_moment(store: Store) -> None:
    """Also while somebody writes: the count of its changes fits its answers."""
    store.write([NewGame(ROW, STANDING, SEATS)])

    seen: set[int] = set()

    def write() -> None:
        for number in range(1, 3000):
            store.write([progress(number, number - 1, False, [AnswerRow("red", "x", False, 1, "")])])
            if number >= 150 and len(seen) > 3:  # a busy machine lets the reader look but seldom
                return

    writer = threading.Thread(target=write)
    writer.start()
    while writer.is_alive():
        stored = store.read("abc")
        seen.add(len(stored.answers))
        assert len(stored.answers) == stored.standing.number - 1
    writer.join()
    assert len(seen) > 3
    store.close()


def test_shares(store: Store) -> None:
    store.write([NewGame(ROW, STANDING, SEATS, ANSWERS)])
    store.write([NewShare("one", ShareRow("abc", "red", 4)), NewShare("two", ShareRow("abc", "red", 2))])
    assert store.share("one") == ShareRow("abc", "red", 4)
    store.write([progress(1, 3, True, [])])
    with pytest.raises(MissingError):
        store.share("one")  # what it showed was taken back
    assert store.share("two").answers == 2
    with pytest.raises(MissingError, match="no battle 'nothing'"):
        store.read("nothing")
    store.close()


def test_a_database_of_another_version_is_left_alone(database: str) -> None:
    store = Store(database)
    with store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE meta SET value = '99' WHERE name = 'schema'"))
    store.close()
    with pytest.raises(VersionError, match=r"version 99.*version 1; nothing was changed"):
        Store(database)


def test_a_foreign_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(VersionError, match=r"another program's tables \(recipes\)"):
        Store(str(path))
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("other.db-*"))


def test_a_file_that_is_no_database_says_so(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear all,\n" * 100)
    with pytest.raises(GrognardError, match=r"Can't open the database .*letter\.txt: file is not a database"):
        Store(str(path))


def test_sqlite_keeps_its_promises(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "deep" / "down" / "games.db"))
    with store.engine.connect() as connection:

        def pragma(name: str) -> object:
            return connection.execute(sa.text(f"PRAGMA {name}")).scalar()

        assert pragma("journal_mode") == "wal"
        assert pragma("synchronous") == 2
        assert pragma("foreign_keys") == 1
        assert pragma("busy_timeout") == 10000
    store.close()


def test_addresses() -> None:
    assert database_url("games.db").render_as_string() == "sqlite:///games.db"
    assert database_url("postgresql://me@host/db").drivername == "postgresql+psycopg"
    for wrong in ("mysql://host/db", "sqlite://", ":memory:", "://"):
        with pytest.raises(GrognardError):
            database_url(wrong)
    with pytest.raises(GrognardError) as error:
        Store("postgresql://me:topsecret@127.0.0.1:1/none?connect_timeout=1")
    assert "topsecret" not in str(error.value)
    assert "Can't open the database" in str(error.value)


# ---- the writer ----------------------------------------------------------------------------------------------------


class Note:
    """A change that is only counted."""

    def apply(self, connection: object) -> None:
        """Nothing."""


def test_what_queues_up_is_one_transaction() -> None:
    written: list[int] = []
    gate = threading.Event()

    def write(changes: Sequence[Change]) -> None:
        gate.wait(10)
        written.append(len(changes))

    async def main() -> None:
        writer = Writer(write)
        first = asyncio.create_task(writer.write(Note()))
        await asyncio.sleep(0.05)
        others = [asyncio.create_task(writer.write(Note())) for _ in range(20)]
        await asyncio.sleep(0.05)
        assert not first.done()  # acknowledged only after its commit
        gate.set()
        await asyncio.gather(first, *others)
        writer.stop()

    run(main)
    assert written == [1, 20]


def test_one_that_does_not_fit_refuses_only_itself() -> None:
    bad = Note()

    def write(changes: Sequence[Change]) -> None:
        if bad in changes:
            raise ConflictError("no")

    async def main() -> list[BaseException | None]:
        writer = Writer(write)
        results = await asyncio.gather(*(writer.write(c) for c in (Note(), bad, Note())), return_exceptions=True)
        writer.stop()
        return results

    first, second, third = run(main)
    assert first is None
    assert isinstance(second, ConflictError)
    assert third is None


def test_a_failed_commit_leaves_memory_where_the_database_is(database: str) -> None:
    """Every answer of the transaction is refused, and its battle stands where the store stands."""

    async def main() -> None:
        async with open_battles(database) as battles:
            tables = [await Table.make(battles, seed=str(n)) for n in range(3)]
            rng = Random(3)
            for table in tables:
                await table.play(8, rng)
            before = [(await table.asked()) for table in tables]
            stored = [battles.store.read(table.battle.id) for table in tables]
            right = battles.store.write

            def failing(changes: Sequence[Change]) -> None:
                # Everything is written, but the commit does not come through.
                with battles.store.engine.connect() as connection:
                    for change in changes:
                        change.apply(connection)
                    connection.rollback()
                raise OSError("the disk is full")

            battles.store.write = failing  # type: ignore[method-assign]
            queues: list[asyncio.Queue[Update]] = []
            for table, (seat, _) in zip(tables, before):
                queues.append(asyncio.Queue())
                table.battle.runner.listen(seat, queues[-1])
            await asyncio.sleep(0.05)
            refused = await asyncio.gather(
                *(t.battle.answer(seat, u.seq, pick(u, rng)) for t, (seat, u) in zip(tables, before)),
                return_exceptions=True,
            )
            assert all(isinstance(error, StoreError) for error in refused)
            battles.store.write = right  # type: ignore[method-assign]
            assert [battles.store.read(table.battle.id) for table in tables] == stored
            for table, (seat, old) in zip(tables, before):
                new = await table.battle.update(seat)
                queue = queues.pop(0)
                while not queue.empty():
                    assert queue.get_nowait().seq == old.seq  # nobody heard of what did not happen
                assert msgspec.structs.replace(new, seats=old.seats) == old
                await table.battle.answer(seat, old.seq, pick(old, rng))  # and play goes on
                assert len(battles.store.read(table.battle.id).answers) == len(table.battle.session.given)

    run(main)


def test_a_room_whose_store_is_gone_comes_back_with_it(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles)
            seat, update = await table.asked()
            store, read, write = battles.store, battles.store.read, battles.store.write

            def gone(*_: object) -> None:
                raise OSError("the cable was pulled")

            store.read = gone  # type: ignore[assignment,method-assign]
            store.write = gone  # type: ignore[method-assign]
            with pytest.raises(StoreError):
                await table.battle.answer(seat, update.seq, pick(update, Random(1)))
            with pytest.raises(OSError, match="cable"):
                await table.battle.update(seat)  # better nothing than what is not stored
            store.read, store.write = read, write  # type: ignore[method-assign]
            assert await table.battle.update(seat) == update

    run(main)
