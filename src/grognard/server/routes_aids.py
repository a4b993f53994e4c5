"""What everybody may look at: rules, charts, maps and their pictures."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from litestar import Request, Response, Router, get
from litestar.params import FromPath, FromQuery, QueryParameter

from grognard.core import registry
from grognard.core.game import Game
from grognard.server.context import context_of
from grognard.server.errors import MissingError
from grognard.server.pictures import Picture
from grognard.server.problems import PUBLIC
from grognard.server.schema import Charts, RuleView
from grognard.server.security import address

Theme = FromQuery[Literal["light", "dark"]]
Words = Annotated[str, QueryParameter(max_length=200)]
SVG = "image/svg+xml"
FOREVER = "public, max-age=31536000, immutable"
A_WHILE = "public, max-age=3600"


def the_game(name: str) -> Game:
    """The game of a name."""
    if name not in registry.names():
        raise MissingError(f"There's no game called {name!r}. There are: {', '.join(registry.names())}.")
    return registry.game(name)


@get("/rules/{game:str}", operation_id="rules", responses=PUBLIC)
async def rules(game: FromPath[str], search: Words = "", id: Words = "") -> list[RuleView]:
    """The rules of a game in our own words: one, a section, those with all of the words, or all."""
    ledger = the_game(game).ledger
    found = ledger.section(id) if id else ledger.search(search)
    if id and search:
        wanted = {rule.id for rule in ledger.search(search)}
        found = [rule for rule in found if rule.id in wanted]
    return [RuleView(rule.id, rule.kind, rule.text, ledger.heading(rule)) for rule in found]


@get("/charts/{game:str}", operation_id="charts", responses=PUBLIC)
async def charts(game: FromPath[str]) -> Charts:
    """The charts in force, and the user's own that were laid over them."""
    found = the_game(game)
    return await asyncio.to_thread(lambda: Charts(found.charts(), found.chart_overrides()))


@get(
    "/scenarios/{game:str}/{name:str}/picture.svg",
    operation_id="scenarioPicture",
    media_type=SVG,
    responses=PUBLIC,
)
async def scenario_picture(
    request: Request[Any, Any, Any], game: FromPath[str], name: FromPath[str], theme: Theme = "light", v: Words = ""
) -> Response[bytes]:
    """The map of a scenario. With its version in the address it may be kept forever."""
    picture = await context_of(request).pictures.of_scenario(the_game(game), name, theme)
    return show(request, picture, FOREVER if v == picture.version else A_WHILE)


@get("/battles/{id:str}/land.svg", operation_id="land", media_type=SVG, responses=PUBLIC)
async def land(request: Request[Any, Any, Any], id: FromPath[str], theme: Theme = "light") -> Response[bytes]:
    """The map of a battle without any piece."""
    battle = await context_of(request).battles.open(id, address(request.scope))
    picture = await context_of(request).pictures.of_land(battle.session.game, battle.session.scenario, theme)
    return show(request, picture, A_WHILE)


def show(request: Request[Any, Any, Any], picture: Picture, keep: str) -> Response[bytes]:
    """A picture, packed if the client can unpack it, or that the client has it already."""
    tag = f'"{picture.tag}"'
    headers = {"Cache-Control": keep, "ETag": tag, "Vary": "Accept-Encoding"}
    if tag in [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]:
        return Response(b"", status_code=304, media_type=SVG, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(picture.packed, media_type=SVG, headers=headers)
    return Response(picture.plain, media_type=SVG, headers=headers)


def aid_routes() -> Router:
    """What needs no seat and has no secret."""
    return Router("/api", route_handlers=[rules, charts, scenario_picture, land], tags=["aids"])
