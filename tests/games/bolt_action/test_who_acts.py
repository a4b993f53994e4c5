"""Who may be given an order (1.3, 1.4, 1.11), and who is asked what, by which side, when it fires (12, 16, 2.8)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import ambush, orders, reactions
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.fire_events import Shoots
from grognard.games.bolt_action.shooting import declaring, procedure, targets
from grognard.games.bolt_action.turn_events import AmmunitionNamed, DieAside
from tests.games.bolt_action.fire_play import enemy, faces, fire, us
from tests.games.bolt_action.play import answer, field, happened, keys, look, play, rolled, the_battle, the_state, unit

rule = pytest.mark.rule

FOE = unit("ger_infantry", "g1", at=(60, 5), heading=180)


def place(*units: dict[str, Any], **head: Any) -> BoltBattle:
    return field(*units, sides=["american", "german"], **head)


def barred(battle: BoltBattle, id: str) -> str:
    """The rule that keeps a unit from taking an order, "" if nothing does."""
    found = orders.bar_unit(battle, battle.unit(id))
    return found.rule if found is not None else ""


# ---- who may be given an order -------------------------------------------------------------------------------


@rule("bolt_action", "1.11", "24.3")
def test_riders_wait_until_their_vehicle_is_on_the_table() -> None:
    battle = field(unit("us_truck", "t1", status="reserve"), unit("us_2lt", "a1", aboard="t1"), FOE)
    assert (barred(battle, "a1"), barred(battle, "t1")) == ("1.11", "")
    battle = field(unit("us_truck", "t1", at=(20, 40)), unit("us_2lt", "a1", aboard="t1"), FOE)
    assert barred(battle, "a1") == ""


@rule("bolt_action", "1.11")
def test_the_die_of_riders_in_reserve_is_set_aside_when_nobody_else_can_act() -> None:
    """Their truck goes first; while it waits with a Down die nobody can use the Americans' second die."""
    session = play(
        unit("us_truck", "t1", status="reserve"),
        unit("us_2lt", "a1", aboard="t1"),
        unit("ger_infantry", "g1", at=(60, 5), heading=180, die="down"),
        drawn="american",
        cup={"american": 1, "german": 0},
        dice=[1] * 4,
    )
    assert keys(session) == ["unit t1"]
    answer(session, "unit t1", "down")
    assert [event.side for event in happened(session, DieAside)] == ["american"]


@rule("bolt_action", "1.3", "1.4")
@pytest.mark.parametrize(
    ("more", "why"), [({"at": (20, 40)}, ""), ({"at": (20, 40), "die": "down"}, "1.4"), ({"status": "lost"}, "1.3")]
)
def test_a_unit_takes_one_order_while_it_is_in_the_battle(more: dict[str, Any], why: str) -> None:
    assert barred(field(unit("us_squad", "a1", **more), unit("us_2lt", "a2", at=(30, 40)), FOE), "a1") == why


IS2 = unit("sov_is2", "s1", at=(20, 40))
RIFLES = unit("sov_rifles", "s2", at=(40, 40))


@rule("bolt_action", "1.3")
def test_a_slow_loader_waits_until_another_of_its_side_has_acted() -> None:
    head: dict[str, Any] = {"sides": ["soviet", "german"], "drawn": "soviet", "cup": {"soviet": 1, "german": 0}}
    session = play(IS2, RIFLES, unit("ger_infantry", "g1", at=(60, 5), heading=180, die="down"), **head)
    assert keys(session) == ["unit s2"]
    answer(session, "unit s2", "down")
    assert keys(session) == ["unit s1"]


@rule("bolt_action", "1.3")
@pytest.mark.parametrize(
    ("others", "acted", "why"),
    [
        ([RIFLES], {}, "1.3"),
        ([RIFLES], {"soviet": 1}, ""),
        ([RIFLES], {"german": 2}, "1.3"),
        ([], {}, ""),
        ([{**RIFLES, "die": "down"}], {}, ""),
        ([unit("sov_is2", "s2", at=(40, 40))], {}, ""),
        ([unit("sov_rifles", "s2", status="lost")], {}, ""),
        ([unit("sov_rifles", "s2", status="reserve")], {}, "1.3"),
    ],
)
def test_when_a_slow_loader_may_be_the_first(others: list[dict[str, Any]], acted: dict[str, int], why: str) -> None:
    """Only while another unit of its own side could take the order instead."""
    battle = field(IS2, *others, FOE, sides=["soviet", "german"])
    battle.state.scratch.acted = acted
    assert barred(battle, "s1") == why


@rule("bolt_action", "1.3")
def test_a_slow_loader_waits_again_in_the_next_turn() -> None:
    head: dict[str, Any] = {"sides": ["soviet", "german"], "drawn": "soviet", "cup": {"soviet": 0, "german": 0}}
    fired = unit("sov_is2", "s1", at=(20, 40), die="rally")
    session = play(fired, RIFLES, unit("ger_infantry", "g1", at=(60, 5), heading=180, die="rally"), **head, dice=[1])
    answer(session, "unit s2", "rally")
    assert the_state(session).turn == 2 and session.ask is not None and session.ask.side == "soviet"
    assert keys(session) == ["unit s2"]


