"""The state of a battle: plain data, lengths in hundredths of an inch, nothing refers to another object but by id."""

from __future__ import annotations

import msgspec

from grognard.kits.table import state as kit
from grognard.kits.table.state import LOST

# the phases: deploy -> (start -> initiative -> turn_end)* -> over (section 1, 16.3)
DEPLOY, START, INITIATIVE, TURN_END, OVER = "deploy", "start", "initiative", "turn_end", kit.OVER
PHASES = (DEPLOY, START, INITIATIVE, TURN_END, OVER)

#: The platoon's Leader, the company's commander and the forward observer, as `roster.TeamType.leader` has them.
PL, CC, FO = "pl", "cc", "fo"


class Team(kit.Model, array_like=True):
    """A stand or a vehicle: a Team (2.1).

    ``moved``, ``fired`` and ``ran`` tell of its last activation; firing since counts too (3.16, 6.27, 10.7).
    """

    kind: str = ""  # of units.toml
    turret: int = -1  # where its turret points; -1 without one (6.5)
    marks: int = 0  # suppression (11)
    moved: bool = False
    fired: bool = False
    ran: bool = False
    watch: bool = False  # on Overwatch (3.17)
    shot: int = 0  # the Initiative in which it last fired (7.2)
    aboard: str = ""  # the vehicle Team of its platoon that carries or tows it (16.1)


class Platoon(kit.Unit[Team], array_like=True):
    """A Unit with its living Teams (2.1); ``size`` is how many it had at the start (12.1).

    ``models`` are the Teams that stand on the table, ``riders`` those in or behind a vehicle of the platoon. The
    commander of a company stands on the table as a platoon of one Team, and counts as no Unit (14.14).
    """

    training: str = ""
    leader: str = ""  # the Team that leads it; "" when he is dead, and for a commander (14.1)
    riders: list[Team] = []
    acted: int = 0  # the turn of its last activation (1.6)
    down: bool = False  # went to ground by declaration (6.23)
    down_turn: int = 0  # the turn of that declaration: until it ends the platoon neither moves nor fires
    lost_now: int = 0  # casualties of this turn (12.1)
    helped: int = 0  # the Initiative in which its Leader last helped (14.3)


class Company(msgspec.Struct, array_like=True):
    """What is remembered of a side's company (14)."""

    start: int = 0  # Units at the start, without the commander (14.10)
    commander: str = ""  # the unit that is the commander, "" without one or when he is dead
    rerolled: int = 0  # the Initiative in which he last had a check thrown again (14.8)
    helped: int = 0  # the Initiative in which he last helped a Team (14.15)
    appointed: int = 0  # the Initiative in which he last made a new Leader (14.13)
    joined: str = ""  # the platoon that he has joined while an attack is resolved (14.12)


class Cloud(msgspec.Struct, array_like=True, frozen=True):
    """A square of smoke, and the last turn in which it hangs (15.17)."""

    x: int
    y: int
    heading: int
    until: int


class State(kit.TableState[Platoon], array_like=True):
    """Everything that changes in a battle. ``side`` has the Initiative, or deploys next."""

    phase: str = DEPLOY
    step: int = 0  # how far a phase has come that asks several things
    initiative: int = 0  # counts every Initiative of the battle (7.2)
    first: str = ""  # who deploys first, then who had the first Initiative of the turn (12.6)
    moving: str = ""  # the Unit that is on its way while others may react (7.4)
    companies: dict[str, Company] = {}
    clouds: list[Cloud] = []
    lost: dict[str, list[str]] = {}  # by side, the Units destroyed
    exits: dict[str, str] = {}  # by Unit that left the table, over which edge (16.6)


def living(platoon: Platoon) -> bool:
    """Whether a platoon is in the battle with anybody left."""
    return platoon.status != LOST and bool(platoon.models or platoon.riders)


def everybody(platoon: Platoon) -> list[Team]:
    """All its living Teams, those aboard last."""
    return [*platoon.models, *platoon.riders]
