"""Pictures of maps: drawn off the event loop, once for each map and theme, and kept in memory packed."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from importlib.metadata import version as package_version
from typing import Any, NamedTuple

from grognard.core.files import Document
from grognard.core.game import Game
from grognard.server.errors import MissingError


class Picture(NamedTuple):
    """A drawn map: as it is, packed, its tag, and the version of what it was drawn from."""

    plain: bytes
    packed: bytes
    tag: str
    version: str


class Pictures:
    """The pictures that were drawn; the least wanted are dropped."""

    def __init__(self, keep: int = 128) -> None:
        self.keep = keep
        self._drawn: OrderedDict[tuple[str, str, str], asyncio.Future[Picture]] = OrderedDict()

    async def of_scenario(self, game: Game, name: str, theme: str) -> Picture:
        """The map of a scenario that comes with a game."""
        path = game.scenario_files().get(name)
        if path is None:
            raise MissingError(f"{game.title} has no scenario called {name!r}")
        scenario = await asyncio.to_thread(lambda: game.load_scenario(Document.read(path)))
        return await self.of_land(game, scenario, theme)

    async def of_land(self, game: Game, scenario: Any, theme: str) -> Picture:
        """The map of a battle's scenario. Whoever asks while it is being drawn waits for the same drawing."""
        mark = map_version(game, scenario)
        return await self._once((game.name, mark, theme), lambda: game.land(scenario, theme), mark)

    async def _once(self, key: tuple[str, str, str], draw: Callable[[], str], mark: str) -> Picture:
        found = self._drawn.get(key)
        if found is None:
            found = asyncio.ensure_future(asyncio.to_thread(_pack, draw, mark))
            self._drawn[key] = found
            while len(self._drawn) > self.keep:
                self._drawn.popitem(last=False)
        self._drawn.move_to_end(key)
        try:
            # One who goes away does not stop the drawing that others wait for.
            return await asyncio.shield(found)
        except Exception:
            self._drawn.pop(key, None)
            raise


def _pack(draw: Callable[[], str], mark: str) -> Picture:
    plain = draw().encode()
    tag = hashlib.blake2b(plain, digest_size=12).hexdigest()
    return Picture(plain, gzip.compress(plain, 6, mtime=0), tag, mark)


def map_version(game: Game, scenario: Any) -> str:
    """A mark that changes when the picture of a scenario's map may change."""
    parts = [package_version("grognard"), game.name, str(game.rules_version), scenario.source]
    parts += [f"{name} {text}" for name, text in sorted(scenario.files.items())]
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()
