"""Tank duels (104)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.ost import tank_duel
from grognard.games.ost.combat_events import Abandoned, Eliminated, MeleeOver, Retreated, Wrecked
from grognard.games.ost.turn_events import Initiative

from .fray import AROUND, HEX, Fray, unit

SHOT = "duel shot"
WALLED_IN = {"terrain": {"river": ", ".join(AROUND)}}


def duel(dice: str, *more: dict[str, Any], us: str = "us_m4a1", ger: str = "ger_pz4h", **rest: Any) -> Fray:
    """A Sherman against a PzKpfw IV; the Americans began it, and roll first."""
    return Fray(unit(us, "a1"), unit(ger, "g1"), *more, dice=dice, **rest)


# ---- the worked example --------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "104.0", "104.4", "104.5", "104.8", "104.11")
def test_the_example_of_104() -> None:
    # American 7, German 10; the German shot on +8 is a 2: S, and the Gut Check passes; the American on +2 a 2
    fray = duel("3 4 5 5 1 1 4 4 1 1").fight("retreat a1 D3")
    assert fray.events(Initiative)[0].side == "german"
    assert fray.events(Initiative)[0].totals == (10, 7)
    first, second = fray.rolls(SHOT)
    assert (first.side, first.unit, second.side, second.unit) == ("german", "a1", "american", "g1")
    assert fray.column(0, SHOT) == (13, 5, 0)
    assert fray.column(1, SHOT) == (9, 7, 0)
    assert fray.lines(0, 0, SHOT) == [("melee_fp", 2, "104.11", "")]
    assert first.meaning == "S" and second.meaning == ""


# ---- when (104.1-104.3) --------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "104.1")
@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ([], True),
        ([unit("ger_arm_lt", "g2", attached="g1")], True),
        ([unit("ger_rifle", "g2")], False),
        ([unit("ger_truck", "g2")], False),
        ([unit("ger_rifle", "g2", aboard="g1")], False),
        ([unit("ger_sdkfz251", "g2")], True),
    ],
)
def test_a_duel_is_fought_by_armored_vehicles_alone(more: list[dict[str, Any]], expected: bool) -> None:
    assert tank_duel.is_duel(duel("", *more).battle, HEX) is expected


@pytest.mark.rule("ost", "104.1")
def test_with_foot_units_it_is_an_ordinary_melee() -> None:
    fray = duel("1 1 " * 3, unit("ger_rifle", "g2")).fight("all")
    assert not fray.rolls(SHOT)
    assert fray.column(0) == (4 + 2 + 2, 7 + 4, 0)


# ---- initiative (104.4, 104.6) -------------------------------------------------------------------------------


@pytest.mark.rule("ost", "104.4")
def test_ties_are_rolled_again() -> None:
    fray = duel("3 4 3 4 2 2 2 2 5 4 4 4 1 1 1 1 4 4").fight("retreat a1 D3")
    assert len(fray.rolls("duel initiative")) == 6
    assert fray.rolls(SHOT)[0].side == "american"


@pytest.mark.rule("ost", "104.4", "16.5")
def test_an_armor_leader_adds_1_to_the_initiative_and_to_his_shot() -> None:
    fray = duel("3 4 3 4 1 1 4 4 1 1", unit("ger_arm_lt", "g2", attached="g1")).fight("retreat a1 D3")
    assert fray.events(Initiative)[0].totals == (8, 7)
    assert fray.rolls(SHOT)[0].side == "german"
    assert fray.lines(0, 2, SHOT) == [("armor_leader", 1, "16.5", "g2")]


@pytest.mark.rule("ost", "104.6", "104.5")
@pytest.mark.parametrize(("american", "defense"), [("4 4", 7), ("4 5", 4)])
def test_winning_by_4_finds_the_flank(american: str, defense: int) -> None:
    fray = duel(f"{american} 2 3 1 1 1 1 4 4").fight("retreat a1 D3")
    assert fray.column(0, SHOT) == (9, defense, 0)
    assert fray.column(1, SHOT) == (13, 5, 0)  # the return shot meets the front


@pytest.mark.rule("ost", "104.6", "104.4")
def test_the_margin_is_taken_from_the_modified_rolls() -> None:
    fray = duel("2 3 4 4 1 1 4 4 1 1", unit("ger_arm_lt", "g2", attached="g1")).fight("retreat a1 D3")
    assert fray.events(Initiative)[0].totals == (9, 5)
    assert fray.column(0, SHOT)[1] == 4


# ---- the shots (104.5-104.11) --------------------------------------------------------------------------------


@pytest.mark.rule("ost", "104.7", "104.8", "102.27")
def test_a_destroyed_tank_does_not_shoot_back() -> None:
    fray = duel("2 2 2 3 6 6").fight()
    assert fray.where("a1") == "lost"
    assert len(fray.rolls(SHOT)) == 1
    assert not fray.rolls("To Hit") and not fray.rolls("crew survival")
    assert fray.battle.state.casualties["german"] == 2
    assert fray.battle.state.melees == {} and fray.events(MeleeOver)


@pytest.mark.rule("ost", "104.7")
def test_a_tank_whose_main_gun_is_damaged_does_not_shoot_back() -> None:
    # the American wins by 1: column +2, 8 is D, and a 4 takes the gun
    fray = duel("3 3 2 3 4 4 4").fight("retreat a1 D3")
    assert fray["g1"].guns_out == (0,)
    assert len(fray.rolls(SHOT)) == 1


@pytest.mark.rule("ost", "104.7", "104.10", "104.15")
def test_a_broken_tank_does_not_shoot_back_and_retreats() -> None:
    # column +2: 7 is B; the Gut Check fails
    fray = duel("3 3 2 3 3 4 1 1").fight("retreat g1 D5")
    assert fray.morale("g1") == "broken"
    assert len(fray.rolls(SHOT)) == 1
    assert fray.where("g1") == "D5"
    assert fray.rules(Retreated) == {"104.15", "68.8"}


@pytest.mark.rule("ost", "104.7")
def test_a_tank_damaged_elsewhere_shoots_back() -> None:
    fray = duel("3 3 2 3 4 4 3 1 1 4 4").fight("retreat a1 D3")
    assert fray["g1"].mgs_out
    assert len(fray.rolls(SHOT)) == 2


@pytest.mark.rule("ost", "104.9")
def test_moving_fire_does_not_count() -> None:
    fray = duel("4 4 3 4 1 1 1 1 4 4")
    fray["a1"].moved = True
    fray.fight("retreat a1 D3")
    assert fray.column(0, SHOT) == (9, 7, 0)


@pytest.mark.rule("ost", "104.10")
def test_a_shaken_tank_has_half_firepower_and_minus_1() -> None:
    fray = duel("4 4 3 4 1 1 1 1 4 4")
    fray["a1"].morale = 1
    fray.fight("retreat a1 D3")
    assert fray.column(0, SHOT) == (7 // 2 + 2, 7, -1)
    assert fray.lines(0, 0, SHOT) == [("shaken_fp", -4, "104.10", "a1"), ("melee_fp", 2, "104.11", "")]
    assert fray.lines(0, 2, SHOT) == [("shaken_in_melee", -1, "104.10", "a1")]


@pytest.mark.rule("ost", "104.10")
def test_a_broken_tank_does_not_fire() -> None:
    fray = duel("5 5 3 3 1 1")
    fray["a1"].morale = 2
    fray.fight("retreat a1 D3")
    assert [roll.side for roll in fray.rolls(SHOT)] == ["german"]
    assert fray.column(0, SHOT)[1] == 5  # the flank was the winner's to find


@pytest.mark.rule("ost", "104.5", "102.3", "21.18")
def test_terrain_does_not_count_and_an_open_top_does() -> None:
    fray = duel("4 4 3 4 1 1 1 1 4 4", us="us_m18", map={"terrain": {"orchard": HEX}}, wrecks=HEX)
    fray.fight("retreat a1 D3")
    front = fray.battle.type(fray["a1"]).front
    assert fray.column(1, SHOT) == (13, front - 1, 0)
    assert fray.lines(1, 1, SHOT) == [("open_top", -1, "21.18", "a1")]


@pytest.mark.rule("ost", "104.7", "104.14")
def test_a_vehicle_without_a_gun_has_no_shot() -> None:
    fray = duel("4 4 3 4 1 1 4 4", ger="ger_sdkfz251").fight("retreat a1 D3")
    assert [roll.side for roll in fray.rolls(SHOT)] == ["american"]


@pytest.mark.rule("ost", "22.1", "104.5")
def test_the_owner_of_two_guns_picks_one() -> None:
    fray = duel("4 4 3 4 1 1 1 1 4 4", us="us_m3_lee").fight("gun 1", "retreat a1 D3")
    assert [option.key for option in fray.asks[0].options] == ["gun 0", "gun 1"]
    assert fray.asks[0].meanwhile == "gun 0", "odds go on with the first"
    assert fray.column(0, SHOT) == (5 + 2, 7, 0)
    out = duel("4 4 3 4 1 1 1 1 4 4", us="us_m3_lee")
    out["a1"].guns_out = (1,)
    out.fight("retreat a1 D3")  # one gun is left: no question
    assert out.column(0, SHOT) == (6 + 2, 7, 0)


# ---- afterwards (104.12-104.18) ------------------------------------------------------------------------------


@pytest.mark.rule("ost", "104.12", "104.13", "104.14")
@pytest.mark.parametrize(("initiator", "leaves"), [("american", "a1"), ("german", "g1")])
def test_after_a_draw_the_initiator_moves_out(initiator: str, leaves: str) -> None:
    fray = duel("4 4 3 4 1 1 1 1 4 4", initiator=initiator).fight(f"retreat {leaves} C4")
    assert fray.retreats() == {leaves: "C4"}
    assert fray.rules(Retreated) == {"104.14"}
    assert fray.morale(leaves) == "good order"
    assert fray.battle.state.melees == {}


@pytest.mark.rule("ost", "104.14", "65.3")
def test_a_tank_that_moves_out_in_good_order_takes_a_control_hex() -> None:
    fray = duel("4 4 3 4 1 1 1 1 4 4", control={"C4": {"owner": "german"}}).fight("retreat a1 C4")
    assert fray.battle.state.control["C4"] == "american"


@pytest.mark.rule("ost", "104.15")
def test_a_shaken_tank_retreats_and_the_other_stays() -> None:
    # the German shot on +8: a 2 Shakes, the check fails; the American is Shaken when it shoots back
    fray = duel("3 3 3 4 1 1 1 1 1 1").fight("retreat a1 D3")
    assert fray.morale("a1") == "shaken"
    assert fray.column(1, SHOT) == (5, 7, -1)
    assert fray.rules(Retreated) == {"104.15", "68.5"}


@pytest.mark.rule("ost", "104.16")
@pytest.mark.parametrize(("initiator", "leaves"), [("american", "a1"), ("german", "g1")])
def test_with_both_shaken_only_the_initiator_retreats(initiator: str, leaves: str) -> None:
    fray = duel("3 3 2 3 1 1 1 1", initiator=initiator)
    fray["a1"].morale = fray["g1"].morale = 1
    fray.fight(f"retreat {leaves} D5")
    assert fray.retreats() == {leaves: "D5"}
    assert fray.rules(Retreated) == {"104.16"}


@pytest.mark.rule("ost", "104.17")
def test_a_tank_that_cannot_retreat_is_destroyed() -> None:
    fray = duel("3 3 2 3 3 4 1 1", map=WALLED_IN).fight()
    assert fray.where("g1") == "lost"
    assert "104.17" in fray.rules(Wrecked) | fray.rules(Eliminated)
    assert fray.battle.state.casualties["american"] == 2


@pytest.mark.rule("ost", "104.18")
@pytest.mark.parametrize("marker", ["immobilized", "bogged"])
def test_an_immobile_tank_that_must_retreat_is_abandoned(marker: str) -> None:
    fray = duel("3 3 2 3 3 4 1 1")
    setattr(fray["g1"], marker, True)
    fray.fight()
    assert "104.18" in fray.rules(Abandoned)
    assert fray.battle.state.casualties["american"] == 1


@pytest.mark.rule("ost", "104.18", "104.14")
def test_an_immobile_initiator_that_must_move_out_is_abandoned() -> None:
    fray = duel("4 4 3 4 1 1 1 1 4 4")
    fray["a1"].bogged = True
    fray.fight()
    assert fray.where("a1") == "lost"
    assert "104.18" in fray.rules(Abandoned)


# ---- three tanks (104.19, 104.20) ----------------------------------------------------------------------------


def three(dice: str, **more: Any) -> Fray:
    return duel(dice, unit("ger_pz4h", "g2"), **more)


@pytest.mark.rule("ost", "104.19", "104.20")
def test_the_pair_wins_fires_answers_and_fires_again() -> None:
    fray = three("2 3 3 3 1 1 4 4 1 1 1 1 4 4").fight("fire g2", "target g1", "retreat a1 D3")
    assert [roll.side for roll in fray.rolls(SHOT)] == ["german", "american", "german"]
    assert [roll.unit for roll in fray.rolls(SHOT)] == ["a1", "g1", "a1"]
    assert [ask.side for ask in fray.asks] == ["german", "american", "american"]


@pytest.mark.rule("ost", "104.19", "104.20")
def test_the_single_tank_wins_and_has_one_shot() -> None:
    fray = three("5 5 3 3 1 1 1 1 4 4 1 1 4 4").fight("target g2", "fire g1", "retreat a1 D3")
    assert [roll.side for roll in fray.rolls(SHOT)] == ["american", "german", "german"]
    assert fray.column(0, SHOT) == (9, 4, 0)  # won by 4: flank, for the first shot only
    assert fray.column(1, SHOT)[1] == fray.column(2, SHOT)[1] == 5


@pytest.mark.rule("ost", "104.19", "104.7")
def test_when_the_single_tank_is_destroyed_there_is_no_more_to_shoot_at() -> None:
    fray = three("2 3 3 3 6 6").fight("fire g1")
    assert len(fray.rolls(SHOT)) == 1
    assert fray.where("a1") == "lost"


@pytest.mark.rule("ost", "104.19", "104.20")
def test_when_one_of_the_pair_is_destroyed_the_other_fires() -> None:
    fray = three("5 5 3 3 6 6 1 1 4 4").fight("target g2", "retreat a1 D3")
    assert fray.where("g2") == "lost"
    assert [roll.side for roll in fray.rolls(SHOT)] == ["american", "german"]


@pytest.mark.rule("ost", "104.19", "104.15", "104.14")
def test_of_a_pair_the_shaken_one_retreats_and_the_good_one_stays() -> None:
    fray = three("3 3 3 4 1 1 4 4 1 1 1 1")
    fray["g2"].morale = 1
    fray.fight("fire g1", "target g1", "retreat g2 D5", "retreat a1 D3")
    assert fray.retreats() == {"g2": "D5", "a1": "D3"}
    assert fray.where("g1") == HEX
    assert fray.battle.state.melees == {}
