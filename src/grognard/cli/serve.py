"""``grognard serve``: battles for whoever can reach the machine, kept in a database."""

from __future__ import annotations

from pathlib import Path

import typer
from platformdirs import user_data_path

from grognard.core.errors import GrognardError

LOOPBACK = "127.0.0.1"


def data_folder() -> Path:
    """The user's folder for games and charts."""
    return user_data_path("grognard", appauthor=False)


def database_of(wish: str) -> str:
    """The database that is wanted, or the user's own."""
    return wish or f"sqlite:///{data_folder() / 'games.sqlite'}"


def serve_battles(
    host: str, port: int | None, database: str, allowed: list[str], behind_proxy: bool, verbose: bool
) -> None:
    """Serve until Ctrl-C."""
    from grognard.server.battles import Battles
    from grognard.server.run import open_port, serve

    wild = host in ("0.0.0.0", "::")
    if wild and not allowed:
        raise GrognardError(
            f"--host {host} needs a host name, such as --allow-host games.example.org, or --allow-host '*' for any"
        )
    battles = Battles(database_of(database))
    place = open_port(host, port)

    async def ready(url: str) -> None:
        typer.echo(f"Grognard serves at {url}  (press Ctrl-C to stop)")

    names = allowed if wild else [*allowed, f"[{host}]" if ":" in host else host]
    serve(battles, place, hosts=names, ready=ready, behind_proxy=behind_proxy, verbose=verbose)
    typer.echo("Stopped. Every battle is kept.")
