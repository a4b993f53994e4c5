"""Pictures of the browser's board, for looking at: a real battle in the middle of the game, near, far, day and night.

``python -m benchmarks.board_pictures FOLDER [NAME …]`` builds the page ``web/bench/board.html``, hands it a battle that
random players have played for a while, and photographs it in headless Chromium.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.bench_board import TYPES, build
from grognard.core.open_files import open_scenario
from grognard.core.session import Session

ANSWERS = 150
#: What each picture shows, as the page's own words; see ``web/bench/board.ts``.
PICTURES: dict[str, dict[str, Any]] = {
    "fit": {},
    "near": {"zoom": 2.2},
    "very_near": {"zoom": 4, "hover": True},
    "far": {"zoom": 0.71},
    "dark": {"dark": True, "zoom": 1.5},
    "safe": {"palette": "safe", "zoom": 1.5},
    "stack": {"open": True, "zoom": 1.6},
    "stack_far": {"open": True, "zoom": 0.71},
    "reach": {"show": ["reach", "path", "targets"]},
    "reach_dark": {"show": ["reach", "path", "targets"], "dark": True},
    "field": {"show": ["field", "rings"]},
    "field_dark": {"show": ["field", "rings"], "dark": True},
    "sight": {"show": ["sight", "focus", "shots"], "zoom": 1.5},
    "sight_dark": {"show": ["sight", "focus"], "dark": True, "palette": "safe"},
    "all": {"show": ["reach", "path", "targets", "rings", "sight", "focus"], "dark": True},
    "markers": {"markers": True, "zoom": 1.7},
    "markers_dark": {"markers": True, "dark": True},
    "phone": {"phone": True},
    "phone_stack": {"phone": True, "open": True},
    "table": {"table": True},
}


def fixture(name: str) -> tuple[dict[str, Any], dict[str, str]]:
    """A battle after a while: its board, what a side sees, aids for one of its units; and its land in both themes."""
    game, scenario = open_scenario(name)
    session = Session(game, scenario, seed=b"pictures of the board")
    rng = random.Random(5)
    for _ in range(ANSWERS):
        if session.ask is None:
            break
        session.answer(rng.choice(session.ask.options).key)
    while session.ask is not None and not any(option.unit for option in session.ask.options):
        session.answer(rng.choice(session.ask.options).key)
    if session.ask is None:
        raise SystemExit(f"{name}: the battle was over after {ANSWERS} answers; take fewer")
    side = session.ask.side
    view = session.view(side)
    own = [unit for unit in view.units if unit.side == side and unit.place]
    enemies = [unit for unit in view.units if unit.side != side and unit.place]
    acting = [unit for unit in own if any(option.unit == unit.id for option in session.ask.options)]
    field, sight, prospect = None, None, None
    for unit in acting or own:
        prospect = prospect or session.prospect(unit.id)
        field = field or game.field_of_fire(session.battle, side, unit.id)
        if sight is None and enemies:
            sight = game.sight(session.battle, side, unit.id, enemies[0].id).view()
    data = {
        "board": game.board(scenario),
        "view": view,
        "field": field,
        "sight": sight,
        "prospect": prospect,
    }
    lands = {theme: game.land(scenario, theme) for theme in ("light", "dark")}
    return msgspec.to_builtins(data), lands


def main(folder: Path, names: list[str]) -> None:
    """Take the pictures."""
    from playwright.sync_api import Route, sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    data, lands = fixture(os.environ.get("SCENARIO", "mill_farm"))
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        site = Path(name)
        build(site)

        def serve(route: Route) -> None:
            path, _, query = route.request.url.removeprefix("http://bench.invalid/").partition("?")
            if path == "fixture.json":
                route.fulfill(body=msgspec.json.encode(data), content_type="application/json")
            elif path == "land.svg":
                theme = "dark" if "dark" in query else "light"
                route.fulfill(body=lands[theme].encode(), content_type="image/svg+xml")
            elif (site / path).is_file():
                kind = TYPES.get((site / path).suffix, "text/plain")
                route.fulfill(body=(site / path).read_bytes(), content_type=kind)
            else:
                route.fulfill(status=404)

        path = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for picture in names or PICTURES:
            wish = PICTURES[picture]
            size = (390, 760) if wish.get("phone") else (1180, 800)
            page = browser.new_page(
                viewport={"width": size[0], "height": size[1]}, device_scale_factor=2 if wish.get("phone") else 1
            )
            page.on("console", lambda message: print(message.text) if message.type == "error" else None)
            page.on("pageerror", lambda error: print(error))
            page.route("**/*", serve)
            page.goto("http://bench.invalid/board.html?" + msgspec.json.encode(wish).decode())
            page.wait_for_function("window.board_ready", timeout=60_000)
            page.wait_for_selector(".gb-bare", state="detached")
            page.wait_for_timeout(900)
            page.screenshot(path=folder / f"{picture}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
