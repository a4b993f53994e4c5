"""Whatever a seat gets is searched for what it may not know; and states that look alike to it give equal bytes."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from grognard.core.errors import GrognardError
from grognard.core.prospects import prospect
from grognard.core.session import Session
from grognard.games.ost.state import State
from grognard.server.hall import Hall
from grognard.server.kept import answer_rows, standing_of
from grognard.server.room import Room, Seat
from grognard.server.scenes import Scene
from grognard.server.schema import NewOrder, Update
from grognard.server.store import GameRow, Kept, SeatRow
from tests.games.ost.test_view import CHANGES, alike
from tests.server.rooms import Table, open_hall, pick, run

HIDING = ["causeway", "canal_bridge", "print_works", "the_gully", "forest_road"]


class Spy:
    """Keeps all that a seat was ever told, and which units it has met openly."""

    def __init__(self, table: Table, side: str) -> None:
        self.table, self.side, self.seat = table, side, table.seat(side)
        self.queue: asyncio.Queue[Update] = asyncio.Queue()
        table.room.listen(self.seat, self.queue)
        self.met: set[str] = set()
        self.searched = self.secrets = 0

    def search(self, told: object, hidden: dict[str, str]) -> None:
        """Fail if something that was told names a unit that this side cannot know."""
        if isinstance(told, str):
            told = told.split(", such as ")[0]  # the example of a refusal is made up
        text = msgspec.json.encode(told).decode()
        self.searched += len(text)
        words = set(re.findall(r"[\w]+", text))
        for id in hidden.keys() & words:
            # An id such as "gun" is also a word that people use; then only what is no prose names the unit.
            where = text if re.search(r"\d", id) else " ".join(named(msgspec.json.decode(text)))
            found = re.search(rf"\b{id}\b", where)
            assert not found, f"{self.side} hears of {id} ({hidden[id]}): {excerpt(where, id)}"

    def hidden(self, session: Session) -> dict[str, str]:
        """The enemy's units that this side cannot know, with what they are."""
        self.met |= {unit.id for unit in session.game.view(session.battle, self.side).units}
        found = {}
        for enemy in session.scenario.sides:
            if enemy != self.side:
                for unit in session.game.view(session.battle, enemy).units:
                    if unit.side != enemy or unit.id in self.met:
                        continue
                    if "hidden" in unit.states or not unit.place:
                        found[unit.id] = f"{unit.name} {unit.place}"
                    else:
                        self.met.add(unit.id)  # set up openly, as the log has told
        self.secrets += len(found)
        return found


def named(told: Any, field: str = "") -> Iterator[str]:
    """Every text that is no prose: answers, ids, places, and the names of fields."""
    if isinstance(told, dict):
        for name, value in told.items():
            yield name
            yield from named(value, name)
    elif isinstance(told, list):
        for value in told:
            yield from named(value, field)
    elif (
        isinstance(told, str)
        and field not in ("type", "short", "branch", "verb")
        and (" " not in told or field in ("key", "keys"))
    ):
        yield told


def excerpt(text: str, word: str) -> str:
    at = re.search(rf"\b{word}\b", text)
    assert at
    return text[max(0, at.start() - 150) : at.end() + 100]


async def refused_or(call: Any) -> object:
    """What a call returns; or the words in which it is refused, for they are told too."""
    try:
        return await call
    except GrognardError as error:
        return str(error)


@pytest.mark.parametrize("scenario", HIDING)
def test_nobody_hears_of_hidden_units(scenario: str, tmp_path: Path) -> None:
    """Random play, with updates, aids, frames and refusals of both sides and a watcher searched after each answer."""

    async def main() -> None:
        async with open_hall(str(tmp_path / "games.db")) as hall:
            seed = os.environ.get("GROGNARD_SEED", "1")
            table = await Table.make(hall, scenario=scenario, seed=seed)
            room, rng = table.room, Random(f"{scenario} {seed}")
            spies = [Spy(table, side) for side in table.tokens]
            anywhere = [hex.id for hex in room.battle().board.hexes][::40]
            for count in range(100):
                session = room.session
                if session.over:
                    break
                seat, update = await table.asked()
                hidden = {spy.side: spy.hidden(session) for spy in spies}
                everybody = session.game.view(session.battle, "").units
                places = [unit.place for unit in everybody if unit.place] + anywhere
                for spy in spies:
                    mine = hidden[spy.side]
                    while not spy.queue.empty():
                        spy.search(spy.queue.get_nowait(), mine)
                    if count % 14:
                        continue
                    spy.search(await room.update(spy.seat), mine)
                    await look_around(spy, mine, rng, places)
                if count % 14 == 0:
                    await look_ahead(next(s for s in spies if s.side == seat.side), update, rng, hidden[seat.side])
                if count == 50:
                    await room.set_orders(seat, [NewOrder(below=0.2)])
                    seat, update = await table.asked()  # the order may have answered already
                await room.answer(seat, update.seq, pick(update, rng))
            assert all(spy.searched > 10_000 for spy in spies)
            assert any(spy.secrets > 50 for spy in spies)

    run(main)


