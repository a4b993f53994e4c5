"""Victory (4, 6, 64.10, 64.11, 65, 111.12-111.16): points, sudden death and the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from grognard.core.view import Result
from grognard.games.ost import turn_events
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.scenario import Presence, Win
from grognard.games.ost.state import EXITED, GOOD, LOST, ON_MAP, UNMANNED, Unit


def result(battle: OstBattle) -> Result | None:
    """How the battle ended, or None while it goes on."""
    state = battle.state
    if not state.ending:
        return None
    reason, _, rule = state.ending.rpartition("|")
    return Result(state.winner, _spoken(battle, reason), rule)


def _spoken(battle: OstBattle, reason: str) -> str:
    """A reason as people write it: the sides' names with a capital. The state keeps them as they are."""
    return re.sub(rf"\b({'|'.join(map(re.escape, battle.sides))})\b", lambda side: side[0].capitalize(), reason)


def finish(battle: OstBattle, winner: str, why: str, rule: str) -> None:
    """End the battle; "" wins a draw."""
    state = battle.state
    state.winner, state.ending = winner, f"{why}|{rule}"
    battle.emit(turn_events.Ended(side=winner, winner=winner, why=_spoken(battle, why), rules=(rule,)))


# ---- at once (64.11) -----------------------------------------------------------------------------------


def annihilation(battle: OstBattle) -> bool:
    """Whether the battle is over; it ends at once when a side has destroyed all enemy units (64.11, T-11).

    Units that left the map are not destroyed (M-15), those still to come have not been. A gun that nobody
    mans is no unit. When neither side has any left the victory conditions decide, at the end.
    """
    state = battle.state
    if state.ending:
        return True
    left = {unit.side for unit in state.units.values() if unit.status not in (LOST, UNMANNED)}
    if len(left) == 1:
        winner = next(iter(left))
        finish(battle, winner, f"{winner} has destroyed all enemy units", "64.11")
        return True
    return False


# ---- points (4.0, 65, 111.12) ----------------------------------------------------------------------------


def contested(battle: OstBattle, hex: str) -> bool:
    """Whether an unresolved Melee keeps a control hex from scoring (65.5)."""
    return hex in battle.state.melees and not battle.options.contested_scores


def add(battle: OstBattle, side: str, points: int, source: str, *rules: str) -> None:
    """Add Victory Points to a side's track (4.0)."""
    if points:
        victory = battle.state.victory
        victory[side] = victory.get(side, 0) + points
        battle.emit(turn_events.VictoryScored(side=side, points=points, place=source, rules=rules))


class Score(NamedTuple):
    """Victory Points for a side, what they are for, and by which rules."""

    side: str
    points: int
    source: str
    rules: tuple[str, ...]


def control_scores(battle: OstBattle, when: str) -> Iterator[Score]:
    """Each control hex scores its owner's own value for its owner (4.0, 65.1, 65.5)."""
    for entry in battle.scenario.victory.control:
        if entry.when != when or (when == "turn" and battle.state.turn > entry.first):
            continue
        for hex in entry.hexes:
            owner = battle.state.control.get(hex, "")
            if owner and not contested(battle, hex):
                yield Score(owner, entry.points.get(owner, 0), hex, ("65.3", "4.0"))


def end_scores(battle: OstBattle) -> Iterator[Score]:
    """What is counted when the battle ends: control, casualties and units that left the map (4.0b)."""
    rules, state = battle.scenario.victory, battle.state
    yield from control_scores(battle, "end")
    for loss in rules.casualties:
        for side in loss.sides:
            suffered = state.casualties.get(side, 0)
            yield Score(side, suffered // loss.per * loss.points, f"{suffered} Casualty Points", ("5.0", "64.10"))
    for entry in rules.exits:
        for unit in state.units.values():
            out = unit.side == entry.side and unit.status == EXITED
            if out and _is(battle, unit, entry.units) and (not entry.hexes or unit.hex in entry.hexes):
                yield Score(entry.side, entry.points, unit.id, ("78.1", "64.10"))


def score_turn(battle: OstBattle) -> None:
    """What a turn scores, after the markers have come off (111.12, Y-4)."""
    for each in control_scores(battle, "turn"):
        add(battle, each.side, each.points, each.source, *each.rules)


def score_end(battle: OstBattle) -> None:
    """Add what is counted when the battle ends (4.0b)."""
    for each in end_scores(battle):
        add(battle, each.side, each.points, each.source, *each.rules)


def score_now(battle: OstBattle) -> dict[str, int]:
    """Each side's Victory Points as they would be if the battle ended now."""
    points = {side: battle.state.victory.get(side, 0) for side in battle.sides}
    if not battle.state.ending:
        for each in end_scores(battle):
            points[each.side] += each.points
    return points


def _is(battle: OstBattle, unit: Unit, words: tuple[str, ...]) -> bool:
    kind = battle.type(unit)
    return not words or kind.kind in words or kind.class_ in words


# ---- conditions (64.10) -----------------------------------------------------------------------------------


def sudden_death(battle: OstBattle) -> bool:
    """End the battle if a side's condition for the end of a turn holds (64.10)."""
    return _first_win(battle, "turn")


def _first_win(battle: OstBattle, when: str) -> bool:
    for win in battle.scenario.victory.wins:
        if win.when == when and holds(battle, win):
            finish(battle, win.side, win.reason or f"{win.side} has met its victory condition", "64.10")
            return True
    return False


def holds(battle: OstBattle, win: Win) -> bool:
    """Whether every part of a condition is met."""
    state, enemy = battle.state, battle.other(win.side)
    lead = state.casualties.get(win.side, 0) - state.casualties.get(enemy, 0)
    return (
        all(state.control.get(hex) == win.side and not contested(battle, hex) for hex in win.owns)
        and (win.casualties is None or lead >= win.casualties)
        and (win.present is None or _present(battle, win.side, win.present))
    )


def _present(battle: OstBattle, side: str, wanted: Presence) -> bool:
    count = sum(
        unit.status == ON_MAP
        and unit.hex in wanted.hexes
        and (unit.morale == GOOD or not wanted.good_order)
        and _is(battle, unit, wanted.units)
        for unit in battle.units(side)
    )
    return count >= wanted.at_least


def decide(battle: OstBattle) -> None:
    """Count what the end counts, and name the winner (111.16)."""
    rules, state = battle.scenario.victory, battle.state
    if _first_win(battle, "end"):
        return
    if rules.otherwise:
        winner = "" if rules.otherwise == "draw" else rules.otherwise
        outcome = f"the battle goes to the {winner} side" if winner else "the battle is a draw"
        finish(battle, winner, f"no other condition of victory was met, so {outcome}", "64.10")
        return
    score_end(battle)
    first, second = battle.sides
    mine, yours = state.victory.get(first, 0), state.victory.get(second, 0)
    why = f"Victory Points: {first} {mine}, {second} {yours}"
    for side, lead in ((first, mine - yours), (second, yours - mine)):
        if lead >= rules.lead.get(side, 1):
            finish(battle, side, why, "111.16")
            return
    winner = "" if rules.tie == "draw" else rules.tie
    finish(battle, winner, why, "111.16")
