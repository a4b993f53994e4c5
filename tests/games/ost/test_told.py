"""Whatever happens is told: the events of actions, with who, where and by which rule."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.events import Event
from grognard.core.session import Session
from grognard.games.ost import combat_events, fortifications, move_events, turn_events, vehicle_movement
from tests.games.ost.fray import Fray
from tests.games.ost.fray import unit as fighter
from tests.games.ost.helpers import answer, battle, happened, position, unit
from tests.games.ost.marches import march
from tests.games.ost.shots import NOTHING

rule = pytest.mark.rule


def told(session: Session, event_type: type[Event], /, **fields: Any) -> list[Event]:
    """The events of a kind in which these fields are so."""
    found = happened(session, event_type)
    return [event for event in found if all(getattr(event, name) == value for name, value in fields.items())]


@rule("ost", "33.1", "33.2", "33.3", "10.2", "20mo.11")
def test_smoke_is_told_by_its_age() -> None:
    session = march("g1 ger_pioneer D4")
    answer(session, "engineer_smoke g1", "smoke E5")
    (placed,) = happened(session, move_events.Placed)
    assert (placed.side, placed.kind, placed.place, placed.rules) == ("german", "smoke", "E5", ("10.2", "33.6"))
    oba = march("g1 ger_rifle D4", assets={"german": {"mortars": 1}}, dice=(6,))
    answer(oba, "oba mortars", "hex G5", "smoke")
    kinds = {event.place: event.kind for event in happened(oba, move_events.Placed)}
    assert kinds.pop("G5") == "smoke" and set(kinds.values()) == {"smoke 2"} and len(kinds) == 6
    mortar = march("g1 ger_rifle D2 with=ger_mortar50", dice=(6,))
    answer(mortar, "fire g1", "smoke w1", "hex D6")
    assert told(mortar, move_events.Placed, kind="smoke", place="D6", rules=("20mo.11", "33.6"))


@rule("ost", "20mo.11", "20mo.5")
def test_smoke_that_drifts_off_the_map_is_lost() -> None:
    session = march("g1 ger_rifle D5 with=ger_mortar50", dice=(1, 1))
    answer(session, "fire g1", "smoke w1", "hex D1")
    assert not happened(session, move_events.Placed) and told(session, combat_events.StrikeLost, place="D1")
    assert unit(session, "g1").fired == 1


@rule("ost", "20sc.1", "20mo.3")
def test_throws_are_declared() -> None:
    satchel = march("g1 ger_pioneer D4 with=ger_satchel", "a1 us_rifle D5", dice=NOTHING)
    answer(satchel, "fire g1", "satchel w1 D5")
    assert told(satchel, turn_events.Declared, unit="g1", what="throws a satchel into", place="D5", rules=("20sc.1",))
    mortar = march("g1 ger_rifle D1 with=ger_mortar50", "a1 us_rifle D6", dice=(6, *NOTHING))
    answer(mortar, "fire g1", "shell w1 D6")
    assert told(mortar, turn_events.Declared, unit="g1", what="fires its mortar at", place="D6", rules=("20mo.3",))


@rule("ost", "19.2", "19.3")
@pytest.mark.parametrize("how", ["", " destroy"])
def test_a_gun_that_is_left_is_told_of(how: str) -> None:
    session = march("g1 ger_pak40 D4 f=3 new_hex moved manned_by=ger_ss")
    answer(session, f"abandon g1{how}")
    (left,) = told(session, move_events.GunLeft, gun="g1", rules=("19.2", "19.3"))
    assert bool(told(session, move_events.Unmanned, unit="g1", place="D4", rules=("19.2",))) is not bool(how)
    assert bool(told(session, move_events.Removed, place="D4", rules=("19.2",))) is bool(how)
    assert unit(session, left.unit).new_hex, "the squad came here this turn, and so it stays"  # type: ignore[attr-defined]


@rule("ost", "10.2", "10.4", "28.8", "74.6", "33.6", "73.6")
def test_engineers_work_marks_them_and_shows_them() -> None:
    works = {"works": ["bunker D4 german"]}
    for key, more, rules in (
        (("engineer_smoke g1", "smoke D5"), "", ("33.6",)),
        (("clear g1 mines",), "", ("10.4",)),
        (("demolish g1",), "inside", ("28.8",)),
    ):
        for flags, marker in (("", "Fired"), ("moved", "Used")):
            ground: dict[str, Any] = works if more else {"mines": ["D4 american revealed"]}
            session = march(f"g1 ger_pioneer D4 hidden {more} {flags}", **ground)
            answer(session, *key)
            (marked,) = told(session, turn_events.Marked, unit="g1", marker=marker)
            assert marked.rules == (*rules, "88.8" if marker == "Fired" else "74.6")
            assert not unit(session, "g1").hidden and told(session, move_events.Revealed, unit="g1")
            assert session.ask is not None and session.ask.side == "german" and session.ask.quiet, "the next Impulse"


@rule("ost", "30.6", "31.4", "27.4")
@pytest.mark.parametrize(("obstacle", "cited"), [("wire", "30.6"), ("roadblock", "31.4"), ("mines", "27.4")])
def test_what_engineers_clear_is_told(obstacle: str, cited: str) -> None:
    ground = {"mines": ["D4 american revealed"]} if obstacle == "mines" else {"works": [f"{obstacle} D4 american"]}
    session = march("g1 ger_pioneer D4", **ground)
    answer(session, f"clear g1 {obstacle}")
    assert told(session, turn_events.Declared, unit="g1", what=f"clears the {obstacle} in", place="D4", rules=("10.4",))
    fortifications.clear_obstacles(battle(session))
    (removed,) = [event for event in battle(session).log if isinstance(event, move_events.Removed)]
    assert (removed.kind, removed.place, removed.rules) == (obstacle, "D4", ("10.4", cited))


@rule("ost", "78.1", "78.3", "77.3", "77.6", "77.8")
def test_coming_going_and_sticking_are_told() -> None:
    out = march("g1 ger_rifle A4", exit={"german": "A4"})
    answer(out, "move g1", "exit A4")
    assert told(out, move_events.Exited, unit="g1", place="A4", rules=("78.1",)) and unit(out, "g1").moved
    into = march("g1 ger_rifle - due=5 entry=A4", "g2 ger_rifle D4")
    answer(into, "enter g1")
    assert told(into, move_events.Entered, unit="g1", place="A4", rules=("78.3",))
    stuck = march("g1 ger_truck D4 f=2", terrain={"farm": "E4"}, dice=(1,))
    answer(stuck, "move g1", "step E4")
    assert told(stuck, move_events.Bogged, unit="g1", rules=("77.3",))
    for face, kind, cited in ((3, move_events.Freed, "77.6"), (1, move_events.Immobilized, "77.8")):
        session = march("g1 ger_truck D4 f=2 bogged", dice=(face,))
        vehicle_movement.free_bogged(battle(session))
        assert [(type(event), event.rules) for event in battle(session).log[1:]] == [(kind, (cited,))]
    stays = march("g1 ger_truck D4 f=2 bogged", dice=(2,))
    vehicle_movement.free_bogged(battle(stays))
    assert len(battle(stays).log) == 1, "the roll alone"


@rule("ost", "28.5", "29.5", "57.1")
@pytest.mark.parametrize(
    ("flags", "verb", "what", "cited", "ground"),
    [
        ("", "inside", "enters the bunker in", "28.5", {"works": ["bunker D4 german"]}),
        ("inside", "outside", "leaves the bunker in", "28.5", {"works": ["bunker D4 german"]}),
        ("", "inside", "enters the pillbox in", "29.5", {"works": ["pillbox D4 german facing=1"]}),
        ("", "road", "takes to the road in", "57.1", {"buildings": ["light_structure D4"], "roads": ["D3, D4, D5"]}),
        (
            "on_road",
            "building",
            "enters the building in",
            "57.1",
            {"buildings": ["light_structure D4"], "roads": ["D3, D4, D5"]},
        ),
    ],
)
def test_going_in_and_out_is_told_and_is_a_move(
    flags: str, verb: str, what: str, cited: str, ground: dict[str, Any]
) -> None:
    session = march(f"g1 ger_rifle D4 {flags}", **ground)
    answer(session, "move g1")
    (option,) = [option for option in session.ask.options if option.key == verb]  # type: ignore[union-attr]
    assert option.rule == cited and option.label
    answer(session, verb)
    assert told(session, turn_events.Declared, unit="g1", what=what, place="D4", rules=(cited,))
    assert unit(session, "g1").moved and not unit(session, "g1").new_hex


@rule("ost", "103.1", "103.2")
def test_a_concentrated_attack_is_declared() -> None:
    fray = Fray(
        fighter("us_rifle", "a1"),
        fighter("us_rifle", "a2"),
        fighter("ger_rifle", "g1"),
        dice="1 1 1 1",
    ).fight("concentrate a2")
    (declared,) = fray.events(turn_events.Declared)
    assert (declared.side, declared.unit, declared.target) == ("german", "g1", "a2")
    assert [(roll.side, roll.unit) for roll in fray.rolls()] == [("american", "g1"), ("german", "a2")]


@rule("ost", "81.10", "81.2")
def test_rolling_cover_that_ends_by_a_loss_is_told_as_over() -> None:
    session = position(
        "g1 ger_pz4h D4 f=4 partner=g2",
        "g2 ger_rifle D4 reduced partner=g1",
        "a1 us_rifle D6",
        active="american",
        dice=(6, 6),
    )
    answer(session, "fire a1", "at g2 own")
    (over,) = happened(session, move_events.RollingCover)
    assert not over.on and over.rules == ("81.10",)
    assert unit(session, "g1").partner == unit(session, "g2").partner == ""


@rule("ost", "82.1", "82.4", "74.6")
def test_an_assault_is_declared_and_marked() -> None:
    for flags, marker, cited in (("", "Assaulted", "82.4"), ("moved", "Used", "74.6")):
        session = march(f"g1 ger_rifle D4 {flags}", "a1 us_rifle D5")
        answer(session, "assault g1 D5")
        assert told(session, turn_events.Declared, unit="g1", what="assaults", place="D5", rules=("82.1",))
        assert told(session, turn_events.Marked, unit="g1", marker=marker, rules=(cited,))


@rule("ost", "75.3", "74.6")
def test_a_move_is_marked() -> None:
    for flags, marker, cited in (("", "Moved", "75.3"), ("fired", "Used", "74.6")):
        session = march(f"g1 ger_rifle D4 {flags}")
        answer(session, "move g1", "step D5", "stop")
        assert told(session, turn_events.Marked, unit="g1", marker=marker, rules=(cited,))


@rule("ost", "5.1", "5.2", "5.5", "5.8", "5.9", "94.1", "94.2")
@pytest.mark.parametrize(
    ("kind", "flags", "cited"),
    [
        ("us_rifle", "", "5.1"),
        ("us_rifle", "reduced", "5.2"),
        ("us_crew", "", "5.5"),
        ("us_sgt", "", "5.8"),
        ("us_sniper", "", "5.9"),
    ],
)
def test_points_cite_what_was_lost(kind: str, flags: str, cited: str) -> None:
    session = position("g1 ger_rifle D3", f"a1 {kind} D5 {flags}", "a9 us_rifle H8", dice=(6, 6))
    answer(session, "fire g1", "at a1 own")
    (scored,) = happened(session, turn_events.Scored)
    assert (scored.side, scored.unit, scored.rules) == ("german", "a1", (cited,))
    (gone,) = happened(session, combat_events.Eliminated)
    assert gone.rules[0] == ("94.1" if not flags and kind == "us_rifle" else gone.rules[0])


@rule("ost", "5.6", "5.7", "99.5")
@pytest.mark.parametrize(("kind", "cited"), [("us_truck", "5.6"), ("us_m3a1ht", "5.7")])
def test_points_for_transports_cite_their_rule(kind: str, cited: str) -> None:
    session = position("g1 ger_pak40 D3 f=4", f"a1 {kind} D5 f=1", "a9 us_rifle H8", dice=(6, 5, 6, 6))
    answer(session, "fire g1", "at a1 main")
    (scored,) = happened(session, turn_events.Scored)
    assert (scored.points, scored.rules) == (1, (cited, "99.5"))


# ---- all that is told of an action, in order -----------------------------------------------------------------


def all_told(session: Session, *keys: str) -> list[str]:
    """What an action tells beside rolls and answers: the kind of event, what it says, and its rules."""
    start = len(session.log)
    answer(session, *keys)
    lines = []
    for event in session.log[start:]:
        fields = {name: getattr(event, name) for name in event.__struct_fields__ if name not in ("rules", "seen_by")}
        said = [f"{value}" for name, value in fields.items() if value not in ("", (), False) and name != "shows"]
        if type(event).__name__ not in ("Asked", "Rolled"):
            lines.append(" ".join([type(event).__name__, *said, *event.rules]))
    return lines


ATTACH = {"phase": "attach", "dice": (6, 6, 1, 1, 3, 3, 3, 3)}
AFTER_ATTACH = [
    "Phase Free Rally and Bog rolls 5 111.6",
    "Phase Initiative 5 111.7",
    "Initiative german (12, 2) 66.2",
    "Impulses german 6 67.4 111.8",
    "Impulses american 6 67.4 111.8",
    "Phase Play 5 111.9",
]


@rule("ost", "79.8", "79.9", "79.11", "79.12", "75.3", "67.2")
def test_loading_and_unloading_are_told() -> None:
    up = march("g1 ger_truck D4 f=1", "g2 ger_rifle D4", "g3 ger_sgt D4 attached=g2")
    assert all_told(up, "move g2", "load g1") == [
        "Spent german 1 8 67.2",
        "Loaded german g2 g1 79.8",
        "Marked german g2 Moved 75.3",
    ]
    down = march("g1 ger_truck D4 f=1", "g2 ger_pak40 D4 aboard=g1")
    assert all_told(down, "move g2", "unload", "face 3") == [
        "Spent german 1 8 67.2",
        "Unloaded german g2 g1 79.9 79.11",
        "Turned german g2 3 south-east 79.12",
        "Marked german g2 Moved 75.3",
    ]


@rule("ost", "15.1", "15.3", "20.13", "111.3", "66.2", "67.4", "111.8")
def test_the_attach_phase_and_what_follows_are_told() -> None:
    session = march("g1 ger_rifle D4 with=ger_lmg", "g2 ger_sgt D4", "g3 ger_rifle D4", **ATTACH)
    assert all_told(session, "attach g2 g3", "give w1 g3") == [
        "Attached german g2 g3 15.1 15.3",
        "WeaponTaken german g3 w1 20.13",
        *AFTER_ATTACH,
    ]
    left = march("g1 ger_rifle D4", "g2 ger_sgt D4 attached=g1", **ATTACH)
    assert all_told(left, "detach g2") == ["Detached german g2 15.1", *AFTER_ATTACH]


@rule("ost", "15.5", "78.3", "78.4", "75.3")
def test_entering_with_a_leader_is_told() -> None:
    session = march("g1 ger_rifle - due=5 entry=A4", "g2 ger_sgt - due=5 entry=A4", "g3 ger_rifle D5")
    assert all_told(session, "enter g1", "with g2", "stop") == [
        "Attached german g2 g1 15.5",
        "Spent german 1 8 78.4",
        "Entered german g1 A4 78.3",
        "Marked german g1 Moved 75.3",
    ]


@rule("ost", "17.3", "17.5", "17.10", "75.1", "36.2")
def test_what_becomes_of_an_unmanned_gun_is_told() -> None:
    came = ["Spent german 1 8 67.2", "Moved german g1 D4 D5 1 75.1 36.2"]
    manned = march("g1 ger_rifle D4 with=ger_lmg", "p1 us_at57 D5 unmanned f=1")
    assert all_told(manned, "move g1", "step D5", "man p1") == [
        *came,
        "WeaponLeft german w1 D5 17.3",
        "Manned german g1 p1 True 17.3 17.5",
        "Marked german p1 Moved 75.3",
    ]
    gone = march("g1 ger_rifle D4", "p1 us_at57 D5 unmanned f=1")
    assert all_told(gone, "move g1", "step D5", "destroy p1") == [*came, "Removed german 57mm M1 ATG p1 D5 17.10"]


@rule("ost", "94.1", "91.2", "20.10", "20.8", "15.12", "88.8", "5.1", "5.8")
def test_the_end_of_a_squad_is_told_with_its_leader_and_its_weapon() -> None:
    fired = ["Spent german 1 8 88.1", "Declared german g1 fires at a1 88.1"]
    squad = ("g1 ger_rifle D4", "a1 us_rifle D6 with=us_bar", "a2 us_sgt D6 attached=a1")
    killed = march(*squad, "a3 us_rifle D6", dice=(6, 6, 1))
    assert all_told(killed, "fire g1", "at a1 own") == [
        *fired,
        "Eliminated american a2 91.2",
        "Scored german 1 a2 5.8",
        "Eliminated american a1 94.1 88.1",
        "Scored german 2 a1 5.1",
        "WeaponTaken american a3 w1 20.10",
        "Marked german g1 Fired 88.8",
    ]
    alone = march(*squad, dice=(6, 6, 6))
    assert all_told(alone, "fire g1", "at a1 own") == [
        *fired,
        "Eliminated american a1 94.1 88.1",
        "Scored german 2 a1 5.1",
        "WeaponLeft american w1 D6 20.8",
        "Detached american a2 15.12",
        "Marked german g1 Fired 88.8",
    ]


@rule("ost", "111.5", "64.9")
@pytest.mark.parametrize(("face", "gained"), [(4, ["AssetGained german air 2 111.5 64.9"]), (3, [])])
def test_a_roll_of_the_scenario_is_told_by_what_it_brings(face: int, gained: list[str]) -> None:
    session = position(
        "g1 ger_rifle D4",
        "a1 us_rifle H8",
        phase="rolls",
        roll=[{"side": "german", "assets": {"air": 2}, "at_least": 4}],
        dice=(face, *ATTACH["dice"]),  # type: ignore[misc]
    )
    kinds = [event for event in session.log if isinstance(event, turn_events.AssetGained)]
    assert [f"AssetGained {e.side} {e.kind} {e.count} {' '.join(e.rules)}" for e in kinds] == gained


@rule("ost", "67.1", "67.2")
@pytest.mark.parametrize(("points", "said"), [(2, "2 points left"), (1, "1 point left")])
def test_an_impulse_says_how_many_points_are_left(points: int, said: str) -> None:
    session = march("g1 ger_rifle D4", points={"german": points, "american": 0})
    assert session.ask is not None and session.ask.prompt == f"Your Impulse ({said})"
