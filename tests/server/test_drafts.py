"""Drafts at a server: previews while the other side is asked, one side's plans, long answers, and limits that hold."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from grognard.core import registry
from grognard.core.drafts import LONGEST
from grognard.core.errors import IllegalError, StaleError
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from grognard.server import imports
from grognard.server.errors import ForbiddenError, TooMuchError
from grognard.server.schema import LARGEST_SAVE, Answer, ImportBattle, NewBattle, Plan
from tests.kits.hex.steps import GAME
from tests.server.playing import Table, open_battles, run

NAME = "steps"


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registry knows the game of steps, as if it had a folder of its own."""
    find = registry.game
    monkeypatch.setattr(registry, "game", lambda name: GAME if name == NAME else find(name))
    names = registry.names()
    monkeypatch.setattr(registry, "names", lambda: (*names, NAME))


def plan(session: Session, side: str) -> tuple[str, str]:
    """A good plan of a side and a faulty one, as answers."""
    (draft,) = GAME.drafts(session.battle, side)
    rng = Random(1)
    keys = [draft.key(draft.sample(rng)) for _ in range(80)]
    return next(key for key in keys if not draft.read(key)[1]), next(key for key in keys if draft.read(key)[1])


def test_a_side_prepares_and_hands_in_and_nobody_else_sees_it(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = Table(*await battles.make(NewBattle(game=NAME, scenario="ridge", invite=True)))
            session = table.battle.session
            assert session.ask is not None
            asked = session.ask.side
            other = next(side for side in session.scenario.sides if side != asked)
            seats = {side: table.seat(side) for side in (asked, other, "watcher")}
            seq = {side: session.seq_of(side) for side in session.scenario.sides}
            good, bad = plan(session, other)
            before = GAME.encode(session.state), len(session.log)
            # Whose turn it is not draws already, and reads every fault.
            shown = await table.battle.preview(seats[other], seq[other], good)
            assert shown.legal and shown.lines and shown.graphics and shown.tints
            faulty = await table.battle.preview(seats[other], seq[other], bad)
            assert not faulty.legal and faulty.bars and all(bar.reason for bar in faulty.bars)
            with pytest.raises(StaleError):
                await table.battle.preview(seats[other], seq[other] + 5, good)
            with pytest.raises(ForbiddenError):
                await table.battle.answer(seats[other], seq[other], good)
            for key in (good, "nonsense"):
                with pytest.raises((ForbiddenError, StaleError)):
                    await table.battle.preview(seats["watcher"], session.seq_of("watcher"), key)
            assert (GAME.encode(session.state), len(session.log)) == before
            # Handed in, it is on the owner's map alone, and in nobody else's log.
            good, bad = plan(session, asked)
            with pytest.raises(IllegalError):
                await table.battle.answer(seats[asked], seq[asked], bad)
            assert (GAME.encode(session.state), len(session.log)) == before
            update = await table.battle.answer(seats[asked], seq[asked], good)
            assert update.view.graphics and update.view.drafts and update.view.formations
            for reader in (other, "watcher"):
                seen = await table.battle.update(seats[reader])
                told = msgspec.json.encode(seen.view.log).decode()
                assert not seen.view.graphics and "plan" not in told and "Oak" not in told

    run(main)


def saved(count: int) -> Any:
    session = Session(GAME, GAME.load_scenario(_ridge()), seed=b"saved")
    player = RandomPlayer(2)
    good, _ = plan(session, session.ask.side if session.ask else "")
    session.answer(good)
    for _ in range(count):
        if session.ask is not None:
            session.answer(player.choose(None, session.ask))
    return session


def _ridge() -> Any:
    from grognard.core.files import Document

    return Document.read(GAME.scenario_files()["ridge"])


def test_saves_with_drafts_come_in_and_rubbish_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = saved(12)
    save = msgspec.json.decode(session.save())
    long = {**save, "answers": [["red", "plan " + "x" * LONGEST, False], *save["answers"]]}
    many = {**save, "answers": save["answers"] * 9000}

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = Table(*await battles.import_file(ImportBattle(save=session.save().decode())))
            assert table.battle.session.digest == session.digest
            assert any(key.startswith("plan {") for _, key, _ in table.battle.session.given)
            for wrong, says in ((long, "more than 4,000 characters"), (many, "more than 60,000 answers")):
                with pytest.raises(TooMuchError, match=says):
                    await battles.import_file(ImportBattle(save=msgspec.json.encode(wrong).decode()))
            monkeypatch.setattr(imports, "MOST_TEXT", 10)
            with pytest.raises(TooMuchError, match="answers have more than 10 characters"):
                await battles.import_file(ImportBattle(save=session.save().decode()))

    run(main)


def test_the_wire_takes_drafts_and_long_plans_and_nothing_longer() -> None:
    for good in ({"seq": 1, "key": "x" * LONGEST}, {"seq": 1, "keys": ["go A1"] * 120}):
        msgspec.convert(good, Answer if "key" in good else Plan)
    for bad in ({"seq": 1, "key": "x" * (LONGEST + 1)}, {"seq": 1, "keys": ["go A1"] * 121}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(bad, Answer if "key" in bad else Plan)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"save": "x" * (LARGEST_SAVE + 1)}, ImportBattle)
