"""Both kinds of database: SQLite in a file, and a real PostgreSQL that the tests start for themselves."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.server.live import Live, running

os.environ.setdefault("XDG_DATA_HOME", "/nonexistent")


def programs() -> Path | None:
    """Where PostgreSQL's programs are: the newest that Debian's packages have installed, or on the path."""
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[-3].split(".")[0]))
    if homes:
        return homes[-1].parent
    found = shutil.which("initdb")
    return Path(found).resolve().parent if found else None


class Postgres:
    """A PostgreSQL of our own: in a temporary folder, on a socket in that folder, without any port."""

    def __init__(self, folder: Path, bin: Path) -> None:
        self.folder = folder
        # It does not run as root; Debian's packages make a user for it.
        self.who: dict[str, Any] = {}
        if os.geteuid() == 0:
            self.who = {"user": "postgres", "group": "postgres", "extra_groups": []}
            shutil.chown(folder, "postgres", "postgres")
        data = folder / "data"
        make = [bin / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"]
        subprocess.run(make, check=True, capture_output=True, cwd=folder, **self.who)
        options = ["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200"]
        self.process = subprocess.Popen(
            [bin / "postgres", "-D", data, "-k", folder, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            **self.who,
        )
        self.count = 0
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + 60
        while True:
            try:
                self.sql("SELECT 1")
                return
            except psycopg.OperationalError:
                assert self.process.poll() is None, "PostgreSQL has ended"
                assert time.monotonic() < until, "PostgreSQL does not start"
                time.sleep(0.1)

    def sql(self, command: str) -> None:
        """Tell the server something."""
        with psycopg.connect(host=str(self.folder), user="postgres", autocommit=True) as connection:
            connection.execute(command.encode())

    def database(self) -> str:
        """The address of a new database."""
        self.count += 1
        self.sql(f"CREATE DATABASE test{self.count}")
        return f"postgresql://postgres@/test{self.count}?host={self.folder}"

    def stop(self) -> None:
        """End it at once."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running PostgreSQL."""
    bin = programs()
    if bin is None:
        missing = "PostgreSQL is not installed here (Debian: apt install postgresql), so this was not tested on it"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    # Short, because the path of a socket may have only about a hundred letters.
    folder = Path(tempfile.mkdtemp(prefix="grognard-", dir="/tmp"))
    server = Postgres(folder, bin)
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.db"
    server: Postgres = request.getfixturevalue("postgres")
    return server.database()


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """One real server for all tests that do not need one of their own."""
    with running(tmp_path_factory.mktemp("server")) as live:
        yield live
