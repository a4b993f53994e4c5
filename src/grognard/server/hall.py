"""The hall: all the rooms of a server, opened when somebody comes and closed when nobody is there."""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from grognard.core import registry
from grognard.core.dice import FairDice, ScriptedDice
from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.saves import Save
from grognard.core.session import Session
from grognard.core.words import read_seed, unknown
from grognard.players.seats import BUDGET, player_names
from grognard.server.bots import Thinkers
from grognard.server.clerk import Clerk
from grognard.server.crew import Crew
from grognard.server.errors import ForbiddenError, TokenError, TooMuchError
from grognard.server.intake import read_in
from grognard.server.kept import answer_rows, open_kept, standing_of, token_hash
from grognard.server.limits import Limits
from grognard.server.room import Room
from grognard.server.scenes import Scene, scene
from grognard.server.schema import ImportBattle, Moment, NewBattle, SeatKey
from grognard.server.stage import HUMAN, WATCHER, Service
from grognard.server.store import GameRow, Kept, NewGame, SeatRow, Store

log = logging.getLogger("grognard.server")

#: Threads for people's requests. They only take turns at the interpreter, and that is what they are for: a battle has
#: one of them at a time, and one that looks for seconds at a large map does not keep the others waiting.
THREADS = 8
#: Threads in which programs' answers are carried out.
BOT_THREADS = 1
#: Seconds after which a room that nobody listens to or asks is closed, and how often that is looked after.
IDLE = 300.0
SWEEP = 30.0

T = TypeVar("T")


