"""What a side must do to win, in words made of the scenario's victory conditions (28.4, 28.5), and how that stands."""

from __future__ import annotations

from grognard.core.goals import GoalView, listed, turns_left, worth
from grognard.core.words import side_name
from grognard.games.bolt_action import victory
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.state import OVER


def goal(battle: BoltBattle, side: str) -> GoalView | None:
    """What a side must do, how it would end now, and how long is left; nothing for those who play no side."""
    if side not in battle.sides:
        return None
    rules, enemy = battle.scenario.victory, battle.other(side)
    points = f"{rules.lead} point{'' if rules.lead == 1 else 's'}"
    if rules.otherwise == side:
        task = f"Don’t let the {side_name(enemy)} side lead by {points} at the end"
    else:
        task = f"Lead by {points} at the end"
    sources = _sources(battle, side)
    left = battle.state.last_turn - max(battle.state.turn, 1) + 1
    return GoalView(f"{task}: {sources}" if sources else task, _score(battle), turns_left(left))


def _sources(battle: BoltBattle, side: str) -> str:
    """What gives a side points."""
    rules = battle.scenario.victory
    held = {each.called: each.points for each in battle.scenario.objectives if side in each.sides}
    deeds: dict[str, int] = {}
    if each := rules.attrition.get(side, charts().number("length", "attrition")):
        deeds["each enemy unit destroyed"] = each
    for way in rules.exits:
        if way.side == side:
            kinds = listed((kind.replace("_", " ") for kind in way.kinds), "or") or "unit"
            deeds[f"each {kinds} that leaves over the {way.edge} edge"] = way.points
    return worth(held, deeds)


def _score(battle: BoltBattle) -> str:
    """The points as they would be if the battle ended now."""
    told = ", ".join(f"{side_name(side)} {points}" for side, points in victory.score(battle).items())
    return told if battle.state.phase == OVER else f"if it ended now: {told}"
