"""The built client is served: one page for its addresses, its files, and a hint where it is not built."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from grognard.server.app import create_app
from grognard.server.battles import Battles


@pytest.fixture
def client_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Grognard</title>" + " " * 1000)
    (folder / "assets" / "index-abc123.js").write_text("export const x = 1;\n" * 100)
    (folder / "icon.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


@pytest.fixture
def web(tmp_path: Path, client_folder: Path) -> Iterator[TestClient[Any]]:
    app = create_app(Battles(f"sqlite:///{tmp_path / 'games.sqlite'}"), client=client_folder)
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/play/abc", "/moment/abc"])
def test_the_page_answers_to_the_client_s_addresses(web: TestClient[Any], path: str) -> None:
    answer = web.get(path)
    assert answer.status_code == 200 and "Grognard" in answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/nowhere", "/index.html", "/assets/other.js", "/lobby", "/assets/", "/.git/config"])
def test_other_addresses_are_not_the_page(web: TestClient[Any], path: str) -> None:
    answer = web.get(path)
    assert answer.status_code == 404 and answer.json()["error"] == "missing"


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"]
)
def test_nothing_outside_the_folder_is_served(web: TestClient[Any], path: str) -> None:
    answer = web.get(path)
    assert answer.status_code == 404 and "secret" not in answer.json()["message"]


def test_hashed_files_are_kept_for_long_and_packed(web: TestClient[Any]) -> None:
    answer = web.get("/assets/index-abc123.js", headers={"Accept-Encoding": "gzip"})
    assert answer.text.startswith("export const x") and answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    plain = web.get("/assets/index-abc123.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.text == answer.text
    again = web.get("/assets/index-abc123.js", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304 and not again.content


def test_other_files_are_asked_for_again(web: TestClient[Any]) -> None:
    answer = web.get("/icon.svg")
    assert answer.headers["content-type"] == "image/svg+xml" and answer.headers["cache-control"] == "no-cache"


def test_a_new_build_is_served_without_a_new_start(web: TestClient[Any], client_folder: Path) -> None:
    assert web.get("/assets/index-new.js").status_code == 404
    (client_folder / "assets" / "index-new.js").write_text("new")
    (client_folder / "index.html").write_text("<!doctype html>newer")
    assert "newer" in web.get("/").text and web.get("/assets/index-new.js").text == "new"


def test_without_a_build_the_page_says_how_to_make_one(tmp_path: Path) -> None:
    app = create_app(Battles(f"sqlite:///{tmp_path / 'games.sqlite'}"), client=tmp_path / "none")
    with TestClient(app, base_url="http://127.0.0.1") as web:
        answer = web.get("/")
        assert answer.status_code == 503 and answer.headers["content-type"].startswith("text/plain")
        assert "make play" in answer.text and "make client" in answer.text
        assert web.get("/api/health").json() == {"status": "ok"}
