"""Taking in what somebody kept in a file: a saved game, a situation, or a scenario of one's own."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.core.aids import BoardView
from grognard.core.dice import ScriptedDice
from grognard.core.errors import Fault, GrognardError, MalformedError
from grognard.core.files import Document
from grognard.core.opening import game_of
from grognard.core.resuming import load
from grognard.core.saves import Save, read_save
from grognard.core.session import Session
from grognard.server.errors import TooMuchError
from grognard.server.room import check_orders
from grognard.server.scenes import Scene, scene
from grognard.server.schema import Orders

#: What a file may hold, far more than any that was played: nobody's file shall keep the server busy for long.
MOST_ANSWERS = 20_000
MOST_SOURCE = 256 * 1024
MOST_FILES = 16
MOST_SEED = 128
MOST_HEXES = 10_000


def _check_save(save: Save) -> None:
    """Refuse a save that is larger than any game, and standing orders that could not have been given here."""
    if len(save.answers) > MOST_ANSWERS or len(save.script or ()) > 4 * MOST_ANSWERS:
        raise TooMuchError(f"the saved game has more than {MOST_ANSWERS} answers; none is that long", 413)
    if len(save.source) > MOST_SOURCE or len(save.files) > MOST_FILES:
        raise TooMuchError(f"the saved game's scenario is larger than {MOST_SOURCE // 1024} KB", 413)
    if len(save.seed) > MOST_SEED:
        raise GrognardError(f"the saved game's seed is longer than {MOST_SEED} digits")
    given: dict[str, list[dict[str, Any]]] = {}
    for order in save.orders:
        values = msgspec.structs.asdict(order)
        given.setdefault(values.pop("side"), []).append(values)
    for side, orders in given.items():
        try:
            check_orders(msgspec.convert({"orders": orders}, Orders).orders)
        except msgspec.ValidationError as error:
            raise GrognardError(f"the saved game's standing orders of {side}: {error}") from None


def _check_hexes(board: BoardView) -> None:
    if len(board.hexes) > MOST_HEXES:
        raise TooMuchError(f"the map has {len(board.hexes)} hexes; {MOST_HEXES} is the most that is played here", 413)


def read_in(text: str) -> tuple[Scene, Session]:
    """A battle where a file's text says that it stands. A saved game is JSON, whatever people write themselves TOML."""
    return _read_save(text) if text.lstrip()[:1] == "{" else _read_written(text)


def _read_save(text: str) -> tuple[Scene, Session]:
    """A saved game, where it was left."""
    name = "the saved game"
    raw = text.encode()
    save = read_save(raw, name)
    _check_save(save)
    made = scene(save.game, save.source, save.files, save.situation, name)
    _check_hexes(made.board)
    session = load(raw, made.game, made.scenario, made.state(), name)
    if isinstance(session.dice, ScriptedDice):
        del session.dice.script[session.dice.position :]  # faces that nobody has thrown yet are nobody's
    return made, session


def _read_written(text: str) -> tuple[Scene, Session]:
    """A situation as it was set up, or a scenario at its beginning; with dice that nobody knows."""
    name = "the file"
    if len(text) > MOST_SOURCE:
        raise TooMuchError(f"the file is larger than {MOST_SOURCE // 1024} KB", 413)
    document = Document.from_toml(text, name)
    situation = "side" not in document.data
    if situation and not isinstance(document.data.get("unit"), list):
        wrong = "neither a saved game nor a situation or a scenario"
        right = "a saved game begins with {, a situation has [[unit]] tables, a scenario [side.NAME] tables"
        raise MalformedError([Fault(name, 0, "", wrong, right)])
    game = game_of(document, "situation" if situation else "scenario")
    made = scene(game.name, text, {}, situation, name)
    _check_hexes(made.board)
    return made, Session(made.game, made.scenario, state=made.state())
