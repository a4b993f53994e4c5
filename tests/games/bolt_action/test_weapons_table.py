"""The weapons chart restated from the summary sheet, and what it means when weapons are fired (17.1, 18.1, 27.1)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import weapons
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.shooting import targets
from tests.games.bolt_action.fire_play import damage_needs, enemy, faces, fire, shoot, us
from tests.games.bolt_action.play import field, lines, tally

rule = pytest.mark.rule

#: Range in inches, shots, penetration and special rules, as the sheet prints them; the rocket launcher is ours.
SHEET = """
rifle                  24       1    n/a
pistol                 6        1    n/a  assault
smg                    12       2    n/a  assault
automatic_rifle        30       2    n/a
assault_rifle          24       2    n/a  assault
lmg                    30       3    n/a  team
mmg                    36       4    n/a  team fixed
hmg                    36       3    +1   team fixed
light_autocannon       48       2    +2   team fixed HE(D2)
medium_autocannon      72       2    +3   team fixed HE(D2)
at_rifle               36       1    +2   team
piat                   12       1    +5   team shaped
bazooka                24       1    +5   team shaped
panzerschreck          24       1    +6   team shaped
panzerfaust            12       1    +6   one_shot shaped
light_at               48       1    +4   team fixed HE(D2)
medium_at              60       1    +5   team fixed HE(D2)
heavy_at               72       1    +6   team fixed HE(D3)
super_heavy_at         84       1    +7   team fixed HE(D3)
flamethrower_infantry  6        D6   +2   team flame
flamethrower_vehicle   18       2D6  +3   flame
light_mortar           12-24    1    HE   team indirect HE(D3)
medium_mortar          18-60    1    HE   team fixed indirect HE(D6)
heavy_mortar           18-72    1    HE   team fixed indirect HE(2D6)
light_howitzer         24-48    1    HE   team fixed howitzer HE(D6)
medium_howitzer        24-60    1    HE   team fixed howitzer HE(2D6)
heavy_howitzer         24-72    1    HE   team fixed howitzer HE(3D6)
rocket_launcher        24-72    1    HE   team fixed indirect multiple HE(2D6)
"""
ROWS = {row.split()[0]: row.split()[1:] for row in SHEET.strip().splitlines()}
WORDS = ("team", "fixed", "assault", "one_shot", "shaped", "indirect", "howitzer", "flame", "multiple")


@rule("bolt_action", "17.1")
def test_the_chart_has_the_weapons_of_the_sheet_and_no_other() -> None:
    assert set(charts().weapons) == set(ROWS)


@rule("bolt_action", "17.1", "17.2")
@pytest.mark.parametrize("id", sorted(ROWS))
def test_a_weapon_is_what_the_sheet_says(id: str) -> None:
    weapon = charts().weapons[id]
    reach = f"{weapon.min_indirect // 100}-{weapon.max // 100}" if weapon.min_indirect else f"{weapon.max // 100}"
    pen = "HE" if weapon.he and weapon.pen is None else "n/a" if weapon.pen is None else f"+{weapon.pen}"
    special = [word for word in WORDS if getattr(weapon, word)] + ([f"HE({weapon.he})"] if weapon.he else [])
    assert [reach, weapon.shots, pen, *special] == ROWS[id]
    assert weapon.max % 100 == weapon.min_indirect % 100 == weapon.min == 0
    assert weapon.small == (pen == "n/a")


@rule("bolt_action", "18.1")
def test_shells_pin_and_pierce_as_the_sheet_says() -> None:
    assert {id: (shell.pins, shell.pen) for id, shell in charts().he.items()} == {
        "D2": ("1", 1),
        "D3": ("1", 1),
        "D6": ("D2", 2),
        "2D6": ("D3", 3),
        "3D6": ("D6", 4),
    }


# ---- the chart in play ---------------------------------------------------------------------------------------

#: A unit with each weapon, and where in the unit's list it stands.
BEARERS = [
    ("sov_rifles", 0, 24),
    ("ger_major", 0, 6),
    ("sov_smg_squad", 0, 12),
    ("us_squad", 2, 30),
    ("ger_vet_grenadiers", 0, 24),
    ("gb_section", 2, 30),
    ("us_mmg", 0, 36),
    ("us_hmg", 0, 36),
    ("gb_boys", 0, 36),
    ("gb_piat", 0, 12),
    ("us_bazooka", 0, 24),
    ("ger_panzerschreck", 0, 24),
    ("ger_grenadiers", 3, 12),
    ("ger_flamethrower", 0, 6),
]


@rule("bolt_action", "17.1", "12.3")
@pytest.mark.parametrize(("kind", "slot", "inches"), BEARERS)
@pytest.mark.parametrize("over", [0.0, 0.1])
def test_a_weapon_of_infantry_reaches_as_far_as_its_range(kind: str, slot: int, inches: int, over: float) -> None:
    """One man with nothing but this weapon fires at a hull 12 in wide of him, then a tenth of an inch farther off."""
    # A truck that looks at him: its front is 2.2 in from its middle, his base half an inch from his own.
    truck = enemy("ger_truck", (36, 44 - 0.5 - inches - over - 2.2))
    battle = field(us(kind, at=(36, 44), men=1), truck, sides=["american", "german"])
    who = battle.unit("a1")
    who.models[0].arms = (slot,)
    assert targets.may_fire_at(battle, who, "g1") == (over == 0)


@rule("bolt_action", "17.1", "17.19")
@pytest.mark.parametrize(
    ("kind", "slot", "shots"),
    [
        ("sov_rifles", 0, 1),
        ("ger_major", 0, 1),
        ("sov_smg_squad", 0, 2),
        ("us_squad", 2, 2),
        ("ger_vet_grenadiers", 0, 2),
        ("gb_section", 2, 3),
        ("us_mmg", 0, 4),
        ("us_hmg", 0, 3),
        ("gb_boys", 0, 1),
    ],
)
def test_a_weapon_fires_as_many_shots_as_the_chart_says(kind: str, slot: int, shots: int) -> None:
    battle = field(
        us(kind, at=(36, 40), men=1), enemy("ger_infantry", (36, 35)), sides=["american", "german"], dice=(1,) * 8
    )
    battle.unit("a1").models[0].arms = (slot,)
    fire(battle, "at g1")
    assert [len(each) for each in faces(battle, "to hit")] == [shots]


@rule("bolt_action", "17.1", "14.3", "19.1")
@pytest.mark.parametrize(
    ("kind", "key", "pen"),
    [
        ("us_hmg", "at g1", 1),
        ("gb_boys", "at g1", 2),
        ("gb_piat", "at g1", 5),
        ("us_bazooka", "at g1", 5),
        ("ger_panzerschreck", "at g1", 6),
        ("ger_pak36", "at g1 ap", 4),
        ("us_57mm", "at g1 ap", 5),
        ("ger_pak40", "at g1 ap", 6),
        ("gb_17pdr", "at g1 ap", 7),
    ],
)
def test_a_heavy_weapon_pierces_as_the_chart_says(kind: str, key: str, pen: int) -> None:
    """At a Tiger's front from near by: nothing but the weapon's penetration is added to the die."""
    battle = shoot(us(kind, side="american"), enemy("ger_tiger", (36, 30)), key=key, dice=(6, 1, 1, 1))
    found = tally(battle, "Penetration", "damage")
    assert (found.base, lines(found)) == (pen, {})


@rule("bolt_action", "17.1", "18.1", "18.2")
@pytest.mark.parametrize(
    ("kind", "key", "rating", "pen"),
    [
        ("ger_pak36", "at g1 he", "D2", 1),
        ("us_57mm", "at g1 he", "D2", 1),
        ("ger_pak40", "at g1 he", "D3", 1),
        ("gb_17pdr", "at g1 he", "D3", 1),
        ("ger_ig18", "at g1", "D6", 2),
        ("us_105", "at g1", "2D6", 3),
        ("sov_is2", "at g1 he", "2D6", 3),
        ("ger_panzer2", "at g1 he", "D2", 1),
    ],
)
def test_a_shell_becomes_the_hits_of_its_rating(kind: str, key: str, rating: str, pen: int) -> None:
    foe = enemy("sov_rifles", (36, 30), quality="veteran")
    battle = shoot(us(kind, side="american"), foe, key=key, dice=(6, 1, 1, *(1,) * 20))
    assert len(faces(battle, f"HE {rating}")) == 1
    assert damage_needs(battle) == [max(5 - pen, 2)]


def sniper(**more: Any) -> dict[str, Any]:
    """A sniper and his assistant, whose pistol reaches nobody here."""
    return us("us_sniper", models=[(36, 44), (37.1, 44.3)], **more)


@rule("bolt_action", "27.1", "12.3")
@pytest.mark.parametrize(
    ("away", "fires", "hurried"), [(36, True, False), (36.1, False, False), (12, True, True), (11.9, False, True)]
)
def test_a_sniper_shoots_from_12_to_36_inches_away(away: float, fires: bool, hurried: bool) -> None:
    """Edge to edge. Without his scope, after an Advance, he has a rifle that reaches 24 in and has no least range."""
    man = enemy("ger_infantry", (36, 44 - 1 - away), men=1)
    battle = field(sniper(), man, sides=["american", "german"])
    who = battle.unit("a1")
    assert targets.may_fire_at(battle, who, "g1") == fires
    assert targets.may_shoot(battle, who, battle.unit("g1"), moved=True) == hurried
    assert weapons.reach(battle, who, 0, moved=False, indirect=False) == (1200, 3600, True)
    assert weapons.reach(battle, who, 0, moved=True, indirect=False) == (0, 2400, False)


@rule("bolt_action", "27.1", "13.4")
def test_long_range_is_nothing_to_a_sniper_and_the_half_of_a_rifles_range_to_his_rifle() -> None:
    battle = shoot(sniper(), enemy("ger_infantry", (36, 14)), dice=(1, 1))
    assert lines(tally(battle, "To hit, 1 × rifle", "to hit")) == {}
    battle = shoot(sniper(), enemy("ger_infantry", (36, 25)), moved=True, dice=(1, 1))
    assert lines(tally(battle, "To hit, 1 × rifle", "to hit")) == {"long_range": 1, "fire_on_the_move": 1}
