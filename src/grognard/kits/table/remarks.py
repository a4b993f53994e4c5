"""What is worth knowing before a unit goes somewhere: who would see it there, in what cover, and who watches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from grognard.kits.table.battle import TableBattle
from grognard.kits.table.state import Unit

U = TypeVar("U", bound=Unit[Any])


def remarks(
    battle: TableBattle[Any, Any, U, Any],
    unit: U,
    cover_from: Callable[[U], str | None],
    words: Mapping[str, str],
    *,
    warned: Callable[[U], str] = lambda enemy: "",
) -> list[str]:
    """How a unit would stand to its enemies: those that it is the same with are told in one line.

    ``cover_from`` says what cover it would have from an enemy, None where he would not see it, and ``words`` how each
    cover begins a line, the most dangerous first: "In the open to". An enemy that sees it may have a warning, such as
    "lies in ambush and may fire at it": it comes before all else.
    """
    groups: dict[str, list[U]] = {cover: [] for cover in words}
    hidden = 0
    for enemy in battle.enemies(unit.side):
        cover = cover_from(enemy)
        if cover is None:
            hidden += 1
        else:
            groups[cover].append(enemy)
    seen = [enemy for group in groups.values() for enemy in group]
    found = [f"{battle.name(enemy)} {warning}" for enemy in seen if (warning := warned(enemy))]
    found += [
        f"{words[cover]} {listed([battle.name(one) for one in group])}" for cover, group in groups.items() if group
    ]
    if hidden:
        everybody = "every enemy" if not seen else "the other enemies" if hidden > 1 else "the other enemy"
        found.append(f"Out of sight of {everybody}")
    return found


def listed(names: Sequence[str]) -> str:
    """Names one after the other, "and" before the last."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
