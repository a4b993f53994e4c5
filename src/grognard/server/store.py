"""The store: games, seats, answers, standing orders and shared moments as rows of a database.

A game is its scenario, its dice and its answers, and so are its rows; the state is what they lead to. Everything
that is written is a record of this module that can ``apply`` itself to a connection: the writer applies many of them
in one transaction.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import sqlalchemy as sa
from sqlalchemy import BindParameter, bindparam
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from grognard.core.errors import Fault, GrognardError, VersionError
from grognard.core.files import convert
from grognard.core.standing_orders import StandingOrder
from grognard.server.errors import MissingError
from grognard.server.rows import AnswerRow, GameRow, SeatRow, ShareRow, Standing, StoredGame, TakeBackRow, spoilt
from grognard.server.sql_tables import answers, games, meta, orders, seats, shares, sql_tables, take_backs

#: The version of the tables. A database of another version is not touched.
SCHEMA_VERSION = 1
#: How often it is tried to open a database that somebody else is just making, and how many seconds lie between.
TRIES, PAUSE = 40, 0.25


# ---- changes -----------------------------------------------------------------------------------------------


class ConflictError(GrognardError):
    """The game was changed by somebody else since it was read; nothing was written."""


class Change(Protocol):
    """Something to be written."""

    def apply(self, connection: Connection) -> None:
        """Write it within the connection's transaction."""


class NewGame(NamedTuple):
    """A game with its seats, and with answers and orders if it comes from a save."""

    row: GameRow
    standing: Standing
    seats: Sequence[SeatRow]
    answers: Sequence[AnswerRow] = ()
    orders: Sequence[StandingOrder] = ()

    def apply(self, connection: Connection) -> None:
        """Insert all its rows."""
        values = msgspec.structs.asdict(self.row) | _standing_values(self.standing)
        values["files"] = msgspec.json.encode(self.row.files).decode()
        connection.execute(games.insert(), [values])
        id = self.row.id
        connection.execute(
            seats.insert(), [{"game": id, "place": place, **seat._asdict()} for place, seat in enumerate(self.seats)]
        )
        _insert_answers(connection, id, 0, self.answers)
        _replace_orders(connection, id, self.orders)


class Progress(NamedTuple):
    """A change of a game being played: the answers from ``since`` on are replaced by those given.

    Shared moments that were taken back are gone with their answers.

    It is written only if the game is still at the change ``before``: two servers on one database cannot both write.
    """

    id: str
    before: int
    standing: Standing
    since: int
    cut: bool
    answers: Sequence[AnswerRow]
    orders: Sequence[StandingOrder] | None
    take_back: Sequence[TakeBackRow] | None = None  # none or one; None leaves it as it is

    def apply(self, connection: Connection) -> None:
        """Write where the game stands now, and its answers."""
        self.stand(connection)
        _insert_answers(connection, self.id, self.since, self.answers)

    def stand(self, connection: Connection) -> None:
        """Write where the game stands now; what was taken back goes."""
        values = _standing_values(self.standing) | {"the_game": self.id, "before": self.before}
        if connection.execute(_STAND, values).rowcount != 1:
            raise ConflictError(f"Another server changed battle {self.id}. Reload it.")
        if self.cut:
            connection.execute(_CUT_ANSWERS, {"the_game": self.id, "since": self.since})
            connection.execute(_CUT_SHARES, {"the_game": self.id, "since": self.since})
        if self.orders is not None:
            _replace_orders(connection, self.id, self.orders)
        if self.take_back is not None:
            connection.execute(take_backs.delete().where(take_backs.c.game == self.id))
            for wish in self.take_back:
                connection.execute(take_backs.insert(), [{"game": self.id, **wish._asdict()}])


class NewShare(NamedTuple):
    """A moment that somebody shares; only the token's hash is stored."""

    token: str
    share: ShareRow

    def apply(self, connection: Connection) -> None:
        """Insert its row."""
        values = {"token": self.token, "created": int(time.time()), **self.share._asdict()}
        connection.execute(shares.insert(), [values])


