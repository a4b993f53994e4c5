"""What the lobby shows: games, scenarios, random battles, lessons and opponents."""

from __future__ import annotations

import asyncio
from importlib.metadata import version as package_version
from typing import Any

from grognard.core import open_files, registry
from grognard.core.game import Game
from grognard.core.view import PROTOCOL_VERSION
from grognard.players.seats import DEFAULT, levels
from grognard.server.pictures import map_version
from grognard.server.schema import Card, Choice, Force, GameCard, Level, Lobby


class LobbyCache:
    """Reads all scenarios once, off the event loop; whoever asks meanwhile waits for the same reading."""

    def __init__(self) -> None:
        self._reading: asyncio.Future[Lobby] | None = None

    async def record(self) -> Lobby:
        """All that can be played here."""
        if self._reading is None:
            self._reading = asyncio.ensure_future(asyncio.to_thread(read_lobby))
        try:
            return await asyncio.shield(self._reading)
        except Exception:
            self._reading = None
            raise


def read_lobby() -> Lobby:
    """All that can be played here, from the games' files."""
    return Lobby(
        package_version("grognard"),
        PROTOCOL_VERSION,
        [_game_card(game) for game in registry.games()],
        [Level(*level) for level in levels()],
        DEFAULT,
    )


def _game_card(game: Game) -> GameCard:
    cards = [_card(game, entry.name, entry.scenario) for entry in open_files.listed(game.name)]
    cards.sort(key=lambda card: (card.units, card.name))
    choices = [Choice(each.name, list(each.values), each.usual) for each in game.random_choices()]
    return GameCard(game.name, game.title, game.ledger.edition, cards, choices, game.lessons())


def _card(game: Game, name: str, scenario: Any) -> Card:
    summary, forces = game.summary(scenario), game.forces(scenario)
    return Card(
        game=game.name,
        name=name,
        title=scenario.title,
        turns=scenario.turns,
        sides=list(scenario.sides),
        forces=[Force(side, forces.get(side, [])) for side in scenario.sides],
        briefing=scenario.briefing.strip(),
        place=str(getattr(scenario, "place", "")),
        date=str(getattr(scenario, "date", "")),
        map=str(summary.get("map", "")),
        units=int(summary.get("units", 0)),
        picture=f"/api/scenarios/{game.name}/{name}/picture.svg?v={map_version(game, scenario)}",
    )