@rule("bolt_action", "12.5", "28.2", "2.1")
@pytest.mark.parametrize("order", ["fire", "ambush"])
def test_riders_and_reserves_cannot_be_told_to_shoot(order: str) -> None:
    battle = field(
        unit("us_truck", "t1", at=(20, 40)),
        unit("us_2lt", "a1", aboard="t1"),
        unit("us_squad", "a2", status="reserve"),
        unit("us_squad", "a3", at=(40, 40)),
        FOE,
    )
    found = {id: orders.bar(battle, battle.unit(id), order) for id in ("a1", "a2", "a3")}
    assert {id: bar.rule if bar else "" for id, bar in found.items()} == {"a1": "12.5", "a2": "28.2", "a3": ""}


# ---- who is asked when a unit fires --------------------------------------------------------------------------


@rule("bolt_action", "12.2", "2.8", "17.6")
@pytest.mark.parametrize("answers", [("fire", "hold"), ("hold", "fire"), ("fire", "fire"), ("hold", "hold")])
def test_the_owner_says_which_kinds_of_weapon_fire(answers: tuple[str, str]) -> None:
    """Rifles and a light machine gun: each kind is asked for, and only those that fire throw dice."""
    battle = place(us("sov_lmg_squad", side="american"), enemy("ger_infantry", (36, 22)), dice=(1,) * 20)
    who = battle.unit("a1")
    who.models = [model for model in who.models if model.id != "m1"]  # the submachine gun does not reach
    shots = procedure.shoot(battle, who, moved=False, reacts=reactions.target_reacts)
    asked = [next(shots)]
    for key in ("apart", "at g1", *answers):
        assert key in [option.key for option in asked[-1].options]
        try:
            asked.append(shots.send(key))
        except StopIteration:
            break
    assert [ask.side for ask in asked] == ["american"] * 4
    assert "rifle" in asked[2].prompt and "light machine gun" in asked[3].prompt
    expected = (7 if answers[0] == "fire" else 0) + (3 if answers[1] == "fire" else 0)
    assert sum(len(each) for each in faces(battle, "to hit")) == expected
    assert bool(happened(battle, Shoots)) == bool(expected)


@rule("bolt_action", "12.2", "2.8")
def test_where_one_kind_of_weapon_reaches_nobody_asks_which_kinds_fire() -> None:
    """27 in away only the automatic rifle reaches; its fire was ordered with the target."""
    battle = place(us("us_squad", (36, 40)), enemy("ger_infantry", (36, 12)), dice=(1, 1))
    fire(battle, "apart", "at g1")
    assert [event.weapons for event in happened(battle, Shoots)] == ["automatic rifle"]
    assert faces(battle, "to hit") == [(1, 1)]


@rule("bolt_action", "12.1", "12.2", "4.2")
def test_whoever_fires_is_asked_whatever_he_fires_for() -> None:
    battle = place(us("us_m4"), enemy("ger_pak40", (36, 20)), enemy("ger_infantry", (46, 20), "g2"))
    for reaction, at in (("", ""), ("ambush", "g1"), ("assault", "g2")):
        ask = next(procedure.shoot(battle, battle.unit("a1"), moved=False, at=at, reaction=reaction))
        assert ask.side == "american"
    ask = next(procedure.shoot(battle, battle.unit("g1"), moved=False, reacts=reactions.target_reacts))
    assert ask.side == "german"


# ---- ammunition (16.8) ---------------------------------------------------------------------------------------


def laid(loaded: str) -> BoltBattle:
    return place(us("us_57mm", die="ambush", ammunition=loaded), enemy("ger_infantry", (36, 20)), dice=(1,) * 9)


@rule("bolt_action", "16.8")
@pytest.mark.parametrize(("loaded", "keys"), [("ap", ["at g1 ap"]), ("he", ["at g1 he"])])
def test_a_gun_in_ambush_fires_what_it_has_loaded_and_nothing_else(loaded: str, keys: list[str]) -> None:
    battle = laid(loaded)
    who = battle.unit("a1")
    assert [option.key for option in declaring.options(battle, who, False, "ambush", "g1")] == keys
    assert len(declaring.options(battle, who, False)) == 2, "an order to fire lets it load anew"
    fire(battle, at="g1", reaction="ambush")
    assert happened(battle, Shoots)[0].weapons.endswith("high explosive") == (loaded == "he")


@rule("bolt_action", "16.8")
def test_what_was_loaded_is_forgotten_when_the_ambush_is_sprung() -> None:
    battle = laid("he")
    battle.state.scratch.acting = "g1"
    springing = ambush.offer(battle, battle.unit("g1"), "order")
    next(springing)
    with pytest.raises(StopIteration):
        springing.send("spring a1")
    assert (battle.unit("a1").ammunition, battle.unit("a1").die) == ("", "fire")
    assert rolled(battle, "to hit")


