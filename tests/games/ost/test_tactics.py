"""Small situations in which the right answer is plain, and the odds behind the answers."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from grognard.core.files import Document
from grognard.core.session import Session
from grognard.core.tactics import Clock, Proposal
from grognard.games.ost.game import GAME
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.tactics.assignments import Assignments
from grognard.games.ost.tactics.knowledge import Knowledge
from grognard.games.ost.tactics.moves import TOGETHER, Moves
from grognard.games.ost.tactics.player import OstTactics
from grognard.games.ost.tactics.position import Position
from grognard.players.greedy import propose
from grognard.players.playouts import Line, Playouts, Settings
from tests.games.ost.helpers import answer, battle, position, unit


def think(session: Session) -> list[Proposal]:
    """What is proposed at the question that stands."""
    found: list[Proposal] = propose(GAME.tactics(session.scenario), session.probe(), Clock.of(60))
    assert session.ask is not None
    assert {proposal.key for proposal in found} <= {option.key for option in session.ask.options}
    assert [proposal.worth for proposal in found] == sorted((p.worth for p in found), reverse=True)
    return found


def best(session: Session) -> str:
    """The answer that is thought best."""
    return think(session)[0].key


def told(proposal: Proposal) -> str:
    """Its reasons in a line."""
    return "; ".join(reason.text for reason in proposal.reasons)


def at(*units: str, side: str = "american", german: int = 3, american: int = 5, **more: Any) -> Session:
    """A position in the midst of a turn."""
    more.setdefault("turn", 4)
    return position(*units, active=side, phase="play", points={"german": german, "american": american}, **more)


# ---- fire ------------------------------------------------------------------------------------------------------


def test_the_good_shot_is_taken() -> None:
    session = at("a1 us_mmg B4", "g1 ger_rifle E4", "g2 ger_rifle E8", control={"J8": "german"})
    proposals = think(session)
    assert proposals[0].key == "fire a1"
    assert "% to destroy Rifle Squad g1" in told(proposals[0])
    answer(session, "fire a1")
    assert best(session).startswith("sustained g1")


def test_the_weak_target_is_shot_at() -> None:
    session = at(
        "a1 us_rifle B4",
        "g1 ger_rifle D4",
        "g2 ger_rifle D5 reduced",
        terrain={"woods": "D4"},
    )
    answer(session, "fire a1")
    assert best(session) == "at g2 own"


def test_reasons_give_the_chances_of_the_roll() -> None:
    session = at("a1 us_rifle B4", "g1 ger_rifle D4")
    proposal = next(each for each in think(session) if each.key == "fire a1")
    odds = session.odds("fire a1", "at g1 own")
    gone = sum(float(o.probability) for o in odds.outcomes if any("eliminated" in text for text in o.results))
    assert f"{round(100 * gone)} % to destroy" in told(proposal)


def test_at_weapons_are_for_tanks() -> None:
    session = at("a1 us_rifle C4 with=us_bazooka", "g1 ger_rifle D6", "g2 ger_pz4h D4 f=1", control={"J8": "german"})
    answer(session, "fire a1")
    assert best(session).startswith("at g2 ")


def test_a_mortar_can_screen_those_who_are_fired_at() -> None:
    """A squad in the open, in the sights of three squads: Smoke over it is worth something."""
    guns = [f"g{n} ger_rifle {hex}" for n, hex in enumerate(("J5", "J6", "J7"), 1)]
    session = at("a1 us_rifle C6 with=us_mortar60", "a2 us_rifle F6 broken", *guns, control={"J8": "german"})
    answer(session, "fire a1")
    smoke = next(each for each in think(session) if each.key == "smoke w1")
    assert smoke.worth > 0.1 and told(smoke) == "smoke in F6 protects the units there"
    answer(session, "smoke w1")
    assert best(session) == "hex F6"


def test_a_mortar_without_a_target_lays_smoke() -> None:
    """The machine guns are out of its range, and the squad before it is within theirs."""
    guns = [f"g{n} ger_hmg42 {hex}" for n, hex in enumerate(("S3", "S4", "S5"), 1)]
    men = ("a1 us_rifle B4 with=us_mortar60", "a2 us_rifle H4 broken")
    session = at(*men, *guns, map="open 24x8", control={"T8": "german"})
    fire = next(each for each in think(session) if each.key == "fire a1")
    assert fire.worth > 0 and told(fire).startswith("smoke in H4 protects the units there")
    safe = at("a1 us_rifle B4 with=us_mortar60", "g1 ger_rifle F4", map="open 24x8", control={"T8": "german"})
    answer(safe, "fire a1")
    smoke = next(each for each in think(safe) if each.key == "smoke w1")
    assert smoke.worth < 0 and told(smoke) == "smoke would protect nobody"


def test_in_thought_an_answer_is_carried_out_as_it_would_be_in_earnest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps of a Move that nobody disturbs are proposed once, and taken again in every round."""
    session = at("a1 us_rifle C6", "g1 ger_rifle J8", terrain={"woods": "G1-G8"}, control={"F6": "german"})
    tactics = GAME.tactics(session.scenario)
    asked: list[str] = []
    propose_ = tactics.propose
    monkeypatch.setattr(tactics, "propose", lambda *args: asked.append(args[1].prompt) or propose_(*args))
    playouts = Playouts(session.probe(), tactics, "seed", Settings(turns=1))
    for number in range(6):
        assert playouts.play(Line("move a1"), number, Clock.of(60)) is not None
    assert asked and len(asked) == len(set(asked)) and all("MP left" in prompt for prompt in asked)


