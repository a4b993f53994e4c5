"""Luck cards: when to play one, and on whom (62)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from grognard.core.ask import Ask, Option
from grognard.core.tactics import Reason
from grognard.games.ost.luck.cards import CARDS
from grognard.games.ost.roster import LuckCard, luck_cards
from grognard.games.ost.state import BROKEN, Unit
from grognard.kits.hex.tactics.choices import Choice, also, because

if TYPE_CHECKING:
    from grognard.games.ost.tactics.impulse import Commander

#: Below this a card is better kept; and what it counts that a good one is played before the action.
KEEP, FIRST = 0.35, 2.0


def card_choices(commander: Commander, option: Option) -> Iterator[Choice]:
    """What playing a card now is worth; whoever has few turns left keeps none."""
    card = luck_cards().get(option.key.split()[1])
    if card is None:
        yield Choice(-1.0, option.key)
        return
    worth = _worth(commander, card)
    kept = KEEP * commander.common * min(1.0, (commander.position.turns - 1) / commander.battle.scenario.turns)
    # A card costs no point and the action is still to come, so a good one is played before any action.
    first = FIRST if worth > kept else 0.0
    why = also(
        because(f"plays {card.title}", worth),
        Reason("it may be more use later", -kept),
        Reason("it costs no points, and an action can still follow", first),
    )
    yield Choice(worth - kept + first, option.key, why)


def _worth(commander: Commander, card: LuckCard) -> float:
    position, battle, side = commander.position, commander.battle, commander.position.side
    kind, common = card.effect_kind, commander.common
    if kind == "impulse_gain":
        return 0.6 * common if position.state.points.get(side, 0) <= 4 else 0.2 * common
    if kind == "impulse_loss":
        return 0.6 * common
    if kind == "oba":
        return commander.strikes.best_oba(card.oba)[0]
    if kind == "air_strike":
        return commander.strikes.best_air()[0]
    units = CARDS[kind].units(battle, side, card)
    if kind == "rally_auto":
        return max((_fallen(commander, unit) for unit in units), default=0.0)
    if kind == "rally_attempts":
        return max((_called(commander, unit) for unit in units), default=0.0)
    if kind == "cover":
        return max((0.3 * position.risk(u, u.hex)[0] * position.piece(u).worth for u in units), default=0.0)
    if kind == "restore":
        return max((0.4 * position.piece(unit).power for unit in units), default=0.0)
    if kind == "refresh":
        return max((_again(commander, unit) for unit in units), default=0.0)
    if kind == "repair":
        return 0.5 * common
    if kind == "gain_weapon":
        return 0.45 * common if len(position.foes) else 0.0
    if kind == "extra_mp":
        return 0.0
    if kind == "no_opportunity_fire":
        return _dash(commander)
    if kind in ("ict_fp", "to_hit_drm", "ap_fp"):
        best = max((attack.worth for unit in units if (attack := commander.shots.best(unit)) is not None), default=0.0)
        return 0.4 * best
    return 0.3 * common if kind == "reveal" and position.turns < battle.scenario.turns - 2 else 0.0


def _fallen(commander: Commander, unit: Unit) -> float:
    return (0.45 if unit.morale == BROKEN else 0.22) * commander.position.piece(unit).power * 1.4


def _called(commander: Commander, leader: Unit) -> float:
    battle = commander.battle
    reach = battle.kinds[leader.kind].command_range
    here = commander.position.dist[leader.hex]
    return sum(
        0.6 * _fallen(commander, unit)
        for unit in commander.position.mine
        if unit.morale and here[unit.hex] <= reach and battle.kinds[unit.kind].foot
    )


def _again(commander: Commander, unit: Unit) -> float:
    attack = commander.shots.best(unit)
    return 0.8 * attack.worth if attack is not None and commander.battle.used(unit) else 0.0


def _dash(commander: Commander) -> float:
    """Dead Ground helps the Move that would be fired at most."""
    best = 0.0
    for unit in commander.position.mine:
        if unit.moved or not commander.battle.kinds[unit.kind].foot or unit.aboard or unit.morale == BROKEN:
            continue
        plan = commander.moves.best(unit)
        if plan is not None and plan.worth + plan.passing > 0:
            best = max(best, plan.passing)
    return 1.5 * best


def pick(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Whom or where a card is used: the unit that gains most, the hex that shelters most."""
    position, battle = commander.position, commander.battle
    for option in ask.options:
        words = option.key.split()
        if words[0] == "unit":
            unit = battle.unit(words[1])
            piece = position.piece(unit)
            worth = piece.worth * (1 + unit.morale) + position.risk(unit, unit.hex)[0]
            if battle.kinds[unit.kind].leader:
                worth += _called(commander, unit)
            if battle.used(unit) and (attack := commander.shots.best(unit)) is not None:
                worth += attack.worth
            yield Choice(worth, option.key, because(f"{battle.name(unit)} gains most", worth))
        elif words[0] == "hex":
            worth = commander.strikes.smoke(words[1])
            yield Choice(worth, option.key, because(f"smoke in {words[1]}", worth))
        elif words[0] == "repair":
            worth = position.piece(battle.unit(words[1])).worth + {"immobilized": 0.5, "bogged": 0.3}.get(words[2], 0.0)
            yield Choice(worth, option.key, because("the most useful repair", worth))
        else:
            armored = any(foe.kind.armored for foe in position.foes)
            lmg = battle.kinds[words[1]].class_ == "lmg"
            worth = 1.0 if lmg != armored else 0.5
            yield Choice(worth, option.key, because("the weapon it needs most", worth))
