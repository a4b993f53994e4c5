"""Luck cards: the draw, when they can be played, and every card of the deck (62)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from grognard.core.ask import FacesAsk
from grognard.core.dice import FairDice, ScriptedDice
from grognard.core.events import Rolled
from grognard.core.session import Session
from grognard.core.standing_orders import StandingOrder
from grognard.core.view import log_lines
from grognard.games.ost import combat_events, move_events, turn_events
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.luck import cards, immediate, lasting
from grognard.games.ost.roster import luck_cards
from grognard.games.ost.state import GOOD, SHAKEN, Strike
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, rolled, state, tally, unit


def game(card: str, *units: str, dice: tuple[int, ...] = (), **more: Any) -> Session:
    """The Americans hold a card; it is their Impulse."""
    head: dict[str, Any] = {"sides": ["american", "german"], "cards": {"american": [card]}}
    return position(*units, dice=dice, **{**head, **more})


def play(session: Session, card: str, *answers: str) -> Session:
    """Play the card: it costs nothing, leaves the game, is shown to all, and the Impulse goes on (62.4-62.6)."""
    points = state(session).points["american"]
    answer(session, f"card {card}", *answers)
    played(session, card, points)
    return session


def played(session: Session, card: str, points: int = 5, side: str = "american") -> None:
    """The card was played in its owner's Impulse for no point, and is gone (62.4-62.6)."""
    assert not isinstance(session.ask, FacesAsk), session.ask
    if card != "clear_orders":
        assert state(session).points[side] == points
        assert not happened(session, turn_events.Spent)
    assert state(session).cards[side] == []
    assert state(session).played == [card]
    assert [event.seen_by for event in happened(session, turn_events.CardPlayed)] == [""]
    assert session.ask is not None and session.ask.side == side
    assert f"card {card}" not in keys(session)


def offered(session: Session) -> bool:
    return bool(keys(session, "card"))


def thrown(session: Session) -> bool:
    """Whether every die of the script was thrown."""
    assert isinstance(session.dice, ScriptedDice)
    return session.dice.position == len(session.dice.script)


# ---- the draw -----------------------------------------------------------------------------------------


def drawing(*, dice: tuple[int, ...] = (), seed: bytes = b"", draws: int = 1, **more: Any) -> OstBattle:
    head: dict[str, Any] = {"draws": {"american": draws, "german": draws}, "sides": ["american", "german"]}
    session = position("a1 us_rifle A4", "g1 ger_rifle J8", **head, **more)
    drawn = OstBattle(session.scenario, session.state, FairDice(seed) if seed else ScriptedDice(dice))
    cards.draw_cards(drawn)
    return drawn


@pytest.mark.rule("ost", "62.1")
def test_each_side_draws_one_card_from_the_same_deck() -> None:
    deck = list(luck_cards())
    assert len(deck) == 20
    drawn = drawing(dice=(3, 3))
    assert drawn.state.cards == {"american": [deck[2]], "german": [deck[3]]}  # the third card is gone by then


@pytest.mark.rule("ost", "62.1")
def test_the_scenario_may_give_other_numbers() -> None:
    assert drawing(draws=0).state.cards == {"american": [], "german": []}
    two = drawing(draws=2, seed=b"two")
    cards = [card for side in two.sides for card in two.state.cards[side]]
    assert len(cards) == len(set(cards)) == 4


@pytest.mark.rule("ost", "62.1")
def test_the_draw_is_fair() -> None:
    found = Counter[str]()
    for number in range(800):
        drawn = drawing_again(number)
        found.update(card for side in drawn.sides for card in drawn.state.cards[side])
    assert set(found) == set(luck_cards())
    assert min(found.values()) > 45 and max(found.values()) < 120  # 80 to be expected


_BASE: list[Session] = []


def drawing_again(number: int) -> OstBattle:
    if not _BASE:
        head: dict[str, Any] = {"draws": {"american": 1, "german": 1}, "sides": ["american", "german"]}
        _BASE.append(position("a1 us_rifle A4", "g1 ger_rifle J8", **head))
    session = _BASE[0]
    drawn = OstBattle(session.scenario, session.state, FairDice(number.to_bytes(4, "big")))
    drawn.state.cards = {}
    cards.draw_cards(drawn)
    return drawn


@pytest.mark.rule("ost", "62.3")
def test_the_draw_is_seen_by_its_side_only() -> None:
    drawn = drawing(dice=(3, 3))
    title = luck_cards()[drawn.state.cards["american"][0]].title
    for side, knows in (("american", True), ("german", False)):
        text = " ".join(line.text for line in log_lines(drawn.log, side, {}, {}))
        assert (title in text) is knows
    rolls = [event for event in drawn.log if isinstance(event, Rolled)]
    assert [(event.seen_by, event.faces) for event in rolls] == [("american", ()), ("german", ())]


