"""What is PostgreSQL's own: lost connections, a server that is away, and many writers."""

from __future__ import annotations

import asyncio
import socket
from random import Random

import pytest
import sqlalchemy as sa

from grognard.core.errors import GrognardError
from grognard.server.clerk import StoreError
from grognard.server.store import Store
from tests.server.conftest import Postgres
from tests.server.rooms import Table, open_hall, pick, run

#: Ends every other connection to the database.
CUT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


def test_the_server_of_the_tests_has_no_port(postgres: Postgres) -> None:
    names = [each.name for each in postgres.folder.iterdir()]
    assert ".s.PGSQL.5432" in names
    with sa.create_engine(Store(postgres.database()).url).connect() as connection:
        assert connection.execute(sa.text("SHOW listen_addresses")).scalar() == ""


def test_play_goes_on_when_connections_are_lost(postgres: Postgres) -> None:
    """A connection that has died while nobody used it is noticed before it matters."""

    async def main() -> None:
        async with open_hall(postgres.database()) as hall:
            table, rng = await Table.make(hall, seed="1"), Random(1)
            other = sa.create_engine(hall.store.url, poolclass=sa.pool.NullPool)
            for _ in range(5):
                await table.play(3, rng)
                with other.connect() as connection:
                    connection.execute(sa.text(CUT))
            await table.play(3, rng)
            assert len(hall.store.read(table.room.id).answers) == 18

    run(main)


def test_a_connection_lost_in_a_transaction_refuses_what_was_in_it(postgres: Postgres) -> None:
    async def main() -> None:
        async with open_hall(postgres.database()) as hall:
            table, rng = await Table.make(hall, seed="1"), Random(1)
            await table.play(4, rng)
            seat, update = await table.asked()
            other = sa.create_engine(hall.store.url, poolclass=sa.pool.NullPool)

            def cut(*_: object) -> None:
                with other.connect() as connection:
                    connection.execute(sa.text(CUT))

            sa.event.listen(hall.store.engine, "commit", cut)  # everything is written but the commit itself
            with pytest.raises(StoreError, match="did not happen"):
                await table.room.answer(seat, update.seq, pick(update, rng))
            sa.event.remove(hall.store.engine, "commit", cut)
            assert len(hall.store.read(table.room.id).answers) == 4
            assert await table.room.update(seat) == update
            await table.room.answer(seat, update.seq, pick(update, rng))
            assert len(hall.store.read(table.room.id).answers) == 5

    run(main)


def test_a_server_that_is_not_there_is_told() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        with pytest.raises(GrognardError, match=r"postgresql.*cannot be opened"):
            Store(f"postgresql://me:secret@127.0.0.1:{port}/games?connect_timeout=2")


def test_many_games_at_once(postgres: Postgres) -> None:
    """Nothing is mixed up, and the clerk takes many changes in one transaction."""

    async def main() -> None:
        async with open_hall(postgres.database()) as hall:
            sizes: list[int] = []
            right = hall.store.write

            def counting(changes: object) -> None:
                sizes.append(len(changes))  # type: ignore[arg-type]
                right(changes)  # type: ignore[arg-type]

            hall.store.write = counting  # type: ignore[method-assign]
            tables = await asyncio.gather(*(Table.make(hall, seed=str(n)) for n in range(12)))
            await asyncio.gather(*(table.play(15, Random(n)) for n, table in enumerate(tables)))
            for table in tables:
                kept = hall.store.read(table.room.id)
                assert [(a.side, a.key, a.by_order) for a in kept.answers] == table.room.session.given
                assert len(kept.answers) == 15
            assert sum(sizes) == 12 + 12 * 15
            assert max(sizes) > 1

    run(main)
