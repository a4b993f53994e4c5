"""The charts and the roster as typed figures, and the models that units take the field with."""

from __future__ import annotations

import pytest

from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.games.bolt_action.charts import BoltCharts, charts, throw_of
from grognard.games.bolt_action.roster import UnitType, line_up, muster, roster
from grognard.games.bolt_action.state import CREW, GUN, GUNNER, HULL, LOADER, MAN, SPOTTER


@pytest.fixture
def now() -> BoltCharts:
    return charts()


def inches(hundredths: int) -> float:
    return hundredths / 100


# ---- charts --------------------------------------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "5.1", "14.1")
@pytest.mark.parametrize(
    ("quality", "morale", "value"), [("inexperienced", 8, 3), ("regular", 9, 4), ("veteran", 10, 5)]
)
def test_better_troops_obey_more_and_die_less(now: BoltCharts, quality: str, morale: int, value: int) -> None:
    assert (now.quality[quality].morale, now.quality[quality].damage_value) == (morale, value)


@pytest.mark.rule("bolt_action", "5.2")
def test_paratroops_and_commandos_are_veterans_and_volkssturm_is_not() -> None:
    kinds = roster()
    assert {kinds[id].quality for id in ("us_paras", "gb_commandos", "gb_paras", "us_rangers")} == {"veteran"}
    assert kinds["ger_volkssturm"].quality == kinds["sov_rifles"].quality == "inexperienced"
    assert kinds["us_squad"].quality == "regular"


@pytest.mark.rule("bolt_action", "5.3", "5.4")
def test_officers_steady_their_men_the_farther_the_higher_their_rank(now: BoltCharts) -> None:
    ranks = ("second_lieutenant", "first_lieutenant", "captain", "major")
    assert [now.officers[rank].bonus for rank in ranks] == [1, 2, 3, 4]
    assert [inches(now.officers[rank].range) for rank in ranks] == [6, 6, 12, 12]


@pytest.mark.rule("bolt_action", "8.1", "8.2", "10.7")
def test_everybody_runs_twice_as_far_as_he_advances(now: BoltCharts) -> None:
    rates = {kind: (inches(rate.advance), inches(rate.run)) for kind, rate in now.rates.items()}
    assert rates["infantry"] == (6, 12)
    assert rates["tracked"] == rates["half_tracked"] == (9, 18)
    assert rates["wheeled"] == (12, 24)
    assert rates["slow_vehicle"] == (6, 12)


@pytest.mark.rule("bolt_action", "23.3")
@pytest.mark.parametrize(
    ("kind", "run"),
    [
        ("ger_mmg", 12),
        ("us_hmg", 12),
        ("sov_mortar_medium", 12),
        ("sov_mortar_heavy", 6),
        ("ger_pak36", 6),
        ("gb_6pdr", 6),
        ("ger_pak40", 0),
        ("ger_flak88", 0),
    ],
)
def test_heavy_things_are_carried_slowly_or_not_at_all(now: BoltCharts, kind: str, run: int) -> None:
    rate = now.rates[roster()[kind].moves_as]
    assert (rate.advance, inches(rate.run)) == (0, run)


@pytest.mark.rule("bolt_action", "23.3")
def test_a_light_mortar_moves_as_infantry() -> None:
    assert roster()["gb_mortar_light"].moves_as == "infantry"


@pytest.mark.rule("bolt_action", "10.1")
def test_wheels_turn_more_often_than_tracks(now: BoltCharts) -> None:
    assert {kind: (p.advance, p.run) for kind, p in now.pivots.items()} == {
        "tracked": (1, 0),
        "half_tracked": (2, 1),
        "wheeled": (2, 1),
    }
    assert {p.degrees for p in now.pivots.values()} == {90}


@pytest.mark.rule("bolt_action", "13.1")
def test_the_modifiers_to_hit_are_those_of_the_chart(now: BoltCharts) -> None:
    assert now.number("to_hit_figures", "base") == 3
    assert {id: line.amount for id, line in now.to_hit.items()} == {
        "point_blank": 1,
        "per_pin_on_firer": -1,
        "long_range": -1,
        "inexperienced": -1,
        "fire_on_the_move": -1,
        "target_down": -1,
        "small_unit": -1,
        "soft_cover": -1,
        "hard_cover": -2,
        "single_crew": -1,
    }


