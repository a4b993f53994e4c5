"""Leaders (13-16) in the Attach phase: who is attached to whom, and weapons that change hands (20.13)."""

from __future__ import annotations

from grognard.core.ask import Procedure
from grognard.games.ost.battle import OstBattle


def attach_phase(battle: OstBattle) -> Procedure[str]:
    """INTERIM"""
    return "smoke"
    yield
