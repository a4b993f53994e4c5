"""A battle that goes wrong is nobody else's trouble: failing writes, rows changed by hand, files that are too much."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from grognard.core.errors import GrognardError, MalformedError
from grognard.core.open_files import open_scenario
from grognard.core.session import Session
from grognard.server import imports
from grognard.server.errors import TooMuchError
from grognard.server.pictures import Pictures
from grognard.server.schema import ImportBattle
from grognard.server.store import Change, Store
from grognard.server.writer import StoreError, Writer
from tests.server.live import Live, running
from tests.server.playing import Table, open_battles, pick, run

HEDGE = Path("docs/examples/hedge.toml").read_text(encoding="utf-8")
TABLE = Path("tests/cli/table_situation.toml").read_text(encoding="utf-8")


# ---- writes that fail ----------------------------------------------------------------------------------------------


class Row:
    """A change that can or cannot be written."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    def apply(self, _: Any) -> None:
        if self.error is not None:
            raise self.error


@pytest.mark.parametrize("error", [OverflowError("too large"), ValueError("no such letter"), GrognardError("stale")])
def test_a_change_that_cannot_be_written_takes_no_other_down(error: Exception) -> None:
    """However many are written in one transaction."""

    async def main() -> None:
        stored: list[Change] = []

        def write(changes: Sequence[Change]) -> None:
            for change in changes:
                change.apply(None)  # type: ignore[arg-type]
            stored.extend(changes)

        writer = Writer(write)
        rng = Random(1)
        good = [Row() for _ in range(120)]
        bad = [Row(error) for _ in range(15)]
        rows = [*good, *bad]
        rng.shuffle(rows)
        told = await asyncio.gather(*(writer.write(row) for row in rows), return_exceptions=True)
        for row, outcome in zip(rows, told):
            assert (outcome is None) == (row.error is None), outcome
        assert len(stored) == len(good)
        assert all(isinstance(each, (StoreError, GrognardError)) for each in told if each is not None)
        writer.stop()

    run(main)


