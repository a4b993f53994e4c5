"""advise and tournament."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import grognard
from grognard.players.matches import Match, Played
from tests.cli.conftest import Run
from tests.cli.stub import Duel

RunJson = Callable[..., Any]
#: The module; the package has a command of the same name.
tournament = import_module("grognard.cli.tournament")


def test_advice_tells_the_best_options_and_why(duel: Duel, run: Run, situation: Path) -> None:
    told = run("advise", situation).stdout
    assert "Red: Your shot" in told and "the battle stands at" in told and "no hidden units" in told
    assert "1. " in told and "[shoot r0 b0]  worth +5.0" in told and "+1.0  shoot" in told


def test_advice_at_the_opening_of_a_scenario_and_after_an_answer(duel: Duel, run: Run) -> None:
    assert "Red: Your shot" in run("advise", "meeting").stdout
    after = run("advise", "meeting", "--do", "shoot r0 b0", "--options", "1").stdout
    assert "Blue: b0: duck?" in after and "[duck]" in after and "(1 more" in after


def test_advice_by_search_as_json(duel: Duel, run_json: RunJson) -> None:
    thought = run_json("advise", "meeting", "--player", "search", "--seconds", "5")
    assert thought["player"] == "search" and thought["looked"] > 0
    assert thought["chosen"] in [option["key"] for option in thought["options"]]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--player", "oracle"), "no adviser called 'oracle'"),
        (("--side", "blue"), "red is to answer here, not blue"),
        (("--side", "green"), "no side called 'green'"),
    ],
)
def test_advice_that_cannot_be_given(duel: Duel, run: Run, words: tuple[str, ...], says: str) -> None:
    assert says in run("advise", "meeting", *words, code=2).stderr


def test_advice_while_playing(duel: Duel, run: Run) -> None:
    told = run("play", "--text", "--sides", "human,human", typed="advise\nquit\n\n").stdout
    assert "[shoot r0 b0]" in told


# ---- tournaments -------------------------------------------------------------------------------------------------


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play in this process: another one would not know the stub."""

    def play_all(matches: list[Match], jobs: int, by_work: bool) -> Iterator[Played]:
        yield from map(tournament.play_one, matches)

    tournament._opened.cache_clear()
    monkeypatch.setattr(tournament, "play_all", play_all)


def test_a_tournament_tells_who_is_stronger(duel: Duel, run: Run, here: None, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    words = ("--players", "greedy,random", "--scenarios", "all", "--games", "4", "--seconds", "5", "--out", out)
    told = run("tournament", *words).stdout
    assert "greedy against random" in told and "Elo" in told and "never over its time" in told
    kept = json.loads(out.read_text())
    assert kept["options"]["games"] == 4 and len(kept["games"]) == kept["wanted"] == 4 * len(
        kept["options"]["scenarios"]
    )
    assert {rating["player"] for rating in kept["ratings"]} == {"greedy", "random"}
    assert kept["program"] == grognard.__version__
    for each in (*kept["pairs"], *kept["scenarios"]):
        wins, losses = each["record"]["wins"], each["record"]["losses"]
        assert each["share"] == (wins / (wins + losses) if wins + losses else None)
        assert 0 <= each["low"] <= (each["share"] or 0.5) <= each["high"] <= 1, "with its interval"
    assert [each["scenario"] for each in kept["scenarios"]] == kept["options"]["scenarios"]
    assert sum(each["record"]["wins"] for each in kept["scenarios"]) == kept["pairs"][0]["record"]["wins"]


def test_what_is_done_is_kept_when_somebody_stops_it(
    duel: Duel, run: Run, here: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def stopped(matches: list[Match], jobs: int, by_work: bool) -> Iterator[Played]:
        yield tournament.play_one(matches[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(tournament, "play_all", stopped)
    told = run("tournament", "--scenarios", "meeting", "--games", "6", "--out", tmp_path / "x.json").stdout
    assert "Stopped after 1 of 6 games." in told
    assert len(json.loads((tmp_path / "x.json").read_text())["games"]) == 1


def test_a_tournament_goes_on_where_it_was_stopped(
    duel: Duel, run: Run, here: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = ("tournament", "--scenarios", "meeting", "--games", "4")
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    run(*words, "--out", whole)
    play_all = tournament.play_all
    asked: list[int] = []

    def two(matches: list[Match], jobs: int, by_work: bool) -> Iterator[Played]:
        asked.append(len(matches))
        yield from play_all(matches[:2], jobs, by_work)
        if len(matches) > 2:
            # Killed now, it would lose no game: they are written as they end.
            assert len(json.loads(parts.read_text())["games"]) == 2
            raise KeyboardInterrupt

    monkeypatch.setattr(tournament, "KEPT", -1.0)
    monkeypatch.setattr(tournament, "play_all", two)
    assert "Stopped after 2 of 4 games." in run(*words, "--out", parts).stdout
    assert "continue it with --resume" in run(*words, "--out", parts, code=2).stderr
    assert "--seed 1, not 2" in run(*words, "--seed", "2", "--out", parts, "--resume", code=2).stderr
    assert len(json.loads(parts.read_text())["games"]) == 2
    run(*words, "--out", parts, "--resume")
    assert asked == [4, 2]

    def outcomes(file: Path) -> list[tuple[str, dict[str, str], str]]:
        return [(game["seed"], game["players"], game["winner"]) for game in json.loads(file.read_text())["games"]]

    assert outcomes(parts) == outcomes(whole)


@pytest.mark.parametrize(
    ("text", "says"), [("", "--out FILE"), ("no file", "no such file"), ("{}", "not a tournament")]
)
def test_there_is_no_tournament_to_go_on_with(duel: Duel, run: Run, tmp_path: Path, text: str, says: str) -> None:
    out = tmp_path / "out.json"
    if text == "{}":
        out.write_text(text)
    where = ("--out", out) if text else ()
    assert says in run("tournament", "--scenarios", "meeting", *where, "--resume", code=2).stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--players", "greedy"), "name two or more"),
        (("--players", "greedy,human"), "no program called 'human'"),
        (("--scenarios", "nowhere"), "no scenario called 'nowhere'"),
        (("--scenarios", ","), "name one or more"),
    ],
)
def test_a_tournament_that_cannot_be_held(duel: Duel, run: Run, words: tuple[str, ...], says: str) -> None:
    assert says in run("tournament", *words, code=2).stderr


def test_random_battles_keep_their_choices() -> None:
    assert tournament.read_scenarios("random:game=ost,size=small,seed=7,first_patrol") == [
        "random:game=ost,size=small,seed=7",
        "first_patrol",
    ]
