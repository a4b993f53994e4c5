"""Positions that no text has, refereed: their odds against figures worked out by hand from the charts."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from grognard.core.odds import Odds
from grognard.games.bolt_action import sight_report
from tests.games.bolt_action.play import answer, box, options, piece, play, the_battle, unit

HEDGE, WALL = piece("hedge", (10, 20), (30, 20)), piece("stone_wall", (10, 20), (30, 20))
FARM = box("building", 17, 14, 23, 20, id="farm")
#: Rolling at most so much with two dice.
UP_TO = {6: Fraction(15, 36), 7: Fraction(21, 36), 8: Fraction(26, 36)}


def ours(kind: str, at: tuple[float, float], id: str = "a1", **more: Any) -> Any:
    return unit(kind, id, at=at, side="american", **more)


def theirs(kind: str, at: tuple[float, float] | None, id: str = "g1", **more: Any) -> Any:
    return unit(kind, id, at=at, side="german", **{"heading": 180, "die": "fire", **more})


def odds(*units: Any, do: tuple[str, ...], **head: Any) -> Odds:
    """The odds of the last of some answers."""
    session = play(*units, sides=["american", "german"], drawn="american", seed=b"referee", **head)
    answer(session, *do[:-1])
    return session.odds(do[-1])


def chance(found: Odds, *words: str, but: str = "\0") -> Fraction:
    """How likely it is that all these words are told, and not others."""
    return sum(
        (o.probability for o in found.outcomes if all(w in o.text for w in words) and but not in o.text), Fraction(0)
    )


def tallied(found: Odds, what: str) -> list[int]:
    """The totals of the tallies of a name."""
    return [tally.total for _, tally, _ in found.tallies if tally.what.startswith(what)]


def some_of(shots: int, hit: Fraction) -> Fraction:
    return 1 - (1 - hit) ** shots


@pytest.mark.rule("bolt_action", "13.9", "15.5", "11.8")
def test_a_squad_behind_a_hedge() -> None:
    """Ten rifles and an automatic rifle at 12 in need 4; the sergeant at the end of the line is out of his 12 in."""
    found = odds(
        ours("us_squad", (20, 32)), theirs("ger_grenadiers", (20, 19)), terrain=[HEDGE], do=("unit a1", "fire", "at g1")
    )
    assert found.exact
    assert found.to_them == 1 - Fraction(1, 2) ** 12
    assert chance(found, "loses 3 men") == comb(12, 3) * Fraction(1, 4) ** 3 * Fraction(3, 4) ** 9
    five = comb(12, 5) * Fraction(1, 4) ** 5 * Fraction(3, 4) ** 7
    assert chance(found, "loses 5 men", "breaks") == five * (1 - UP_TO[8]), "five of ten test on 9 with one pin"


@pytest.mark.rule("bolt_action", "25.3", "13.7")
def test_men_who_are_down_in_a_house() -> None:
    inside = theirs("ger_grenadiers", (20, 17), building="farm", die="down")
    found = odds(ours("us_squad", (20, 32)), inside, terrain=[FARM], do=("unit a1", "fire", "at g1"))
    assert tallied(found, "To hit") == [6, 6]
    assert found.to_them == 1 - Fraction(5, 6) ** 12


@pytest.mark.rule("bolt_action", "11.8", "19.6", "20.1", "20.4")
def test_a_tank_hull_down_at_a_wall() -> None:
    """Hit on 5 behind the wall; 9 on the front with 5: a 4 is superficial, 5 and 6 are full damage."""
    for y, hit in ((17.2, Fraction(1, 3)), (16.5, Fraction(2, 3))):  # farther off it is not at the wall
        found = odds(
            ours("us_57mm", (20, 46)),
            theirs("ger_panzer4", (20, y)),
            terrain=[WALL],
            do=("unit a1", "fire", "at g1 ap"),
        )
        assert found.to_them == hit
        assert chance(found, "knocked out") == hit * Fraction(2, 6) * Fraction(1, 2)
        assert chance(found, "stunned") == hit * (Fraction(1, 6) * Fraction(4, 6) + Fraction(2, 6) * Fraction(1, 6))
        burns = hit * (Fraction(1, 36) + Fraction(2, 36))
        assert chance(found, "on fire", "abandoned") == burns * (1 - UP_TO[7])


@pytest.mark.rule("bolt_action", "17.8", "18.1", "18.3")
def test_the_third_bomb_of_a_mortar() -> None:
    mortar = ours("us_mortar_medium", (20, 44), ranged="g1", shots=2, ranged_turn=1)
    found = odds(mortar, theirs("ger_infantry", (20, 14)), turn=2, do=("unit a1", "fire", "at g1"))
    assert tallied(found, "To hit") == [4] and tallied(found, "To damage") == [2]
    six = Fraction(1, 2) * Fraction(1, 6) * Fraction(5, 6) ** 6
    assert chance(found, "takes 2 pins", "loses 6 men", "breaks") == six / 2 * (1 - UP_TO[7])


@pytest.mark.rule("bolt_action", "17.14", "17.16", "17.17")
def test_a_flamethrower_at_a_house() -> None:
    """4.5 in: point blank, and neither the walls nor the range count."""
    inside = theirs("ger_infantry", (20, 17), building="farm")
    found = odds(ours("ger_flamethrower", (20, 25)), inside, terrain=[FARM], do=("unit a1", "fire", "at g1"))
    assert tallied(found, "To hit") == [2]
    missed = sum(Fraction(1, 6) * Fraction(1, 6) ** shots for shots in range(1, 7))
    assert 1 - chance(found, "g1") == missed
    assert chance(found, "out of fuel") == Fraction(1, 3)


@pytest.mark.rule("bolt_action", "17.15", "17.16")
def test_odds_of_a_flamethrowing_tank_tell_its_dice_once() -> None:
    found = odds(ours("gb_crocodile", (20, 40)), theirs("ger_panzer4", (20, 26)), do=("unit a1", "fire", "at g1 ap"))
    flames = [tally.what for _, tally, _ in found.tallies if "flamethrower" in tally.what]
    assert flames == ["To hit, 2D6 × vehicle flamethrower"]


@pytest.mark.rule("bolt_action", "17.7", "19.2", "20.10")
def test_a_bazooka_at_the_side_at_long_range() -> None:
    """Long range makes it 4 to hit, but the charge is as strong: 6 against 9, massive on a 6."""
    found = odds(
        ours("us_bazooka", (20, 40)), theirs("ger_panzer4", (20, 18), heading=90), do=("unit a1", "fire", "at g1")
    )
    assert found.to_them == Fraction(1, 2)
    assert tallied(found, "Penetration") == [6]
    full = Fraction(1, 2) * Fraction(2, 6) * Fraction(1, 2)
    massive = Fraction(1, 2) * Fraction(1, 6)
    # Of two results the first may knock it out; or it is immobilised, and the second does (twice immobilised, too).
    assert chance(found, "knocked out", but="goes Down") == full + massive * Fraction(1, 2)
    assert chance(found, "immobilised", "knocked out") == massive * Fraction(1, 6) * Fraction(4, 6)


@pytest.mark.rule("bolt_action", "22.3", "22.5", "22.6", "14.4")
def test_riflemen_assault_a_tank() -> None:
    """A test on 6; then hits on 4, and a die with the hits that reaches 9 unless it is a 1."""
    found = odds(ours("us_squad", (20, 30)), theirs("ger_panzer4", (20, 24)), do=("unit a1", "run", "assault g1"))
    assert chance(found, "obeys") == UP_TO[6]
    assert chance(found, "does not obey") == 1 - UP_TO[6] - Fraction(1, 36)
    reached = sum(
        Fraction(comb(12, hits), 2**12) * Fraction(sum(die > 1 and die + hits >= 9 for die in range(1, 7)), 6)
        for hits in range(13)
    )
    assert chance(found, "Panzer IV") == UP_TO[6] * reached
    assert chance(found, "knocked out") == 0, "superficial only"
    assert chance(found, "immobilised") == UP_TO[6] * reached / 6


@pytest.mark.rule("bolt_action", "24.5", "14.1")
def test_a_machine_gun_at_a_truck_full_of_men() -> None:
    riders = theirs("ger_infantry", None, id="g2", aboard="g1")
    found = odds(ours("us_hmg", (20, 40)), theirs("ger_truck", (20, 20)), riders, do=("unit a1", "fire", "at g1"))
    lost = some_of(3, Fraction(2, 3) * Fraction(1, 3))
    assert chance(found, "is destroyed") == lost
    assert chance(found, "thrown out", "with 2 hits", "loses 1 man") == lost * Fraction(1, 6) * Fraction(1, 2)


@pytest.mark.rule("bolt_action", "27.1", "5.3")
def test_a_sniper_picks_the_officer_behind_a_wall() -> None:
    """He needs 3 whatever the cover and the range, and the check is taken without the officer's bonus."""
    found = odds(
        ours("us_sniper", (20, 46)), theirs("ger_1lt", (20, 19)), terrain=[WALL], do=("unit a1", "fire", "at g1")
    )
    assert found.to_them == Fraction(2, 3)
    assert chance(found, "loses 1 man", "breaks") == Fraction(1, 3) * (1 - UP_TO[8])


