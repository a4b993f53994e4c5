"""Odds of fire: exact, on few paths, and never held up by a question that does not matter."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from grognard.core.odds import Odds
from grognard.core.session import Session
from grognard.games.company import saves, to_hit
from tests.games.company.playing import answer, platoon, play, team
from tests.games.company.shooting import moved, row

SIDES = ["german", "american"]


def against(*units: dict[str, object]) -> Session:
    """The Germans have the Initiative; their first Unit has been activated."""
    here = play(*units, sides=SIDES, dice=(6,))
    answer(here, "activate g1")
    return here


def guns(count: int = 4) -> dict[str, object]:
    return platoon("ger_hmg_platoon", "g1", *(team(20 + 3 * n, 20, kind="ger_hmg") for n in range(count)), heading=180)


def chance(odds: Odds, what: str) -> Fraction:
    """How likely a change is whose words have this in them."""
    return odds.chance(lambda change: what in change.say())


def test_a_volley_of_twenty_dice_at_eight_stands_is_exact_on_few_paths() -> None:
    here = against(guns(), moved("us_rifles", "a1", *row(8, 20, 30)))
    odds = here.odds("all aimed_fire", "at a1")
    assert odds.exact and odds.paths < 400
    assert sum((outcome.probability for outcome in odds.outcomes), Fraction(0)) == 1


def test_odds_of_one_gun_are_those_of_paper() -> None:
    """Five dice on 2 at one rifle team: it falls unless every hit is saved on 3; three hits mark who lives."""
    here = against(guns(1), moved("us_rifles", "a1", team(20, 30, kind="us_rifle")))
    odds = here.odds("all aimed_fire", "at a1")
    hit = [Fraction(comb(5, n) * 5**n, 6**5) for n in range(6)]
    falls = sum(chance * (1 - Fraction(2, 3) ** n) for n, chance in enumerate(hit))
    assert chance(odds, "loses 1 Team") == falls
    assert chance(odds, "marker") == sum(hit[n] * Fraction(2, 3) ** n for n in (3, 4, 5))


def test_nobody_is_asked_about_hits_markers_or_the_ground() -> None:
    here = against(guns(2), platoon("us_rifles", "a1", *row(8, 20, 30), moved=True, fired=True))
    odds = here.odds("all aimed_fire", "at a1")
    assert odds.exact and not odds.ends
    assert {each.key for each in odds.assumed} <= {"pass", "deal"}
    down = here.odds("all aimed_fire", "at a1", "ground")
    assert down.reached == 1 and down.to_them < odds.to_them


def test_guns_at_tanks_are_exact_too() -> None:
    here = against(
        platoon("ger_panther_platoon", "g1", *row(3, 20, 10, 4), heading=180),
        moved("us_m4_platoon", "a1", *row(4, 20, 36, 4), heading=0),
    )
    odds = here.odds("all aimed_fire", "at a1")
    assert odds.exact and odds.paths < 400 and chance(odds, "loses") > Fraction(1, 3)


@pytest.mark.rule("company", "8.5")
def test_throwing_again_squares_what_is_saved() -> None:
    from_once, all_ = saves._ways((3,), 6)
    assert Fraction(from_once, all_) ** 2 == Fraction(*saves._ways((3, 3), 6))
    assert sum(to_hit.faces(7)) == 0
