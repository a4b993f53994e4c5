"""The OpenAPI document. ``python -m grognard.server.openapi FILE`` writes it, the same for the same sources."""

from __future__ import annotations

import sys
from importlib.metadata import version as package_version
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
from litestar import Litestar, Request, Response, get
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

from grognard.core import aid_views, forms, standing_orders, view
from grognard.core.ask import Option
from grognard.server import schema

if TYPE_CHECKING:
    from grognard.server.battles import Battles

SEAT = SecurityScheme(type="http", scheme="bearer", description="The token of a seat, from its link.")


def openapi_config() -> OpenAPIConfig:
    """What the document says about the whole."""
    return OpenAPIConfig(
        title="Grognard",
        version=package_version("grognard"),
        description="World War II tactical wargames by the book. A seat's token plays that side.",
        use_handler_docstrings=True,
        components=Components(security_schemes={"seat": SEAT}),
        path="/api/schema",
        render_plugins=[JsonRenderPlugin(path="/document.json")],
    )


@get("/api/openapi.json", include_in_schema=False, media_type="application/json")
async def openapi_route(request: Request[Any, Any, Any]) -> Response[bytes]:
    """This document."""
    return Response(request.app.state.openapi, media_type="application/json", headers={"Cache-Control": "no-cache"})


def describe(app: Litestar) -> bytes:
    """The document as JSON.

    A record that always writes all of its fields says so: the framework takes a field with a default for one that
    may be missing, which is true only of what a client sends and of records that leave their defaults out.
    """
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(app.openapi_schema.to_schema()))
    for name, component in document["components"]["schemas"].items():
        record = _records().get(name)
        if record is None or "properties" not in component:
            continue
        config = record.__struct_config__
        if config.forbid_unknown_fields and not config.omit_defaults:
            component["additionalProperties"] = False
        elif not config.omit_defaults:
            component["required"] = sorted(component["properties"])
        for field in component["properties"].values():
            # Makers of types take a default for a promise that the field is there, which it is in neither direction.
            field.pop("default", None)
        component["description"] = (record.__doc__ or "").split("\n")[0]
    return msgspec.json.format(msgspec.json.encode(document, order="sorted"), indent=1) + b"\n"


def _records() -> dict[str, type[msgspec.Struct]]:
    found: dict[str, type[msgspec.Struct]] = {"Option": Option}
    for module in (aid_views, forms, standing_orders, view, schema):
        things = vars(module).items()
        found |= {
            name: thing for name, thing in things if isinstance(thing, type) and issubclass(thing, msgspec.Struct)
        }
    return found


def main() -> None:
    """Write the document to the file that is named."""
    from grognard.server.app import create_app

    if len(sys.argv) != 2:
        sys.exit("Say where to write it: python -m grognard.server.openapi web/openapi.json")
    # To be described the application needs no battles.
    Path(sys.argv[1]).write_bytes(create_app(cast("Battles", None)).state.openapi)


if __name__ == "__main__":
    main()
