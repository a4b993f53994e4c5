"""play and serve: a server of this machine that starts, makes the battle that is wanted, and stops cleanly."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from grognard.core import open_files
from tests.cli.conftest import Run


class Program:
    """``grognard`` as a process of its own, with a data folder of its own."""

    def __init__(self, process: subprocess.Popen[str], first: str) -> None:
        self.process, self.first = process, first
        self.url = re.findall(r"http://[^\s/]+", first)[0]
        link = re.findall(r"/play/(\S+)#(\S+)", first)
        self.id, self.tokens = (link[0][0], link[0][1].split(",")) if link else ("", [])

    def get(self, path: str, token: int = 0) -> Any:
        """What a seat of the battle reads there."""
        headers = {"Authorization": f"Bearer {self.tokens[token]}"}
        answer = httpx.get(f"{self.url}/api/battles/{self.id}{path}", headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def answer(self) -> None:
        """Give any answer as the first person."""
        state = self.get("/state")
        body = {"seq": state["seq"], "key": state["view"]["ask"]["options"][0]["key"]}
        headers = {"Authorization": f"Bearer {self.tokens[0]}"}
        assert httpx.post(f"{self.url}/api/battles/{self.id}/answer", json=body, headers=headers).status_code == 200

    def stop(self, how: int = signal.SIGINT) -> tuple[int, str]:
        """Stop it; its code, and all else that it said."""
        self.process.send_signal(how)
        out, err = self.process.communicate(timeout=20)
        return self.process.returncode, out + err


@contextmanager
def program(home: Path, *words: str) -> Iterator[Program]:
    """Start ``grognard WORDS`` and wait until it says where it serves."""
    env = {**os.environ, "XDG_DATA_HOME": str(home), "BROWSER": "true", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "grognard", *words]
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert "http://" in first, first + "".join(process.communicate(timeout=10))
        yield Program(process, first)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


PLAY = ("play", "--no-browser", "--port", "0")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_serve_stops_cleanly_with_sockets_open(tmp_path: Path, how: signal.Signals) -> None:
    with program(tmp_path, "serve", "--port", "0") as served:
        assert httpx.get(f"{served.url}/api/health").json() == {"status": "ok"}
        new = {"game": "ost", "scenario": "first_patrol", "players": {"german": "random"}}
        made = httpx.post(f"{served.url}/api/battles", json=new).json()
        with connect(f"{served.url.replace('http', 'ws')}/api/battles/{made['battle']['id']}/socket") as open_socket:
            open_socket.send(json.dumps({"token": made["seats"][0]["token"]}))
            assert open_socket.recv(10)
            began = time.monotonic()
            code, said = served.stop(how)
            assert code == 0 and "Traceback" not in said and "Error" not in said, said
            assert "Every battle is kept" in said and time.monotonic() - began < 10
            with pytest.raises(ConnectionClosed):
                while True:
                    open_socket.recv(5)
    assert (tmp_path / "grognard" / "games.sqlite").exists()


def test_serve_says_what_is_wrong(run: Run, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        said = run(
            "serve", "--port", taken.getsockname()[1], "--database", f"sqlite:///{tmp_path / 'a.sqlite'}", code=2
        )
        assert "Can't listen on 127.0.0.1" in said.stderr and "--port" in said.stderr
    assert "--allow-host" in run("serve", "--host", "0.0.0.0", code=2).stderr
    other = tmp_path / "other.txt"
    other.write_text("this is no database, but a text that is quite long " * 20)
    assert "database" in run("serve", "--port", 0, "--database", f"sqlite:///{other}", code=2).stderr
    assert run("serve", "--port", 0, "--database", "mysql://localhost/games", code=2).stderr
    assert other.read_text().startswith("this is no database")


def test_play_against_a_program(tmp_path: Path) -> None:
    with program(tmp_path, *PLAY, "first_patrol", "--seed", "7") as played:
        battle = played.get("")
        assert battle["scenario"] == "first_patrol" and battle["mode"] == "solo" and len(played.tokens) == 1
        assert not battle["free_undo"] and not battle["own_dice"]
        seats = played.get("/state")["seats"]
        assert seats[0]["player"] == "human" and seats[1]["player"] != "human"
        page = httpx.get(f"{played.url}/play/{played.id}")
        assert page.status_code in (200, 503)
        kept = tmp_path / "grognard" / "last.json"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        code, said = played.stop()
        assert code == 0 and "Traceback" not in said


def test_hot_seat_own_dice_and_free_undo(tmp_path: Path) -> None:
    with program(tmp_path, *PLAY, "first_patrol", "--sides", "human,human", "--own-dice", "--solo") as played:
        battle = played.get("")
        assert battle["mode"] == "hotseat" and battle["own_dice"] and battle["free_undo"] and len(played.tokens) == 2
        assert [played.get("/state", token)["side"] for token in (0, 1)] == battle["sides"]


def test_programs_among_themselves_can_be_watched(tmp_path: Path) -> None:
    with program(tmp_path, *PLAY, "first_patrol", "--sides", "random,random") as played:
        assert len(played.tokens) == 1 and played.get("/state")["side"] == "watcher"


def test_without_a_scenario_one_goes_on_where_one_was(tmp_path: Path) -> None:
    with program(tmp_path, *PLAY, "first_patrol") as first:
        first.answer()
        log = first.get("/state")["view"]["log"]
        assert first.stop()[0] == 0
    with program(tmp_path, *PLAY) as second:
        assert second.first.partition("/play/")[2] == first.first.partition("/play/")[2]
        assert second.get("/state")["view"]["log"][: len(log)] == log
        assert second.stop(signal.SIGTERM)[0] == 0
    database = f"sqlite:///{tmp_path / 'other.sqlite'}"
    with program(tmp_path, *PLAY, "--database", database) as third:
        assert third.id != first.id, "the battle that was left is not in this database"


def test_one_goes_on_with_what_was_begun_in_the_lobby_and_played_last(tmp_path: Path) -> None:
    with program(tmp_path, *PLAY, "first_patrol") as first:
        new = {"game": "ost", "scenario": "training_ground", "players": {"german": "random"}}
        made = httpx.post(f"{first.url}/api/battles", json=new).json()
        watched = {"game": "ost", "scenario": "training_ground", "players": {"american": "random", "german": "random"}}
        over = httpx.post(f"{first.url}/api/battles", json=watched).json()
        friends = httpx.post(
            f"{first.url}/api/battles", json={"game": "ost", "scenario": "first_patrol", "invite": True}
        )
        assert friends.status_code == 201
        headers = {"Authorization": f"Bearer {over['seats'][0]['token']}"}
        end = time.monotonic() + 60
        while (
            httpx.get(f"{first.url}/api/battles/{over['battle']['id']}/state", headers=headers).json()["waiting"]
            != "over"
        ):
            assert time.monotonic() < end
            time.sleep(0.1)
        first.stop()
    with program(tmp_path, *PLAY) as second:
        assert (second.id, second.tokens) == (made["battle"]["id"], [made["seats"][0]["token"]])
        second.stop()
    kept = tmp_path / "grognard" / "last.json"
    one = next(each for each in json.loads(kept.read_text()) if each["id"] == first.id)
    kept.write_text(json.dumps(one))  # as older versions wrote it
    with program(tmp_path, *PLAY) as third:
        assert third.id == first.id


def test_without_any_battle_one_begins_with_a_guided_one(tmp_path: Path) -> None:
    with program(tmp_path, *PLAY) as played:
        lobby = httpx.get(f"{played.url}/api/lobby").json()
        units = {entry.name: entry.summary["units"] for entry in open_files.listed()}
        lessons = [lesson for game in lobby["games"] for lesson in game["lessons"]]
        lesson = played.get("")["lesson"]
        assert lesson in lessons and units[lesson["scenario"]] == min(units[each["scenario"]] for each in lessons)


def test_a_battle_that_is_over_is_not_gone_on_with(tmp_path: Path) -> None:
    with program(tmp_path, *PLAY, "first_patrol", "--sides", "random,random") as first:
        end = time.monotonic() + 60
        while first.get("/state")["waiting"] != "over":
            assert time.monotonic() < end
            time.sleep(0.1)
        first.stop()
    with program(tmp_path, *PLAY) as second:
        assert second.id != first.id


def test_a_saved_game_and_a_file_of_one_s_own(tmp_path: Path, run: Run) -> None:
    save = tmp_path / "game.save"
    run("play", "first_patrol", "--text", "--save", save, "--sides", "human,human", typed="done\nquit\n\n")
    with program(tmp_path, *PLAY, "--load", str(save), "--sides", "german=random,american=human") as played:
        assert any("american" in line["text"] for line in played.get("/state")["view"]["log"])
    source = Path(__file__).parents[2] / "src" / "grognard" / "games" / "ost" / "scenarios" / "first_patrol.toml"
    own = tmp_path / "own.toml"
    own.write_text(source.read_text(encoding="utf-8").replace("First Patrol", "My Patrol"), encoding="utf-8")
    with program(tmp_path, *PLAY, str(own)) as played:
        assert played.get("")["title"] == "My Patrol"


@pytest.mark.parametrize("words", [("--save", "x.save"), ("--json",), ("--quiet",)])
def test_what_is_only_for_the_terminal_is_refused(run: Run, words: tuple[str, ...]) -> None:
    said = run("play", "first_patrol", "--no-browser", *words, code=2)
    assert "only with --text" in said.stderr + said.stdout


def test_a_battle_that_cannot_be_is_told_before_anything_is_served(run: Run) -> None:
    assert "did you mean" in run("play", "first_patrl", "--no-browser", code=2).stderr
    assert run("play", "first_patrol", "--no-browser", "--load", "none.save", code=2).stderr
