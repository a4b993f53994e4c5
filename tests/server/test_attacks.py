"""Whatever is sent, nothing is the server's fault, nothing is read that is not a battle's, and nothing takes long."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from grognard.core.errors import GrognardError, MalformedError
from grognard.core.files import Document
from grognard.core.open_files import open_scenario
from grognard.core.session import Session
from grognard.games.ost.game import OstGame
from grognard.server.errors import TooMuchError
from grognard.server.schema import ImportBattle
from tests.server.live import Live
from tests.server.playing import Table, open_battles, run

BODIES = {
    "not UTF-8": b'{"seq": 1, "key": "\xff\xfe"}',
    "half a surrogate": b'{"seq": 1, "key": "\\ud800"}',
    "nested": b"[" * 100_000,
    "nested objects": b'{"a":' * 30_000,
    "a huge number": b'{"seq": ' + b"9" * 5000 + b', "key": "x"}',
    "no number": b'{"seq": NaN, "key": "x"}',
    "a field too many": b'{"seq": 1, "key": "x", "more": 1}',
    "nothing": b"",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("path", ["/answer", "/plan", "/odds", "/preview", "/undo", "/share"])
def test_malformed_messages(live: Live, path: str, body: bytes) -> None:
    table = live.make()
    answer = table.call("POST", path, "german", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400 and answer.json()["error"] == "malformed"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_any_page_may_send_is_refused(live: Live, kind: str) -> None:
    """A page elsewhere can have a browser send forms and text without asking, but not JSON."""
    body = json.dumps({"game": "ost", "scenario": "first_patrol"})
    answer = live.web.post("/api/battles", content=body, headers={"Content-Type": kind})
    assert answer.status_code == 400 and "application/json" in answer.json()["message"]


def test_one_who_hangs_up_is_no_fault_of_the_server(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    port = int(live.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as connection:
        head = f"POST /api/battles HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        connection.sendall(head.encode() + b"Content-Length: 100\r\n\r\n{")
        time.sleep(0.2)
    time.sleep(0.3)
    assert live.web.get("/api/health").status_code == 200
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def saved(**changes: Any) -> str:
    game, scenario = open_scenario("first_patrol")
    return json.dumps(json.loads(Session(game, scenario, seed=b"1").save()) | changes)


SOURCE = json.loads(saved())["source"]
BOMBS: dict[str, tuple[dict[str, Any], type[GrognardError]]] = {
    "answers": ({"answers": [["american", "x", False]] * 90_000}, TooMuchError),
    "faces": ({"script": [3] * 300_000}, TooMuchError),
    "orders": ({"orders": [{"side": "german", "below": 0.5}] * 5000}, GrognardError),
    "orders beyond any map": ({"orders": [{"side": "german", "beyond": 10**30}]}, GrognardError),
    "a NUL in an order": ({"orders": [{"side": "german", "reaction": "\0"}]}, GrognardError),
    "seed": ({"seed": "00" * 100_000}, GrognardError),
    "files": ({"files": {str(number): "" for number in range(10_000)}}, TooMuchError),
    "a long key": ({"source": "a" + ".a" * 100_000 + " = 1"}, MalformedError),
    "a long key inside": ({"source": "a = {a" + ".a" * 100_000 + " = 1}"}, MalformedError),
    "nesting": ({"source": "a = " + "[" * 200_000}, MalformedError),
    "a long scenario": ({"source": SOURCE + "#" * 300_000}, TooMuchError),
    "turns": ({"source": SOURCE.replace("turns = 5", f"turns = {10**15}")}, MalformedError),
    "a large map": (
        {"source": SOURCE.replace('map = "first_patrol"', "") + "\n[map]\ncolumns = 200\nrows = 200\n"},
        TooMuchError,
    ),
}


@pytest.mark.parametrize(("changes", "error"), BOMBS.values(), ids=BOMBS)
def test_a_save_that_is_too_much_is_refused_at_once(
    changes: dict[str, Any], error: type[GrognardError], tmp_path: Path
) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            began = time.process_time()
            with pytest.raises(error):
                await battles.import_file(ImportBattle(save=saved(**changes)))
            assert time.process_time() - began < 5

    run(main)


def test_faces_that_were_not_thrown_are_forgotten(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            battle, _ = await battles.import_file(ImportBattle(save=saved(seed="", script=[10**40, -1])))
            assert battles.store.read(battle.id).standing.script == ()

    run(main)


@pytest.mark.parametrize("name", ["../secret", "{folder}/secret", "..", "x/../secret", "secret"])
def test_a_saved_game_reads_no_file_of_the_server(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A map is one of the game's own, or comes with the save; what lies around the server is not looked at."""
    (tmp_path / "secret.geojson").write_text('{"type": "FeatureCollection", "features": []}')
    (tmp_path / "maps").mkdir()
    monkeypatch.chdir(tmp_path / "maps")
    source = SOURCE.replace('map = "first_patrol"', f'map = "{name.format(folder=tmp_path)}"')
    document = Document.from_toml(source, "the saved game: its scenario")
    with pytest.raises(MalformedError) as found:
        OstGame().load_scenario(document)
    assert "map" in str(found.value) and not document.files


def test_names_with_a_nul(database: str) -> None:
    """PostgreSQL keeps no such text; nobody hears of that as a fault."""

    async def main() -> None:
        async with open_battles(database) as battles:
            with pytest.raises(GrognardError, match="no battle"):
                await battles.open("\0")
            with pytest.raises(GrognardError, match="NUL"):
                await Table.make(battles, seed="a\0b")

    run(main)


def test_a_watcher_s_moment_is_only_looked_at(tmp_path: Path) -> None:
    """Playing on shows every secret and the dice, which a watcher may not have before the end."""

    async def main() -> None:
        async with open_battles(str(tmp_path / "games.db")) as battles:
            table = await Table.make(battles)
            for side, may in (("german", True), ("watcher", False)):
                token = await table.battle.share(table.seat(side), 0)
                assert (await battles.shared(token)).playable is may
            with pytest.raises(GrognardError, match="when it's over"):
                await battles.play_on(token, {})

    run(main)