# ---- transport ---------------------------------------------------------------------------------------------------


def test_a_squad_with_a_long_way_to_go_gets_on_a_lorry() -> None:
    """A road of thirty hexes: on foot that takes seven Moves."""
    more: dict[str, Any] = {"map": "open 30x4", "roads": ["A2:AD2"], "control": {"AC2": "german"}, "turn": 8}
    far = at("a1 us_rifle A2 on_road", "a2 us_truck A2 on_road f=2", "g1 ger_rifle AC2", **more)
    proposals = think(far)
    move = next(each for each in proposals if each.key == "move a1")
    assert told(move).startswith("rides: AC2 is 7 Moves away on foot")
    answer(far, "move a1")
    assert best(far) == "load a2"
    gone = at("a1 us_rifle A2 on_road", "a2 us_truck A2 on_road f=2 moved", "g1 ger_rifle AC2", **more)
    answer(gone, "move a1")
    assert best(gone) != "load a2", "it drives no more in this turn"
    near = at("a1 us_rifle V2 on_road", "a2 us_truck V2 on_road f=2", "g1 ger_rifle AC2", **more)
    assert "rides" not in told(next(each for each in think(near) if each.key == "move a1"))


def test_nobody_gets_on_a_lorry_that_is_to_leave_the_map() -> None:
    victory = {"exit": [{"side": "american", "units": ["truck"], "points": 2}]}
    more: dict[str, Any] = {"map": "open 30x4", "roads": ["A2:AD2"], "control": {"AC2": "german"}, "turn": 8}
    session = at(
        *("a1 us_rifle A2 on_road", "a2 us_truck A2 on_road f=2", "g1 ger_rifle AC2"),
        exit={"american": "AD1-AD4"},
        victory=victory,
        **more,
    )
    answer(session, "move a1")
    load = next(each for each in think(session) if each.key == "load a2")
    assert load.worth < 0 and told(load) == "has nowhere to ride to"


