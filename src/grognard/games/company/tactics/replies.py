"""Quick answers for playing on in thought: actions and places of the first glance, without looking at any exactly."""

from __future__ import annotations

from grognard.board.table.stand_area import StandArea
from grognard.core.ask import Ask
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.state import Platoon
from grognard.games.company.tactics.barrages import about
from grognard.games.company.tactics.captain import Captain
from grognard.games.company.tactics.outlook import CompanyOutlook
from grognard.kits.table.good_poses import first_free
from grognard.kits.table.tactics import replies
from grognard.kits.table.tactics.choices import Choice, Why
from grognard.kits.table.tactics.judge import Aim

#: How much of the distance of an assault is reckoned with, and what a Team under a barrage is worth, at a glance.
CHARGES, UNDER = 0.8, 0.03
#: What is answered at once, by the verb: the first of them that is offered.
AT_ONCE = ("reroll", "direct", "pursue", "rejoin", "counter", "stand", "done")


class Sketch(Captain):
    """Weighs actions at a glance: shots by the chart, assaults by distance, barrages by how many stand together."""

    def best_shot(self, unit: Platoon, mode: str) -> Aim | None:
        """The best by the chart, if anybody can fire at all."""
        here, now = self.outlook.here(unit), self.outlook.battle.state.initiative
        if all(team.marks or team.shot == now for team in unit.models):
            return None
        seen = self.outlook.shots(unit, False)[1]
        foe, worth = max(((foe, float(each[here])) for foe, each in seen), key=lambda one: one[1], default=(None, 0.0))
        if foe is None or worth <= 0:
            return None
        easier = 1.15 if mode == "aimed_fire" else 1.0
        return Aim(f"at {foe.id}", foe, easier * worth, ())

    def storm(self, unit: Platoon) -> Choice | None:
        """Whoever is near enough is in reach."""
        battle = self.outlook.battle
        far = CHARGES * charts().distance("assault_movement", "assault")
        if battle.is_commander(unit) or not any(battle.team_type(team).infantry for team in unit.models):
            return None
        near = [foe for foe in self.outlook.foes if battle.gap(unit, foe) <= far]
        best = max((self.assault(unit, foe) for foe in near), key=lambda choice: choice.worth, default=None)
        return None if best is None else best._replace(key="all assault")

    def bombard(self, unit: Platoon) -> Choice | None:
        """By how many stand together."""
        if not self.outlook.battle.artillery(unit):
            return None
        most = max((about(self.outlook, foe.models[0]) for foe in self.outlook.foes), default=0)
        return Choice("all barrage", self.stay(unit) + UNDER * most)

    def why_there(self, unit: Platoon, how: str, point: int, there: bool | None = None) -> tuple[Why, ...]:
        """Nothing is told of what was only glanced at."""
        return ()


def sketch_of(battle: CompanyBattle, side: str) -> Sketch:
    """How things look to a side at a glance, kept while nothing changes that matters to it."""
    units = battle.units(on_table=False)
    teams = tuple(
        (u.acted, u.down, tuple((t.marks, t.moved, t.fired, t.shot) for t in u.models), len(u.riders)) for u in units
    )
    key = (teams, battle.state.turn, battle.state.initiative)
    return replies.glance(battle, side, key, lambda: Sketch(CompanyOutlook(battle, side)))


def march(sketch: Sketch, ask: Ask, area: StandArea, how: str) -> str:
    """A pose toward the best point of the chart; to stay if there is none."""
    unit = sketch.outlook.battle.unit(area.unit)
    goal = sketch.best_point(unit, how)
    far = max(float(far) for ways in area.ways for far in ways.fars)
    poses = replies.toward(sketch, unit, goal, far, area.names[0], None)
    found = next((pose for ways in area.ways if (pose := first_free(area, poses, ways)) is not None), None)
    return found.key(area.verb) if found is not None else _stay(ask)


def _stay(ask: Ask) -> str:
    return next((option.key for option in ask.options if option.verb == "stay"), ask.options[0].key)


def at_once(ask: Ask) -> str:
    """An answer that needs no thought; "" where it does."""
    verbs = {option.verb: option.key for option in reversed(ask.options)}
    return next((verbs[verb] for verb in AT_ONCE if verb in verbs and "at" not in verbs and "range" not in verbs), "")
