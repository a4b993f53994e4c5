"""Connections that say nothing, or read nothing, make way; and the log does not grow without end."""

from __future__ import annotations

import logging
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grognard.server.connections import RESERVE, most_connections
from grognard.server.log_filter import RepeatFilter
from tests.server.live import ROOMY, Live, running

HURRY = msgspec.structs.replace(ROOMY, request_time=1.0, response_time=1.0, connections_per_address=20)


def port_of(live: Live) -> int:
    return int(live.url.rpartition(":")[2])


def call(port: int, connection: socket.socket) -> bytes:
    connection.sendall(f"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    told = b""
    while b"ok" not in told:  # head and body may come apart
        told += connection.recv(4096)
    return told


def ended(connection: socket.socket) -> bool:
    """Whether the server has closed a connection."""
    connection.settimeout(0.05)
    try:
        return connection.recv(100) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


@pytest.mark.parametrize("before", [0, 1, 3])
def test_a_header_that_drips_is_given_up(before: int, tmp_path: Path) -> None:
    """Also on a connection that has made good requests before."""
    with running(tmp_path, limits=HURRY) as live, socket.create_connection(("127.0.0.1", port_of(live))) as connection:
        for _ in range(before):
            assert b" 200 " in call(port_of(live), connection)
        began = time.monotonic()
        gone = False
        while not gone and time.monotonic() - began < 8:
            try:
                connection.sendall(b"G" if time.monotonic() - began < 0.1 else b"E")
            except OSError:
                gone = True
            gone = gone or ended(connection)
        assert gone and 0.9 < time.monotonic() - began < 5


def test_idle_connections_of_an_address_make_way(tmp_path: Path) -> None:
    with running(tmp_path, limits=HURRY) as live, ExitStack() as stack:
        port = port_of(live)
        slow = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(60)]
        for connection in slow:
            connection.sendall(b"GET /api/health HTTP/1.1\r\nX-a: ")
        with socket.create_connection(("127.0.0.1", port)) as connection:
            assert b" 200 " in call(port, connection)
        time.sleep(0.2)
        assert sum(map(ended, slow)) >= 40


def test_the_whole_server_has_so_many_connections_and_no_more(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(ROOMY, connections=10)
    with running(tmp_path, limits=limits) as live, ExitStack() as stack:
        port = port_of(live)
        idle = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(40)]
        with socket.create_connection(("127.0.0.1", port)) as connection:
            assert b" 200 " in call(port, connection)
        assert sum(map(ended, idle)) >= 30


def test_an_answer_that_nobody_reads_is_given_up(tmp_path: Path) -> None:
    with running(tmp_path, limits=HURRY) as live:
        port = port_of(live)
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", port))
        with connection:
            head = f"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
            connection.sendall(head * 200)
            time.sleep(4)
            connection.settimeout(5)
            with pytest.raises(OSError):
                while connection.recv(1 << 20):
                    pass
                raise ConnectionResetError
        assert live.web.get("/api/health").status_code == 200


def test_descriptors_are_left_for_the_rest() -> None:
    assert most_connections(10) == 10
    assert 8 <= most_connections(10**9) <= 10**9 - RESERVE


def record(message: str, name: str = "asyncio", **more: Any) -> logging.LogRecord:
    return logging.LogRecord(name, logging.ERROR, "", 0, message, (), more.get("exc_info"))


def test_the_log_says_the_same_thing_a_few_times_a_minute() -> None:
    now = 0.0
    filter = RepeatFilter(most=3, stretch=60, clock=lambda: now)
    written = [filter.filter(record("out of descriptors")) for _ in range(1000)]
    assert written == [True] * 3 + [False] * 997
    assert filter.filter(record("something else"))
    assert all(filter.filter(record("every call", "grognard.access")) for _ in range(100))
    now = 61.0
    again = record("out of descriptors")
    assert filter.filter(again) and "997 more like this" in again.getMessage()


def test_the_log_remembers_no_more_than_so_many_kinds() -> None:
    filter = RepeatFilter()
    for number in range(3000):
        assert filter.filter(record(f"{number} is wrong"))
    assert len(filter._said) <= 500
