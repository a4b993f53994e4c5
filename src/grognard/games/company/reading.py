"""Reading what scenarios, situations and force files say of Units and Teams, with every fault of them."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.core.files import Document
from grognard.core.read_tables import FilePath, did_you_mean, read_word
from grognard.games.company.charts import charts
from grognard.games.company.roster import UnitType, roster
from grognard.games.company.state import PL

#: A table to go on with where a file's own cannot be read.
BLANK = {"width": 72, "height": 48}
#: So many Teams of a kind are the most that a file may ask for.
MOST_TEAMS = 14


def read_kind(doc: Document, path: FilePath, name: str) -> UnitType | None:
    """A Unit of the roster."""
    kinds = roster()
    if name not in kinds:
        doc.fault(path, f'no unit called "{name}"', did_you_mean(name, kinds))
        return None
    return kinds[name]


def read_training(doc: Document, path: FilePath, training: str, kind: UnitType) -> str:
    """A Unit's training: what the file says, or the roster."""
    if training and read_word(doc, path, "training", training, charts().trainings):
        return training
    return kind.training


def read_teams(doc: Document, path: FilePath, kind: UnitType, wanted: Mapping[str, int]) -> tuple[str, ...]:
    """The kinds of a Unit's Teams, with other numbers of some of them than the roster has."""
    roles = {type.id: type.leader for type in kind.types}
    for name, count in wanted.items():
        if read_word(doc, (*path, name), "Team", name, roles):
            least, most = (1, 1) if roles[name] == PL else (0, 1) if roles[name] else (0, MOST_TEAMS)
            if not least <= count <= most:
                doc.fault((*path, name), f"{count} of {name}", f"{least} to {most}" if least < most else f"{least}")
    found: list[str] = []
    for each in kind.teams:
        found += [each.team] * min(max(wanted.get(each.team, each.count), 0), MOST_TEAMS)
    if not found:
        doc.fault(path, f"{kind.name} without Teams", "one Team or more")
    return tuple(found)
