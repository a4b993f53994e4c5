"""What a platoon's actions are worth (3), whatever its check allows, and which platoon is next."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.board.table import bodies
from grognard.board.table.bodies import HAIR
from grognard.core.tactics import Clock
from grognard.games.company import assault, indirect
from grognard.games.company.charts import charts
from grognard.games.company.roster import TANK
from grognard.games.company.state import Platoon
from grognard.games.company.tactics import barrages
from grognard.games.company.tactics.assaults import Outcome, outcome
from grognard.games.company.tactics.outlook import CompanyOutlook
from grognard.games.company.tactics.shots import aims, saved
from grognard.games.company.tactics.volleys import FIRED, STILL, passes
from grognard.games.company.volley import MODES
from grognard.kits.table.tactics.chart import Bools
from grognard.kits.table.tactics.choices import Choice, Why, best_first, by_weight
from grognard.kits.table.tactics.judge import Aim, Judge

RUN, MOVE, MOVE_AND_FIRE, FIRE_AND_MOVE = "run", "move", "move_and_fire", "fire_and_move"
FIRE, AIMED_FIRE, OVERWATCH, ASSAULT, BARRAGE = "fire", "aimed_fire", "overwatch", "assault", "barrage"
NOTHING = "nothing"
#: The actions that fire from where one stands, and how.
SHOOTING = {FIRE: "fire", AIMED_FIRE: "aimed_fire"}
#: The outer Teams of a platoon that turns go farther than its middle.
MIDDLE = 0.9
#: How much worse what there is to fear becomes for whoever runs: he saves twice (3.8).
RUNNING = 0.5
#: How much of what a platoon on Overwatch might do is reckoned with.
WATCHES = 0.4
#: What it costs to lose the Initiative, of what the platoons that have still to act might suffer before they do.
LOSES_INITIATIVE = 0.35
#: An assault that goes well wins ground, and one that is halted stands there in the open.
GROUND_WON, LEFT_STANDING = 0.1, 0.25


class Captain(Judge[CompanyOutlook, Platoon]):
    """Weighs what the platoons of a side may do."""

    def __init__(self, outlook: CompanyOutlook, clock: Clock | None = None) -> None:
        super().__init__(outlook, clock)
        self._acts: dict[tuple[str, str], Choice | None] = {}
        self._shots: dict[tuple[str, str], Aim | None] = {}

    # ---- moves ----

    def leads_to(self, unit: Platoon, how: str) -> Bools:
        """One move, or two (4.1, 3.8)."""
        x, y = self.outlook.spot(unit)
        column = self.outlook.column(unit)
        far = charts().distance("movement", column) * (2 if how == RUN else 1) * MIDDLE
        free = self.outlook.chart.reachable(x, y, column, far, run=True)
        if column != TANK:
            return free
        # Where it may get stuck it is not sent far.
        return free | self.outlook.chart.reachable(x, y, column, far / 2, run=False)

    def shoots(self, unit: Platoon, how: str) -> bool:
        """Move and Fire (3.7)."""
        return how == MOVE_AND_FIRE

    def called(self, key: str) -> str:
        """The action's title."""
        action = charts().actions.get(key.rpartition(" ")[2])
        return action.title if action else super().called(key)

    # ---- what a platoon may do ----

    def passes(self, unit: Platoon) -> float:
        """The chance of its check (3.13, 11.4)."""
        need = self.outlook.battle.training(unit).check + sum(team.marks for team in unit.models)
        need = max(need, charts().number("training_check", "always_fails") + 1)
        return passes(need)

    def weigh(self, unit: Platoon) -> list[Choice]:
        """The best that it may do if its check succeeds, for what success and failure are worth together."""
        passes = self.passes(unit)
        good, bad = self.choose(unit, True), self.choose(unit, False)
        worth = passes * good.worth + (1 - passes) * bad.worth
        return [good._replace(worth=worth)]

    def choose(self, unit: Platoon, success: bool) -> Choice:
        """The best action after a check."""
        wanted = [id for id, action in charts().actions.items() if success or not action.success]
        return best_first(self.actions(unit, wanted))[0]

    def actions(self, unit: Platoon, ids: Sequence[str]) -> list[Choice]:
        """Some actions of a whole platoon, each with what it does now and where it leaves the platoon."""
        found = [self.act(unit, id) for id in ids]
        spared = self.spared(unit, STILL)
        nothing = Choice(f"all {NOTHING}", self.stay(unit) + spared, (("keeps still, and is harder to hit", spared),))
        return [choice for choice in found if choice is not None] + [nothing]

    def act(self, unit: Platoon, id: str) -> Choice | None:
        """An action of a whole platoon; None where it is not worth a thought."""
        key = unit.id, id
        if key not in self._acts:
            self._acts[key] = self._act(unit, id)
        return self._acts[key]

    def _act(self, unit: Platoon, id: str) -> Choice | None:
        if unit.down_turn == self.outlook.battle.state.turn and unit.down:
            return None  # it takes no action (6.28)
        if id in SHOOTING or id == FIRE_AND_MOVE:
            return self.fire(unit, id)
        if id in (MOVE, RUN, MOVE_AND_FIRE):
            return self.move(unit, id)
        if id == OVERWATCH:
            return self.watch(unit)
        if id == ASSAULT:
            return self.storm(unit)
        return self.bombard(unit) if id == BARRAGE else None

    def spared(self, unit: Platoon, posture: str) -> float:
        """How much less a platoon has to fear where it stands if it does not move, or does nothing (6.27, 10.7)."""
        here = self.outlook.here(unit)
        worse, better = self.outlook.danger(unit)[here], self.outlook.danger_if(unit, posture)[here]
        return float(worse - better)

    def fire(self, unit: Platoon, id: str) -> Choice | None:
        """Fire from where it stands, and then perhaps move."""
        shot = self.best_shot(unit, SHOOTING.get(id, FIRE))
        if shot is None:
            return None
        if id == FIRE_AND_MOVE:
            point = self.best_point(unit, MOVE)
            if point == self.outlook.here(unit):
                return None
            worth = float(self.after(unit, MOVE)[point])
            why = (*shot.why, *self.why_there(unit, MOVE, point))
            return Choice(f"all {id}", shot.worth + worth, by_weight(why), point)
        spared = self.spared(unit, FIRED)
        stays = (("harder to hit where it stays", spared),) if spared > self.outlook.taste.slight else ()
        why = (*shot.why, *stays)
        return Choice(f"all {id}", shot.worth + self.stay(unit) + spared, by_weight(why))

    def best_shot(self, unit: Platoon, mode: str) -> Aim | None:
        """The best that it can fire at now with all its Teams."""
        key = unit.id, mode
        if key not in self._shots:
            modes = dict.fromkeys((team.id for team in unit.models), MODES[mode])
            found = aims(self.outlook, unit, modes, self.outlook.foes)
            self._shots[key] = found[0] if found and found[0].worth > 0 else None
        return self._shots[key]

    def move(self, unit: Platoon, id: str) -> Choice | None:
        """Go where it is best; who runs saves twice when he is hit (3.8)."""
        point = self.best_point(unit, id)
        if point == self.outlook.here(unit):
            return None
        worth = float(self.after(unit, id)[point])
        why = self.why_there(unit, id, point)
        if id == RUN:
            hurt = -RUNNING * float(self.outlook.danger(unit)[point])
            why, worth = (*why, ("easier to kill after a run", hurt)), worth + hurt
        return Choice(f"all {id}", worth, by_weight(why), point)

    def watch(self, unit: Platoon) -> Choice | None:
        """Overwatch: what may come before its weapons (3.12, 7.3)."""
        coming = [foe for foe in self.outlook.foes if self.outlook.waits(foe)]
        if not coming or not any(self.outlook.battle.team_type(team).weapons for team in unit.models):
            return None
        worth, foe = max(((self.outlook.may_catch(unit, foe), foe) for foe in coming), key=lambda each: each[0])
        spared = self.spared(unit, STILL)
        why: list[Why] = [(f"waits for {self.outlook.battle.name(foe)}", WATCHES * worth)]
        if spared > self.outlook.taste.slight:
            why.append(("gone to ground meanwhile", spared))
        return Choice(f"all {OVERWATCH}", self.stay(unit) + WATCHES * worth + spared, by_weight(why))

    # ---- assaults (13) ----

    def storm(self, unit: Platoon) -> Choice | None:
        """The best assault that can reach."""
        battle = self.outlook.battle
        far = charts().distance("assault_movement", "assault") + HAIR
        if all(battle.gap(unit, foe) > far for foe in self.outlook.foes):
            return None
        found = [self.assault(unit, target) for target in assault.targets(battle, unit)]
        best = max(found, key=lambda choice: choice.worth, default=None)
        return None if best is None else best._replace(key=f"all {ASSAULT}")

    def assault(self, unit: Platoon, target: Platoon) -> Choice:
        """An assault on a Unit: by the chance that it is halted, and the checks of both sides."""
        outlook, battle = self.outlook, self.outlook.battle
        result = self.fought(unit, target)
        felled = outlook.gain(target, result.felled, result.felled / 2, 0.0) * (
            outlook.taste.still_to_act if outlook.waits(target) else 1.0
        )
        part = min(result.lost / max(len(unit.models), 1), 1.0)
        lost = -outlook.worth(unit) * part * outlook.taste.of_models
        stopped = -LEFT_STANDING * (1 - result.lands) * outlook.worth(unit)
        won = GROUND_WON * result.lands + self.ground(unit, target) * result.lands
        name = battle.name(target)
        why: tuple[Why, ...] = (
            (f"assaults {name}: {100 * result.lands:.0f} % to get in, fells {result.felled:.1f} Teams", felled),
            (f"loses {result.lost:.1f} Teams on average", lost),
            ("may be halted in the open", stopped),
            ("takes the ground", won),
        )
        key = f"assault {target.id}"
        return Choice(key, self.stay(unit) + felled + lost + stopped + won, by_weight(why))

    def ground(self, unit: Platoon, target: Platoon) -> float:
        """How much more it is worth to a platoon to be where its victim stands."""
        aim = self.outlook.aim(unit)
        return max(float(aim[self.outlook.here(target)] - aim[self.outlook.here(unit)]), 0.0)

    def fought(self, unit: Platoon, target: Platoon) -> Outcome:
        """What the fight comes to on average (13.4 to 13.11)."""
        battle = self.outlook.battle
        far = charts().distance("assault_movement", "assault")
        their = battle.bodies(target)
        storm = [
            team
            for team, body in zip(unit.models, battle.bodies(unit))
            if not battle.team_type(team).gun and float(bodies.gaps([body], their).min()) <= far + HAIR
        ]
        dice: dict[int, int] = {}
        easy = battle.training(unit).to_hit
        for team in target.models:
            arms = [weapon.he_fp if weapon.at else weapon.fp for weapon in battle.team_type(team).arms]
            if arms and not team.marks:
                number = easy if team.watch else easy + charts().modifier("reaction_fire").amount
                dice[number] = dice.get(number, 0) + max(arms)
        types = [battle.team_type(team) for team in storm]
        falls = sum(1 - saved(type, team, 0, at=False) for type, team in zip(types, storm)) / max(len(storm), 1)
        return outcome(
            len(storm),
            battle.training(unit).check,
            round(falls, 2),
            tuple(sorted(dice.items())),
            len(target.models),
            battle.training(target).check,
            any(battle.team_type(team).gun for team in target.models),
        )

    # ---- barrages (15) ----

    def bombard(self, unit: Platoon) -> Choice | None:
        """The best place for a barrage that somebody can observe."""
        if indirect.bar_barrage(self.outlook.battle, unit) is not None:
            return None
        best = barrages.best(self.outlook, unit)
        if best is None:
            return None
        worth, why = best
        return Choice(f"all {BARRAGE}", self.stay(unit) + worth, ((why, worth),))

    # ---- who acts (1.3 to 1.7) ----

    def next(self, units: Sequence[Platoon]) -> list[Choice]:
        """Which platoon tries to activate: what is urgent first, and whoever may fail it when little hangs on it."""
        found = self.pick(units, "activate", self)
        fear = {unit.id: self.outlook.taste.haste * self.outlook.threatened(unit) for unit in units}
        told = []
        for choice in found:
            id = choice.key.split()[1]
            unit = self.outlook.battle.unit(id)
            others = sum(value for other, value in fear.items() if other != id)
            risk = -LOSES_INITIATIVE * (1 - self.passes(unit)) * others
            why = (*choice.why, ("may fail, and lose the Initiative", risk)) if risk < -0.01 else choice.why
            told.append(choice._replace(worth=choice.worth + risk, why=why))
        return best_first(told)
