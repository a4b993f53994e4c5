"""Headers, names, origins and tokens: who may speak to the server, and what its log tells."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from grognard.server.security import hostname, told
from tests.server.live import SMALL, Live

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/api/health"),
        ("GET", "/api/nowhere"),
        ("POST", "/api/health"),
        ("GET", "/nowhere"),
        ("POST", "/api/battles"),
        ("GET", "/api/battles/none"),
        ("OPTIONS", "/api/lobby"),
    ],
)
def test_every_answer_has_the_headers(live: Live, method: str, path: str) -> None:
    answer = live.web.request(method, path)
    for name, value in HEADERS.items():
        assert answer.headers.get_list(name) == [value], (path, name)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';") and "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy and "camera=()" in answer.headers["permissions-policy"]
    assert "access-control-allow-origin" not in answer.headers and "server" not in answer.headers
    if path.startswith("/api"):
        assert answer.headers["cache-control"] == "no-store"


def test_names_that_are_not_the_server_s_are_turned_away(live: Live) -> None:
    port = live.url.rpartition(":")[2]
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "localhost.evil.example:80", ""):
        answer = live.web.get("/api/health", headers={"Host": host})
        assert answer.status_code in (400, 403), host
    for host in ("localhost", f"127.0.0.1:{port}", "LOCALHOST:1", "[::1]:5"):
        assert live.web.get("/api/health", headers={"Host": host}).status_code == 200, host


@pytest.mark.parametrize("host, name", [("a.b:1", "a.b"), ("[::1]:80", "[::1]"), ("[::1]", "[::1]"), ("A", "a")])
def test_the_name_in_a_host_header(host: str, name: str) -> None:
    assert hostname(host) == name


def test_pages_from_elsewhere_cannot_open_a_socket(live: Live) -> None:
    table = live.make()
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        with pytest.raises(InvalidStatus), live.socket(table.id, origin=origin):
            pass
    with live.socket(table.id, origin=live.url) as socket:
        socket.send(json.dumps({"token": table.tokens[table.battle["sides"][0]]}))
        assert socket.recv(10)


def every_call(id: str) -> list[tuple[str, str, Any]]:
    """Every address of a battle that needs a seat."""
    base = f"/api/battles/{id}"
    answer, ahead = {"seq": 1, "key": "done"}, {"seq": 1, "keys": ["done"]}
    return [
        ("GET", base, None),
        *[("GET", f"{base}/{path}", None) for path in ("state", "end", "save", "frames/0", "log/0/odds")],
        *[("GET", f"{base}/{path}", None) for path in ("prospect?seq=1&unit=a1", "why-not?words=a1", "field?unit=a1")],
        ("GET", f"{base}/sight?from_place=A1&to_place=B2", None),
        ("POST", f"{base}/answer", answer),
        ("POST", f"{base}/plan", ahead),
        ("POST", f"{base}/odds", ahead),
        ("POST", f"{base}/preview", answer),
        ("POST", f"{base}/undo", {"seq": 1}),
        ("POST", f"{base}/share", {"frame": 0}),
        ("PUT", f"{base}/orders", {"orders": []}),
    ]


def test_nothing_without_the_token_of_a_seat_at_this_battle(live: Live) -> None:
    mine, other = live.make(), live.make()
    before = mine.state(mine.asked())
    stranger = other.tokens[other.battle["sides"][0]]
    wrong: list[dict[str, str]] = [
        {},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer nonsense"},
        {"Authorization": f"Bearer {stranger}"},
        {"Authorization": f"Basic {mine.tokens[mine.asked()]}"},
        {"Cookie": f"token={mine.tokens[mine.asked()]}"},
    ]
    for method, path, body in every_call(mine.id):
        for headers in wrong:
            answer = live.web.request(method, path, json=body, headers=headers)
            assert answer.status_code == 401, (path, headers, answer.text)
            assert answer.json()["error"] == "forbidden" and answer.headers["www-authenticate"] == "Bearer"
        token = mine.tokens[mine.asked()]
        assert (
            live.web.request(method, f"{path}{'&' if '?' in path else '?'}token={token}", json=body).status_code == 401
        )
    assert mine.state(mine.asked()) == before


def test_a_battle_that_is_not_there(live: Live) -> None:
    for method, path, body in every_call("nowhere"):
        answer = live.web.request(method, path, json=body, headers={"Authorization": "Bearer x"})
        assert answer.status_code == 404 and answer.json()["error"] == "missing", path


def test_the_log_tells_no_secret(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    table = live.make()
    side = table.asked()
    with table.listen(side) as socket:
        socket.recv(10)
        table.post("/answer", side, {"seq": 0, "key": "nonsense"}, 409)
    link = table.post("/share", side, {"frame": 0})["link"] if table.state(side)["frames"] else "/moment/abcdefgh"
    moment = link.rpartition("/")[2]
    live.web.get(f"/api/moments/{moment}")
    live.web.get(link)
    ours = [
        record.getMessage()
        for record in caplog.records
        if not record.name.startswith(("httpcore", "httpx", "websockets"))
    ]
    assert any("/api/battles" in line for line in ours)
    for secret in (*table.tokens.values(), moment):
        assert not any(secret in line for line in ours)


def test_a_moment_s_token_is_left_out_of_paths() -> None:
    assert told("/api/moments/abc") == "/api/moments/…" and told("/moment/abc") == "/moments/…"
    assert told("/api/battles/x/state") == "/api/battles/x/state"


def test_battles_are_made_from_json_only(live: Live) -> None:
    """A form of another page can send no JSON, so that no battle is made by looking at that page."""
    answer = live.web.post("/api/battles", data=SMALL)
    assert answer.status_code == 400 and answer.json()["error"] == "malformed"
