"""Force files: what units cost, the upgrades of squads, and the limits of the reinforced platoon (28.1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.games.bolt_action.charts import FOLDER
from grognard.games.bolt_action.forces import check_force, read_force
from grognard.games.bolt_action.roster import UnitType, muster
from grognard.kits.table.forces import Force

LISTS = sorted((FOLDER / "lists").glob("*.toml"))
CORE = '[[unit]]\nkind = "ger_2lt"\n[[unit]]\nkind = "ger_grenadiers"\ncount = 2\n'


def force(units: str, head: str = "") -> Force[UnitType]:
    text = f'game = "bolt_action"\ntitle = "Test"\nnation = "german"\nyear = 1944\n{head}{units}'
    return read_force(Document.from_toml(text, "force.toml"))


def wrong(units: str, head: str = "") -> list[str]:
    with pytest.raises(MalformedError) as error:
        force(units, head)
    return [str(fault) for fault in error.value.faults]


def last(found: Force[UnitType]) -> int:
    return found.units[-1].type.points


@pytest.mark.rule("bolt_action", "28.1")
@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_the_lists_that_come_with_the_game_are_legal(path: Path) -> None:
    lines = check_force(Document.read(path))
    assert "order dice" in lines[-1]


@pytest.mark.rule("bolt_action", "28.1")
def test_the_lists_cover_all_four_nations() -> None:
    nations = {Document.read(path).data["nation"] for path in LISTS}
    assert nations == {"german", "american", "soviet", "british"}


@pytest.mark.rule("bolt_action", "28.1", "1.9")
def test_the_smallest_platoon_is_a_lieutenant_and_two_squads() -> None:
    found = force(CORE)
    assert (found.points, found.size) == (50 + 2 * 133, 3)
    assert any("0 of the role lieutenant" in line for line in wrong('[[unit]]\nkind = "ger_grenadiers"\ncount = 2\n'))
    assert any("1 of the role infantry squad" in line for line in wrong(CORE.replace("count = 2\n", "")))


@pytest.mark.rule("bolt_action", "28.1")
@pytest.mark.parametrize(
    "kind", ["ger_mmg", "ger_sniper", "ger_pak40", "ger_puma", "ger_stug3", "ger_medic", "ger_observer"]
)
def test_one_of_each_support_and_no_more(kind: str) -> None:
    assert force(f'{CORE}[[unit]]\nkind = "{kind}"\n')
    lines = wrong(f'{CORE}[[unit]]\nkind = "{kind}"\ncount = 2\n')
    assert any("at most 1 (28.1)" in line and line.startswith("force.toml:11:") for line in lines)


@pytest.mark.rule("bolt_action", "28.1")
def test_a_panther_and_a_tiger_are_two_tanks() -> None:
    tanks = '[[unit]]\nkind = "ger_panther"\n[[unit]]\nkind = "ger_tiger"\n'
    assert any("2 of the role tank" in line for line in wrong(CORE + tanks))


@pytest.mark.rule("bolt_action", "28.1")
def test_at_most_five_squads() -> None:
    assert force(CORE + '[[unit]]\nkind = "ger_volkssturm"\ncount = 3\n')
    assert any(
        "6 of the role infantry squad" in line
        for line in wrong(CORE + '[[unit]]\nkind = "ger_volkssturm"\ncount = 4\n')
    )


@pytest.mark.rule("bolt_action", "28.1")
def test_a_transport_for_each_unit_on_foot_and_each_gun() -> None:
    assert force(CORE + '[[unit]]\nkind = "ger_truck"\ncount = 3\n')
    lines = wrong(CORE + '[[unit]]\nkind = "ger_truck"\ncount = 4\n')
    assert any("at most 3 (28.1): one for each unit on foot and each gun" in line for line in lines)


def test_a_price_over_the_limit_is_told() -> None:
    lines = wrong(CORE, "points = 300\n")
    assert lines == ["force.toml:5: points: the force costs 316 points (300 or less: 16 too many)"]


def test_a_unit_of_another_nation_or_year_is_told() -> None:
    lines = wrong(CORE + '[[unit]]\nkind = "us_bazooka"\n[[unit]]\nkind = "ger_panzer2"\n')
    assert any("Bazooka team is American (a unit that is German)" in line for line in lines)
    assert any("Panzer II Ausf C in 1944 (it served from 1941 to 1942)" in line for line in lines)


def test_a_misspelt_unit_is_told_with_the_likely_one() -> None:
    assert any('did you mean "ger_panther"' in line for line in wrong(CORE + '[[unit]]\nkind = "ger_pantehr"\n'))


# ---- prices ------------------------------------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "28.1")
@pytest.mark.parametrize(
    ("more", "points"),
    [
        ("", 133),
        ("men = 12", 133 + 2 * 10),
        ("men = 8", 133 - 2 * 10),
        ('quality = "veteran"', 133 + 10 * 3),
        ('quality = "inexperienced"', 133 - 10 * 3),
        ('quality = "veteran"\nmen = 12', 133 + 10 * 3 + 2 * 13),
        ("upgrades = { smg = 2 }", 133 + 2 * 3),
        ("upgrades = { lmg = 1 }", 133 + 20),
        ("upgrades = { panzerfaust = 1, assault_rifle = 3 }", 133 + 5 + 15),
        ("upgrades = { anti_tank_grenades = 1 }", 133 + 10 * 2),
        ("upgrades = { flamethrower = 1 }", 133 + 20),
    ],
)
def test_men_and_weapons_cost_points(more: str, points: int) -> None:
    assert last(force(f'{CORE}[[unit]]\nkind = "ger_grenadiers"\n{more}\n')) == points


@pytest.mark.parametrize(("quality", "points"), [("inexperienced", 184), ("regular", 230), ("veteran", 276)])
def test_a_vehicle_costs_a_share_more_or_less(quality: str, points: int) -> None:
    assert last(force(f'{CORE}[[unit]]\nkind = "ger_stug3"\nquality = "{quality}"\n')) == points


def test_upgraded_men_carry_what_was_paid_for() -> None:
    found = (
        force(CORE + '[[unit]]\nkind = "ger_grenadiers"\nmen = 12\nupgrades = { smg = 2, lmg = 1 }\n').units[-1].type
    )
    men = muster(found)
    carried = [found.weapons[arm].weapon for man in men for arm in man.arms]
    assert len(men) == 12
    assert (carried.count("smg"), carried.count("lmg"), carried.count("panzerfaust")) == (3, 2, 2)
    assert sum(man.role == "loader" for man in men) == 2


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("upgrades = { smg = 9 }", "but only 7 carry a rifle"),
        ("upgrades = { lmg = 3 }", "1 to 2"),
        ("upgrades = { bazoka = 1 }", "no upgrade"),
        ("men = 15", "15 men in a squad"),
        ('quality = "elite"', "quality"),
        ("count = 0", "0 of them"),
    ],
)
def test_what_a_squad_cannot_have_is_told(more: str, told: str) -> None:
    assert any(told in line for line in wrong(f'{CORE}[[unit]]\nkind = "ger_grenadiers"\n{more}\n'))


def test_only_squads_get_upgrades_and_only_germans_panzerfausts() -> None:
    assert any("is not an infantry squad" in line for line in wrong(CORE + '[[unit]]\nkind = "ger_mmg"\nmen = 5\n'))
    text = 'game = "bolt_action"\ntitle = "T"\nnation = "american"\n[[unit]]\nkind = "us_2lt"\n'
    text += '[[unit]]\nkind = "us_squad"\ncount = 2\nupgrades = { panzerfaust = 1 }\n'
    with pytest.raises(MalformedError) as error:
        read_force(Document.from_toml(text, "force.toml"))
    assert "only German squads can have one" in str(error.value)
