"""Trying faults where the tests are loaded: a fork of the process changes one function and runs the tests.

To start Python and load a game and its tests takes seconds, and most tests take milliseconds. So they are loaded once,
and each fault is put into a fork. That serves for all faults in what functions do when they are called; for a figure,
and for what is run while modules are loaded, the tests are loaded again, in a copy of the project.

Some tests fail in a fork, whatever is in it. They are found once, beforehand, and set aside for all faults.
"""

from __future__ import annotations

import gc
import json
import math
import os
import resource
import select
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from inspect import CO_OPTIMIZED
from multiprocessing import TimeoutError, get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FunctionType
from typing import NamedTuple, NoReturn

import pytest

from mutants.faults import Fault
from mutants.running import BOUND, TIMES, Copy, Run, TimeUpError, Trial, copy_of_the_project, try_fault
from mutants.running import SECONDS as ANEW

#: A fault may make something grow without end.
MEMORY = 6 * 1024**3
#: A test that takes longer in a fork, where nothing has to be loaded, is looked at: does it always?
SECONDS = 30.0
#: What a fork says at the end.
ALL_PASSED = "all passed"


class Loaded:
    """Tests that have been collected, to be run in forks."""

    def __init__(self, items: list[pytest.Item]) -> None:
        self.aside: set[str] = set()
        self.items: dict[str, list[pytest.Item]] = {}
        for item in items:
            parts = item.nodeid.split("::")
            names = {item.nodeid, item.nodeid.split("[")[0]} | {"::".join(parts[:n]) for n in range(1, len(parts))}
            for name in names | {folder.as_posix() for folder in Path(parts[0]).parents}:
                self.items.setdefault(name, []).append(item)
        self.functions: dict[str, list[FunctionType]] = {}
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType):
                self.functions.setdefault(_address(thing.__code__), []).append(thing)

    def names(self, tests: Iterable[str]) -> list[str]:
        """The tests of some files, functions or folders, one by one."""
        return list(dict.fromkeys(item.nodeid for test in tests for item in self.items.get(test, ())))

    def failing(self, tests: list[str], seconds: float) -> set[str]:
        """Those of the tests that fail in a fork without any fault, or take longer than they may."""
        found, rest = set(), self.names(tests)
        while rest and not (run := self.run(None, rest, seconds)).passed:
            found.add(run.test)
            rest = rest[rest.index(run.test) + 1 :]
        return found

    def run(self, fault: Fault | None, tests: list[str], seconds: float, end: float = math.inf) -> Run:
        """Run tests with a fault until one fails, or takes longer than it may; it is an error if the clock ends."""
        names = [name for name in self.names(tests) if name not in self.aside]
        items = [item for name in names for item in self.items[name] if item.nodeid == name]
        receive, send = os.pipe()
        child = os.fork()
        if not child:
            os.close(receive)
            self._run_and_exit(fault, items, send)
        os.close(send)
        start = since = time.monotonic()
        told, stopped = b"", False
        while True:
            if not select.select([receive], [], [], max(0.0, min(since + seconds, end) - time.monotonic()))[0]:
                stopped = True
                break
            part = os.read(receive, 65536)
            if not part:
                break
            told, since = told + part, time.monotonic()
        os.close(receive)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        if stopped and time.monotonic() >= end:
            raise TimeUpError
        last = told.decode().rstrip("\n").rpartition("\n")[2]
        seconds = time.monotonic() - (since if stopped else start)
        return Run(last == ALL_PASSED, "" if last == ALL_PASSED else last, stopped, "", seconds)

    def _run_and_exit(self, fault: Fault | None, items: list[pytest.Item], send: int) -> NoReturn:
        """In the fork: tell each test before it is run, and at the end whether all have passed."""
        try:
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            if fault is not None:
                put_in(fault, self.functions)
            outcome = _Outcome()
            for item, following in zip(items, [*items[1:], None], strict=True):
                os.write(send, f"{item.nodeid}\n".encode())
                item.config.pluginmanager.register(outcome, "outcome")
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                item.config.pluginmanager.unregister(outcome)
                if outcome.failed:
                    os._exit(1)
            os.write(send, f"{ALL_PASSED}\n".encode())
        finally:
            os._exit(1)


class _Outcome:
    """Whether a test has failed."""

    failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed


def can_put_in(fault: Fault, loaded: Mapping[str, list[FunctionType]] | None = None) -> bool:
    """Whether a fault is in what a function does when it is called; with what is loaded, one that is there."""
    if fault.path.suffix != ".py":
        return False
    sound, faulty = _codes(fault)
    there = loaded is None or bool(loaded.get(_address(sound)))
    return there and sound.co_freevars == faulty.co_freevars and not _same(sound, faulty)


def put_in(fault: Fault, loaded: Mapping[str, list[FunctionType]]) -> None:
    """Let the function have the fault, wherever it has been imported to."""
    sound, faulty = _codes(fault)
    for function in loaded[_address(sound)]:
        function.__code__ = faulty


def _address(code: CodeType) -> str:
    return f"{code.co_filename}:{code.co_firstlineno} {code.co_qualname}"


