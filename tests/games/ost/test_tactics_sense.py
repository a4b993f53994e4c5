"""What a critical player would call a blunder: small situations in which it is not made."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.session import Session
from grognard.core.tactics import Clock, Proposal
from grognard.games.ost.game import GAME
from grognard.games.ost.state import ON_MAP
from grognard.games.ost.tactics.assignments import Assignments
from grognard.games.ost.tactics.harm import foot_harm
from grognard.games.ost.tactics.impulse import Commander
from grognard.games.ost.tactics.knowledge import Knowledge
from grognard.games.ost.tactics.pieces import INTENSIVE
from grognard.games.ost.tactics.position import Position
from grognard.games.ost.tactics.setting_up import Placing
from grognard.players.greedy import propose
from tests.conformance.conftest import load
from tests.games.ost.helpers import answer, battle, position, unit
from tests.games.ost.test_tactics import at, best, think, told


def commander(session: Session, side: str = "american") -> Commander:
    """One side's thoughts about a position."""
    return Commander(seen(session, side))


def seen(session: Session, side: str = "american") -> Position:
    """A position as a side knows it."""
    return Position(Knowledge.of(session.scenario), battle(session.probe()), side)


def proposed(session: Session, key: str) -> Proposal:
    """What is thought of an answer."""
    return next(each for each in think(session) if each.key == key)


# ---- support weapons ---------------------------------------------------------------------------------------


def test_in_a_group_nobody_breaks_up_his_machine_gun() -> None:
    """Only the second of the two carries too much: he drops one weapon, and the first keeps his own."""
    men = ("a1 us_rifle B4 with=us_bar", "a2 us_engineer B4 with=us_satchel,us_mortar60", "a3 us_sgt B4 attached=a1")
    session = at(*men, "g1 ger_rifle J8", control={"F4": "german"})
    answer(session, "group_move a1 a2")
    assert best(session).startswith("drop ") and best(session).endswith(" a2")
    answer(session, best(session))
    assert best(session).startswith("step ")
    assert [len(battle(session).weapons(unit(session, id))) for id in ("a1", "a2")] == [1, 1]


def test_who_must_leave_a_weapon_behind_keeps_the_one_that_lasts() -> None:
    session = at("g1 ger_rifle C4 with=ger_lmg,ger_panzerfaust", "a1 us_m4a1 J4 f=5", side="german")
    answer(session, "move g1")
    found = {each.key: each.worth for each in think(session)}
    assert found["drop w2"] > found["drop w1"], "a Panzerfaust is fired once"


def test_leaving_a_weapon_behind_is_weighed_before_a_move() -> None:
    far: dict[str, Any] = {"control": {"J8": "german"}}
    one = at("a1 us_rifle B4 with=us_bar", "g1 ger_rifle J8", **far)
    two = at("a1 us_rifle B4 with=us_bar,us_bazooka", "g1 ger_rifle J8", **far)
    assert proposed(two, "move a1").worth < proposed(one, "move a1").worth


@pytest.mark.parametrize(("taker", "takes"), [("us_m4a1 C4 f=2", False), ("us_rifle C4", True)])
def test_only_a_squad_stops_for_a_weapon(taker: str, takes: bool) -> None:
    """A tank cannot fire what lies on the road."""
    session = at(f"a1 {taker}", "g1 ger_rifle J8", weapons=["w9 us_bar C4"], control={"J8": "german"})
    answer(session, "move a1")
    assert (best(session) == "take w9") is takes


# ---- danger ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "far"), [(1, 6), (2, 7)])
def test_danger_reaches_a_hex_further_from_a_height(level: int, far: int) -> None:
    session = at("a1 us_rifle I7", "g1 ger_rifle A4", levels={level: "A4"}, control={"A4": "german"})
    known = seen(session)
    row = {known.dist["A4"][hex]: hex for hex in battle(session).grid.hexes}
    assert known.danger(row[far], 3)[0] > 0
    assert known.danger(row[far + 1], 3)[0] == 0


def test_nobody_is_set_up_in_the_sights_of_a_machine_gun() -> None:
    """A hex nearer to what counts is not worth it; out of sight of everybody it is."""
    more: dict[str, Any] = {"terrain": {"woods": "D1-D4"}, "control": {"J2": "german"}}
    session = at("a1 us_rifle A2", "g1 ger_hmg42 J6", "g2 ger_hmg42 J2", **more)
    squad = battle(session).unit("a1")

    def worth(session: Session, hex: str) -> float:
        return sum(reason.worth for reason in Placing(commander(session)).weigh(squad, hex))

    assert worth(session, "C2") > worth(session, "F2")
    found = Placing(commander(session)).weigh(squad, "F2")
    assert any(reason.text.endswith("risk of losing it to enemies in sight") and reason.worth < -1 for reason in found)
    empty = at("a1 us_rifle A2", **more)
    assert worth(empty, "F2") > worth(empty, "C2")


