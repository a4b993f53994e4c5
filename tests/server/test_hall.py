"""The hall: battles are made, taken in, shared, played on, opened on demand and closed when nobody is there."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from grognard.core import registry
from grognard.core.errors import GrognardError, MalformedError, VersionError
from grognard.core.opening import open_scenario
from grognard.core.resuming import load
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from grognard.server import scenes
from grognard.server.errors import ForbiddenError, MissingError, TokenError, TooMuchError
from grognard.server.limits import Limits
from grognard.server.schema import ImportBattle, NewBattle, Update
from tests.server.rooms import Table, open_hall, pick, run


def saved(count: int, own_dice: bool = False) -> Session:
    """A game played elsewhere."""
    game, scenario = open_scenario("first_patrol")
    session = Session(game, scenario, script=()) if own_dice else Session(game, scenario, seed=b"elsewhere")
    player, rng = RandomPlayer(3), Random(3)
    for _ in range(count):
        ask = session.ask
        if ask is None:
            break
        if ask.prompt.startswith("What did"):
            faces = [str(rng.randint(1, ask.sides)) for _ in range(ask.number)]  # type: ignore[attr-defined]
            session.answer(" ".join(["dice", *faces]))
        else:
            session.answer(player.choose(None, ask))
    return session


# ---- making --------------------------------------------------------------------------------------------------------


def test_who_plays_makes_the_mode(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_hall(str(tmp_path / "games.db")) as hall:
            solo = await Table.make(hall, players={"german": "random"})
            assert solo.room.battle().mode == "solo"
            assert list(solo.tokens) == ["american", "watcher"]
            assert (await Table.make(hall)).room.battle().mode == "hotseat"
            invite = await Table.make(hall, invite=True)
            assert invite.room.battle().mode == "invite"
            assert list(invite.tokens) == ["american", "german", "watcher"]
            battle = invite.room.battle()
            assert battle.board.hexes
            assert battle.commitment
            assert battle.land.startswith("/api/battles/")

    run(main)


def test_random_battles(database: str) -> None:
    async def main() -> None:
        async with open_hall(database) as hall:
            new = NewBattle(game="ost", random={"size": "small", "year": "1944", "seed": "7"})
            table = Table(*await hall.make(new))
            await table.play(5, Random(1))
            seat, update = await table.asked()
        async with open_hall(database) as hall:
            table = await table.again(hall)
            assert (await table.room.update(seat)).view == update.view

    run(main)


def test_lessons(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_hall(str(tmp_path / "games.db")) as hall:
            for lesson in registry.game("ost").lessons():
                table = Table(*await hall.make(NewBattle(game="ost", lesson=lesson.id)))
                battle = table.room.battle()
                assert battle.lesson == lesson
                assert table.sides == [lesson.side]
                assert (await table.asked())[1].view.ask

    run(main)


@pytest.mark.parametrize(
    ("new", "wrong"),
    [
        ({"game": "chess", "scenario": "x"}, "no game called 'chess'"),
        ({"scenario": "first_patrl"}, "did you mean 'first_patrol'"),
        ({}, "say one of scenario, lesson and random"),
        ({"scenario": "first_patrol", "random": {}}, "say one of"),
        ({"lesson": "flying"}, "no lesson called 'flying'"),
        ({"random": {"colour": "blue"}}, "no choice for a random battle called 'colour'"),
        ({"random": {"year": "soon"}}, "no year"),
        ({"scenario": "first_patrol", "players": {"french": "human"}}, "no side called 'french'"),
        ({"scenario": "first_patrol", "players": {"german": "napoleon"}}, "no player called 'napoleon'"),
        ({"scenario": "first_patrol", "invite": True, "seed": "7"}, "who chooses the seed knows the dice"),
        ({"scenario": "first_patrol", "invite": True, "free_undo": True}, "undo without limits"),
        ({"scenario": "first_patrol", "seed": "hex:zz"}, "hexadecimal"),
    ],
)
def test_what_cannot_be_made_says_why(new: dict[str, Any], wrong: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with open_hall(str(tmp_path / "games.db")) as hall:
            with pytest.raises(GrognardError, match=wrong):
                await hall.make(NewBattle(**({"game": "ost"} | new)))
            assert hall.open_rooms == 0

    run(main)


def test_the_same_seed_gives_the_same_battle(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_hall(str(tmp_path / "games.db")) as hall:
            seen = []
            for _ in range(2):
                table = await Table.make(hall, seed="9", players={"german": "random"})
                await table.play(15, Random(2))
                seen.append(table.room.session.given[:15])
            assert seen[0] == seen[1]

    run(main)


# ---- coming and going ----------------------------------------------------------------------------------------------


def test_rooms_are_opened_on_demand_and_closed_when_idle(database: str) -> None:
    async def main() -> None:
        async with open_hall(database, idle=0.2) as hall:
            tables = [await Table.make(hall, seed=str(n)) for n in range(4)]
            seen = [await (await table.again(hall)).asked() for table in tables]
            watched = await tables[0].again(hall)
            queue: asyncio.Queue[Update] = asyncio.Queue()
            watched.room.listen(watched.seat("watcher"), queue)
            await asyncio.sleep(0.8)
            assert hall.open_rooms == 1  # somebody looks at it
            # Many who come at once find one and the same room.
            rooms = await asyncio.gather(*(hall.room(tables[1].room.id) for _ in range(10)))
            assert len(set(map(id, rooms))) == 1
            for table, (seat, update) in zip(tables, seen):
                table = await table.again(hall)
                assert (await table.room.update(seat)).view == update.view
            watched.room.leave(watched.seat("watcher"), queue)
            async with asyncio.timeout(10):
                while hall.open_rooms:
                    await asyncio.sleep(0.05)

    run(main)


def test_so_many_games_and_no_more(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_hall(str(tmp_path / "games.db"), limits=Limits(games=3)) as hall:
            tables = [await Table.make(hall) for _ in range(5)]
            assert hall.open_rooms == 3  # idle ones made way
            opened = [await table.again(hall) for table in tables[-3:]]
            for table in opened:
                table.room.listen(table.seat("watcher"), asyncio.Queue())
            with pytest.raises(TooMuchError, match="3 battles are being played"):
                await Table.make(hall)
            with pytest.raises(TooMuchError):
                await hall.room(tables[0].room.id)

    run(main)


def test_no_such_battle(database: str) -> None:
    async def main() -> None:
        async with open_hall(database) as hall:
            for id in ("nothing", "", "x' OR 1=1 --", "ü" * 100):
                with pytest.raises(MissingError, match="no battle"):
                    await hall.room(id)
            with pytest.raises(MissingError, match="no such moment"):
                await hall.shared("nothing")
            with pytest.raises(MissingError):
                await hall.play_on("nothing", {})

    run(main)


def test_a_game_does_not_need_its_scenario_s_file(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with open_hall(database) as hall:
            table = await Table.make(hall, scenario="canal_bridge")
            seat, update = await table.asked()
        scenes._scenes.clear()
        game = table.room.game
        monkeypatch.setattr(type(game), "scenario_files", lambda self: {})
        async with open_hall(database) as hall:
            assert (await (await table.again(hall)).room.update(seat)).view == update.view

    run(main)


LEARN = """
import sys, threading, types
from grognard.core.files import convert
sys.setswitchinterval(1e-6)
for count in range(150):
    module = sys.modules[f"made{count}"] = types.ModuleType(f"made{count}")
    text = "from __future__ import annotations\\nimport msgspec\\n"
    for depth in range(5):
        inner = f"    inner: R{depth - 1} | None = None\\n" if depth else ""
        text += f"class R{depth}(msgspec.Struct):\\n" + "".join(f"    f{n}: int = 0\\n" for n in range(20)) + inner
    exec(compile(text, module.__name__, "exec"), module.__dict__)
    barrier = threading.Barrier(4)
    def work():
        barrier.wait()
        convert({"inner": {"f2": 2}}, module.R4)
    threads = [threading.Thread(target=work) for _ in range(4)]
    [each.start() for each in threads], [each.join() for each in threads]
