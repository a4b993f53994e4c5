"""What to answer while something goes on: reactions, going to ground, helpers, hits, and the fight after an assault."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.core.ask import Ask
from grognard.core.poses import read_pose
from grognard.games.company import volley
from grognard.games.company.charts import charts
from grognard.games.company.dealing import HITS
from grognard.games.company.firing import GROUND
from grognard.games.company.reactions import OVERWATCH, REACTION_FIRE
from grognard.games.company.state import Platoon
from grognard.games.company.tactics.captain import Captain
from grognard.games.company.tactics.shots import aim
from grognard.games.company.tactics.volleys import passes
from grognard.games.company.volley import MODES
from grognard.kits.table.tactics.choices import Choice, best_first
from grognard.kits.table.tactics.player import Weigher

#: What the fire of a later Initiative is worth to whoever holds his fire now: he fires once in each (7.2).
HELD_FIRE = 0.03
#: What it is worth to wait for a better point of the way, of the shot.
BETTER = 0.15
#: What it is worth to throw a failed check again.
ANOTHER_THROW = 0.15
#: How much of what a platoon could still do this turn is lost when it goes to ground.
FORGONE = 0.6


def react(judge: Captain, ask: Ask) -> list[Choice]:
    """Fire at whoever moves, unless nothing comes of it (7.1, 7.3)."""
    outlook, battle = judge.outlook, judge.outlook.battle
    found = []
    for option in ask.options:
        if option.verb != "react":
            wait = any(other.key == "hold" for other in ask.options) and option.key == "pass"
            text = "may fire from a better place" if wait else "holds its fire"
            found.append(Choice(option.key, HELD_FIRE, ((text, HELD_FIRE),)))
            continue
        unit, mover = battle.unit(option.unit), battle.unit(option.target or ask.about[0])
        _, _, *word = option.key.split()
        ids = dict.fromkeys((team.id for team in unit.models), MODES["reaction"])
        able = volley.ready(battle, unit, ids)
        fired = volley.plan(battle, unit, mover, able, " ".join(word)) if able else volley.NOBODY
        shot = aim(outlook, mover, fired)
        found.append(Choice(option.key, shot.worth, shot.why))
    return best_first(found)


def defend(judge: Captain, ask: Ask) -> list[Choice]:
    """Fire at those who come: from where it does most (13.4)."""
    found = react(judge, ask)
    if ask.meanwhile != "pass":
        return found
    worth = found[0].worth + BETTER
    closer = Choice("pass", worth, (("lets them come closer", worth),))
    return best_first([closer, *(choice for choice in found if choice.key != "pass")])


def interrupt(judge: Captain, ask: Ask) -> list[Choice]:
    """Reaction Fire at a move, or the defence against an assault."""
    return defend(judge, ask) if ask.rule == "13.4" else react(judge, ask)


def ground(judge: Captain, ask: Ask) -> list[Choice]:
    """Go to ground if what that saves exceeds what the platoon could still do (6.23)."""
    outlook = judge.outlook
    unit = outlook.battle.unit(ask.options[0].unit)
    here = outlook.here(unit)
    fire = max((float(worth[here]) for _, worth in outlook.shots(unit, False)[1]), default=0.0)
    forgone = FORGONE * fire if outlook.waits(unit) else HELD_FIRE
    if outlook.waits(unit) and (goal := outlook.goal(unit)) is not None and not outlook.at_goal(unit, here):
        forgone += outlook.taste.per_turn * goal.worth
    saved = outlook.threatened(unit) / 3
    return best_first(
        [
            Choice(
                "ground", saved - forgone, (("harder to hit until it acts", saved), ("does nothing else", -forgone))
            ),
            Choice("pass", 0.0, (("acts later", 0.0),)),
        ]
    )


def usual(judge: Captain, ask: Ask) -> list[Choice]:
    """What is usual: the least worth takes the hit, and whoever is missed least falls (6.18, 11.1, 13.17)."""
    first = next((option.key for option in ask.options if option.verb == "pass"), ask.options[0].key)
    found = [Choice(first, 0.1, (("the least worth first", 0.1),))]
    return found + [Choice(option.key, 0.0) for option in ask.options[:4] if option.key != first]


def help_fire(judge: Captain, ask: Ask) -> list[Choice]:
    """Throw the most misses again: what is left of the help is worth nothing after this Initiative (14.4)."""
    found = [Choice("pass", 0.0, (("keeps the help for another Team", 0.0),))]
    for number, option in enumerate(option for option in ask.options if option.verb == "direct"):
        worth = 0.2 - 0.01 * number
        found.append(Choice(option.key, worth, (("misses thrown again", worth),)))
    return best_first(found)


def throw_again(judge: Captain, ask: Ask) -> list[Choice]:
    """A check is always thrown again: what is left of it is worth nothing after this Initiative (14.8)."""
    again = (("another throw", ANOTHER_THROW),)
    return [Choice("reroll", ANOTHER_THROW, again), Choice("keep", 0.0, (("lets it stand", 0.0),))]


def join(judge: Captain, ask: Ask) -> list[Choice]:
    """The commander joins the strongest platoon (14.12)."""
    outlook, found = judge.outlook, []
    for option in ask.options:
        worth = 0.1 * outlook.strength(outlook.battle.unit(option.target))
        found.append(Choice(option.key, worth, (("the more Teams, the less likely he is hit", worth),)))
    return best_first(found)


def shift(judge: Captain, ask: Ask) -> list[Choice]:
    """A barrage that missed falls where it does one's own least harm (15.7)."""
    found = []
    for option in ask.options:
        read = read_pose(option.key)
        worth = 0.0
        if read is not None or option.place:
            where = option.place if read is None else read[1].place
            worth = -_under(judge, where)
        found.append(Choice(option.key, worth, ((f"{-worth:.1f} of one's own under it", worth),)))
    return best_first(found)


