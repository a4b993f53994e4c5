"""Limited actions (74): what ends a unit's turn, whatever it would do next.

How many actions a unit has taken is told by `OstBattle.actions` and `OstBattle.used`.
"""

from __future__ import annotations

from grognard.core.ask import Bar
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import Unit

IS_BROKEN = Bar("68.6", "it is Broken")
IN_MELEE = Bar("101.3", "it is in a Melee")
ASSAULTED = Bar("101.3", "an Assault Move ends a unit's turn")
INTENSIVE = Bar("90.4", "it has used Intensive Fire and can do nothing more this turn")
IS_USED = Bar("74.1", "it has taken two limited actions this turn")


def bar_over(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a unit's turn is over: in a Melee, after an Assault Move, after Intensive Fire (101.3, A-1, 90.4)."""
    if unit.hex in battle.state.melees:
        return IN_MELEE
    if unit.assaulted:  # also where everybody slipped away and there is no Melee
        return ASSAULTED
    return INTENSIVE if unit.intensive else None
