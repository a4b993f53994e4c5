"""Stories: chapters of the rules played in one go, with everything that happens (see `story`).

They guard against changes that nobody meant. They name no rule as proved: what they say was written by the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from grognard.core.ask import Ask
from grognard.games.bolt_action import (
    advance_and_run,
    bailing_out,
    barrages_and_aircraft,
    buildings,
    casualties,
    close_quarters,
    collapse,
    fubar,
    high_explosive,
    morale,
    orders,
    pins,
    reactions,
    regroup,
    transports,
    turn,
    unit_sheets,
    vehicle_assault,
    victory,
)
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.casualties import Toll
from grognard.games.bolt_action.deployment import Deployment
from grognard.games.bolt_action.shooting import declaring, procedure, targets
from grognard.games.bolt_action.state import ORDERS, Strike, Unit
from grognard.kits.table.victory import result
from tests.games.bolt_action import story
from tests.games.bolt_action.play import box, field, piece, play, unit
from tests.games.bolt_action.test_setup import begin

#: Faces of dice in no order, for whatever is thrown.
DICE = (4, 2, 6, 1, 5, 3, 6, 6, 2, 5, 1, 4, 3, 5, 2, 6, 4, 1, 3, 5) * 40


def place(*units: dict[str, Any], dice: tuple[int, ...] = DICE, **head: Any) -> BoltBattle:
    head.setdefault("sides", ["american", "german"])
    return field(*units, dice=dice, **head)


def us(kind: str, id: str, at: tuple[float, float] | None = None, **more: Any) -> dict[str, Any]:
    return unit(f"us_{kind}", id, at, **more)


def ger(kind: str, id: str, at: tuple[float, float] | None = None, **more: Any) -> dict[str, Any]:
    return unit(f"ger_{kind}", id, at, **{"heading": 180, **more})


FARM = box("building", 30, 18, 36, 24, id="farm")


# ---- who may do what: tables of bars -----------------------------------------------------------------


def mixed() -> BoltBattle:
    """Units of every sort on ground of many sorts."""
    return place(
        us("squad", "a1", (20, 30)),
        us("mmg", "a2", (34, 33)),
        us("57mm", "a3", (44, 34), dug_in=True),
        us("truck", "a4", (52, 32)),
        us("m4", "a5", (60, 34)),
        us("squad10", "a6", aboard="a4"),
        us("2lt", "a7", building="farm"),
        us("mortar_medium", "a8", (8, 40)),
        us("bazooka", "a9", (26, 25), pins=1),
        us("57mm", "b1", (50, 42)),
        us("observer", "b2", (40, 44)),
        us("sniper", "b3", (12, 28), pins=2),
        us("jeep", "b4", (30, 44), moved=1, moving=True),
        us("m8", "b5", (66, 22), immobilised=True),
        us("rangers", "b6", status="reserve"),
        ger("grenadiers", "g1", (20, 20)),
        ger("mmg", "g2", (34, 12)),
        ger("pak40", "g3", (48, 12)),
        ger("sdkfz251", "g4", (58, 20)),
        ger("panzer4", "g5", (66, 12), die="run"),
        ger("truck", "g6", (10, 18)),
        ger("panzerschreck", "g7", (27, 21), die="down"),
        ger("pioneers", "g8", aboard="g4"),
        ger("flamethrower", "g9", (40, 28)),
        terrain=[
            FARM,
            box("woods", 4, 8, 16, 16),
            piece("hedge", (16, 24), (24, 24)),
            piece("stone_wall", (44, 26), (58, 26)),
            piece("bocage", (62, 4), (70, 4)),
            box("building", 40, 16, 46, 22, id="inn"),
        ],
    )


@pytest.mark.parametrize("name", ["assaults", "shots", "shots_moved", "riders", "orders", "buildings"])
def test_who_may_do_what(name: str) -> None:
    battle = mixed()
    ours = [each.id for each in battle.units("american", on_table=False)]
    theirs = [each.id for each in battle.units("german", on_table=False)]
    told: list[str] = []
    if name == "assaults":
        told += story.bars(battle, close_quarters.bar, *ours, others=theirs)
        told += story.bars(battle, close_quarters.bar, *theirs, others=ours)
        told += [
            story.option(close_quarters.option(battle, one, foe))
            for one in battle.units()
            for foe in close_quarters.targets(battle, one)
        ]
    elif name.startswith("shots"):
        moved = name == "shots_moved"
        told += story.bars(battle, targets.bar, *ours, others=theirs, moved=moved)
        told += story.bars(battle, targets.bar, *theirs, others=ours, moved=moved)
        for one in battle.units():
            told += map(story.option, declaring.options(battle, one, moved))
            for how in ("", "ambush"):
                borne = [foe.id for foe in battle.enemies(one.side) if targets.bears(battle, one, foe, how)]
                told.append(f"{one.id} bears {how}: {borne}")
    elif name == "riders":
        for order in ("advance", "run"):
            told += story.bars(battle, transports.bar_board, *ours, others=["a4", "b4", "a5", "g4"], order=order)
        told += story.bars(battle, transports.bar_aboard, *theirs, others=["g4", "g6", "g5"])
        told += [f"stranded: {[one.id for one in transports.stranded(battle)]}"]
    elif name == "orders":
        for one in battle.units(on_table=False):
            bar = orders.bar_unit(battle, one)
            told += [f"{one.id}: {'yes' if bar is None else bar.say()}"]
            for order in ORDERS:
                bar = orders.bar(battle, one, order)
                told += [f"{one.id} {order}: {'yes' if bar is None else bar.say()}"]
            told += map(story.option, orders.options_orders(battle, one))
            ask = Ask(one.side, "", list(orders.options_orders(battle, one)))
            told += [f"hints: {orders.hints(battle, ask)}; needs courage: {_daunting(battle, one)}"]
        for side in battle.sides:
            told += map(story.option, orders.options_units(battle, side))
    else:
        for one in battle.units():
            for house in ("farm", "inn"):
                bar = buildings.bar_occupy(battle, one, house)
                told += [f"{one.id} {house}: {'yes' if bar is None else bar.say()}"]
    story.check(f"bars_{name}", told)


def _daunting(battle: BoltBattle, one: Unit) -> list[str]:
    return [foe.id for foe in battle.enemies(one.side) if vehicle_assault.needs_test(battle, one, foe)]


@pytest.mark.parametrize(("at", "runs"), [((22, 38), True), ((32, 42), False)])
def test_what_counts_is_the_wood_and_not_the_box_about_it(at: tuple[float, float], runs: bool) -> None:
    wood = piece("woods", (20, 44), (40, 34), (40, 44))
    battle = place(us("2lt", "a1", at), us("57mm", "a2", (50, 30)), ger("2lt", "g1", (4, 4)), terrain=[wood])
    one = battle.unit("a1")
    bar = orders.bar(battle, one, "run")
    assert (bar is None, bar.rule if bar else "") == ((True, "") if runs else (False, "9.6"))


def test_nobody_there() -> None:
    """No enemy to shoot at, no check for a vehicle, no pin for a unit without men, and both sides gone at once."""
    battle = place(us("squad", "a1", (20, 40)), us("truck", "a2", (40, 40)), ger("2lt", "g1", status="reserve"))
    assert not targets.has_target(battle, battle.unit("a1"))
    assert not casualties.must_check(battle, battle.unit("a2"), 1, 1)
    battle.unit("g1").models = []
    pins.add(battle, battle.unit("g1"), 2, "6.1")
    assert battle.unit("g1").pins == 0 and not battle.log
    for one in battle.units(on_table=False):
        one.status = "lost"
    assert victory.wiped_out(battle)
    over = result(battle)
    assert over is not None and (over.winner, over.reason[:8], over.rule) == ("", "0 points", "28.4")


@pytest.mark.parametrize("face", [1, 6])
def test_a_heavy_tank_drives_down_a_house(face: int) -> None:
    house = box("building", 30, 18, 36, 24, id="hut", soft=True)
    battle = place(
        us("2lt", "a1", (60, 44)), ger("tiger", "g1", (33, 30), heading=0), terrain=[house], dice=(face, *DICE)
    )
    told = list(story.tell(battle, advance_and_run.move(battle, battle.unit("g1"), "advance"), "demolish hut", "#0"))
    told += [str(battle.table.kind(battle.table.by_id["hut"])), str(battle.state.changed)]
    story.check(f"demolish_{face}", [*told, *story.units(battle)])


def test_on_which_ground_whom_is_set_up() -> None:
    """For each kind of terrain: whether its cover is looked for, and to whom it is closed."""
    units = [us("squad", "a1", (20, 40)), us("57mm", "a2", (30, 40)), us("truck", "a3", (40, 40))]
    units += [us("m3_halftrack", "a4", (50, 40)), us("m4", "a5", (60, 40))]
    kinds = list(place(*units, ger("2lt", "g1", (2, 2))).table.kinds)
    told = []
    for kind in kinds:
        linear = place(*units, ger("2lt", "g1", (2, 2))).table.kinds[kind].linear
        ground = piece(kind, (30, 10), (36, 10), id="x") if linear else box(kind, 30, 8, 36, 14, id="x")
        battle = place(*units, ger("2lt", "g1", (2, 2)), terrain=[ground])
        rules, found = Deployment(battle), battle.table.pieces[0]
        words = [rules.closed(one, one.models[0], found) or "open" for one in battle.units("american")]
        told.append(f"{kind}: {'shelter' if rules.shelters(battle.table.kind(found)) else 'none'}; {', '.join(words)}")
        told += [
            f"  {one.id}: {rules.why_closed(one, one.models[0], found).say()}"
            for one in battle.units("american")
            if rules.closed(one, one.models[0], found)
        ]
    story.check("set_up_ground", told)


# ---- setting up, turns, the end ----------------------------------------------------------------------


def test_setting_up() -> None:
    ground = [
        box("woods", 6, 38, 16, 46),
        box("building", 40, 38, 46, 44, id="farm"),
        piece("hedge", (20, 38), (32, 38)),
        box("marsh", 56, 38, 64, 46),
        box("pond", 66, 40, 70, 44),
    ]
    ours = [
        {"kind": "us_squad", "id": "a1"},
        {"kind": "us_57mm", "id": "a2"},
        {"kind": "us_truck", "id": "a3"},
        {"kind": "us_mmg", "id": "a4"},
        {"kind": "us_m4", "id": "a5", "turn": 2, "edge": "bottom"},
    ]
    session = begin(ours, [{"kind": "ger_2lt", "id": "g1"}, {"kind": "ger_mmg", "id": "g2"}], 2, 5, terrain=ground)
    replies = ["unit a3", "#pose", "unit g1", "#pose", "unit a1", "#1", "#pose", "unit a2", "#pose", "building farm"]
    told = list(story.play_on(session, *replies))
    assert isinstance(session.battle, BoltBattle)
    story.check("setting_up", [*told, *story.units(session.battle)])


@pytest.mark.parametrize("turn_number", [2, 6])
def test_the_end_of_a_turn(turn_number: int) -> None:
    battle = place(
        us("squad", "a1", (20, 30), die="ambush", pins=1),
        us("mmg", "a2", (40, 30), die="down", pins=2),
        us("truck", "a3", (50, 20)),
        us("57mm", "a4", (60, 40), die="fire", moving=True),
        us("2lt", "a5", (30, 40), die="down"),
        ger("infantry", "g1", (50, 12), die="run"),
        ger("2lt", "g2", (60, 10), die="ambush"),
        turn=turn_number,
        phase="turn_end",
        lost={"american": ["a8"], "german": ["g8", "g9"]},
        objective=[{"at": [20, 28], "points": 2, "id": "hill"}, {"at": [50, 14], "points": 3, "id": "mill"}],
    )
    told = list(story.tell(battle, turn.end_turn(battle), "#0", "#0", "#0"))
    told += [story.tally(victory.points(battle, side)) for side in battle.sides]
    told += [str(victory.standing(battle)), str(result(battle)), str(battle.state.turn)]
    story.check(f"turn_end_{turn_number}", [*told, *story.units(battle)])


def test_who_finds_no_room_waits_in_reserve() -> None:
    """A zone of 2 by 2 inches: one tank is set up, the other comes on later."""
    text = {"kind": "us_m4", "id": "a1"}, {"kind": "us_m4", "id": "a2"}
    zone = [{"name": "yard", "points": [[0, 36], [2, 36], [2, 38], [0, 38]]}]
    session = begin(list(text), [{"kind": "ger_2lt", "id": "g1"}], 1, 6, 1, 1, our_zone=zone)
    told = list(story.play_on(session, "unit a1", "#0", "#0"))
    assert isinstance(session.battle, BoltBattle)
    story.check("no_room", [*told, *story.units(session.battle)])


def test_the_sheets_of_all_units() -> None:
    story.check("sheets", [str(msgspec.to_builtins(sheet)) for sheet in unit_sheets.units()])


# ---- orders ------------------------------------------------------------------------------------------

ACTOR = us("squad", "a1", (36, 30), pins=2)


@pytest.mark.parametrize("order", [*ORDERS, "refused", "fubar"])
def test_an_order_from_the_die_to_the_deed(order: str) -> None:
    dice = {"refused": (6, 5), "fubar": (6, 6, 2)}.get(order, (3, 3)) + DICE
    battle = place(
        ACTOR,
        us("1lt", "a2", (30, 34)),
        us("mmg", "a3", (44, 34), die="fire"),
        ger("grenadiers", "g1", (36, 20), pins=1),
        ger("mmg", "g2", (46, 14), die="ambush"),
        terrain=[piece("hedge", (28, 24), (44, 24)), box("woods", 48, 20, 56, 30)],
        dice=dice,
    )
    given = order if order in ORDERS else "run"
    replies = {
        "fire": ["pass", "#0", "usual"],
        "advance": ["pass", "#pose", "#0", "usual", "#0"],
        "run": ["assault g1", "pass", "#0", "usual", "usual", "usual"],
        "refused": ["assault g1"],
        "fubar": ["move", "#0", "#0"],
    }.get(order, ["#0"])
    told = list(story.tell(battle, orders.give(battle, battle.unit("a1"), given), *replies))
    story.check(f"order_{order}", [*told, *story.units(battle)])


# ---- close quarters ----------------------------------------------------------------------------------

FIGHTS: dict[str, tuple[dict[str, Any], dict[str, Any], list[dict[str, Any]]]] = {
    "open": (us("squad", "a1", (36, 30)), ger("grenadiers", "g1", (36, 20), pins=2), []),
    "near": (us("paras", "a1", (36, 24)), ger("infantry", "g1", (36, 20), pins=2), []),
    "hedge": (us("squad", "a1", (36, 28)), ger("grenadiers", "g1", (36, 20)), [piece("hedge", (28, 22), (44, 22))]),
    "house": (us("rangers", "a1", (33, 30)), ger("infantry", "g1", building="farm"), [FARM]),
    "gun": (us("squad", "a1", (36, 28)), ger("pak40", "g1", (36, 20)), []),
    "tank": (us("squad", "a1", (36, 28)), ger("panzer4", "g1", (36, 20)), []),
    "half_track": (us("bazooka", "a1", (36, 26)), ger("sdkfz251", "g1", (36, 20), heading=90), []),
    "truck": (us("squad", "a1", (36, 28)), ger("truck", "g1", (36, 20)), []),
    "woods": (us("squad", "a1", (36, 27)), ger("mmg", "g1", (36, 20)), [box("woods", 30, 22, 42, 30)]),
    "short": (us("squad", "a1", (36, 31)), ger("2lt", "g1", (36, 20)), [box("pond", 24, 22, 48, 26)]),
    "fanatics": (us("squad", "a1", (36, 28)), unit("ger_hitlerjugend", "g1", (36, 20), heading=180), []),
    "recce": (us("squad", "a1", (36, 30)), ger("puma", "g1", (36, 20), heading=0), []),
}


@pytest.mark.parametrize("where", FIGHTS)
@pytest.mark.parametrize("dice", [DICE, (1,) * 300, (5, 6, 4) * 100], ids=["mixed", "harmless", "bloody"])
def test_a_fight(where: str, dice: tuple[int, ...]) -> None:
    attacker, target, ground = FIGHTS[where]
    battle = place(attacker, target, us("2lt", "a9", (60, 44)), ger("2lt", "g9", (4, 4)), terrain=ground, dice=dice)
    assert battle.state.turn == 1
    name = {DICE: "mixed", (1,) * 300: "harmless"}.get(dice, "bloody")
    fight = close_quarters.assault(battle, battle.unit("a1"), battle.unit("g1"))
    told = list(story.tell(battle, fight, *["#0"] * 12))
    story.check(f"fight_{where}_{name}", [*told, *story.units(battle)])


@pytest.mark.parametrize(
    ("name", "dice"), [("dares", (1, 1)), ("refuses", (6, 5)), ("fubar", (6, 6, 5)), ("runs", (6, 6, 1))]
)
@pytest.mark.parametrize("kind", ["squad", "mmg", "2lt"])
def test_men_without_anti_tank_weapons_go_for_a_tank(kind: str, name: str, dice: tuple[int, ...]) -> None:
    ours = [us(kind, "a1", (36, 27), pins=1), us("2lt", "a9", (60, 44))]
    battle = place(*ours, ger("panzer4", "g1", (36, 20)), ger("2lt", "g9", (4, 4)), dice=dice + DICE)
    fight = close_quarters.assault(battle, battle.unit("a1"), battle.unit("g1"))
    told = list(story.tell(battle, fight, *["#0"] * 8))
    story.check(f"tank_{kind}_{name}", [*told, *story.units(battle)])


# ---- riding ------------------------------------------------------------------------------------------


def convoy(**more: Any) -> BoltBattle:
    return place(
        us("truck", "t1", (36, 30), heading=30),
        us("squad10", "a1", aboard="t1"),
        us("m3_halftrack", "t2", (50, 34)),
        us("57mm", "a2", aboard="t2"),
        us("mmg", "a3", (44, 30)),
        us("57mm", "a4", (34, 33.4)),
        ger("mmg", "g1", (36, 8)),
        terrain=[piece("stone_wall", (30, 26), (42, 26)), box("pond", 40, 31, 44, 37)],
        **more,
    )


@pytest.mark.parametrize(
    "what", ["leave", "leave_run", "stay", "unhitch", "board", "hitch", "spill", "spill_bloody", "wreck"]
)
def test_riding(what: str) -> None:
    battle = convoy(dice=(6, 5, 6) * 60 if what == "spill_bloody" else DICE)
    a = battle.unit
    told: Iterator[str]
    if what == "leave":
        told = story.tell(battle, transports.leave(battle, a("a1"), "advance"), "#1")
    elif what == "leave_run":
        told = story.tell(battle, transports.leave(battle, a("a1"), "run"), "#4")
    elif what == "stay":
        told = story.tell(battle, transports.leave(battle, a("a1"), "advance"), "stay")
    elif what == "unhitch":
        told = story.tell(battle, orders.give(battle, a("a2"), "advance"), "#1", "#0")
    elif what == "board":
        told = story.tell(battle, transports.board(battle, a("a3"), a("t2"), "run"))
    elif what == "hitch":
        told = story.tell(battle, transports.board(battle, a("a4"), a("t1"), "advance"))
    elif what == "wreck":
        morale.destroy(battle, a("t2"), ("20.3",), "is knocked out")
        told = story.tell(battle, bailing_out.aftermath(battle), *["#0"] * 4)
    else:
        told = story.tell(battle, bailing_out.spill(battle, a("t1")), *["#0"] * 6)
    lines = list(told)
    story.check(f"riding_{what}", [*lines, *story.units(battle)])


# ---- FUBAR -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["squad", "truck", "m4", "m8", "57mm", "mmg"])
@pytest.mark.parametrize("face", [1, 6])
def test_fubar(kind: str, face: int) -> None:
    battle = place(
        us(kind, "a1", (36, 30), die="run", heading=20),
        us("squad", "a2", (30, 22)),
        us("2lt", "a3", (44, 24)),
        us("m4", "a4", (58, 30)),
        *([us("mmg", "a5", aboard="a1")] if kind == "truck" else []),
        ger("grenadiers", "g1", (36, 14)),
        ger("mmg", "g2", (12, 30), heading=90, die="ambush"),
        terrain=[
            box("woods", 24, 34, 34, 42),
            piece("road", (0, 44), (72, 44)),
            piece("stone_wall", (38, 38), (50, 38)),
        ],
        dice=(face, *DICE),
    )
    told = list(story.tell(battle, fubar.happen(battle, battle.unit("a1")), "#0", "#0", "#0", "usual", "usual"))
    story.check(f"fubar_{kind}_{face}", [*told, *story.units(battle)])


# ---- observers, barrages, aircraft -------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["barrage", "air"])
@pytest.mark.parametrize("face", range(1, 7))
def test_what_is_called(kind: str, face: int) -> None:
    battle = place(
        us("observer", "a1", (36, 40)),
        us("air_observer", "a2", (30, 40)),
        us("squad", "a3", (36, 26)),
        ger("grenadiers", "g1", (36, 18)),
        ger("panzer4", "g2", (40, 15)),
        ger("sdkfz251", "g3", (31, 14)),
        ger("flakvierling", "g4", (50, 10)),
        ger("2lt", "g5", (37, 21)),
        terrain=[box("building", 8, 18, 14, 24, id="barn")],
        cup={"american": 3, "german": 4},
        turn=2,
        dice=(face, face, *DICE) if kind == "barrage" else (6, face, *DICE),
    )
    caller = battle.unit("a1" if kind == "barrage" else "a2")
    told = list(
        story.tell(
            battle, barrages_and_aircraft.call(battle, caller), "barrage_on g1" if kind == "barrage" else "air g1"
        )
    )
    told += [str(battle.state.strikes)]
    battle.state.strikes[0] = Strike(*[*_fields(battle.state.strikes[0])[:3], 1, *_fields(battle.state.strikes[0])[4:]])
    told += story.tell(battle, barrages_and_aircraft.resolve(battle), "pass" if kind == "air" else "#0", *["#0"] * 8)
    story.check(f"called_{kind}_{face}", [*told, *story.units(battle), str(battle.state.strikes)])


def _fields(strike: Strike) -> list[Any]:
    return [getattr(strike, name) for name in strike.__struct_fields__]


def test_a_marker_that_is_left_and_an_aircraft_with_one_target() -> None:
    strikes = [
        {"kind": "barrage", "side": "american", "unit": "a1", "turn": 1, "at": [30, 20]},
        {"kind": "air", "side": "american", "unit": "a1", "turn": 1, "target": "g1"},
        {"kind": "air", "side": "german", "unit": "g1", "turn": 2, "target": "a1"},
    ]
    units = [us("air_observer", "a1", (36, 40), called=True), ger("grenadiers", "g1", (36, 12))]
    battle = place(*units, strike=strikes, turn=2, dice=(1, 4, 6, 1, *DICE))
    told = list(story.tell(battle, barrages_and_aircraft.resolve(battle), "stay", *["#0"] * 5))
    story.check("strikes", [*told, *story.units(battle), str(battle.state.strikes)])


@pytest.mark.parametrize("face", [2, 6])
def test_flak(face: int) -> None:
    battle = place(
        us("air_observer", "a2", (30, 40), called=True),
        ger("grenadiers", "g1", (36, 18)),
        ger("flakvierling", "g4", (50, 10), pins=1),
        ger("flakvierling", "g5", (20, 10), die="fire"),
        ger("flakvierling", "g6", status="reserve"),
        cup={"american": 1, "german": 3},
        strike=[{"kind": "air", "side": "american", "unit": "a2", "turn": 1, "target": "g1"}],
        turn=2,
        dice=(6, *(face,) * 12, 3, *DICE),
    )
    told = list(story.tell(battle, barrages_and_aircraft.resolve(battle), "flak g4", *["#0"] * 4))
    story.check(f"flak_{face}", [*told, *story.units(battle), str(battle.state.strikes)])


# ---- shooting ----------------------------------------------------------------------------------------

SHOTS = ["squad", "mmg", "57mm", "m4", "mortar_medium", "bazooka", "105", "m8", "sniper", "hmg", "m5"]


@pytest.mark.parametrize("kind", SHOTS)
@pytest.mark.parametrize("target", ["grenadiers", "pak40", "panzer4", "sdkfz251", "house", "puma"])
def test_a_unit_fires(kind: str, target: str) -> None:
    foe = ger("infantry", "g1", building="farm") if target == "house" else ger(target, "g1", (35, 20), heading=160)
    battle = place(
        us(kind, "a1", (33, 39), die="fire"),
        us("2lt", "a9", (60, 44)),
        foe,
        ger("2lt", "g9", (39, 17), die="fire"),
        terrain=[piece("hedge", (26, 26), (44, 26)), *([FARM] if target == "house" else [])],
    )
    told = list(
        story.tell(
            battle, procedure.shoot(battle, battle.unit("a1"), moved=False, reacts=reactions.target_reacts), *["#0"] * 9
        )
    )
    battle.unit("a1").die = "advance"
    told += story.tell(
        battle,
        procedure.shoot(battle, battle.unit("a1"), moved=True, reacts=reactions.target_reacts),
        "#0",
        *["#0"] * 9,
    )
    story.check(f"fires_{kind}_{target}", [*told, *story.units(battle)])


@pytest.mark.parametrize("kind", ["squad", "m4", "rangers", "house", "ambush", "assault"])
def test_weapon_by_weapon(kind: str) -> None:
    shooter = us("squad", "a1", building="farm") if kind in ("house", "ambush", "assault") else us(kind, "a1", (33, 32))
    battle = place(
        shooter,
        us("2lt", "a9", (60, 44)),
        ger("grenadiers", "g1", (33, 10)),
        ger("panzer4", "g2", (42, 12)),
        ger("mmg", "g3", (20, 22), heading=90),
        terrain=[FARM] if kind in ("house", "ambush", "assault") else [],
    )
    reaction = kind if kind in ("ambush", "assault") else ""
    reacts = None if reaction else reactions.target_reacts
    at = "g1" if reaction else ""
    fire = procedure.shoot(battle, battle.unit("a1"), moved=False, at=at, reaction=reaction, reacts=reacts)
    replies = ["apart", "#0", "hold", "#1", "#0", "#0", "#0", "usual", "usual", "usual"]
    told = list(story.tell(battle, fire, *([] if kind == "ambush" else replies)))
    story.check(f"apart_{kind}", [*told, *story.units(battle)])


@pytest.mark.parametrize("number", range(1, 5))
def test_shells(number: int) -> None:
    """Shells of every rating on troops, in the open and in a house, on a truck, a gun and a tank."""
    told: list[str] = []
    for rating in ("D2", "D3", "D6", "2D6", "3D6"):
        battle = place(
            ger("grenadiers", "g1", (20, 20)),
            ger("infantry", "g2", building="farm"),
            ger("truck", "g3", (50, 20)),
            ger("pak40", "g4", (60, 20)),
            ger("panzer4", "g5", (10, 20)),
            us("2lt", "a1", (36, 44)),
            terrain=[FARM],
            seed=bytes([number]) * 32,
        )
        for one in battle.units("german"):
            rules = ("18.1",)
            shelled = high_explosive.shell(battle, "american", one, rating, source="trial", rules=rules, top=number > 2)
            told += [f"{rating} {one.id}", *story.tell(battle, shelled, *["#0"] * 4)]
        told += story.units(battle)
    story.check(f"shells_{number}", told)


def test_only_a_house_comes_down_under_a_shell_that_does_its_worst() -> None:
    units = [ger("grenadiers", "g1", (20, 20)), ger("infantry", "g2", building="farm"), us("2lt", "a1", (36, 44))]
    battle = place(*units, terrain=[FARM], dice=(6, 6, 6, 6, 6, 3))
    found = [high_explosive.burst(battle, "american", battle.unit(id), "2D6", 1) for id in ("g1", "g2", "g2")]
    assert found == [(12, False), (12, True), (9, False)]


@pytest.mark.parametrize("kind", ["m4", "m3_halftrack", "rangers", "m5"])
@pytest.mark.parametrize("replies", [("#0", "done"), ("hold", "hold", "hold"), ("#1", "#1", "#0", "#0"), ("done",)])
def test_weapons_hold_their_fire(kind: str, replies: tuple[str, ...]) -> None:
    foes = [ger("grenadiers", "g1", (33, 12)), ger("sdkfz251", "g2", (40, 12)), ger("mmg", "g3", (22, 14))]
    battle = place(us(kind, "a1", (33, 28)), us("2lt", "a9", (60, 44)), *foes)
    fire = procedure.shoot(battle, battle.unit("a1"), moved=False, reacts=reactions.target_reacts)
    told = list(story.tell(battle, fire, "apart", *replies, *["usual"] * 4))
    story.check(f"hold_{kind}_{'_'.join(replies).replace('#', '')}", [*told, *story.units(battle)])


# ---- casualties --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["infantry", "grenadiers", "mmg", "pak40", "volkssturm", "captain", "mortar_medium"])
@pytest.mark.parametrize("how", ["owner", "shooter", "one_by_one"])
def test_men_fall(kind: str, how: str) -> None:
    battle = place(ger(kind, "g1", (36, 20)), ger("medic", "g2", (36, 15.5)), us("squad", "a1", (30, 34)))
    target, enemy = battle.unit("g1"), battle.unit("a1")
    tolls = casualties.tend(battle, target, [Toll(1, 0, small=True), Toll(0, 1, small=True, anywhere=True), Toll(0, 0)])
    told = [*map(story.event, battle.log), str(tolls)]
    mine = [Toll(0, 2)] if how == "shooter" else [Toll(2, 0)]
    replies = ["#1", "#2", "#0", "#0"] if how == "one_by_one" else ["usual", "#0", "#0"]
    seen = frozenset(model.id for model in target.models[:5])
    told += story.tell(battle, casualties.take(battle, target, "american", mine, visible=seen, enemy=enemy), *replies)
    told += story.tell(battle, casualties.take(battle, target, "american", [Toll(9, 1)], visible=seen), *replies)
    told += [str(casualties.must_check(battle, target, 8, lost)) for lost in (0, 3, 4)]
    story.check(f"fall_{kind}_{how}", [*told, *story.units(battle)])


# ---- reactions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["grenadiers", "puma", "panzer4", "mmg"])
@pytest.mark.parametrize("reply", [0, 1, 2])
def test_the_target_reacts(kind: str, reply: int) -> None:
    battle = place(
        us("squad", "a1", (36, 34), die="fire"),
        ger(kind, "g1", (36, 20)),
        cup={"american": 1, "german": 1},
        terrain=[piece("road", (36, 0), (36, 48)), box("woods", 40, 8, 50, 18)],
    )
    reacting = reactions.target_reacts(battle, battle.unit("a1"), battle.unit("g1"), kind="shooting")
    told = list(story.tell(battle, reacting, f"#{reply}", "#2", "#0", "#0"))
    story.check(f"reacts_{kind}_{reply}", [*told, *story.units(battle)])


# ---- moving ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["squad", "mmg", "57mm", "truck", "m4", "jeep", "m3_halftrack", "2lt"])
@pytest.mark.parametrize("order", ["advance", "run"])
def test_a_move(kind: str, order: str) -> None:
    battle = place(
        us(kind, "a1", (33, 31), heading=350),
        us("2lt", "a9", (40, 44)),
        us("truck", "t1", (22, 31)),
        ger("mmg", "g1", (52, 20), heading=220, die="ambush"),
        terrain=[
            FARM,
            piece("hedge", (20, 26), (29, 26)),
            piece("road", (0, 34), (72, 34)),
            box("woods", 40, 24, 50, 30),
        ],
    )
    told = list(
        story.tell(battle, advance_and_run.move(battle, battle.unit("a1"), order), "#1", "#1", "pass", "pass", "pass")
    )
    story.check(f"move_{kind}_{order}", [*told, *story.units(battle)])


@pytest.mark.parametrize("kind", ["truck", "m4", "m8", "m3_halftrack"])
@pytest.mark.parametrize("order", ["advance", "run"])
def test_a_drive_in_several_legs(kind: str, order: str) -> None:
    """Along a road, off it and back, with turns; in reverse; through a wall; into a house; an enemy lies in ambush."""
    battle = place(
        us(kind, "a1", (30, 40), heading=0),
        us("2lt", "a9", (60, 44)),
        us("squad", "a8", (12, 30)),
        ger("mmg", "g1", (50, 12), heading=220, die="ambush"),
        terrain=[piece("road", (30, 48), (30, 20)), piece("stone_wall", (20, 30), (28, 30)), FARM],
    )
    one = battle.unit("a1")
    told = list(
        story.tell(battle, advance_and_run.move(battle, one, order), "#pose", "#2", "pass", "#3", "#1", "#1", "done")
    )
    told += story.units(battle)
    told += story.tell(
        battle, advance_and_run.move(battle, one, order), "reverse", "#2", "pass", "#2", "pass", "#1", "done"
    )
    story.check(f"drive_{kind}_{order}", [*told, *story.units(battle)])


@pytest.mark.parametrize("kind", ["m4", "truck", "squad"])
@pytest.mark.parametrize("edge", ["top", "left"])
def test_what_stands_in_the_way_or_at_the_edge(kind: str, edge: str) -> None:
    """A house with men in it before a tank, a table's edge that is worth points."""
    start, heading, wish = ((33, 29), 0, "#demolish") if edge == "top" else ((4, 30), 270, "#exit")
    battle = place(
        us(kind, "a1", start, heading=heading),
        us("2lt", "a9", (60, 44)),
        ger("infantry", "g1", building="farm"),
        ger("2lt", "g9", (70, 2)),
        terrain=[FARM],
        victory={"exit": [{"side": "american", "edge": "left", "points": 2}]},
    )
    told = list(story.tell(battle, advance_and_run.move(battle, battle.unit("a1"), "run"), wish, *["#0"] * 6))
    told += [story.tally(victory.points(battle, side)) for side in battle.sides]
    story.check(f"way_{kind}_{edge}", [*told, *story.units(battle)])


