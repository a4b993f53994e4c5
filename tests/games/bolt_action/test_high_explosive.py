"""High explosive (18) and buildings that come down (25.5, 25.6)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import high_explosive
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.fire_events import Losses, Shelled
from grognard.games.bolt_action.turn_events import Pinned
from tests.games.bolt_action.fire_play import damage_needs, enemy, fire, shoot, tallies, us
from tests.games.bolt_action.play import box, field, happened, lines, rolled, run

rule = pytest.mark.rule


def place(*units: dict[str, Any], **head: Any) -> BoltBattle:
    return field(*units, sides=["american", "german"], **head)


def tank_shell(
    *dice: int, target: dict[str, Any] | None = None, kind: str = "us_m4", then: tuple[str, ...] = ()
) -> BoltBattle:
    """A tank's gun fires a shell, its machine gun holds."""
    other = target or enemy("ger_infantry", (36, 24), men=9)
    return shoot(us(kind), other, key=["apart", "at g1 he", "hold", *then], dice=dice)


@rule("bolt_action", "18.1")
@pytest.mark.parametrize(
    ("rating", "pins", "pen"), [("D2", "1", 1), ("D3", "1", 1), ("D6", "D2", 2), ("2D6", "D3", 3), ("3D6", "D6", 4)]
)
def test_the_chart_of_shells(rating: str, pins: str, pen: int) -> None:
    found = charts().he[rating]
    assert (found.pins, found.pen) == (pins, pen)


@rule("bolt_action", "18.2")
def test_a_shell_becomes_as_many_hits_as_its_dice_show() -> None:
    battle = tank_shell(6, 2, 5, 1, then=("usual",))  # to hit, D2 is 2, damage 5 and 1
    assert happened(battle, Shelled)[0].hits == 2
    assert damage_needs(battle) == [3]  # 4 less 1
    assert happened(battle, Losses)[0].men == 1


@rule("bolt_action", "18.2", "14.4")
def test_seven_hits_of_a_heavy_mortar_on_regulars_need_two() -> None:
    """4 less 3 is 1, but a natural 1 fails."""
    battle = place(us("us_squad"), enemy("ger_infantry", (36, 24), men=9), dice=(3, 4, 2, 1, 1, 1, 1, 1, 1, 2))
    run(high_explosive.shell(battle, "american", battle.unit("g1"), "2D6"), "usual")
    assert happened(battle, Shelled)[0].hits == 7
    assert damage_needs(battle) == [2]
    assert len(battle.unit("g1").models) == 8


@rule("bolt_action", "18.3", "6.1")
def test_the_pins_of_a_shell_replace_the_normal_pin() -> None:
    battle = place(us("us_squad"), enemy("ger_infantry", (36, 24), men=9), dice=(1, 2, 1))
    run(high_explosive.shell(battle, "american", battle.unit("g1"), "D6"))
    assert [event.pins for event in happened(battle, Pinned)] == [2]  # D2 is 2


@rule("bolt_action", "18.3", "6.1")
def test_a_shell_and_bullets_in_one_action_pin_each_for_itself() -> None:
    """B23: one pin for the machine gun's hits, and the shell's own."""
    dice = (6, 6, 1, 1, 1, 1, 1, 1, 1)
    battle = shoot(us("us_m4"), enemy("ger_infantry", (36, 24), men=9), key="at g1 he", dice=dice)
    assert [event.pins for event in happened(battle, Pinned)] == [1, 1]
    assert battle.unit("g1").pins == 2


@rule("bolt_action", "18.4", "18.5", "19.7")
def test_on_armour_a_shell_is_one_hit_and_one_pin() -> None:
    battle = tank_shell(6, 3, target=enemy("ger_panzer4", (36, 3)))
    assert not happened(battle, Shelled)
    assert lines(tallies(battle, "damage")[0]) == {}  # 1, and nothing lost at long range
    assert tallies(battle, "damage")[0].base == 1
    assert battle.unit("g1").pins == 1


@rule("bolt_action", "18.5")
def test_even_a_great_shell_puts_one_pin_on_armour() -> None:
    battle = place(us("us_squad"), enemy("ger_panzer4", (36, 24)), dice=(1,))
    run(high_explosive.shell(battle, "american", battle.unit("g1"), "3D6"))
    assert battle.unit("g1").pins == 1


@rule("bolt_action", "18.6")
def test_shot_or_shell_is_declared_with_the_target() -> None:
    battle = place(us("us_57mm"), enemy("ger_panzer4", (36, 24)), dice=(6, 1))
    fire(battle, "at g1 ap")
    assert tallies(battle, "damage")[0].base == 5
    battle = place(us("us_57mm"), enemy("ger_panzer4", (36, 24)), dice=(6, 1))
    fire(battle, "at g1 he")
    assert tallies(battle, "damage")[0].base == 1


@rule("bolt_action", "18.1")
def test_a_unit_may_have_its_own_shell() -> None:
    battle = tank_shell(6, 1, 1, 1, 1, 1, kind="sov_is2")
    assert rolled(battle, "HE 2D6")


FARM = box("building", 33, 20, 39, 26, id="farm")


def shelled_farm(*dice: int, then: tuple[str, ...] = ()) -> BoltBattle:
    inside = enemy("ger_infantry", (36, 22), building="farm", models=[(34 + n, 22) for n in range(5)])
    also = enemy("ger_2lt", (36, 24.5), "g2", building="farm", models=[(36, 24.5)])
    battle = place(us("us_squad"), inside, also, terrain=[FARM], dice=dice)
    run(high_explosive.shell(battle, "american", battle.unit("g1"), "2D6"), *then)
    return battle


@rule("bolt_action", "25.5")
def test_a_building_does_not_lessen_the_hits_of_a_shell() -> None:
    battle = shelled_farm(5, 4, 1, *(1,) * 9)
    assert happened(battle, Shelled)[0].hits == 9
    assert len(battle.unit("g1").models) == 5
    assert not battle.state.changed


@rule("bolt_action", "25.6")
def test_ten_hits_of_one_shell_bring_the_building_down_on_everybody() -> None:
    battle = shelled_farm(5, 5)
    assert battle.unit("g1").status == battle.unit("g2").status == "lost"
    assert "farm" in battle.state.changed
    assert battle.table.kind(battle.table.by_id["farm"]).ground == "rough"


@rule("bolt_action", "18.5", "6.1")
def test_armour_takes_one_pin_in_an_action_however_many_shells_and_bullets_hit() -> None:
    battle = shoot(
        us("ger_flakvierling", (36, 40), side="american"),
        enemy("us_m4", (36, 20)),
        key="at g1 he",
        dice=(6,) * 4 + (1,) * 4,
    )
    assert battle.unit("g1").pins == 1
    battle = shoot(us("us_m4", (36, 30)), enemy("ger_marder3", (36, 14)), key="at g1 he", dice=(6,) * 5 + (1,))
    assert battle.unit("g1").pins == 1