# Made once: to build a statement costs more than to run it.
_GAME: BindParameter[str] = bindparam("the_game")
_STAND = (
    games.update()
    .where(games.c.id == _GAME, games.c.number == bindparam("before"))
    .values({name: bindparam(name) for name in (*Standing.__struct_fields__, "changed")})
)
_CUT_ANSWERS = answers.delete().where(answers.c.game == _GAME, answers.c.number >= bindparam("since"))
_CUT_SHARES = shares.delete().where(shares.c.game == _GAME, shares.c.answers > bindparam("since"))
_ADD_ANSWERS = answers.insert()


def _standing_values(standing: Standing) -> dict[str, Any]:
    values = msgspec.structs.asdict(standing)
    if standing.script is not None:
        values["script"] = msgspec.json.encode(standing.script).decode()
    return values | {"changed": int(time.time())}


def _insert_answers(connection: Connection, id: str, since: int, rows: Sequence[AnswerRow]) -> None:
    if rows:
        connection.execute(_ADD_ANSWERS, _answer_values(id, since, rows))


def _answer_values(id: str, since: int, rows: Sequence[AnswerRow]) -> list[dict[str, Any]]:
    return [{"game": id, "number": n, **row._asdict()} for n, row in enumerate(rows, since)]


def _replace_orders(connection: Connection, id: str, new: Sequence[StandingOrder]) -> None:
    connection.execute(orders.delete().where(orders.c.game == id))
    if new:
        rows = [{"game": id, "number": n, **msgspec.structs.asdict(order)} for n, order in enumerate(new)]
        connection.execute(orders.insert(), rows)


# ---- the database --------------------------------------------------------------------------------------------


class Store:
    """A database of games: SQLite in a file, or PostgreSQL."""

    def __init__(self, database: str) -> None:
        self.url = database_url(database)
        self.name = self.url.render_as_string(hide_password=True)
        try:
            self.engine = self._open_with_patience()
        except ImportError:
            raise GrognardError("PostgreSQL needs psycopg. Install it with: pip install 'grognard[postgres]'") from None
        except (SQLAlchemyError, OSError) as error:
            raise GrognardError(f"Can't open the database {self.name}: {_cause(error)}") from None

    def _open_with_patience(self) -> Engine:
        """Open the database; where another server makes its tables at the same moment, once more after that."""
        for left in range(TRIES - 1, -1, -1):
            try:
                return self._open()
            except SQLAlchemyError as error:
                if not left or not _may_pass(error):
                    raise
                time.sleep(PAUSE)
        raise AssertionError("the last try either succeeds or fails")

    def _open(self) -> Engine:
        if self.url.get_backend_name() == "sqlite":
            Path(str(self.url.database)).parent.mkdir(parents=True, exist_ok=True)
        # Looked at before anything is set: turning on SQLite's log would already change a file that is not ours.
        bare = sa.create_engine(self.url)
        try:
            fresh = self._check(bare)
        finally:
            bare.dispose()
        engine = sa.create_engine(self.url, pool_pre_ping=True, pool_size=8)
        if engine.dialect.name == "sqlite":
            sa.event.listen(engine, "connect", _prepare_sqlite)
        try:
            with engine.begin() as connection:
                if connection.dialect.name == "sqlite":
                    connection.exec_driver_sql("BEGIN IMMEDIATE")  # one server at a time
                sql_tables.create_all(connection)  # those that are missing
                if fresh:
                    connection.execute(meta.insert(), [{"name": "schema", "value": str(SCHEMA_VERSION)}])
        except BaseException:
            engine.dispose()
            raise
        return engine

    def _check(self, engine: Engine) -> bool:
        """Whether the database is empty; one that is not ours, or of another version, says so."""
        with engine.connect() as connection:
            found = set(sa.inspect(connection).get_table_names())
            if not found:
                return True
            if "meta" not in found:
                wrong = f"it contains another program's tables ({', '.join(sorted(found)[:5])})"
                raise VersionError(
                    [Fault(self.name, 0, "", wrong, "use an empty database, or one made by this program")]
                )
            version = connection.execute(sa.select(meta.c.value).where(meta.c.name == "schema")).scalar()
        if version != str(SCHEMA_VERSION):
            right = f"this program needs version {SCHEMA_VERSION}; nothing was changed"
            raise VersionError([Fault(self.name, 0, "schema", f"the database has version {version}", right)])
        return False

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()

    # -- reading -----------------------------------------------------------------------------------------

    def read(self, id: str) -> StoredGame:
        """All that is stored of a game, as it stood at one moment."""
        if "\0" in id:  # which PostgreSQL takes for a fault of the question
            raise MissingError(f"There's no battle {id!r} here.")
        with self.engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN")  # the driver begins by itself only where something is written
            else:
                connection.execution_options(isolation_level="REPEATABLE READ")
            try:
                return _read(connection, id)
            except (TypeError, ValueError, AttributeError, msgspec.MsgspecError, SQLAlchemyError) as error:
                raise spoilt(id, error) from None

    def unfinished(self, ids: Sequence[str]) -> list[str]:
        """Those of some games that are here and not over, the one that was played last first."""
        query = sa.select(games.c.id, games.c.changed).where(games.c.id.in_(ids), games.c.over.is_(False))
        with self.engine.connect() as connection:
            changed = {str(row.id): int(row.changed) for row in connection.execute(query)}
        return sorted((id for id in ids if id in changed), key=lambda id: -changed[id])

    def share(self, token: str) -> ShareRow:
        """The moment of a token's hash."""
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(shares).where(shares.c.token == token)).first()
        if row is None:
            raise MissingError("There's no such moment. The link may be incomplete.")
        return ShareRow(row.game, row.side, row.answers)

    # -- writing -----------------------------------------------------------------------------------------

    def write(self, changes: Sequence[Change]) -> None:
        """Apply changes in one transaction: all of them are written, or none."""
        with self.engine.begin() as connection:
            added: list[dict[str, Any]] = []
            for change in changes:
                if isinstance(change, Progress) and not change.cut:
                    change.stand(connection)
                    added += _answer_values(change.id, change.since, change.answers)
                else:
                    change.apply(connection)
            if added:  # those of all games at once
                connection.execute(_ADD_ANSWERS, added)