@pytest.mark.parametrize("kind", ["truck", "m4", "mmg"])
@pytest.mark.parametrize(
    ("edge", "at"), [("top", (36, 4)), ("right", (68, 24)), ("bottom", (36, 44)), ("left", (4, 24))]
)
def test_over_each_edge(kind: str, edge: str, at: tuple[float, float]) -> None:
    """A unit that looks a little past the straight way out goes off over the edge that counts, and over no other."""
    heading = {"top": 0, "right": 90, "bottom": 180, "left": 270}[edge]
    told: list[str] = []
    for turned in (0, 30, 90):
        battle = place(
            us(kind, "a1", at, heading=(heading + turned) % 360),
            us("2lt", "a9", (20, 20)),
            ger("2lt", "g9", (50, 30)),
            victory={"exit": [{"side": "american", "edge": edge, "points": 2}]},
        )
        told += story.tell(battle, advance_and_run.move(battle, battle.unit("a1"), "run"), "#exit", "#0", "#0", "#0")
        told += [story.tally(victory.points(battle, side)) for side in battle.sides]
        told += [str(battle.state.scratch.exits), *story.units(battle)]
    story.check(f"edge_{kind}_{edge}", told)


def test_ranging_in_counts_for_one_target_that_stays_where_it_is() -> None:
    """A mortar shoots three times at one target, then at another, then at the first again, which has moved."""
    battle = place(
        us("mortar_medium", "a1", (36, 44)),
        us("2lt", "a9", (60, 44)),
        ger("grenadiers", "g1", (36, 14)),
        ger("mmg", "g2", (50, 14)),
        dice=(1, 1, 1, 2, 6, *(1,) * 60),
    )
    told: list[str] = []
    for number, at in enumerate(("g1", "g1", "g1", "g2", "g1", "g1"), 1):
        battle.state.turn = number
        battle.unit("a1").die = "fire"
        if number == 6:
            battle.unit("g1").models[0].x += 20
        told += story.tell(
            battle,
            procedure.shoot(battle, battle.unit("a1"), moved=False, at=at, reacts=reactions.target_reacts),
            f"at {at}",
            *["#0"] * 5,
        )
        told += [story.unit(battle, battle.unit("a1")), str(battle.state.scratch.laid)]
    story.check("ranging_in", told)


