"""How evenly the browser's board moves: 3,000 hexes and 150 counters, dragged and zoomed in headless Chromium.

Not among the benchmarks that run by themselves, for it needs Node, the client's packages (``npm ci`` in ``web``) and a
Chromium: ``python -m benchmarks board``. Each way of drawing gets the same mouse and wheel events, see
``web/bench/frames.ts``; what is counted are the times between frames. Without a graphics card the browser draws in
software; and on a busy machine frames come late whatever is drawn: then only the work of the main thread tells the
ways apart, for it is counted in time of the processor.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.bench_sight import sketch
from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.draw import draw_svg
from grognard.core.files import Document

COLUMNS, ROWS = 60, 50
WAYS = {
    "svg": "all inline SVG, a group's transform",
    "svg-layer": "all inline SVG, a composited layer",
    "canvas": "all on one canvas, drawn for each frame",
    "window": "land on such a canvas, pieces as nodes",
    "hybrid-img": "land as <img>, pieces as nodes, a layer",
    "hybrid-painted": "land as bitmap, pieces as nodes, repainted",
    "hybrid": "land as bitmap, pieces as nodes, a layer",
    "board": "the client's board",
}
WEB = Path(__file__).parents[1] / "web"
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
#: A frame at 60 a second, and a little for the clock's own unevenness.
FRAME = 1000 / 60 + 0.5


def land() -> str:
    """A countryside of 3,000 hexes as the client gets it."""
    return draw_svg(Battlefield.from_sketch(sketch(1944, COLUMNS, ROWS), Document({}, "bench")))


def build(folder: Path) -> None:
    """The measuring page, built as the client is."""
    options = ["--config", "bench/vite.config.ts", "--outDir", str(folder), "--logLevel", "error"]
    subprocess.run(["npx", "vite", "build", *options], cwd=WEB, check=True)


def measure(page: Any, way: str) -> dict[str, Any]:
    """The times between frames of one way of drawing, and the work of the page's main thread."""
    inspector = page.context.new_cdp_session(page)
    inspector.send("Performance.enable", {"timeDomain": "threadTicks"})

    def work() -> float:
        metrics = inspector.send("Performance.getMetrics")["metrics"]
        return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))

    page.goto(f"http://bench.invalid/frames.html?way={way}")
    page.wait_for_function("window.frames_begun", timeout=180_000)
    before = work()
    page.wait_for_function("window.frames_result", timeout=180_000)
    found: dict[str, Any] = page.evaluate("window.frames_result")
    return found | {"work": (work() - before) * 1000}


def row(way: str, found: dict[str, Any]) -> tuple[str, ...]:
    """One line of the table."""
    deltas = sorted(found["deltas"])
    late = sum(delta > FRAME for delta in deltas) / len(deltas)
    return (
        way,
        WAYS[way],
        f"{statistics.median(deltas):.1f} ms",
        f"{deltas[int(len(deltas) * 0.95)]:.1f} ms",
        f"{late:.1%}",
        f"{len(found['long'])} ({sum(found['long']):.0f} ms)",
        f"{1000 * len(deltas) / sum(deltas):.0f}",
        f"{found['work'] / found['frames']:.1f} ms",
    )


def run(ways: list[str] | None = None) -> list[tuple[str, ...]]:
    """Times between frames, late ones, long tasks, frames a second, and the main thread's work, for each way."""
    from playwright.sync_api import Route, sync_playwright

    browser_path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    head = ("way", "what it is", "median", "p95", "later than 1/60 s", "long tasks", "frames/s", "work a frame")
    rows: list[tuple[str, ...]] = [head]
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        build(folder)
        (folder / "land.svg").write_text(land(), "utf-8")

        def serve(route: Route) -> None:
            path = folder / route.request.url.split("?")[0].removeprefix("http://bench.invalid/")
            if path.is_file():
                route.fulfill(body=path.read_bytes(), content_type=TYPES.get(path.suffix, "text/plain"))
            else:
                route.fulfill(status=404)

        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        for way in ways or WAYS:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.route("**/*", serve)
            rows.append(row(way, measure(page, way)))
            page.close()
        browser.close()
    return rows


if __name__ == "__main__":
    for line in run():
        print("  ".join(f"{cell:22}" for cell in line))
