"""A server is killed again and again under play: what it has acknowledged is there, and the same question stands."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from grognard.server.store import Store

#: Four kinds of battle at once: with a program, at one screen, with somebody else, and with dice of one's own.
BATTLES: list[dict[str, Any]] = [
    {"game": "ost", "scenario": "first_patrol", "players": {"german": "random"}},
    {"game": "ost", "scenario": "first_patrol"},
    {"game": "ost", "scenario": "canal_bridge", "invite": True},
    {"game": "ost", "scenario": "first_patrol", "own_dice": True},
]
Given = list[tuple[str, str]]
ROOT = Path(__file__).parents[2]


class Battle:
    """A battle as its players know it: what they gave and was acknowledged, and what was on its way."""

    def __init__(self, number: int, made: dict[str, Any], rng: Random) -> None:
        self.number, self.rng = number, rng
        self.id = made["battle"]["id"]
        self.tokens = {seat["side"]: seat["token"] for seat in made["seats"] if seat["side"] != "watcher"}
        self.given: Given = []
        self.sent: Given | None = None  # what would be given if the last call came through
        self.stands: dict[str, Any] | None = None  # the question that was last seen, by its side
        self.over = False
        self.waits = False

    def call(self, web: httpx.AsyncClient, side: str, method: str, path: str, **more: Any) -> Any:
        """Call the server for a side."""
        headers = {"Authorization": f"Bearer {self.tokens[side]}"}
        return web.request(method, f"/api/battles/{self.id}/{path}", headers=headers, **more)

    async def look(self, web: httpx.AsyncClient) -> dict[str, Any] | None:
        """The update of the side that is asked; None if that is a program, or nobody any more."""
        for side in self.tokens:
            answer = await self.call(web, side, "GET", "state?log=100000&frames=100000")
            answer.raise_for_status()
            update: dict[str, Any] = answer.json()
            self.over = update["waiting"] == "over"
            if update["waiting"] == "you":
                return update
        return None

    async def play(self, web: httpx.AsyncClient, count: Count) -> None:
        """Play until the server is gone: answer, and now and then take back or give orders."""
        while not self.over:
            update = await self.look(web)
            if update is None:
                await asyncio.sleep(0.005)
                continue
            self.stands = update
            side, roll, ask = update["side"], self.rng.random(), update["view"]["ask"]
            unseen = (ask.get("reaction") and not count.reactions) or ("dice" in ask and not count.dice)
            if unseen or roll < (0.3 if ask.get("reaction") else 0.1 if "dice" in ask else 0.01):
                return  # somebody who thinks about it for the rest of the server's life
            roll = self.rng.random()
            if roll < 0.12 and not update["may_undo"]:
                back = list(self.given)
                while back and back.pop()[1].startswith("dice "):
                    pass
                await self.send(web, side, back, "POST", "undo", {"seq": update["seq"]})
            elif roll < 0.16:
                orders = [{"below": round(self.rng.random(), 2)}] if self.rng.random() < 0.5 else []
                await self.send(web, side, None, "PUT", "orders", {"orders": orders})
            else:
                key = pick(ask, self.rng)
                told = [*self.given, (side, key)]
                await self.send(web, side, told, "POST", "answer", {"seq": update["seq"], "key": key})

    async def send(
        self, web: httpx.AsyncClient, side: str, given: Given | None, method: str, path: str, body: Any
    ) -> None:
        """Send something; it counts as given once it is acknowledged."""
        self.sent = given if given is not None else list(self.given)
        self.waits = True
        answer = await self.call(web, side, method, path, json=body)
        self.waits = False
        if answer.status_code == 429:
            await asyncio.sleep(0.1)
            return
        assert answer.status_code == 200, answer.text
        self.given, self.stands = self.sent, None


def pick(ask: dict[str, Any], rng: Random) -> str:
    if dice := ask.get("dice"):
        return " ".join(["dice", *(str(rng.randint(1, dice["sides"])) for _ in range(dice["number"]))])
    verb = rng.choice(sorted({option.get("verb", "") for option in ask["options"]}))
    key: str = rng.choice([option for option in ask["options"] if option.get("verb", "") == verb])["key"]
    return key


# ---- servers ---------------------------------------------------------------------------------------------------------


@contextmanager
def servers() -> Iterator[Any]:
    """Starts servers: the first as a user would, the others in a moment."""
    command = [sys.executable, "-m", "tests.server.forker"]
    forker = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def start(port: int, database: str, plainly: bool) -> int:
        if plainly:
            command = [sys.executable, "-m", "grognard", "serve", "--port", str(port), "--database", database]
            return subprocess.Popen(command, stdout=subprocess.DEVNULL).pid
        assert forker.stdin is not None and forker.stdout is not None
        forker.stdin.write(f"{port} {database}\n")
        forker.stdin.flush()
        return int(forker.stdout.readline())

    try:
        yield start
    finally:
        assert forker.stdin is not None
        forker.stdin.close()
        forker.wait(60)


async def kill(pid: int) -> None:
    """Kill a server, and see it dead."""
    os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            if os.waitpid(pid, os.WNOHANG)[0] == pid:
                return
        except ChildProcessError:  # it is the forker's
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return
        await asyncio.sleep(0.005)
    raise AssertionError("the server does not die")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def healthy(web: httpx.AsyncClient) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until:
        try:
            if (await web.get("/api/health")).status_code == 200:
                return
        except httpx.TransportError:
            await asyncio.sleep(0.03)
    raise AssertionError("the server does not come up")


# ---- the test --------------------------------------------------------------------------------------------------------


class Count:
    """What the test has seen, so that it cannot pass by seeing nothing."""

    def __init__(self) -> None:
        self.kills = self.same = self.reactions = self.dice = self.under_way = self.came_through = 0


def check_rows(store: Store, battle: Battle, count: Count) -> None:
    """What was acknowledged is stored; of what was on its way, all or nothing."""
    kept = store.read(battle.id)
    stored = [(row.side, row.key) for row in kept.answers if not row.by_order and row.side in battle.tokens]
    acknowledged, sent = without_dice(battle.given), without_dice(battle.sent or [])
    if battle.waits:
        count.under_way += 1
        assert stored in (acknowledged, sent), f"battle {battle.number}: neither what was given nor what was sent"
        if stored == sent != acknowledged:
            count.came_through += 1
    else:
        assert stored == acknowledged, f"battle {battle.number} has lost or gained answers"


def without_dice(given: Given) -> Given:
    """Faces are kept in the script, not among the answers."""
    return [(side, key) for side, key in given if not key.startswith("dice ")]


async def check_question(web: httpx.AsyncClient, battle: Battle, count: Count) -> None:
    """The question that stood stands again, unless what was on its way has come through."""
    before, battle.stands = battle.stands, None
    now = await battle.look(web)
    if before is not None and now is not None and (now["side"], now["seq"]) == (before["side"], before["seq"]):
        count.same += 1
        if battle.waits and now["number"] == before["number"] + 1:
            before["number"], before["orders"] = now["number"], now["orders"]  # orders that were on their way
        for what in ("number", "side", "may_undo", "orders"):
            assert now[what] == before[what], what
        for update in (now, before):  # of the log one may be sent more, but it is as long
            update["lines"] = update["log_start"] + len(update["view"].pop("log"))
            update["moments"] = update["frames_start"] + len(update["frames"])
        assert (now["lines"], now["moments"]) == (before["lines"], before["moments"])
        assert now["view"] == before["view"]
        count.reactions += bool(now["view"]["ask"].get("reaction"))
        count.dice += "dice" in now["view"]["ask"]
    elif before is not None:
        assert battle.waits, f"battle {battle.number}: another question stands, although nothing was on its way"
        assert now is None or now["number"] > before["number"]


async def kill_and_look(start: Any, database: str, rounds: int, rng: Random) -> Count:
    port, count = free_port(), Count()
    store: Store | None = None
    battles: list[Battle] = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as web:
        for round in range(rounds):
            pid = start(port, database, round == 0)
            await healthy(web)
            store = store or Store(database)
            await asyncio.gather(*(check_question(web, battle, count) for battle in battles))
            battles = [battle for battle in battles if not battle.over]
            there = {battle.number for battle in battles}
            for number, new in enumerate(BATTLES):
                if number not in there:
                    made = await web.post("/api/battles", json=new)
                    battles.append(Battle(number, made.json(), rng))
            for battle in battles:
                battle.waits = False
            playing = [asyncio.create_task(battle.play(web, count)) for battle in battles]
            await asyncio.sleep(rng.uniform(0.1, 0.6))
            await kill(pid)
            count.kills += 1
            for ended in await asyncio.gather(*playing, return_exceptions=True):
                assert ended is None or isinstance(ended, httpx.TransportError), ended
            for battle in battles:
                check_rows(store, battle, count)
                if battle.waits:  # from here on what is stored is what was given
                    settle(store, battle)
    assert store is not None
    store.close()
    return count


def settle(store: Store, battle: Battle) -> None:
    kept = store.read(battle.id)
    stored = [(row.side, row.key) for row in kept.answers if not row.by_order and row.side in battle.tokens]
    if stored != without_dice(battle.given) and battle.sent is not None:
        battle.given = battle.sent


def killed(database: str, rounds: int, seed: str) -> Count:
    with servers() as start:
        return asyncio.run(asyncio.wait_for(kill_and_look(start, database, rounds, Random(seed)), 300))


def test_nothing_is_lost_by_a_kill(tmp_path: Any) -> None:
    count = killed(f"sqlite:///{tmp_path}/games.db", 21, "kill")
    assert count.kills == 21
    assert count.same >= 20
    assert count.reactions
    assert count.dice
    assert count.under_way >= 20


def test_nothing_is_lost_by_a_kill_with_postgresql(postgres: Any) -> None:
    count = killed(postgres.database(), 4, "kill postgres")
    assert count.same
    assert count.under_way


@pytest.mark.parametrize("given", [[("red", "a"), ("red", "dice 3")]])
def test_faces_are_no_answers(given: Given) -> None:
    assert without_dice(given) == [("red", "a")]
