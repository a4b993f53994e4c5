"""The socket of a battle: it tells every change, takes nothing but pings, and never tells a secret."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from grognard.core.session import Session
from tests.server.live import ROOMY, Live, Table, running


def hung_up(socket: ClientConnection, seconds: float = 10) -> tuple[int, str]:
    """Read until the server hangs up; the code and the reason."""
    with pytest.raises(ConnectionClosed) as caught:
        while True:
            socket.recv(seconds)
    assert caught.value.rcvd is not None
    return caught.value.rcvd.code, caught.value.rcvd.reason


def test_the_first_message_gets_what_the_side_sees(live: Live) -> None:
    table = live.make()
    side = table.asked()
    with table.listen(side) as socket:
        update = json.loads(socket.recv(10))
    state = table.state(side)
    for field in ("seq", "side", "waiting", "log_start", "view"):
        assert update[field] == state[field], field


def test_every_answer_is_told_to_everybody_there(live: Live) -> None:
    table = live.make()
    side = table.asked()
    (other,) = set(table.battle["sides"]) - {side}
    with table.listen(side) as mine, table.listen(other) as theirs, table.listen("watcher") as watcher:
        for socket in (mine, theirs, watcher):
            socket.recv(10)
        state = table.state(side)
        told = table.post("/answer", side, {"seq": state["seq"], "key": state["view"]["ask"]["options"][0]["key"]})
        for socket, who in ((mine, side), (theirs, other), (watcher, "watcher")):
            update = json.loads(socket.recv(10))
            while update["number"] < told["number"]:  # who came or went is told too
                update = json.loads(socket.recv(10))
            assert update["number"] == told["number"] and update["side"] == who
            assert update["view"]["ask"] is None or update["view"]["ask"]["side"] == who


def test_only_what_the_client_has_not_got_is_told(live: Live) -> None:
    table = live.make(players={"american": "random", "german": "random"})
    wait_until_over(table, "watcher")
    whole = table.state("watcher")
    lines = len(whole["view"]["log"])
    assert lines > 10
    with table.listen("watcher", log=lines - 3, frames=2) as socket:
        update = json.loads(socket.recv(10))
    assert update["log_start"] == lines - 3 and update["view"]["log"] == whole["view"]["log"][-3:]
    assert update["frames_start"] == 2 and update["frames"] == whole["frames"][2:]


def wait_until_over(table: Table, side: str, seconds: float = 60) -> None:
    """Wait for programs to play to the end."""
    end = time.monotonic() + seconds
    while table.state(side)["waiting"] != "over":
        assert time.monotonic() < end
        time.sleep(0.1)


def test_ping_is_answered(live: Live) -> None:
    table = live.make()
    with table.listen(table.asked()) as socket:
        socket.recv(10)
        socket.send("ping")
        assert heard_pong(socket)


def heard_pong(socket: ClientConnection) -> bool:
    """Whether a ping is answered, among what else is told."""
    return any(socket.recv(10) == "pong" for _ in range(3))


@pytest.mark.parametrize("message", ["PING", '{"seq": 1, "key": "done"}', "", "[" * 1000, b"ping"])
def test_anything_but_a_ping_hangs_up(live: Live, message: str | bytes) -> None:
    table = live.make()
    with table.listen(table.asked()) as socket:
        socket.recv(10)
        socket.send(message)
        assert hung_up(socket)[0] == 1008


@pytest.mark.parametrize(
    "hello",
    [
        *["", "ping", "{}", "[]", '{"token": 1}', '{"token": "x", "more": 1}', "[" * 3000, b"\x00\x01"],
        *['{"token": "x", "log": -1}', '{"token": "\\ud800"}'],
    ],
)
def test_a_first_message_that_says_nothing_hangs_up(live: Live, hello: str | bytes) -> None:
    table = live.make()
    with live.socket(table.id) as socket:
        socket.send(hello)
        assert hung_up(socket)[0] == 1008


def test_wrong_tokens_and_battles_have_codes_of_their_own(live: Live) -> None:
    table, other = live.make(), live.make()
    stranger = other.tokens[other.battle["sides"][0]]
    for token in ("nonsense", "", stranger):
        with live.socket(table.id) as socket:
            socket.send(json.dumps({"token": token}))
            assert hung_up(socket)[0] == 4401
    with live.socket("nowhere") as socket:
        socket.send(json.dumps({"token": stranger}))
        assert hung_up(socket)[0] == 4404


def test_no_message_may_be_too_large(live: Live) -> None:
    table = live.make()
    with live.socket(table.id) as socket:
        socket.send(json.dumps({"token": "x" * 5000}))
        assert hung_up(socket)[0] == 1009
    with table.listen(table.asked()) as socket:
        socket.recv(10)
        socket.send("p" * 5000)
        assert hung_up(socket)[0] == 1009
    with table.listen(table.asked()) as socket:
        socket.recv(10)

        def pieces() -> Iterator[str]:
            yield from ["p" * 1000] * 10

        with pytest.raises(ConnectionClosed):  # while it still sends, or when it reads
            socket.send(pieces())
            hung_up(socket)
            socket.recv(1)


def test_who_says_nothing_is_hung_up_on(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(ROOMY, socket_hello=0.3, socket_ping=0.3, request_time=0.5)
    with running(tmp_path, limits) as live:
        table = live.make()
        with live.socket(table.id) as socket:
            code, reason = hung_up(socket, 5)
            assert code == 1008 and "0.3 seconds" in reason
        with table.listen(table.asked()) as socket:
            socket.recv(5)
            time.sleep(1.5)
            socket.send("ping")
            assert heard_pong(socket), "whoever answers the server's pings may be silent for as long as they like"


def test_a_connection_without_a_request_is_closed(tmp_path: Path) -> None:
    import socket

    limits = msgspec.structs.replace(ROOMY, request_time=0.5)
    with running(tmp_path, limits) as live:
        host, port = live.url.removeprefix("http://").split(":")
        for said in (b"", b"GET /api/health HT"):
            with socket.create_connection((host, int(port)), timeout=5) as silent:
                silent.sendall(said)
                assert silent.recv(100) == b""
        with socket.create_connection((host, int(port)), timeout=5) as slow:
            head = b"POST /api/battles HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            slow.sendall(head + b"Content-Length: 100\r\n\r\n{")
            answer = b""
            while b"within 0.5 seconds" not in answer:
                piece = slow.recv(10_000)
                assert piece, answer
                answer += piece
            assert answer.startswith(b"HTTP/1.1 400")


def test_sockets_of_one_address_are_counted(tmp_path: Path) -> None:
    with running(tmp_path, msgspec.structs.replace(ROOMY, sockets_per_address=2)) as live:
        table = live.make()
        side = table.asked()
        with table.listen(side) as one, table.listen(side) as two:
            one.recv(10), two.recv(10)
            with pytest.raises(InvalidStatus), live.socket(table.id):
                pass
        end = time.monotonic() + 5
        while True:  # leaving takes a moment
            try:
                with table.listen(side) as again:
                    assert again.recv(10)
                return
            except InvalidStatus:
                assert time.monotonic() < end
                time.sleep(0.05)


def test_a_socket_that_talks_too_much_is_closed(tmp_path: Path) -> None:
    with running(tmp_path, msgspec.structs.replace(ROOMY, seat_rate=0.01, seat_burst=10)) as live:
        table = live.make()
        with table.listen(table.battle["sides"][0]) as socket:
            for _ in range(12):
                socket.send("ping")
            code, reason = hung_up(socket)
            assert code == 1008 and "Too many messages" in reason


def test_a_slow_listener_is_given_the_latest(tmp_path: Path) -> None:
    """Somebody who does not read for a while gets one whole picture instead of everything that was missed."""
    with running(tmp_path, msgspec.structs.replace(ROOMY, socket_queue=2), budget=0.2) as live:
        table = live.make(players={"american": "random", "german": "random"}, scenario="first_patrol")
        with table.listen("watcher") as socket:
            first = json.loads(socket.recv(10))
            wait_until_over(table, "watcher")
            last = table.state("watcher")
            lines: list[Any] = first["view"]["log"]
            update = first
            while update["number"] < last["number"]:
                update = json.loads(socket.recv(10))
                assert update["log_start"] <= len(lines), "no line is left out"
                lines = lines[: update["log_start"]] + update["view"]["log"]
        assert lines == last["view"]["log"] and update["view"] | {"log": 0} == last["view"] | {"log": 0}


def test_a_doubled_answer_is_refused(live: Live) -> None:
    table = live.make()
    side = table.asked()
    state = table.state(side)
    answer = {"seq": state["seq"], "key": state["view"]["ask"]["options"][0]["key"]}
    told = table.post("/answer", side, answer)
    problem = table.post("/answer", side, answer, 409)
    assert problem["error"] == "stale" and problem["seq"] == told["seq"]
    assert "look at it and answer again" in problem["message"]


def test_of_two_who_race_one_wins(live: Live) -> None:
    table = live.make()
    for _ in range(5):
        side = table.asked()
        state = table.state(side)
        key = next(o["key"] for o in state["view"]["ask"]["options"])
        barrier = threading.Barrier(4)

        def answer(side: str, seq: int, key: str, barrier: threading.Barrier) -> int:
            barrier.wait()
            return table.call("POST", "/answer", side, json={"seq": seq, "key": key}).status_code

        with ThreadPoolExecutor(4) as pool:
            racing = [pool.submit(answer, side, state["seq"], key, barrier) for _ in range(4)]
            codes = sorted(future.result() for future in racing)
        assert codes == [200, 409, 409, 409]


def hidden_from(session: Session, side: str) -> set[str]:
    """The ids of the other side's units that are hidden."""
    everything = session.game.view(session.battle, "").units
    return {unit.id for unit in everything if unit.side != side and "hidden" in unit.states}


