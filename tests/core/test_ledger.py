"""The rulebook as data: sections with and without a heading, and the search through both."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.core.errors import MalformedError
from grognard.core.ledger import Ledger

BOOK = """
game = "toy"
[[section]]
id = "1"
[[rule]]
id = "1.1"
kind = "procedure"
text = "Units move."
[[section]]
id = "2"
title = "Opportunity Fire"
[[rule]]
id = "2.1"
kind = "procedure"
text = "It costs a point."
"""


def test_a_rule_is_found_by_the_heading_of_its_section(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(BOOK)
    ledger = Ledger.load(file)
    assert [rule.id for rule in ledger.search("opportunity point")] == ["2.1"]
    assert [rule.id for rule in ledger.search("units")] == ["1.1"]
    assert ledger.heading(ledger.rules["2.1"]) == "Opportunity Fire"
    assert ledger.heading(ledger.rules["1.1"]) == ""


def test_a_section_without_a_number_is_told(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(BOOK.replace('id = "2"\n', ""))
    with pytest.raises(MalformedError, match="id"):
        Ledger.load(file)
