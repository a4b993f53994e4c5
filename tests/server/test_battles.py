"""Battles are made, imported, shared, played on, opened on demand and closed when nobody is there."""

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
from grognard.core.ask import FacesAsk
from grognard.core.errors import GrognardError, MalformedError, VersionError
from grognard.core.open_files import open_scenario
from grognard.core.resuming import load
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from grognard.server import battles as battles_module
from grognard.server import scenario_cache
from grognard.server.errors import ForbiddenError, MissingError, TokenError, TooMuchError
from grognard.server.limits import Limits
from grognard.server.schema import ImportBattle, NewBattle, Update
from tests.server.playing import Table, open_battles, pick, run


def saved(count: int, own_dice: bool = False) -> Session:
    """A game played elsewhere."""
    game, scenario = open_scenario("first_patrol")
    session = Session(game, scenario, script=()) if own_dice else Session(game, scenario, seed=b"elsewhere")
    player, rng = RandomPlayer(3), Random(3)
    for _ in range(count):
        ask = session.ask
        if ask is None:
            break
        if isinstance(ask, FacesAsk):
            faces = [str(rng.randint(1, ask.sides)) for _ in range(ask.number)]
            session.answer(" ".join(["dice", *faces]))
        else:
            session.answer(player.choose(None, ask))
    return session


# ---- making --------------------------------------------------------------------------------------------------------


