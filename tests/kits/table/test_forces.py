"""Forces for points: read with their faults, held against roles and a price, drawn by chance."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

from grognard.core.files import Document
from grognard.core.read_tables import FilePath
from grognard.kits.table.forces import (
    Force,
    Line,
    Role,
    check_price,
    check_roles,
    draw_force,
    force_lines,
    price,
    read_force,
)


class Troop(NamedTuple):
    id: str
    name: str
    role: str
    points: int
    nation: str = "red"
    years: tuple[int, int] = (1940, 1944)


KINDS = {
    "captain": Troop("captain", "Captain", "leader", 30),
    "section": Troop("section", "Section", "section", 40),
    "mortar": Troop("mortar", "Mortar", "support", 25),
    "guards": Troop("guards", "Guards", "section", 60, "blue"),
}
NATIONS = {"red": "Red", "blue": "Blue"}
ROLES = {
    "leader": Role("leader", 1, 1, "leader"),
    "section": Role("section", 2, 6, "section"),
    "support": Role("support", 0, 2, "support weapon"),
}
HEAD = 'game = "toy"\ntitle = "Patrol"\nnation = "red"\n'
CORE = '[[unit]]\nkind = "captain"\n[[unit]]\nkind = "section"\ncount = 2\n'


class Order(Line, kw_only=True):
    green: bool = False


def read(text: str) -> tuple[Force[Troop], list[str]]:
    doc = Document.from_toml(text, "force.toml")

    def base(path: FilePath, kind: str) -> Troop | None:
        return KINDS.get(kind)

    def buy(path: FilePath, order: Order, kind: Troop) -> Troop:
        return kind._replace(points=kind.points // 2) if order.green else kind

    force = read_force(doc, "toy", NATIONS, Order, base, buy)
    check_roles(doc, force, ROLES, "9.1")
    check_price(doc, force)
    return force, [str(fault) for fault in doc.faults]


def test_a_force_costs_what_its_units_cost() -> None:
    force, faults = read(f"{HEAD}points = 110\n{CORE}")
    assert not faults and (force.points, force.size, force.limit) == (110, 3, 110)
    assert list(force_lines(force, NATIONS, lambda kind: kind.name)) == [
        "Patrol (Red, 1944)",
        "   30  Captain",
        "   80  2 x Section",
    ]


def test_what_a_unit_has_besides_changes_its_price() -> None:
    force, _ = read(f"{HEAD}{CORE}green = true\n")
    assert force.points == 30 + 2 * 20


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"{HEAD}points = 100\n{CORE}", "force.toml:4: points: the force costs 110 points (100 or less: 10 too many)"),
        (f"{HEAD}year = 1938\n{CORE}", "force.toml:4: year: the year 1938 (1939 to 1945)"),
        (f"{HEAD}year = 1945\n{CORE}", "unit[1].kind: Captain in 1945 (it served from 1940 to 1944)"),
        (f'{HEAD}{CORE}[[unit]]\nkind = "guards"\n', "unit[3].kind: Guards is Blue (a unit that is Red)"),
        (f"{HEAD}{CORE}count = 3\n".replace("count = 2\n", ""), ""),
        (f'{HEAD}[[unit]]\nkind = "section"\n', "0 of the role leader (one such as leader (9.1))"),
        (f'{HEAD}[[unit]]\nkind = "section"\n', "1 of the role section (2 such as section (9.1))"),
        (f'{HEAD}{CORE}[[unit]]\nkind = "mortar"\ncount = 3\n', "3 of the role support weapon (at most 2 (9.1))"),
        (f"{HEAD}{CORE}".replace("toy", "chess"), 'game: a force of "chess"'),
    ],
)
def test_what_does_not_fit_is_told(text: str, says: str) -> None:
    _, faults = read(text)
    assert not faults if not says else any(says in fault for fault in faults), faults


@pytest.mark.parametrize("seed", range(8))
def test_a_force_is_drawn_for_its_points(seed: int) -> None:
    kinds = [kind for kind in KINDS.values() if kind.nation == "red"]
    core = [KINDS["captain"], KINDS["section"], KINDS["section"]]
    most = {"section": 6, "support": 2}
    force = draw_force(kinds, 250, lambda _: list(core), most, {"section": 3}, Random(seed))
    assert force[:3] == core and 250 - 25 < price(force) <= 250
    roles = [kind.role for kind in force]
    assert roles.count("leader") == 1 and roles.count("support") <= 2 and roles.count("section") <= 6
    assert force == draw_force(kinds, 250, lambda _: list(core), most, {"section": 3}, Random(seed))
