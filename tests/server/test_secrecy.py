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
from grognard.server.battles import Battles
from grognard.server.live_battle import LiveBattle
from grognard.server.rows import GameRow, SeatRow, StoredGame, answer_rows, standing_of
from grognard.server.scenario_cache import LoadedScenario
from grognard.server.schema import NewOrder, Update
from grognard.server.seats import Seat
from tests.games.ost.test_view import CHANGES, alike
from tests.server.playing import Table, open_battles, pick, run

HIDING = ["causeway", "canal_bridge", "print_works", "the_gully", "forest_road"]


class Spy:
    """Keeps all that a seat was ever told, and which units it has met openly."""

    def __init__(self, table: Table, side: str) -> None:
        self.table, self.side, self.seat = table, side, table.seat(side)
        self.queue: asyncio.Queue[Update] = asyncio.Queue()
        table.battle.runner.listen(self.seat, self.queue)
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
        async with open_battles(str(tmp_path / "games.db")) as battles:
            seed = os.environ.get("GROGNARD_SEED", "1")
            table = await Table.make(battles, scenario=scenario, seed=seed)
            battle, rng = table.battle, Random(f"{scenario} {seed}")
            spies = [Spy(table, side) for side in table.tokens]
            anywhere = [hex.id for hex in battle.description.board.hexes][::40]
            for count in range(100):
                session = battle.session
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
                    spy.search(await battle.update(spy.seat), mine)
                    await look_around(spy, mine, rng, places)
                if count % 14 == 0:
                    await look_ahead(next(s for s in spies if s.side == seat.side), update, rng, hidden[seat.side])
                if count == 50:
                    await battle.set_orders(seat, [NewOrder(below=0.2)])
                    seat, update = await table.asked()  # the order may have answered already
                await battle.answer(seat, update.seq, pick(update, rng))
            assert all(spy.searched > 10_000 for spy in spies)
            assert any(spy.secrets > 50 for spy in spies)

    run(main)


async def look_around(spy: Spy, hidden: dict[str, str], rng: Random, places: list[str]) -> None:
    """Everything that any seat may ask for at any time, the more the closer to what is hidden."""
    battle, seat = spy.table.battle, spy.seat
    frames = (await battle.update(seat)).frames
    spy.search(await battle.frame(seat, rng.choice(frames).number), hidden)
    mine = [unit.id for unit in (await battle.update(seat)).view.units]
    for _ in range(2):
        spy.search(await refused_or(battle.sight(seat, rng.choice(places), rng.choice(places))), hidden)
    if mine:
        spy.search(await refused_or(battle.field(seat, rng.choice(mine))), hidden)
        spy.search(await refused_or(battle.why_not(seat, rng.choice(mine))), hidden)
    # A guess is answered as if there were nothing; the guess itself is all that comes back.
    unit = f"{rng.choice(mine)} fire " if mine else ""
    nothing = await refused_or(battle.why_not(seat, f"{unit}nobody9"))
    for id in list(hidden)[:2]:
        guess = await refused_or(battle.why_not(seat, f"{unit}{id}"))
        assert msgspec.json.encode(guess) == msgspec.json.encode(nothing).replace(b"nobody9", id.encode())
        assert isinstance(await refused_or(battle.field(seat, id)), str)


async def look_ahead(spy: Spy, update: Update, rng: Random, hidden: dict[str, str]) -> None:
    """What the side that is asked may ask for besides."""
    ask, battle = update.view.ask, spy.table.battle
    assert ask is not None
    for option in rng.sample(ask.options, min(2, len(ask.options))):
        spy.search(await refused_or(battle.odds(spy.seat, update.seq, [option.key])), hidden)
    units = sorted({option.unit for option in ask.options if option.unit})
    if units:
        spy.search(await refused_or(battle.prospect(spy.seat, update.seq, rng.choice(units))), hidden)
    spy.search(await refused_or(battle.answer(spy.seat, update.seq, "nonsense")), hidden)


# ---- states that look alike ----------------------------------------------------------------------------------------


def live_battle(battles: Battles, session: Session) -> LiveBattle:
    """A battle over a session that is in no store: for looking only."""
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
    stored = StoredGame(row, standing_of(session, 1, False), seats, rows, [])
    made = LoadedScenario(session.game, session.scenario, session.state, session.game.board(session.scenario))
    return LiveBattle(battles._resources, stored, made, session)


async def everything(battle: LiveBattle, seat: Seat) -> list[bytes]:
    """All that a seat can ask for."""
    update = await battle.update(seat)
    told: list[object] = [update, battle.description, await battle.frame(seat, 0)]
    for a in ("D6", "B4", "E5"):
        told += [await refused_or(battle.sight(seat, a, b)) for b in ("H2", "H5", "F6", "D2", "G3", "E5")]
    for unit in ("a1", "a2", "g1", "g2", "g4", "g5"):
        told.append(await refused_or(battle.field(seat, unit)))
    for words in ("a1 move E5", "a1 fire g4", "a1 fire g1", "a2 move H5", "g4", "g2 fire a1", "a1 move F6", "a1"):
        told.append(await refused_or(battle.why_not(seat, words)))
    for unit in ("a1", "a2", "a3", "g2"):
        told.append(await refused_or(battle.prospect(seat, update.seq, unit)))
    ask = update.view.ask
    for option in ask.options if ask else ():
        told.append(await refused_or(battle.odds(seat, update.seq, [option.key])))
    told += [await refused_or(call) for call in (battle.end(seat), battle.save(seat), battle.roll_odds(seat, 0))]
    told += [
        await refused_or(battle.answer(seat, update.seq, "nonsense")),
        await refused_or(battle.undo(seat, update.seq)),
    ]
    return [msgspec.json.encode(each) for each in told]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("side", ["american", "watcher"])
def test_what_looks_alike_is_told_alike(
    change: Callable[[State, Random], None], side: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # How busy the machine is must not decide how far each of the two is looked into.
    monkeypatch.setitem(prospect.__kwdefaults__, "seconds", 600.0)

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            one, other = (live_battle(battles, session) for session in alike(change, 3))
            assert await everything(one, Seat(side, "human")) == await everything(other, Seat(side, "human"))
            german = Seat("german", "human")
            assert await everything(one, german) != await everything(other, german)

    run(main)


def test_the_seed_is_never_told_before_the_end(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles, invite=True)
            await table.play(20, Random(1))
            seed = battles.store.read(table.battle.id).row.seed
            assert len(seed) == 32
            for side in table.tokens:
                seat = table.seat(side)
                told = [await table.battle.update(seat), table.battle.description, await table.battle.frame(seat, 2)]
                told.append(await battles.shared(await table.battle.share(seat, 2)))
                told += [await refused_or(call) for call in (table.battle.save(seat), table.battle.end(seat))]
                told.append(await refused_or(battles.export(table.battle.id, table.tokens[side])))
                assert seed not in msgspec.json.encode(told).decode()

    run(main)


def test_tokens_are_kept_as_hashes_only(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, invite=True)
            shared = await table.battle.share(table.seat(table.sides[0]), 0)
            stored = repr(battles.store.read(table.battle.id))
            for token in (*table.tokens.values(), shared):
                assert len(token) >= 24
                assert token not in stored
            assert len(set(table.tokens.values())) == 3

    run(main)
