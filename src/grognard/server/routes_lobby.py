"""The lobby: what can be played, making a battle, taking one in, and going on from a shared moment."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, Router, get, post
from litestar.params import JSONBody, PathParameter

from grognard.server.context import context_of
from grognard.server.problems import PUBLIC, refusals
from grognard.server.schema import Health, ImportBattle, Lobby, Made, Moment, NewBattle, NewPlayers
from grognard.server.security import address

Token = Annotated[str, PathParameter(min_length=1, max_length=200)]
MAKING = refusals(400, 404, 409, 413, 429)


@get("/health", operation_id="health", responses=refusals(429))
async def health() -> Health:
    """Whether the server is there."""
    return Health()


@get("/lobby", operation_id="lobby", responses=refusals(429))
async def lobby(request: Request[Any, Any, Any]) -> Lobby:
    """All that can be played here."""
    return await context_of(request).lobby.record()


@post("/battles", operation_id="makeBattle", responses=MAKING)
async def make_battle(request: Request[Any, Any, Any], data: JSONBody[NewBattle]) -> Made:
    """Make a battle; the answer has the secrets of its seats."""
    count_new(request)
    battle, seats = await context_of(request).battles.make(data)
    return Made(battle.description, seats)


async def import_battle(request: Request[Any, Any, Any], data: JSONBody[ImportBattle]) -> Made:
    """Go on with a battle from a file's text: a saved game, a situation, or a scenario of one's own."""
    count_new(request)
    battle, seats = await context_of(request).battles.import_file(data)
    return Made(battle.description, seats)


@get("/moments/{token:str}", operation_id="moment", responses=PUBLIC)
async def moment(request: Request[Any, Any, Any], token: Token) -> Moment:
    """A moment that somebody shared, as that side saw it."""
    return await context_of(request).battles.shared(token)


@post("/moments/{token:str}/play", operation_id="playMoment", responses=MAKING)
async def play_moment(request: Request[Any, Any, Any], token: Token, data: JSONBody[NewPlayers]) -> Made:
    """A new battle that goes on from a shared moment."""
    count_new(request)
    battle, seats = await context_of(request).battles.play_on(token, data.players)
    return Made(battle.description, seats)


def count_new(request: Request[Any, Any, Any]) -> None:
    """TooMuchError for an address that makes battles faster than people do."""
    context_of(request).makers.take(address(request.scope), "new battles")


def lobby_routes(import_body: int) -> Router:
    """All that needs no seat; a saved game may be larger than other messages."""
    route = post("/battles/import", operation_id="importBattle", responses=MAKING, request_max_body_size=import_body)
    handlers = [health, lobby, make_battle, route(import_battle), moment, play_moment]
    return Router("/api", route_handlers=handlers, tags=["lobby"])
