"""The store: games, seats, answers, standing orders and shared moments as rows of a database.

A game is its scenario, its dice and its answers, and so are its rows; the state is what they lead to. Everything
that is written is a record of this module that can ``apply`` itself to a connection: the clerk applies many of them
in one transaction.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import sqlalchemy as sa
from sqlalchemy import (
    BigInteger,
    BindParameter,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    Text,
    bindparam,
)
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from grognard.core.errors import Fault, GrognardError, VersionError
from grognard.core.orders import StandingOrder
from grognard.server.errors import MissingError

#: The version of the tables. A database of another version is not touched.
SCHEMA_VERSION = 1

_tables = MetaData()

meta = Table("meta", _tables, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))

games = Table(
    "games",
    _tables,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("scenario", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("files", Text, nullable=False),
    Column("situation", Boolean, nullable=False),
    Column("seed", Text, nullable=False),
    Column("script", Text),
    Column("mode", Text, nullable=False),
    Column("free_undo", Boolean, nullable=False),
    Column("lesson", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("undone", Boolean, nullable=False),
    Column("digest", Text, nullable=False),
)


def _of_game() -> Column[Any]:
    return Column("game", Text, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)


seats = Table(
    "seats",
    _tables,
    _of_game(),
    Column("side", Text, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("player", Text, nullable=False),
    Column("token", Text, nullable=False),
    Column("seed", Text, nullable=False),
)

answers = Table(
    "answers",
    _tables,
    _of_game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("side", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("by_order", Boolean, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("phase", Text, nullable=False),
)

orders = Table(
    "orders",
    _tables,
    _of_game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("side", Text, nullable=False),
    Column("reaction", Text, nullable=False),
    Column("beyond", Integer),
    Column("below", Float),
)

shares = Table(
    "shares",
    _tables,
    Column("token", Text, primary_key=True),
    Column("game", Text, ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("side", Text, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
)

#: What a program thought, for as long as anybody may want to look at it. Databases of before may be without it.
thoughts = Table(
    "thoughts",
    _tables,
    _of_game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
)


# ---- rows --------------------------------------------------------------------------------------------------


class AnswerRow(NamedTuple):
    """An answer as it is kept, with the turn and phase that it led to, for the marks of a replay."""

    side: str
    key: str
    by_order: bool
    turn: int
    phase: str


class SeatRow(NamedTuple):
    """Who plays a side: a person has the hash of a token, a program the seed of its choices."""

    side: str
    player: str
    token: str = ""
    seed: str = ""


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """What of a game does not change while it is played.

    ``source`` and ``files`` are the scenario whole, so that a game can be opened whatever becomes of its file.
    """

    id: str
    game: str
    rules: int
    scenario: str
    source: str
    files: dict[str, str]
    situation: bool
    seed: str
    mode: str
    free_undo: bool = False
    lesson: str = ""
    created: int = 0


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Where a game stands: the count of its changes, the number of its question, own dice, and a fingerprint.

    ``undone`` says that something was taken back at some time, so that somebody's log may have lines that are gone.
    """

    number: int
    seq: int
    script: tuple[int, ...] | None
    over: bool
    undone: bool
    digest: str


class Kept(NamedTuple):
    """All that is kept of a game."""

    row: GameRow
    standing: Standing
    seats: list[SeatRow]
    answers: list[AnswerRow]
    orders: list[StandingOrder]


class ShareRow(NamedTuple):
    """A shared moment: whose eyes, and after how many answers."""

    game: str
    side: str
    answers: int


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

    def apply(self, connection: Connection) -> None:
        """Write where the game stands now, and its answers."""
        self.stand(connection)
        _insert_answers(connection, self.id, self.since, self.answers)

    def stand(self, connection: Connection) -> None:
        """Write where the game stands now; what was taken back goes."""
        values = _standing_values(self.standing) | {"the_game": self.id, "before": self.before}
        if connection.execute(_STAND, values).rowcount != 1:
            raise ConflictError(f"the battle {self.id} was changed by another server; look at it again")
        if self.cut:
            connection.execute(_CUT_ANSWERS, {"the_game": self.id, "since": self.since})
            connection.execute(_CUT_SHARES, {"the_game": self.id, "since": self.since})
        if self.orders is not None:
            _replace_orders(connection, self.id, self.orders)


