"""Two hundred battles at once on one server: people who answer at once, programs on the other side, and onlookers.

Each battle has one seat that this program plays over HTTP (a random legal answer as soon as it is asked), one that the
server's own player takes, and one onlooker; player and onlooker each have a WebSocket. At the end every answer that was acknowledged is looked
for in the saved game. ``GROGNARD_LOAD_SECONDS`` and ``GROGNARD_LOAD_BATTLES`` change the size of it.
"""

from __future__ import annotations

import asyncio
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
from typing import Any

import httpx
import msgspec
import websockets

from grognard.core.opening import open_scenario
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from grognard.server.hall import Hall
from grognard.server.limits import Limits
from grognard.server.run import open_port, serve

BATTLES = int(os.environ.get("GROGNARD_LOAD_BATTLES", "200"))
SECONDS = float(os.environ.get("GROGNARD_LOAD_SECONDS", "60"))
SCENARIO = "first_patrol"


class Tally:
    """What the load saw."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.updates = 0
        self.finished = 0
        self.errors: list[str] = []
        self.given: dict[str, list[str]] = {}
        self.saves: list[tuple[str, str]] = []


def run() -> Iterator[tuple[str, str]]:
    """The rows of the table."""
    with tempfile.TemporaryDirectory() as folder:
        port = _free_port()
        process = _start(port, Path(folder))
        try:
            tally, seconds, cpu, memory = asyncio.run(_load(port, process.pid))
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)
    answers = len(tally.latencies)
    all_answers = sum(len(keys) for keys in tally.given.values())
    latencies = sorted(tally.latencies) or [0.0]
    engine = _engine_cost()
    yield "battles, onlookers, seconds", f"{BATTLES}, {BATTLES}, {seconds:.0f}"
    yield "answers by people / by all, per second", f"{answers / seconds:.0f} / {all_answers / seconds:.0f}"
    yield "updates to onlookers per second", f"{tally.updates / seconds:.0f}"
    yield "latency p50 / p99", f"{_part(latencies, 0.5) * 1000:.0f} ms / {_part(latencies, 0.99) * 1000:.0f} ms"
    yield "memory of the server at the end", f"{memory / 2**20:.0f} MiB"
    yield "battles finished and begun anew", str(tally.finished)
    yield "acknowledged answers lost", str(_lost(tally))
    yield "errors", f"{len(tally.errors)} {tally.errors[:3] if tally.errors else ''}"
    share = engine * all_answers / cpu if cpu else 0.0
    yield "server CPU per answer, engine alone", f"{cpu / max(all_answers, 1) * 1000:.2f} ms, {engine * 1000:.2f} ms"
    yield "the engine's share of the server's time", f"{share:.0%}"


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


async def _load(port: int, pid: int) -> tuple[Tally, float, float, float]:
    base = f"http://127.0.0.1:{port}"
    limits = httpx.Limits(max_connections=BATTLES + 20, max_keepalive_connections=BATTLES + 20)
    tally = Tally()
    async with httpx.AsyncClient(base_url=base, limits=limits, timeout=60) as client:
        await _until_up(client)
        before = _cpu(pid)
        start = time.perf_counter()
        deadline = start + SECONDS
        await asyncio.gather(*(_battle(client, port, n, deadline, tally) for n in range(BATTLES)))
        seconds = time.perf_counter() - start
        cpu, memory = _cpu(pid) - before, _memory(pid)
        for id, token in tally.saves:
            save = await client.get(f"/api/battles/{id}/save", headers={"Authorization": f"Bearer {token}"})
            tally.given[id] = [key for _, key, _ in save.json()["answers"]]
    return tally, seconds, cpu, memory


async def _until_up(client: httpx.AsyncClient) -> None:
    for _ in range(200):
        try:
            if (await client.get("/api/health")).status_code == 200:
                return
        except httpx.TransportError:
            await asyncio.sleep(0.1)
    raise RuntimeError("the server does not come up")


_acknowledged: dict[str, list[str]] = {}


async def _battle(client: httpx.AsyncClient, port: int, number: int, deadline: float, tally: Tally) -> None:
    chooser = random.Random(number)
    while time.perf_counter() < deadline:
        new = {"game": _game(), "scenario": SCENARIO, "players": {"german": "random"}, "seed": f"load {number}"}
        made = await client.post("/api/battles", json=new)
        if made.status_code != 201:
            tally.errors.append(f"{made.status_code} {made.text[:200]}")
            return
        id = made.json()["battle"]["id"]
        tokens = {seat["side"]: seat["token"] for seat in made.json()["seats"]}
        tally.saves.append((id, tokens["american"]))
        watching = asyncio.create_task(_watch(port, id, tokens["watcher"], tally))
        try:
            if await _play(client, port, id, tokens["american"], chooser, deadline, tally):
                tally.finished += 1
        except (httpx.HTTPError, websockets.WebSocketException, KeyError, ValueError) as error:
            tally.errors.append(repr(error))
            return
        finally:
            watching.cancel()


async def _play(
    client: httpx.AsyncClient, port: int, id: str, token: str, chooser: random.Random, deadline: float, tally: Tally
) -> bool:
    """Answer until the battle is over or the time is up; whether it was over."""
    headers = {"Authorization": f"Bearer {token}"}
    given = _acknowledged.setdefault(id, [])
    async with websockets.connect(f"ws://127.0.0.1:{port}/api/battles/{id}/socket", max_size=None) as channel:
        await channel.send(msgspec.json.encode({"token": token, "log": 0, "frames": 0}).decode())
        update: dict[str, Any] = msgspec.json.decode(await channel.recv())
        while time.perf_counter() < deadline:
            if update["waiting"] == "over":
                return True
            if update["waiting"] == "other":
                try:
                    heard = msgspec.json.decode(await asyncio.wait_for(channel.recv(), deadline - time.perf_counter()))
                except TimeoutError:
                    return False
                update = heard if heard["number"] > update["number"] else update
                continue
            ask = update["view"]["ask"]
            key = chooser.choice(ask["options"])["key"]
            began = time.perf_counter()
            body = {"seq": ask["seq"], "key": key}
            answer = await client.post(f"/api/battles/{id}/answer", headers=headers, json=body)
            tally.latencies.append(time.perf_counter() - began)
            if answer.status_code not in (200, 201):
                tally.errors.append(f"{answer.status_code} {answer.text[:200]}")
                return True
            given.append(key)
            update = answer.json()
    return False


async def _watch(port: int, id: str, token: str, tally: Tally) -> None:
    async with websockets.connect(f"ws://127.0.0.1:{port}/api/battles/{id}/socket", max_size=None) as channel:
        await channel.send(msgspec.json.encode({"token": token, "log": 0, "frames": 0}).decode())
        async for _ in channel:
            tally.updates += 1


def _lost(tally: Tally) -> int:
    """Acknowledged answers that the saved game does not have, in their order."""
    lost = 0
    for id, keys in _acknowledged.items():
        kept = iter(tally.given.get(id, []))
        lost += sum(key not in kept for key in keys)
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
            for side in ("american", "watcher"):
                game.view(session.battle, side)
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
    serve(Hall(database, limits=limits), open_port("127.0.0.1", port), limits=limits)


if __name__ == "__main__":
    _serve(int(sys.argv[1]), sys.argv[2])
