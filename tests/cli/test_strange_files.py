"""Files that nobody could have meant: a clear error and code 2, no traceback, and nothing that moves the cursor."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.core.charts import lay_over
from grognard.core.errors import MOST_FAULTS, Fault, MalformedError, plain
from grognard.core.files import LONGEST_NAME, Document
from tests.cli.conftest import run_command

HEDGE = Path("docs/examples/hedge.toml").read_text(encoding="utf-8")
TABLE = (Path(__file__).parent / "table_situation.toml").read_text(encoding="utf-8")
FILES = {
    "NaN": (HEDGE.replace("turn = 4", "turn = nan"), "nan is not a number"),
    "infinity": (TABLE.replace("width = 48", "width = inf"), "inf is not a number"),
    "10^30": (HEDGE.replace("turn = 4", f"turn = {10**30}"), "too large"),
    "2^63": (HEDGE.replace("turn = 4", f"turn = {2**63}"), "too large"),
    "a large float": (TABLE.replace("width = 48", "width = 1e200"), "too large"),
    "a turn of thousands": (HEDGE.replace("turn = 4", "turn = 5000"), "turn"),
    "a negative turn": (HEDGE.replace("turn = 4", "turn = -1"), "turn"),
    "a name of 5,000 letters": (f'title = "{"x" * 5000}"\n{HEDGE}', "a name of 5,000 letters"),
    "a key of 5,000 letters": (f"{'x' * 5000} = 1\n{HEDGE}", "a name of 5,000 letters"),
    "a side of 5,000 letters": (f'sides = ["{"x" * 5000}", "german"]\n{HEDGE}', "a name of 5,000 letters"),
    "NUL": (f'briefing = "a\\u0000b"\n{HEDGE}', "unprintable"),
    "an escape sequence": (f'briefing = "\\u001b[31mred"\n{HEDGE}', "unprintable"),
    "an escape sequence in a key": (f'"\\u001b]0;title\\u0007" = 1\n{HEDGE}', "unprintable"),
    "rule = 3": ("rule = 3\n", "[[rule]]"),
    "section = 3": ('section = 3\n[[rule]]\nid = "1.1"\nkind = "procedure"\ntext = "x"\n', "[[section]]"),
    "charts with NaN": ("[combat]\nx = nan\n[terrain.woods]\ncost = nan\n", "nan is not a number"),
    "nesting": (f"a = {'[' * 60}{']' * 60}\n{HEDGE}", "nested too deeply"),
}


@pytest.mark.parametrize(("text", "wrong"), FILES.values(), ids=FILES)
@pytest.mark.parametrize("command", ["check", "try", "draw"])
def test_strange_files(command: str, text: str, wrong: str, tmp_path: Path) -> None:
    file = tmp_path / "strange.toml"
    file.write_text(text, encoding="utf-8")
    done = run_command(command, str(file), code=2)
    assert done.exit_code == 2, done.output
    assert "\x1b" not in done.output and "\0" not in done.output
    if command == "check":
        assert wrong in done.output


@pytest.mark.parametrize("command", [["check"], ["try"], ["draw"], ["replay"], ["force"], ["play", "--text", "--load"]])
def test_what_never_ends_is_not_read_to_the_end(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grognard.core.files.read_bounded.__defaults__", (2**20,))
    done = run_command(*command, "/dev/zero", code=2)
    assert done.exit_code == 2 and "larger than" in done.output


def test_endless_faults(tmp_path: Path) -> None:
    file = tmp_path / "faults.toml"
    file.write_text('game = "ost"\n' + "[[unit]]\nkynd = 1\n" * 5000)
    done = run_command("check", str(file), code=2)
    assert done.exit_code == 2 and "more faults" in done.output
    assert len(done.output.splitlines()) < 2 * MOST_FAULTS


def test_a_fault_is_short_and_plain() -> None:
    text = str(Fault("f.toml", 3, "unit[1]", "\x1b[31m" + "x" * 10_000, "\r\u202e"))
    assert len(text) < 1000 and text.isprintable()
    assert plain("a\nb\tc") == "a\nb\tc"
    assert str(MalformedError([Fault("f", 1, "", str(n)) for n in range(5000)])).count("\n") == MOST_FAULTS


def test_names_and_numbers_that_are_just_right() -> None:
    text = (
        f'name = "{"x" * LONGEST_NAME}"\nnumber = 1000000\nlow = -1000000\nhalf = 0.5\nbriefing = "a\\nb"\nyes = true\n'
    )
    assert Document.from_toml(text, "x").data["number"] == 10**6


def test_a_whole_number_of_a_chart_stays_whole() -> None:
    ours = {"shot": {"dice": 2, "chance": 0.5}}
    merged, _ = lay_over(ours, Document.from_toml("[shot]\ndice = 3\nchance = 1\n", "mine.toml"))
    assert merged["shot"] == {"dice": 3, "chance": 1}
    with pytest.raises(MalformedError, match="a whole number, such as 2"):
        lay_over(ours, Document.from_toml("[shot]\ndice = 2.5\n", "mine.toml"))