def test_whose_word_counts() -> None:
    """Officers and a command vehicle near and far, on the table, aboard and in reserve: the tests of everybody."""
    battle = place(
        unit("ger_panzer4_command", "g1", (30, 20), heading=180),
        ger("panzer4", "g2", (36, 20), pins=1),
        ger("panzer4", "g3", (70, 6)),
        ger("truck", "g4", (30, 26)),
        ger("grenadiers", "g5", (20, 12), pins=2),
        ger("captain", "g6", aboard="g4"),
        ger("2lt", "g7", (16, 10)),
        ger("panzer4", "g8", status="reserve"),
        ger("puma", "g9", (46, 12), pins=3),
        us("2lt", "a1", (60, 44)),
        us("squad", "a2", (56, 40), pins=1, men=3),
    )
    told: list[str] = []
    for one in battle.units(on_table=False):
        helper, officer = morale.command_vehicle(battle, one), morale.best_officer(battle, one)
        told += [f"{one.id}: {helper.id if helper else '-'}, {(officer[0], officer[1].id) if officer else '-'}"]
        told += [
            story.tally(morale.target(battle, one, what, "run")) for what in (morale.ORDER_TEST, morale.MORALE_CHECK)
        ]
    story.check("whose_word", told)


@pytest.mark.parametrize("kind", ["squad", "57mm", "truck", "m4"])
def test_a_reserve_comes_on(kind: str) -> None:
    late = {"kind": f"us_{kind}", "id": "a2", "turn": 1, "edge": "bottom"}
    ground = [
        {"kind": "road", "points": [[30, 48], [30, 0]]},
        {"kind": "building", "id": "farm", "points": [[40, 40], [46, 40], [46, 46], [40, 46]]},
        {"kind": "woods", "points": [[10, 40], [20, 40], [20, 48], [10, 48]]},
    ]
    session = begin(
        [{"kind": "us_2lt", "id": "a1"}, late], [{"kind": "ger_2lt", "id": "g1"}], 1, 6, 1, 1, terrain=ground
    )
    told = list(story.play_on(session, "pose 20 38 0", "pose 36 6 180", "unit a2", "#1", "#0"))
    assert isinstance(session.battle, BoltBattle)
    story.check(f"reserve_{kind}", [*told, *story.units(session.battle)])