@pytest.mark.rule("bolt_action", "20.2", "18.4", "18.5", "17.10")
def test_a_bomb_on_an_open_top() -> None:
    """The fifth bomb hits on 2; 1 and the top make 2 against 7; one is added to what comes of it."""
    mortar = ours("us_mortar_light", (20, 40), ranged="g1", shots=4, ranged_turn=1)
    found = odds(mortar, theirs("ger_marder3", (20, 20)), turn=2, do=("unit a1", "fire", "at g1"))
    hit = Fraction(5, 6)
    assert chance(found, "knocked out") == hit * (Fraction(1, 6) * Fraction(1, 6) + Fraction(1, 6) * Fraction(4, 6))
    assert chance(found, "stunned") == hit * Fraction(1, 6) * Fraction(3, 6)


@pytest.mark.rule("bolt_action", "6.5", "18.4")
def test_shells_and_bullets_at_a_half_track() -> None:
    """Bullets pin an open top and harm it no more; the shell is one hit with 1 against 7."""
    found = odds(ours("us_m4", (20, 40)), theirs("ger_sdkfz251", (20, 20)), do=("unit a1", "fire", "at g1 he"))
    assert found.to_them == 1 - Fraction(1, 3) ** 5
    assert chance(found, "stunned") == Fraction(2, 3) * Fraction(1, 6) * Fraction(4, 6)


