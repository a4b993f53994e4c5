"""Old School Tactical. ``GAME`` is made when somebody asks for it, so that importing this costs nothing."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "GAME":
        from grognard.games.ost.game import OstGame

        game = OstGame()
        globals()["GAME"] = game
        return game
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