@pytest.mark.rule("bolt_action", "14.1", "14.2")
def test_armour_is_harder_to_damage_class_by_class(now: BoltCharts) -> None:
    classes = ("soft_skin", "armoured_car", "light_tank", "medium_tank", "heavy_tank", "super_heavy_tank")
    assert [now.damage_classes[each].value for each in classes] == [6, 7, 8, 9, 10, 11]
    assert [now.damage_classes[each].armoured for each in classes] == [False, True, True, True, True, True]


@pytest.mark.rule("bolt_action", "17.1", "17.2")
def test_small_arms_have_no_penetration_and_everything_else_is_heavy(now: BoltCharts) -> None:
    small = {id for id, weapon in now.weapons.items() if weapon.small}
    assert small == {"rifle", "pistol", "smg", "automatic_rifle", "assault_rifle", "lmg", "mmg"}
    assert (inches(now.weapons["rifle"].max), now.weapons["rifle"].shots) == (24, "1")
    assert (inches(now.weapons["mmg"].max), now.weapons["mmg"].shots) == (36, "4")
    assert now.weapons["panzerfaust"].pen == 6 and now.weapons["panzerfaust"].one_shot


@pytest.mark.rule("bolt_action", "17.12")
def test_a_howitzer_is_blind_nearby_only_when_it_fires_over_things(now: BoltCharts) -> None:
    howitzer = now.weapons["light_howitzer"]
    assert (howitzer.min, inches(howitzer.min_indirect), inches(howitzer.max)) == (0, 24, 48)


@pytest.mark.rule("bolt_action", "18.1")
def test_the_bigger_the_shell_the_more_pins_and_penetration(now: BoltCharts) -> None:
    assert {dice: (shell.pins, shell.pen) for dice, shell in now.he.items()} == {
        "D2": ("1", 1),
        "D3": ("1", 1),
        "D6": ("D2", 2),
        "2D6": ("D3", 3),
        "3D6": ("D6", 4),
    }


@pytest.mark.rule("bolt_action", "19.6")
@pytest.mark.parametrize(
    ("margin", "grade"), [(-1, ""), (0, "superficial"), (1, "full"), (2, "full"), (3, "massive"), (9, "massive")]
)
def test_the_margin_tells_the_grade_of_damage(now: BoltCharts, margin: int, grade: str) -> None:
    found = now.grade(margin)
    assert (found.id if found else "") == grade


@pytest.mark.rule("bolt_action", "20.1", "20.3", "20.4", "20.5", "20.6")
@pytest.mark.parametrize(
    ("roll", "result"),
    [
        (-2, "crew_stunned"),
        (1, "crew_stunned"),
        (2, "immobilised"),
        (3, "on_fire"),
        (4, "knocked_out"),
        (6, "knocked_out"),
    ],
)
def test_the_damage_results(now: BoltCharts, roll: int, result: str) -> None:
    assert now.damage_results.row(roll).id == result


@pytest.mark.rule("bolt_action", "20.1")
def test_superficial_damage_never_knocks_out_by_itself(now: BoltCharts) -> None:
    superficial = now.grades[0]
    assert [now.damage_results.row(die + superficial.add).id for die in (1, 4, 6)] == [
        "crew_stunned",
        "crew_stunned",
        "on_fire",
    ]
    # … but on an open-topped vehicle hit from above it does
    above = now.number("damage_result_figures", "open_topped_indirect")
    assert now.damage_results.row(6 + superficial.add + above).id == "knocked_out"


@pytest.mark.rule("bolt_action", "9.1", "9.2", "9.3", "9.4", "9.5", "9.8")
def test_what_ground_stops_whom(now: BoltCharts) -> None:
    table = {
        ground: [row[column] for column in ("infantry", "artillery", "wheeled", "tracked")]
        for ground, row in now.ground.items()
    }
    assert table["open"] == ["ok", "ok", "ok", "ok"]
    assert table["rough"] == ["no_run", "no_deploy", "no", "no_run"]
    assert table["obstacle"] == ["no_run", "no", "no", "ok_unless_at"]
    assert table["building"] == ["ok", "no_deploy", "no", "demolish"]
    assert table["road"] == ["ok", "ok", "x2", "x2"]
    assert roster()["ger_sdkfz251"].column == "tracked"


@pytest.mark.rule("bolt_action", "17.8")
def test_indirect_fire_ranges_in_shot_by_shot(now: BoltCharts) -> None:
    assert now["indirect_fire"]["needed"] == [6, 5, 4, 3, 2]
    assert now["indirect_fire"]["after_a_hit"] == 2


def test_small_dice_are_thrown_as_what_they_are_called() -> None:
    assert (throw_of("D2"), throw_of("D3"), throw_of("D6"), throw_of("2D6")) == ("1d2", "1d3", "1d6", "2d6")