@pytest.mark.rule("bolt_action", "19.4", "14.2")
def test_a_sherman_at_the_front_of_a_tiger_far_away() -> None:
    found = odds(ours("us_m4", (20, 44)), theirs("ger_tiger", (20, 6)), do=("unit a1", "fire", "at g1 ap"))
    assert found.to_them == Fraction(1, 2) and tallied(found, "Penetration") == [4]
    assert chance(found, "stunned") == Fraction(1, 2) * Fraction(1, 6) * Fraction(4, 6)


@pytest.mark.rule("bolt_action", "3.4", "4.4", "13.12")
def test_pinned_conscripts_who_may_panic_in_more_than_one_direction() -> None:
    """The odds answer what a panic would ask: where to is nobody's business yet."""
    session = play(
        ours("sov_rifles", (20, 40), pins=2),
        theirs("ger_infantry", (20, 19)),
        terrain=[WALL],
        sides=["american", "german"],
        drawn="american",
        seed=b"referee",
    )
    answer(session, "unit a1")
    found = session.odds("fire", "at g1")
    assert chance(found, "panics") == Fraction(1, 36) * Fraction(4, 6)
    assert tallied(found, "To hit") == [8]
    assert chance(found, "g1") == UP_TO[6] * some_of(12, Fraction(1, 36))


@pytest.mark.rule("bolt_action", "11.5", "13.9")
def test_five_of_ten_behind_a_hedge_are_not_in_cover_and_the_report_says_why() -> None:
    hedge = piece("hedge", (10, 20), (20.2, 20))
    men = [(14 + 1.2 * n, 19) for n in range(5)] + [(20 + 1.2 * n, 22) for n in range(5)]
    found = odds(
        ours("us_mmg", (20, 40)),
        theirs("ger_infantry", None, models=men),
        terrain=[hedge],
        do=("unit a1", "fire", "at g1"),
    )
    assert found.to_them == 1 - Fraction(1, 3) ** 4
    sides = ["american", "german"]
    smoke = play(ours("us_squad", (20, 32)), theirs("ger_infantry", (20, 19)), smoke=[[20, 25, 3]], sides=sides)
    told = sight_report.report(the_battle(smoke), "a1", "g1")
    assert "in hard cover" in told.text and "wholly hidden" in told.say() and "[11.5]" in told.say()


@pytest.mark.rule("bolt_action", "11.1", "11.8")
def test_a_hill_that_is_looked_over_is_told_by_its_own_rule() -> None:
    session = play(
        ours("us_squad", (20, 30)), theirs("ger_infantry", (20, 10)), terrain=[box("hill", 10, 4, 30, 18)], seed=b"hill"
    )
    told = sight_report.report(the_battle(session), "a1", "g1").say()
    assert "Hill" in told and "passes above it [11.1]" in told


@pytest.mark.rule("bolt_action", "27.1", "12.3")
def test_a_sniper_too_near_to_his_mark_has_nothing_to_shoot_at() -> None:
    for kind, y, hint in (("us_sniper", 30, True), ("us_sniper", 34, False), ("us_mortar_medium", 35, True)):
        session = play(ours(kind, (20, y)), theirs("ger_infantry", (20, 20)), drawn="american", seed=b"near")
        answer(session, "unit a1")
        (fire,) = options(session, "fire")
        assert ("no enemy in range" in fire.label) is hint, (kind, y)
