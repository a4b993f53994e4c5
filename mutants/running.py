"""Trying faults: each is shown to the tests that run its line until one notices it.

A fault is noticed when a test fails that passes without it, in the same place. That is looked up for every test that
fails, so that neither a test that fails for a reason of its own nor a copy that lacks something counts. A test that
does not end counts too, but only against the time that it takes without the fault. A fault has so much time and no
more: one that nothing has noticed by then, with tests still to run, is not judged.

Here the place is a copy of the project, in which the tests are loaded anew for each fault; `mutants.loaded` has the
quick one, where they are loaded once.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from mutants.faults import Fault
from mutants.selection import ROOT

#: A fault has so many seconds, if nothing else is said.
BOUND = 300.0
#: A test that takes longer is looked at: does it take as long without the fault?
SECONDS = 120.0
#: A test that takes so many times as long as without the fault does not end.
TIMES = 5.0
#: pytest's exit code when there is no test to run.
NOTHING_TO_RUN = 5
#: What pytest writes of a test, and whether it passed.
LINE = re.compile(r"(?P<test>\S+\.py::.*?)(?: (?P<outcome>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b.*)?$")


class Trial(NamedTuple):
    """What became of a fault; it is not judged if its time was up before all its tests had run."""

    fault: Fault
    noticed: bool
    by: str
    seconds: float
    judged: bool = True


class TimeUpError(Exception):
    """The time for a fault is up."""


class Run(NamedTuple):
    """What became of a run of tests: whether all passed, which did not, and whether it was stopped."""

    passed: bool
    test: str
    stopped: bool
    told: str
    seconds: float


class Place(Protocol):
    """Where faults are put in and tests are run, but for those that are set aside: they fail without any fault."""

    aside: set[str]

    def run(self, fault: Fault | None, tests: list[str], seconds: float, end: float = math.inf) -> Run:
        """Run tests until one fails, or takes longer than it may; it is an error if the clock reaches the end."""
        ...


class Copy:
    """A copy of the project, with its tests loaded anew for each fault."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self.aside: set[str] = set()

    def run(self, fault: Fault | None, tests: list[str], seconds: float, end: float = math.inf) -> Run:
        """Run tests in the copy. Without a fault, many of them are only collected: that is what went wrong."""
        if fault is None:
            only = len(tests) > 1 or "::" not in tests[0]
            return run_tests(self.tree, tests, set(), seconds, end, collect_only=only)
        with _fault_in(self.tree, fault):
            return run_tests(self.tree, tests, self.aside, seconds, end)


def copy_of_the_project(tree: Path) -> Copy:
    """Copy the project into a folder to put faults into."""
    files = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    for file in files:
        if not file.startswith("web/") and (ROOT / file).is_file():
            (tree / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, tree / file)
    return Copy(tree)


def try_fault(
    place: Place, fault: Fault, stages: list[list[str]], seconds: float = SECONDS, bound: float = BOUND
) -> Trial:
    """Put the fault in, run its tests, one stage after the other, until one fails because of it or the time is up."""
    start = time.monotonic()
    by, judged = "", True
    try:
        found = (_noticing(place, fault, stage, seconds, start + bound) for stage in stages if stage)
        by = next(filter(None, found), "")
    except TimeUpError:
        judged = False
    return Trial(fault, bool(by), by, time.monotonic() - start, judged)


def _noticing(place: Place, fault: Fault, tests: list[str], seconds: float, end: float) -> str:
    """The first of the tests that fails with the fault and passes without it, "" if there is none.

    A test that fails without it too is set aside for the faults to come as well.
    """
    while True:
        run = place.run(fault, tests, seconds, end)
        if run.passed:
            return ""
        # If no test was reached, the collection of them all is what went wrong.
        until = max(end, time.monotonic() + seconds)
        sound = place.run(None, [run.test] if run.test else tests, TIMES * seconds, until)
        if sound.passed and run.stopped and run.seconds <= TIMES * sound.seconds:
            seconds = max(2 * seconds, TIMES * sound.seconds)
        elif sound.passed:
            return (run.test or "the collection") + (" (no end)" if run.stopped else "")
        elif run.test:
            place.aside.add(run.test)
        else:
            raise RuntimeError(f"The tests cannot be collected without any fault put in:\n{sound.told}")


@contextmanager
def _fault_in(tree: Path, fault: Fault) -> Iterator[None]:
    """The tree has the fault in it, for a while."""
    file = tree / fault.path.relative_to(ROOT)
    sound = file.read_text(encoding="utf-8")
    try:
        file.write_text(fault.text, encoding="utf-8")
        yield
    finally:
        file.write_text(sound, encoding="utf-8")


def run_tests(
    tree: Path, tests: list[str], aside: set[str], seconds: float, end: float, collect_only: bool = False
) -> Run:
    """Run tests until one fails, or takes longer than it may; it is an error if the clock reaches the end."""
    names, output = tree / ".tests", tree / ".output"
    names.write_text("\n".join(tests))
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-o", "addopts=--strict-markers", "-v", "--no-header"]
    command += ["--tb=no", "--color=no", "-p", "no:cacheprovider", "-p", "no:schemathesis", f"@{names}"]
    command += [f"--deselect={test}" for test in sorted(aside)] + ["--collect-only"] * collect_only
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tree / "src"), str(tree)])}
    start = since = time.monotonic()
    length = 0
    with output.open("wb") as sink:
        process = subprocess.Popen(command, cwd=tree, env=environment, stdout=sink, stderr=subprocess.STDOUT)
        try:
            while (code := _code(process)) is None and time.monotonic() - since <= seconds:
                if time.monotonic() > end:
                    raise TimeUpError
                if (now := output.stat().st_size) != length:
                    length, since = now, time.monotonic()
        finally:
            process.kill()
            process.wait()
    told = output.read_text(encoding="utf-8", errors="replace")
    lines = [found for line in told.splitlines() if (found := LINE.match(line))]
    # The test that failed, or the one that had begun when the run was stopped or broke off.
    wrong = [found["test"].strip() for found in lines if found["outcome"] in ("FAILED", "ERROR", None)]
    # Nothing to run is nothing that failed: everything that would have been run is set aside.
    passed = code == 0 or (code == NOTHING_TO_RUN and bool(aside))
    took = time.monotonic() - (since if code is None else start)
    return Run(passed, wrong[0] if wrong else "", code is None, told, took)


def _code(process: subprocess.Popen[bytes]) -> int | None:
    """How a process ended; None if it has not, after a short wait."""
    try:
        return process.wait(timeout=0.2)
    except subprocess.TimeoutExpired:
        return None
