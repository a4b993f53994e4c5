"""Which figures of a game's charts its rules ask for, as their source says it.

A figure of a plain table is used where it is looked up: ``charts["impulse"]["cost_cover"]``, by way of a name that
the table was given, or with ``number`` and ``distance``. One of a table that typed objects are made of (terrain,
weapons, modifiers) is used where its field is read, and where its entry is named at all: in the rules, or in the
counters, maps and scenarios.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from grognard import board
from grognard.core import registry
from grognard.core.charts import Chart

Keys = tuple[str, ...]
ANY = "*"
#: What is written for people: where a figure comes from, and how it is called.
FOR_PEOPLE = {"provenance", "rule", "id", "label", "title", "text", "note", "when", "per"}
#: What shows or weighs the figures, but does not decide by them.
ONLOOKERS = {"tactics", "player_aids.py", "charts.py", "generator.py", "why.py"}


def leaves(value: Any, path: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Every value of the tables with its path; a member of a list of tables by its id."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for member in value:
            yield from leaves(member, (*path, member["id"]))
    else:
        yield path, value


def is_figure(path: Keys, value: Any) -> bool:
    """Whether a value is there for the program: not a name, a sentence or the number of a rule."""
    if path[0] == "meta" or path[-1] in FOR_PEOPLE or path[-1].endswith("_rule"):
        return False
    words = value if isinstance(value, list) else [value]
    return not any(isinstance(word, str) and " " in word for word in words)


class _Lookups(ast.NodeVisitor):
    """What one module looks up in the tables: paths, with ANY where the key is worked out."""

    def __init__(self, raw: dict[str, Keys]) -> None:
        self.raw = raw  # attributes of the figures that are tables as they stand in the file
        self.paths: set[Keys] = set()
        self.loose: set[str] = set()  # keys of dictionaries that may be tables handed over
        self.names: dict[str, Keys | None] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        outer = self.names
        self.names = {**outer, **{arg.arg: None for arg in node.args.args if arg.arg != "charts"}}
        self.generic_visit(node)
        self.names = outer

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                for name, value in zip(target.elts, node.value.elts):
                    self._name(name, value)
            else:
                self._name(target, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.generic_visit(node)
        if node.value is not None:
            self._name(node.target, node.value)

    def _name(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.names[target.id] = self.path(value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.path(node)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        if isinstance(called, ast.Attribute):
            keys = [each for arg in node.args for each in constants(arg)]
            if called.attr in ("number", "distance") and len(node.args) == 2:
                tables = constants(node.args[0])
                self.paths |= {(table, key) for table in tables for key in constants(node.args[1]) or [ANY]}
            elif called.attr in ("items", "values", "get"):
                base = self.path(called.value)
                for key in keys or [ANY]:
                    if base is not None:
                        self.paths.add((*base, key))
                    self.loose.add(key)
        self.generic_visit(node)

    def path(self, node: ast.expr) -> Keys | None:
        """The path of the table that an expression stands for, () for all of them, None for anything else."""
        if isinstance(node, ast.Name):
            if node.id in self.names:
                return self.names[node.id]
            return () if node.id == "charts" else None
        if isinstance(node, ast.Attribute):
            if node.attr in self.raw and self.path(node.value) == ():
                return self.raw[node.attr]
            return () if node.attr in ("charts", "tables") else None
        if isinstance(node, ast.Call):
            return () if isinstance(node.func, ast.Name) and node.func.id == "charts" else None
        if not isinstance(node, ast.Subscript):
            return None
        keys, base = constants(node.slice) or [ANY], self.path(node.value)
        if base is None:
            self.loose |= set(keys)
            return None
        self.paths |= {(*base, key) for key in keys}
        return (*base, keys[0] if len(keys) == 1 else ANY)


def constants(node: ast.expr) -> list[str]:
    """The keys that an expression can be, as far as they are written out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    return constants(node.body) + constants(node.orelse) if isinstance(node, ast.IfExp) else []