@pytest.mark.rule("ost", "62.8")
def test_vehicle_cards_may_be_taken_out_of_the_deck() -> None:
    vehicle = {card.id for card in luck_cards().values() if card.vehicle}
    assert vehicle == {"keen_eye", "special_shot", "track_crew"}
    everything = drawing(draws=10, seed=b"all").state.cards
    assert vehicle < {card for hand in everything.values() for card in hand}
    fewer = drawing(draws=10, seed=b"all", options={"vehicle_luck_cards": False}).state.cards
    cards = [card for hand in fewer.values() for card in hand]
    assert len(cards) == 17 and not vehicle & set(cards)


@pytest.mark.rule("ost", "62.2")
def test_cards_are_drawn_after_set_up_before_the_first_turn() -> None:
    head: dict[str, Any] = {
        "phase": "luck",
        "draws": {"american": 1, "german": 1},
        "sides": ["american", "german"],
        "turns": 5,
    }
    session = position("a1 us_rifle A4", "g1 ger_rifle J8", **head, turn=5, opening=True, seed=b"draw")
    assert [len(state(session).cards[side]) for side in ("american", "german")] == [1, 1]
    drawn = [i for i, event in enumerate(session.log) if isinstance(event, turn_events.CardDrawn)]
    initiative = [i for i, event in enumerate(session.log) if isinstance(event, turn_events.Initiative)]
    assert drawn and initiative and max(drawn) < min(initiative)


# ---- when they can be played --------------------------------------------------------------------------


@pytest.mark.rule("ost", "62.4", "105.11")
def test_only_in_the_owners_own_impulse() -> None:
    session = game("clear_orders", "a1 us_rifle A4", "g1 ger_rifle J8", active="german")
    assert not offered(session)
    answer(session, "burn")
    assert keys(session, "card") == ["card clear_orders"]


@pytest.mark.rule("ost", "62.5", "62.0")
def test_before_or_after_the_action_of_the_impulse() -> None:
    # E-25: Strafing Run, and the Impulse's action is still to come
    before = game("strafing_run", "a1 us_rifle A4", "g1 ger_rifle D4", dice=(3, 1, 1, 6))
    play(before, "strafing_run", "hex D4", "hex D5")
    assert [event.unit for event in rolled(before, "ICT attack")] == ["g1"]
    assert state(before).points["american"] == 5
    answer(before, "cover a1")
    assert state(before).points["american"] == 4
    assert before.ask is not None and before.ask.side == "german"
    after = game("strafing_run", "a1 us_rifle A4", "g1 ger_rifle D4", dice=(1, 3, 1, 1))
    answer(after, "cover a1")
    assert after.ask is not None and after.ask.side == "american"
    answer(after, "card strafing_run", "hex D4", "hex D5")
    assert [event.unit for event in rolled(after, "ICT attack")] == ["g1"]
    assert after.ask is not None and after.ask.side == "german"


@pytest.mark.rule("ost", "62.5")
def test_who_keeps_a_card_need_not_be_asked_after_every_action() -> None:
    session = game("strafing_run", "a1 us_rifle A4", "g1 ger_rifle D4", dice=(1, 3, 1, 1))
    session.give_order(StandingOrder("american", "Luck card"))
    answer(session, "cover a1")
    assert session.ask is not None and session.ask.side == "german", "the card is kept, and play goes on"
    assert state(session).cards["american"] == ["strafing_run"]
    answer(session, "burn")
    assert keys(session, "card") == ["card strafing_run"], "before the action it is there as ever"
    cautious = game("strafing_run", "a1 us_rifle A4", "g1 ger_rifle D4", dice=(1, 3, 1, 1))
    cautious.give_order(StandingOrder("american", below=0.9))
    answer(cautious, "cover a1")
    assert cautious.ask is not None and cautious.ask.side == "american", "no chance is told of playing a card"


@pytest.mark.rule("ost", "62.6")
def test_a_card_is_gone_once_used() -> None:
    session = play(game("clear_orders", "a1 us_rifle A4", "g1 ger_rifle J8"), "clear_orders")
    answer(session, "burn", "pass")
    assert session.ask is not None and session.ask.side == "american"
    assert not offered(session)


@pytest.mark.rule("ost", "62.7")
def test_a_card_that_cannot_be_applied_stays_unusable_in_the_hand() -> None:
    session = game("track_crew", "a1 us_rifle A4", "g1 ger_rifle J8")
    assert not offered(session)
    assert cards.bar_card(battle(session), "american", "track_crew") == immediate.NOBODY
    assert state(session).cards["american"] == ["track_crew"]


@pytest.mark.rule("ost", "62.3")
def test_nobody_plays_a_card_he_does_not_hold() -> None:
    session = game("clear_orders", "a1 us_rifle A4", "g1 ger_rifle J8")
    assert cards.bar_card(battle(session), "american", "strafing_run") == cards.NOT_YOURS
    assert cards.bar_card(battle(session), "german", "clear_orders") == cards.NOT_YOURS