def test_a_machine_gun_is_feared_for_all_its_fire() -> None:
    """Sustained Fire is two attacks, and there is a second action; whoever has used both has Intensive Fire left."""
    ready, used = (
        seen(at("a1 us_rifle B4", f"g1 ger_hmg42 F4 {how}", control={"F4": "german"})) for how in ("", "fired=2")
    )
    column = ready.piece(ready.battle.unit("g1")).power_at(4) - 4
    once = foot_harm(column, 0, 2, True, 0, 7).loss
    assert ready.danger("B4", 4)[1] == pytest.approx(1 - (1 - once) ** 2)
    assert ready.danger("B4", 4)[0] == pytest.approx(0.8 * (1 - (1 - once) ** 3))
    assert used.danger("B4", 4)[1] == pytest.approx(INTENSIVE * once)
    squad = seen(at("a1 us_rifle B4", "g1 ger_rifle F4", control={"F4": "german"}))
    column = squad.piece(squad.battle.unit("g1")).power_at(4) - 4
    assert squad.danger("B4", 4)[1] == pytest.approx(foot_harm(column, 0, 2, True, 0, 7).loss), "a squad fires once"


def test_lorries_fear_machine_guns_for_all_their_fire() -> None:
    known = seen(at("a1 us_truck B4 on_road f=2", "g1 ger_hmg42 F4", roads=["A4:J4"], control={"F4": "german"}))
    gun, lorry = known.piece(known.battle.unit("g1")), known.battle.unit("a1")
    kind = known.battle.kinds["us_truck"]
    guard = (kind.front + kind.flank) // 2 + known.shelter("B4", "american", False)
    once = gun.profile.on_vehicle(kind, 4, 0, guard, 0, known.battle.scenario.gut_check["american"])
    assert known.armor_danger(lorry, "B4")[0] == pytest.approx(0.8 * (1 - (1 - once) ** 3))


def test_nobody_stays_in_the_open_before_a_machine_gun() -> None:
    """One goes behind the trees, and not further on into the open, where the gun has two actions of two attacks."""
    men = ("a1 us_rifle B4", "a2 us_rifle B3", "a3 us_mmg B5 fired=2")
    session = at(*men, "g1 ger_hmg42 J4", "g2 ger_rifle J4", terrain={"woods": "B5"}, control={"J4": "german"})
    assert "no enemy could fire at it in A6" in told(proposed(session, "move a1"))
    assert proposed(session, "move a1").worth > 0


def test_americans_are_not_set_up_before_the_machine_gun_of_mill_farm() -> None:
    """They see where it stands: nobody on foot waits for the first turn in the open before it (seed 880100)."""
    session = Session(GAME, load("ost", "mill_farm")[1], seed=b"880100")
    tactics, texts = GAME.tactics(session.scenario), set[str]()
    while battle(session).state.phase == "setup":
        proposals = propose(tactics, session.probe(), Clock.of(60))
        assert session.ask is not None
        if session.ask.options[0].verb == "place" and session.ask.options[0].unit and not session.ask.only:
            for each in proposals:
                assert each.worth == pytest.approx(sum(reason.worth for reason in each.reasons), abs=0.05)
            texts.update(reason.text.strip("+-0123456789. %") for each in proposals for reason in each.reasons)
        session.answer(proposals[0].key)
    for text in ("cover", "Moves from the objectives", "more in the hex", "friends nearby"):
        assert text in texts, "each thing that counts has a line of its own"
    known = seen(session)
    assert any(foe.kind.sustained_fire for foe in known.foes)
    placed = [u for u in known.mine if not known.battle.kinds[u.kind].vehicle]
    assert len(placed) >= 10
    assert [(u.id, u.hex) for u in placed if known.risk(u, u.hex)[0] > 0.05] == []


# ---- transport ---------------------------------------------------------------------------------------------


def ride(*units: str, lorry: str = "", **more: Any) -> Session:
    """A squad on a lorry on the road to a village that the enemy holds."""
    men = ("a1 us_rifle B2 aboard=a2", f"a2 us_truck B2 on_road f=2 loaded {lorry}")
    ground: dict[str, Any] = {"map": "open 16x8", "roads": ["A2:P2"], "control": {"N2": "german"}, "turn": 5}
    return at(*men, *units, **(ground | more))