def _under(judge: Captain, where: str) -> float:
    """How many of one's own Teams, less those of the enemy, stand near a point."""
    x, y = (float(part) * 100 for part in where.split(","))
    half = charts().distance("barrage", "side") / 2
    count = 0.0
    for unit in (*judge.outlook.own, *judge.outlook.foes):
        near = sum(abs(team.x - x) <= half and abs(team.y - y) <= half for team in unit.models)
        count += near if unit.side == judge.outlook.side else -near
    return count


def counter(judge: Captain, ask: Ask) -> list[Choice]:
    """Counter-attack where that is likely to cost the enemy more than breaking off costs (13.8, 13.20)."""
    outlook, battle = judge.outlook, judge.outlook.battle
    unit, foe = battle.unit(ask.options[0].unit), battle.unit(ask.options[0].target)
    makes_it = passes(battle.training(unit).check)
    blows = min(len(unit.models) * makes_it, len(foe.models))
    back = min(len(foe.models) * passes(battle.training(foe).check), len(unit.models))
    gained = makes_it * (outlook.gain(foe, blows, 0.0, 0.0) - 0.6 * _loss(outlook.worth(unit), back, unit))
    run = 0.4 * outlook.worth(unit) * (2.0 if any(battle.team_type(team).gun for team in unit.models) else 1.0)
    words = {
        "counter": (gained + 0.02, "closes in and fights back"),
        "stand": (gained, "fights back from where it stands"),
        "break_off": (-run * makes_it, "falls back, and may be run down"),
    }
    found = [Choice(o.key, words[o.verb][0], ((words[o.verb][1], words[o.verb][0]),)) for o in ask.options]
    return best_first(found)


def _loss(worth: float, lost: float, unit: Platoon) -> float:
    return worth * min(lost / max(len(unit.models), 1), 1.0)


REACTIONS: Mapping[str, Weigher[Captain]] = {
    REACTION_FIRE: interrupt,
    OVERWATCH: react,
    GROUND: ground,
    HITS: usual,
    "leader": help_fire,
    "commander": throw_again,
    "join": join,
    "shift": shift,
}
