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
from grognard.core import open_files
from grognard.core.aid_views import Lesson
from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.session import Session
from grognard.players.seats import DEFAULT, HUMAN, name_seats

if TYPE_CHECKING:
    from grognard.cli.play import Wishes
    from grognard.server.battles import Battles
    from grognard.server.live_battle import LiveBattle
    from grognard.server.schema import SeatKey


#: So many battles are remembered.
MOST_KEPT = 40


class Last(msgspec.Struct):
    """The battle that somebody was in: enough to go on with it."""

    database: str
    id: str
    seats: list[tuple[str, str]]


def play_in_browser(wishes: Wishes, session: Session | None) -> None:
    """Serve on loopback, make the battle that is wanted, open a browser on it, and stop on Ctrl-C.

    ``session`` is the battle to be played; without one it is the battle that was left, or the one to begin with.
    """
    from grognard.server.battles import Battles
    from grognard.server.run import open_port, serve

    database = database_of(wishes.database)
    battles = Battles(database)
    battles.on_made = lambda battle, seats: _note(database, battle, seats)
    place = open_port(LOOPBACK, wishes.port)

    async def ready(url: str) -> None:
        link = url + await _find_battle(battles, database, wishes, session)
        typer.echo(f"Your battle: {link}\nPress Ctrl-C to stop the server; every battle is kept.")
        if wishes.browser:
            # Some browsers are started in front of everything else; the server must go on meanwhile.
            _ = asyncio.get_running_loop().run_in_executor(None, _open_window, link)

    serve(battles, place, ready=ready, verbose=wishes.verbose)
    typer.echo("Stopped. Every battle is kept; `grognard play` continues the last one.")


def _open_window(link: str) -> None:
    with contextlib.suppress(Exception):
        if webbrowser.open(link):
            return
    typer.echo("Couldn't open a browser; open the link yourself.", err=True)


async def _find_battle(battles: Battles, database: str, wishes: Wishes, session: Session | None) -> str:
    from grognard.server.schema import ImportBattle, NewBattle

    if session is None:
        last = await _go_on(battles, database)
        if last:
            return last
        found = first_lesson(wishes.game)
        if found is not None:
            game, lesson = found
            guided = NewBattle(game=game.name, lesson=lesson.id, free_undo=wishes.solo)
            return _link(*await battles.make(guided))
        session = _first_scenario(wishes)
    players = name_seats(wishes.sides, session.scenario.sides, DEFAULT)
    given = ImportBattle(save=session.save().decode(), players=players, free_undo=wishes.solo)
    return _link(*await battles.import_file(given))


def first_lesson(only: str = "") -> tuple[Game, Lesson] | None:
    """The guided battle to begin with: the one with the fewest units."""
    found = [(game, lesson) for game in open_files.find_games(only) for lesson in game.lessons()]
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
    """Where the links of the last battles are kept, for their owner's eyes only."""
    return data_folder() / "last.json"


def link_of(id: str, seats: list[tuple[str, str]]) -> str:
    """The address of a battle for whoever sits at this screen: the people's sides, or a watcher's place."""
    return f"/play/{id}#{','.join(token for _, token in seats)}"


def _mine(battle: LiveBattle, seats: list[SeatKey]) -> list[tuple[str, str]]:
    sides = [seat for seat in seats if seat.side in battle.session.scenario.sides]
    return [(seat.side, seat.token) for seat in sides or seats]


def _link(battle: LiveBattle, seats: list[SeatKey]) -> str:
    mine = _mine(battle, seats)
    if not mine:
        raise GrognardError(f"no person plays this battle; take a side with --sides {HUMAN},random")
    return link_of(battle.id, mine)


def _note(database: str, battle: LiveBattle, seats: list[SeatKey]) -> None:
    """Keep the link of a battle that was made, here or from the lobby, so that it can be gone on with.

    One of two seats of a battle by invitation is somebody else's: whose, only the page knows that made it.
    """
    mine = _mine(battle, seats)
    if not mine or battle.row.mode == "invite":
        return
    kept = [Last(database, battle.id, mine), *(last for last in _kept() if last.id != battle.id)]
    path = last_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(msgspec.json.encode(kept[:MOST_KEPT]))


def _kept() -> list[Last]:
    """The battles that were made here, the latest first; a file of an older version has one."""
    try:
        kept = msgspec.json.decode(last_file().read_bytes(), type=list[Last] | Last)
    except (OSError, msgspec.DecodeError):
        return []
    return [kept] if isinstance(kept, Last) else kept


async def _go_on(battles: Battles, database: str) -> str:
    """The link of the unfinished battle that was played last, "" if there is none that can be opened."""
    kept = {last.id: last for last in _kept() if last.database == database}
    for id in battles.store.unfinished(list(kept)):
        try:
            battle = await battles.open(id)
            for _, token in kept[id].seats:
                battle.seat(token)
        except GrognardError:
            continue
        if not battle.session.over:
            return link_of(id, kept[id].seats)
    return ""
