"""The faults of ``make mutants``: that they are single, that they are faults, and that their names last."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutants.__main__ import GAMES, SETTINGS, games, rules_modules, sample
from mutants.faults import Fault, fault_at, sites_of
from mutants.figures import figures_of
from mutants.loaded import Task, can_put_in, try_all
from mutants.running import Copy, Trial, try_fault
from mutants.selection import ROOT, Selection

RULES = '''"""A chapter."""

LIMIT = 3


def fire(battle, unit, target):
    """88: fire."""
    if unit.used:
        return None
    if unit.range < target.range and target.seen:
        battle.emit("hit", battle.other(unit.side))
    return battle.points.get(unit.side, 0) + 2
'''
FIGURES = """[impulse]
rule = "67.1"
cost = 2            # 1 for a Leader
bands = [[0, 6], [7, 11]]
title = "Move 3"
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "fire.py"
    path.write_text(RULES)
    return path


def faults(path: Path) -> list[Fault]:
    return [fault for site in sites_of(path) if (fault := fault_at(site)) is not None]


def faults_in(path: Path, names: str) -> list[Fault]:
    """The faults of lines that are named: to make all of a long module takes minutes."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    named = [site for site in sites_of(path) if len(lines[site.line - 1]) >= 12 and lines[site.line - 1] in names]
    return [fault for site in named if (fault := fault_at(site)) is not None]


def changes(path: Path) -> set[tuple[str, str, str]]:
    return {(fault.kind, fault.before, fault.after) for fault in faults(path)}


def test_the_kinds_of_faults(rules: Path) -> None:
    """A guard dropped, a side swapped, an event left out, a border moved, a term left out, a number changed."""
    told = 'battle.emit("hit", battle.other(unit.side))'
    seen = "if unit.range < target.range and target.seen:"
    assert changes(rules) >= {
        ("guard", "if unit.used:", "if False:"),
        ("side", told, 'battle.emit("hit", (unit.side))'),
        ("left out", told, "pass"),
        ("comparison", seen, "if unit.range <= target.range and target.seen:"),
        ("guard", seen, "if target.seen:"),
        ("condition", seen, "if unit.range < target.range or target.seen:"),
        ("number", "return battle.points.get(unit.side, 0) + 2", "return battle.points.get(unit.side, 0) + 3"),
    }


def test_nothing_is_changed_outside_functions_nor_where_a_number_means_nothing(rules: Path) -> None:
    after = [after for _, _, after in changes(rules)]
    assert not any("LIMIT" in text for text in after)
    assert not any(", 1) + 2" in text or ", -1) + 2" in text for text in after)


def test_every_fault_is_single_and_compiles(rules: Path) -> None:
    for site in sites_of(rules):
        fault = fault_at(site)
        assert fault is not None
        compile(fault.text, "fault", "exec")
        old, new = RULES.splitlines(), fault.text.splitlines()
        assert len(old) == len(new)
        assert sum(one != other for one, other in zip(old, new, strict=True)) == 1


def test_a_fault_keeps_its_name_when_lines_above_it_move(rules: Path) -> None:
    names = {fault.name for fault in faults(rules)}
    rules.write_text(RULES.replace("LIMIT = 3\n", "LIMIT = 3\nMORE = 4\n"))
    assert {fault.name for fault in faults(rules)} == names


def test_figures_are_changed_by_one_and_nothing_else_is(tmp_path: Path) -> None:
    path = tmp_path / "charts.toml"
    path.write_text(FIGURES)
    found = list(figures_of(path))
    assert {fault.after for fault in found if fault.before.startswith("cost")} == {
        "cost = 3            # 1 for a Leader",
        "cost = 1            # 1 for a Leader",
    }
    assert "bands = [[0, 6], [7, 12]]" in {fault.after for fault in found}
    assert not any("67" in fault.before or "Move" in fault.before for fault in found)
    assert {fault.where for fault in found} == {"impulse"}


@pytest.mark.parametrize("game", games())
def test_a_sample_is_its_seed_and_has_faults_of_every_kind(game: str) -> None:
    names = [fault.name for fault in sample(game, 12, 5)]
    assert len(names) == 12
    assert names == [fault.name for fault in sample(game, 12, 5)]
    assert names != [fault.name for fault in sample(game, 12, 6)]
    assert len({fault.kind for fault in sample(game, 12, 5)}) >= 5


@pytest.mark.parametrize("game", games())
def test_what_is_set_aside_is_still_there_and_says_why(game: str) -> None:
    """A name that fits no fault any more is taken out of the list."""
    aside = SETTINGS["unchanged"].get(game, {})
    files = {name.split()[0] for name in aside}
    paths = [path for path in rules_modules(game) if path.name in files]
    names = {fault.name for path in paths for fault in faults_in(path, " ".join(aside))}
    names |= {fault.name for file in SETTINGS["figures"] for fault in figures_of(GAMES / game / file)}
    assert set(aside) <= names
    assert all(len(reason) > 10 for reason in aside.values())


def test_a_fault_that_a_test_notices_is_noticed_and_taken_out_again(tmp_path: Path) -> None:
    """Played on a tree of two files: one test notices one fault and lets the other pass."""
    source = 'def older(a, b):\n    if a == b:\n        return ""\n    return a if a > b else b\n'
    path = ROOT / "chapter.py"
    module = tmp_path / "chapter.py"
    module.write_text(source)
    tests = tmp_path / "test_chapter.py"
    tests.write_text('from chapter import older\n\n\ndef test_older():\n    assert older(1, 1) == ""\n')
    by_text = {fault.after: fault for fault in faults(module)}
    dropped = by_text["if False:"]._replace(path=path)
    turned = by_text["return a if a >= b else b"]._replace(path=path)
    assert try_fault(Copy(tmp_path), dropped, [["test_chapter.py"]]).by == "test_chapter.py::test_older"
    assert module.read_text() == source
    assert not try_fault(Copy(tmp_path), turned, [["test_chapter.py"]]).noticed
    assert module.read_text() == source


CHAPTER = """LIMIT = 3