@pytest.mark.rule("ost", "62.4")
@pytest.mark.parametrize("card", ["dead_ground", "double_time", "keen_eye", "special_shot", "fresh_belt"])
def test_cards_for_the_coming_action_hold_for_the_impulse_only(card: str) -> None:
    units = ("a1 us_rifle A4", "a2 us_m4a1 B4", "g1 ger_pz4h J8", "g2 ger_rifle J7")
    session = game(card, *units, dice=(1,), points={"american": 6})
    kind = luck_cards()[card].effect_kind
    play(session, card)
    assert lasting.boon(battle(session), "american", kind) == luck_cards()[card]
    assert lasting.boon(battle(session), "german", kind) is None
    answer(session, "cover a1")
    assert lasting.boon(battle(session), "american", kind) is None
    late = game(card, *units)
    assert cards.bar_card(battle(late), "american", card, after_action=True) == cards.TOO_LATE


@pytest.mark.rule("ost", "62.4")
def test_a_boon_is_used_up_or_cleared() -> None:
    session = play(game("keen_eye", "a1 us_m4a1 A4", "g1 ger_pz4h J8"), "keen_eye")
    here = battle(session)
    assert lasting.use_boon(here, "german", "to_hit_drm") is None
    assert lasting.use_boon(here, "american", "to_hit_drm") == luck_cards()["keen_eye"]
    assert lasting.use_boon(here, "american", "to_hit_drm") is None
    state(session).boons.append("american:keen_eye")
    lasting.clear_boons(here)
    assert lasting.boon(here, "american", "to_hit_drm") is None


def test_every_card_of_the_deck_has_its_effect() -> None:
    assert {card.effect_kind for card in luck_cards().values()} == set(cards.CARDS)


# ---- strikes ------------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "62.4", "106.1")
def test_strafing_run() -> None:
    session = game("strafing_run", "a1 us_rifle A4", "g1 ger_rifle D4", dice=(6, 1, 1))
    play(session, "strafing_run", "hex D4", "hex D5")
    assert tally(session, "Firepower", "ICT attack").total == 8
    assert thrown(session)
    assert not offered(game("strafing_run", "a1 us_rifle A4 shaken", "g1 ger_rifle D4"))


@pytest.mark.rule("ost", "62.4", "107.4")
@pytest.mark.parametrize(
    ("card", "kind", "power"), [("mortar_support", "mortars", 4), ("battery_on_call", "artillery", 6)]
)
def test_company_mortars_and_battery_on_call(card: str, kind: str, power: int) -> None:
    session = game(card, "a1 us_rifle A4", "g1 ger_rifle D4", dice=(5, 1, 1))
    play(session, card, "hex D4", "shells")
    assert tally(session, "Firepower", "ICT attack").total == power
    assert state(session).strikes == [Strike("american", kind, "D4")]
    assert lines(tally(session, "accuracy roll")) == {}
    smoke = game(card, "a1 us_rifle A4", "g1 ger_rifle D4", dice=(5,))
    play(smoke, card, "hex D4", "smoke")
    assert state(smoke).smoke["D4"] == 1
    assert not offered(game(card, "a1 us_rifle A4 broken", "g1 ger_rifle D4"))


@pytest.mark.rule("ost", "62.4", "107.4")
@pytest.mark.parametrize(("face", "accurate"), [(5, True), (4, False)])
def test_rocket_salvo(face: int, accurate: bool) -> None:
    dice = (face, 1, 1) if accurate else (face, 4, 3)
    session = game("rocket_salvo", "a1 us_rifle A4", "g1 ger_rifle D4", dice=dice)
    play(session, "rocket_salvo", "hex D4", "shells")
    assert lines(tally(session, "accuracy roll")) == {"luck_card": 1}
    assert state(session).strikes == [Strike("american", "rockets", "D4" if accurate else "D7")]
    assert thrown(session)


@pytest.mark.rule("ost", "62.4", "33.4")
def test_smoke_pots() -> None:
    session = game("smoke_pots", "a1 us_rifle A4", "a2 us_rifle J1 shaken", "a3 us_m4a1 J8", "g1 ger_rifle F8")
    answer(session, "card smoke_pots")
    distance = battle(session).grid.dist["A4"]
    assert sorted(keys(session)) == sorted(f"hex {hex}" for hex, steps in distance.items() if steps <= 3)
    answer(session, "hex D3")
    assert sorted(keys(session)) == sorted(
        f"hex {hex}" for hex in battle(session).grid.adjacent["D3"] if distance[hex] <= 3
    )
    answer(session, "hex D4")
    assert state(session).smoke == {"D3": 1, "D4": 1}
    assert [event.rules for event in happened(session, move_events.Placed)] == [("33.1",)] * 2
    played(session, "smoke_pots")
    # both hexes near one and the same unit: D4 is near a1 only, E4 near a2 only
    two = game("smoke_pots", "a1 us_rifle A4", "a2 us_rifle H4", "g1 ger_rifle F8")
    answer(two, "card smoke_pots", "hex D4")
    assert "hex D3" in keys(two) and "hex E4" not in keys(two)
    assert not offered(game("smoke_pots", "a1 us_rifle A4 shaken", "a2 us_m4a1 A4", "g1 ger_rifle F8"))
    assert not offered(game("smoke_pots", "a1 us_rifle A4", "g1 ger_rifle A4", melees=["A4 german"]))
    # it is smoke like any other: +1 Defense for who stands in it, -1 Firepower for who fires out of it
    own = game("smoke_pots", "a1 us_rifle A4", "g1 ger_rifle A6", dice=(1, 1, 1, 1))
    play(own, "smoke_pots", "hex A4", "hex B4")
    answer(own, "fire a1", "at g1 own")
    assert lines(tally(own, "Firepower")) == {"firing_out_of_smoke": -1}
    answer(own, "fire g1", "at a1 own")
    assert lines(tally(own, "Defense")) == {"smoke": 1}


