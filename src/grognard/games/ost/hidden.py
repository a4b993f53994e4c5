"""Hidden units: what stumbles over them, and the ambush (73)."""

from __future__ import annotations

from grognard.core.ask import Procedure
from grognard.games.ost import move_events, opportunity_fire
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import ON_MAP, Unit


def hidden_enemies(battle: OstBattle, hex: str, side: str) -> list[Unit]:
    """The hidden enemies of ``side`` in a hex, Leaders attached to them included."""
    return [u for u in battle.at.get(hex, ()) if u.hidden and u.side != side]


def reveal_hex(battle: OstBattle, hex: str, owner: str, *rules: str) -> None:
    """Place every hidden unit that a side has in a hex on the board, with whatever was hidden with it."""
    for unit in battle.stack(hex, owner):
        battle.reveal(unit, *rules)


def come_out(battle: OstBattle, unit: Unit) -> None:
    """A hidden unit that acts is revealed, with its Leader, whoever rides on it and what it rides on (73.4, 73.6)."""
    battle.reveal(unit, "73.6")
    if unit.aboard:
        battle.reveal(battle.unit(unit.aboard), "73.6")


def bump(battle: OstBattle, movers: list[Unit], hex: str) -> Procedure[bool]:
    """Units about to enter a hex find hidden enemies there: they stay where they are, their Move is over (73.8).

    The enemies are revealed, and one of them may ambush the movers as Opportunity Fire. True if that halted them
    (105.7); a halt by the discovery alone leaves the order of Impulses as it is (T-7).
    """
    enemies = hidden_enemies(battle, hex, movers[0].side)
    owner = enemies[0].side
    reveal_hex(battle, hex, owner, "73.8")
    for mover in movers:
        battle.emit(
            move_events.Halted(
                side=mover.side, unit=mover.id, place=mover.hex, why=f"hidden enemies in {hex}", rules=("73.8",)
            )
        )
    if any(mover.status != ON_MAP for mover in movers):
        return False  # it waits off the map, out of anybody's reach
    return (yield from opportunity_fire.opportunity_fire(battle, movers, ambush_by=enemies[0]))
