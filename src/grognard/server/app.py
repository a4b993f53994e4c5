"""The application: routes, limits, security and the client, put together around the battles."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from litestar import Litestar
from litestar.datastructures import State

from grognard.server.client import FOLDER, Client, client_routes
from grognard.server.context import AppContext
from grognard.server.limits import Limits
from grognard.server.openapi import describe, openapi_config, openapi_route
from grognard.server.problems import respond
from grognard.server.routes_aids import aid_routes
from grognard.server.routes_battle import battle_routes
from grognard.server.routes_lobby import lobby_routes
from grognard.server.security import SecurityMiddleware
from grognard.server.socket import battle_socket

if TYPE_CHECKING:
    from grognard.server.battles import Battles


def create_app(
    battles: Battles,
    *,
    limits: Limits | None = None,
    hosts: Iterable[str] = (),
    client: Path = FOLDER,
    opens: bool = True,
) -> Litestar:
    """The application around the battles, which it starts and stops unless ``opens`` says that somebody else does.

    ``hosts`` are the names it may be called by besides loopback's; ``client`` the folder of the built client.
    """
    limits = limits or Limits()

    @asynccontextmanager
    async def open_battles(_: Litestar) -> AsyncIterator[None]:
        await battles.start()
        try:
            yield
        finally:
            await battles.stop()

    app = Litestar(
        route_handlers=[
            lobby_routes(limits.import_body),
            battle_routes(),
            aid_routes(),
            battle_socket,
            openapi_route,
            *client_routes(Client(client)),
        ],
        lifespan=[open_battles] if opens else [],
        exception_handlers={Exception: respond},
        openapi_config=openapi_config(),
        request_max_body_size=limits.body,
        logging_config=None,
        debug=False,
        state=State({"context": AppContext(battles, limits)}),
    )
    app.state.openapi = describe(app)
    # Outside of everything, so that no answer goes out without the headers and no call comes in unchecked.
    app.asgi_handler = SecurityMiddleware(app.asgi_handler, limits, frozenset(hosts))
    return app