class Hall:
    """The battles of one server process."""

    def __init__(
        self,
        database: str,
        *,
        limits: Limits | None = None,
        pace: float = 0.0,
        budget: float = BUDGET,
        idle: float = IDLE,
    ) -> None:
        self.database, self.pace, self.budget, self.idle = database, pace, budget, idle
        self.limits = limits or Limits()
        self._rooms: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Open the database, and be ready."""
        self._crew = Crew(THREADS, "engine")
        self._bot_crew = Crew(BOT_THREADS, "bots")
        self.store = await self._thread(lambda: Store(self.database))
        self._clerk = Clerk(lambda changes: self.store.write(changes))
        self._thinkers = Thinkers(budget=self.budget)
        self._service = Service(self.store, self._clerk, self._crew, self._bot_crew, self._thinkers, self.pace)
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    async def stop(self) -> None:
        """Finish what has begun, write it, and close the database."""
        if self._sweeper is None:
            return
        self._sweeper.cancel()
        self._sweeper = None
        await asyncio.gather(*self._opening.values(), return_exceptions=True)
        await asyncio.gather(*(room.close() for room in self._rooms.values()))
        self._rooms.clear()
        self._thinkers.stop()
        await self._thread(self._clerk.stop)
        self._crew.stop()
        self._bot_crew.stop()
        self.store.close()

    async def _thread(self, work: Callable[[], T]) -> T:
        return await self._crew.do(work)

    # -- rooms -----------------------------------------------------------------------------------------------

    async def room(self, id: str) -> Room:
        """The room of a battle, opened from the store if need be."""
        if id in self._rooms:
            room = self._rooms[id]
            room.used = time.monotonic()
            return room
        if id not in self._opening:
            self._make_way()
            task = asyncio.get_running_loop().create_task(self._open(id))
            self._opening[id] = task
            task.add_done_callback(lambda ended: self._opened(id, ended))
        return await asyncio.shield(self._opening[id])

    async def _open(self, id: str) -> Room:
        def read() -> Room:
            kept = self.store.read(id)
            return Room(self._service, kept, *open_kept(kept))

        room = await self._thread(read)
        self._enter(room)
        return room

    def _opened(self, id: str, task: asyncio.Task[Room]) -> None:
        del self._opening[id]
        if not task.cancelled():
            task.exception()

    def _enter(self, room: Room) -> None:
        self._rooms[room.id] = room
        room.wake_bots()

    def _make_way(self) -> None:
        """See that one more room may be open: the one that has been idle longest is closed for it."""
        if len(self._rooms) + len(self._opening) < self.limits.games:
            return
        idle = min((room for room in self._rooms.values() if room.idle), key=lambda room: room.used, default=None)
        if idle is None:
            raise TooMuchError(f"{len(self._rooms)} battles are being played here; come back when one has ended")
        del self._rooms[idle.id]

    async def _sweep(self) -> None:
        """Close rooms in which nothing has happened for a while."""
        while True:
            await asyncio.sleep(min(SWEEP, self.idle))
            since = time.monotonic() - self.idle
            for room in [room for room in self._rooms.values() if room.idle and room.used < since]:
                del self._rooms[room.id]

    @property
    def open_rooms(self) -> int:
        """How many rooms are open."""
        return len(self._rooms)

    # -- new battles -------------------------------------------------------------------------------------------

    async def make(self, new: NewBattle) -> tuple[Room, list[SeatKey]]:
        """A new battle of a scenario, of a lesson, or at random."""
        self._make_way()

        def prepare() -> tuple[GameRow, Session, Scene, dict[str, str]]:
            made, players, seed = _begin(new)
            session = Session(
                made.game,
                made.scenario,
                seed=seed,
                script=() if new.own_dice else None,
                state=made.state(),
                solo=new.free_undo,
            )
            row = _game_row(session, _mode(players, new.invite), new.free_undo, new.lesson)
            return row, session, made, players

        row, session, made, players = await self._thread(prepare)
        return await self._take(row, session, made, players, new.seed)

    async def take_in(self, new: ImportBattle) -> tuple[Room, list[SeatKey]]:
        """A battle from a file: a saved game, a situation or a scenario."""
        self._make_way()

        def prepare() -> tuple[GameRow, Session, Scene, dict[str, str]]:
            made, session = read_in(new.save)
            session.solo = new.free_undo
            players = _players(made.scenario.sides, new.players)
            _check_undo(new.free_undo, new.invite, players)
            return _game_row(session, _mode(players, new.invite), new.free_undo), session, made, players

        return await self._take(*await self._thread(prepare))

    async def _take(
        self, row: GameRow, session: Session, made: Scene, players: Mapping[str, str], seed: str = ""
    ) -> tuple[Room, list[SeatKey]]:
        """Store a new battle, give out its seats, and open its room."""
        keys, seats = [], []
        for side, player in players.items():
            if player == HUMAN:
                keys.append(SeatKey(side, secrets.token_urlsafe(24)))
                seats.append(SeatRow(side, player, token_hash(keys[-1].token)))
            else:
                seats.append(SeatRow(side, player, seed=f"{seed or secrets.token_hex(8)} {side}"))
        keys.append(SeatKey(WATCHER, secrets.token_urlsafe(24)))
        seats.append(SeatRow(WATCHER, WATCHER, token_hash(keys[-1].token)))

        def prepare() -> tuple[NewGame, Room]:
            rows = answer_rows(session, _turns(session))
            standing = standing_of(session, 1, False)
            change = NewGame(row, standing, seats, rows, list(session.orders))
            return change, Room(self._service, Kept(row, standing, seats, rows, list(session.orders)), made, session)

        change, room = await self._thread(prepare)
        await self._clerk.write(change)
        self._enter(room)
        return room, keys

    # -- shared moments ------------------------------------------------------------------------------------------

    async def shared(self, token: str) -> Moment:
        """A shared moment."""
        share = await self._thread(lambda: self.store.share(token_hash(token)))
        return await (await self.room(share.game)).moment(share)

    async def play_on(self, token: str, players: Mapping[str, str]) -> tuple[Room, list[SeatKey]]:
        """A new battle that goes on from a shared moment, with the dice as they would have fallen."""
        share = await self._thread(lambda: self.store.share(token_hash(token)))
        room = await self.room(share.game)
        if not room.playable(share.side):
            raise ForbiddenError("this battle is still being played; its moments can be played on when it is over")
        self._make_way()

        def prepare() -> tuple[GameRow, Session, Scene, dict[str, str]]:
            session = room.session.past(min(share.answers, len(room.session.answers)))
            session.orders = []
            row = room.row
            made = scene(row.game, row.source, row.files, row.situation, f"battle {row.id}")
            who = _players(made.scenario.sides, players)
            session.solo = row.free_undo
            return _game_row(session, _mode(who, False), session.solo), session, made, who

        return await self._take(*await room.run(prepare))

    # -- what cannot be opened -----------------------------------------------------------------------------------

    async def export(self, id: str, token: str) -> bytes:
        """A battle as a file, also one that this program cannot open because it was played under other rules."""

        def read() -> bytes:
            kept = self.store.read(id)
            given = token_hash(token)
            seat = next((s for s in kept.seats if s.token and hmac.compare_digest(s.token, given)), None)
            if seat is None:
                raise TokenError("this token is of no seat at this battle; open the link that you were given")
            if not kept.standing.over and (seat.player != HUMAN or kept.row.mode == "invite"):
                raise ForbiddenError("a saved game holds every secret; save when the battle is over")
            return _save_of(kept)

        return await self._thread(read)


# ---- making -----------------------------------------------------------------------------------------------------


def _begin(new: NewBattle) -> tuple[Scene, dict[str, str], bytes | None]:
    """The scene of a new battle, who plays, and the seed of its dice if one was asked for."""
    if new.game not in registry.names():
        raise unknown("game", new.game, registry.names())
    game = registry.game(new.game)
    if sum(map(bool, (new.scenario, new.lesson, new.random is not None))) != 1:
        raise GrognardError("say one of scenario, lesson and random: which battle shall it be?")
    wanted, seed = dict(new.players), new.seed
    if "\0" in seed:
        raise GrognardError("a seed is a number or a text that can be read; this one has a NUL in it")
    if new.lesson:
        lesson = next((each for each in game.lessons() if each.id == new.lesson), None)
        if lesson is None:
            raise unknown("lesson", new.lesson, [each.id for each in game.lessons()])
        scenario = _named(game, lesson.scenario)
        others = [side for side in scenario.sides if side != lesson.side]
        wanted = {lesson.side: HUMAN} | dict.fromkeys(others, lesson.opponent or "random") | wanted
        seed = seed or lesson.seed
    elif new.random is not None:
        scenario = _random(game, new.random)
    else:
        scenario = _named(game, new.scenario)
    players = _players(scenario.sides, wanted)
    _check_undo(new.free_undo, new.invite, players)
    if seed and _mode(players, new.invite) == "invite":
        raise GrognardError("who chooses the seed knows the dice; leave it out where somebody else plays")
    made = scene(game.name, scenario.source, scenario.files, False, scenario.name)
    return made, players, read_seed(seed) if seed else None


def _named(game: Game, name: str) -> Any:
    files = game.scenario_files()
    if name not in files:
        raise unknown("scenario", name, files)
    return game.load_scenario(Document.read(files[name]))


def _random(game: Game, choices: Mapping[str, str]) -> Any:
    """A battle made to order; a choice that is a number is taken as one."""
    known = {name for name, _, _ in game.random_choices()} | {"seed"}
    for name in choices:
        if name not in known:
            raise unknown("choice for a random battle", name, known)
    numbers = {name: int(word) if word.isascii() and word.isdigit() else word for name, word in choices.items()}
    numbers.setdefault("seed", secrets.randbelow(10**6))
    return game.random_battle(**numbers)


def _players(sides: Sequence[str], wanted: Mapping[str, str]) -> dict[str, str]:
    """Who plays each side; a side left out is played by a person.

    A side may be called by its place, "1" or "2": before a random battle is made nobody knows its name.
    """
    places = {str(place): side for place, side in enumerate(sides, 1)}
    wanted = {places.get(side, side): player for side, player in wanted.items()}
    for side, player in wanted.items():
        if side not in sides:
            raise unknown("side", side, sides)
        if player not in player_names():
            raise unknown("player", player, player_names())
    return {side: wanted.get(side, HUMAN) for side in sides}


def _mode(players: Mapping[str, str], invite: bool) -> str:
    people = sum(player == HUMAN for player in players.values())
    return "solo" if people < 2 else "invite" if invite else "hotseat"


def _check_undo(free: bool, invite: bool, players: Mapping[str, str]) -> None:
    if free and _mode(players, invite) == "invite":
        raise GrognardError("undo without limits is for battles at one screen; leave free_undo out")


def _game_row(session: Session, mode: str, free_undo: bool, lesson: str = "") -> GameRow:
    dice, scenario = session.dice, session.scenario
    return GameRow(
        id=secrets.token_urlsafe(9),
        game=session.game.name,
        rules=session.game.rules_version,
        scenario=scenario.name,
        source=scenario.source,
        files=dict(scenario.files),
        situation=session.situation,
        seed=dice.seed.hex() if isinstance(dice, FairDice) else "",
        mode=mode,
        free_undo=free_undo,
        lesson=lesson,
        created=int(time.time()),
    )


def _turns(session: Session) -> list[tuple[int, str]]:
    """Turn and phase after each answer of a game that was played elsewhere: it is played again for that."""
    game = session.game
    again = session.past(0)
    dice = session.dice
    if isinstance(dice, ScriptedDice) and isinstance(again.dice, ScriptedDice):
        again.dice.script = list(dice.script)
    again.orders = []
    turns = [game.turn_of(again.battle)]
    for answer in session.answers:
        again.answer(answer.key, trusted=True)
        turns.append(game.turn_of(again.battle))
    return turns


def _save_of(kept: Kept) -> bytes:
    row, standing = kept.row, kept.standing
    save = Save(
        game=row.game,
        rules=row.rules,
        scenario=row.scenario,
        source=row.source,
        files=row.files,
        situation=row.situation,
        seed=row.seed,
        script=None if standing.script is None else list(standing.script),
        answers=[(answer.side, answer.key, answer.by_order) for answer in kept.answers],
        orders=kept.orders,
        digest=standing.digest,
    )
    return msgspec.json.format(msgspec.json.encode(save), indent=1)