# ---- morale -------------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "62.4", "70.4")
def test_rallying_cry() -> None:
    units = (
        "a1 us_lt A4",
        "a2 us_rifle A4 shaken",
        "a3 us_rifle A6 broken",
        "a4 us_rifle A7 shaken",  # out of range
        "a5 us_m4a1 A5 shaken",  # no foot unit
        "g1 ger_rifle J8",
    )
    # a2: 6 + 1 for the Leader = 7: rallies. a3: 5 + 1: stays out of order, but is Shaken now.
    session = game("rallying_cry", *units, dice=(3, 3, 2, 3))
    play(session, "rallying_cry")
    assert [unit(session, id).morale for id in ("a2", "a3", "a4", "a5")] == [GOOD, SHAKEN, SHAKEN, SHAKEN]
    assert [event.unit for event in rolled(session, "Rally")] == ["a2", "a3"]
    assert thrown(session)
    assert not offered(game("rallying_cry", "a1 us_lt A4", "a2 us_rifle A7 shaken", "g1 ger_rifle J8"))
    assert not offered(game("rallying_cry", "a1 us_lt A4 shaken", "a2 us_rifle A4 shaken", "g1 ger_rifle J8"))
    assert not offered(game("rallying_cry", "a1 us_rifle A4", "a2 us_rifle A4 shaken", "g1 ger_rifle J8"))
    melee = ("a1 us_lt A4", "a2 us_rifle A5 shaken", "g1 ger_rifle A5")
    assert not offered(game("rallying_cry", *melee, melees=["A5 german"]))
    locked = ("a1 us_rifle A5", "a2 us_lt A5 attached=a1", "a3 us_rifle A4 shaken", "g1 ger_rifle A5")
    assert not offered(game("rallying_cry", *locked, melees=["A5 german"]))


@pytest.mark.rule("ost", "62.4")
def test_rallying_cry_by_one_of_two_leaders() -> None:
    units = ("a1 us_sgt A1", "a2 us_rifle A1 shaken", "a3 us_sgt J8", "a4 us_rifle J8 shaken", "g1 ger_rifle E4")
    session = game("rallying_cry", *units, dice=(6, 6))
    play(session, "rallying_cry", "unit a3")
    assert [unit(session, id).morale for id in ("a2", "a4")] == [SHAKEN, GOOD]


@pytest.mark.rule("ost", "62.4", "65.3")
def test_old_soldier() -> None:
    units = ("a1 us_rifle A4 broken", "a2 us_m4a1 B4 shaken", "a3 us_rifle C4", "g1 ger_rifle J8")
    session = game("old_soldier", *units, control={"A4": "german"})
    answer(session, "card old_soldier")
    assert keys(session) == ["unit a1", "unit a2"]
    answer(session, "unit a1")
    assert [unit(session, id).morale for id in ("a1", "a2")] == [GOOD, SHAKEN]
    assert rolled(session) == []
    played(session, "old_soldier")
    assert [event.unit for event in happened(session, combat_events.Rallied)] == ["a1"]
    assert state(session).control["A4"] == "american"
    assert not offered(game("old_soldier", "a1 us_rifle A4", "g1 ger_rifle J8"))
    fighting = ("a1 us_rifle A4 shaken", "a2 us_rifle B1", "g1 ger_rifle A4")
    assert not offered(game("old_soldier", *fighting, melees=["A4 german"]))


# ---- Impulse Points -----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "62.4", "67.5")
def test_clear_orders() -> None:
    session = play(game("clear_orders", "a1 us_rifle A4", "g1 ger_rifle J8"), "clear_orders")
    assert state(session).points == {"american": 7, "german": 5}
    assert [(event.points, event.left) for event in happened(session, turn_events.Gained)] == [(2, 7)]
    last = game("clear_orders", "a1 us_rifle A4", "g1 ger_rifle J8", points={"american": 1}, dice=(1,))
    assert offered(last)
    answer(last, "cover a1")  # the last point is spent: too late for more
    assert last.ask is not None and last.ask.side == "german"
    assert cards.bar_card(battle(last), "american", "clear_orders") == immediate.NO_POINTS