def test_reasons_for_a_move_tell_who_could_fire_at_a_unit_there_and_here() -> None:
    def reasons(*units: str, **more: Any) -> str:
        return told(next(each for each in think(at(*units, **more)) if each.key == "move a1"))

    guns = [f"g{n} ger_hmg42 {hex}" for n, hex in enumerate(("J5", "J6", "J7"), 1)]
    wood: dict[str, Any] = {"terrain": {"woods": "E1-E5, E7-E8, D5-D7"}, "control": {"J8": "german"}}
    few = reasons("a1 us_rifle C6", "g1 ger_rifle I6", **(wood | {"control": {"E6": "german"}, "turn": 1}))
    assert "1 enemy could fire at it in E6, none in C6" in few
    assert "no enemy could fire at it in D4, 3 in F4" in reasons("a1 us_rifle F4", *guns, **wood)
    tree: dict[str, Any] = {"terrain": {"woods": "E3"}, "control": {"I4": "german"}}
    found = reasons("a1 us_rifle E4", "g1 ger_rifle I4", **tree)
    assert "1 enemy could fire at it in E3, with less effect than now" in found


# ---- opportunity fire ----------------------------------------------------------------------------------------


def test_a_good_target_in_the_open_is_fired_at() -> None:
    session = at("a1 us_rifle B4", "g1 ger_hmg42 F4", "g2 ger_rifle H8", german=4)
    answer(session, "move a1", "step C5")
    assert session.ask is not None and session.ask.reaction == "opportunity fire"
    assert best(session).startswith("g1 ")


def test_a_hopeless_shot_is_passed_up() -> None:
    session = at(
        "a1 us_rifle B4",
        "a2 us_rifle F6 reduced",
        "g1 ger_security F4 fired",
        terrain={"woods": "C5"},
        works=["trench C5"],
        german=1,
        american=8,
    )
    answer(session, "move a1", "step C5")
    assert best(session) == "pass"


def test_a_hidden_gun_stays_hidden_from_a_poor_target() -> None:
    session = at(
        "a1 us_rifle B4", "g1 ger_pak40 I4 hidden f=6", "g2 ger_rifle J8", terrain={"woods": "C5"}, german=3, american=8
    )
    answer(session, "move a1", "step C5")
    assert session.ask is None or session.ask.side == "american" or best(session) == "pass"


@pytest.mark.parametrize("hidden", [False, True])
def test_that_an_answer_gives_away_a_hidden_unit_is_a_secret(hidden: bool) -> None:
    session = at(
        "a1 us_rifle B4", f"g1 ger_pak40 I4{' hidden' if hidden else ''} f=6", side="german", german=8, american=3
    )
    reasons = [reason for proposal in think(session) for reason in proposal.reasons]
    assert reasons and any(reason.secret for reason in reasons) == hidden


# ---- morale -----------------------------------------------------------------------------------------------------


def test_the_broken_machine_gun_is_rallied() -> None:
    session = at("a1 us_mmg B4 broken", "a2 us_rifle A1 used", "g1 ger_rifle I7", terrain={"woods": "B4"})
    proposals = think(session)
    assert proposals[0].key == "rally a1"
    assert "% to rally" in told(proposals[0])


# ---- moves --------------------------------------------------------------------------------------------------------


def test_in_the_last_turn_it_runs_for_the_objective() -> None:
    session = at(
        "a1 us_rifle B4",
        "g1 ger_hmg42 I1",
        control={"D5": "german"},
        turn=1,
        victory={"control": [{"hexes": "D5", "points": 5}]},
    )
    proposals = think(session)
    assert proposals[0].key == "move a1"
    assert "takes D5" in told(proposals[0])
    answer(session, "move a1")
    for _ in range(4):
        key = best(session)
        if key == "stop" or state_of(session) != "american":
            break
        answer(session, key)
        if unit(session, "a1").hex == "D5" or unit(session, "a1").morale:
            break
    assert unit(session, "a1").hex in ("C4", "C5", "D5")


def state_of(session: Session) -> str:
    """Whose question stands."""
    return session.ask.side if session.ask else ""


