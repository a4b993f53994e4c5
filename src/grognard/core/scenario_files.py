"""What every scenario file has: a head, two sides, and who plays what; each fault is told with its line."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from grognard.core.files import Document
from grognard.core.read_tables import read_name, read_whole


class Head(msgspec.Struct, kw_only=True):
    """What a scenario file begins with. A game derives its own, with its map or table and what else it needs."""

    name: str
    title: str
    side: Any
    game: str = ""
    place: str = ""
    date: str = ""
    briefing: str = ""
    turns: int = 0


H = TypeVar("H", bound=Head)


def read_head(doc: Document, kind: type[H], game: str, most_turns: int, **instead: Any) -> H:
    """The head of a scenario of a game. Where it has faults the reader goes on with what is given ``instead``."""
    instead = {"name": "unnamed", "title": "", "side": {}, **instead}
    head = read_whole(doc, kind, instead)
    if head.game not in ("", game):
        doc.fault("game", f'a scenario of "{head.game}"', f'game = "{game}"')
    read_name(doc, ("name",), head.name, "mill_farm")
    if "turns" in doc.data and not 1 <= head.turns <= most_turns:
        doc.fault("turns", f"{head.turns} turns", f"1 to {most_turns}")
    return head


def read_sides(doc: Document, data: Any) -> tuple[dict[str, Any], tuple[str, str]]:
    """The tables of both sides, and their names; a file with one side or three gets two to go on with."""
    if not isinstance(data, dict):
        doc.fault("side", f"{data!r} instead of a table", "[side.NAME]")
        data = {}
    elif len(data) != 2 and "side" in doc.data:
        doc.fault("side", f"{len(data)} sides", "exactly two, [side.NAME] each")
    for side in data:
        read_name(doc, ("side", side), side, "german")
    tables: dict[str, Any] = data
    first, second, *_ = (*tables, "nobody", "none")
    return tables, (first, second)
