"""play --text: a whole game by typing."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grognard.core import open_files
from tests.cli.conftest import Run
from tests.cli.stub import SCENARIO, Duel

RunJson = Callable[..., Any]
ALONE = ("--sides", "human,human")


def play(run: Run, *typed: str, words: tuple[object, ...] = (), code: int = 0) -> str:
    """Play the smallest scenario with these lines; what the terminal showed."""
    return run("play", "--text", "--seed", "7", *words, typed="".join(f"{line}\n" for line in typed), code=code).stdout


def test_the_smallest_scenario_is_played_when_none_is_named(duel: Duel, run: Run) -> None:
    assert play(run).startswith("A meeting (The Duel)\nTwo lines face each other.\nSides: red, blue. Turns: 8.\n")


def test_a_whole_game_by_first_options(duel: Duel, run: Run) -> None:
    told = play(run, *["1"] * 60, words=ALONE)
    assert "Red: Your shot" in told and "Blue: b0: duck?" in told
    assert "Red: Shot, Man b0: 2d6" in told and "Firepower: 1 r0 [1.1]" in told
    assert re.search(r"(wins|A draw): most men standing \[1\.1\]", told)
    assert "Seed: 7\n" in told and "rolls match it" in told


def test_answers_by_number_key_and_beginning(duel: Duel, run: Run) -> None:
    told = play(run, "WAIT", "wa", "lo", "wait", "shoot r0", "shoot r0 b0", "99", "nonsense", words=ALONE)
    assert "Blue: Your shot" in told, "red waited"
    assert "Found: man b1" in told, "red looked about"
    assert "! 'shoot r0' could be 2 options: shoot r0 b0, shoot r0 b1" in told
    assert "! there is no option 99; options go from 1 to 2" in told
    assert "! 'nonsense' is not an answer to" in told


def test_an_option_is_suggested_for_a_slip(duel: Duel, run: Run) -> None:
    assert "did you mean 'shoot r0 b0'?" in play(run, "shot r0 b0")


def test_commands(duel: Duel, run: Run) -> None:
    told = play(
        run,
        "help", "options", "options look", "odds 1", "odds shoot r0 b0 / duck", "odds", "odds 77", "why r0", "why",
        "why zz", "los r0 b0", "los r0", "los r0 zz", "rule 1.2", "rule 7", "rule", "rules duck", "rules", "map",
        "units", "units blue", "units green", "log", "log 1", "luck", "briefing", "save", "undo", "",
    )  # fmt: skip
    assert "take back your last answer" in told
    assert told.count("Look about  (look)") >= 3
    assert "no effect" in told and "you to them" in told and "-1 ducked [1.2]" in told
    assert "! odds of what?" in told and "! there is no option 77" in told
    assert "You can do this: r0." in told and "! why what?" in told and "! no man called 'zz'" in told
    assert "r0 to b0: clear [1.4]" in told and "! line of sight between which two?" in told
    assert "1.2 (procedure) A target may duck." in told and "! no rule of duel called '7'" in told
    assert "! search for what?" in told and "! which rule?" in told
    assert told.count("board: r0 r1 b0\n") == 2, "the hidden man is not drawn"
    assert "! no side called 'green'" in told and "Man b0" in told and "Man b1" not in told
    assert "No dice have been rolled." in told and told.count("Two lines face each other.") == 2
    assert "! save where?" in told and "! You can't undo: nothing has been answered yet" in told


def test_long_lists_are_cut_until_somebody_asks(duel: Duel, run: Run, tmp_path: Path) -> None:
    crowd = tmp_path / "crowd.toml"
    crowd.write_text(SCENARIO.format(name="crowd", title="A crowd", turns=4, men=9))
    told = run("play", crowd, "--text", typed="options\noptions r3 B2\n").stdout
    assert "   1–8  Man r0: shoot r0 … with one of\n          b0 b1 b2 b3 b4 b5 b6 b7\n" in told
    assert "  74  Wait" in told
    assert re.search(r"\d+  shoot r3 b2$", told, re.M)


def test_undo_goes_back_until_a_die_is_rolled(duel: Duel, run: Run) -> None:
    told = play(run, "wait", "undo", "shoot r0 b0", "undo", "1", "pass", "undo", words=ALONE)
    assert told.count("Taken back.") == 2, "people at one table take back together"
    assert told.count("! You can't undo: a die has been rolled since") == 1
    told = play(run, "wait", "undo")
    assert "! You can't undo: Blue has answered since" in told


def test_solo_undo_goes_back_past_dice_and_programs(duel: Duel, run: Run) -> None:
    told = play(run, "undo", "shoot r0 b0", "undo", "quit", "", words=("--solo",))
    assert "! You can't undo: you have not answered anything yet" in told
    assert "Taken back." in told
    assert told.rstrip().split("Taken back.")[1].count("Red: Your shot") == 1


def test_each_side_is_told_what_it_may_see_once(duel: Duel, run: Run) -> None:
    told = play(run, "look", "wait", "quit", "", words=ALONE)
    assert told.count("Found: man b1") == 1
    assert "board: r0 r1 b0 b1" in told


def test_the_board_can_be_left_out(duel: Duel, run: Run) -> None:
    assert "board:" not in play(run, "wait", words=("--no-board",))
    assert "board:" in play(run, "map", words=("--no-board",))


def test_own_dice(duel: Duel, run: Run) -> None:
    typed = ["shoot r0 b0", "pass", "7 1", "6", "dice 6 6", "1"]
    lines = "".join(f"{line}\n" for line in typed)
    told = run("play", "--text", "--own-dice", *ALONE, typed=lines).stdout
    assert "Dice wanted: 2d6 by Red for shot, Man b0 [1.1]\n    Firepower: 1 r0 [1.1]\n" in told
    assert "    10 to 12: X\nType the faces, such as 3 3" in told
    assert "is not a result of 2d6" in told
    assert "Shot, Man b0: 2d6 (6 6) → X" in told and "hash" not in told
    assert "choose --own-dice or --seed" in run("play", "--text", "--own-dice", "--seed", "1", code=2).stderr
    assert "uses real dice" in run("play", "--text", "--own-dice", "--sides", "random,random", code=2).stderr


# ---- who plays ---------------------------------------------------------------------------------------


def test_programs_among_themselves(duel: Duel, run: Run, run_json: RunJson) -> None:
    words = ("play", "meeting", "--text", "--sides", "random,random", "--seed", "9")
    told = run(*words).stdout
    assert "The hash of the dice seed is" in told and "Seed: 9" in told and "deviations" in told
    commitment = re.search(r"hash of the dice seed is ([0-9a-f]+);", told)
    assert commitment and f"Its hash is {commitment[1]}, as shown at the start" in told
    assert "Firepower:" not in told, "the log is compact"
    assert run(*words).stdout == told, "the same seed plays the same game"
    assert len(run(*words, "-q").stdout) < len(told)
    record = run_json(*words)
    assert record["over"] and record["fair"] and record["seed"] == "9" and record["commitment"] == commitment[1]
    assert set(record["luck"]) <= {"red", "blue"} and record["digest"] in told


def test_a_changed_die_is_found_out(duel: Duel, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from grognard.core import dice

    def loaded(self: Any, number: int, sides: int, read: Any) -> Any:
        self.position += 1
        return read((sides,) * number), (sides,) * number

    monkeypatch.setattr(dice.FairDice, "roll", loaded)
    assert "NOT FAIR" in run("play", "meeting", "--text", "--sides", "random,random", "--seed", "9").stdout


@pytest.mark.parametrize(
    ("sides", "says"),
    [
        ("human", "1 players for red, blue"),
        ("human,rando", "no player called 'rando'; did you mean 'random'?"),
        ("rd=human", "no side called 'rd'; did you mean 'red'?"),
        ("red=robot", "no player called 'robot'"),
        ("human,random,random", "3 players for red, blue"),
    ],
)
def test_bad_sides(duel: Duel, run: Run, sides: str, says: str) -> None:
    assert says in run("play", "--text", "--sides", sides, code=2).stderr


def test_sides_by_name(duel: Duel, run: Run) -> None:
    told = run("play", "--text", "--sides", "blue=human, red=random", "--seed", "7", typed="1\n").stdout
    assert "blue> " in told and "red> " not in told


def test_json_is_for_programs(duel: Duel, run: Run) -> None:
    assert "--json works only without people" in run("play", "--text", "--json", code=2).stderr


# ---- which battle ------------------------------------------------------------------------------------


def test_random_battles(duel: Duel, run: Run, run_json: RunJson) -> None:
    words = ("--text", "--sides", "random,random", "--seed", "3")
    assert run_json("play", "random:size=small,seed=7", *words)["scenario"] == "random_7"
    assert run_json("play", "random", *words)["scenario"] == "random_0"
    assert run_json("play", "random:game=duel", *words)["scenario"] == "random_0"
    for word, says in {
        "random:sise=small": "no choice for a random battle called 'sise'; did you mean 'size'?",
        "random:small": "'small' is not a choice; write it as random:size=small,seed=7",
        "random:size=huge": "no size 'huge'; there are small, large",
        "random:game=chess": "no game called 'chess'",
    }.items():
        assert says in run("play", word, "--text", code=2).stderr


def test_a_battle_in_the_position_of_a_situation(duel: Duel, run: Run, situation: Path) -> None:
    played = run("play", situation, "--text", "--sides", "random,random", "--json").stdout
    assert '"scenario": "situation"' in played and '"over": true' in played


def test_unknown_scenarios(duel: Duel, run: Run) -> None:
    assert "no scenario called 'meetin'; did you mean 'meeting'?" in run("play", "meetin", "--text", code=2).stderr
    assert "no game called 'chess'" in run("play", "chess/meeting", "--text", code=2).stderr
    assert "can't be read" in run("play", "none.toml", "--text", code=2).stderr


def test_bad_seeds(duel: Duel, run: Run) -> None:
    assert "1 to 64" in run("play", "--text", "--seed", "x" * 65, code=2).stderr
    assert "not hexadecimal" in run("play", "--text", "--seed", "hex:xyz", code=2).stderr
    assert "Seed: hex:00ff" in run("play", "--text", "--seed", "hex:00ff", "--sides", "random,random").stdout


# ---- saving ------------------------------------------------------------------------------------------


def test_save_and_load(duel: Duel, run: Run, tmp_path: Path) -> None:
    save = tmp_path / "game.save"
    told = play(run, "shoot r0 b0", "pass", f"save {save}", "quit", "", words=ALONE)
    assert f"Saved in {save}. Continue with: grognard play --text --load {save}" in told
    again = run("play", "--text", "--load", save, *ALONE, typed="log\n1\n").stdout
    assert "blue> " in again and "Shot, Man b0" in again
    assert run("play", "meeting", "--text", "--load", save, typed="").exit_code == 0
    assert "is a game of 'meeting', not of 'brawl'" in run("play", "brawl", "--text", "--load", save, code=2).stderr
    assert "brings its own dice" in run("play", "--text", "--load", save, "--seed", "1", code=2).stderr


def test_the_file_named_on_the_command_line_is_kept_up_to_date(duel: Duel, run: Run, tmp_path: Path) -> None:
    save = tmp_path / "game.save"
    told = play(run, "wait", "wait", "quit", words=(*ALONE, "--save", save))
    assert "Continue with" in told and "which file" not in told
    assert len(json.loads(save.read_text())["answers"]) == 2
    play(run, "wait", words=(*ALONE, "--save", save))
    assert len(json.loads(save.read_text())["answers"]) == 1
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["game.save"], "nothing else is left"


def test_quit_offers_to_save(duel: Duel, run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "missing" / "x.save"
    told = play(run, "wait", "quit", str(folder), str(tmp_path / "left.save"), words=ALONE)
    assert "can't be written: No such file or directory" in told
    assert open_files.open_save(tmp_path / "left.save").answers[0].key == "wait"
    assert "Save in which file?" in play(run, "quit")


def test_a_file_that_is_no_save_is_not_overwritten(duel: Duel, run: Run, tmp_path: Path) -> None:
    precious = tmp_path / "precious.toml"
    precious.write_text("x = 1\n")
    assert "not a saved game" in play(run, f"save {precious}")
    assert "not a saved game" in run("play", "--text", "--save", precious, code=2).stderr
    assert precious.read_text() == "x = 1\n"


def test_a_save_that_fails_changes_nothing(
    duel: Duel, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = tmp_path / "game.save"
    play(run, "wait", words=(*ALONE, "--save", save))
    before = save.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    told = play(run, "wait", f"save {save}", words=ALONE)
    assert "No space left on device; nothing was changed" in told
    assert save.read_bytes() == before and [p.name for p in tmp_path.iterdir() if p.is_file()] == ["game.save"]


def test_a_save_keeps_its_mode(duel: Duel, run: Run, tmp_path: Path) -> None:
    save = tmp_path / "game.save"
    play(run, words=("--save", save))
    save.chmod(0o600)
    play(run, "wait", words=("--save", save))
    assert save.stat().st_mode & 0o777 == 0o600


# ---- replay ------------------------------------------------------------------------------------------


def test_replay(duel: Duel, run: Run, run_json: RunJson, tmp_path: Path) -> None:
    save = tmp_path / "game.save"
    run("play", "meeting", "--text", "--sides", "random,random", "--seed", "9", "--save", save, "-q")
    told = run("replay", save).stdout
    digest = json.loads(save.read_text())["digest"]
    assert f"lead to the state {digest}, the same as in the file" in told and "Seed: 9" in told and "red: " in told
    record = run_json("replay", save)
    assert record["digest"] == digest and record["fair"] and any(e["event"] == "Rolled" for e in record["log"])
    assert "no side called 'green'" in run("replay", save, "--as", "green", code=2).stderr
    assert "can't be read" in run("replay", tmp_path / "none", code=2).stderr


def test_what_is_secret_in_a_game_that_goes_on_is_not_told(
    duel: Duel, run: Run, run_json: RunJson, tmp_path: Path
) -> None:
    save = tmp_path / "game.save"
    play(run, "wait", words=(*ALONE, "--save", save))
    told = run("replay", save, "--as", "red").stdout
    assert "The game goes on. Blue to answer: Your shot" in told and "Seed" not in told
    assert [event["event"] for event in run_json("replay", save, "--as", "red")["log"]] == ["Asked"]
    assert run_json("replay", save, "--as", "blue")["log"] == [], "what red answered is red's"