def longest(a, b=LIMIT):
    def longer():
        return a if a > b else b

    if a == b:
        return 0
    return longer()


def count(to):
    n = 0
    while n < to:
        n += 1
    return n


FIRST = count(1)
"""
TESTS = """
import chapter_of_faults
from chapter_of_faults import count, longest


def test_fails():
    assert longest(2) == 5


def test_longest():
    assert (longest(2), longest(3), longest(4)) == (3, 0, 4)


def test_count():
    assert count(0) == 0
    assert count(2) == 2
"""


def test_faults_are_tried_where_the_tests_are_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An imported name has the fault, too; a test that fails anyway notices nothing; the next fault is alone."""
    module, tests = tmp_path / "chapter_of_faults.py", tmp_path / "test_chapter_of_faults.py"
    module.write_text(CHAPTER)
    tests.write_text(TESTS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("mutants.loaded.SECONDS", 4.0)  # a busy machine is no fault
    by_text = {fault.after: fault for fault in faults(module)}
    tried = ["return a if a >= b else b", "if a != b:", "return 1", "while n <= to:", "pass"]
    tasks = [Task(by_text[after], [[tests.name]], at_loading=False) for after in tried]
    told: list[Trial] = []
    done = try_all([f"--rootdir={tmp_path}", str(tests)], tasks, jobs=1, minutes=2, tell=told.append)
    assert done == told
    assert [trial.by.removeprefix(tests.name) for trial in done] == [
        "",
        "::test_longest",
        "::test_longest",
        "::test_count",
        "::test_count (no end)",
    ]
    assert module.read_text() == CHAPTER


COUNTED = """
import os
from pathlib import Path

import chapter_of_bounds

HERE = os.getpid()
RUN = Path(__file__).with_name("run")


def told(name):
    with RUN.open("a") as file:
        file.write(name + " ")


def test_one():
    told("one")
    assert os.getpid() == HERE


def test_two():
    told("two")
    assert os.getpid() == HERE


def test_longest():
    told("longest")
    assert chapter_of_bounds.longest(2) == 3
"""


def test_tests_that_fail_in_a_fork_are_found_once_and_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not again for each fault, and the next time neither: what is known of them is kept."""
    module, tests = tmp_path / "chapter_of_bounds.py", tmp_path / "test_chapter_of_bounds.py"
    module.write_text(CHAPTER)
    tests.write_text(COUNTED)
    monkeypatch.syspath_prepend(tmp_path)
    by_text = {fault.after: fault for fault in faults(module)}
    tasks = [Task(by_text[after], [[tests.name]], at_loading=False) for after in ("if a != b:", "return 1")]

    def run() -> tuple[list[str], list[str]]:
        (tmp_path / "run").unlink(missing_ok=True)
        options = [f"--rootdir={tmp_path}", str(tests)]
        done = try_all(options, tasks, 1, 2, tell=lambda trial: None, kept_in=tmp_path / "kept")
        return (tmp_path / "run").read_text().split(), [trial.by.removeprefix(tests.name) for trial in done]

    tried = ["longest", "longest", "longest"]  # with one fault and without any, then with the other
    assert run() == (["one", "two", "longest", *tried], ["::test_longest", ""])
    assert run() == (tried, ["::test_longest", ""])


def test_a_fault_in_what_is_not_loaded_cannot_be_put_in_there(rules: Path) -> None:
    fault = next(fault for fault in faults(rules) if fault.after == "if False:")
    assert can_put_in(fault)
    assert not can_put_in(fault, {})


def test_a_fault_is_not_judged_when_its_time_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where tests are loaded and in a copy."""
    module, tests = tmp_path / "chapter_of_time.py", tmp_path / "test_chapter_of_time.py"
    module.write_text(CHAPTER)
    tests.write_text("import time\n\nimport chapter_of_time\n\n\ndef test_slow():\n    time.sleep(9)\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("mutants.loaded._Trying._set_aside", lambda *_: None)
    fault = next(fault for fault in faults(module) if fault.after == "if a != b:")
    task = Task(fault, [[tests.name]], at_loading=False)
    options = [f"--rootdir={tmp_path}", str(tests)]
    (in_fork,) = try_all(options, [task], 1, 2, tell=lambda trial: None, bound=1.0)
    in_copy = try_fault(Copy(tmp_path), fault._replace(path=ROOT / module.name), [[tests.name]], bound=2.0)
    assert module.read_text() == CHAPTER
    for trial in (in_fork, in_copy):
        assert (trial.judged, trial.noticed) == (False, False)
        assert trial.seconds < 7


def test_only_what_is_done_when_a_function_is_called_can_be_put_in_there(tmp_path: Path) -> None:
    module = tmp_path / "chapter.py"
    module.write_text("def late(a, b=3):\n    return a + 5\n")
    assert {fault.after: can_put_in(fault) for fault in faults(module)} == {
        "def late(a, b= 4):": False,
        "def late(a, b= 2):": False,
        "return a + 6": True,
        "return a + 4": True,
    }


def test_a_line_keeps_its_tests_when_it_moves(tmp_path: Path) -> None:
    """To another module even; the narrowest test comes first, and a line goes on from the one before."""
    moved = tmp_path / "moved.py"
    moved.write_text("def count(\n    to,\n    by=1,\n):\n    return by if to else 5\n")
    lines = {"count: def count(": ["t::a", "t::b"], "count: return by if to else 5": ["t::a", "t::c"]}
    known = Selection({**lines, "other: pass": ["t::a"]}, {"count: def count("})
    known = Selection.read(known.written())
    by_after = {fault.after: fault for fault in faults(moved)}
    assert known.tests(by_after["return by if to else 6"]) == ["t::c", "t::a"]
    assert known.tests(by_after["by= 2,"]) == ["t::b", "t::a"]
    assert not known.runs_at_loading(by_after["return by if to else 6"])
    again = known.without({"t"}) | Selection({"count: def count(": ["u::d"]}, set())
    assert again.tests(by_after["by= 2,"]) == ["u::d"]
    assert again.runs_at_loading(by_after["by= 2,"]) is False, "only its own line tells"


@pytest.fixture
def endless(tmp_path: Path) -> Fault:
    """A chapter in which a fault makes a loop go on for ever."""
    module = tmp_path / "chapter.py"
    module.write_text("def count(to):\n    n = 0\n    while n < to:\n        n += 1\n    return n\n")
    by_text = {fault.after: fault for fault in faults(module)}
    return by_text["pass"]._replace(path=ROOT / "chapter.py")


def test_a_test_that_does_not_end_notices_a_fault(tmp_path: Path, endless: Fault) -> None:
    tests = "from chapter import count\n\n\ndef test_none():\n    assert count(0) == 0\n\n\n"
    (tmp_path / "test_chapter.py").write_text(tests + "def test_two():\n    assert count(2) == 2\n")
    trial = try_fault(Copy(tmp_path), endless, [["test_chapter.py"]], seconds=1.0)
    assert trial.by == "test_chapter.py::test_two (no end)"


def test_a_test_that_is_slow_anyway_notices_nothing(tmp_path: Path, endless: Fault) -> None:
    (tmp_path / "test_chapter.py").write_text("import time\n\n\ndef test_slow():\n    time.sleep(3)\n")
    assert not try_fault(Copy(tmp_path), endless, [["test_chapter.py"]], seconds=1.0).noticed


def test_a_test_that_fails_without_the_fault_too_notices_nothing(tmp_path: Path, endless: Fault) -> None:
    """Those after it are run all the same."""
    fails = "from chapter import count\n\n\ndef test_fails():\n    assert count(0) == 1\n\n\n"
    tests = tmp_path / "test_chapter.py"
    tests.write_text(fails)
    wrong = endless._replace(text=endless.text.replace("n = 0", "n = 5"))
    assert not try_fault(Copy(tmp_path), wrong, [["test_chapter.py"]]).noticed
    tests.write_text(fails + "def test_passes():\n    assert count(0) == 0\n")
    assert try_fault(Copy(tmp_path), wrong, [["test_chapter.py"]]).by == "test_chapter.py::test_passes"


def test_tests_that_cannot_be_collected_notice_only_what_the_fault_does(tmp_path: Path, endless: Fault) -> None:
    broken = endless._replace(text="raise ValueError\n")
    tests = tmp_path / "test_chapter.py"
    tests.write_text("import chapter\n\n\ndef test_it():\n    assert chapter.count(1) == 1\n")
    assert try_fault(Copy(tmp_path), broken, [["test_chapter.py"]]).by == "the collection"
    with pytest.raises(RuntimeError, match="cannot be collected"):
        try_fault(Copy(tmp_path), broken, [["test_chapter.py::test_that_is_not_there"]])
