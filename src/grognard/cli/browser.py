"""``grognard play`` in the browser: a server on this machine alone, a battle, and a window on it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import typer

from grognard.cli.serve import LOOPBACK, data_folder, database_of
from grognard.core import opening
from grognard.core.aids import Lesson
from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.session import Session
from grognard.players.seats import DEFAULT, HUMAN, name_seats

if TYPE_CHECKING:
    from grognard.cli.play import Wishes
    from grognard.server.hall import Hall
    from grognard.server.room import Room
    from grognard.server.schema import SeatKey


class Last(msgspec.Struct):
    """The battle that somebody was in: enough to go on with it."""

    database: str
    id: str
    seats: list[tuple[str, str]]


def play_in_browser(wishes: Wishes, session: Session | None) -> None:
    """Serve on loopback, make the battle that is wanted, open a browser on it, and stop on Ctrl-C.

    ``session`` is the battle to be played; without one it is the battle that was left, or the one to begin with.
    """
    from grognard.server.hall import Hall
    from grognard.server.run import open_port, serve

    database = database_of(wishes.database)
    hall = Hall(database)
    place = open_port(LOOPBACK, wishes.port)

    async def ready(url: str) -> None:
        link = url + await _find_battle(hall, database, wishes, session)
        typer.echo(f"Your battle: {link}\nCtrl-C stops the server; every battle is kept.")
        if wishes.browser:
            # Some browsers are started in front of everything else; the server must go on meanwhile.
            _ = asyncio.get_running_loop().run_in_executor(None, _open_window, link)

    serve(hall, place, ready=ready, verbose=wishes.verbose)
    typer.echo("Stopped. Every battle is kept; `grognard play` goes on with the last one.")


def _open_window(link: str) -> None:
    with contextlib.suppress(Exception):
        if webbrowser.open(link):
            return
    typer.echo("No browser could be opened; open the link yourself.", err=True)


async def _find_battle(hall: Hall, database: str, wishes: Wishes, session: Session | None) -> str:
    from grognard.server.schema import ImportBattle, NewBattle

    if session is None:
        last = await _go_on(hall, database)
        if last:
            return last
        found = first_lesson(wishes.game)
        if found is not None:
            game, lesson = found
            guided = NewBattle(game=game.name, lesson=lesson.id, free_undo=wishes.solo)
            return _keep(database, *await hall.make(guided))
        session = _first_scenario(wishes)
    players = name_seats(wishes.sides, session.scenario.sides, DEFAULT)
    given = ImportBattle(save=session.save().decode(), players=players, free_undo=wishes.solo)
    return _keep(database, *await hall.take_in(given))


def first_lesson(only: str = "") -> tuple[Game, Lesson] | None:
    """The guided battle to begin with: the one with the fewest units."""
    found = [(game, lesson) for game in opening.find_games(only) for lesson in game.lessons()]
    return min(found, key=lambda each: _size(*each), default=None)


def _size(game: Game, lesson: Lesson) -> int:
    """How many units a guided battle has."""
    scenario = game.load_scenario(Document.read(game.scenario_files()[lesson.scenario]))
    return int(game.summary(scenario).get("units", sys.maxsize))


def _first_scenario(wishes: Wishes) -> Session:
    from grognard.cli.play import open_battle

    return open_battle(wishes)


# ---- the battle that was left -----------------------------------------------------------------------------


def last_file() -> Path:
    """Where the last battle's link is kept, for its owner's eyes only."""
    return data_folder() / "last.json"


def link_of(id: str, seats: list[tuple[str, str]]) -> str:
    """The address of a battle for whoever sits at this screen: the people's sides, or a watcher's place."""
    return f"/play/{id}#{','.join(token for _, token in seats)}"


def _keep(database: str, room: Room, seats: list[SeatKey]) -> str:
    sides = [seat for seat in seats if seat.side in room.session.scenario.sides]
    mine = [(seat.side, seat.token) for seat in sides or seats]
    if not mine:
        raise GrognardError(f"nobody plays or watches this battle; give yourself a side with --sides {HUMAN},random")
    path = last_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(msgspec.json.encode(Last(database, room.id, mine)))
    return link_of(room.id, mine)


async def _go_on(hall: Hall, database: str) -> str:
    """The link of the battle that was left, "" if there is none or it is over."""
    path = last_file()
    try:
        last = msgspec.json.decode(path.read_bytes(), type=Last)
    except (OSError, msgspec.DecodeError):
        return ""
    if last.database != database:
        return ""
    try:
        room = await hall.room(last.id)
        for _, token in last.seats:
            room.seat(token)
        over = room.session.over
    except GrognardError:
        over = True
    if over:
        path.unlink(missing_ok=True)
        return ""
    return link_of(last.id, last.seats)
