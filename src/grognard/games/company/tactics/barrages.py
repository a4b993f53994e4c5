"""What a barrage is worth at each place where it can be ranged in, friends under it counted against it (15)."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.board.table.templates import Square, touched
from grognard.games.company import cover, indirect, to_hit
from grognard.games.company.indirect import Observer
from grognard.games.company.state import Platoon, Team
from grognard.games.company.tactics.outlook import CompanyOutlook
from grognard.games.company.tactics.shots import chance_of, saved

#: So many places are looked at closely: those with the most enemies about them.
CLOSELY = 6
#: What is left of a barrage that the enemy may shift away from his men (15.7).
SHIFTED = 0.25
#: Nobody farther than this from the middle of a template is under it.
FAR = 700
#: How much more friends under it count than the enemy.
FRIENDS = 1.5


def fallen(outlook: CompanyOutlook, guns: Sequence[Team], square: Square, far: bool) -> tuple[float, int]:
    """What a barrage under a square is worth, and how many enemy Teams are under it (15.8 to 15.11)."""
    battle = outlook.battle
    dice = indirect.dice(battle, guns, far).total
    worth, under = 0.0, 0
    for unit in (*outlook.foes, *outlook.own):
        if not any(abs(team.x - square.x) < FAR and abs(team.y - square.y) < FAR for team in unit.models):
            continue
        hit = [team for team, is_hit in zip(unit.models, touched(battle.bodies(unit), square)) if is_hit]
        if not hit or not dice:
            continue
        lost = hits = 0.0
        for team in hit:
            covered = cover.area_cover(battle, unit, team)
            need = to_hit.needed(
                battle.training(unit),
                concealed=cover.concealed(battle, team, covered),
                down=cover.gone_to_ground(battle, unit, team, covered),
            )
            chance = chance_of(need)
            type = battle.team_type(team)
            hits += dice * chance
            fatal = 0.0 if type.armored else 1 - saved(type, team, covered, at=False)
            lost += (1 - (1 - chance) ** dice) * fatal
        marks = hits / battle.charts.number("suppression", "hits")
        value = outlook.gain(unit, lost, marks, 0.0)
        if unit.side == outlook.enemy:
            worth, under = worth + value, under + len(hit)
        else:
            worth -= FRIENDS * value
    return worth, under


def ranged(outlook: CompanyOutlook, unit: Platoon, observer: Observer, aim: indirect.Aim) -> tuple[float, int]:
    """What ranging in on a Team is worth, by the chance that it hits (15.5 to 15.7, 15.18)."""
    battle = outlook.battle
    far = indirect.beyond(battle, unit, aim.guns, battle.body(aim.foe, aim.team))
    need = indirect.ranging(battle, observer, aim.foe, far)
    hit = chance_of(need)
    worth, under = fallen(outlook, aim.guns, indirect.square_at(battle, unit, aim.guns, aim.team.x, aim.team.y), far)
    extra = outlook.mark_worth(aim.foe) * battle.charts.number("barrage", "ranged_in_markers")
    return hit * (worth + extra) + (1 - hit) * SHIFTED * worth, under


def best(outlook: CompanyOutlook, unit: Platoon) -> tuple[float, str] | None:
    """The best barrage that somebody can observe, and what speaks for it; None if there is none."""
    battle = outlook.battle
    guns = [team for team in unit.models if indirect.bar_gun(battle, team) is None]
    seen: dict[tuple[str, str], tuple[Observer, indirect.Aim]] = {}
    for observer in indirect.observers(battle, unit, guns, ()):
        for aim in indirect.aims(battle, unit, guns, observer):
            seen.setdefault((aim.foe.id, aim.team.id), (observer, aim))
    thickest = sorted(seen.values(), key=lambda each: -about(outlook, each[1].team))[:CLOSELY]
    found = []
    for observer, aim in thickest:
        worth, under = ranged(outlook, unit, observer, aim)
        found.append((worth, f"a barrage on {under} Teams about {battle.name(aim.foe)}"))
    return max(found, default=None)


def about(outlook: CompanyOutlook, team: Team) -> int:
    """How many enemy Teams are about a place, more or less, less one's own."""
    half = outlook.battle.charts.distance("barrage", "side") / 2
    near = [
        sum(abs(other.x - team.x) <= half and abs(other.y - team.y) <= half for unit in units for other in unit.models)
        for units in (outlook.foes, outlook.own)
    ]
    return near[0] - near[1]