def _read(connection: Connection, id: str) -> StoredGame:
    """The rows of a game."""
    found = connection.execute(sa.select(games).where(games.c.id == id)).mappings().first()
    if found is None:
        raise MissingError(f"There's no battle {id!r} here.")
    found_answers = [
        convert((row.side, row.key, row.by_order, row.turn, row.phase), AnswerRow)
        for row in connection.execute(sa.select(answers).where(answers.c.game == id).order_by(answers.c.number))
    ]
    found_orders = [
        convert({"side": row.side, "reaction": row.reaction, "beyond": row.beyond, "below": row.below}, StandingOrder)
        for row in connection.execute(sa.select(orders).where(orders.c.game == id).order_by(orders.c.number))
    ]
    found_seats = [
        convert((row.side, row.player, row.token, row.seed), SeatRow)
        for row in connection.execute(sa.select(seats).where(seats.c.game == id).order_by(seats.c.place))
    ]
    wish = connection.execute(sa.select(take_backs).where(take_backs.c.game == id)).first()
    values = dict(found)
    values["files"] = msgspec.json.decode(values["files"])
    script = values["script"]
    values["script"] = None if script is None else msgspec.json.decode(script)
    row = convert({name: values[name] for name in GameRow.__struct_fields__}, GameRow)
    standing = convert({name: values[name] for name in Standing.__struct_fields__}, Standing)
    take_back = None if wish is None else convert((wish.side, wish.state), TakeBackRow)
    return StoredGame(row, standing, found_seats, found_answers, found_orders, take_back)


def database_url(database: str) -> URL:
    """The address of a database: a URL, or the name of an SQLite file."""
    try:
        url = make_url(database) if "://" in database else URL.create("sqlite", database=database)
    except ArgumentError:
        raise GrognardError("Can't read the database's address. Write it as postgresql://user@host/name") from None
    backend = url.get_backend_name()
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise GrognardError(f"{backend!r} databases aren't supported. Use sqlite:///file or postgresql://…")
    if not url.database or url.database == ":memory:":
        raise GrognardError("A database in memory would lose every game. Name a file, such as sqlite:///games.db")
    return url


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Every commit is on the disk before it returns, and readers never wait for the writer."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA busy_timeout = 10000")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _may_pass(error: Exception) -> bool:
    """Whether a failure to open a database may be over in a moment: somebody else is making its tables."""
    text = str(error).lower()
    return any(word in text for word in ("locked", "already exists", "unique", "duplicate key", "deadlock"))


def _cause(error: Exception) -> str:
    """The driver's own words, in one line."""
    return " ".join(str(getattr(error, "orig", None) or error).split())
