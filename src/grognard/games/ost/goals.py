"""What a side must do to win, in words made of the scenario's victory conditions (64.10), and how that stands."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.core.goals import GoalView, listed, turns_left, worth
from grognard.core.words import side_name
from grognard.games.ost import victory
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.scenario import Presence, Win


def goal(battle: OstBattle, side: str) -> GoalView | None:
    """What a side must do, how it would end now, and how long is left; nothing for those who play no side."""
    if side not in battle.sides:
        return None
    wins = battle.scenario.victory.wins
    if wins:
        return GoalView(_condition_task(battle, side), _holders(battle), turns_left(battle.state.turn))
    return GoalView(_points_task(battle, side), _score(battle), turns_left(battle.state.turn))


# ---- conditions ------------------------------------------------------------------------------------------


def _condition_task(battle: OstBattle, side: str) -> str:
    """What must be so, for the side that has conditions; what must not, for the side that wins otherwise."""
    wins = battle.scenario.victory.wins
    if own := [win for win in wins if win.side == side]:
        return _first_large(", or ".join(_told(battle, own)))
    return f"Don’t let the {side_name(battle.other(side))} side {', or '.join(_told(battle, wins))}"


def _told(battle: OstBattle, wins: Iterable[Win]) -> list[str]:
    """Each condition with when it counts; what counts at the end of every turn counts at the last as well."""
    when: dict[str, str] = {}
    for win in wins:
        told = _condition(battle, win)
        if when.get(told) != "turn":
            when[told] = win.when
    return [f"{told} {'at the end of a turn' if each == 'turn' else 'at the end'}" for told, each in when.items()]


def _condition(battle: OstBattle, win: Win) -> str:
    parts = [f"control {listed(called(battle, hex) for hex in win.owns)}"] if win.owns else []
    if win.present is not None:
        parts.append(_presence(win.present))
    if win.casualties is not None:
        ahead = f"lead by {win.casualties}" if win.casualties > 0 else "be level or ahead"
        parts.append(f"{ahead} in Casualty Points")
    return listed(parts)


def _presence(wanted: Presence) -> str:
    units = listed((word.replace("_", " ") for word in wanted.units), "or") or "unit"
    state = "good order " if wanted.good_order else ""
    hexes = sorted(wanted.hexes, key=_column_and_row)
    where = f"in {hexes[0]}" if len(hexes) == 1 else f"between {hexes[0]} and {hexes[-1]}"
    return f"have {wanted.at_least} {state}{units} {where}"


def _column_and_row(hex: str) -> tuple[int, str, int]:
    """A hex's label for sorting: A2 before A10, Z1 before AA1."""
    column = hex.rstrip("0123456789")
    return len(column), column, int(hex[len(column) :] or 0)


def _holders(battle: OstBattle) -> str:
    """Who controls what the conditions are about."""
    hexes = dict.fromkeys(hex for win in battle.scenario.victory.wins for hex in win.owns)
    return ", ".join(f"{called(battle, hex)}: {_holder(battle, hex)}" for hex in hexes)


def _holder(battle: OstBattle, hex: str) -> str:
    if hex in battle.state.melees:
        return "contested"
    owner = battle.state.control.get(hex, "")
    return side_name(owner) if owner else "nobody"


# ---- points ----------------------------------------------------------------------------------------------


def _points_task(battle: OstBattle, side: str) -> str:
    """How far a side must lead, or how far the enemy must not, and what gives it points."""
    rules, enemy = battle.scenario.victory, battle.other(side)
    mine, theirs = rules.lead.get(side, 1), rules.lead.get(enemy, 1)
    if mine > 1:
        task = f"Lead by {mine} Victory Points at the end"
    elif theirs > 1:
        task = f"Don’t let the {side_name(enemy)} side lead by {theirs} Victory Points at the end"
    elif rules.tie == side:
        task = f"Have as many Victory Points as the {side_name(enemy)} side at the end"
    else:
        task = f"Have more Victory Points than the {side_name(enemy)} side at the end"
    sources = _sources(battle, side)
    return f"{task}: {sources}" if sources else task


def _sources(battle: OstBattle, side: str) -> str:
    """What gives a side points."""
    rules = battle.scenario.victory
    each_turn: dict[int, dict[str, int]] = {}
    at_end: dict[str, int] = {}
    deeds: dict[str, int] = {}
    for entry in rules.control:
        if points := entry.points.get(side, 0):
            kept = each_turn.setdefault(entry.first, {}) if entry.when == "turn" else at_end
            kept.update({called(battle, hex): points for hex in entry.hexes})
    for way in rules.exits:
        if way.side == side:
            units = listed((word.replace("_", " ") for word in way.units), "or") or "unit"
            deeds[f"each {units} that leaves the map"] = way.points
    for loss in rules.casualties:
        if side in loss.sides:
            deeds[f"every {loss.per} Casualty Points" if loss.per > 1 else "each Casualty Point"] = loss.points
    parts: list[str] = []
    for first, hexes in each_turn.items():
        begins = f" from turn {first} on" if first < battle.scenario.turns else ""
        parts.append(f"{worth(hexes, {})} at the end of each turn{begins}")
    if at_end or deeds:
        parts.append(worth(at_end, deeds))
    return "; ".join(parts)


def _score(battle: OstBattle) -> str:
    """The Victory Points as they would be if the battle ended now."""
    points = victory.score_now(battle)
    told = ", ".join(f"{side_name(side)} {points[side]}" for side in battle.sides)
    return told if battle.state.ending else f"if it ended now: {told}"


# ---- words -----------------------------------------------------------------------------------------------


def called(battle: OstBattle, hex: str) -> str:
    """A hex with the name that the map gives it."""
    name = battle.field.labels.get(hex, "")
    return f"{name} ({hex})" if name else hex


def _first_large(text: str) -> str:
    return text[:1].upper() + text[1:]