def test_a_lorry_brings_its_men_near() -> None:
    """That it could be there in one Move is no reason to wait: the men still have to walk."""
    session = ride("g1 ger_rifle N2", terrain={"woods": "J1-J8"})
    assignments = Assignments(seen(session))
    lorry = battle(session).unit("a2")
    assignment = assignments.of(lorry)
    assert assignment is not None and assignment.goal == "N2"
    afoot = assignments.way("foot", "N2").hexes
    driven = assignments.way("wheeled", "N2").hexes
    assert assignment.way.hexes["B2"] == afoot["B2"] + driven["B2"]
    assert proposed(session, "move a2").worth > 0.3
    answer(session, "move a2")
    while session.ask is not None and session.ask.side == "american" and session.ask.rule != "67.2":
        answer(session, best(session))
    assert unit(session, "a2").status == ON_MAP and unit(session, "a2").hex[0] >= "F"


def test_men_get_off_what_goes_no_further() -> None:
    """While it drives they stay on; when it has been shot lame they walk."""
    drives, lame = ride("g1 ger_rifle N2"), ride("g1 ger_rifle N2", lorry="immobilized")
    assert proposed(drives, "move a1").worth < 0 < proposed(lame, "move a1").worth
    assert told(proposed(lame, "move a1")).startswith("gets off ")


# ---- Leaders ------------------------------------------------------------------------------------------------


def test_a_leader_on_his_own_goes_to_the_men_who_need_him() -> None:
    """The broken squad is a hex further away than the one in good order."""
    men = ("a1 us_cpt C4", "a2 us_rifle C2", "a3 us_rifle C7 broken")
    session = at(*men, "g1 ger_rifle J1", terrain={"woods": "C2, C7"}, control={"J1": "german"})
    move = proposed(session, "move a1")
    assert move.worth > 0 and told(move).startswith("nearer to units without a Leader")
    answer(session, "move a1")
    while session.ask is not None and session.ask.rule == "75.1" and best(session) != "stop":
        answer(session, best(session))
    assert unit(session, "a1").hex == "C7"


# ---- smoke -------------------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "107.17")
def test_artillery_lays_smoke_where_its_shells_would_do_little() -> None:
    """The enemy is in trenches under stone; the squads before him have been caught in the open."""
    guns = [f"g{n} ger_rifle {hex}" for n, hex in enumerate(("J2", "J5", "J8"), 1)]
    lying = [f"a{n} us_rifle {hex} broken" for n, hex in enumerate(("E5", "E6", "E7", "F6", "F7"), 1)]
    men = (*lying, "a9 us_rifle B6")
    more: dict[str, Any] = {
        "buildings": ["heavy_structure J2", "heavy_structure J5", "heavy_structure J8"],
        "works": ["trench J2", "trench J5", "trench J8"],
        "assets": {"american": {"mortars": 1}},
        "control": {"J5": "german"},
        "turn": 1,
    }
    session = at(*men, *guns, **more)
    strikes = commander(session).strikes
    screen, hex = strikes.best_oba_smoke("mortars")
    assert hex in ("E6", "F6") and screen > strikes.best_oba("mortars")[0] > -9
    assert session.ask is not None
    idea = commander(session).oba(next(each for each in session.ask.options if each.key == "oba mortars"))
    assert idea.why is not None and idea.why()[0].text == f"smoke in {hex} protects the units there"
    answer(session, "oba mortars")
    assert best(session) == f"hex {hex}"
    answer(session, f"hex {hex}")
    assert best(session) == "smoke"


def test_a_strike_is_not_saved_up_for_enemies_who_never_come() -> None:
    """A few strong units with mortars to call, before many weak ones: what they are worth themselves does not count."""
    weak = [f"g{n} ger_volks {hex}" for n, hex in enumerate(("F4", "F4", "F5", "F5", "G4", "G5", "G6", "H5"), 1)]
    more: dict[str, Any] = {"assets": {"american": {"mortars": 1}}, "control": {"G5": "german"}, "turn": 8, "turns": 8}
    session = at("a1 us_m4a1 B4 f=2", "a2 us_m4a1 B5 f=2", *weak, **more)
    thoughts = commander(session)
    assert thoughts.strikes.best_oba("mortars")[0] > thoughts.keep_strike("mortars")


def test_shells_fall_on_men_in_the_open() -> None:
    session = position(
        *("a1 us_rifle B4", "g1 ger_rifle F4", "g2 ger_rifle F5"),
        active="american",
        phase="play",
        points={"german": 3, "american": 5},
        assets={"american": {"artillery": 1}},
        control={"F4": "german"},
        turn=4,
    )
    answer(session, "oba artillery")
    answer(session, best(session))
    proposals = think(session)
    assert proposals[0].key == "shells"
    assert "smoke" in told(proposals[1])