def test_who_plays_makes_the_mode(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            solo = await Table.make(battles, players={"german": "random"})
            assert solo.battle.description.mode == "solo"
            assert list(solo.tokens) == ["american", "watcher"]
            assert (await Table.make(battles)).battle.description.mode == "hotseat"
            invite = await Table.make(battles, invite=True)
            assert invite.battle.description.mode == "invite"
            assert list(invite.tokens) == ["american", "german", "watcher"]
            battle = invite.battle.description
            assert battle.board.hexes
            assert battle.commitment
            assert battle.land.startswith("/api/battles/")

    run(main)


def test_random_battles(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            new = NewBattle(game="ost", random={"size": "small", "year": "1944", "seed": "7"})
            table = Table(*await battles.make(new))
            await table.play(5, Random(1))
            seat, update = await table.asked()
        async with open_battles(database) as battles:
            table = await table.again(battles)
            assert (await table.battle.update(seat)).view == update.view

    run(main)


def test_lessons(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            for lesson in registry.game("ost").lessons():
                table = Table(*await battles.make(NewBattle(game="ost", lesson=lesson.id)))
                battle = table.battle.description
                assert battle.lesson == lesson
                assert table.sides == [lesson.side]
                assert (await table.asked())[1].view.ask

    run(main)


@pytest.mark.parametrize(
    ("new", "wrong"),
    [
        ({"game": "chess", "scenario": "x"}, "no game called 'chess'"),
        ({"scenario": "first_patrl"}, "did you mean 'first_patrol'"),
        ({}, "Choose one of scenario, lesson and random"),
        ({"scenario": "first_patrol", "random": {}}, "Choose one of"),
        ({"lesson": "flying"}, "no lesson called 'flying'"),
        ({"random": {"colour": "blue"}}, "no choice for a random battle called 'colour'"),
        ({"random": {"year": "soon"}}, "is not a year"),
        ({"scenario": "first_patrol", "players": {"french": "human"}}, "no side called 'french'"),
        ({"scenario": "first_patrol", "players": {"german": "napoleon"}}, "no player called 'napoleon'"),
        ({"scenario": "first_patrol", "invite": True, "seed": "7"}, "You can't choose the seed"),
        ({"scenario": "first_patrol", "invite": True, "free_undo": True}, "Unlimited undo"),
        ({"scenario": "first_patrol", "seed": "hex:zz"}, "hexadecimal"),
    ],
)
def test_what_cannot_be_made_says_why(new: dict[str, Any], wrong: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            with pytest.raises(GrognardError, match=wrong):
                await battles.make(NewBattle(**({"game": "ost"} | new)))
            assert battles.count == 0

    run(main)


def test_the_same_seed_gives_the_same_battle(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            seen = []
            for _ in range(2):
                table = await Table.make(battles, seed="9", players={"german": "random"})
                await table.play(15, Random(2))
                seen.append(table.battle.session.given[:15])
            assert seen[0] == seen[1]

    run(main)


# ---- coming and going ----------------------------------------------------------------------------------------------


def test_rooms_are_opened_on_demand_and_closed_when_idle(database: str) -> None:
    async def main() -> None:
        async with open_battles(database, idle=0.2) as battles:
            tables = [await Table.make(battles, seed=str(n)) for n in range(4)]
            seen = [await (await table.again(battles)).asked() for table in tables]
            watched = await tables[0].again(battles)
            queue: asyncio.Queue[Update] = asyncio.Queue()
            watched.battle.runner.listen(watched.seat("watcher"), queue)
            await asyncio.sleep(0.8)
            assert battles.count == 1  # somebody looks at it
            # Many who come at once find one and the same battle.
            found = await asyncio.gather(*(battles.open(tables[1].battle.id) for _ in range(10)))
            assert len(set(map(id, found))) == 1
            for table, (seat, update) in zip(tables, seen):
                table = await table.again(battles)
                assert (await table.battle.update(seat)).view == update.view
            watched.battle.runner.leave(queue)
            async with asyncio.timeout(10):
                while battles.count:
                    await asyncio.sleep(0.05)

    run(main)


def test_battles_that_are_over_are_closed_sooner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battles_module, "SWEEP", 0.05)
    monkeypatch.setattr(battles_module, "ENDED", 0.1)

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            going, over, watched = [await Table.make(battles, seed="7") for _ in range(3)]
            queue: asyncio.Queue[Update] = asyncio.Queue()
            watched.battle.runner.listen(watched.seat("watcher"), queue)
            for table in (over, watched):
                await table.play(2000, Random(7))
            async with asyncio.timeout(10):
                while battles.count > 2:
                    await asyncio.sleep(0.05)
            await asyncio.sleep(0.3)
            assert await battles.open(going.battle.id) is going.battle
            assert await battles.open(watched.battle.id) is watched.battle  # somebody looks at it
            again = await over.again(battles)
            assert again.battle is not over.battle and again.battle.session.over

    run(main)


def test_so_many_games_and_no_more(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db"), limits=Limits(games=3)) as battles:
            tables = [await Table.make(battles) for _ in range(5)]
            assert battles.count == 3  # idle ones made way
            opened = [await table.again(battles) for table in tables[-3:]]
            for table in opened:
                table.battle.runner.listen(table.seat("watcher"), asyncio.Queue())
            with pytest.raises(TooMuchError, match="3 battles are being played"):
                await Table.make(battles)
            again = await tables[0].again(battles)  # a full house never locks anybody out of a battle of their own
            seat, update = await again.asked()
            await again.battle.answer(seat, update.seq, pick(update, Random(1)))

    run(main)


def test_programs_that_nobody_watches_make_way(tmp_path: Path) -> None:
    """They stop thinking, they do not fill the house, and they go on when somebody looks at them."""

    async def main() -> None:
        limits = Limits(games=6)
        async with open_battles(str(tmp_path / "games.db"), limits=limits, budget=0.05) as battles:
            mine = await Table.make(battles)
            both = dict.fromkeys(mine.sides, "hard")
            made = [await battles.make(NewBattle(game="ost", scenario="mill_farm", players=both)) for _ in range(20)]
            assert battles.count <= limits.games
            await asyncio.sleep(0.3)
            assert not any(battle.runner._tasks for battle, _ in made)
            assert all(not battles.store.read(battle.id).answers for battle, _ in made)
            _, update = await (await mine.again(battles)).asked()
            assert update.waiting == "you"
            battle, keys = made[0]
            watched = await Table(battle, keys).again(battles)
            async with asyncio.timeout(30):
                while not battles.store.read(watched.battle.id).answers:
                    await asyncio.sleep(0.05)
            watched.battle.runner.seen = float("-inf")  # whoever watched has gone
            async with asyncio.timeout(30):
                while watched.battle.runner._tasks:
                    await asyncio.sleep(0.05)

    run(main)


def test_battles_of_programs_that_are_watched_make_way_before_anybody_is_locked_out(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db"), limits=Limits(games=3), budget=0.2) as battles:
            mine = await Table.make(battles)
            both = dict.fromkeys(mine.sides, "hard")
            tables = [await Table.make(battles, scenario="mill_farm", players=both) for _ in range(2)]
            for table in tables:
                table.battle.runner.seen = float("-inf")  # they think, and nobody looks any more
            await Table.make(battles)
            await Table.make(battles)
            assert (await mine.again(battles)).battle.id == mine.battle.id

    run(main)


def test_no_such_battle(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            for id in ("nothing", "", "x' OR 1=1 --", "ü" * 100):
                with pytest.raises(MissingError, match="no battle"):
                    await battles.open(id)
            with pytest.raises(MissingError, match="no such moment"):
                await battles.shared("nothing")
            with pytest.raises(MissingError):
                await battles.play_on("nothing", {})

    run(main)


def test_a_game_does_not_need_its_scenario_s_file(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, scenario="canal_bridge")
            seat, update = await table.asked()
        scenario_cache._loaded.clear()
        game = table.battle.game
        monkeypatch.setattr(type(game), "scenario_files", lambda self: {})
        async with open_battles(database) as battles:
            assert (await (await table.again(battles)).battle.update(seat)).view == update.view

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
        async with open_battles(database) as battles:
            table = await Table.make(battles, seed="5")
            await table.play(10, Random(1))
            right = await table.battle.save(table.seat("american"))
            with battles.store.engine.begin() as connection:
                connection.execute(sa.text("UPDATE games SET rules = 77"))
        async with open_battles(database) as battles:
            with pytest.raises(VersionError, match=r"rules version 77.*can still be saved"):
                await table.again(battles)
            exported = await battles.export(table.battle.id, table.tokens["american"])
            with pytest.raises(TokenError):
                await battles.export(table.battle.id, "guess")
            with pytest.raises(ForbiddenError):
                await battles.export(table.battle.id, table.tokens["watcher"])
        now = b'"rules": %d,' % registry.game("ost").rules_version
        assert now in right and exported == right.replace(now, b'"rules": 77,')

    run(main)


def test_a_game_whose_answers_lead_elsewhere_is_not_opened(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, seed="5")
            await table.play(10, Random(1))
            with battles.store.engine.begin() as connection:
                connection.execute(sa.text("UPDATE games SET seed = '00'"))
        async with open_battles(database) as battles:
            with pytest.raises(MalformedError, match=r"battle|kept game"):
                await table.again(battles)

    run(main)


# ---- files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("own_dice", [False, True])
@pytest.mark.parametrize("count", [0, 31, 5000])
def test_a_saved_game_is_taken_in(count: int, own_dice: bool, tmp_path: Path) -> None:
    async def main() -> None:
        session = saved(count, own_dice)
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = Table(*await battles.import_file(ImportBattle(save=session.save().decode())))
            named = load(session.save(), session.game, table.battle.session.scenario)  # in the page's names
            for side in table.sides:
                update = await table.battle.update(table.seat(side))
                assert update.view.log == named.view(side).log
                assert update.view.units == named.view(side).units
                turns = [(frame.turn, frame.phase) for frame in update.frames]
                assert turns == sorted(turns, key=lambda turn: -turn[0])  # this game counts down
            again = await table.battle.save(table.seat(table.sides[0]))
            assert again == session.save()
            assert load(again, session.game, session.scenario).digest == session.digest
            if not session.over:
                await table.play(5, Random(1))

    run(main)


def test_what_is_no_saved_game_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        save = saved(10).save().decode()
        now = f'"rules": {registry.game("ost").rules_version}'
        async with open_battles(str(tmp_path / "games.db")) as battles:
            for text in ("", "{}", "[]", save[:-30], save.replace('"pass"', '"surrender"', 1), '{"format": 3}'):
                if text != save:
                    with pytest.raises(MalformedError):
                        await battles.import_file(ImportBattle(save=text))
            with pytest.raises(VersionError):
                await battles.import_file(ImportBattle(save=save.replace(now, '"rules": 99')))
            assert battles.count == 0

    run(main)


# ---- moments -------------------------------------------------------------------------------------------------------


def test_a_shared_moment(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await Table.make(battles, scenario="causeway", seed="3")
            await table.play(60, Random(3))
            seat = table.seat("american" if "american" in table.sides else table.sides[1])
            frame = (await table.battle.update(seat)).frames[-5]
            shown = await table.battle.frame(seat, frame.number)
            whole = await table.battle.update(seat)
            token = await table.battle.share(seat, frame.number)
            await table.play(5, Random(3))
        async with open_battles(database) as battles:
            moment = await battles.shared(token)
            assert moment.playable
            assert moment.battle.id == table.battle.id
            assert moment.update.view.units == shown.view.units
            assert moment.update.view.log == whole.view.log[: frame.log]
            assert moment.update.view.ask is None
            other = Table(*await battles.play_on(token, {}))
            assert other.battle.id != table.battle.id
            here = await other.battle.update(other.seat(seat.side))
            assert here.view.units == shown.view.units
            assert here.view.log == whole.view.log[: frame.log]
            assert set(other.tokens.values()).isdisjoint(table.tokens.values())
            await other.play(5, Random(4))
            assert battles.store.read(other.battle.id).answers[:10] == battles.store.read(table.battle.id).answers[:10]

    run(main)


def test_a_moment_of_a_battle_with_somebody_else_is_only_looked_at(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles, invite=True)
            await table.play(10, Random(3))
            token = await table.battle.share(table.seat("watcher"), 3)
            moment = await battles.shared(token)
            assert not moment.playable
            with pytest.raises(ForbiddenError, match="still being played"):
                await battles.play_on(token, {})
            await table.play(5000, Random(3))
            assert (await battles.shared(token)).playable
            played = Table(*await battles.play_on(token, {"german": "random"}))
            assert played.sides == ["american"]

    run(main)


def test_everything_is_plain_json(tmp_path: Path) -> None:
    """What a battle gives goes to the client and back unchanged."""

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles, scenario="canal_bridge")
            seat, update = await table.asked()
            await table.battle.answer(seat, update.seq, pick(update, Random(1)))
            for told in (table.battle.description, await table.battle.update(seat), await table.battle.frame(seat, 0)):
                assert msgspec.json.decode(msgspec.json.encode(told), type=type(told)) == told

    run(main)
