"""Odds keep their promise: reactions that are given are played, and each side's harm is told apart."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from grognard.core.errors import IllegalError
from grognard.core.session import Session
from tests.games.bolt_action.play import answer, box, play, unit

rule = pytest.mark.rule

#: Units far away, so that nobody has lost when the fight is over, and the cup is not empty.
FAR = (
    unit("us_jeep", "z1", at=(3, 4), side="american"),
    unit("ger_infantry", "z2", at=(65, 4), side="german", heading=180),
)


def duel(**head: Any) -> Session:
    """A German squad that may shoot at an American one in the open, which has a die left to go Down with."""
    return play(
        unit("ger_infantry", "g1", at=(30, 30), side="german"),
        unit("us_squad10", "a1", at=(30, 15), side="american", heading=180),
        *FAR,
        sides=["american", "german"],
        drawn="german",
        turn=2,
        seed=b"odds",
        **head,
    )


@rule("bolt_action", "16.1", "13.7")
def test_going_down_in_a_chain_is_what_the_odds_are_of() -> None:
    session = duel()
    stands, down = session.odds("unit g1", "fire", "at a1"), session.odds("unit g1", "fire", "at a1", "down")
    assert stands.exact and down.exact
    assert [(each.side, each.key) for each in stands.assumed][:1] == [("american", "pass")]
    assert "go Down?” with “Take the fire as it stands”" in stands.assumed[0].text
    assert not any(each.key in ("pass", "down") for each in down.assumed)
    assert "a1 goes Down" in down.say(down.anyway)
    # Three shots need 4 in place of 3, seven need 5 in place of 4: the odds of no hit at all.
    assert stands.to_them == 1 - Fraction(1, 3) ** 3 * Fraction(1, 2) ** 7
    assert down.to_them == 1 - Fraction(1, 2) ** 3 * Fraction(2, 3) ** 7
    # Asked at the reaction itself they are the same, told from the other end.
    answer(session, "unit g1", "fire", "at a1")
    here = session.odds("down")
    assert (here.to_us, here.to_them) == (down.to_them, 0)
    assert session.odds("pass").to_us == stands.to_them


@rule("bolt_action", "16.9", "16.10")
def test_who_escapes_behind_a_house_is_not_hit() -> None:
    session = play(
        unit("us_57mm", "a1", at=(36, 44), side="american"),
        unit("ger_puma", "g1", at=(36, 17), side="german", heading=180),
        *FAR,
        terrain=[box("building", 38, 20, 44, 26, id="A")],
        sides=["american", "german"],
        drawn="american",
        turn=2,
        seed=b"odds",
    )
    stays = session.odds("unit a1", "fire", "at g1 ap")
    assert stays.to_them == Fraction(2, 3) and stays.assumed[0].key == "pass"
    hidden = session.odds("unit a1", "fire", "at g1 ap", "escape", "pose 41.99 17 90 drive")
    assert hidden.to_them == 0 and "escapes" in hidden.outcomes[0].text and hidden.exact
    somewhere = session.odds("unit a1", "fire", "at g1 ap", "escape")
    assert "escape where?" in somewhere.assumed[0].prompt, "where to is assumed, and that is said"
    with pytest.raises(IllegalError, match=r"'down' is not an answer to .* escape"):
        session.odds("unit a1", "fire", "at g1 ap", "down")


def assaulters(die: str = "fire") -> Session:
    session = play(
        unit("us_rangers", "a1", at=(36, 24), side="american"),
        unit("ger_mmg", "g1", at=(36, 14), side="german", heading=180, die=die),
        *FAR,
        sides=["american", "german"],
        drawn="american",
        turn=2,
        seed=b"odds",
    )
    answer(session, "unit a1", "run")
    return session


@rule("bolt_action", "21.3", "21.4")
def test_the_fire_that_meets_an_assault_is_in_its_odds() -> None:
    session = assaulters()
    met, held = session.odds("assault g1"), session.odds("assault g1", "hold")
    shooting = next(each for each in met.assumed if "shoot at it?" in each.prompt)
    assert shooting.side == "german" and shooting.key == "at a1"
    assert any(behind.side == "german" and behind.roll.startswith("to hit") for behind in met.tallies)
    assert not any(behind.side == "german" and behind.roll.startswith("to hit") for behind in held.tallies)
    assert met.to_us > held.to_us, "some of them fall before they are there"
    assert not any("shoot at it?" in each.prompt for each in held.assumed)
    # Who is Down does not shoot, and nothing is assumed of him.
    assert not any("shoot at it?" in each.prompt for each in assaulters("down").odds("assault g1").assumed)


def test_one_headline_never_adds_up_mine_and_theirs() -> None:
    """Three men against ten: nearly all that comes of it comes to the three."""
    session = play(
        unit("us_squad10", "a1", at=(36, 17), side="american", men=3),
        unit("ger_infantry", "g1", at=(36, 14), side="german", heading=180, die="down"),
        *FAR,
        sides=["american", "german"],
        drawn="american",
        turn=2,
        seed=b"odds",
    )
    answer(session, "unit a1", "run")
    odds = session.odds("assault g1")
    lost = odds.chance(lambda change: change.fatal and change.side == "american")
    assert lost > Fraction(1, 2) > odds.chance(lambda change: change.fatal and change.side == "german")
    view = session.odds_view("assault g1")
    assert view.to_us.probability == float(odds.to_us) >= float(lost) and view.side == "american"
    mine = {change.text for part in view.parts for change in part.changes if change.side == "american"}
    theirs = {change.text for part in view.parts for change in part.changes if change.side == "german"}
    assert mine and theirs and not mine & theirs


@rule("bolt_action", "16.4")
def test_an_ambush_in_a_chain_is_sprung() -> None:
    session = play(
        unit("us_squad10", "a1", at=(36, 40), side="american"),
        unit("ger_mmg", "g1", at=(36, 14), side="german", heading=180, die="ambush"),
        *FAR,
        sides=["american", "german"],
        drawn="american",
        turn=2,
        seed=b"odds",
    )
    waits, sprung = session.odds("unit a1", "rally"), session.odds("unit a1", "rally", "spring g1")
    assert (waits.to_us, waits.to_them) == (0, 0) and waits.assumed[0].label == "Wait"
    assert sprung.to_us > 0 and sprung.to_them == 0 and not any(each.label == "Wait" for each in sprung.assumed)
    with pytest.raises(IllegalError, match=r"'spring z2' is not an answer to .*spring an ambush"):
        session.odds("unit a1", "rally", "spring z2")


@rule("bolt_action", "3.5", "16.1")
def test_an_answer_that_hangs_on_a_test_counts_where_it_is_asked_for() -> None:
    session = play(
        unit("ger_infantry", "g1", at=(30, 30), side="german", pins=2),
        unit("us_squad10", "a1", at=(30, 15), side="american", heading=180),
        *FAR,
        sides=["american", "german"],
        drawn="german",
        turn=2,
        seed=b"odds",
    )
    odds = session.odds("unit g1", "fire", "at a1", "down")
    obeys = odds.chance(lambda change: change.what == "obeys")
    assert odds.reached == obeys < 1, "who does not obey shoots at nobody"


@rule("bolt_action", "20.1")
def test_the_same_changes_in_another_order_are_one_outcome() -> None:
    """A car that is stunned and then immobilised is no worse off than one that is immobilised and then stunned."""
    session = play(
        unit("us_57mm", "a1", at=(36, 44), side="american"),
        unit("ger_puma", "g1", at=(36, 17), side="german", heading=180),
        *FAR,
        sides=["american", "german"],
        drawn="american",
        turn=2,
    )
    odds = session.odds("unit a1", "fire", "at g1 ap")
    assert odds.exact and len(odds.outcomes) > 12
    assert len({frozenset(outcome.changes) for outcome in odds.outcomes}) == len(odds.outcomes)
    assert sum((outcome.probability for outcome in odds.outcomes), Fraction(0)) == 1


def test_what_happens_to_a_unit_is_told_together() -> None:
    session = play(
        unit("us_squad", "a1", at=(30, 18), side="american", men=4),
        unit("ger_infantry", "g1", at=(30, 12), side="german", heading=180, men=3),
        *FAR,
        sides=["american", "german"],
        drawn="american",
        turn=2,
    )
    odds = session.odds("unit a1", "run", "assault g1", seconds=0.2)
    for outcome in odds.outcomes:
        units = [change.unit for change in outcome.changes]
        assert sorted(units, key=units.index) == units, outcome.text
