"""The sequence of play (section 1)."""

from __future__ import annotations

from grognard.core.ask import Rules
from grognard.games.company.battle import CompanyBattle


def play(battle: CompanyBattle) -> Rules:
    """The whole game as a procedure that starts wherever the state stands."""
    raise NotImplementedError
    yield
