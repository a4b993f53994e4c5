"""Buckets fill with time, heads are counted, and a server refuses what is too much."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from grognard.server.errors import TooMuchError
from grognard.server.limits import CountLimit, RateLimit
from tests.server.live import ROOMY, SMALL, running


class Clock:
    """A clock that stands until it is moved."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_empties_and_fills() -> None:
    clock = Clock()
    buckets = RateLimit(2.0, 3, clock=clock)
    for _ in range(3):
        buckets.take("a", "calls")
    with pytest.raises(TooMuchError, match=r"Too many calls\. Wait 0\.5 seconds"):
        buckets.take("a", "calls")
    buckets.take("b", "calls")
    clock.now += 0.5
    buckets.take("a", "calls")
    with pytest.raises(TooMuchError):
        buckets.take("a", "calls")
    clock.now += 100
    for _ in range(3):
        buckets.take("a", "calls")
    with pytest.raises(TooMuchError):
        buckets.take("a", "calls")


def test_the_oldest_buckets_are_forgotten() -> None:
    buckets = RateLimit(1.0, 1, keep=2, clock=Clock())
    for key in "abc":
        buckets.take(key, "calls")
    buckets.take("a", "calls")
    with pytest.raises(TooMuchError):
        buckets.take("c", "calls")


def test_heads_are_counted() -> None:
    heads = CountLimit(2)
    heads.enter("a", "sockets")
    heads.enter("a", "sockets")
    heads.enter("b", "sockets")
    with pytest.raises(TooMuchError, match="2 are open"):
        heads.enter("a", "sockets")
    heads.leave("a")
    heads.enter("a", "sockets")


def test_a_seat_that_calls_too_often_is_told_so(tmp_path: Path) -> None:
    with running(tmp_path, msgspec.structs.replace(ROOMY, seat_rate=0.01, seat_burst=5)) as live:
        table = live.make(players={"german": "human"})
        first, second = table.battle["sides"]
        for _ in range(5):
            table.get("", first)
        problem = table.get("", first, 429)
        assert problem["error"] == "too_much" and "calls from this seat" in problem["message"]
        table.get("", second)


def test_an_address_that_calls_or_makes_too_much_is_told_so(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(ROOMY, address_rate=0.01, address_burst=12, make_rate=0.01, make_burst=2)
    with running(tmp_path, limits) as live:
        codes = [live.web.post("/api/battles", json=SMALL).status_code for _ in range(3)]
        assert codes == [201, 201, 429]
        answers = [live.web.get("/api/health") for _ in range(12)]
        assert answers[0].status_code == 200 and answers[-1].status_code == 429
        assert answers[-1].json()["error"] == "too_much" and answers[-1].headers["retry-after"]


@pytest.mark.parametrize("path", ["/api/battles", "/api/battles/import"])
def test_bodies_that_are_too_large_are_refused(tmp_path: Path, path: str) -> None:
    with running(tmp_path, msgspec.structs.replace(ROOMY, body=2000, import_body=4000)) as live:
        for size, told in ((1000, (400,)), (100_000, (413,))):
            body = '{"game": "ost", "save": "' + "x" * size + '"}'
            answer = live.web.post(path, content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code in told, answer.text
        assert answer.json()["error"] == "too_much"

        def pieces() -> object:
            yield b'{"game": "'
            for _ in range(100):
                yield b"x" * 1000

        # Without a length in front, the pieces are counted as they come.
        answer = live.web.post(path, content=pieces(), headers={"Content-Type": "application/json"})  # type: ignore[arg-type]
        assert answer.status_code == 413
