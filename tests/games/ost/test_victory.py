"""Victory (4, 64.10, 64.11, 65.5, 111.12-111.16): points by turn and at the end, sudden death, ties and draws."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.session import Session
from grognard.games.ost import turn_events, victory
from tests.games.ost.helpers import answer, battle, happened, position, state

rule = pytest.mark.rule

START = (6, 6, 1, 1, 3, 3, 3, 3)
UNITS = ("g1 ger_rifle B2", "a1 us_rifle I7")


def ends(*units: str, **kept: Any) -> Session:
    """A battle at its end."""
    return position(*(units or UNITS), phase="end", **kept)


def won(session: Session) -> str:
    assert session.over and session.result is not None
    assert session.result.reason and [event.winner for event in happened(session, turn_events.Ended)] == [
        session.result.winner
    ]
    return session.result.winner


# ---- points ----------------------------------------------------------------------------------------------


@rule("ost", "4.0", "111.12", "65.3")
def test_a_control_hex_scores_its_owners_own_value_each_turn_from_a_turn_on() -> None:
    """E-2: 3 points to the German, 2 to the American, from turn 4 on."""
    rules = {"control": [{"hexes": "D4, E5", "points": {"german": 3, "american": 2}, "when": "turn", "from": 4}]}
    kept: dict[str, Any] = {"control": {"D4": "german", "E5": "american"}, "victory": rules, "dice": START, "turns": 9}
    early = position(*UNITS, phase="score", turn=5, **kept)
    assert state(early).victory == {"german": 0, "american": 0}
    session = position(*UNITS, phase="score", turn=4, **kept)
    assert state(session).victory == {"german": 3, "american": 2}
    assert [(e.side, e.points) for e in happened(session, turn_events.VictoryScored)] == [
        ("german", 3),
        ("american", 2),
    ]


@rule("ost", "65.5", "65.2")
@pytest.mark.parametrize(("options", "points"), [({}, 0), ({"contested_scores": True}, 4)])
def test_a_contested_hex_scores_for_nobody_unless_the_scenario_says_so(options: dict[str, Any], points: int) -> None:
    session = ends(
        "g1 ger_rifle D4",
        "a1 us_rifle D4",
        melees=["D4 american"],
        control={"D4": "german", "E5": ""},
        victory={"control": [{"hexes": "D4, E5", "points": 4}]},
        options=options,
    )
    assert state(session).victory["german"] == points


@rule("ost", "4.0b", "5.0", "64.10")
def test_casualties_count_at_the_end() -> None:
    session = ends(casualties={"german": 14, "american": 4}, victory={"casualties": [{"per": 5, "points": 2}]})
    assert state(session).victory == {"german": 4, "american": 0} and won(session) == "german"
    assert session.result is not None and session.result.reason == "Victory Points: German 4, American 0"
    one = ends(casualties={"german": 14, "american": 14}, victory={"casualties": [{"per": 5, "sides": ["american"]}]})
    assert state(one).victory == {"german": 0, "american": 2}
    each = ends(casualties={"german": 3, "american": 0}, victory={"casualties": [{"per": 1}]})
    assert state(each).victory == {"german": 3, "american": 0}


@rule("ost", "78.1", "64.10")
def test_units_that_left_the_map_count_by_kind_and_hex() -> None:
    rules = {"exit": [{"side": "german", "units": ["tank", "assault_gun"], "points": 2, "hexes": "J1-J8"}]}
    session = ends(
        "g1 ger_pz4h J4 status=exited",
        "g2 ger_stug3g J5 status=exited",
        "g3 ger_pz4h A5 status=exited",
        "g4 ger_rifle J5 status=exited",
        "g5 ger_pz4h J6",
        "a1 us_rifle D4",
        victory=rules,
    )
    assert state(session).victory["german"] == 4


# ---- who wins ----------------------------------------------------------------------------------------------


@rule("ost", "64.10", "111.16", "4.0b")
@pytest.mark.parametrize(
    ("score", "rules", "winner"),
    [
        ({"german": 3, "american": 2}, {}, "german"),
        ({"german": 2, "american": 3}, {}, "american"),
        ({"german": 2, "american": 2}, {}, ""),
        ({"german": 2, "american": 2}, {"tie": "german"}, "german"),
        ({"german": 2, "american": 2}, {"tie": "draw"}, ""),
        ({"german": 2, "american": 3}, {"lead": {"american": 2}, "tie": "german"}, "german"),
        ({"german": 2, "american": 4}, {"lead": {"american": 2}, "tie": "german"}, "american"),
        ({"german": 9, "american": 0}, {"otherwise": "american"}, "american"),
        ({"german": 9, "american": 0}, {"otherwise": "draw"}, ""),
    ],
)
def test_points_leads_ties_and_otherwise(score: dict[str, int], rules: dict[str, Any], winner: str) -> None:
    assert won(ends(score=score, victory=rules)) == winner


@rule("ost", "64.10", "111.15")
def test_conditions_of_the_end_come_before_points() -> None:
    """The Canal Bridge: the British win at the end with the bridge and at least as many Casualty Points."""
    rules = {"win": [{"side": "american", "owns": "D4", "casualties": 0}], "otherwise": "german"}
    kept: dict[str, Any] = {"victory": rules, "score": {"german": 9}}
    assert won(ends(control={"D4": "american"}, **kept)) == "american"
    assert won(ends(control={"D4": "german"}, **kept)) == "german"
    assert won(ends(control={"D4": "american"}, casualties={"german": 1}, **kept)) == "german"


@rule("ost", "64.10", "111.12")
def test_sudden_death_at_the_end_of_a_turn() -> None:
    present = {"units": ["squad", "tank"], "hexes": "A1-J3", "good_order": True}
    rules = {"win": [{"side": "german", "when": "turn", "owns": "D4", "present": present, "reason": "The bridge!"}]}

    def after_a_turn(*units: str, owner: str = "german") -> Session:
        return position(
            *units, "a1 us_rifle I7", phase="score", turn=5, control={"D4": owner}, victory=rules, dice=START
        )

    session = after_a_turn("g1 ger_rifle B2")
    assert won(session) == "german" and session.result is not None and session.result.reason == "The bridge!"
    assert not after_a_turn("g1 ger_rifle B2", owner="american").over
    assert not after_a_turn("g1 ger_rifle B5").over  # not there
    assert not after_a_turn("g1 ger_hmg42 B2").over  # not of the kind
    shaken = position(
        "g1 ger_rifle B2 shaken",
        "a1 us_rifle I7",
        phase="score",
        turn=5,
        control={"D4": "german"},
        victory=rules,
        dice=(1, 1, *START),
    )
    assert not shaken.over  # not in good order


@rule("ost", "64.11")
@pytest.mark.parametrize(
    ("left", "over"),
    [
        ("", True),
        ("a2 us_sgt A8", False),  # a single person is a unit (8.0b)
        ("a2 us_crew A8", False),
        ("a2 us_at57 A8 unmanned", True),  # nobody mans it
        ("a2 us_rifle - due=2 entry=J8", False),  # still to come
        ("a2 us_rifle J8 status=exited", False),  # gone, but not destroyed (M-15)
    ],
)
def test_a_side_wins_at_once_when_it_has_destroyed_all_enemies(left: str, over: bool) -> None:
    session = position("g1 ger_rifle D3", "a1 us_rifle D5", *([left] if left else []), dice=(6, 6), turn=9)
    answer(session, "fire g1", "at a1 own")
    assert session.over is over
    if over:
        assert won(session) == "german" and session.result is not None and session.result.rule == "64.11"


def test_when_nobody_is_left_the_conditions_decide() -> None:
    session = position("g1 ger_rifle D3 status=lost", "a1 us_rifle D5 status=lost", phase="play")
    assert not victory.annihilation(battle(session)) and not session.over


@rule("ost", "111.15", "111.16", "2.0b")
def test_the_last_turn_is_played_to_its_end_before_the_victor_is_named() -> None:
    """Melees, clean-up and scoring of the last turn still count."""
    session = position(
        *UNITS,
        turn=1,
        points={"german": 1, "american": 0},
        control={"D4": "german"},
        victory={"control": [{"hexes": "D4", "points": 1, "when": "turn"}], "tie": "american"},
        dice=(1, 1),
    )
    answer(session, "burn")
    assert won(session) == "german" and state(session).victory["german"] == 1


# ---- what is told, and borders -----------------------------------------------------------------------------


@rule("ost", "4.0", "5.0", "64.10", "65.3", "78.1")
def test_points_are_told_with_where_they_come_from_and_their_rules() -> None:
    rules = {
        "control": [{"hexes": "D4", "points": 3}],
        "casualties": [{"per": 5, "points": 2, "sides": ["american"]}],
        "exit": [{"side": "german", "units": ["tank"], "points": 4}],
    }
    session = ends(
        *UNITS,
        "g2 ger_pz4h J4 status=exited",
        "a2 us_m4a1 A4 status=exited",
        control={"D4": "german"},
        casualties={"american": 10, "german": 10},
        victory=rules,
    )
    assert [(e.side, e.points, e.place, e.rules) for e in happened(session, turn_events.VictoryScored)] == [
        ("german", 3, "D4", ("65.3", "4.0")),
        ("american", 4, "10 Casualty Points", ("5.0", "64.10")),
        ("german", 4, "g2", ("78.1", "64.10")),
    ]
    (over,) = happened(session, turn_events.Ended)
    assert (over.side, over.winner, over.rules) == ("german", "german", ("111.16",))
    assert over.why == "Victory Points: German 7, American 4"


@rule("ost", "78.1", "64.10")
def test_exits_without_kinds_or_hexes_count_all_units_of_the_side() -> None:
    session = ends(
        *UNITS,
        "g2 ger_pz4h J4 status=exited",
        "g3 ger_rifle A5 status=exited",
        "a2 us_rifle A4 status=exited",
        victory={"exit": [{"side": "german", "units": [], "points": 1}]},
    )
    assert state(session).victory == {"german": 2, "american": 0}


@rule("ost", "64.10", "111.16")
@pytest.mark.parametrize(
    ("kept", "why", "cited"),
    [
        ({"victory": {"otherwise": "american"}}, "so the battle goes to the American side", "64.10"),
        ({"victory": {"otherwise": "draw"}}, "so the battle is a draw", "64.10"),
        ({"victory": {"win": [{"side": "german", "casualties": 0}]}}, "German has met its victory condition", "64.10"),
        ({"score": {"german": 2, "american": 3}}, "Victory Points: German 2, American 3", "111.16"),
        ({"score": {"german": 2, "american": 2}}, "Victory Points: German 2, American 2", "111.16"),
    ],
)
def test_the_end_gives_its_reason_and_its_rule(kept: dict[str, Any], why: str, cited: str) -> None:
    session = ends(**kept)
    assert session.result is not None and why in session.result.reason and session.result.rule == cited


@rule("ost", "64.11")
def test_annihilation_gives_its_reason() -> None:
    session = position("g1 ger_rifle D3", "a1 us_rifle D5", dice=(6, 6), turn=9)
    answer(session, "fire g1", "at a1 own")
    assert session.result is not None and session.result.reason == "German has destroyed all enemy units"
    assert victory.annihilation(battle(session)) and len(happened(session, turn_events.Ended)) == 1


@rule("ost", "64.10", "65.5")
@pytest.mark.parametrize(
    ("casualties", "melees", "options", "winner"),
    [
        ({"american": 2, "german": 0}, [], {}, "american"),
        ({"american": 1, "german": 0}, [], {}, "german"),
        ({"american": 3, "german": 1}, [], {}, "american"),
        ({"american": 3, "german": 2}, [], {}, "german"),
        ({"american": 2}, ["D4 german"], {}, "german"),
        ({"american": 2}, ["D4 german"], {"contested_scores": True}, "american"),
    ],
)
def test_a_condition_wants_its_lead_exactly_and_hexes_that_are_not_contested(
    casualties: dict[str, int], melees: list[str], options: dict[str, Any], winner: str
) -> None:
    rules = {"win": [{"side": "american", "owns": "D4", "casualties": 2}], "otherwise": "german"}
    here = ("g1 ger_rifle D4", "a1 us_rifle D4") if melees else UNITS
    kept: dict[str, Any] = {"melees": melees, "options": options, "control": {"D4": "american"}}
    assert won(ends(*here, casualties=casualties, victory=rules, **kept)) == winner


@rule("ost", "64.10")
@pytest.mark.parametrize(
    ("units", "winner"),
    [
        (("g1 ger_rifle B2", "g2 ger_rifle B3"), "german"),
        (("g1 ger_rifle B2", "g2 ger_rifle B5"), "american"),
        (("g1 ger_rifle B2", "g2 ger_rifle B3 shaken"), "german"),
        (("g1 ger_rifle B2", "g2 ger_rifle B3 status=exited"), "american"),
        (("g1 ger_rifle B2", "a2 us_rifle B3"), "american"),
        (("g1 ger_pz4h B2 f=1", "g2 ger_hmg42 B3"), "american"),
        (("g1 ger_pz4h B2 f=1", "g2 ger_rifle B3"), "german"),
    ],
)
def test_so_many_of_a_kind_must_be_there(units: tuple[str, ...], winner: str) -> None:
    present = {"units": ["squad", "tank"], "hexes": "A1-J3", "at_least": 2}
    rules = {"win": [{"side": "german", "present": present}], "otherwise": "american"}
    assert won(ends(*units, "a1 us_rifle I7", victory=rules)) == winner


@rule("ost", "64.10")
def test_a_condition_of_the_turn_is_none_of_the_end_and_one_without_good_order_wants_none() -> None:
    present = {"hexes": "A1-J3"}
    turn = {"win": [{"side": "german", "when": "turn", "present": present}], "otherwise": "american"}
    assert won(ends(victory=turn)) == "american"
    end = {"win": [{"side": "german", "present": present}], "otherwise": "american"}
    assert won(ends("g1 ger_rifle B2 broken", "a1 us_rifle I7", victory=end)) == "german"
