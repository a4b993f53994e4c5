"""The application as clients use it: the lobby, a battle from beginning to end, aids, and every kind of refusal."""

from __future__ import annotations

import asyncio
import gzip
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from litestar.testing import TestClient

from grognard.core.errors import Fault, GrognardError, IllegalError, MalformedError, StaleError, VersionError
from grognard.core.session import UndoError
from grognard.server.app import create_app
from grognard.server.battles import Battles
from grognard.server.errors import ForbiddenError, MissingError, TokenError, TooMuchError
from grognard.server.problems import problem_of
from grognard.server.store import ConflictError
from grognard.server.writer import StoreError
from tests.server.live import SMALL, Live, Table
from tests.server.test_socket import wait_until_over

# ---- the lobby ---------------------------------------------------------------------------------------------


def the_game(live: Live, name: str = "ost") -> Any:
    """A game as the lobby shows it."""
    return next(game for game in live.web.get("/api/lobby").json()["games"] if game["name"] == name)


def test_the_lobby_shows_what_can_be_played(live: Live) -> None:
    lobby = live.web.get("/api/lobby").json()
    game = the_game(live)
    assert {"random"} <= {level["name"] for level in lobby["levels"]}
    cards = {card["name"]: card for card in game["scenarios"]}
    card = cards["first_patrol"]
    assert card["sides"] == ["american", "german"] and card["turns"] == 5 and card["briefing"] and card["units"] > 0
    assert [force["side"] for force in card["forces"]] == card["sides"]
    assert all(force["units"] for force in card["forces"])
    assert [each["units"] for each in game["scenarios"]] == sorted(each["units"] for each in game["scenarios"])


def test_every_card_has_a_picture_that_may_be_kept(live: Live) -> None:
    for game in live.web.get("/api/lobby").json()["games"]:
        for card in game["scenarios"]:
            answer = live.web.get(card["picture"])
            assert answer.status_code == 200 and answer.headers["content-type"].startswith("image/svg+xml")
            assert "immutable" in answer.headers["cache-control"]
            assert ElementTree.fromstring(answer.text).tag.endswith("svg")
            old = live.web.get(card["picture"].partition("?")[0] + "?v=old")
            assert "immutable" not in old.headers["cache-control"] and old.content == answer.content


def test_pictures_come_in_two_themes_and_packed(live: Live) -> None:
    table = live.make()
    light, dark = (live.web.get(table.battle["land"], params={"theme": theme}) for theme in ("light", "dark"))
    assert light.content != dark.content and light.headers["content-encoding"] == "gzip"
    assert live.web.get(table.battle["land"]).content == light.content, "light if nothing is said"
    plain = live.web.get(table.battle["land"], headers={"Accept-Encoding": "identity"})
    assert plain.content == light.content and "content-encoding" not in plain.headers
    again = live.web.get(table.battle["land"], headers={"If-None-Match": light.headers["etag"]})
    assert again.status_code == 304 and not again.content
    assert live.web.get(table.battle["land"], params={"theme": "pink"}).status_code == 400


@pytest.mark.parametrize(
    "path", ["/api/scenarios/ost/none/picture.svg", "/api/scenarios/none/x/picture.svg", "/api/battles/none/land.svg"]
)
def test_there_is_no_picture_of_nothing(live: Live, path: str) -> None:
    answer = live.web.get(path)
    assert answer.status_code == 404 and answer.json()["error"] == "missing"


