"""Faults in rules modules: which there are, what they are called, and the module's text with one of them in it.

Cosmic Ray finds the places and changes the source; the kinds below that it lacks are written as operators of its own
kind. A fault's name is its module, its function and the line before and after, so that it means the same fault when
lines above it move.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import parso
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.boolean_replacer import AddNot, ReplaceAndWithOr, ReplaceOrWithAnd
from cosmic_ray.operators.comparison_operator_replacement import operators as comparison_operators
from cosmic_ray.operators.number_replacer import NumberReplacer
from cosmic_ray.operators.operator import Operator

#: Comparisons that are turned: the border is moved by one, or the test is turned round. Others of Cosmic Ray's say the
#: same in coarser ways.
COMPARISONS = ("Eq_NotEq", "NotEq_Eq", "Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Is_IsNot", "IsNot_Is")
#: The beginning of a guard's body: it leaves what goes on.
LEAVES = re.compile(r"return\b|continue\b|raise\b|break\b")
#: Text for people and for mypy, which rules do not act on.
NOT_ACTED_ON = re.compile(r"^\s*(assert\b|@|from\b|import\b|[\"']{3})")


class Fault(NamedTuple):
    """A single fault: of what kind, in which file and line, and the file's text with it."""

    kind: str
    path: Path
    line: int
    where: str
    before: str
    after: str
    text: str

    @property
    def name(self) -> str:
        """What the fault is called, wherever its line has moved to.

        >>> Fault("comparison", Path("melee.py"), 7, "settle", "if a < b:", "if a <= b:", "").name
        'melee.py settle: `if a < b:` -> `if a <= b:`'
        """
        return f"{self.path.name} {self.where}: `{self.before}` -> `{self.after or 'left out'}`"


class _Own(Operator):  # type: ignore[misc]
    """An operator of ours: says which nodes it changes, each in one way, and how."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[Any, Any]]:
        if self.fits(node):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        return _like(node, self.instead(node))

    @abstractmethod
    def fits(self, node: Any) -> bool:
        """Whether a node is one to change."""

    @abstractmethod
    def instead(self, node: Any) -> str:
        """What stands there instead."""

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()


class DropGuard(_Own):
    """``if CONDITION: return …`` no longer leaves."""

    def fits(self, node: Any) -> bool:
        parent = node.parent
        return (
            parent is not None
            and parent.type == "if_stmt"
            and node is parent.children[1]
            and bool(LEAVES.match(parent.children[3].get_code(include_prefix=False).strip()))
        )

    def instead(self, node: Any) -> str:
        return "False"


class DropTerm(Operator):  # type: ignore[misc]
    """One term of ``a and b and c``, or of ``a or b``, is left out."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[Any, Any]]:
        if node.type in ("and_test", "or_test"):
            for child in node.children[::2]:
                yield child.start_pos, child.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        word = f" {node.children[1].value} "
        kept = [child for at, child in enumerate(node.children[::2]) if at != index]
        return _like(node, word.join(child.get_code(include_prefix=False) for child in kept))

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()


class SwapSide(_Own):
    """``battle.other(side)`` becomes ``side``: the wrong side has it."""

    CALL = re.compile(r"battle\.(?:other|enemy)\((.*)\)\Z", re.DOTALL)

    def fits(self, node: Any) -> bool:
        return node.type in ("atom_expr", "power") and bool(self.CALL.match(node.get_code(include_prefix=False)))

    def instead(self, node: Any) -> str:
        found = self.CALL.match(node.get_code(include_prefix=False))
        assert found is not None
        return f"({found[1]})"


class LeaveOut(_Own):
    """A call that stands alone, an event, a modifier, a rule that is carried out, is left out."""

    def fits(self, node: Any) -> bool:
        if node.parent is None or node.parent.type != "simple_stmt" or node is not node.parent.children[0]:
            return False
        code = node.get_code(include_prefix=False)
        stands_alone = node.type in ("atom_expr", "power", "yield_expr") and code.endswith(")")
        adds = node.type == "expr_stmt" and any(sign in code for sign in (" += ", " -= ", " |= "))
        return stands_alone or adds

    def instead(self, node: Any) -> str:
        return "pass"


