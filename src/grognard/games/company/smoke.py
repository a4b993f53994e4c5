"""Smoke (15.12, 15.13, 15.17): squares of it, and how long they hang.

It is area terrain: what is in it can be seen and is concealed, and nobody looks across (`cover`).
"""

from __future__ import annotations

from grognard.board.table.templates import Square
from grognard.core.poses import place
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.command_events import SmokeClears, SmokeLaid
from grognard.games.company.state import Cloud, Platoon


def lay(battle: CompanyBattle, unit: Platoon, square: Square) -> None:
    """Smoke takes the place of the template (15.12); it hangs until the end of the next turn (15.17)."""
    until = battle.state.turn + charts().number("barrage_limits", "smoke_turns") - 1
    battle.state.clouds = [*battle.state.clouds, Cloud(square.x, square.y, square.heading, until)]
    battle.invalidate()
    where = place(square.x, square.y)
    battle.emit(SmokeLaid(side=unit.side, unit=unit.id, place=where, rules=("15.12", "15.17")))


def age(battle: CompanyBattle) -> None:
    """At the end of a turn the smoke whose time is over drifts away (1.9, 15.17)."""
    gone = [cloud for cloud in battle.state.clouds if cloud.until <= battle.state.turn]
    if gone:
        battle.state.clouds = [cloud for cloud in battle.state.clouds if cloud.until > battle.state.turn]
        battle.invalidate()
    for cloud in gone:
        battle.emit(SmokeClears(place=place(cloud.x, cloud.y), rules=("15.17",)))
