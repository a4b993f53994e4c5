"""Scenarios as the store keeps them: text, read once for all games that are played on them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from grognard.core import registry
from grognard.core.aids import BoardView
from grognard.core.errors import Fault, MalformedError
from grognard.core.files import Document
from grognard.core.game import Game

#: How many scenarios are kept; a scenario carries its map and all that was found out about it.
MOST = 64


class Scene(NamedTuple):
    """A scenario that was read: its game, the state of a hand-set position if it is one, and its sheet."""

    game: Game
    scenario: Any
    situation: Any
    board: BoardView

    def state(self) -> Any:
        """A copy of the hand-set state to play from; None where the scenario says how to begin."""
        return None if self.situation is None else self.game.copy(self.situation)


_scenes: OrderedDict[bytes, Scene] = OrderedDict()
_lock = threading.Lock()


def scene(game: str, source: str, files: Mapping[str, str], situation: bool, name: str) -> Scene:
    """The scene of a scenario's text. Equal texts share one, so that its map is looked at only once."""
    parts = [game, str(situation), source, *(part for pair in sorted(files.items()) for part in pair)]
    digest = sha256("\0".join(parts).encode()).digest()
    with _lock:
        if digest in _scenes:
            _scenes.move_to_end(digest)
            return _scenes[digest]
    made = _read(game, source, files, situation, name)
    with _lock:
        found = _scenes.setdefault(digest, made)
        while len(_scenes) > MOST:
            _scenes.popitem(last=False)
    return found


def _read(name: str, source: str, files: Mapping[str, str], situation: bool, where: str) -> Scene:
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
    return Scene(game, scenario, state, game.board(scenario))
