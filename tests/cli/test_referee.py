"""try, odds, los, draw: the referee beside a real table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.cli.stub import Duel

RunJson = Callable[..., Any]
SHOT = ("--do", "shoot r0 b0", "--do", "pass")
HEDGE = "docs/examples/hedge.toml"


def test_try_prints_the_question(situation: Path, run: Run, run_json: RunJson) -> None:
    told = run("try", situation).stdout
    assert told.splitlines() == [
        "Red: Your shot",
        "   1  shoot r0 b0",
        "   2  Look about  (look)",
        "   3  Wait  (wait)",
    ]
    record = run_json("try", situation)
    assert [option["key"] for option in record["ask"]["options"]] == ["shoot r0 b0", "look", "wait"]
    assert [unit["id"] for unit in record["state"]["units"]] == ["r0", "r1", "b0", "b1"], "the referee sees all"


def test_try_answers_with_given_dice(situation: Path, run: Run, run_json: RunJson) -> None:
    told = run("try", situation, *SHOT, "--dice", "6,6").stdout
    assert told.startswith(
        "> shoot r0 b0\n> pass\n"
        "  Red: Shot, Man b0: 2d6 (6 6) → X [1.1]\n      Firepower: 1 r0 [1.1]\n"
        "  Fell: man b0, how gone [1.1]\n"
    )
    assert "Turn 1 · shots · Shots: fired 1, of 12" in told and "* line red: red flag" in told
    assert "Man b0" not in told.split("Turn 1")[1] and "Blue: Your shot" in told
    record = run_json("try", situation, "--do", "shoot r0 b0 / duck", "--dice", "5 5 1 1 3")
    rolled = record["taken"][1]["events"][1]
    assert rolled["faces"] == [5, 5] and rolled["rules"] == ["1.1"] and rolled["tallies"][0]["total"] == 0
    assert rolled["tallies"][0]["lines"] == [
        {"id": "ducked", "amount": -1, "rule": "1.2", "source": "", "text": "ducked"}
    ]
    assert record["spare_dice"] == [3]


def test_try_says_which_dice_are_wanted(situation: Path, run: Run, run_json: RunJson) -> None:
    told = run("try", situation, *SHOT).stdout
    assert told.endswith(
        "Dice wanted: 2d6 by Red for shot, Man b0 [1.1]\n    Firepower: 1 r0 [1.1]\n    each die shows 1 to 6\n"
        "    2 to 7: no result\n    8 or 9: S\n    10 to 12: X\n"
        "Give them with --dice ?,? or with a further --do 'dice 3 3'\n"
    )
    record = run_json("try", situation, *SHOT, "--do", "dice 4 4")
    assert record["ask"]["dice"]["owner"] == "blue" and record["ask"]["dice"]["what"] == "nerve"
    assert record["ask"]["dice"]["meanings"][0]["meaning"] == "failed"
    told = run("try", situation, *SHOT, "--do", "dice 4 4", "--do", "1 1").stdout
    assert "> dice 1 1\n" in told and "how shaken" in told


def test_try_tells_what_happened_before_the_throw_that_is_missing(situation: Path, run: Run, run_json: RunJson) -> None:
    """The shot is settled, the nerve is not: its throw and its question come after what the shot did."""
    told = run("try", situation, *SHOT, "--dice", "4,4").stdout
    shot, wanted = (
        told.index("Red: Shot, Man b0: 2d6 (4 4) → S"),
        told.index("Dice wanted: 2d6 by Blue for nerve, Man b0"),
    )
    assert told.index("> pass") < shot < wanted
    assert "Not used" not in told and "Give them with --dice 4,4,?,? or with a further --do 'dice 3 3'" in told
    assert "Not used of --dice: 2\n" in run("try", situation, *SHOT, "--dice", "4,4,2").stdout, "a throw is told whole"
    by_hand = run("try", situation, *SHOT, "--do", "dice 4 4").stdout
    assert by_hand.count("2d6 (4 4)") == 1 and "Give them with a further --do 'dice 3 3'" in by_hand
    record = run_json("try", situation, *SHOT, "--dice", "4,4")
    assert [event["event"] for event in record["taken"][1]["events"]] == ["Asked", "Rolled"]
    assert record["spare_dice"] == []


def test_what_waits_for_dice_is_kept(situation: Path, tmp_path: Path, run: Run) -> None:
    kept = tmp_path / "kept.save"
    run("try", situation, *SHOT, "--dice", "4,4", "--save", kept)
    again = run("try", kept).stdout
    assert "2d6 (4 4)" in again and "Dice wanted: 2d6 by Blue for nerve" in again
    assert "how shaken" in run("try", kept, "--dice", "1,1").stdout
    assert "2d6 (5 5) → passed" in run("try", kept, "--do", "dice 5 5", "--save", kept).stdout
    assert "2d6 (5 5)" in run("replay", kept).stdout


def test_a_game_with_a_seed_takes_no_dice(situation: Path, tmp_path: Path, run: Run) -> None:
    kept = tmp_path / "seeded.save"
    run("play", situation, "--text", "--seed", "1", "--sides", "human,human", "--save", kept, typed="wait\nquit\n")
    assert "rolls its own dice from a seed" in run("try", kept, "--dice", "1,1", code=2).stderr


def test_a_refusal_says_why(situation: Path, run: Run) -> None:
    told = run("why", situation, "shoot r1", code=2).stderr
    assert "no man called" in told
    assert run("why", situation, "r0").stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("odds", HEDGE, "rally g1"), "rally g1: it is in good order [70.1]"),
        (("odds", HEDGE, "fire g1", "at a2"), "at a2: no line of sight (D6) [41.6]"),
        (("why", HEDGE, "at a1", "--do", "rally g1"), "rally g1: it is in good order [70.1]"),
        (("advise", HEDGE, "--do", "rally g1"), "rally g1: it is in good order [70.1]"),
    ],
)
def test_every_command_says_why_it_refuses_an_answer(words: tuple[str, ...], says: str, run: Run) -> None:
    told = run(*words, code=2).stderr
    assert told.startswith(f"grognard: {says}") and "is not an answer to" in told


def test_a_refusal_without_a_reason_lists_the_answers_once(run: Run) -> None:
    told = run("try", "docs/examples/farm.toml", "--do", "unit a1", "--do", "assault", code=2).stderr
    assert told.startswith("grognard: 'assault' is not an answer to") and told.count("is not an answer") == 1


def test_try_as_a_side(situation: Path, run: Run, run_json: RunJson) -> None:
    told = run("try", situation, "--as", "blue").stdout
    assert told == "Red: Your shot\n"
    told = run("try", situation, "--as", "red", "--do", "wait").stdout
    assert "Man b1" not in told
    assert "options" not in run_json("try", situation, "--as", "blue")["ask"]
    assert "no side called 'rde'; did you mean 'red'?" in run("try", situation, "--as", "rde", code=2).stderr


def test_try_keeps_a_position_to_go_on_from(situation: Path, tmp_path: Path, run: Run) -> None:
    kept = tmp_path / "kept.save"
    assert f"Saved in {kept}." in run("try", situation, *SHOT, "--dice", "1,1", "--save", kept).stdout
    told = run("try", kept, "--do", "wait").stdout
    assert "2d6 (1 1)" in told and told.rstrip().endswith("Wait  (wait)")
    assert "2d6 (6 6)" in run("try", kept, "--do", "shoot b0 r0 / pass", "--dice", "6,6").stdout
    run("try", kept, "--do", "shoot b0 r0 / pass", "--do", "dice 1 2", "--save", kept)
    assert "2d6 (1 2)" in run("replay", kept).stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--dice", "3,x"), "--dice: 'x' is not a die face; write the dice as 3,4,6"),
        (("--dice", "0"), "'0' is not a die face"),
        (("--dice", "-3"), "'-3' is not a die face"),
        ((*SHOT, "--dice", "7,8"), "7 8 is not a result of 2d6 for shot; faces go from 1 to 6"),
        ((*SHOT, "--do", "dice 7 1"), "is not a result of 2d6; write it as 'dice 3 3'"),
        ((*SHOT, "--do", "pass"), "'pass' has to wait for 2d6 for shot. Give them with --dice ?,?"),
        (("--do", "shoot r0 b9"), "legal: shoot r0 b0, look, wait; did you mean 'shoot r0 b0'?"),
        (("--do", ""), ""),
    ],
)
def test_bad_answers(situation: Path, run: Run, words: tuple[str, ...], says: str) -> None:
    told = run("try", situation, *words, code=2 if says else 0)
    assert says in told.stderr


def test_try_a_scenario_by_name(duel: Duel, run: Run) -> None:
    assert "Red: Your shot" in run("try", "meeting").stdout
    assert "did you mean 'meeting'?" in run("try", "meating", code=2).stderr


def test_the_battle_may_be_over(situation: Path, run: Run) -> None:
    situation.write_text("shots = 11\n" + situation.read_text())
    assert "The battle is over: a draw, most men standing" in run("try", situation, "--do", "wait").stdout
    told = run("try", situation, "--do", "wait", "--do", "look", code=2).stderr
    assert "the battle is over before 'look'" in told
    assert "the battle is over before 'look'" in run("odds", situation, "wait", "look", code=2).stderr


def test_odds(situation: Path, run: Run, run_json: RunJson) -> None:
    told = run("odds", situation, "shoot r0 b0", "duck").stdout
    assert "Firepower: 1 r0 [1.1], -1 ducked [1.2] = 0" in told
    assert "Any harm (exact):" in told and "Assuming" not in told
    assert [line.split()[-3:] for line in told.rstrip().splitlines()[-2:]] == [
        ["you", "to", "them"],
        ["they", "to", "you"],
    ]
    assert "Assuming the Blue player answers “b0: duck?” with “Stand”" in run("odds", situation, "shoot r0 b0").stdout
    record = run_json("odds", situation, "1 / pass")
    assert record["exact"] and record["keys"] == ["shoot r0 b0", "pass"]
    assert sum(outcome["probability"] for outcome in record["outcomes"]) == pytest.approx(1)
    assert record["to_them"]["fraction"] == "13/48" and record["to_us"]["fraction"] == "0"
    assert "legal: shoot r0 b0" in run("odds", situation, "shoot r1 b0", code=2).stderr
    assert "duck" in run("odds", situation, "shoot r0 b0", "dive", code=2).stderr
    assert "odds of what?" in run("odds", situation, " ", code=2).stderr


def test_sight(situation: Path, run: Run, run_json: RunJson) -> None:
    assert run("los", situation, "r0", "b0").stdout == "r0 to b0: clear [1.4]\n"
    assert run_json("los", situation, "r0", "b0") == {
        "start": "r0",
        "end": "b0",
        "clear": True,
        "crossed": ["grass"],
        "text": "r0 to b0: clear [1.4]",
    }
    assert "no man and no place called 'zz'" in run("los", situation, "r0", "zz", code=2).stderr


def test_draw(situation: Path, tmp_path: Path, run: Run) -> None:
    assert run("draw", situation, "--as", "red").stdout == "<svg>red</svg>\n"
    assert "board: r0" in run("draw", situation, "--format", "txt").stdout
    out = tmp_path / "out.svg"
    assert run("draw", "meeting", "-o", out).stdout == f"Wrote {out}.\n" and out.read_text() == "<svg></svg>\n"
    assert "the name must end in" in run("draw", situation, "-o", tmp_path / "out.png", code=2).stderr
    assert "no format called 'png'" in run("draw", situation, "--format", "png", code=2).stderr
    assert (
        "doesn't have a map to write as GeoJSON" in run("draw", situation, "-o", tmp_path / "o.geojson", code=2).stderr
    )
    assert "would overwrite" in run("draw", situation, "-o", situation, "--format", "svg", code=2).stderr
    assert "can't be written" in run("draw", situation, "-o", tmp_path / "no" / "o.svg", code=2).stderr


def test_mistyped_commands(duel: Duel, run: Run) -> None:
    assert "Did you mean 'scenarios'" in run("scenario", code=2).stderr
    assert "Usage" in run("play", "--txt", code=2).stderr
    assert "grognard 0." in run("--version").stdout
