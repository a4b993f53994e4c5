"""Pictures of maps: drawn off the event loop one after the other, once for each map and theme, and kept packed."""

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
from grognard.server.errors import MissingError, TooMuchError

#: How many maps may wait to be drawn.
MOST_WAITING = 32


class Picture(NamedTuple):
    """A drawn map, packed, with its tag and the version of what it was drawn from."""

    packed: bytes
    tag: str
    version: str

    @property
    def plain(self) -> bytes:
        """The picture as it is."""
        return gzip.decompress(self.packed)


class Pictures:
    """The pictures that were drawn. When they are too many, or take too much room, the least wanted are dropped."""

    def __init__(self, keep: int = 128, budget: int = 32 * 2**20) -> None:
        self.keep, self.budget = keep, budget
        self._brush = asyncio.Semaphore(1)
        self._drawn: OrderedDict[tuple[str, str, str], asyncio.Future[Picture]] = OrderedDict()

    async def of_scenario(self, game: Game, name: str, theme: str) -> Picture:
        """The map of a scenario that comes with a game."""
        path = game.scenario_files().get(name)
        if path is None:
            raise MissingError(f"{game.title} has no scenario called {name!r}.")
        scenario = await asyncio.to_thread(lambda: game.load_scenario(Document.read(path)))
        return await self.of_land(game, scenario, theme)

    async def of_land(self, game: Game, scenario: Any, theme: str) -> Picture:
        """The map of a battle's scenario. Whoever asks while it is being drawn waits for the same drawing."""
        mark = map_version(game, scenario)
        return await self._once((game.name, mark, theme), lambda: game.land(scenario, theme), mark)

    async def _once(self, key: tuple[str, str, str], draw: Callable[[], str], mark: str) -> Picture:
        found = self._drawn.get(key)
        if found is None:
            if sum(not each.done() for each in self._drawn.values()) >= MOST_WAITING:
                raise TooMuchError("Too many maps are being drawn. Try again in a moment.")
            found = asyncio.ensure_future(self._draw(draw, mark))
            self._drawn[key] = found
        self._drawn.move_to_end(key)
        try:
            # One who goes away does not stop the drawing that others wait for.
            picture = await asyncio.shield(found)
            self._tidy()
            return picture
        except Exception:
            self._drawn.pop(key, None)
            raise

    async def _draw(self, draw: Callable[[], str], mark: str) -> Picture:
        async with self._brush:
            return await asyncio.to_thread(_pack, draw, mark)

    def _tidy(self) -> None:
        """Drop the least wanted of the pictures that are drawn."""
        done = {key: each.result() for key, each in self._drawn.items() if each.done() and not each.exception()}
        size = sum(len(picture.packed) for picture in done.values())
        for key in list(done)[:-1]:
            if size <= self.budget and len(self._drawn) <= self.keep:
                return
            size -= len(done[key].packed)
            del self._drawn[key]


def _pack(draw: Callable[[], str], mark: str) -> Picture:
    plain = draw().encode()
    tag = hashlib.blake2b(plain, digest_size=12).hexdigest()
    return Picture(gzip.compress(plain, 6, mtime=0), tag, mark)


def map_version(game: Game, scenario: Any) -> str:
    """A mark that changes when the picture of a scenario's map may change."""
    parts = [package_version("grognard"), game.name, str(game.rules_version), scenario.source]
    parts += [f"{name} {text}" for name, text in sorted(scenario.files.items())]
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()