class NewShare(NamedTuple):
    """A moment that somebody shares; only the token's hash is kept."""

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
            self.engine = self._open()
        except ImportError:
            raise GrognardError("PostgreSQL needs psycopg; install it with: pip install 'grognard[postgres]'") from None
        except (SQLAlchemyError, OSError) as error:
            raise GrognardError(f"the database {self.name} cannot be opened: {_cause(error)}") from None

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
        with engine.begin() as connection:
            _tables.create_all(connection)  # those that are missing
            if fresh:
                connection.execute(meta.insert(), [{"name": "schema", "value": str(SCHEMA_VERSION)}])
        return engine

    def _check(self, engine: Engine) -> bool:
        """Whether the database is empty; one that is not ours, or of another version, says so."""
        with engine.connect() as connection:
            found = set(sa.inspect(connection).get_table_names())
            if not found:
                return True
            if "meta" not in found:
                wrong = f"it has tables of something else ({', '.join(sorted(found)[:5])})"
                raise VersionError([Fault(self.name, 0, "", wrong, "an empty database, or one of this program's own")])
            version = connection.execute(sa.select(meta.c.value).where(meta.c.name == "schema")).scalar()
        if version != str(SCHEMA_VERSION):
            right = f"this program keeps games in version {SCHEMA_VERSION}; nothing was changed"
            raise VersionError([Fault(self.name, 0, "schema", f"a database of version {version}", right)])
        return False

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()

    # -- reading -----------------------------------------------------------------------------------------

    def read(self, id: str) -> Kept:
        """All that is kept of a game, as it stood at one moment."""
        if "\0" in id:  # which PostgreSQL takes for a fault of the question
            raise MissingError(f"there is no battle {id!r} here")
        with self.engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN")  # the driver begins by itself only where something is written
            else:
                connection.execution_options(isolation_level="REPEATABLE READ")
            return _read(connection, id)

    def share(self, token: str) -> ShareRow:
        """The moment of a token's hash."""
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(shares).where(shares.c.token == token)).first()
        if row is None:
            raise MissingError("there is no such moment; the link may be cut short")
        return ShareRow(row.game, row.side, row.answers)

    # -- writing -----------------------------------------------------------------------------------------

    def write(self, changes: Sequence[Change]) -> None:
        """Apply changes in one transaction: all of them are kept, or none."""
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


def _read(connection: Connection, id: str) -> Kept:
    """The rows of a game."""
    found = connection.execute(sa.select(games).where(games.c.id == id)).mappings().first()
    if found is None:
        raise MissingError(f"there is no battle {id!r} here")
    kept_answers = [
        AnswerRow(row.side, row.key, row.by_order, row.turn, row.phase)
        for row in connection.execute(sa.select(answers).where(answers.c.game == id).order_by(answers.c.number))
    ]
    kept_orders = [
        StandingOrder(row.side, row.reaction, row.beyond, row.below)
        for row in connection.execute(sa.select(orders).where(orders.c.game == id).order_by(orders.c.number))
    ]
    kept_seats = [
        SeatRow(row.side, row.player, row.token, row.seed)
        for row in connection.execute(sa.select(seats).where(seats.c.game == id).order_by(seats.c.place))
    ]
    values = dict(found)
    values["files"] = msgspec.json.decode(values["files"])
    script = values["script"]
    values["script"] = None if script is None else tuple(msgspec.json.decode(script))
    row = GameRow(**{name: values[name] for name in GameRow.__struct_fields__})
    standing = Standing(**{name: values[name] for name in Standing.__struct_fields__})
    return Kept(row, standing, kept_seats, kept_answers, kept_orders)


def database_url(database: str) -> URL:
    """The address of a database: a URL, or the name of an SQLite file."""
    try:
        url = make_url(database) if "://" in database else URL.create("sqlite", database=database)
    except ArgumentError:
        raise GrognardError("the database's address cannot be read; write it as postgresql://user@host/name") from None
    backend = url.get_backend_name()
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise GrognardError(f"a database of kind {backend!r} is not kept here; use sqlite:///file or postgresql://…")
    if not url.database or url.database == ":memory:":
        raise GrognardError("a database in memory would lose every game; name a file, as sqlite:///games.db")
    return url


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Every commit is on the disk before it returns, and readers never wait for the writer."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA busy_timeout = 10000")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _cause(error: Exception) -> str:
    """The driver's own words, in one line."""
    return " ".join(str(getattr(error, "orig", None) or error).split())