def test_a_user_may_lay_his_own_charts_over_ours() -> None:
    theirs = Document.from_toml("[quality.veteran]\nmorale = 11\n", "mine.toml")
    found = BoltCharts.read(theirs)
    assert found.quality["veteran"].morale == 11
    assert found.quality["regular"].morale == 9
    assert found.user_tables == ["quality"]


def test_charts_of_another_shape_are_refused_with_their_line() -> None:
    theirs = Document.from_toml(
        '[quality.veteran]\nmorale = "high"\n[terrain_types.hedge]\ncover = "thick"\n', "mine.toml"
    )
    with pytest.raises(MalformedError) as error:
        BoltCharts.read(theirs)
    assert "mine.toml:2: quality.veteran.morale" in str(error.value)


# ---- units ---------------------------------------------------------------------------------------------------


def kind(id: str) -> UnitType:
    return roster()[id]


@pytest.mark.rule("bolt_action", "7.1")
def test_the_roster_has_units_of_four_nations_that_fit_together() -> None:
    kinds = roster()
    assert {unit.nation for unit in kinds.values()} == {"german", "american", "soviet", "british"}
    for nation in ("german", "american", "soviet", "british"):
        roles = {unit.role for unit in kinds.values() if unit.nation == nation}
        assert roles >= {"lieutenant", "squad", "senior", "medic", "observer", "machine_gun", "mortar", "sniper"}
        assert roles >= {"anti_tank", "gun", "armoured_car", "tank", "transport"}


@pytest.mark.rule("bolt_action", "7.5")
def test_gunner_and_loader_are_men_of_the_squad() -> None:
    men = muster(kind("ger_grenadiers"))
    assert len(men) == 10
    assert [man.role for man in men].count(GUNNER) == [man.role for man in men].count(LOADER) == 1
    titles = [kind("ger_grenadiers").weapons[arm].weapon for man in men for arm in man.arms]
    assert (titles.count("rifle"), titles.count("smg"), titles.count("lmg"), titles.count("panzerfaust")) == (
        8,
        1,
        1,
        2,
    )
    bearers = [man for man in men if len(man.arms) > 1]
    assert all(man.role == MAN for man in bearers)


@pytest.mark.rule("bolt_action", "23.1")
def test_a_gun_comes_with_its_crew() -> None:
    models = muster(kind("ger_pak40"))
    assert [model.role for model in models] == [GUN, CREW, CREW, CREW]
    assert models[0].arms == (0,) and not any(model.arms for model in models[1:])


@pytest.mark.rule("bolt_action", "23.4")
def test_a_mortar_team_may_have_a_spotter() -> None:
    assert [model.role for model in muster(kind("us_mortar_medium"))] == [GUNNER, LOADER, LOADER, SPOTTER]


def test_a_vehicle_is_one_model_with_all_its_weapons() -> None:
    models = muster(kind("sov_t34"))
    assert [(model.id, model.role, model.arms) for model in models] == [("hull", HULL, (0, 1, 2))]


def test_a_sniper_has_an_assistant() -> None:
    sniper, assistant = muster(kind("gb_sniper"))
    assert (sniper.role, assistant.role) == (GUNNER, LOADER)


@pytest.mark.rule("bolt_action", "6.5")
def test_a_half_track_is_armoured_but_not_enclosed() -> None:
    half_track, truck, tank = kind("us_m3_halftrack"), kind("us_truck"), kind("us_m4")
    assert half_track.armoured and not half_track.enclosed
    assert truck.soft_skin and not truck.armoured
    assert tank.enclosed and tank.tank and not tank.transport


@pytest.mark.parametrize(
    ("heading", "front"), [(0, (2000, 1900)), (90, (2100, 2000)), (180, (2000, 2100)), (270, (1900, 2000))]
)
def test_a_line_looks_along_its_heading(heading: int, front: tuple[int, int]) -> None:
    unit = kind("us_squad10")
    men = muster(unit)
    line_up(unit, men, 2000, 2000, heading, ranks=2)
    ranks = [(men[0], men[4]), (men[5], men[9])]
    middles = [((a.x + b.x) / 2, (a.y + b.y) / 2) for a, b in ranks]
    assert middles[0] == pytest.approx((2000, 2000), abs=1)
    ahead = (front[0] - 2000, front[1] - 2000)
    behind = (middles[1][0] - 2000, middles[1][1] - 2000)
    assert ahead[0] * behind[0] + ahead[1] * behind[1] < 0
    assert {man.heading for man in men} == {heading}
