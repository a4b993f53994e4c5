"""Two hundred battles at once on one server: people who answer, programs on the other side, and onlookers.

Each battle has one seat that this program plays over HTTP, one that the server's own player takes, and one onlooker;
player and onlooker each have a WebSocket. All are at their places before the clock starts. The first half of the time
everybody answers as soon as asked, which tells how much the server can do; how long an answer then takes says only how
long the queue is. The second half people think between their answers, which tells how long one waits for it. At the
end every answer that was acknowledged is looked for in the saved games.

``GROGNARD_LOAD_SECONDS``, ``GROGNARD_LOAD_BATTLES`` and ``GROGNARD_LOAD_THINK`` (seconds between a question and its
answer, on average) change the size of it.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import websockets

from grognard.core.open_files import open_scenario
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from grognard.server.battles import Battles
from grognard.server.limits import Limits
from grognard.server.run import open_port, serve

BATTLES = int(os.environ.get("GROGNARD_LOAD_BATTLES", "200"))
SECONDS = float(os.environ.get("GROGNARD_LOAD_SECONDS", "60"))
THINK = float(os.environ.get("GROGNARD_LOAD_THINK", "2"))
SCENARIO = "first_patrol"
#: The side that this program plays, and the one of the server's player.
MINE, THEIRS = "american", "german"


class Stretch(NamedTuple):
    """What a stretch of time saw: how long it took, and the server's and this program's time on the processor."""

    seconds: float
    server: float
    own: float
    answers: int  # by all
    latencies: list[float]
    updates: int


class Tally:
    """What the load saw."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.updates = 0
        self.answers = 0
        self.finished = 0
        self.errors: list[str] = []
        self.acknowledged: dict[str, list[str]] = {}
        self.tokens: dict[str, str] = {}
        self.stored: dict[str, list[str]] = {}


def run() -> Iterator[tuple[str, str]]:
    """The rows of the table."""
    with tempfile.TemporaryDirectory() as folder:
        port = _free_port()
        process = _start(port, Path(folder))
        try:
            load = Load(port, process.pid)
            busy, calm = asyncio.run(load.run())
            memory = _memory(process.pid)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)
    tally, engine = load.tally, _engine_cost()
    yield "battles, onlookers, sockets", f"{BATTLES}, {BATTLES}, {2 * BATTLES}"
    for name, part in (("at once", busy), (f"after {THINK:g} s of thought", calm)):
        people, by_all = len(part.latencies) / part.seconds, part.answers / part.seconds
        ordered = sorted(part.latencies) or [0.0]
        yield f"answered {name}: people / all per second", f"{people:.0f} / {by_all:.0f} for {part.seconds:.0f} s"
        yield "  latency p50 / p99", f"{_part(ordered, 0.5) * 1000:.0f} ms / {_part(ordered, 0.99) * 1000:.0f} ms"
        yield "  updates by socket per second", f"{part.updates / part.seconds:.0f}"
        cost = part.server / max(part.answers, 1)
        yield "  server per answer, of it the engine", f"{cost * 1000:.2f} ms, {engine / max(cost, 1e-9):.0%}"
        yield "  cores of the server / of the load", f"{part.server / part.seconds:.2f} / {part.own / part.seconds:.2f}"
    yield "memory of the server at the end", f"{memory / 2**20:.0f} MiB"
    yield "battles finished and begun anew", str(tally.finished)
    yield "acknowledged answers lost", f"{_lost(tally)} of {sum(map(len, tally.acknowledged.values()))}"
    yield "errors", f"{len(tally.errors)} {tally.errors[:3] if tally.errors else ''}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _start(port: int, folder: Path) -> subprocess.Popen[bytes]:
    database = f"sqlite:///{folder / 'load.db'}"
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.bench_load", str(port), database],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