@rule("bolt_action", "16.8")
@pytest.mark.parametrize(
    ("kind", "both"),
    [
        ("us_57mm", True),
        ("us_m4", True),
        ("ger_panzer2", True),
        ("sov_is2", True),
        ("us_hmg", False),
        ("us_bazooka", False),
        ("us_105", False),
        ("us_mortar_light", False),
        ("us_mmg", False),
    ],
)
def test_only_what_fires_both_shot_and_shell_says_what_it_loads(kind: str, both: bool) -> None:
    battle = place(us(kind, side="american"), enemy("ger_infantry", (36, 5)))
    assert ambush.has_both(battle, battle.unit("a1")) == both
    asked = next(ambush.name_ammunition(battle, battle.unit("a1")), None)
    assert (asked is not None) == both
    if asked is not None:
        assert (asked.side, [option.key for option in asked.options]) == ("american", ["load ap", "load he"])


@rule("bolt_action", "16.8", "17.17")
def test_what_is_empty_loads_nothing() -> None:
    battle = place(us("us_57mm", empty=[0]), enemy("ger_infantry", (36, 5)))
    assert not ambush.has_both(battle, battle.unit("a1"))
    assert next(ambush.name_ammunition(battle, battle.unit("a1")), None) is None


@rule("bolt_action", "16.8", "1.12")
def test_a_gun_that_keeps_its_ambush_keeps_what_it_has_loaded() -> None:
    session = play(
        us("us_57mm", die=""),
        enemy("ger_infantry", (36, 5), die="rally"),
        sides=["american", "german"],
        drawn="american",
        cup={"american": 0, "german": 0},
        dice=[1],
    )
    answer(session, "unit a1", "ambush", "load ap")
    (named,) = happened(session, AmmunitionNamed)
    assert (named.side, named.unit, named.ammunition) == ("american", "a1", "ap")
    answer(session, "keep a1")
    assert (look(session, "a1").die, look(session, "a1").ammunition) == ("ambush", "ap")
    assert the_battle(session).state.turn == 2


@rule("bolt_action", "16.8", "1.8")
def test_a_gun_that_gives_up_its_ambush_unloads() -> None:
    gun = us("us_57mm", die="ambush", ammunition="he")
    session = play(
        gun,
        enemy("ger_infantry", (36, 5), die="rally"),
        sides=["american", "german"],
        phase="turn_end",
        dice=[1],
    )
    answer(session, "done")
    assert (look(session, "a1").die, look(session, "a1").ammunition) == ("", "")


# ---- going Down and laying indirect fire (16.1, 16.6, 16.7) ---------------------------------------------------


@rule("bolt_action", "16.1", "16.2", "16.6")
@pytest.mark.parametrize(
    ("die", "cup", "acting", "why"),
    [
        ("", 1, "", ""),
        ("", 0, "", "16.1"),
        ("fire", 1, "", "16.2"),
        ("ambush", 0, "", ""),
        ("ambush", 1, "g1", "16.6"),
    ],
)
def test_who_may_go_down_under_fire(die: str, cup: int, acting: str, why: str) -> None:
    battle = place(us("us_squad"), enemy("ger_infantry", (36, 20), die=die), cup={"american": 1, "german": cup})
    if acting:
        battle.state.scratch.acting = acting
    found = reactions.bar_down(battle, battle.unit("g1"), "shooting")
    assert (found.rule if found is not None else "") == why


@rule("bolt_action", "16.7")
def test_a_howitzer_in_ambush_fires_directly_or_not_at_all() -> None:
    battle = place(us("us_105", die="ambush"), enemy("ger_infantry", (36, 10)))
    who = battle.unit("a1")
    assert [option.key for option in declaring.options(battle, who, False)] == ["at g1", "at g1 indirect"]
    assert [option.key for option in declaring.options(battle, who, False, "ambush", "g1")] == ["at g1"]


@rule("bolt_action", "12.1", "24.4")
@pytest.mark.parametrize(
    ("more", "why"),
    [({"at": (36, 20)}, ""), ({"status": "reserve"}, "12.1"), ({"aboard": "t1"}, "24.4")],
)
def test_only_what_is_on_the_table_is_shot_at(more: dict[str, Any], why: str) -> None:
    foe = unit("ger_infantry", "g1", heading=180, side="german", **more)
    battle = place(us("us_squad"), foe, enemy("ger_truck", (50, 10), "t1"))
    found = targets.bar(battle, battle.unit("a1"), battle.unit("g1"))
    assert (found.rule if found is not None else "") == why


@rule("bolt_action", "12.1", "12.5")
def test_who_is_not_on_the_table_does_not_shoot() -> None:
    battle = place(
        us("us_squad", None, status="reserve"), us("us_2lt", (10, 40), "a2"), enemy("ger_infantry", (36, 20))
    )
    found = targets.bar(battle, battle.unit("a1"), battle.unit("g1"))
    assert found is not None and found.rule == "12.1"
