"""Saved games: their shape, writing one and reading one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grognard.core.dice import FairDice, ScriptedDice
from grognard.core.files import read_kept
from grognard.core.standing_orders import StandingOrder

if TYPE_CHECKING:
    from grognard.core.session import Session

SAVE_VERSION = 1


class Save(msgspec.Struct, kw_only=True):
    """A saved game: its scenario, its dice and its answers. The state is what they lead to."""

    format: str = "grognard save"
    version: int = SAVE_VERSION
    game: str
    rules: int
    scenario: str
    source: str
    files: dict[str, str] = {}
    situation: bool = False
    seed: str = ""
    script: list[int] | None = None
    answers: list[tuple[str, str, bool]]
    orders: list[StandingOrder] = []
    digest: str


def write_save(session: Session) -> bytes:
    """A game as a file."""
    dice = session.dice
    save = Save(
        game=session.game.name,
        rules=session.game.rules_version,
        scenario=session.scenario.name,
        source=session.scenario.source,
        files=session.scenario.files,
        situation=session.situation,
        seed=dice.seed.hex() if isinstance(dice, FairDice) else "",
        script=list(dice.script) if isinstance(dice, ScriptedDice) else None,
        answers=session.given,
        orders=session.orders,
        digest=session.digest,
    )
    return msgspec.json.format(msgspec.json.encode(save), indent=1)


def read_save(data: bytes, name: str) -> Save:
    """A save from its bytes; one of another version says so."""
    return read_kept(data, name, Save, "grognard save", SAVE_VERSION, "saved game")