class Caller:
    """One connection for calls: no more of HTTP than is needed, so that the load does not weigh on what it measures."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def call(self, method: str, path: str, token: str = "", body: object = None) -> tuple[int, Any]:
        """Call, and return the status and what came."""
        if self._reader is None or self._writer is None or self._writer.is_closing() or self._reader.at_eof():
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        data = b"" if body is None else msgspec.json.encode(body)
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAccept-Encoding: gzip\r\n"
        head += f"Authorization: Bearer {token}\r\n" if token else ""
        head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        self._writer.write(head.encode() + data)
        status, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        got = await self._reader.readexactly(int(headers["content-length"]))
        if headers.get("connection", "") == "close":
            self._writer.close()
        plain = gzip.decompress(got) if headers.get("content-encoding") == "gzip" else got
        return int(status.split()[1]), msgspec.json.decode(plain)

    def close(self) -> None:
        """Hang up."""
        if self._writer is not None:
            self._writer.close()


class Load:
    """The crowd."""

    def __init__(self, port: int, pid: int) -> None:
        self.port, self.pid, self.tally = port, pid, Tally()
        self.think = 0.0
        self.started = asyncio.Event()
        self.deadline = 0.0
        self.seated = 0

    async def run(self) -> tuple[Stretch, Stretch]:
        """Seat everybody, and let them play for half of the time without and for half of it with thinking."""
        await self._until_up()
        crowd = [asyncio.create_task(self._place(number)) for number in range(BATTLES)]
        while self.seated < BATTLES and not any(task.done() for task in crowd):
            await asyncio.sleep(0.1)
        self.deadline = time.perf_counter() + SECONDS
        self.started.set()
        busy = await self._stretch(SECONDS / 2)
        self.think = THINK
        # The queue of the first half is not the second half's: it is let run out before the clock starts again.
        await asyncio.sleep(min(2.0, SECONDS / 10))
        calm = await self._stretch(self.deadline - time.perf_counter())
        await asyncio.gather(*crowd)
        caller = Caller(self.port)
        for id, token in self.tally.tokens.items():
            _, save = await caller.call("GET", f"/api/battles/{id}/save", token)
            self.tally.stored[id] = [key for _, key, _ in save["answers"]]
        caller.close()
        return busy, calm

    async def _stretch(self, seconds: float) -> Stretch:
        tally = self.tally
        start, server, own = time.perf_counter(), _cpu(self.pid), time.process_time()
        calls, answers, updates = len(tally.latencies), tally.answers, tally.updates
        await asyncio.sleep(seconds)
        return Stretch(
            time.perf_counter() - start,
            _cpu(self.pid) - server,
            time.process_time() - own,
            tally.answers - answers,
            tally.latencies[calls:],
            tally.updates - updates,
        )

    async def _until_up(self) -> None:
        for _ in range(300):
            try:
                if (await Caller(self.port).call("GET", "/api/health"))[0] == 200:
                    return
            except OSError:
                await asyncio.sleep(0.1)
        raise RuntimeError("the server does not come up")

    async def _place(self, number: int) -> None:
        """One person: battle after battle until the time is up."""
        caller, chooser = Caller(self.port), random.Random(number)
        try:
            while not self.deadline or time.perf_counter() < self.deadline:
                if await self._battle(caller, chooser, number):
                    self.tally.finished += 1
        except (OSError, EOFError, websockets.WebSocketException, KeyError, ValueError) as error:
            self.tally.errors.append(repr(error))
        finally:
            caller.close()

    async def _battle(self, caller: Caller, chooser: random.Random, number: int) -> bool:
        new = {"game": _game(), "scenario": SCENARIO, "players": {THEIRS: "random"}, "seed": f"load {number}"}
        status, made = await caller.call("POST", "/api/battles", body=new)
        if status != 201:
            raise ValueError(f"{status} {made}")
        id = made["battle"]["id"]
        tokens = {seat["side"]: seat["token"] for seat in made["seats"]}
        self.tally.tokens[id] = tokens[MINE]
        async with self._socket(id) as mine, self._socket(id) as theirs:
            update = await self._hello(mine, tokens[MINE])
            await self._hello(theirs, tokens["watcher"])
            watching = asyncio.create_task(self._watch(theirs, update["number"]))
            try:
                self.seated += 1
                await self.started.wait()
                return await self._play(caller, mine, id, tokens[MINE], chooser, update)
            finally:
                watching.cancel()

    def _socket(self, id: str) -> websockets.connect:
        return websockets.connect(f"ws://127.0.0.1:{self.port}/api/battles/{id}/socket", max_size=None)

    async def _hello(self, channel: websockets.ClientConnection, token: str) -> dict[str, Any]:
        await channel.send(msgspec.json.encode({"token": token, "log": 0, "frames": 0}).decode())
        update: dict[str, Any] = msgspec.json.decode(await channel.recv())
        return update

    async def _play(
        self,
        caller: Caller,
        channel: websockets.ClientConnection,
        id: str,
        token: str,
        chooser: random.Random,
        update: dict[str, Any],
    ) -> bool:
        """Answer until the battle is over or the time is up; whether it was over."""
        given = self.tally.acknowledged.setdefault(id, [])
        while (left := self.deadline - time.perf_counter()) > 0:
            if update["waiting"] == "over":
                return True
            if update["waiting"] == "other":
                try:
                    heard = msgspec.json.decode(await asyncio.wait_for(channel.recv(), left))
                except TimeoutError:
                    return False
                self.tally.updates += 1
                update = heard if heard["number"] > update["number"] else update
                continue
            if self.think:
                await asyncio.sleep(min(left, chooser.uniform(0, 2 * self.think)))
            ask = update["view"]["ask"]
            key = chooser.choice(ask["options"])["key"]
            began = time.perf_counter()
            status, answer = await caller.call(
                "POST", f"/api/battles/{id}/answer", token, {"seq": ask["seq"], "key": key}
            )
            self.tally.latencies.append(time.perf_counter() - began)
            if status != 200:
                raise ValueError(f"{status} {answer}")
            given.append(key)
            update = answer
        return False

    async def _watch(self, channel: websockets.ClientConnection, number: int) -> None:
        """Look on; an onlooker hears of every answer, whoever gave it."""
        async for message in channel:
            self.tally.updates += 1
            now = msgspec.json.decode(message, type=_Number).number
            self.tally.answers += max(0, now - number)
            number = max(now, number)


class _Number(msgspec.Struct):
    """Of an update only its number, which grows by one with every answer."""

    number: int


def _lost(tally: Tally) -> int:
    """Acknowledged answers that the saved game does not have, in their order."""
    lost = 0
    for id, keys in tally.acknowledged.items():
        stored = iter(tally.stored.get(id, []))
        lost += sum(key not in stored for key in keys)
    return lost


def _game() -> str:
    return open_scenario(SCENARIO)[0].name


def _engine_cost() -> float:
    """CPU seconds that the engine alone takes for an answer: the options listed, the answer taken, two views made."""
    game, scenario = open_scenario(SCENARIO)
    answers, start = 0, time.process_time()
    for seed in range(6):
        session, player = Session(game, scenario, seed=bytes([seed + 1])), RandomPlayer(seed)
        while session.ask is not None:
            session.answer(player.choose(None, session.ask))
            for side in (MINE, "watcher"):
                session.view(side, len(session.log))
            answers += 1
    return (time.process_time() - start) / answers


def _part(ordered: list[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _serve(port: int, database: str) -> None:
    """The server, with limits that do not mind a crowd from one address."""
    crowd = 10 * BATTLES
    limits = Limits(
        seat_rate=1e6,
        seat_burst=10**6,
        address_rate=1e6,
        address_burst=10**6,
        make_rate=1e6,
        make_burst=10**6,
        sockets_per_address=crowd,
        games=100 * crowd,
    )
    serve(Battles(database, limits=limits), open_port("127.0.0.1", port), limits=limits)


if __name__ == "__main__":
    _serve(int(sys.argv[1]), sys.argv[2])