"""


def test_many_may_come_to_a_fresh_server_at_once() -> None:
    """Records are learned by one thread at a time: msgspec crashes the process otherwise."""
    done = subprocess.run([sys.executable, "-c", LEARN], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# ---- other versions ------------------------------------------------------------------------------------------------


def test_a_game_under_other_rules_can_still_be_saved(database: str) -> None:
    async def main() -> None:
        async with open_hall(database) as hall:
            table = await Table.make(hall, seed="5")
            await table.play(10, Random(1))
            right = await table.room.save(table.seat("american"))
            with hall.store.engine.begin() as connection:
                connection.execute(sa.text("UPDATE games SET rules = 77"))
        async with open_hall(database) as hall:
            with pytest.raises(VersionError, match=r"rules version 77.*can still be saved"):
                await table.again(hall)
            exported = await hall.export(table.room.id, table.tokens["american"])
            with pytest.raises(TokenError):
                await hall.export(table.room.id, "guess")
            with pytest.raises(ForbiddenError):
                await hall.export(table.room.id, table.tokens["watcher"])
        assert exported == right.replace(b'"rules": 1,', b'"rules": 77,')

    run(main)


def test_a_game_whose_answers_lead_elsewhere_is_not_opened(database: str) -> None:
    async def main() -> None:
        async with open_hall(database) as hall:
            table = await Table.make(hall, seed="5")
            await table.play(10, Random(1))
            with hall.store.engine.begin() as connection:
                connection.execute(sa.text("UPDATE games SET seed = '00'"))
        async with open_hall(database) as hall:
            with pytest.raises(MalformedError, match=r"battle|kept game"):
                await table.again(hall)

    run(main)


# ---- files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("own_dice", [False, True])
@pytest.mark.parametrize("count", [0, 31, 5000])
def test_a_saved_game_is_taken_in(count: int, own_dice: bool, tmp_path: Path) -> None:
    async def main() -> None:
        session = saved(count, own_dice)
        async with open_hall(str(tmp_path / "games.db")) as hall:
            table = Table(*await hall.take_in(ImportBattle(save=session.save().decode())))
            for side in table.sides:
                update = await table.room.update(table.seat(side))
                assert update.view.log == session.view(side).log
                assert update.view.units == session.view(side).units
                turns = [(frame.turn, frame.phase) for frame in update.frames]
                assert turns == sorted(turns, key=lambda turn: -turn[0])  # this game counts down
            again = await table.room.save(table.seat(table.sides[0]))
            assert again == session.save()
            assert load(again, session.game, session.scenario).digest == session.digest
            if not session.over:
                await table.play(5, Random(1))

    run(main)


def test_what_is_no_saved_game_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        save = saved(10).save().decode()
        async with open_hall(str(tmp_path / "games.db")) as hall:
            for text in ("", "{}", "[]", save[:-30], save.replace('"pass"', '"surrender"', 1), '{"format": 3}'):
                if text != save:
                    with pytest.raises(MalformedError):
                        await hall.take_in(ImportBattle(save=text))
            with pytest.raises(VersionError):
                await hall.take_in(ImportBattle(save=save.replace('"rules": 1', '"rules": 9')))
            assert hall.open_rooms == 0

    run(main)


# ---- moments -------------------------------------------------------------------------------------------------------


def test_a_shared_moment(database: str) -> None:
    async def main() -> None:
        async with open_hall(database) as hall:
            table = await Table.make(hall, scenario="causeway", seed="3")
            await table.play(60, Random(3))
            seat = table.seat("american" if "american" in table.sides else table.sides[1])
            frame = (await table.room.update(seat)).frames[-5]
            shown = await table.room.frame(seat, frame.number)
            whole = await table.room.update(seat)
            token = await table.room.share(seat, frame.number)
            await table.play(5, Random(3))
        async with open_hall(database) as hall:
            moment = await hall.shared(token)
            assert moment.playable
            assert moment.battle.id == table.room.id
            assert moment.update.view.units == shown.view.units
            assert moment.update.view.log == whole.view.log[: frame.log]
            assert moment.update.view.ask is None
            other = Table(*await hall.play_on(token, {}))
            assert other.room.id != table.room.id
            here = await other.room.update(other.seat(seat.side))
            assert here.view.units == shown.view.units
            assert here.view.log == whole.view.log[: frame.log]
            assert set(other.tokens.values()).isdisjoint(table.tokens.values())
            await other.play(5, Random(4))
            assert hall.store.read(other.room.id).answers[:10] == hall.store.read(table.room.id).answers[:10]

    run(main)


def test_a_moment_of_a_battle_with_somebody_else_is_only_looked_at(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_hall(str(tmp_path / "games.db")) as hall:
            table = await Table.make(hall, invite=True)
            await table.play(10, Random(3))
            token = await table.room.share(table.seat("watcher"), 3)
            moment = await hall.shared(token)
            assert not moment.playable
            with pytest.raises(ForbiddenError, match="still being played"):
                await hall.play_on(token, {})
            await table.play(5000, Random(3))
            assert (await hall.shared(token)).playable
            played = Table(*await hall.play_on(token, {"german": "random"}))
            assert played.sides == ["american"]

    run(main)


def test_everything_is_plain_json(tmp_path: Path) -> None:
    """What a room gives goes over the wire and back unchanged."""

    async def main() -> None:
        async with open_hall(str(tmp_path / "games.db")) as hall:
            table = await Table.make(hall, scenario="canal_bridge")
            seat, update = await table.asked()
            await table.room.answer(seat, update.seq, pick(update, Random(1)))
            for told in (table.room.battle(), await table.room.update(seat), await table.room.frame(seat, 0)):
                assert msgspec.json.decode(msgspec.json.encode(told), type=type(told)) == told

    run(main)