@pytest.mark.rule("ost", "62.4")
@pytest.mark.parametrize(("had", "left"), [(5, 3), (3, 1), (2, 1)])
def test_crossed_wires(had: int, left: int) -> None:
    session = game("crossed_wires", "a1 us_rifle A4", "g1 ger_rifle J8", points={"american": 5, "german": had})
    play(session, "crossed_wires")
    assert state(session).points == {"american": 5, "german": left}
    assert [event.points for event in happened(session, turn_events.LostPoints)] == [had - left]


@pytest.mark.rule("ost", "62.7")
@pytest.mark.parametrize("had", [0, 1])
def test_crossed_wires_needs_an_enemy_with_two_points(had: int) -> None:
    session = game("crossed_wires", "a1 us_rifle A4", "g1 ger_rifle J8", points={"german": had})
    assert not offered(session)


# ---- the coming action --------------------------------------------------------------------------------


@pytest.mark.rule("ost", "62.4", "105.9")
def test_dead_ground() -> None:
    units = ("a1 us_rifle A4", "a2 us_m4a1 J1", "g1 ger_rifle D4")
    open_ground = game("dead_ground", *units)
    answer(open_ground, "move a1", "step A5")
    assert open_ground.ask is not None and open_ground.ask.side == "german"
    session = play(game("dead_ground", *units), "dead_ground")
    answer(session, "move a1", "step A5", "step A6")
    assert session.ask is not None and session.ask.side == "american"
    for flags in ("moved", "used", "broken"):
        assert not offered(game("dead_ground", f"a1 us_rifle A4 {flags}", "a2 us_m4a1 J1", "g1 ger_rifle D4"))
    led = ("a1 us_rifle A4 moved", "a2 us_lt A4 attached=a1", "g1 ger_rifle D4")
    assert not offered(game("dead_ground", *led))
    assert not offered(game("dead_ground", "a1 us_rifle A4", "g1 ger_rifle A4", melees=["A4 german"]))


@pytest.mark.rule("ost", "62.7", "78.3")
@pytest.mark.parametrize(("due", "there"), [(6, True), (5, True), (4, False)])
def test_dead_ground_serves_those_who_enter_the_map_too(due: int, there: bool) -> None:
    units = ("a1 us_m4a1 J8", f"a2 us_rifle - due={due} entry=A4", "g1 ger_rifle D4")
    assert offered(game("dead_ground", *units, turn=5, turns=9)) is there


@pytest.mark.rule("ost", "62.4", "105.9")
def test_dead_ground_is_for_foot_units() -> None:
    units = ("a1 us_rifle A4", "a2 us_truck A5 f=4", "g1 ger_rifle D4")
    session = play(game("dead_ground", *units), "dead_ground")
    answer(session, "move a2", "step A6")
    assert session.ask is not None and session.ask.side == "german" and session.ask.reaction


@pytest.mark.rule("ost", "62.4", "75.6")
def test_double_time() -> None:
    units = ("a1 us_rifle A1", "g1 ger_rifle J8")
    steps = [f"step A{row}" for row in range(2, 6)]
    plain = game("double_time", *units, points={"german": 0}, map="open 30x8")
    answer(plain, "move a1", *steps)
    assert "step A6" not in keys(plain)
    session = game("double_time", *units, points={"german": 0}, map="open 30x8")
    play(session, "double_time")
    answer(session, "move a1", *steps, "step A6", "step A7")
    assert unit(session, "a1").hex == "A7"
    assert "step A8" not in keys(session)
    assert not offered(game("double_time", "a1 us_rifle A1 shaken", "a2 us_mmg B1", "g1 ger_rifle J8"))
    assert not offered(game("double_time", "a1 us_rifle A1 moved", "a2 us_mmg B1", "g1 ger_rifle J8"))


