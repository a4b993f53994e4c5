"""Bolt Action: order dice, pins and models on a table in inches."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "GAME":
        from grognard.games.bolt_action.game import BoltActionGame

        globals()["GAME"] = BoltActionGame()
        return globals()["GAME"]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