def strings(thing: Any) -> Iterator[str]:
    """Every text and key anywhere in a JSON value."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, dict):
        yield from thing
        for value in thing.values():
            yield from strings(value)
    elif isinstance(thing, list):
        for value in thing:
            yield from strings(value)


@pytest.mark.parametrize("scenario, most", [("canal_bridge", 120), ("print_works", 3000)])
def test_no_socket_tells_of_hidden_units(tmp_path: Path, scenario: str, most: int) -> None:
    """A battle of arbitrary answers over sockets: no word sent to a side names a unit that is hidden from it."""
    with running(tmp_path) as live:
        table = live.make(scenario=scenario, invite=True, seed="", dice=scenario.encode())
        sides = table.battle["sides"]
        battle = live.battles._live[table.id]
        hid, answers = 0, 0
        with table.listen(sides[0]) as one, table.listen(sides[1]) as two:
            sockets = dict(zip(sides, (one, two)))
            heard = {side: json.loads(socket.recv(10)) for side, socket in sockets.items()}
            for step in range(most):
                asked = next((side for side in sides if heard[side]["waiting"] == "you"), None)
                if asked is None:
                    assert heard[sides[0]]["waiting"] == "over"
                    break
                options = heard[asked]["view"]["ask"]["options"]
                secret = {side: hidden_from(battle.session, side) for side in sides}
                keys = [option["key"] for option in options]
                key = "hide" if "hide" in keys else keys[(step * 7919) % len(keys)]
                told = table.post("/answer", asked, {"seq": heard[asked]["seq"], "key": key})
                answers += 1
                for side, socket in sockets.items():
                    messages = [told] if side == asked else []
                    update = heard[side]
                    while update["number"] < told["number"]:
                        update = json.loads(socket.recv(10))
                        messages.append(update)
                    heard[side] = update
                    still = hidden_from(battle.session, side)
                    hid += len(still)
                    texts = [text.replace(":", " ") for message in messages for text in strings(message)]
                    words = {word for text in texts for word in text.split()}
                    assert not words & still & secret[side], f"{side} was told of what is hidden"
        assert answers == most or heard[sides[0]]["waiting"] == "over"
        assert answers > 30 and hid > 0, "something was hidden at all"