async def look_around(spy: Spy, hidden: dict[str, str], rng: Random, places: list[str]) -> None:
    """Everything that any seat may ask for at any time, the more the closer to what is hidden."""
    room, seat = spy.table.room, spy.seat
    frames = (await room.update(seat)).frames
    spy.search(await room.frame(seat, rng.choice(frames).number), hidden)
    mine = [unit.id for unit in (await room.update(seat)).view.units]
    for _ in range(2):
        spy.search(await refused_or(room.sight(seat, rng.choice(places), rng.choice(places))), hidden)
    if mine:
        spy.search(await refused_or(room.field(seat, rng.choice(mine))), hidden)
        spy.search(await refused_or(room.why_not(seat, rng.choice(mine))), hidden)
    # A guess is answered as if there were nothing; the guess itself is all that comes back.
    unit = f"{rng.choice(mine)} fire " if mine else ""
    nothing = await refused_or(room.why_not(seat, f"{unit}nobody9"))
    for id in list(hidden)[:2]:
        guess = await refused_or(room.why_not(seat, f"{unit}{id}"))
        assert msgspec.json.encode(guess) == msgspec.json.encode(nothing).replace(b"nobody9", id.encode())
        assert isinstance(await refused_or(room.field(seat, id)), str)


async def look_ahead(spy: Spy, update: Update, rng: Random, hidden: dict[str, str]) -> None:
    """What the side that is asked may ask for besides."""
    ask, room = update.view.ask, spy.table.room
    assert ask is not None
    for option in rng.sample(ask.options, min(2, len(ask.options))):
        spy.search(await refused_or(room.odds(spy.seat, update.seq, [option.key])), hidden)
    units = sorted({option.unit for option in ask.options if option.unit})
    if units:
        spy.search(await refused_or(room.prospect(spy.seat, update.seq, rng.choice(units))), hidden)
    spy.search(await refused_or(room.answer(spy.seat, update.seq, "nonsense")), hidden)


# ---- states that look alike ----------------------------------------------------------------------------------------


def room_of(hall: Hall, session: Session) -> Room:
    """A room over a session that is in no store: for looking only."""
    row = GameRow(
        id="one",
        game=session.game.name,
        rules=session.game.rules_version,
        scenario=session.scenario.name,
        source="",
        files={},
        situation=True,
        seed="",
        mode="invite",
    )
    seats = [SeatRow(side, "human", side) for side in session.scenario.sides] + [SeatRow("watcher", "watcher", "w")]
    rows = answer_rows(session, [session.game.turn_of(session.battle)] * (len(session.answers) + 1))
    kept = Kept(row, standing_of(session, 1, False), seats, rows, [])
    made = Scene(session.game, session.scenario, session.state, session.game.board(session.scenario))
    return Room(hall._service, kept, made, session)


async def everything(room: Room, seat: Seat) -> list[bytes]:
    """All that a seat can ask for."""
    update = await room.update(seat)
    told: list[object] = [update, room.battle(), await room.frame(seat, 0)]
    for a in ("D6", "B4", "E5"):
        told += [await refused_or(room.sight(seat, a, b)) for b in ("H2", "H5", "F6", "D2", "G3", "E5")]
    for unit in ("a1", "a2", "g1", "g2", "g4", "g5"):
        told.append(await refused_or(room.field(seat, unit)))
    for words in ("a1 move E5", "a1 fire g4", "a1 fire g1", "a2 move H5", "g4", "g2 fire a1", "a1 move F6", "a1"):
        told.append(await refused_or(room.why_not(seat, words)))
    for unit in ("a1", "a2", "a3", "g2"):
        told.append(await refused_or(room.prospect(seat, update.seq, unit)))
    ask = update.view.ask
    for option in ask.options if ask else ():
        told.append(await refused_or(room.odds(seat, update.seq, [option.key])))
    told += [await refused_or(call) for call in (room.end(seat), room.save(seat), room.roll_odds(seat, 0))]
    told += [await refused_or(room.answer(seat, update.seq, "nonsense")), await refused_or(room.undo(seat, update.seq))]
    return [msgspec.json.encode(each) for each in told]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("side", ["american", "watcher"])
def test_what_looks_alike_is_told_alike(
    change: Callable[[State, Random], None], side: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # How busy the machine is must not decide how far each of the two is looked into.
    monkeypatch.setitem(prospect.__kwdefaults__, "seconds", 600.0)

    async def main() -> None:
        async with open_hall(str(tmp_path / "games.db")) as hall:
            one, other = (room_of(hall, session) for session in alike(change, 3))
            assert await everything(one, Seat(side, "human")) == await everything(other, Seat(side, "human"))
            german = Seat("german", "human")
            assert await everything(one, german) != await everything(other, german)

    run(main)


def test_the_seed_is_never_told_before_the_end(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_hall(str(tmp_path / "games.db")) as hall:
            table = await Table.make(hall, invite=True)
            await table.play(20, Random(1))
            seed = hall.store.read(table.room.id).row.seed
            assert len(seed) == 32
            for side in table.tokens:
                seat = table.seat(side)
                told = [await table.room.update(seat), table.room.battle(), await table.room.frame(seat, 2)]
                told.append(await hall.shared(await table.room.share(seat, 2)))
                told += [await refused_or(call) for call in (table.room.save(seat), table.room.end(seat))]
                told.append(await refused_or(hall.export(table.room.id, table.tokens[side])))
                assert seed not in msgspec.json.encode(told).decode()

    run(main)


def test_tokens_are_kept_as_hashes_only(database: str) -> None:
    async def main() -> None:
        async with open_hall(database) as hall:
            table = await Table.make(hall, invite=True)
            shared = await table.room.share(table.seat(table.sides[0]), 0)
            kept = repr(hall.store.read(table.room.id))
            for token in (*table.tokens.values(), shared):
                assert len(token) >= 24
                assert token not in kept
            assert len(set(table.tokens.values())) == 3

    run(main)