def test_json_is_packed(live: Live) -> None:
    answer = live.web.get("/api/lobby", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    with live.web.stream("GET", "/api/lobby", headers={"Accept-Encoding": "gzip"}) as raw:
        packed = b"".join(raw.iter_raw())
    assert json.loads(gzip.decompress(packed)) == answer.json() and len(packed) < len(answer.content) / 2


# ---- making battles -----------------------------------------------------------------------------------------


def test_a_battle_against_a_program(live: Live) -> None:
    table = live.make(players={"german": "random"})
    assert table.battle["mode"] == "solo" and set(table.tokens) == {"american", "watcher"}
    assert table.state("american")["seats"][1]["player"] == "random"
    assert table.get("", "american") == table.battle


def test_a_random_battle(live: Live) -> None:
    choices = {choice["name"]: choice["default"] for choice in the_game(live)["random"]}
    table = live.make(scenario="", random={**choices, "seed": "7"})
    assert table.battle["board"]["hexes"]


def test_a_lesson(live: Live) -> None:
    lessons = the_game(live)["lessons"]
    if not lessons:
        pytest.skip("the game has no lessons")
    table = live.make(scenario="", seed="", lesson=lessons[0]["id"])
    assert table.battle["lesson"] == lessons[0] and lessons[0]["side"] in table.tokens


@pytest.mark.parametrize(
    ("new", "told"),
    [
        ({"game": "chess"}, "no game called 'chess'"),
        ({"scenario": "first_patrl"}, "did you mean 'first_patrol'?"),
        ({"scenario": ""}, "Choose one of"),
        ({"players": {"french": "human"}}, "no side called 'french'"),
        ({"players": {"german": "napoleon"}}, "no player called 'napoleon'"),
        ({"seed": "hex:zz"}, "hexadecimal"),
        ({"scenario": "x" * 81}, ""),
        ({"colour": "red"}, "colour"),
        ({"invite": "yes"}, "invite"),
    ],
)
def test_a_battle_that_cannot_be_made_says_why(live: Live, new: dict[str, Any], told: str) -> None:
    answer = live.web.post("/api/battles", json=SMALL | new)
    problem = answer.json()
    assert answer.status_code == 400 and problem["error"] == "malformed"
    assert told in problem["message"] + " ".join(problem["faults"])


# ---- playing ------------------------------------------------------------------------------------------------


def test_answers_plans_and_undo(live: Live) -> None:
    table = live.make()
    first, second = table.battle["sides"]
    before = table.state(first)
    assert before["waiting"] == "you" and table.state(second)["waiting"] == "other"
    problem = table.post("/answer", second, {"seq": before["seq"], "key": "done"}, 403)
    assert problem["error"] == "forbidden" and "not your turn" in problem["message"]
    problem = table.post("/answer", first, {"seq": before["seq"], "key": "nonsense"}, 409)
    assert problem["error"] == "illegal" and "legal: " in problem["message"]
    problem = table.post("/undo", first, {"seq": before["seq"]}, 409)
    assert problem["error"] == "undo" and "nothing has been answered" in problem["message"]
    after = table.post("/answer", first, {"seq": before["seq"], "key": "done"})
    assert after["seq"] > before["seq"]
    if not after["may_undo"]:
        again = table.post("/undo", first, {"seq": after["seq"]})
        assert again["view"]["ask"]["options"] == before["view"]["ask"]["options"]
        after = table.post("/answer", first, {"seq": again["seq"], "key": "done"})
    seq = table.state(second)["seq"]
    taken = table.post("/plan", second, {"seq": seq, "keys": ["done", "nonsense"]})
    assert taken["taken"] == 1 and taken["update"]["seq"] > seq
    assert table.post("/plan", second, {"seq": seq, "keys": ["done"]}, 409)["error"] == "stale"


def test_standing_orders(live: Live) -> None:
    table = live.make()
    side = table.battle["sides"][0]
    answer = table.call("PUT", "/orders", side, json={"orders": [{"reaction": "opportunity fire", "beyond": 4}]})
    assert answer.status_code == 200
    assert answer.json()["orders"] == [{"side": side, "reaction": "opportunity fire", "beyond": 4}]
    assert table.state(table.battle["sides"][1])["orders"] == []
    for orders in ([{"below": 2}], [{"beyond": -1}], [{"below": 0.5, "then": "run"}], [{}] * 21):
        assert table.call("PUT", "/orders", side, json={"orders": orders}).status_code == 400
    assert table.call("PUT", "/orders", side, json={"orders": []}).json()["orders"] == []


@pytest.fixture(scope="module")
def played(live: Live) -> Table:
    """A battle that has been going on for some answers."""
    table = live.make()
    for _ in range(12):
        side = table.asked()
        state = table.state(side)
        keys = [option["key"] for option in state["view"]["ask"]["options"]]
        table.post("/answer", side, {"seq": state["seq"], "key": next((k for k in keys if k != "pass"), keys[0])})
    return table


def test_what_may_be_looked_up(played: Table) -> None:
    side = played.asked()
    state = played.state(side)
    seq, options = state["seq"], state["view"]["ask"]["options"]
    mine = next(unit for unit in state["view"]["units"] if unit["side"] == side)
    acting = next((option["unit"] for option in options if option.get("unit")), mine["id"])
    assert played.get("/prospect", side, seq=seq, unit=acting)["unit"] == acting
    assert played.get("/prospect", side, 409, seq=seq + 1, unit=acting)["error"] == "stale"
    odds = played.post("/odds", side, {"seq": seq, "keys": [options[0]["key"]]})
    assert odds["keys"] == [options[0]["key"]] and odds["outcomes"] and odds["side"] == side
    quick = played.post("/odds", side, {"seq": seq, "keys": [options[0]["key"]], "quick": True})
    assert quick["keys"] == odds["keys"] and {"to_them", "to_us", "besides", "assumed", "reached"} <= quick.keys()
    assert played.post("/preview", side, {"seq": seq + 1, "key": "pose 1 2 0"}, 409)["error"] == "stale"
    no_pose = played.post("/preview", side, {"seq": seq, "key": "pose 1 2 0", "area": True}, 409)
    assert no_pose["error"] == "illegal" and "takes no pose" in no_pose["message"]
    assert isinstance(played.get("/why-not", side, words=mine["id"]), list)
    sight = played.get("/sight", side, from_place=mine["place"], to_place="E4")
    assert sight["start"] == mine["place"] and sight["state"] in ("clear", "degraded", "blocked")
    field = played.get("/field", side, unit=mine["id"])
    assert field["unit"] == mine["id"] and field["places"]
    nowhere = {"from_place": "ZZ99", "to_place": "E4"}
    for path, params in (("/sight", nowhere), ("/field", {"unit": "nobody"}), ("/sight", {})):
        assert played.call("GET", path, side, params=params).status_code in (400, 404)


def test_a_unit_s_id_is_never_taken_for_a_hex(live: Live) -> None:
    table = live.make(game="ost", scenario="first_patrol")
    side = table.asked()
    at = {unit["id"]: unit["place"] for unit in table.state(side)["view"]["units"]}
    assert at["g2"] == "G5"
    assert table.get("/sight", side, from_unit="g2", to_place="E4")["start"] == "G5"
    assert table.get("/sight", side, from_place="G2", to_unit="g2")["start"] == "G2"
    for params in (
        {"from_unit": "G2", "to_place": "E4"},
        {"from_place": "g2", "to_place": "E4"},
        {"from_unit": "g2", "from_place": "G2", "to_place": "E4"},
        {"from_unit": "g2"},
    ):
        assert table.call("GET", "/sight", side, params=params).status_code == 400


def test_no_unit_is_called_by_its_id(live: Live) -> None:
    table = live.make(game="ost", scenario="first_patrol")
    state = table.state(table.asked())
    names = {unit["id"]: unit["name"] for unit in state["view"]["units"]}
    assert names["a1"] == "American Rifle Squad 1" and names["g2"] == "German Rifle Squad 2"
    assert names["sergeant"] == "Sergeant" and names["g3"] == "MG42 HMG"


def test_a_pose_is_looked_at_before_it_is_answered(live: Live) -> None:
    table = live.make(game="bolt_action", scenario="first_steps")
    side = table.asked()
    state = table.state(side)
    while "area" not in state["view"]["ask"]:
        keys = [option["key"] for option in state["view"]["ask"]["options"]]
        state = table.post("/answer", side, {"seq": state["seq"], "key": "advance" if "advance" in keys else keys[0]})
    seq, area = state["seq"], state["view"]["ask"]["area"]
    seen = table.post("/preview", side, {"seq": seq, "key": area["start"]})
    assert seen["key"] == area["start"] and len(seen["models"]) == len(area["forms"][0]["models"])
    assert "polygons" not in seen
    good = next(o["key"] for o in state["view"]["ask"]["options"] if o["verb"] == area["verb"])
    seen = table.post("/preview", side, {"seq": seq, "key": good, "area": True})
    assert seen["legal"] and seen["cost"] and seen["polygons"]
    seen = table.post("/preview", side, {"seq": seq, "key": "pose 1 1 0"})
    assert not seen["legal"] and seen["bar"]["reason"]
    assert table.post("/preview", side, {"seq": seq, "key": "pose here"}, 409)["error"] == "illegal"
    assert table.post("/preview", side, {"seq": seq + 1, "key": good}, 409)["error"] == "stale"
    (other,) = set(table.battle["sides"]) - {side}
    assert table.post("/preview", other, {"seq": table.state(other)["seq"], "key": good}, 403)["error"] == "forbidden"
    assert table.state(side)["seq"] == seq
    table.post("/answer", side, {"seq": seq, "key": good})


def test_frames_and_moments(played: Table, live: Live) -> None:
    side = played.asked()
    state = played.state(side)
    frames = state["frames"]
    assert [frame["number"] for frame in frames] == list(range(len(frames))) and frames
    past = played.get("/frames/0", side)
    assert past["view"]["ask"] is None and past["side"] == side
    assert played.get("/frames/99999", side, 404)["error"] == "missing"
    assert played.get("/frames/0", side, 403, reveal=True)["error"] == "forbidden"
    link = played.post("/share", side, {"frame": 0})["link"]
    assert link.startswith("/moment/") and live.web.get(link).status_code in (200, 503)
    moment = live.web.get(f"/api/moments/{link.rpartition('/')[2]}").json()
    assert moment["update"]["view"]["units"] == past["view"]["units"] and moment["battle"] == played.battle
    assert live.web.get("/api/moments/nonsense").json()["error"] == "missing"
    if moment["playable"]:
        players = {played.battle["sides"][1]: "random"}
        made = live.web.post(f"/api/moments/{link.rpartition('/')[2]}/play", json={"players": players})
        assert made.status_code == 201 and made.json()["battle"]["id"] != played.id


def test_a_battle_as_a_file(played: Table, live: Live) -> None:
    side = played.asked()
    answer = played.call("GET", "/save", side)
    assert answer.headers["content-disposition"] == f'attachment; filename="grognard-{played.id}.save"'
    made = live.web.post("/api/battles/import", json={"save": answer.text})
    assert made.status_code == 201
    copy = Table(live, made.json())
    here, there = played.state(side)["view"], copy.state(side)["view"]
    assert here["units"] == there["units"]
    assert [line["text"] for line in here["log"]] == [line["text"] for line in there["log"]]
    assert [o["key"] for o in here["ask"]["options"]] == [o["key"] for o in there["ask"]["options"]]
    for text in ("", "{}", "[" * 10_000, answer.text[:-50], answer.text.replace('"version": 1', '"version": 99')):
        bad = live.web.post("/api/battles/import", json={"save": text})
        assert bad.status_code == 400 and bad.json()["error"] in ("malformed", "version"), text[:40]


def test_no_file_of_a_battle_against_somebody_elsewhere(live: Live) -> None:
    table = live.make(invite=True, seed="")
    problem = table.get("/save", table.asked(), 403)
    assert problem["error"] == "forbidden" and "secrets" in problem["message"]


def test_the_end(live: Live) -> None:
    table = live.make(players={"american": "random", "german": "random"})
    assert table.call("GET", "/end", "watcher").status_code in (200, 403)
    wait_until_over(table, "watcher")
    end = table.get("/end", "watcher")
    assert end["result"]["reason"] and end["rolls"] and bytes.fromhex(end["seed"]) == b"7"
    assert end["commitment"] == table.battle["commitment"]
    assert table.get("/frames/3", "watcher", reveal=True)["view"]["units"]
    rolls = [n for n, line in enumerate(table.state("watcher")["view"]["log"]) if line.get("faces")]
    assert table.get(f"/log/{rolls[0]}/odds", "watcher")["outcomes"]
    problem = table.post("/answer", "watcher", {"seq": table.state("watcher")["seq"], "key": "done"}, 409)
    assert problem["error"] == "illegal" and "over" in problem["message"]


# ---- rules and charts -----------------------------------------------------------------------------------------


def test_rules_by_id_section_and_words(live: Live) -> None:
    def ids(**params: str) -> list[str]:
        return [rule["id"] for rule in live.web.get("/api/rules/ost", params=params).json()]

    assert ids(id="88.2") == ["88.2"] and "88.2" in ids(id="88") and ids(id="999") == []
    found = ids(search="hedge LOS")
    assert "46.2" in found and set(ids(search="hedge LOS", id="46")) == {id for id in found if id.startswith("46.")}
    assert len(ids()) > 800
    assert live.web.get("/api/rules/chess").status_code == 404


def test_charts(live: Live) -> None:
    charts = live.web.get("/api/charts/ost").json()
    assert charts["charts"] and charts["overrides"] == []
    assert all(len(row) == len(chart["columns"]) for chart in charts["charts"] for row in chart["rows"])
    assert live.web.get("/api/charts/chess").status_code == 404


# ---- refusals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (MalformedError([Fault("f", 1, "p", "wrong")]), 400, "malformed"),
        (VersionError([Fault("f", 1, "p", "old")]), 400, "version"),
        (GrognardError("no"), 400, "malformed"),
        (TokenError("who?"), 401, "forbidden"),
        (ForbiddenError("not yours"), 403, "forbidden"),
        (MissingError("nothing"), 404, "missing"),
        (IllegalError("k", None, "no"), 409, "illegal"),
        (StaleError(1, 2), 409, "stale"),
        (UndoError("no"), 409, "undo"),
        (ConflictError("another server was quicker"), 409, "stale"),
        (StoreError("the disk is full"), 503, "internal"),
        (TooMuchError("slower"), 429, "too_much"),
        (TooMuchError("smaller", 413), 413, "too_much"),
        (RecursionError(), 400, "malformed"),
        (ValueError("a secret of the inside"), 500, "internal"),
    ],
)
def test_every_error_has_a_status_and_a_kind(error: Exception, status: int, kind: str) -> None:
    told, problem = problem_of(error)
    assert (told, problem.error) == (status, kind)
    assert "secret" not in problem.message


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/api/nowhere", None, 404),
        ("GET", "/api", None, 404),
        ("GET", "/api/battles", None, 405),
        ("DELETE", "/api/battles", None, 405),
        ("POST", "/api/lobby", None, 405),
        ("POST", "/api/battles", "{", 400),
        ("POST", "/api/battles", "[]", 400),
        ("POST", "/api/battles", "", 400),
        ("POST", "/api/battles", '{"game": "ost", "players": ' + '{"a":' * 2000, 400),
        ("POST", "/api/battles", '{"game": "ost", "x": ' + "[" * 100_000, 400),
        ("POST", "/api/battles", b"\xff\xfe", 400),
        ("GET", "/%00", None, 404),
        ("GET", "/api/rules/ost?search=" + "x" * 300, None, 400),
    ],
)
def test_whatever_is_wrong_is_told_as_a_problem(
    live: Live, method: str, path: str, body: str | bytes | None, status: int
) -> None:
    answer = live.web.request(method, path, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status, answer.text
    problem = answer.json()
    assert set(problem) == {"error", "message", "seq", "faults"} and problem["error"] and problem["message"]
    assert not any(word in answer.text.lower() for word in ("traceback", "litestar", "site-packages", "msgspec"))


class Broken(Battles):
    """A server with a fault."""

    async def open(self, id: str, caller: str = "") -> Any:
        await asyncio.sleep(0)
        raise RuntimeError("the cellar is flooded")


@pytest.fixture
def broken(tmp_path: Path) -> Iterator[TestClient[Any]]:
    app = create_app(Broken(f"sqlite:///{tmp_path / 'games.sqlite'}"))
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as web:
        yield web


def test_a_fault_of_the_server_is_noted_and_not_told(broken: TestClient[Any], caplog: pytest.LogCaptureFixture) -> None:
    answer = broken.get("/api/battles/x", headers={"Authorization": "Bearer topsecret"})
    assert answer.status_code == 500 and answer.json()["error"] == "internal" and "cellar" not in answer.text
    assert "the cellar is flooded" in caplog.text and "topsecret" not in caplog.text
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_health_is_told_while_battles_are_made(live: Live) -> None:
    began = time.monotonic()
    assert live.web.get("/api/health").json() == {"status": "ok"}
    assert time.monotonic() - began < 5
