"""Odds of shooting and fighting: quick, exact, and the same as what is played."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest

from grognard.core.dice import meanings, pool
from grognard.core.events import Change, Rolled
from grognard.core.odds import changes
from grognard.games.bolt_action import combined_throws, to_hit
from grognard.games.bolt_action.combined_throws import Shots
from grognard.games.bolt_action.to_hit import damage_faces, hit_faces
from tests.games.bolt_action.fire_play import enemy, us
from tests.games.bolt_action.play import box, play, unit

rule = pytest.mark.rule

SIDES: dict[str, Any] = {"sides": ["american", "german"], "drawn": "american", "turn": 2}
#: Units far away, so that nobody has lost when the fight is over.
OTHERS = (unit("us_jeep", "z1", at=(4, 44), side="american"), unit("ger_truck", "z2", at=(68, 4), side="german"))


def spread(shots: tuple[Shots, ...], damage: tuple[int, ...]) -> dict[tuple[bool, int, int], Fraction]:
    number, sides, _ = pool(combined_throws.throw(shots))
    found = meanings(number, sides, combined_throws.reader(shots, damage))
    assert sum(ways for _, ways in found) == sides**number
    return {
        (bool(struck.hit), struck.plain, struck.exceptional): Fraction(ways, sides**number) for struck, ways in found
    }


@rule("bolt_action", "13.12", "14.3", "15.3")
def test_hits_and_damage_together_are_what_they_are_one_after_the_other() -> None:
    found = spread((Shots(2, "", hit_faces(4)), Shots(1, "", hit_faces(8))), damage_faces(5, True))
    expected: dict[tuple[bool, int, int], Fraction] = {}
    chances = [Fraction(1, 2), Fraction(1, 2), Fraction(1, 36)]
    # what a hit does: nothing, damage (a 5, or a 6 without another), exceptional damage
    kinds = (Fraction(4, 6), Fraction(1, 6) + Fraction(5, 36), Fraction(1, 36))
    for results in itertools.product(range(4), repeat=3):
        chance = Fraction(1)
        for result, hit in zip(results, chances):
            chance *= 1 - hit if result == 0 else hit * kinds[result - 1]
        key = (any(results), results.count(2), results.count(3))
        expected[key] = expected.get(key, Fraction(0)) + chance
    assert found == {key: chance for key, chance in expected.items() if chance}


@rule("bolt_action", "17.14", "18.2")
def test_shots_that_dice_tell_are_spread_too() -> None:
    found = spread((Shots(0, "D2", combined_throws.ALWAYS),), damage_faces(4, False))
    assert found == {
        (True, 0, 0): Fraction(1, 4) + Fraction(1, 8),
        (True, 1, 0): Fraction(1, 4) + Fraction(1, 4),
        (True, 2, 0): Fraction(1, 8),
    }
    read = combined_throws.reader((Shots(0, "2D6", hit_faces(3)),), damage_faces(4, False))
    assert read((1, 1, 36, 36, 1, 36, *(1,) * 20)) == (True, 1, 0), "two shots, of which one hits and does damage"


CASES: dict[str, tuple[list[Any], str]] = {
    "squad": ([us("us_squad10", (36, 30), die=""), enemy("ger_infantry", (36, 14))], "fire at g1"),
    "submachine guns": ([us("sov_smg_squad", (36, 24), die=""), enemy("ger_infantry", (36, 14))], "fire at g1"),
    "flamethrower squad": ([us("sov_engineers", (36, 19), die=""), enemy("ger_infantry", (36, 14))], "fire at g1"),
    "machine gun at a gun": ([us("us_mmg", (36, 30), die=""), enemy("ger_pak40", (36, 14))], "fire at g1"),
    "tank at a tank": ([us("us_m4_76", (36, 30), die=""), enemy("ger_panzer4", (36, 14))], "fire at g1 ap"),
    "howitzer": ([us("us_105", (36, 40), die=""), enemy("ger_infantry", (36, 14))], "fire at g1"),
    "flame tank": ([us("gb_crocodile", (36, 28), die=""), enemy("ger_infantry", (36, 14))], "fire at g1 he"),
    "assault on a tank": ([us("us_rangers", (36, 18), die=""), enemy("ger_panzer4", (36, 14))], "run assault g1"),
}


@rule("bolt_action", "12.1", "22.5")
@pytest.mark.parametrize("case", CASES)
def test_odds_are_exact_on_few_paths(case: str) -> None:
    units, keys = CASES[case]
    session = play(*units, *OTHERS, seed=b"odds", **SIDES)
    order, _, answer = keys.partition(" ")
    odds = session.odds("unit a1", order, answer)
    assert odds.exact and odds.paths < 1200
    assert sum(outcome.probability for outcome in odds.outcomes) == 1
    assert odds.tallies


@rule("bolt_action", "13.1", "14.3", "15.5")
def test_odds_agree_with_what_is_played() -> None:
    """Two men shoot at a team of two in the open: every outcome as often as the odds say, within four sigmas."""
    units = [us("us_squad10", (36, 30), men=2, die=""), enemy("ger_mmg", (36, 16), men=2), *OTHERS]
    odds = play(*units, seed=b"odds", **SIDES).odds("unit a1", "fire", "at g1")
    number = 400
    found: dict[tuple[Change, ...], int] = {}
    for n in range(number):
        session = play(*units, seed=b"played %d" % n, **SIDES)
        for key in ("unit a1", "fire", "at g1"):
            session.answer(key)
        while session.ask is not None and any(option.key == "usual" for option in session.ask.options):
            session.answer("usual")
        drawn = (e for e in session.log if isinstance(e, Rolled) and e.what == "order die")
        first = next((session.log.index(event) for event in drawn), None)
        told = changes(session.game, session.battle, session.log[:first])[1]
        found[told] = found.get(told, 0) + 1
    for outcome in odds.outcomes:
        chance = float(outcome.probability)
        allowed = 4 * (chance * (1 - chance) / number) ** 0.5 + 1.5 / number
        assert abs(found.pop(outcome.changes, 0) / number - chance) <= allowed, outcome
    assert not found


SMALL: dict[str, tuple[list[Any], str]] = {
    "squad": ([us("us_squad10", (36, 30), men=4, die=""), enemy("ger_infantry", (36, 14), men=6)], "at g1"),
    "six after six": (
        [us("us_squad10", (36, 30), men=4, die="", quality="inexperienced"), enemy("ger_2lt", (36, 14), die="down")],
        "at g1",
    ),
    "officer": ([us("us_squad10", (36, 24), men=3, die=""), enemy("ger_1lt", (36, 14))], "at g1"),
    "team": ([us("us_mmg", (36, 30), die=""), enemy("ger_mmg", (36, 14))], "at g1"),
    "gun": ([us("us_hmg", (36, 30), die=""), enemy("ger_pak40", (36, 14))], "at g1"),
    "sniper": ([us("us_sniper", (36, 40), die=""), enemy("ger_mmg", (36, 14))], "at g1"),
    "medic": (
        [us("us_mmg", (36, 30), die=""), enemy("ger_infantry", (36, 14), men=5), enemy("ger_medic", (36, 12), id="g2")],
        "at g1",
    ),
    "green men": ([us("us_mmg", (36, 30), die=""), enemy("ger_volkssturm", (36, 14), men=5)], "at g1"),
    "soft-skin": ([us("us_mmg", (36, 30), die=""), enemy("ger_truck", (36, 14))], "at g1"),
    "flamethrower": ([us("ger_flamethrower", (36, 19), die=""), enemy("us_squad10", (36, 14), men=4)], "at g1"),
    "shell": ([us("us_57mm", (36, 30), die=""), enemy("ger_infantry", (36, 14), men=4)], "at g1 he"),
    "howitzer at a team": ([us("ger_ig18", (36, 30), die=""), enemy("us_mmg", (36, 14))], "at g1"),
    "panzerfausts": ([us("ger_hitlerjugend", (36, 22), men=8, die=""), enemy("us_1lt", (36, 14))], "at g1 panzerfaust"),
}


@rule("bolt_action", "13.12", "15.3", "15.4", "17.14", "18.2", "26.1", "27.1")
@pytest.mark.parametrize("case", SMALL)
def test_throws_made_together_change_no_odds(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    units, key = SMALL[case]
    session = play(*units, *OTHERS, seed=b"odds", **SIDES)
    together = session.odds("unit a1", "fire", key)
    monkeypatch.setattr(to_hit, "COMBINING", False)
    apart = session.odds("unit a1", "fire", key)
    assert together.exact and apart.exact and apart.paths >= together.paths
    assert {o.results: o.probability for o in together.outcomes} == {o.results: o.probability for o in apart.outcomes}


@rule("bolt_action", "25.6")
def test_the_odds_of_a_falling_house_are_told() -> None:
    session = play(
        us("sov_is2", (36, 30), die=""),
        enemy("ger_infantry", (36, 7), building="farm"),
        unit("us_jeep", "z1", at=(4, 44), side="american", die="fire"),
        unit("ger_truck", "z2", at=(68, 4), side="german"),
        terrain=[box("building", 33, 4, 39, 10, id="farm")],
        seed=b"odds",
        **SIDES,
    )
    odds = session.odds("unit a1", "fire", "at g1 he")
    falls = [
        outcome
        for outcome in odds.outcomes
        if any("farm" in text.lower() or "building" in text.lower() for text in outcome.results)
    ]
    # To hit 5 in hard cover, then 10 or more with two dice.
    assert float(sum(outcome.probability for outcome in falls)) == pytest.approx(2 / 6 * 6 / 36)
