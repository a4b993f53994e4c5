"""Between people an answer is taken back only with the other side's leave, and no step can be tried for nothing."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from grognard.core.errors import StaleError
from grognard.core.session import UndoError
from grognard.server.battles import Battles
from grognard.server.errors import ForbiddenError
from grognard.server.schema import ImportBattle, NewOrder, Update
from tests.server.live import Live
from tests.server.playing import Table, open_battles, pick, run

OPEN_GROUND = """
game = "ost"
turn = 4
active = "american"
sides = ["american", "german"]
points = {{ german = 5, american = 5 }}
[map]
columns = 16
rows = 10
terrain = {{ woods = "J5" }}
[[unit]]
id = "a1"
kind = "us_rifle"
hex = "D5"
[[unit]]
id = "g9"
kind = "ger_rifle"
hex = "P10"
{hidden}
"""
HIDDEN = """
[[unit]]
id = "g1"
kind = "ger_rifle"
hex = "J5"
hidden = true
weapons = ["ger_lmg"]
"""


async def ground(battles: Battles, hidden: bool, orders: bool) -> Table:
    """A squad in the open before a wood in which somebody hides, or nobody does."""
    text = OPEN_GROUND.format(hidden=HIDDEN if hidden else "")
    table = Table(*await battles.import_file(ImportBattle(save=text, invite=True)))
    if orders:
        await table.battle.set_orders(table.seat("german"), [NewOrder()])
    return table


def plain(update: Update, table: Table) -> bytes:
    return msgspec.json.encode(update).replace(table.battle.id.encode(), b"ID")


async def walk(table: Table) -> list[bytes]:
    """All that the American is told while he walks towards the wood, and when he would like to go back."""
    battle, seat = table.battle, table.seat("american")
    update = await battle.update(seat)
    told = [plain(update, table)]
    for key in ("move a1", "step E5", "step F5"):
        update = await battle.answer(seat, update.seq, key)
        told.append(plain(update, table))
        found = await refusal(battle.undo(seat, update.seq + 1))
        told.append(str(found).encode())
        if key != "move a1":
            told.append(str(await refusal(battle.undo(seat, update.seq))).encode())
    return told


async def refusal(call: Any) -> Exception:
    with pytest.raises((UndoError, StaleError)) as found:
        await call
    return found.value


def test_nothing_tells_that_a_standing_order_has_held_a_hidden_unit_s_fire(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            there, nobody = await ground(battles, True, True), await ground(battles, False, True)
            assert await walk(there) == await walk(nobody)
            # The German was asked, and only in one of the two.
            by_order = [[answer.by_order for answer in table.battle.session.answers] for table in (there, nobody)]
            assert any(by_order[0]) and not any(by_order[1])

    run(main)


@pytest.mark.parametrize("hidden", [True, False])
def test_a_step_is_not_taken_back_for_nothing(hidden: bool, tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await ground(battles, hidden, orders=False)
            battle, seat = table.battle, table.seat("american")
            update = await battle.update(seat)
            chosen = await battle.answer(seat, update.seq, "move a1")
            assert chosen.may_undo == ""  # a choice of which nothing has come yet
            back = await battle.undo(seat, chosen.seq)
            chosen = await battle.answer(seat, back.seq, "move a1")
            stepped = await battle.answer(seat, chosen.seq, "step E5")
            assert stepped.waiting == ("other" if hidden else "you")
            assert stepped.may_undo == "play has gone on since" and stepped.may_ask_back == ""
            with pytest.raises(UndoError):
                await battle.undo(seat, stepped.seq)

    run(main)


def test_undo_at_one_screen_ends_where_the_other_side_is_asked(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            for hidden in (True, False):
                text = OPEN_GROUND.format(hidden=HIDDEN if hidden else "")
                table = Table(*await battles.import_file(ImportBattle(save=text)))
                seat = table.seat("american")
                update = await table.battle.update(seat)
                for key in ("move a1", "step E5"):
                    update = await table.battle.answer(seat, update.seq, key)
                assert update.may_undo == ("play has gone on since" if hidden else "")
                assert update.may_ask_back == "nobody else is playing"
                with pytest.raises(UndoError, match="between people"):
                    await table.battle.take_back(seat, update.number, "ask")

    run(main)


def test_a_take_back_is_asked_for_granted_and_stored(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await ground(battles, True, orders=False)
            battle, american, german = table.battle, table.seat("american"), table.seat("german")
            update = await battle.update(american)
            before = len(update.view.log)
            chosen = await battle.answer(american, update.seq, "move a1")
            stepped = await battle.answer(american, chosen.seq, "step E5")
            with pytest.raises(StaleError, match="Look at it"):
                await battle.take_back(american, stepped.number - 1, "ask")
            with pytest.raises(ForbiddenError, match="Only players"):
                await battle.take_back(table.seat("watcher"), stepped.number, "ask")
            with pytest.raises(UndoError, match="Nobody is asking"):
                await battle.take_back(german, stepped.number, "grant")
            asked = await battle.take_back(american, stepped.number, "ask")
            assert asked.take_back is not None and asked.take_back.state == "asked"
            assert asked.may_ask_back == "you have already asked"
            with pytest.raises(UndoError, match="yourself"):
                await battle.take_back(american, asked.number, "grant")
        async with open_battles(database) as battles:  # it waits, whatever becomes of the server meanwhile
            table = await table.again(battles)
            battle = table.battle
            seen = await battle.update(german)
            assert seen.take_back is not None and (seen.take_back.side, seen.take_back.state) == ("american", "asked")
            assert seen.take_back.lines > 0 and seen.may_ask_back in ("the other side is asking you", NOTHING)
            with pytest.raises(UndoError, match="Allow or refuse"):
                await battle.take_back(german, seen.number, "withdraw")
            granted = await battle.take_back(german, seen.number, "grant")
            assert granted.take_back is not None and granted.take_back.state == "granted"
            back = await battle.update(american)
            assert back.take_back == granted.take_back and back.waiting == "you"
            assert [option.key for option in back.view.ask.options] == [o.key for o in chosen.view.ask.options]
            assert len(back.view.log) < len(stepped.view.log) + stepped.log_start and len(back.view.log) >= before
            with pytest.raises(StaleError):
                await battle.answer(american, chosen.seq, "step E5")  # a late answer is not one to the new question
            after = await battle.answer(american, back.seq, "step D4")
            assert after.take_back is None and battles.store.read(battle.id).take_back is None

    run(main)


NOTHING = "nothing has been answered yet"


def test_a_take_back_is_refused_withdrawn_or_overtaken(database: str) -> None:
    async def main() -> None:
        async with open_battles(database) as battles:
            table = await ground(battles, False, orders=False)
            battle, american, german = table.battle, table.seat("american"), table.seat("german")
            update = await battle.update(american)
            assert update.may_ask_back == NOTHING
            for key in ("move a1", "step E5"):
                update = await battle.answer(american, update.seq, key)
            given = len(battle.session.answers)
            asked = await battle.take_back(american, update.number, "ask")
            free = await battle.take_back(american, asked.number, "withdraw")
            assert free.take_back is None and free.may_ask_back == ""
            asked = await battle.take_back(american, free.number, "ask")
            refused = await battle.take_back(german, asked.number, "refuse")
            assert refused.take_back is not None and refused.take_back.state == "refused"
            now = await battle.update(american)
            assert now.may_ask_back == "the other side refused"
            with pytest.raises(UndoError, match="refused"):
                await battle.take_back(american, now.number, "ask")
            assert len(battle.session.answers) == given
            on = await battle.answer(american, now.seq, "step E4")
            assert on.take_back is None and on.may_ask_back == ""
            asked = await battle.take_back(american, on.number, "ask")
            overtaken = await battle.answer(american, asked.seq, "step F4")
            assert overtaken.take_back is None  # whoever plays on has changed his mind
            with pytest.raises(UndoError, match="Nobody is asking"):
                await battle.take_back(german, overtaken.number, "grant")

    run(main)


def test_everybody_is_told_over_the_wire(live: Live) -> None:
    table = live.make(invite=True, seed="")
    rng = Random(3)
    with table.listen("german") as german, table.listen("american") as american:
        for socket in (german, american):
            socket.recv(timeout=10)
        side = table.asked()
        state = msgspec.convert(table.state(side), Update)
        made = table.post("/answer", side, {"seq": state.seq, "key": pick(state, rng)})
        assert made["may_ask_back"] == ""
        asked = table.post("/take-back", side, {"number": made["number"], "say": "ask"})
        other = next(each for each in ("german", "american") if each != side)
        listener = german if other == "german" else american
        while (heard := msgspec.json.decode(listener.recv(timeout=10)))["take_back"] is None:
            pass
        assert heard["take_back"]["side"] == side and heard["number"] == asked["number"]
        table.post("/take-back", other, {"number": heard["number"], "say": "grant"})
        mine = german if side == "german" else american
        while (told := msgspec.json.decode(mine.recv(timeout=10)))["take_back"] is None or (
            told["take_back"]["state"] != "granted"
        ):
            pass
        assert told["view"]["ask"]["prompt"] == state.view.ask.prompt
        assert table.post("/take-back", side, {"number": told["number"], "say": "no"}, 400)["error"] == "malformed"


def test_nothing_is_taken_back_when_the_battle_is_over(tmp_path: Path) -> None:
    """The seed has been told by then."""

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles, invite=True)
            await table.play(5000, Random(1))
            for side in table.sides:
                update = await table.battle.update(table.seat(side))
                assert (update.may_undo, update.may_ask_back) == ("the battle is over", "the battle is over")

    run(main)