@pytest.mark.rule("ost", "62.4", "95.6")
def test_keen_eye() -> None:
    # M4A1 at range 4: To Hit 6; a roll of 4 + 2 hits. Only one roll is helped.
    units = ("a1 us_m4a1 A4 f=3", "g1 ger_pz4h E4 f=6")
    session = game("keen_eye", *units, dice=(2, 2, 1, 1))
    play(session, "keen_eye")
    answer(session, "fire a1", "at g1 main")
    assert lines(tally(session, "To Hit roll")) == {"luck": 2}
    assert len(rolled(session, "VCT attack")) == 1
    assert lasting.boon(battle(session), "american", "to_hit_drm") is None
    assert not offered(game("keen_eye", "a1 us_m4a1 A4", "g1 ger_rifle E4"))  # nothing to hit
    assert not offered(game("keen_eye", "a1 us_rifle A4", "g1 ger_pz4h E4"))  # nothing to hit with
    assert offered(game("keen_eye", "a1 us_rifle A4 with=us_bazooka", "g1 ger_pz4h E4"))
    assert not offered(game("keen_eye", "a1 us_m4a1 A4", "g1 ger_pz4h E4 hidden"))
    for flags in ("broken", "used intensive"):
        assert not offered(game("keen_eye", f"a1 us_m4a1 A4 {flags}", "g1 ger_pz4h E4"))
    riding = ("a1 us_truck A4", "a2 us_rifle A4 aboard=a1 with=us_bazooka", "g1 ger_pz4h E4")
    assert not offered(game("keen_eye", *riding))
    locked = ("a1 us_m4a1 A4", "a2 us_rifle A1", "g1 ger_pz4h A4")
    assert not offered(game("keen_eye", *locked, melees=["A4 german"]))
    assert not offered(game("keen_eye", "a1 us_m4a1 A4", *locked[1:], "g2 ger_pz4h J8 hidden", melees=["A4 german"]))
    fighting = ("a1 us_m4a1 E4", "a2 us_rifle A4", "g1 ger_pz4h A4")
    assert offered(game("keen_eye", *fighting[:2], "g1 ger_pz4h A1"))
    assert not offered(game("keen_eye", *fighting, melees=["A4 german"])), "nobody fires at who is in a Melee"


@pytest.mark.rule("ost", "62.4", "95.8")
def test_special_shot() -> None:
    units = ("a1 us_m4a1 A4 f=3", "g1 ger_pz4h E4 f=6")
    session = game("special_shot", *units, dice=(6, 5, 1, 1))
    play(session, "special_shot")
    answer(session, "fire a1", "at g1 main")
    firepower = tally(session, "Firepower", "VCT attack")
    assert (firepower.base, lines(firepower)) == (7, {"luck": 2})
    assert not offered(game("special_shot", "a1 us_rifle A4 with=us_bazooka", "g1 ger_pz4h E4"))
    assert not offered(game("special_shot", "a1 us_m4a1 A4", "g1 ger_truck E4"))
    assert offered(game("special_shot", "a1 us_at57 A4 f=3", "g1 ger_pz4h E4"))
    assert not offered(game("special_shot", "a1 us_at57 A4 f=3 broken", "g1 ger_pz4h E4"))


@pytest.mark.rule("ost", "62.4", "86.3")
def test_fresh_belt() -> None:
    session = game("fresh_belt", "a1 us_mmg A4", "g1 ger_rifle E4", dice=(1, 2))
    play(session, "fresh_belt")
    answer(session, "fire a1", "at g1 own")
    firepower = tally(session, "Firepower", "ICT attack")
    assert (firepower.base, lines(firepower)) == (5, {"luck": 2})
    assert not offered(game("fresh_belt", "a1 us_m4a1 A4", "g1 ger_rifle E4"))
    assert not offered(game("fresh_belt", "a1 us_rifle A4 broken", "g1 ger_rifle E4"))
    assert not offered(game("fresh_belt", "a1 us_rifle A4", "g1 ger_pz4h E4"))
    assert not offered(game("fresh_belt", "a1 us_rifle A4", "g1 ger_truck E4"))  # attacked on the VCT
    assert offered(game("fresh_belt", "a1 us_rifle A4", "g1 ger_marder3 E4"))  # its crew is not


# ---- units --------------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "62.4", "74.6")
def test_second_wind() -> None:
    units = ("a1 us_rifle A4 moved fired", "a2 us_lt A4 attached=a1", "a3 us_m4a1 B4 used", "g1 ger_rifle J8")
    session = game("second_wind", *units)
    assert "move a1" not in keys(session)
    play(session, "second_wind")
    assert battle(session).actions(unit(session, "a1")) == 0
    assert "move a1" in keys(session)
    assert battle(session).actions(unit(session, "a3")) == 2
    assert [event.unit for event in happened(session, turn_events.Marked)] == ["a1"]
    led = ("a1 us_rifle A4", "a2 us_lt A4 attached=a1 moved", "g1 ger_rifle J8")
    assert not offered(game("second_wind", *led))
    for flags in ("", "moved shaken", "used intensive"):
        assert not offered(game("second_wind", f"a1 us_rifle A4 {flags}", "g1 ger_rifle J8"))


@pytest.mark.rule("ost", "62.4", "25.3")
def test_quick_spades() -> None:
    units = ("a1 us_rifle A4 used", "a2 us_m4a1 C4", "a3 us_rifle E4", "g1 ger_rifle J8")
    session = game("quick_spades", *units, works=["trench E4"])
    answer(session, "card quick_spades")
    assert keys(session) == ["unit a1", "unit a2"]
    answer(session, "unit a2")
    assert rolled(session) == []
    played(session, "quick_spades")
    assert (state(session).works["C4"].kind, state(session).works["C4"].side) == ("cover", "american")
    blocked = ("a1 us_rifle A4", "g1 ger_rifle J8")
    assert not offered(game("quick_spades", *blocked, works=["wire A4"]))
    assert not offered(game("quick_spades", *blocked, terrain={"stream": "A4"}))


