"""The battles of a server: made, opened when somebody comes, and closed when nobody is there."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from grognard.core import registry
from grognard.core.dice import FairDice, ScriptedDice
from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.random_battles import SEED
from grognard.core.saves import Save
from grognard.core.session import Session
from grognard.core.words import read_seed, unknown
from grognard.players.seats import BUDGET, HUMAN, player_names
from grognard.server.errors import ForbiddenError, TooMuchError
from grognard.server.imports import read_file
from grognard.server.limits import Limits
from grognard.server.live_battle import LiveBattle
from grognard.server.rows import GameRow, SeatRow, StoredGame, answer_rows, open_stored, spoilt, standing_of
from grognard.server.runner import Resources
from grognard.server.scenario_cache import LoadedScenario, load_cached
from grognard.server.schema import ImportBattle, Moment, NewBattle, SeatKey
from grognard.server.seats import WATCHER, seat_of, token_hash
from grognard.server.store import NewGame, Store
from grognard.server.thinking_threads import ThinkingThreads
from grognard.server.threads import ThreadPool
from grognard.server.writer import Writer

log = logging.getLogger("grognard.server")

#: Threads for people's requests. They only take turns at the interpreter, and that is what they are for: a battle has
#: one of them at a time, and one that looks for seconds at a large map does not keep the others waiting.
THREADS = 8
#: Threads in which people look things up that may take seconds; nobody's answer waits for them.
AID_THREADS = 2
#: How large the maps of all open battles may be together, in hexes or square inches. Programs, and people who look
#: things up, fill a memory for every map, which is kept as long as somebody plays on it; battles on one map share it.
MOST_GROUND = 80_000
#: Threads in which battles are read, from files and from the store: a long game is played again for that, and nobody
#: who plays waits for it.
READING_THREADS = 2
#: Threads in which programs' answers are carried out.
BOT_THREADS = 1
#: Seconds after which a battle that nobody listens to or asks is closed, and how often that is looked after.
IDLE = 300.0
SWEEP = 30.0
#: The same for a battle that is over: whoever comes back to it looks at it, and can wait until it has been read again.
ENDED = 30.0


class Battles:
    """The battles of one server process: those that are open, and the way to all others."""

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
        #: Called for every battle that is made, with the secrets of its seats: only for a server with one user.
        self.on_made: Callable[[LiveBattle, list[SeatKey]], None] | None = None
        self._live: dict[str, LiveBattle] = {}
        self._opening: dict[str, asyncio.Task[LiveBattle]] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Open the database, and be ready."""
        people = ThreadPool(THREADS, "people")
        self.store = await people.do(lambda: Store(self.database))
        self._reading = ThreadPool(READING_THREADS, "reading", turns=True)
        self._resources = Resources(
            self.store,
            Writer(lambda changes: self.store.write(changes)),
            people,
            ThreadPool(BOT_THREADS, "bots"),
            ThreadPool(AID_THREADS, "aids", turns=True),
            ThinkingThreads(budget=self.budget),
            self.pace,
        )
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    async def stop(self) -> None:
        """Finish what has begun, write it, and close the database."""
        if self._sweeper is None:
            return
        self._sweeper.cancel()
        self._sweeper = None
        await asyncio.gather(*self._opening.values(), return_exceptions=True)
        await asyncio.gather(*self._closing, *(battle.close() for battle in self._live.values()))
        self._live.clear()
        resources = self._resources
        resources.thinking.stop()
        await resources.people.do(resources.writer.stop)
        for threads in (resources.people, resources.bots, resources.aids, self._reading):
            threads.stop()
        self.store.close()

    # -- open battles ----------------------------------------------------------------------------------------

    async def open(self, id: str, caller: str = "") -> LiveBattle:
        """A battle, read from the store unless it is open. Callers from several addresses take turns."""
        if id in self._live:
            battle = self._live[id]
            battle.runner.used = time.monotonic()
            return battle
        if id not in self._opening:
            self._make_way(new=False)
            task = asyncio.get_running_loop().create_task(self._read(id, caller))
            self._opening[id] = task
            task.add_done_callback(lambda ended: self._opened(id, ended))
        return await asyncio.shield(self._opening[id])

    async def _read(self, id: str, caller: str) -> LiveBattle:
        def read() -> tuple[LoadedScenario, LiveBattle]:
            stored = self.store.read(id)
            loaded, session = open_stored(stored)
            try:
                return loaded, LiveBattle(self._resources, stored, loaded, session)
            except (LookupError, TypeError, ValueError) as error:
                raise spoilt(id, error) from None

        loaded, battle = await self._reading.do(read, caller)
        self._make_way_for_map(loaded, new=False)
        self._add(battle)
        return battle

    def _opened(self, id: str, task: asyncio.Task[LiveBattle]) -> None:
        del self._opening[id]
        if not task.cancelled():
            task.exception()

    def _add(self, battle: LiveBattle) -> None:
        self._live[battle.id] = battle
        battle.bots.wake()

    def _make_way(self, new: bool = True) -> None:
        """See that one more battle may be open: one that nobody is at is closed for it, the longest left first.

        A battle where only programs think is left by everybody, and can go on when somebody looks at it again. Where
        all battles are in use no new one is made; but a battle that there is opens to whoever comes for it.
        """
        if len(self._live) + len(self._opening) < self.limits.games:
            return
        if not self._close_one() and new:
            raise TooMuchError(f"The server is full: {len(self._live)} battles are being played. Try again later.")

    def _make_way_for_map(self, loaded: LoadedScenario, new: bool) -> None:
        """See that one more map may be in use: what is remembered of it takes memory, the more the larger it is.

        Battles that everybody has left are closed for it, those first that were left longest. Where there are none,
        no ``new`` map is taken in. What comes with a game, and a battle that there is, opens all the same; for these
        a battle that somebody looks at only now and then is closed too, and read again when it is looked at.
        """
        maps: dict[int, list[LiveBattle]] = {}
        for battle in self._live.values():
            maps.setdefault(id(battle.session.scenario), []).append(battle)
        if id(loaded.scenario) in maps:
            return
        ground = loaded.size + sum(battles[0].ground for battles in maps.values())
        seen = {at: any(battle.runner.attended for battle in battles) for at, battles in maps.items()}
        idle = {at for at, battles in maps.items() if all(battle.runner.idle for battle in battles)}
        left = [at for at in maps if not seen[at] or (not new and at in idle)]
        for at in sorted(left, key=lambda at: (seen[at], max(battle.runner.used for battle in maps[at]))):
            if ground <= MOST_GROUND:
                return
            ground -= maps[at][0].ground
            for battle in maps[at]:
                self._close(battle)
        if ground > MOST_GROUND and new:
            raise TooMuchError("The server is full: battles on many large maps are being played. Try again later.")

    def _close_one(self) -> bool:
        """Close the battle that has been left longest; whether there was one."""
        left = [battle for battle in self._live.values() if battle.runner.idle or not battle.runner.attended]
        first = min(left, key=lambda battle: (not battle.runner.idle, battle.runner.used), default=None)
        if first is not None:
            self._close(first)
        return first is not None

    def _close(self, battle: LiveBattle) -> None:
        """Close a battle that nobody is at; what has begun ends by itself."""
        del self._live[battle.id]
        task = asyncio.get_running_loop().create_task(battle.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _sweep(self) -> None:
        """Close battles in which nothing has happened for a while."""
        while True:
            await asyncio.sleep(min(SWEEP, self.idle))
            now = time.monotonic()
            for battle in [battle for battle in self._live.values() if battle.runner.idle]:
                if now - battle.runner.used > (min(ENDED, self.idle) if battle.session.over else self.idle):
                    self._close(battle)

    @property
    def count(self) -> int:
        """How many battles are open."""
        return len(self._live)

    # -- new battles -------------------------------------------------------------------------------------------

    async def make(self, new: NewBattle) -> tuple[LiveBattle, list[SeatKey]]:
        """A new battle of a scenario, of a lesson, or at random."""
        self._make_way()

        def prepare() -> tuple[GameRow, Session, LoadedScenario, dict[str, str]]:
            loaded, players, seed = _begin(new)
            session = Session(
                loaded.game,
                loaded.scenario,
                seed=seed,
                script=() if new.own_dice else None,
                state=loaded.state(),
                solo=new.free_undo,
            )
            row = _game_row(session, _mode(players, new.invite), new.free_undo, new.lesson)
            return row, session, loaded, players

        row, session, loaded, players = await self._resources.people.do(prepare)
        return await self._start(row, session, loaded, players, new.seed, brought=False)

    async def import_file(self, new: ImportBattle) -> tuple[LiveBattle, list[SeatKey]]:
        """A battle from a file: a saved game, a situation or a scenario."""
        self._make_way()

        def prepare() -> tuple[GameRow, Session, LoadedScenario, dict[str, str]]:
            loaded, session = read_file(new.save)
            session.solo = new.free_undo
            players = _players(loaded.scenario.sides, new.players)
            _check_undo(new.free_undo, new.invite, players)
            return _game_row(session, _mode(players, new.invite), new.free_undo), session, loaded, players

        return await self._start(*await self._reading.do(prepare))

    async def _start(
        self,
        row: GameRow,
        session: Session,
        loaded: LoadedScenario,
        players: Mapping[str, str],
        seed: str = "",
        *,
        brought: bool = True,
    ) -> tuple[LiveBattle, list[SeatKey]]:
        """Store a new battle, give out its seats, and open it. ``brought`` says that its map came in a file."""
        keys, seats = [], []
        for side, player in players.items():
            if player == HUMAN:
                keys.append(SeatKey(side, secrets.token_urlsafe(24)))
                seats.append(SeatRow(side, player, token_hash(keys[-1].token)))
            else:
                seats.append(SeatRow(side, player, seed=f"{seed or secrets.token_hex(8)} {side}"))
        keys.append(SeatKey(WATCHER, secrets.token_urlsafe(24)))
        seats.append(SeatRow(WATCHER, WATCHER, token_hash(keys[-1].token)))

        def prepare() -> tuple[NewGame, LiveBattle]:
            rows = answer_rows(session, _turns(session))
            standing = standing_of(session, 1, False)
            change = NewGame(row, standing, seats, rows, list(session.orders))
            stored = StoredGame(row, standing, seats, rows, list(session.orders))
            return change, LiveBattle(self._resources, stored, loaded, session)

        self._make_way_for_map(loaded, new=brought)
        change, battle = await (self._reading if brought else self._resources.people).do(prepare)
        await self._resources.writer.write(change)
        self._make_way_for_map(loaded, new=False)  # others may have come meanwhile
        self._add(battle)
        if self.on_made is not None:
            self.on_made(battle, keys)
        return battle, keys

    # -- shared moments ------------------------------------------------------------------------------------------

    async def shared(self, token: str) -> Moment:
        """A shared moment."""
        share = await self._resources.people.do(lambda: self.store.share(token_hash(token)))
        return await (await self.open(share.game)).moment(share)

    async def play_on(self, token: str, players: Mapping[str, str]) -> tuple[LiveBattle, list[SeatKey]]:
        """A new battle that goes on from a shared moment, with the dice as they would have fallen."""
        share = await self._resources.people.do(lambda: self.store.share(token_hash(token)))
        battle = await self.open(share.game)
        if not battle.playable(share.side):
            raise ForbiddenError("This battle is still being played. You can play on from its moments when it's over.")
        self._make_way()

        def prepare() -> tuple[GameRow, Session, LoadedScenario, dict[str, str]]:
            session = battle.session.past(min(share.answers, len(battle.session.answers)))
            session.orders = []
            row = battle.row
            loaded = load_cached(row.game, row.source, row.files, row.situation, f"battle {row.id}")
            who = _players(loaded.scenario.sides, players)
            session.solo = row.free_undo
            return _game_row(session, _mode(who, False), session.solo), session, loaded, who

        return await self._start(*await battle.runner.run(prepare))

    # -- what cannot be opened -----------------------------------------------------------------------------------

    async def export(self, id: str, token: str) -> bytes:
        """A battle as a file, also one that this program cannot open because it was played under other rules."""

        def read() -> bytes:
            stored = self.store.read(id)
            seat = seat_of(stored.seats, token)
            if not stored.standing.over and (seat.player != HUMAN or stored.row.mode == "invite"):
                raise ForbiddenError("A saved game contains all secrets. You can save when the battle is over.")
            return _save_of(stored)

        return await self._resources.people.do(read)


# ---- making -----------------------------------------------------------------------------------------------------


def _begin(new: NewBattle) -> tuple[LoadedScenario, dict[str, str], bytes | None]:
    """The scenario of a new battle, who plays, and the seed of its dice if one was asked for."""
    if new.game not in registry.names():
        raise unknown("game", new.game, registry.names())
    game = registry.game(new.game)
    if sum(map(bool, (new.scenario, new.lesson, new.random is not None))) != 1:
        raise GrognardError("Choose one of scenario, lesson and random.")
    wanted, seed = dict(new.players), new.seed
    if "\0" in seed:
        raise GrognardError("The seed contains a NUL character. Use a number or plain text.")
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
        raise GrognardError("You can't choose the seed when someone else plays: you would know the dice.")
    loaded = load_cached(game.name, scenario.source, scenario.files, False, scenario.name)
    return loaded, players, read_seed(seed) if seed else None


def _named(game: Game, name: str) -> Any:
    files = game.scenario_files()
    if name not in files:
        raise unknown("scenario", name, files)
    return game.load_scenario(Document.read(files[name]))


def _random(game: Game, choices: Mapping[str, str]) -> Any:
    """A battle made to order."""
    return game.random_battle(**{SEED: str(secrets.randbelow(10**6)), **choices})


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
        raise GrognardError("Unlimited undo works only on one screen. Leave out free_undo.")


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


def _save_of(stored: StoredGame) -> bytes:
    row, standing = stored.row, stored.standing
    save = Save(
        game=row.game,
        rules=row.rules,
        scenario=row.scenario,
        source=row.source,
        files=row.files,
        situation=row.situation,
        seed=row.seed,
        script=None if standing.script is None else list(standing.script),
        answers=[(answer.side, answer.key, answer.by_order) for answer in stored.answers],
        orders=stored.orders,
        digest=standing.digest,
    )
    return msgspec.json.format(msgspec.json.encode(save), indent=1)