class ChangeNumber(NumberReplacer):  # type: ignore[misc]
    """A number is one more or one less; not the ``0`` that stands for nothing in ``points.get(side, 0)``."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[Any, Any]]:
        parent = node.parent
        default = (
            parent is not None
            and parent.type == "arglist"
            and node is parent.children[-1]
            and parent.parent.get_previous_sibling() is not None
            and parent.parent.get_previous_sibling().get_code().endswith(".get")
        )
        if not default:
            yield from super().mutation_positions(node)


KINDS: dict[str, list[Any]] = {
    "comparison": [
        operator
        for operator in comparison_operators()
        if operator.__name__.removeprefix("ReplaceComparisonOperator_") in COMPARISONS
    ],
    "condition": [AddNot, ReplaceAndWithOr, ReplaceOrWithAnd],
    "guard": [DropGuard, DropTerm],
    "side": [SwapSide],
    "left out": [LeaveOut],
    "number": [ChangeNumber],
}


def _like(node: Any, code: str) -> Any:
    """Code in the place of a node, with what stood before it."""
    return parso.python.tree.Name(code, node.start_pos, prefix=node.get_first_leaf().prefix)


class Site(NamedTuple):
    """A place in a module where a fault of a kind can be put in."""

    kind: str
    path: Path
    operator: Any
    occurrence: int
    line: int


def sites_of(path: Path) -> list[Site]:
    """All places in a module's functions for faults."""
    tree = get_ast(path.read_text(encoding="utf-8"))
    nodes = list(ast_nodes(tree))
    lines = {line for node in nodes if node.type == "funcdef" for line in range(node.start_pos[0], node.end_pos[0] + 1)}
    found = []
    for kind, operators in KINDS.items():
        for operator in operators:
            positions = (start for node in nodes for start, _ in operator().mutation_positions(node))
            for occurrence, (line, _) in enumerate(positions):
                if line in lines:
                    found.append(Site(kind, path, operator, occurrence, line))
    return found


def fault_at(site: Site) -> Fault | None:
    """The fault of a place; none where the text would mean the same, or is none that rules act on."""
    source = site.path.read_text(encoding="utf-8")
    text = mutate_code(source, site.operator(), site.occurrence)
    if text is None or text == source or not _compiles(text):
        return None
    line, before, after = _difference(source.splitlines(), text.splitlines())
    where = next((name for name, start, end in functions(source) if start <= line <= end), "")
    if not where or NOT_ACTED_ON.match(before):
        return None
    return Fault(site.kind, site.path, line, where, before, after, text)


def _compiles(text: str) -> bool:
    try:
        compile(text, "fault", "exec")
    except SyntaxError:
        return False
    return True


def functions(source: str) -> list[tuple[str, int, int]]:
    """The functions of a module with their first and last line, inner ones first."""
    nodes = (node for node in ast_nodes(get_ast(source)) if node.type == "funcdef")
    found = [(node.name.value, node.start_pos[0], node.end_pos[0]) for node in nodes]
    return sorted(found, key=lambda one: one[2] - one[1])


def _difference(old: list[str], new: list[str]) -> tuple[int, str, str]:
    """The first line that differs, counted from 1, and all that is there before and after."""
    same = [one == other for one, other in zip(old, new, strict=False)]
    first = same.index(False) if False in same else len(same)
    last = 0
    while last < min(len(old), len(new)) - first and old[len(old) - 1 - last] == new[len(new) - 1 - last]:
        last += 1
    before, after = (" ".join(map(str.strip, lines[first : len(lines) - last])) for lines in (old, new))
    return first + 1, before, after