def test_it_moves_from_cover_to_cover() -> None:
    session = at(
        "a1 us_rifle B4",
        "g1 ger_hmg42 H4",
        terrain={"woods": "B4, C4, D3"},
        control={"H4": "german"},
        turn=6,
        turns=6,
        victory={"control": [{"hexes": "H4", "points": 5}]},
    )
    answer(session, "move a1")
    tactics = GAME.tactics(session.scenario)
    steps = []
    while session.ask is not None and session.ask.side == "american" and session.ask.rule == "75.1":
        key = propose(tactics, session.probe(), Clock.of(60))[0].key
        if key == "stop":
            break
        steps.append(key.split()[1])
        answer(session, key)
    assert steps
    assert unit(session, "a1").hex in ("C3", "C4", "D3"), "in the woods, or behind them"


def test_whoever_holds_the_objective_stays() -> None:
    session = at(
        "g1 ger_rifle D4",
        "a1 us_rifle F4",
        side="german",
        control={"D4": "german"},
        victory={"control": [{"hexes": "D4", "points": 5}]},
        buildings=["heavy_structure D4"],
    )
    assert best(session) != "move g1"


def test_a_tank_leaves_the_map_where_that_counts() -> None:
    session = at(
        "a1 us_m4a1 J4 f=2",
        "g1 ger_rifle A1",
        exit={"american": "J1-J8"},
        victory={"exit": [{"side": "american", "units": ["tank"], "points": 3, "hexes": "J1-J8"}]},
    )
    assert best(session) == "move a1"
    answer(session, "move a1")
    assert best(session) == "exit J4"


# ---- close combat ----------------------------------------------------------------------------------------------------


def test_a_broken_enemy_on_the_objective_is_assaulted() -> None:
    session = at(
        "a1 us_rifle C4",
        "g1 ger_rifle D4 broken reduced",
        control={"D4": "german"},
        turn=1,
        victory={"control": [{"hexes": "D4", "points": 5}]},
        american=1,
    )
    proposals = think(session)
    assert proposals[0].key == "assault a1 D4"
    assert "to clear D4" in told(proposals[0])


def test_nobody_assaults_what_is_too_strong() -> None:
    session = at("a1 us_rifle C4 reduced", "g1 ger_rifle D4", "g2 ger_assault D4", control={"J8": "german"})
    found = {proposal.key: proposal.worth for proposal in think(session)}
    assert found.get("assault a1 D4", -1.0) < 0


# ---- the whole battle ------------------------------------------------------------------------------------------


def scenario(name: str) -> Scenario:
    """A scenario of the game."""
    found: Scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[name]))
    return found


def test_standing_is_fair_and_within_bounds() -> None:
    tactics = OstTactics(scenario("first_patrol"))
    session = Session(GAME, tactics.scenario, seed=b"standing")
    clock = Clock.of(600)
    for _ in range(120):
        if session.ask is None:
            break
        mine, yours = (tactics.standing(session.battle, side) for side in ("american", "german"))
        assert -1 <= mine <= 1
        assert mine == pytest.approx(-yours)
        session.answer(tactics.best(session.battle, session.ask, clock))


def test_standing_rises_with_the_objective() -> None:
    held = position("a1 us_rifle D4", "g1 ger_rifle I7", control={"D4": "american"}, phase="play")
    lost = position("a1 us_rifle D4", "g1 ger_rifle I7", control={"D4": "german"}, phase="play")
    there, here = (GAME.tactics(s.scenario).standing(s.battle, "american") for s in (held, lost))
    assert there > here


def stands(*units: str, **more: Any) -> float:
    """How a position stands for the Americans."""
    more.setdefault("control", {"H4": "german"})
    more.setdefault("victory", {"control": [{"hexes": "H4", "points": 5}]})
    session = at(*units, **more)
    found: float = GAME.tactics(session.scenario).standing(session.battle, "american")
    return found


