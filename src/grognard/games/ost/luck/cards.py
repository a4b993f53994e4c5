"""Luck cards: the draw, and when a card can be played (62).

A card is played in its owner's own Impulse, before or after its action, and costs no point. Some act at
once (`immediate`); others hold for the rest of the Impulse (`lasting`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from grognard.core.ask import Bar, Option, Procedure
from grognard.core.dice import Faces, Reader
from grognard.core.events import Rolled
from grognard.games.ost import turn_events
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.luck import immediate, lasting
from grognard.games.ost.roster import luck_cards

NOT_YOURS = Bar("62.3", "you don't hold this card")
TOO_LATE = Bar("62.7", "it is for a later action")

#: What each kind of card does.
CARDS: dict[str, immediate.Effect] = {
    "air_strike": immediate.Strafing(),
    "oba": immediate.Artillery(),
    "smoke": immediate.Smoke(),
    "rally_attempts": immediate.RallyingCry(),
    "rally_auto": immediate.OldSoldier(),
    "impulse_gain": immediate.ClearOrders(),
    "impulse_loss": immediate.CrossedWires(),
    "refresh": immediate.SecondWind(),
    "no_opportunity_fire": lasting.DeadGround(),
    "extra_mp": lasting.DoubleTime(),
    "to_hit_drm": lasting.KeenEye(),
    "ap_fp": lasting.SpecialShot(),
    "ict_fp": lasting.FreshBelt(),
    "cover": immediate.QuickSpades(),
    "restore": immediate.Stragglers(),
    "repair": immediate.TrackCrew(),
    "reveal": immediate.PrisonerTalks(),
    "gain_weapon": immediate.FoundWeapon(),
}


# ---- the draw (62.1-62.3, 62.8) ----------------------------------------------------------------------------


@cache
def card_of(deck: tuple[str, ...]) -> Reader:
    """The card at the place in the deck that one die with as many sides shows."""

    def read(faces: Faces) -> str:
        return deck[sum(faces) - 1]

    return read


def draw_cards(battle: OstBattle) -> None:
    """Each side draws its cards from the one deck, secretly (62.1-62.3).

    The deck is without vehicle cards where the scenario wants it so (62.8). The log keeps a draw to its side,
    and keeps no face: the place of a card in what is left of the deck would tell of the cards drawn before.
    """
    deck = [card.id for card in luck_cards().values() if battle.options.vehicle_luck_cards or not card.vehicle]
    for side in battle.sides:
        hand = battle.state.cards.setdefault(side, [])
        for _ in range(min(battle.scenario.cards.get(side, 0), len(deck))):
            card: str = battle.roll(side, "Luck card", f"1d{len(deck)}", card_of(tuple(deck)), ("62.1",), seen_by=side)
            rolled = battle.log[-1]
            assert isinstance(rolled, Rolled)
            battle.log[-1] = msgspec.structs.replace(rolled, faces=())
            deck.remove(card)
            hand.append(card)
            title = luck_cards()[card].title
            battle.emit(turn_events.CardDrawn(side=side, card=title, rules=("62.1", "62.3"), seen_by=side))


# ---- when a card can be played (62.4, 62.7) ----------------------------------------------------------------


def bar_card(battle: OstBattle, side: str, card_id: str, after_action: bool = False) -> Bar | None:
    """Why a side cannot play a card now."""
    card = luck_cards().get(card_id)
    if card is None or card_id not in battle.state.cards.get(side, ()):
        return NOT_YOURS
    if card.effect_kind in lasting.BOONS and after_action:
        return TOO_LATE
    return CARDS[card.effect_kind].bar(battle, side, card)


def options_card(battle: OstBattle, side: str, after_action: bool | None = None) -> Iterator[Option]:
    """The side's cards that can be played right now; whether the action is done is told by the step, if not said."""
    if after_action is None:
        after_action = battle.state.step.startswith("after")
    for id in battle.state.cards.get(side, ()):
        if bar_card(battle, side, id, after_action) is None:
            card = luck_cards()[id]
            yield Option(f"card {id}", f"{card.title}: {card.effect}", "card", cost="0 IP", rule="62.4")


def act_card(battle: OstBattle, side: str, card_id: str) -> Procedure[None]:
    """Play a card: it is shown, leaves the game, and takes effect; the Impulse goes on (62.4-62.6)."""
    card = luck_cards()[card_id]
    battle.state.cards[side].remove(card_id)
    battle.state.played.append(card_id)
    battle.emit(turn_events.CardPlayed(side=side, card=card.title, rules=("62.4", "62.6"), shows=True))
    yield from CARDS[card.effect_kind].act(battle, side, card)