class Uses:
    """What the source of a game makes of its charts."""

    def __init__(self, game: str) -> None:
        kind = registry.game(game).charts_type
        assert kind is not None
        self.module = import_module(kind.__module__)
        self.figures = kind(kind.in_force().tables, [])
        self.tables: dict[str, Any] = self.figures.tables
        self.folder = Path(str(self.module.__file__)).parent
        self.trees = {
            path: ast.parse(path.read_text(encoding="utf-8"))
            for path in self.folder.rglob("*.py")
            if not ONLOOKERS & set(path.relative_to(self.folder).parts)
        }

    def idle(self) -> list[str]:
        """The figures that nothing asks for."""
        return [".".join(path) for path, value in leaves(self.tables) if is_figure(path, value) and not self.used(path)]

    def used(self, path: Keys) -> bool:
        """Whether the rules ask for a figure."""
        if isinstance(getattr(self.figures, path[0], None), Chart):
            return True  # a whole table of results: rows and columns are read as one
        for table, kind in self.typed:
            if path[: len(table)] == table and len(path) > len(table) + 1:
                id, field = path[len(table) : len(table) + 2]
                if id not in self.named and table not in self.open_tables:
                    continue
                if field in fields(kind) and field in self.read_fields(kind):
                    return True
                if "more" in fields(kind) and any(field in lookups.loose for lookups in self._lookups):
                    return True
        return any(matches(path, found, self.named) for found in self.looked_up) or self._handed_over(path)

    def _handed_over(self, path: Keys) -> bool:
        """Whether a module that fetches the table looks up the key in something that was handed to it."""
        return any(path[:-1] in tables and path[-1] in loose for tables, loose in self.handed)

    @cached_property
    def _lookups(self) -> list[_Lookups]:
        found = []
        for tree in self.trees.values():
            lookups = _Lookups(self.raw)
            lookups.visit(tree)
            found.append(lookups)
        return found

    @cached_property
    def looked_up(self) -> set[Keys]:
        """Every path that some module looks up."""
        return {path for lookups in self._lookups for path in lookups.paths}

    @cached_property
    def handed(self) -> list[tuple[set[Keys], set[str]]]:
        """For each module the tables it fetches, and the keys it looks up in dictionaries that it was handed."""
        return [(lookups.paths, lookups.loose) for lookups in self._lookups]

    @cached_property
    def named(self) -> set[str]:
        """Every word of the rules, and of the files of counters, maps and scenarios."""
        words = {
            node.value
            for tree in self.trees.values()
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        return words | self.data

    @cached_property
    def data(self) -> set[str]:
        """Every word of the counters, maps and scenarios, and every value of the charts."""
        words = {value for _, value in leaves(self.tables) if isinstance(value, str)}
        for file in [file for kind in ("units.toml", "maps/*", "scenarios/*") for file in self.folder.glob(kind)]:
            words |= set(re.findall(r"\w+", file.read_text(encoding="utf-8")))
        return words

    @cached_property
    def open_tables(self) -> set[Keys]:
        """The tables whose entries files name, so that a user's own may name any; and those gone through in order."""
        found = set()
        for value in vars(self.figures).values():
            if isinstance(value, dict) and value and all(map(is_object, value.values())):
                if 2 * len(self.data & set(value)) > len(value):
                    found.add(home(self.tables, set(value)))
            elif isinstance(value, tuple) and value and all(map(is_object, value)):
                found.add(home(self.tables, {each.id for each in value}))
        return found

    @cached_property
    def raw(self) -> dict[str, Keys]:
        """The figures that are tables as they stand in the file."""
        return {
            name: home(self.tables, set(value))
            for name, value in vars(self.figures).items()
            if name != "tables" and isinstance(value, dict) and value and all(type(v) is dict for v in value.values())
        }

    @cached_property
    def typed(self) -> list[tuple[Keys, type]]:
        """The tables that objects are made of, and what they are."""
        found = []
        for value in vars(self.figures).values():
            if isinstance(value, dict) and value and all(map(is_object, value.values())):
                found.append((home(self.tables, set(value)), type(next(iter(value.values())))))
            elif isinstance(value, tuple) and value and all(map(is_object, value)):
                found.append((home(self.tables, {each.id for each in value}), type(value[0])))
        return found

    def read_fields(self, kind: type) -> set[str]:
        """The attributes that are read of anything: in the rules, and where the object's type comes from."""
        home = import_module(kind.__module__)
        homes = [home] if home is self.module else [home, board]
        return self.attributes.union(*(attributes(Path(str(module.__file__))) for module in homes))

    @cached_property
    def attributes(self) -> set[str]:
        """Every attribute that the rules read."""
        nodes = (node for tree in self.trees.values() for node in ast.walk(tree))
        return {node.attr for node in nodes if isinstance(node, ast.Attribute)}


@cache
def attributes(file: Path) -> set[str]:
    """Every attribute that a module reads, or all modules of a package."""
    files = file.parent.rglob("*.py") if file.name == "__init__.py" else [file]
    return {name for path in files for name in re.findall(r"\.([a-z_]+)\b", path.read_text(encoding="utf-8"))}


def matches(path: Keys, found: Keys, named: set[str]) -> bool:
    """Whether looking up ``found`` reads the figure at ``path``; a key that is worked out must be named somewhere."""
    if len(found) != len(path):
        return False
    return all(asked in (key, ANY) and (asked == key or key in named) for key, asked in zip(path, found))


def fields(kind: Any) -> tuple[str, ...]:
    """The fields of a typed object."""
    found: tuple[str, ...] = kind.__struct_fields__ if issubclass(kind, msgspec.Struct) else kind._fields
    return found


def is_object(value: Any) -> bool:
    """Whether a value is one of the typed objects that tables are made into."""
    return isinstance(value, msgspec.Struct) or hasattr(value, "_fields")


def home(tables: dict[str, Any], ids: set[str]) -> Keys:
    """The table, or the list inside a table, whose entries are called so."""
    found: list[tuple[int, Keys]] = []
    for name, table in tables.items():
        entries = {key for key, value in table.items() if isinstance(value, dict)}
        if ids <= entries:
            found.append((len(entries - ids), (name,)))
        for key, value in table.items():
            if isinstance(value, list) and value and isinstance(value[0], dict):
                if ids <= {member["id"] for member in value}:
                    found.append((len(value) - len(ids), (name, key)))
    return min(found)[1]