ENEMIES = ("g1 ger_hmg42 G4", "g2 ger_rifle H4", "g3 ger_rifle H5")


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("a1 us_rifle D4", "a1 us_rifle D4 broken"),
        ("a1 us_rifle D4", "a1 us_rifle D4 shaken"),
        ("a1 us_rifle D4", "a1 us_rifle D4 reduced"),
        ("a1 us_rifle D4", "a1 us_rifle D4 used"),
        ("a1 us_rifle D4", "a1 us_rifle D5"),  # woods and open ground
        ("a1 us_rifle B8", "a1 us_rifle A8"),  # a hex nearer to what counts, out of everybody's range
    ],
)
def test_standing_sees_what_becomes_of_one_squad(better: str, worse: str) -> None:
    ground = {"terrain": {"woods": "D4, A8, B8"}}
    assert stands(better, "a2 us_mmg C4", *ENEMIES, **ground) > stands(worse, "a2 us_mmg C4", *ENEMIES, **ground)


def test_standing_counts_the_points_that_are_left() -> None:
    assert stands("a1 us_rifle D4", *ENEMIES, american=5) > stands("a1 us_rifle D4", *ENEMIES, american=2)


def test_each_answer_is_proposed_once_and_the_best_is_the_first() -> None:
    tactics = OstTactics(scenario("first_patrol"))
    session = Session(GAME, tactics.scenario, seed=b"once", snapshots=False)
    clock = Clock.of(600)
    while session.ask is not None:
        known = session.probe()
        found = propose(tactics, known, clock)
        assert len({proposal.key for proposal in found}) == len(found)
        assert tactics.best(known.battle, session.ask, clock) == found[0].key
        session.answer(found[0].key)
    assert session.result is not None


def test_what_is_kept_from_other_questions_changes_nothing() -> None:
    tactics, fresh = OstTactics(scenario("first_patrol")), OstTactics(scenario("first_patrol"))
    tactics.prepare()
    session = Session(GAME, tactics.scenario, seed=b"kept", snapshots=False)
    clock = Clock.of(600)
    for number in range(150):
        if session.ask is None:
            break
        found = propose(tactics, session.probe(), clock)
        if number % 6 == 0:
            fresh.know = Knowledge(tactics.scenario)
            assert propose(fresh, session.probe(), clock) == found
        session.answer(found[0].key)


def test_where_a_strike_falls_is_found_without_the_whole_map() -> None:
    session = at(
        "a1 us_rifle B4", "g1 ger_hmg42 F4", "g2 ger_rifle F4", "g3 ger_rifle J8", assets={"american": {"mortars": 1}}
    )
    answer(session, "oba mortars")
    assert session.ask is not None and session.ask.rule == "107.5"
    tactics = GAME.tactics(session.scenario)
    first = tactics.best(session.probe().battle, session.ask, Clock.of(60))
    assert first == best(session)
    assert first in {option.key for option in session.ask.options}


def test_the_first_proposals_play_a_whole_battle() -> None:
    tactics = OstTactics(scenario("first_patrol"))
    session = Session(GAME, tactics.scenario, seed=b"greedy")
    clock = Clock.of(600)
    while session.ask is not None:
        session.answer(propose(tactics, session.probe(), clock)[0].key)
    assert session.result is not None


def test_the_same_position_gives_the_same_proposals() -> None:
    session = at("a1 us_rifle B4", "a2 us_mmg B5", "g1 ger_rifle E4", "g2 ger_hmg42 G4", control={"E4": "german"})
    assert think(session) == think(session)


def test_set_up_holds_what_counts_and_what_is_hidden_is_dealt_anew() -> None:
    tactics = OstTactics(scenario("mill_farm"))
    session = Session(GAME, tactics.scenario, seed=b"set up")
    clock = Clock.of(600)
    while session.ask is not None and session.ask.side == "german" and session.state.phase == "setup":
        session.answer(propose(tactics, session.probe(), clock)[0].key)
    ours = battle(session)
    assert {"N6", "L3", "K7"} <= {u.hex for u in ours.units("german")}
    hidden = {u.id for u in ours.units("german") if u.hidden}
    assert "ger_pak40" in {ours.unit(id).kind for id in hidden}

    known = battle(session.probe())
    assert not hidden & set(known.state.units)
    tactics.redeal(known, "american", Random(1))
    assert hidden <= set(known.state.units)
    assert all(known.state.units[id].hidden and known.state.units[id].hex in known.grid for id in hidden)
    assert sum(mines.side == "german" for mines in known.state.mines.values()) == 2
    assert "unknown" not in known.state.cards["german"]
    assert not GAME.invariants(known)


