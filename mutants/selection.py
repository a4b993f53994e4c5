"""Which tests run which lines: measured once, so that a fault is shown to the tests that can notice it.

What was measured is kept in ``.mutants`` while the sources stay as they are. Where only tests have changed since, only
their files are measured again. A line is known by its function and its text, so that what was measured still serves
where code has only moved.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from coverage import CoverageData
from tests.transcripts import games

from mutants.faults import Fault, functions

ROOT = Path(__file__).parent.parent
CACHE = ROOT / ".mutants"
KITS = ROOT / "src" / "grognard" / "kits"
SETTINGS = tomllib.loads((Path(__file__).parent / "settings.toml").read_text(encoding="utf-8"))
RC = """[run]
source_pkgs = {packages}
parallel = true
patch = subprocess
data_file = {data}
disable_warnings = module-not-imported, no-data-collected, couldnt-parse
"""
#: pytest's exit code when tests were run and some failed; of a fault those that fail without it take no notice.
TESTS_FAILED = 1
#: The test that follows games, of any game.
FOLLOWED = "tests/conformance/test_transcripts.py::test_a_game_goes_as_it_went"
#: No statement of the rules has more lines.
LONGEST = 25


class Selection:
    """The tests of a game by the lines they run, the narrowest first."""

    def __init__(self, tests: dict[str, list[str]], at_loading: set[str]) -> None:
        self.by_line = tests
        self.at_loading = at_loading
        self.width = Counter(test for found in tests.values() for test in found)

    @classmethod
    def measured(cls, data: CoverageData) -> Selection:
        """What was measured."""
        tests: dict[str, set[str]] = {}
        for file in data.measured_files():
            names = line_names(Path(file).read_text(encoding="utf-8"))
            for line, contexts in data.contexts_by_lineno(file).items():
                if line in names:
                    tests.setdefault(names[line], set()).update(contexts)
        at_loading = {name for name, found in tests.items() if "" in found}
        return cls({name: sorted(found - {""}) for name, found in tests.items()}, at_loading)

    def without(self, files: set[str]) -> Selection:
        """The same without the tests of some files."""
        kept = {name: [one for one in found if one.split("::")[0] not in files] for name, found in self.by_line.items()}
        return Selection(kept, self.at_loading)

    def __or__(self, other: Selection) -> Selection:
        lines = dict.fromkeys([*self.by_line, *other.by_line])
        both = {line: [*self.by_line.get(line, ()), *other.by_line.get(line, ())] for line in lines}
        return Selection(both, self.at_loading | other.at_loading)

    @classmethod
    def read(cls, kept: dict[str, Any]) -> Selection:
        """What was written."""
        names = kept["names"]
        return cls({line: [names[n] for n in found] for line, found in kept["tests"].items()}, set(kept["at_loading"]))

    def written(self) -> dict[str, Any]:
        """All of it, to be kept in a file."""
        numbers = {test: number for number, test in enumerate(self.width)}
        tests = {line: [numbers[test] for test in found] for line, found in self.by_line.items()}
        return {"names": list(numbers), "tests": tests, "at_loading": sorted(self.at_loading)}

    def tests(self, fault: Fault) -> list[str]:
        """The tests that run a fault's line, or the beginning of the statement that the line goes on with."""
        found = next((self.by_line[name] for name in self._names(fault) if self.by_line.get(name)), [])
        return sorted(found, key=lambda test: (self.width[test], test))

    def runs_at_loading(self, fault: Fault) -> bool:
        """Whether a fault's line is run while modules are loaded and tests are collected."""
        return any(name in self.at_loading for name in self._names(fault)[:1])

    @staticmethod
    def _names(fault: Fault) -> list[str]:
        names = line_names(fault.path.read_text(encoding="utf-8"))
        return [names[at] for at in range(fault.line, max(0, fault.line - LONGEST), -1) if at in names]


def line_names(source: str) -> dict[int, str]:
    """What the lines of a module's functions are called, wherever they have moved to.

    >>> line_names("def fire(unit):\\n    return unit.used\\n")
    {1: 'fire: def fire(unit):', 2: 'fire: return unit.used'}
    """
    found: dict[int, str] = {}
    lines = source.splitlines()
    for name, start, end in functions(source):
        for at in range(start, min(end, len(lines)) + 1):
            if lines[at - 1].strip():
                found.setdefault(at, f"{name}: {lines[at - 1].strip()}")
    return found


