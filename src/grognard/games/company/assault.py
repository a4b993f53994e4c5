"""Assaults (13): suppressive fire, the way in, defensive fire, and the fight until somebody breaks off or is gone."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from grognard.board.table import bodies
from grognard.board.table.places import measured
from grognard.board.table.routes import along, long
from grognard.board.table.ways import Path
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.poses import Preview, place
from grognard.games.company import (
    break_off,
    charge,
    close_combat,
    firing,
    leaders,
    reactions,
    suppression,
    training,
    travel,
    volley,
)
from grognard.games.company.assault_events import (
    AssaultFails,
    AssaultHalted,
    AssaultLands,
    Assaults,
    CounterAttacks,
)
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charge import Course
from grognard.games.company.charts import charts
from grognard.games.company.close_combat import Toll
from grognard.games.company.fire_events import count
from grognard.games.company.firing import MODES, Shooting
from grognard.games.company.reactions import BEST, REACTION_FIRE, Reactions
from grognard.games.company.state import Platoon, living
from grognard.games.company.volley import Volley
from grognard.kits.table.state import ON_TABLE

#: How finely the way back of whoever was halted in contact is cut, in hundredths.
FINE = 5.0


# ---- whom, and with whom (13.1, 13.15) -----------------------------------------------------------------------


def targets(battle: CompanyBattle, unit: Platoon) -> list[Platoon]:
    """The enemies that a Unit may assault (13.15)."""
    return [foe for foe in battle.enemies(unit.side) if charge.bar(battle, unit, foe) is None]


def bar_assault(battle: CompanyBattle, unit: Platoon) -> Bar | None:
    """Why a Unit cannot assault anybody; None if it can."""
    bars = [charge.bar(battle, unit, foe) for foe in battle.enemies(unit.side)]
    if None in bars:
        return None
    kinds = {bar.rule: bar for bar in bars if bar is not None}
    if not kinds or len(kinds) > 1:
        return Bar("13.3", "no enemy is within an assault's reach")
    return next(iter(kinds.values()))


def standing(battle: CompanyBattle, unit: Platoon) -> bool:
    """Whether a Unit is on the table and in the fight."""
    return unit.status == ON_TABLE and living(unit) and bool(unit.models)


def assault(battle: CompanyBattle, unit: Platoon) -> Procedure[None]:
    """An assault from the naming of its target to the markers for casualties (13.1 to 13.12)."""
    answer = yield _whom(battle, unit)
    if answer == "done":
        return
    named = battle.unit(answer.split()[1])
    going = yield from _who_goes(battle, unit, named)
    battle.costly = True
    battle.emit(Assaults(side=unit.side, unit=unit.id, target=named.id, rules=("13.1", "13.15")))
    target = yield from leaders.join(battle, named)
    yield from _carry_out(battle, unit, target, going)
    if target is not named:
        yield from leaders.part(battle, target.side)
    battle.settled()


def _whom(battle: CompanyBattle, unit: Platoon) -> Ask:
    """Whom to assault; the way in of everybody is shown before it is chosen (13.15)."""
    everybody = [team.id for team in charge.goers(battle, unit)]

    def options() -> Iterator[Option]:
        for foe in targets(battle, unit):
            away = battle.gap(unit, foe)
            key, label, at = f"assault {foe.id}", f"Assault {battle.name(foe)}", place(*battle.anchor(foe))
            far = measured(away, battle.measure)
            yield Option(key, label, "assault", unit.id, at, foe.id, rule="13.1", distance=far, range=round(away / 100))
        yield Option("done", "Assault nobody", "done", unit.id, rule="3.16")

    def foresee(key: str) -> Preview | None:
        id = key.removeprefix("assault ")
        return _foresee(battle, unit, battle.unit(id), everybody, key) if id in battle.state.units else None

    return Ask(unit.side, f"{battle.name(unit)}: assault whom?", options, rule="13.1", foresee=foresee)


def _who_goes(battle: CompanyBattle, unit: Platoon, target: Platoon) -> Procedure[list[str]]:
    """Who stays behind and fires: guns have to, and one Team at least has to come into contact (13.1, 13.3)."""
    able = [team.id for team in charge.goers(battle, unit)]
    stay: set[str] = set()
    far = charts().distance("assault_movement", "assault")

    def options() -> Iterator[Option]:
        going = [id for id in able if id not in stay]
        if charge.can_reach(battle, unit, target, going, far):
            others = len(unit.models) - len(going)
            stays = f"{others} {'stays' if others == 1 else 'stay'} behind"
            label = f"Assault with {len(going)}, {stays}" if others else "All assault"
            yield Option("done", label, "done", unit.id, target=target.id, rule="13.3")
        for id in able:
            name = battle.team_name(unit, battle.team(unit, id))
            if id in stay or len(going) > 1:
                label = f"{name} goes after all" if id in stay else f"{name} stays and fires"
                yield Option(f"team {id}", label, "team", unit.id, rule="13.1", model=id)

    def foresee(key: str) -> Preview | None:
        verb, _, id = key.partition(" ")
        toggled = stay ^ {id} if verb == "team" else stay
        return _foresee(battle, unit, target, [id for id in able if id not in toggled], key)

    while True:
        prompt = f"{battle.name(unit)} assaults {battle.name(target)}: who stays behind?"
        answer = yield Ask(
            unit.side, prompt, options, rule="13.1", foresee=foresee, about=(unit.id, target.id, *sorted(stay))
        )
        if answer == "done":
            return [id for id in able if id not in stay]
        stay ^= {answer.removeprefix("team ")}


def _foresee(battle: CompanyBattle, unit: Platoon, target: Platoon, going: Collection[str], key: str) -> Preview | None:
    far = charts().distance("assault_movement", "assault")
    found = charge.course(battle, unit, target, going, far)
    return charge.preview(battle, unit, key, found) if found is not None else None


# ---- the steps of an assault ---------------------------------------------------------------------------------


def _carry_out(battle: CompanyBattle, unit: Platoon, target: Platoon, going: Sequence[str]) -> Procedure[None]:
    """Fire, way in, defence, fight (13.2 to 13.12)."""
    fire = {team.id: MODES["fire"] for team in unit.models if team.id not in going}
    if fire:
        yield from firing.fire_at(battle, unit, fire, target)
    going = [team.id for team in unit.models if team.id in going]
    if not standing(battle, unit) or not standing(battle, target):
        return
    landed = yield from _go_in(battle, unit, target, going)
    if landed:
        yield from fight(battle, unit, target, going)


def _go_in(battle: CompanyBattle, unit: Platoon, target: Platoon, going: Sequence[str]) -> Procedure[bool]:
    """The way in and the fire on it: whether the assault comes to close combat (13.3 to 13.6)."""
    course = charge.course(battle, unit, target, going, charts().distance("assault_movement", "assault"))
    fails = AssaultFails(side=unit.side, unit=unit.id, target=target.id, rules=("13.3",))
    if course is None:
        battle.emit(fails)
        return False
    watch = Defence(battle, unit, target, course)
    yield from _charge(battle, unit, course, watch, "assault", "13.3")
    if not standing(battle, unit) or not standing(battle, target):
        return False
    if watch.halted:
        battle.emit(AssaultHalted(side=target.side, unit=unit.id, target=target.id, rules=(watch.halted,)))
        battle.settled()  # where they stand afterwards changes nobody's fate
        yield from step_back(battle, unit, target, course)
        return False
    if not watch.touched and not charge.touching(battle, unit, target, going):
        battle.emit(fails)
        return False
    battle.emit(AssaultLands(side=unit.side, unit=unit.id, target=target.id, rules=("13.7",)))
    return True


def _charge(
    battle: CompanyBattle, unit: Platoon, course: Course, watch: Defence | None, how: str, rule: str
) -> Procedure[None]:
    """Teams go their ways into contact, looking at whom they go for."""
    for team in unit.models:
        team.heading = course.headings.get(team.id, team.heading)
    battle.invalidate(unit)
    yield from travel.go_paths(battle, unit, course.paths, course.headings, watch=watch, how=how, rules=(rule,))
    _make_room(battle, unit, course)


def _make_room(battle: CompanyBattle, unit: Platoon, course: Course) -> None:
    """Whoever would stand in somebody ends a little short of it: a gun may have turned as they came, or one halted."""
    for team in unit.models:
        body, way = battle.body(unit, team), course.paths.get(team.id)
        others = [*(battle.body(unit, other) for other in unit.models if other is not team), *battle.everybody([unit])]
        if way is None or not bodies.overlaps(body, others):
            continue
        places = [along(way, far) for far in np.arange(long(way), -FINE, -FINE).clip(0.0).tolist()]
        places.sort(key=lambda place: math.dist(place, (team.x, team.y)))
        team.x, team.y = next((at for at in places if not bodies.overlaps(body.at(*at), others)), (team.x, team.y))
        battle.invalidate(unit)


def step_back(battle: CompanyBattle, unit: Platoon, target: Platoon, course: Course) -> Procedure[None]:
    """Whoever is halted in contact goes back the way he came, to leave 2 inches, or as far as there is room (13.5)."""
    gap = charts().distance("assault_movement", "halted_gap")
    stand = {team.id: battle.body(unit, team) for team in unit.models}
    paths: dict[str, Path] = {}
    for id in charge.touching(battle, unit, target, list(course.paths)):
        body, way = stand[id], course.paths[id]
        others = [*(there for other, there in stand.items() if other != id), *battle.everybody([unit])]
        back = np.arange(long(way), -FINE, -FINE).clip(0.0).tolist()
        there = [body.at(*along(way, far)) for far in back]
        apart = bodies.gaps(there, battle.bodies(target)).min(axis=1)
        # The first places that are far enough off, then those that are less and less so.
        order = sorted(range(len(back)), key=lambda n: (-min(float(apart[n]), gap), n))
        end = next((there[n] for n in order if not bodies.overlaps(there[n], others)), body)
        if end != body:
            paths[id] = [(body.x, body.y), (end.x, end.y)]
            stand[id] = end
    if paths:
        headings = {team.id: team.heading for team in unit.models}
        yield from travel.go_paths(battle, unit, paths, headings, watch=None, how="halted", rules=("13.5",))


# ---- defensive fire (13.4 to 13.6, 13.16, 13.21, 13.23) ------------------------------------------------------


def halting_rule(battle: CompanyBattle, unit: Platoon, going: Collection[str]) -> str:
    """By which rule fire halts an assault: another one if all who come are armoured (13.5, 13.6, 13.16)."""
    types = [battle.team_type(team) for team in unit.models if team.id in going]
    return "13.6" if types and all(type.armored for type in types) else "13.5"


def enough(came: Shooting, rule: str) -> bool:
    """Whether a shooting halts an assault: five hits, or two results on armour (13.5, 13.6, 13.23)."""
    if rule == "13.6":
        return came.results >= charts().number("assault", "results_to_halt")
    return came.hits >= charts().number("assault", "hits_to_halt")


class Defence(Reactions):
    """Those who watch an assault come in: the assaulted Unit fires once, at a point of the way that it likes (13.16).

    Others react as to any move, and do not halt it (13.21).
    """

    def __init__(self, battle: CompanyBattle, unit: Platoon, target: Platoon, course: Course) -> None:
        party = [number for number, team in enumerate(unit.models) if team.id in course.paths]
        super().__init__(battle, unit, party, assaulted=target.id)
        self.target, self.ends = target, {id: path[-1] for id, path in course.paths.items()}
        #: By which rule it was halted, and whether anybody has come into contact.
        self.halted, self.touched = "", False

    def able(self, mover: Platoon) -> Sequence[Platoon]:
        """Whoever could react to a move, and the assaulted Unit until it has fired."""
        if not self.touched and any((team.x, team.y) == self.ends.get(team.id) for team in mover.models):
            self.touched = bool(charge.touching(self.battle, mover, self.target, list(self.ends)))
        found = list(super().able(mover))
        if self.target.id not in self.held and standing(self.battle, self.target):
            found.append(self.target)
        return found

    def offer(self, mover: Platoon, ready: Sequence[Platoon]) -> Procedure[None]:
        """Others are asked first; then the assaulted Unit fires, waits, or holds its fire for good (13.4)."""
        battle, target = self.battle, self.target
        yield from super().offer(mover, [watcher for watcher in ready if watcher is not target])
        if target not in ready or not standing(battle, mover) or not standing(battle, target):
            return
        going = [team.id for team in mover.models if team.id in self.ends]
        modes = {team.id: MODES["assault"] for team in target.models}
        ways = [fired for fired in volley.ways(battle, target, mover, modes, going) if not fired.hopeless]
        if not ways:
            return
        rule = halting_rule(battle, mover, going)
        answer = yield self._defend(mover, ways, rule)
        verb, *words = answer.split()
        if verb == "pass":
            return
        self.held.add(target.id)
        if verb == "react":
            word = " ".join(words[1:])
            came = yield from firing.shoot(battle, target, modes, mover, word=word, only=going)
            self.halted = rule if enough(came, rule) else ""

    def _defend(self, mover: Platoon, ways: Sequence[Volley], rule: str) -> Ask:
        battle, target = self.battle, self.target
        last = self.asked.get(target.id) == BEST
        react = [reactions.option(battle, target, mover, fired) for fired in ways]
        wait = Option("pass", "Not here" if last else "Let them come closer", "pass", target.id, rule="13.4")
        hold = Option("hold", "Do not fire at this assault", "pass", target.id, rule="13.4")
        halts = "Two results on its vehicles halt it" if rule == "13.6" else "Five hits halt it"
        prompt = f"{battle.name(mover)} assaults {battle.name(target)}: open fire? {halts}."
        # Whoever waits for the best point of the way has the most dice.
        meanwhile, about = react[0].key if last else wait.key, (mover.id, target.id)
        return Ask(
            target.side,
            prompt,
            [*react, wait, hold],
            reaction=REACTION_FIRE,
            rule="13.4",
            meanwhile=meanwhile,
            about=about,
        )

    def stopped(self, mover: Platoon) -> bool:
        """Whether the assault is halted (13.5, 13.6)."""
        return bool(self.halted)


# ---- the fight (13.7 to 13.12) -------------------------------------------------------------------------------


def fight(battle: CompanyBattle, unit: Platoon, target: Platoon, going: Collection[str]) -> Procedure[None]:
    """Exchange after exchange, each side in its turn, until one breaks off or nobody of it is left (13.7 to 13.11)."""
    toll: Toll = {}
    yield from close_combat.exchange(battle, unit, target, going, toll, "13.7")
    own, foe = target, unit
    while standing(battle, own) and standing(battle, foe):
        if not (yield from _counter_attack(battle, own, foe, toll)):
            yield from break_off.break_off(battle, own, foe, toll)
            break
        own, foe = foe, own
    for each in (unit, target):
        # 13.12, 13.19: a marker for each Team lost from the first exchange on.
        if toll.get(each.id) and standing(battle, each):
            ids = [team.id for team in each.models]
            yield from suppression.mark(battle, each, toll[each.id], ids, ("13.12",))


def _counter_attack(battle: CompanyBattle, unit: Platoon, foe: Platoon, toll: Toll) -> Procedure[bool]:
    """Whether the side whose turn it is counter-attacks: it has to want to, and to make a check (13.8, 13.20)."""
    far = charts().distance("assault_movement", "counter_attack")
    held = charge.touching(battle, unit, foe, [team.id for team in unit.models])
    free = [team.id for team in charge.goers(battle, unit) if team.id not in held]
    course = charge.course(battle, unit, foe, free, far, assault=False) if free else None

    def options() -> Iterator[Option]:
        if course is not None:
            label = f"Counter-attack: {count(len(course.paths), 'Team')} to close in"
            yield Option("counter", label, "counter", unit.id, target=foe.id, rule="13.9")
        label = "Counter-attack where they stand" if course is not None else "Counter-attack"
        yield Option("stand", label, "stand", unit.id, target=foe.id, rule="13.9")
        yield Option("break_off", "Break off", "break_off", unit.id, rule="13.10")

    def foresee(key: str) -> Preview | None:
        return charge.preview(battle, unit, key, course) if key == "counter" and course is not None else None

    prompt = f"{battle.name(unit)}: counter-attack {battle.name(foe)}, or break off?"
    meanwhile = "counter" if course is not None else "stand"
    answer = yield Ask(unit.side, prompt, options, rule="13.8", meanwhile=meanwhile, foresee=foresee)
    if answer == "break_off":
        return False
    check = yield from training.training_check(battle, unit, "counter-attack", ("13.8",), failing="it has to break off")
    if not check.passed:
        return False
    battle.emit(CounterAttacks(side=unit.side, unit=unit.id, rules=("13.8",)))
    if answer == "counter" and course is not None:
        yield from _charge(battle, unit, course, None, "counter", "13.9")
    if standing(battle, unit):
        yield from close_combat.exchange(battle, unit, foe, [team.id for team in unit.models], toll, "13.9")
    return True