def test_whoever_loses_by_waiting_dares_more() -> None:
    """The same tank before the same gun: it drives on where its side is behind, and bides its time where it leads."""

    def going(tie: str) -> tuple[float, float]:
        session = at(
            "a1 us_m4a1 A4",
            "g1 ger_pak40 I4",
            turns=8,
            turn=6,
            exit={"american": "J1-J8"},
            victory={"tie": tie, "exit": [{"side": "american", "units": ["tank"], "points": 2}]},
        )
        ours = battle(session)
        here = Position(Knowledge.of(session.scenario), ours, "american")
        moves = Moves(here, Assignments(here))
        return here.behind, moves.nerve(unit(session, "a1"))

    (behind, bold), (level, careful) = going("german"), going("american")
    assert behind > 0 == level
    assert bold < careful


def test_whoever_comes_on_with_others_fears_less() -> None:
    """A gun has no more shots for being offered more targets; men do not draw the fire of a gun from tanks."""

    def fears(*others: str) -> float:
        session = at("a1 us_m4a1 B4", "g1 ger_pak40 I4", *others)
        here = Position(Knowledge.of(session.scenario), battle(session), "american")
        return (
            Moves(here, Assignments(here)).place(unit(session, "a1"), "C4").risk / here.piece(unit(session, "a1")).worth
        )

    alone = fears()
    assert alone > 0
    assert fears("a2 us_m4a1 B6") == pytest.approx(alone / 2, rel=0.1)
    assert fears("a2 us_m4a1 B6", "a3 us_m4a1 B2", "a4 us_m4a1 C6", "a5 us_m4a1 C7") == pytest.approx(
        TOGETHER * alone, rel=0.1
    ), "some of it is to be feared in any company"
    assert fears("a2 us_rifle B6") == pytest.approx(alone, rel=0.1)
    assert fears("a2 us_m4a1 B6", "g2 ger_pak40 I5") > 1.3 * fears("a2 us_m4a1 B6")


def test_men_share_what_is_fired_at_them_and_the_broken_draw_none() -> None:
    def part(*others: str) -> float:
        session = at("a1 us_rifle B4", "g1 ger_rifle G4", "g2 ger_rifle G5", *others)
        here = Position(Knowledge.of(session.scenario), battle(session), "american")
        return Moves(here, Assignments(here)).shared[0]

    assert part() == 1.0
    assert part("a2 us_rifle B5", "a3 us_rifle B6", "a4 us_rifle B7") == 0.5
    assert part("a2 us_rifle B5", "a3 us_rifle B6", "a4 us_rifle B7 broken") == pytest.approx(2 / 3)


def test_who_must_pass_the_guns_does_not_wait_until_it_is_late() -> None:
    """With most of the battle to come: the guns will be there later too."""
    session = at(
        "a1 us_m4a1 A4 f=2",
        "a2 us_m4a1 A5 f=2",
        "g1 ger_pak40 H3",
        turns=8,
        turn=8,
        exit={"american": "J1-J8"},
        victory={"tie": "american", "exit": [{"side": "american", "units": ["tank"], "points": 2}]},
    )
    here = Position(Knowledge.of(session.scenario), battle(session), "american")
    moves = Moves(here, Assignments(here))
    tank = unit(session, "a1")
    assert moves.assignments.haste(tank) == 1.0
    plan = moves.best(tank)
    assert plan is not None and plan.worth > 0
    assert here.dist[plan.end]["J4"] < here.dist["A4"]["J4"]
    assert here.armor_danger(tank, plan.end, plan.facing)[0] > 0, "under the gun's eyes"
