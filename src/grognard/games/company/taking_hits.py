"""Taking hits (8.1, 8.4, 9.4): Saves for all that a shooting dealt, armour, and those that fall taken off."""

from __future__ import annotations

from grognard.core.ask import Procedure
from grognard.games.company import armour, casualties, saves
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.dealing import Dealt, Lot
from grognard.games.company.saves import Saved, save_number
from grognard.games.company.state import Platoon, Team


def take(
    battle: CompanyBattle, unit: Platoon, target: Platoon, dealt: Dealt, again: bool
) -> Procedure[tuple[int, int]]:
    """Throw for all that were dealt hits, and take off who falls: Teams lost, results on armour (8.1, 9.4, 13.23).

    ``again`` is for a number of 1 or less (6.17); a Team that ran throws again as well (3.8).
    """
    saved: list[Saved] = []
    for team in target.models:
        lot = dealt.lots.get(team.id)
        if lot is not None and not battle.team_type(team).armored:
            saved.append(_of(battle, team, lot, dealt.covers[team.id], again))
    fallen = saves.throw(battle, target, saved, ("8.1", "8.2")) if saved else []
    lost = results = 0
    for team in list(target.models):
        lot = dealt.lots.get(team.id)
        if lot is not None and battle.team_type(team).armored:
            came = yield from armour.strike(
                battle, unit.side, target, team.id, dict(lot.at), again=again or team.ran, rules=("9.4",)
            )
            results += came
            lost += team not in target.models
    for team in fallen:
        yield from casualties.lose(battle, target, team.id, ("8.4",))
    return lost + len(fallen), results


def _of(battle: CompanyBattle, team: Team, lot: Lot, level: int, again: bool) -> Saved:
    """What a Team has to save: its plain dice, and its AT dice, which trucks save like guns (9.2)."""
    heavy = sum(hits for _, hits in lot.at)
    found = [(save_number(battle, team, level), lot.plain), (save_number(battle, team, level, at=True), heavy)]
    needs = tuple(tally.total for tally, dice in found for _ in range(dice))
    return Saved(team, needs, again or team.ran, tuple(tally for tally, dice in found if dice))
