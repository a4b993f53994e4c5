"""The tables of the database."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Integer, MetaData, Table, Text

sql_tables = MetaData()

meta = Table("meta", sql_tables, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))

games = Table(
    "games",
    sql_tables,
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
    sql_tables,
    _of_game(),
    Column("side", Text, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("player", Text, nullable=False),
    Column("token", Text, nullable=False),
    Column("seed", Text, nullable=False),
)

answers = Table(
    "answers",
    sql_tables,
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
    sql_tables,
    _of_game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("side", Text, nullable=False),
    Column("reaction", Text, nullable=False),
    Column("beyond", Integer),
    Column("below", Float),
)

shares = Table(
    "shares",
    sql_tables,
    Column("token", Text, primary_key=True),
    Column("game", Text, ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("side", Text, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
)

#: What a program thought, for as long as anybody may want to look at it. Databases of before may be without it.
thoughts = Table(
    "thoughts",
    sql_tables,
    _of_game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
)

#: What a side asks the other to let it take back, or what became of that. Databases of before may be without it.
take_backs = Table(
    "take_backs",
    sql_tables,
    _of_game(),
    Column("side", Text, nullable=False),
    Column("state", Text, nullable=False),
)