@pytest.mark.rule("ost", "62.4", "94.2")
def test_stragglers() -> None:
    session = game("stragglers", "a1 us_rifle A4 reduced", "g1 ger_rifle A6", casualties={"german": 1})
    play(session, "stragglers")
    assert not unit(session, "a1").reduced
    assert [event.what for event in happened(session, combat_events.Restored)] == ["at full strength"]
    assert battle(session).firepower(unit(session, "a1")) == 4
    assert state(session).casualties["german"] == 1
    for squad, enemy in (
        ("a1 us_rifle A4 reduced", "g1 ger_rifle A5"),  # an enemy adjacent
        ("a1 us_rifle A4 reduced shaken", "g1 ger_rifle A6"),
        ("a1 us_mmg A4 reduced", "g1 ger_rifle A6"),  # no squad
        ("a1 us_rifle A4", "g1 ger_rifle A6"),
    ):
        assert not offered(game("stragglers", squad, enemy))
    # a hidden enemy next to it must not be given away
    assert offered(game("stragglers", "a1 us_rifle A4 reduced", "g1 ger_rifle A5 hidden"))


@pytest.mark.rule("ost", "62.4", "77.6", "30.5")
def test_track_crew() -> None:
    units = (
        "a1 us_m4a1 A4 bogged",
        "a2 us_m4a1 C4 immobilized mgs_out",
        "a3 us_m4a1 E4 bogged broken",
        "g1 ger_rifle J8",
    )
    session = game("track_crew", *units, works=["wire A4"])
    answer(session, "card track_crew")
    assert keys(session) == ["repair a1 bogged", "repair a2 immobilized", "repair a2 mgs"]
    freed = session.fork()
    answer(freed, "repair a1 bogged")
    assert not unit(freed, "a1").bogged
    assert "A4" not in state(freed).works  # 30.5
    assert [event.unit for event in happened(freed, move_events.Freed)] == ["a1"]
    moving = session.fork()
    answer(moving, "repair a2 immobilized")
    assert (unit(moving, "a2").immobilized, unit(moving, "a2").mgs_out) == (False, True)
    answer(session, "repair a2 mgs")
    played(session, "track_crew")
    assert (unit(session, "a2").immobilized, unit(session, "a2").mgs_out) == (True, False)
    assert "machine guns" in happened(session, combat_events.Restored)[0].what
    assert "move" in happened(moving, combat_events.Restored)[0].what
    one = game("track_crew", "a1 us_m4a1 A4 bogged", "g1 ger_rifle J8")
    answer(one, "card track_crew")
    assert not unit(one, "a1").bogged, "there is nothing to choose"
    sheltered = play(game("track_crew", "a1 us_m4a1 A4 bogged", "g1 ger_rifle J8", works=["trench A4"]), "track_crew")
    assert "A4" in state(sheltered).works
    locked = ("a1 us_m4a1 A4 immobilized", "g1 ger_rifle A4")
    assert not offered(game("track_crew", *locked, melees=["A4 german"]))
    assert not offered(game("track_crew", "a1 us_m4a1 A4 bogged broken", "g1 ger_rifle J8"))
    assert not offered(game("track_crew", "a1 us_m4a1 A4", "g1 ger_rifle J8"))


@pytest.mark.rule("ost", "62.4", "73.2", "73.9")
def test_prisoner_talks() -> None:
    units = (
        "a1 us_rifle A4",
        "a2 us_rifle J8",
        "g1 ger_rifle A8 hidden",
        "g2 ger_sgt A8 attached=g1",
        "g3 ger_rifle F4 hidden",
        "a3 us_rifle B4 hidden",
    )
    mines = ["C4 german", "H4 german", "B5 american", "B6 german revealed"]
    session = game("prisoner_talks", *units, mines=mines)
    answer(session, "card prisoner_talks")
    assert keys(session) == ["unit a1", "unit a2", "unit a3"]
    answer(session, "unit a1")
    played(session, "prisoner_talks")
    assert [unit(session, id).hidden for id in ("g1", "g2", "g3", "a3")] == [False, False, True, True]
    assert {hex: mines.revealed for hex, mines in state(session).mines.items()} == {
        "C4": True,
        "H4": False,
        "B5": False,
        "B6": True,
    }
    assert all(event.shows for event in happened(session, move_events.Revealed))
    assert [event.place for event in happened(session, move_events.MinesRevealed)] == ["C4"]


@pytest.mark.rule("ost", "62.4")
def test_prisoner_talks_needs_somebody_on_the_map() -> None:
    session = game("prisoner_talks", "a1 us_rifle - due=2", "g1 ger_rifle E4 hidden")
    assert cards.bar_card(battle(session), "american", "prisoner_talks") == immediate.NOBODY


