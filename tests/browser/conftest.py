"""A real server and a real Chromium for the browser tests; every picture they take is kept in build/screenshots."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.server.live import Live, running

PICTURES = Path(__file__).parents[2] / "build" / "screenshots"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESK = {"width": 1360, "height": 860}
PHONE = {"width": 390, "height": 844}
#: On a machine that is busy with other things everything takes longer, and is still right.
expect.set_options(timeout=20_000)


def chromium() -> str:
    """Where the system's Chromium is."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    missing = "there is no Chromium here (Debian: apt install chromium), so the browser client was not tested"
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all of these tests, and no longer: while it is there no other event loop can run in this thread.

    Every window has a storage of its own, and goes with its test.
    """
    program = chromium()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """One real server for all browser tests of a process."""
    with running(tmp_path_factory.mktemp("browser-server")) as live:
        yield live


Window = Callable[..., Page]


@pytest.fixture
def window(browser: Browser, live: Live) -> Iterator[Window]:
    """Opens windows with a storage of their own; any error in the console or refused resource fails the test.

    ``refusals`` are answers of the server that the test provokes, as a pattern of their status.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_window(
        path: str = "/",
        size: dict[str, int] = DESK,
        *,
        touch: bool = False,
        home: str = "",
        refusals: str = "4(01|04|09)",
        csp: bool = True,
        **settings: object,
    ) -> Page:
        home = home or live.url
        context = browser.new_context(
            base_url=home,
            viewport={"width": size["width"], "height": size["height"]},
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="reduce",
            bypass_csp=not csp,
        )
        contexts.append(context)
        if settings:
            context.add_init_script(_wish(settings))
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: complaints.append(f"error in the page: {error}"))
        page.on("console", lambda said: _hear(said, refusals, complaints))
        page.on("request", lambda asked: _stay_home(asked.url, home, complaints))
        page.goto(path)
        return page

    yield open_window
    for context in contexts:
        context.close()
    assert not complaints, complaints


def _wish(settings: dict[str, object]) -> str:
    """Settings of the client, put in before its first page; what the player changes later stays."""
    wishes = json.dumps(json.dumps(settings))
    fresh = "location.protocol.startsWith('http') && !localStorage.getItem('grognard.settings')"
    return f"if ({fresh}) localStorage.setItem('grognard.settings', {wishes});"


def _hear(said: ConsoleMessage, refusals: str, complaints: list[str]) -> None:
    """Refusals that a test provokes are answers with a status, or a server that is gone: no fault of the page."""
    if said.type == "error" and not re.search(
        rf"status of {refusals}|WebSocket connection|ERR_CONNECTION_RE(FUSED|SET)", said.text
    ):
        complaints.append(said.text)


def _stay_home(url: str, home: str, complaints: list[str]) -> None:
    if not url.startswith((home, "data:", "blob:", home.replace("http", "ws", 1))):
        complaints.append(f"something is loaded from elsewhere: {url}")


@pytest.fixture
def picture(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Keeps a picture of a window under a name."""

    def take(page: Page, name: str) -> None:
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"{name}.png")

    return take