def kits(game: str) -> list[str]:
    """The kits that a game is built on."""
    return [kit for kit, games in SETTINGS["kits"].items() if game in games]


def suites(game: str) -> list[str]:
    """Where tests of a game's rules are, and of those that its kit has."""
    folders = [f"tests/games/{game}", *(f"tests/kits/{kit}" for kit in kits(game))]
    return [folder for folder in folders if (ROOT / folder).is_dir()]


def followed(game: str) -> list[str]:
    """The tests that follow games of its scenarios from answer to answer, and know how they went."""
    played = [one for one in games() if one.game == game and one.seed == 0]
    return [f"{FOLLOWED}[{game}-{one.name.replace(' ', '-')}]" for one in played]


def measure(game: str, jobs: int, *, as_known: bool = False) -> Selection:
    """Run the game's tests once and note which lines each runs; what was noted of the same files serves again.

    ``as_known`` asks for what was noted last, whatever has changed since, and runs only files with tests that are new:
    that may find too few tests for a fault, never too many.
    """
    CACHE.mkdir(exist_ok=True)
    (CACHE / ".gitignore").write_text("*\n")
    kept_in = CACHE / f"tests-{game}.json"
    kept = json.loads(kept_in.read_text(encoding="utf-8")) if kept_in.exists() else {}
    sources, digests = _sources(game), {str(path.relative_to(ROOT)): _digest([path]) for path in _test_files(game)}
    old: dict[str, str] = kept["files"] if kept and (as_known or kept["sources"] == sources) else {}
    changed = {file for file, digest in digests.items() if old.get(file) != digest}
    if as_known and old:
        known = {name.split("[")[0] for name in kept["names"]}
        changed = {file for file in changed if not _tests_in(file) <= known}
    selection = Selection.read(kept).without(changed | (set(old) - set(digests))) if old else Selection({}, set())
    if changed:
        selection |= _run(game, jobs, sorted(changed))
        if as_known and old:
            sources = "several"
        kept_in.write_text(json.dumps({"sources": sources, "files": digests, **selection.written()}), encoding="utf-8")
    return selection


def kept_in_forks(game: str) -> Path:
    """The file for what is known of the game's tests in forks, as sources and tests are now; older ones are deleted."""
    name = f"forks-{game}-{_digest(_test_files(game))}-{_sources(game)}.json"
    for path in CACHE.glob(f"forks-{game}-*"):
        if path.name != name:
            path.unlink()
    return CACHE / name


def _run(game: str, jobs: int, files: list[str]) -> Selection:
    """Run tests and note the lines of each."""
    with TemporaryDirectory(dir=CACHE) as folder:
        rc, data_file = Path(folder) / "rc", Path(folder) / "data"
        packages = [f"grognard.games.{game}", *(f"grognard.kits.{kit}" for kit in kits(game))]
        rc.write_text(RC.format(packages=", ".join(packages), data=data_file))
        run = [sys.executable, "-m", "coverage"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
        workers = ["-n", str(jobs), "--dist", "worksteal"] if jobs > 1 else []
        pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:schemathesis", "-p", "mutants.contexts"]
        transcripts = FOLLOWED.split("::")[0]
        named = [one for file in files for one in (followed(game) if file == transcripts else [file])]
        command = [*run, "run", f"--rcfile={rc}", *pytest, *workers, *named]
        code = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        if code not in (0, TESTS_FAILED):
            raise SystemExit(f"The tests of {game} cannot be run without any fault put in: mend that first.")
        subprocess.run([*run, "combine", f"--rcfile={rc}", "--quiet"], cwd=ROOT, env=environment, check=True)
        data = CoverageData(str(data_file))
        data.read()
        return Selection.measured(data)


def _test_files(game: str) -> list[Path]:
    found = [path for folder in suites(game) for path in (ROOT / folder).rglob("test_*.py")]
    return sorted([*found, ROOT / FOLLOWED.split("::")[0]])


def _tests_in(file: str) -> set[str]:
    """The tests of a file."""
    return {
        f"{file}::{name}" for name in re.findall(r"^def (test_\w+)", (ROOT / file).read_text(encoding="utf-8"), re.M)
    }


def _sources(game: str) -> str:
    """A hash of all that the measurement of every test depends on."""
    tests = set(_test_files(game))
    folders = ["src/grognard", *suites(game)]
    found = (path for folder in folders for ending in ("*.py", "*.toml") for path in (ROOT / folder).rglob(ending))
    return _digest(path for path in sorted(found) if path not in tests)


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for path in paths:
        digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()
