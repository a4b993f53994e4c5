"""Battles from files that people bring: a saved game, a situation, or a scenario of their own."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.core.dice import ScriptedDice
from grognard.core.drafts import LONGEST
from grognard.core.errors import Fault, GrognardError, MalformedError
from grognard.core.files import Document
from grognard.core.open_files import game_of
from grognard.core.resuming import load
from grognard.core.saves import Save, read_save
from grognard.core.session import Session
from grognard.server.errors import TooMuchError
from grognard.server.rows import check_orders
from grognard.server.scenario_cache import LoadedScenario, load_cached
from grognard.server.schema import Orders

#: What a file may hold, far more than any that was played: nobody's file shall keep the server busy for long.
MOST_ANSWERS = 60_000
#: All answers of a save together, in characters: some of them are drafts, of which each may be long.
MOST_TEXT = 3_000_000
MOST_SOURCE = 256 * 1024
MOST_FILES = 16
MOST_SEED = 128
#: A battlefield may have so many hexes, or be so many inches long and have so many square inches: the floor of a club.
MOST_HEXES = 3000
LONGEST_TABLE, MOST_TABLE = 144, 96 * 72
#: Units, and tables in lists: units, features of the map, works, objectives and all else that is listed.
MOST_UNITS = 150
MOST_ENTRIES = 600
#: Units on one table, and these with all pieces of terrain: every look from man to man goes past all of the ground.
MOST_TABLE_UNITS, MOST_ON_TABLE = 60, 200
#: Tables in lists of a map that comes with a save, and how large its text may be.
MOST_FEATURES = 4000


def _check_save(save: Save) -> None:
    """Refuse a save that is larger than any game, and standing orders that could not have been given here."""
    if len(save.answers) > MOST_ANSWERS or len(save.script or ()) > 4 * MOST_ANSWERS:
        raise TooMuchError(f"The saved game has more than {MOST_ANSWERS:,} answers. That's too many.", 413)
    if any(len(key) > LONGEST for _, key, _ in save.answers):
        raise TooMuchError(f"The saved game has an answer of more than {LONGEST:,} characters.", 413)
    if sum(len(key) for _, key, _ in save.answers) > MOST_TEXT:
        raise TooMuchError(f"The saved game's answers have more than {MOST_TEXT:,} characters.", 413)
    if len(save.source) > MOST_SOURCE or len(save.files) > MOST_FILES:
        raise TooMuchError(f"The saved game's scenario is larger than {MOST_SOURCE // 1024} KB.", 413)
    if any(len(text) > MOST_SOURCE for text in save.files.values()):
        raise TooMuchError(f"A map in the saved game is larger than {MOST_SOURCE // 1024} KB.", 413)
    if len(save.seed) > MOST_SEED:
        raise GrognardError(f"The saved game's seed is longer than {MOST_SEED} digits.")
    given: dict[str, list[dict[str, Any]]] = {}
    for order in save.orders:
        values = msgspec.structs.asdict(order)
        given.setdefault(values.pop("side"), []).append(values)
    for side, orders in given.items():
        try:
            check_orders(msgspec.convert({"orders": orders}, Orders).orders)
        except msgspec.ValidationError as error:
            raise GrognardError(f"The saved game's standing orders for {side} are wrong: {error}") from None


def _check_document(document: Document) -> None:
    """Refuse a file with more in it than any battle has, before it is read."""
    entries = _entries(document.data)
    if entries > MOST_ENTRIES:
        what = "units, pieces of terrain and other entries"
        raise TooMuchError(f"The file has {entries:,} {what}; the limit is {MOST_ENTRIES}.", 413)


def _entries(data: Any) -> int:
    """How many tables stand in lists, however deep."""
    count, waiting = 0, [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            count += sum(isinstance(each, dict) for each in value)
            waiting += value
    return count


def _check_size(loaded: LoadedScenario) -> None:
    """Refuse a battlefield, or forces, larger than any that are played."""
    board = loaded.board
    if len(board.hexes) > MOST_HEXES:
        raise TooMuchError(f"The map has {len(board.hexes):,} hexes; the limit is {MOST_HEXES:,}.", 413)
    if board.table:
        wide, high = board.width / board.step, board.height / board.step
        if max(wide, high) > LONGEST_TABLE or wide * high > MOST_TABLE:
            limit = f"the limit is 96 by 72, or the same area up to {LONGEST_TABLE} long"
            raise TooMuchError(f"The table is {wide:g} by {high:g}; {limit}.", 413)
    state = loaded.state()
    opening = loaded.game.battle(
        loaded.scenario, loaded.game.begin(loaded.scenario) if state is None else state, ScriptedDice(())
    )
    # Weapons that units carry count as units; what the ground is called by does not.
    units = max(
        int(loaded.game.summary(loaded.scenario).get("units", 0)), sum(1 for _ in loaded.game.enrolled(opening))
    )
    allowed = MOST_TABLE_UNITS if board.table else MOST_UNITS
    if units > allowed:
        raise TooMuchError(f"The battle has {units} units; the limit is {allowed}.", 413)
    named = len(loaded.game.names(opening))
    if board.table and named > MOST_ON_TABLE:
        what = "units and pieces of terrain"
        raise TooMuchError(f"The table has {named} {what}; the limit is {MOST_ON_TABLE}.", 413)


def read_file(text: str) -> tuple[LoadedScenario, Session]:
    """A battle where a file's text says that it stands. A saved game is JSON, whatever people write themselves TOML."""
    return _read_save(text) if text.lstrip()[:1] == "{" else _read_written(text)


def _read_save(text: str) -> tuple[LoadedScenario, Session]:
    """A saved game, where it was left."""
    name = "the saved game"
    raw = text.encode()
    save = read_save(raw, name)
    _check_save(save)
    _check_document(Document.from_toml(save.source, f"{name}: its scenario"))
    for file, map in save.files.items():
        if _entries(Document.from_json(map, f"{name}: {file}").data) > MOST_FEATURES:
            raise TooMuchError(f"A map in the saved game has more than {MOST_FEATURES:,} features.", 413)
    loaded = load_cached(save.game, save.source, save.files, save.situation, name, _check_size)
    session = load(raw, loaded.game, loaded.scenario, loaded.state(), name)
    if isinstance(session.dice, ScriptedDice):
        del session.dice.script[session.dice.position :]  # faces that nobody has thrown yet are nobody's
    return loaded, session


def _read_written(text: str) -> tuple[LoadedScenario, Session]:
    """A situation as it was set up, or a scenario at its beginning; with dice that nobody knows."""
    name = "the file"
    if len(text) > MOST_SOURCE:
        raise TooMuchError(f"The file is larger than {MOST_SOURCE // 1024} KB.", 413)
    document = Document.from_toml(text, name)
    _check_document(document)
    situation = "side" not in document.data
    if situation and not isinstance(document.data.get("unit"), list):
        wrong = "not a saved game, a situation or a scenario"
        right = "a saved game begins with {, a situation has [[unit]] tables, a scenario [side.NAME] tables"
        raise MalformedError([Fault(name, 0, "", wrong, right)])
    game = game_of(document, "situation" if situation else "scenario")
    loaded = load_cached(game.name, text, {}, situation, name, _check_size)
    return loaded, Session(loaded.game, loaded.scenario, state=loaded.state())