@pytest.mark.parametrize("kind", ["squad", "mmg", "2lt"])
@pytest.mark.parametrize("inches", [1, 4])
@pytest.mark.parametrize("gap", [0.9, 8.0])
def test_regrouping(kind: str, inches: int, gap: float) -> None:
    battle = place(us(kind, "a1", (36, 30)), ger("2lt", "g1", (36, 30 - gap - 0.4)), us("2lt", "a2", (36, 34)))
    told = list(story.tell(battle, regroup.regroup(battle, battle.unit("a1"), inches), "#1"))
    story.check(f"regroup_{kind}_{inches}_{gap:g}", [*told, *story.units(battle)])


@pytest.mark.parametrize("kind", ["squad", "57mm", "mmg"])
def test_in_and_out_of_a_house(kind: str) -> None:
    """Men go in by an opening, out again, and the house falls on their heads."""
    house = box("building", 30, 18, 36, 24, id="farm", openings=[0, 2])
    outside = us(kind, "a1", (33, 27))
    told: list[str] = []
    for start in (outside, us(kind, "a1", building="farm")):
        battle = place(start, us("2lt", "a2", (60, 44)), ger("2lt", "g1", (4, 4)), terrain=[house])
        told += story.tell(battle, advance_and_run.move(battle, battle.unit("a1"), "advance"), "#1")
        told += story.units(battle)
    battle = place(
        us(kind, "a1", building="farm"), ger("2lt", "g1", (4, 4)), us("2lt", "a2", (60, 44)), terrain=[house]
    )
    collapse.collapse(battle, "farm")
    story.check(f"house_{kind}", [*told, *map(story.event, battle.log), *story.units(battle)])


# ---- whole skirmishes --------------------------------------------------------------------------------


def test_a_turn_of_a_skirmish() -> None:
    session = play(
        us("squad", "a1", (20, 32)),
        us("m4", "a2", (50, 34)),
        us("mmg", "a3", (36, 36)),
        ger("grenadiers", "g1", (24, 16)),
        ger("stug3", "g2", (50, 12)),
        ger("pak40", "g3", (36, 10)),
        terrain=[FARM, box("woods", 10, 18, 20, 26), piece("hedge", (40, 24), (56, 24))],
        dice=(1,) * 200,
        phase="start",
    )
    told = list(story.play_on(session, *["#0", "#1", "#0", "#0"] * 8))
    assert isinstance(session.battle, BoltBattle)
    story.check("skirmish", [*told, *story.units(session.battle)])
