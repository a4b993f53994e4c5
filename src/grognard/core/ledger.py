"""The rulebook as data: every numbered rule in our own words, and which tests prove it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import msgspec

from grognard.core.files import Document

UNPROVED_KINDS = frozenset({"flavour", "example"})


class Rule(msgspec.Struct, frozen=True):
    """A rule of the ledger."""

    id: str
    kind: str
    text: str


class Section(msgspec.Struct, frozen=True):
    """A section of the book: the part of a rule's number before the point, and what it is about."""

    id: str
    title: str = ""


class Ledger:
    """All rules of a game, in the order of the book."""

    def __init__(
        self, game: str, title: str, edition: str, rules: list[Rule], sections: Iterable[Section] = ()
    ) -> None:
        self.game, self.title, self.edition = game, title, edition
        self.rules = {rule.id: rule for rule in rules}
        self.titles = {section.id: section.title for section in sections}

    @classmethod
    def load(cls, path: Path) -> Ledger:
        """Read rules.toml; every fault is told."""
        document = Document.read(path)
        rules, seen = [], set()
        for key in ("rule", "section"):
            if not isinstance(document.data.get(key, []), list):
                document.fault(key, f"{document.data[key]!r:.40} where tables belong", f"[[{key}]]")
        document.check()
        for index, entry in enumerate(document.data.get("rule", [])):
            rule = document.convert(entry, Rule, "rule", index)
            if rule is None:
                continue
            if rule.id in seen:
                document.fault(("rule", index, "id"), f"rule {rule.id} is there twice")
            seen.add(rule.id)
            rules.append(rule)
        entries = enumerate(document.data.get("section", []))
        sections = [document.convert(entry, Section, "section", index) for index, entry in entries]
        document.check()
        data = document.data
        named = [section for section in sections if section is not None]
        return cls(data.get("game", ""), data.get("title", ""), data.get("edition", ""), rules, named)

    def __contains__(self, id: object) -> bool:
        return id in self.rules

    def section(self, number: str) -> list[Rule]:
        """A rule by its id, or all rules of a section."""
        if number in self.rules:
            return [self.rules[number]]
        return [rule for rule in self.rules.values() if rule.id.split(".")[0] == number]

    def heading(self, rule: Rule) -> str:
        """What the section of a rule is about; empty where the ledger does not say."""
        return self.titles.get(rule.id.split(".")[0], "")

    def search(self, words: str) -> list[Rule]:
        """The rules whose text, with the heading of their section, has all of the words."""
        wanted = words.lower().split()
        texts = {rule: f"{rule.id} {self.heading(rule)} {rule.text}".lower() for rule in self.rules.values()}
        return [rule for rule, text in texts.items() if all(word in text for word in wanted)]

    @property
    def to_prove(self) -> list[Rule]:
        """The rules that need a test: all but flavour and examples."""
        return [rule for rule in self.rules.values() if rule.kind not in UNPROVED_KINDS]


def proofs(tests: Path, game: str) -> dict[str, list[str]]:
    """Which tests are marked as proving which rules of a game, read from their source.

    A mark on a class or on a parameter counts for the test it belongs to; `rule` may stand for `pytest.mark.rule`.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(tests.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef | ast.ClassDef):
                continue
            for decorator in node.decorator_list:
                for call in ast.walk(decorator):
                    for id in _marked(call, game):
                        found[id].append(f"{path.relative_to(tests)}::{node.name}")
    return dict(found)


def _marked(node: ast.AST, game: str) -> list[str]:
    if not isinstance(node, ast.Call):
        return []
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name != "rule":
        return []
    ids = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    return ids[1:] if ids and ids[0] == game else []