def test_a_database_that_is_gone_is_not_asked_for_every_change(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        monkeypatch.setattr("grognard.server.writer.SLOW", -1.0)
        tries = 0

        def write(_: Sequence[Change]) -> None:
            nonlocal tries
            tries += 1
            raise OSError("no space left")

        writer = Writer(write)
        told = await asyncio.gather(*(writer.write(Row()) for _ in range(50)), return_exceptions=True)
        assert all(isinstance(each, StoreError) for each in told) and tries <= 10
        writer.stop()

    run(main)


@pytest.mark.parametrize("turn", ["9223372036854775808", "-9223372036854775809", "10000", str(10**30), "nan", "-inf"])
def test_numbers_beyond_any_game_are_not_taken_in(live: Live, turn: str) -> None:
    for text in (HEDGE.replace("turn = 4", f"turn = {turn}"), TABLE + f"\n[victory]\nlead = {turn}e3\n"):
        answer = live.web.post("/api/battles/import", json={"save": text})
        assert answer.status_code == 400 and answer.json()["error"] == "malformed", answer.text


# ---- files that are too much ---------------------------------------------------------------------------------------


def units(count: int) -> str:
    spots = (f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[n % 26]}{10 + n // 26}" for n in range(count))
    return "".join(f'\n[[unit]]\nkind = "ger_rifle"\nid = "z{n}"\nhex = "{spot}"\n' for n, spot in enumerate(spots))


def sheet(columns: int, rows: int) -> str:
    return HEDGE.replace("columns = 8", f"columns = {columns}").replace("rows = 7", f"rows = {rows}")


WOOD = '\n[[terrain]]\nkind = "woods"\narea = [[{x}, 0], [{x}.2, 0], [{x}.2, 1], [{x}, 1]]\n'
TOO_MUCH = {
    "hexes": sheet(60, 60),
    "units": sheet(40, 40) + units(imports.MOST_UNITS + 1),
    "very many units": sheet(99, 99) + units(2000),
    "entries": HEDGE + '\n[[mines]]\nhex = "A1"\nside = "german"\n' * (imports.MOST_ENTRIES + 1),
    "pieces": TABLE + "".join(WOOD.format(x=n % 60) for n in range(imports.MOST_ENTRIES + 1)),
}


@pytest.mark.parametrize("text", TOO_MUCH.values(), ids=TOO_MUCH)
def test_units_features_and_sizes_are_bounded(text: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            with pytest.raises(TooMuchError) as found:
                await battles.import_file(ImportBattle(save=text))
            assert found.value.status == 413

    run(main)


def test_a_large_table_is_too_much(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            for wide, high in ((300, 36), (144, 144), (97, 72)):
                large = TABLE.replace("width = 48", f"width = {wide}").replace("height = 36", f"height = {high}")
                with pytest.raises(TooMuchError, match=f"The table is {wide} by {high};"):
                    await battles.import_file(ImportBattle(save=large))
            await battles.import_file(ImportBattle(save=TABLE.replace("width = 48", "width = 144")))

    run(main)


def test_pieces_of_terrain_are_not_counted_as_units(tmp_path: Path) -> None:
    """A table full of houses and woods is played; only units, with the weapons they carry, are counted as units."""

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            pieces = imports.MOST_UNITS + 10
            battle, _ = await battles.import_file(
                ImportBattle(save=TABLE + "".join(WOOD.format(x=n % 40) for n in range(pieces)))
            )
            assert len(battle.game.names(battle.session.battle)) > imports.MOST_UNITS
            pieces = imports.MOST_ON_TABLE
            with pytest.raises(TooMuchError, match="units and pieces of terrain"):
                await battles.import_file(
                    ImportBattle(save=TABLE + "".join(WOOD.format(x=n % 40) for n in range(pieces)))
                )
            carried = units(imports.MOST_UNITS // 2).replace("kind", 'weapons = ["ger_lmg"]\nkind')
            with pytest.raises(TooMuchError, match="units"):
                await battles.import_file(ImportBattle(save=sheet(40, 40) + carried))

    run(main)


def test_open_maps_are_bounded_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables as well as hexes: battles that nobody is in make way, then no more are taken in; nobody is locked out."""
    monkeypatch.setattr("grognard.server.battles.MOST_GROUND", 6000)

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:

            async def bring(number: int) -> Table:
                return Table(
                    *await battles.import_file(ImportBattle(save=f"# {number}\n{(TABLE, HEDGE)[number % 5 == 4]}"))
                )

            def ground() -> int:
                return sum({id(battle.session.scenario): battle.ground for battle in battles._live.values()}.values())

            left = [await bring(number) for number in range(10)]
            assert left[0].battle.ground == 48 * 36 and left[4].battle.ground == 8 * 7
            assert 4000 < ground() <= 6000
            again = await left[0].again(battles)
            assert again.battle is not left[0].battle and ground() <= 6000
            for number in range(20, 22):
                (await bring(number)).seat("german")
            with pytest.raises(TooMuchError, match="large maps"):
                await bring(30)
            assert (await Table.make(battles)).battle.id in battles._live
            assert (await left[1].again(battles)).battle.id == left[1].battle.id

    run(main)


def test_a_map_is_drawn_once_and_the_least_wanted_go() -> None:
    async def main() -> None:
        drawn: list[str] = []
        at_work = 0

        def draw(name: str) -> Callable[[], str]:
            def work() -> str:
                nonlocal at_work
                at_work += 1
                assert at_work == 1, "two maps are drawn at once"
                drawn.append(name)
                text = "".join(chr(33 + Random(name + str(n)).randrange(90)) for n in range(4000))
                at_work -= 1
                return text

            return work

        pictures = Pictures(keep=50, budget=20_000)
        keys = [(f"map {n}", "1", "light") for n in range(12)]
        await asyncio.gather(*(pictures._once(key, draw(key[0]), "1") for key in keys for _ in range(3)))
        assert sorted(drawn) == sorted(key[0] for key in keys)
        await pictures._once(keys[-1], draw("again"), "1")
        assert "again" not in drawn
        assert sum(len(each.result().packed) for each in pictures._drawn.values()) <= 20_000

    run(main)


# ---- rows that were changed ----------------------------------------------------------------------------------------


CHANGES = [
    "UPDATE games SET files = '{'",
    "UPDATE games SET files = '[1, 2]'",
    "UPDATE games SET script = 'x'",
    "UPDATE games SET script = '[1, \"a\"]'",
    "UPDATE games SET seed = 'not hexadecimal'",
    "UPDATE games SET source = 'x = ['",
    "UPDATE games SET source = ''",
    "UPDATE games SET game = 'chess'",
    "UPDATE games SET game = 'bolt_action'",
    "UPDATE games SET rules = 99",
    "UPDATE games SET digest = ''",
    "UPDATE games SET seq = -5",
    "UPDATE games SET mode = 'strange', lesson = 'none'",
    "UPDATE answers SET key = 'nonsense'",
    "UPDATE answers SET key = ''",
    "UPDATE answers SET side = 'nobody'",
    "UPDATE answers SET key = 'dice 1 2'",
    "DELETE FROM answers WHERE number = 1",
    "DELETE FROM answers",
    "DELETE FROM seats",
    "UPDATE seats SET player = 'stranger' WHERE side = 'german'",
    "INSERT INTO orders (game, number, side, reaction, beyond, below) SELECT id, 0, 'nobody', 'x', -1, 7.5 FROM games",
    "INSERT INTO take_backs (game, side, state) SELECT id, 'nobody', 'odd' FROM games",
]
SQLITE_CHANGES = [
    "UPDATE games SET seed = x'00ff'",
    "UPDATE games SET number = 'many'",
    "UPDATE games SET rules = 'new'",
    "UPDATE answers SET turn = 'x'",
    "UPDATE answers SET turn = 9223372036854775807",
    "UPDATE answers SET by_order = 7",
    "UPDATE seats SET token = 5",
]


@pytest.mark.parametrize("change", [*CHANGES, *SQLITE_CHANGES])
def test_rows_that_were_changed_are_told_and_hurt_nobody_else(change: str, tmp_path: Path) -> None:
    with running(tmp_path) as live:
        spoilt, other = live.make(), live.make()
        for table in (spoilt, other):
            for number in range(6):
                side = table.asked()
                state = table.state(side)
                options = state["view"]["ask"]["options"]
                table.post("/answer", side, {"seq": state["seq"], "key": options[number % len(options)]["key"]})
        live.battles._live.clear()
        with live.battles.store.engine.begin() as connection:
            only = f"{change} {'AND' if ' WHERE ' in change else 'WHERE'} {'id' if 'games' in change else 'game'} = :id"
            if change.startswith("INSERT"):
                only = f"{change} WHERE id = :id"
            connection.execute(sa.text(only), {"id": spoilt.id})
        for path in ("/state", "", "/save"):
            answer = spoilt.call("GET", path, "american")
            assert answer.status_code < 500, answer.text
            if answer.status_code != 200:
                assert answer.json()["message"] and "Traceback" not in answer.text
        assert spoilt.call("GET", "/land.svg", "american").status_code < 500
        assert other.state(other.asked())["waiting"] == "you"


def test_a_battle_of_older_rules_is_saved_over_the_wire(tmp_path: Path) -> None:
    with running(tmp_path) as live:
        mine, between = live.make(), live.make(invite=True, seed="")
        saved = mine.call("GET", "/save", "american").content
        live.battles._live.clear()
        with live.battles.store.engine.begin() as connection:
            connection.execute(sa.text("UPDATE games SET rules = 77"))
        problem = mine.get("/state", "american", 400)
        assert problem["error"] == "version" and "can still be saved as a file" in problem["message"]
        answer = mine.call("GET", "/save", "american")
        assert answer.status_code == 200
        assert json.loads(answer.content) == json.loads(saved) | {"rules": 77}
        assert ".save" in answer.headers["content-disposition"]
        assert mine.call("GET", "/save", "watcher").status_code == 403
        headers = {"Authorization": "Bearer guess"}
        assert live.web.get(f"/api/battles/{mine.id}/save", headers=headers).status_code == 401
        # Between people a save would tell each the other's secrets, and the server does not promise one.
        problem = between.get("/state", "american", 400)
        assert problem["error"] == "version" and "can still be saved" not in problem["message"]
        assert between.call("GET", "/save", "american").status_code == 403


def test_two_servers_may_start_at_once_on_a_new_file(tmp_path: Path) -> None:
    code = "import sys; from grognard.server.store import Store; Store(sys.argv[1]).close()"
    for number in range(3):
        file = tmp_path / f"{number}.db"
        starts = [subprocess.Popen([sys.executable, "-c", code, str(file)], stderr=subprocess.PIPE) for _ in range(3)]
        for start in starts:
            _, said = start.communicate(timeout=60)
            assert start.returncode == 0, said.decode()
        Store(str(file)).close()


# ---- strange values ------------------------------------------------------------------------------------------------


STRANGE: list[Any] = [None, 2**63, -(10**30), 1e308, "", "x" * 5000, "\0", "\x1b[31m", [], {}, [[]], True, -1, "german"]


def test_a_saved_game_with_strange_values_is_refused_or_taken(tmp_path: Path) -> None:
    """Never is it a fault of the server, and what is taken in can be played and stored."""
    game, scenario = open_scenario("first_patrol")
    session = Session(game, scenario, seed=b"1")
    for _ in range(6):
        assert session.ask is not None
        session.answer(session.ask.options[0].key)
    good = json.loads(session.save())

    async def main() -> None:
        rng = Random(5)
        async with open_battles(str(tmp_path / "games.db")) as battles:
            for name in [*good, *good]:
                for value in rng.sample(STRANGE, 5):
                    try:
                        table = Table(*await battles.import_file(ImportBattle(save=json.dumps(good | {name: value}))))
                    except GrognardError as error:
                        assert "\x1b" not in str(error) and len(str(error)) < 20_000
                    else:
                        seat, update = await table.asked()
                        await table.battle.answer(seat, update.seq, pick(update, rng))

    run(main)


@pytest.mark.parametrize("number", ["9" * 30, "9" * 5000, "-1", "1e30", "nan", "%00", "x" * 5000])
def test_strange_numbers_in_addresses(live: Live, number: str) -> None:
    table = live.make()
    for path in (f"/frames/{number}", f"/log/{number}/odds"):
        answer = table.call("GET", path, "german")
        assert 400 <= answer.status_code < 500, answer.text
    for name in ("log", "frames"):
        answer = table.call("GET", f"/state?{name}={number}", "german")
        assert answer.status_code == 400, answer.text
    for path in (f"/api/battles/{number}/state", f"/api/moments/{number}", f"/api/scenarios/ost/{number}/picture.svg"):
        answer = live.web.get(path, headers={"Authorization": f"Bearer {table.tokens['german']}"})
        assert 400 <= answer.status_code < 500, answer.text


def test_endless_faults_are_told_in_part(live: Live) -> None:
    text = 'game = "ost"\n' + '[[unit]]\nkynd = "x"\n' * 500
    problem = live.web.post("/api/battles/import", json={"save": text})
    assert problem.status_code == 400
    faults = problem.json()["faults"]
    assert 50 < len(faults) < 120 and "more faults" in faults[-1]
    with pytest.raises(MalformedError) as found:
        imports.read_file('game = "ost"\n' + 'x\u202e = "\\u001b"\n')
    assert "\x1b" not in str(found.value) and "\u202e" not in str(found.value)


def test_whoever_comes_back_does_not_wait_for_another_s_many_battles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Battles are read again one after the other, in turns of those who ask, and no answer waits for it."""
    monkeypatch.setattr("grognard.server.battles.READING_THREADS", 1)

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            tables = [await Table.make(battles) for _ in range(9)]
            playing, mine, *others = tables
            for table in (mine, *others):
                battles._close(table.battle)
            going, read, order = threading.Event(), battles.store.read, []

            def slow(id: str) -> Any:
                going.wait(10)
                order.append(id)
                return read(id)

            monkeypatch.setattr(battles.store, "read", slow)
            crowd = [asyncio.create_task(battles.open(table.battle.id, "crowd")) for table in others]
            await asyncio.sleep(0.1)
            coming = asyncio.create_task(battles.open(mine.battle.id, "me"))
            await asyncio.sleep(0.1)
            _, update = await playing.asked()
            assert update.waiting == "you" and not order
            going.set()
            await coming
            assert order.index(mine.battle.id) <= 2
            await asyncio.gather(*crowd)

    run(main)
