"""Serves the built browser client: one page for every address of the client, and its files."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from pathlib import Path
from typing import Any, NamedTuple

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

#: Where the client is built to; its sources are in web/.
FOLDER = Path(__file__).parent / "client"
PAGE = "index.html"
UNBUILT = (
    "The browser client is not built.\n\n"
    "In a copy of the sources, `make play` builds it and starts a battle, and `make client` only builds it;\n"
    "`grognard play --text` plays in the terminal without it.\n"
)
TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml"}
FOREVER = "public, max-age=31536000, immutable"
ASK_FIRST = "no-cache"
PACKABLE = ("text/", "application/json", "application/manifest", "image/svg")


class File(NamedTuple):
    """A file of the client: as it is, packed (empty where that does not pay), its type and its tag."""

    plain: bytes
    packed: bytes
    type: str
    tag: str


class Client:
    """The client's files in memory; they are read again when the client has been built anew."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = folder
        self._files: dict[str, File] = {}
        self._built = -1

    def file(self, name: str) -> File | None:
        """A file by its path in the folder; only what was built is ever served."""
        page = self.folder / PAGE
        built = page.stat().st_mtime_ns if page.exists() else 0
        if built != self._built:
            self._files = self._read() if built else {}
            self._built = built
        return self._files.get(name)

    def _read(self) -> dict[str, File]:
        paths = [path for path in sorted(self.folder.rglob("*")) if path.is_file()]
        return {path.relative_to(self.folder).as_posix(): _load(path) for path in paths}


def _load(path: Path) -> File:
    plain = path.read_bytes()
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    packed = gzip.compress(plain, 9, mtime=0) if kind.startswith(PACKABLE) and len(plain) > 500 else b""
    return File(plain, packed, kind, hashlib.blake2b(plain, digest_size=12).hexdigest())


def respond(request: Request[Any, Any, Any], file: File, keep: str) -> Response[bytes]:
    """A file, packed if the client can unpack it, or that the client has it already."""
    tag = f'"{file.tag}"'
    headers = {"Cache-Control": keep, "ETag": tag, "Vary": "Accept-Encoding"}
    if tag in [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]:
        return Response(b"", status_code=304, media_type=file.type, headers=headers)
    if file.packed and "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(file.packed, media_type=file.type, headers=headers)
    return Response(file.plain, media_type=file.type, headers=headers)


def client_routes(client: Client) -> list[HTTPRouteHandler]:
    """The page for /, /play/… and /moment/…, and the files beside it."""

    @get(["/", "/play/{rest:path}", "/moment/{rest:path}"], include_in_schema=False)
    async def page(request: Request[Any, Any, Any]) -> Response[bytes]:
        file = client.file(PAGE)
        if file is None:
            return Response(UNBUILT.encode(), status_code=503, media_type="text/plain")
        return respond(request, file, ASK_FIRST)

    @get("/{name:path}", include_in_schema=False)
    async def file(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
        found = client.file(name.lstrip("/"))
        if found is None or name.lstrip("/") == PAGE:
            raise NotFoundException
        return respond(request, found, FOREVER if name.lstrip("/").startswith("assets/") else ASK_FIRST)

    return [page, file]
