"""What is PostgreSQL's own: lost connections, a server that is away, and many writers."""

from __future__ import annotations

import asyncio
import socket
from random import Random

import pytest
import sqlalchemy as sa

from grognard.core.errors import GrognardError
from grognard.server.store import Store
from grognard.server.writer import StoreError
from tests.server.conftest import Postgres
from tests.server.playing import Table, open_battles, pick, run

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
        async with open_battles(postgres.database()) as battles:
            table, rng = await Table.make(battles, seed="1"), Random(1)
            other = sa.create_engine(battles.store.url, poolclass=sa.pool.NullPool)
            for _ in range(5):
                await table.play(3, rng)
                with other.connect() as connection:
                    connection.execute(sa.text(CUT))
            await table.play(3, rng)
            assert len(battles.store.read(table.battle.id).answers) == 18

    run(main)


def test_a_connection_lost_in_a_transaction_refuses_what_was_in_it(postgres: Postgres) -> None:
    async def main() -> None:
        async with open_battles(postgres.database()) as battles:
            table, rng = await Table.make(battles, seed="1"), Random(1)
            await table.play(4, rng)
            seat, update = await table.asked()
            other = sa.create_engine(battles.store.url, poolclass=sa.pool.NullPool)

            def cut(*_: object) -> None:
                with other.connect() as connection:
                    connection.execute(sa.text(CUT))

            sa.event.listen(battles.store.engine, "commit", cut)  # everything is written but the commit itself
            with pytest.raises(StoreError, match="didn't happen"):
                await table.battle.answer(seat, update.seq, pick(update, rng))
            sa.event.remove(battles.store.engine, "commit", cut)
            assert len(battles.store.read(table.battle.id).answers) == 4
            assert await table.battle.update(seat) == update
            await table.battle.answer(seat, update.seq, pick(update, rng))
            assert len(battles.store.read(table.battle.id).answers) == 5

    run(main)


def test_a_server_that_is_not_there_is_told() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        with pytest.raises(GrognardError, match="Can't open the database postgresql"):
            Store(f"postgresql://me:secret@127.0.0.1:{port}/games?connect_timeout=2")


def test_many_games_at_once(postgres: Postgres) -> None:
    """Nothing is mixed up, and the writer takes many changes in one transaction."""

    async def main() -> None:
        async with open_battles(postgres.database()) as battles:
            sizes: list[int] = []
            right = battles.store.write

            def counting(changes: object) -> None:
                sizes.append(len(changes))  # type: ignore[arg-type]
                right(changes)  # type: ignore[arg-type]

            battles.store.write = counting  # type: ignore[method-assign]
            tables = await asyncio.gather(*(Table.make(battles, seed=str(n)) for n in range(12)))
            await asyncio.gather(*(table.play(15, Random(n)) for n, table in enumerate(tables)))
            for table in tables:
                stored = battles.store.read(table.battle.id)
                assert [(a.side, a.key, a.by_order) for a in stored.answers] == table.battle.session.given
                assert len(stored.answers) == 15
            assert sum(sizes) == 12 + 12 * 15
            assert max(sizes) > 1

    run(main)
