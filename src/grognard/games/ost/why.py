"""INTERIM why not."""

from __future__ import annotations

from typing import Any

from grognard.core.ask import Bar
from grognard.games.ost.battle import OstBattle


def why_not(battle: OstBattle, side: str, words: str) -> list[Bar]:
    return []


def line_of_sight(battle: OstBattle, side: str, start: str, end: str) -> Any:
    return None
