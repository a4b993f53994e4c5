"""Scenarios that were read, kept so that all games on the same text share one."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from grognard.core import registry
from grognard.core.aid_views import BoardView
from grognard.core.errors import Fault, MalformedError
from grognard.core.files import Document
from grognard.core.game import Game

#: How many scenarios are kept; a scenario carries its map and all that was found out about it.
MOST = 64
#: How large all of them may be together: what is found out about a map grows with its size.
MOST_GROUND = 20_000


class LoadedScenario(NamedTuple):
    """A scenario that was read: its game, the state of a hand-set position if it is one, and its sheet."""

    game: Game
    scenario: Any
    situation: Any
    board: BoardView

    @property
    def size(self) -> int:
        """How much ground there is to remember things about, in hexes or square inches (of these it is as much)."""
        board = self.board
        return round(board.width * board.height / board.step**2) if board.table else len(board.hexes)

    def state(self) -> Any:
        """A copy of the hand-set state to play from; None where the scenario says how to begin."""
        return None if self.situation is None else self.game.copy(self.situation)


_loaded: OrderedDict[bytes, LoadedScenario] = OrderedDict()
_lock = threading.Lock()


def load_cached(
    game: str,
    source: str,
    files: Mapping[str, str],
    situation: bool,
    name: str,
    check: Callable[[LoadedScenario], None] = lambda _: None,
) -> LoadedScenario:
    """The scenario of a text. Equal texts share one, so that its map is looked at only once.

    One that ``check`` refuses is not kept.
    """
    parts = [game, str(situation), source, *(part for pair in sorted(files.items()) for part in pair)]
    digest = sha256("\0".join(parts).encode()).digest()
    with _lock:
        if digest in _loaded:
            _loaded.move_to_end(digest)
            return _loaded[digest]
    loaded = _read(game, source, files, situation, name)
    check(loaded)
    with _lock:
        found = _loaded.setdefault(digest, loaded)
        ground = sum(each.size for each in _loaded.values())
        while len(_loaded) > 1 and (len(_loaded) > MOST or ground > MOST_GROUND):
            _, dropped = _loaded.popitem(last=False)
            ground -= dropped.size
    return found


def _read(name: str, source: str, files: Mapping[str, str], situation: bool, where: str) -> LoadedScenario:
    if name not in registry.names():
        known = " or ".join(registry.names())
        raise MalformedError([Fault(where, 0, "game", f'no game called "{name}"', known)])
    game = registry.game(name)
    document = Document.from_toml(source, f"{where}: its scenario")
    document.files = dict(files)
    state = None
    if situation:
        scenario, state = game.load_situation(document)
    else:
        scenario = game.load_scenario(document)
    return LoadedScenario(game, game.for_people(scenario, state), state, game.board(scenario))