def _codes(fault: Fault) -> tuple[CodeType, CodeType]:
    """The code of the function that a fault is in, without and with it."""
    found = []
    for text in (fault.path.read_text(encoding="utf-8"), fault.text):
        codes = _functions(compile(text, str(fault.path), "exec"))
        found.append(max((code for code in codes if code.co_firstlineno <= fault.line), key=lambda c: c.co_firstlineno))
    return found[0], found[1]


def _functions(code: CodeType) -> Iterator[CodeType]:
    """The functions and methods of a module, without those inside of others."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType) and "<" not in inner.co_name:
            if inner.co_flags & CO_OPTIMIZED:  # a function, not the body of a class
                yield inner
            else:
                yield from _functions(inner)


def _same(one: CodeType, other: CodeType) -> bool:
    """Whether two functions do the same, whatever their lines and columns."""
    if (one.co_code, one.co_names, one.co_varnames) != (other.co_code, other.co_names, other.co_varnames):
        return False
    if len(one.co_consts) != len(other.co_consts):
        return False
    return all(
        _same(a, b) if isinstance(a, CodeType) and isinstance(b, CodeType) else (type(a), a) == (type(b), b)
        for a, b in zip(one.co_consts, other.co_consts, strict=True)
    )


class Task(NamedTuple):
    """A fault, the tests that it is shown to in turn, and whether loading runs its line."""

    fault: Fault
    stages: list[list[str]]
    at_loading: bool


def try_all(
    suites: list[str],
    tasks: list[Task],
    jobs: int,
    minutes: float,
    tell: Callable[[Trial], None],
    bound: float = BOUND,
    kept_in: Path | None = None,
) -> list[Trial]:
    """Load tests, and try faults in order until all are tried or the time is up; each has so many seconds.

    Which tests fail in a fork without any fault is kept in a file, if there is one, for the next time.
    """
    trying = _Trying(tasks, jobs, minutes, tell, bound, kept_in)
    options = ["-qq", "-s", "--no-header", "-p", "no:cacheprovider", "-p", "no:schemathesis", "-o", "addopts="]
    code = pytest.main([*options, *suites], plugins=[trying])
    if code:
        raise SystemExit(f"The tests cannot be loaded: {code!r}")
    return trying.done


class _Trying:
    """A pytest plugin: once the tests are loaded, faults are tried in the place of running them."""

    def __init__(
        self,
        tasks: list[Task],
        jobs: int,
        minutes: float,
        tell: Callable[[Trial], None],
        bound: float,
        kept_in: Path | None,
    ) -> None:
        self.tasks = tasks
        self.jobs = jobs
        self.minutes = minutes
        self.tell = tell
        self.bound = bound
        self.kept_in = kept_in
        self.done: list[Trial] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Share the faults out among processes that have all tests loaded and have run none."""
        global _loaded, _folder
        _loaded = Loaded(session.items)
        with TemporaryDirectory(prefix="mutants-") as folder:
            _folder = Path(folder)
            self._set_aside(_loaded)
            end = time.monotonic() + self.minutes * 60
            pool = get_context("fork").Pool(self.jobs)
            trials = pool.imap_unordered(_try, [(task, end, self.bound) for task in self.tasks])
            # Of a process that was killed nothing is heard again.
            with suppress(StopIteration, TimeoutError):
                while True:
                    trial = trials.next(self.bound + TIMES * ANEW)
                    if trial is not None:
                        self.done.append(trial)
                        self.tell(trial)
            pool.terminate()
            pool.join()
        return True

    def _set_aside(self, loaded: Loaded) -> None:
        """Find the tests that fail in a fork without any fault, of those that any fault is shown to there."""
        known: dict[str, bool] = {}
        if self.kept_in is not None and self.kept_in.exists():
            known = json.loads(self.kept_in.read_text(encoding="utf-8"))
        shown = {
            test
            for task in self.tasks
            if can_put_in(task.fault, loaded.functions)
            for stage in task.stages
            for test in loaded.names(stage)
        }
        new = [test for test in loaded.items if test in shown and test not in known]
        failing = loaded.failing(new, SECONDS)
        known |= {test: test not in failing for test in new}
        loaded.aside |= {test for test, passes in known.items() if not passes}
        if self.kept_in is not None:
            self.kept_in.write_text(json.dumps(known), encoding="utf-8")


#: What the processes that try faults begin with.
_loaded: Loaded
_folder: Path


@cache
def _copy() -> Copy:
    """A copy of the project for each process that needs one."""
    return copy_of_the_project(_folder / str(os.getpid()))


def _try(order: tuple[Task, float, float]) -> Trial | None:
    """Try a fault where the tests are loaded; where it cannot be put in there, in a copy of the project."""
    (fault, stages, at_loading), end, bound = order
    if (start := time.monotonic()) > end:
        return None
    if can_put_in(fault, _loaded.functions):
        trial = try_fault(_loaded, fault, stages, SECONDS, bound)
        if trial.noticed or not trial.judged or not at_loading:
            return trial
    return try_fault(_copy(), fault, stages, bound=start + bound - time.monotonic())