@pytest.mark.rule("ost", "62.7")
@pytest.mark.parametrize(
    ("enemy", "offered_"),
    [
        ('[[side.german.unit]]\nkind = "ger_rifle"\nat = "E4"', False),
        ('[[side.german.unit]]\nkind = "ger_rifle"\nat = "E4"\nhidden = "may"', True),
        ('hidden = 0\n[[side.german.unit]]\nkind = "ger_rifle"\nat = "E4"\nhidden = "may"', False),
        ('[[side.german.unit]]\nkind = "ger_rifle"\nat = "E4"\nhidden = true', True),
        ('[[side.german.unit]]\nkind = "ger_rifle"\nat = "E4"\n[[side.german.mines]]\nat = "C4"', True),
    ],
)
def test_prisoner_talks_depends_on_the_order_of_battle_only(enemy: str, offered_: bool) -> None:
    from grognard.core.files import Document
    from grognard.games.ost.scenario_file import load_scenario

    text = f"""
name = "talk"
title = "Talk"
turns = 5
map = {{ columns = 6, rows = 6 }}
[side.american]
nation = "american"
impulse = "2d6"
gut_check = 7
[[side.american.unit]]
kind = "us_rifle"
at = "A1"
hidden = true
[side.german]
nation = "german"
impulse = "2d6"
gut_check = 7
{enemy}
"""
    scenario = load_scenario(Document.from_toml(text, "talk.toml"))
    session = game("prisoner_talks", "a1 us_rifle A4", "g1 ger_rifle E4")
    here = OstBattle(scenario, session.state, ScriptedDice())
    bar = cards.bar_card(here, "american", "prisoner_talks")
    assert bar == (None if offered_ else immediate.NOTHING_HIDDEN)


@pytest.mark.rule("ost", "62.4", "20.2")
def test_found_weapon() -> None:
    german = position(
        "g1 ger_rifle A4",
        "g2 ger_rifle C4 with=ger_lmg",
        "g3 ger_hmg42 E4",
        "a1 us_rifle J8",
        cards={"german": ["found_weapon"]},
    )
    answer(german, "card found_weapon")
    assert keys(german) == ["weapon ger_lmg", "weapon ger_panzerfaust", "weapon ger_bundle"]
    answer(german, "weapon ger_panzerfaust")
    assert [weapon.kind for weapon in battle(german).weapons(unit(german, "g1"))] == ["ger_panzerfaust"]
    session = play(game("found_weapon", "a1 us_rifle A4", "g1 ger_rifle J8"), "found_weapon")
    assert [weapon.kind for weapon in battle(session).weapons(unit(session, "a1"))] == ["us_lmg"]
    taken = happened(session, move_events.WeaponTaken)[0]
    assert (taken.unit, state(session).weapons[taken.weapon].kind) == ("a1", "us_lmg")
    for squad in ("a1 us_rifle A4 with=us_bar", "a1 us_rifle A4 shaken", "a1 us_mmg A4"):
        assert not offered(game("found_weapon", squad, "g1 ger_rifle J8"))


@pytest.mark.rule("ost", "62.7", "101.3")
@pytest.mark.parametrize("card", ["stragglers", "second_wind", "found_weapon", "quick_spades"])
def test_units_locked_in_a_melee_are_beyond_a_cards_help(card: str) -> None:
    units = ("a1 us_rifle A4 reduced moved", "g1 ger_rifle A4")
    assert not offered(game(card, *units, melees=["A4 german"]))
    assert offered(game(card, "a1 us_rifle A4 reduced moved", "g1 ger_rifle A6"))


@pytest.mark.rule("ost", "62.4", "20mo.7")
def test_fresh_belt_helps_one_attack_of_a_mortar() -> None:
    session = position(
        "g1 ger_rifle D1 with=ger_mortar50",
        "a1 us_rifle D6",
        "a2 us_hmg D6",
        cards={"german": ["fresh_belt"]},
        dice=(6, 1, 1, 1, 1),
    )
    answer(session, "card fresh_belt")
    played(session, "fresh_belt", side="german")
    answer(session, "fire g1", "shell w1 D6")
    first, second = rolled(session, "ICT attack")
    assert lines(first.tallies[0])["luck"] == 2 and "luck" not in lines(second.tallies[0])


@pytest.mark.rule("ost", "62.4", "73.2")
@pytest.mark.parametrize("card", ["old_soldier", "stragglers", "found_weapon"])
def test_cards_do_not_give_a_hidden_unit_away(card: str) -> None:
    flags = {"old_soldier": "shaken", "stragglers": "reduced", "found_weapon": ""}[card]
    session = position(f"g1 ger_rifle D4 hidden {flags}", "a1 us_rifle H8", cards={"german": [card]})
    answer(session, f"card {card}")
    if keys(session, "card"):
        answer(session, keys(session)[0])
    played(session, card, side="german")
    assert any("g1" in line.text for line in session.view("german").log)
    assert not any("g1" in line.text for line in session.view("american").log)
