"""What stands out in the games of a scenario, and what its author may try: sentences for the report."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from grognard.core.open_files import listed
from grognard.lab.frames import Frames
from grognard.lab.series import Field, Series
from grognard.lab.statistics import first_fire, kinds_table, mean, shares, verdict

#: From here on a share is worth a line: games that are drawn, what the dice explain, what one kind of unit destroys of
#: all that its side does, and how much more of its force one side loses.
DRAWN, LUCK, DEADLY, BLOODIER = 0.25, 0.5, 0.6, 1.5
#: How many games a search for an even setting takes at least, and the players that play both sides of it.
GAMES, PLAYER = 200, "greedy"


class Finding(NamedTuple):
    """Something that stands out, what to try about it, and the command for that, if there is one."""

    text: str
    advice: str = ""
    command: str = ""


def side_title(side: str) -> str:
    """A side's id as a name."""
    return side.replace("_", " ").capitalize()


def findings(series: Series, frames: Frames, field: Field) -> list[Finding]:
    """What stands out in a scenario's games, the most important first."""
    looks = (_drawn, _unfinished, _first_shot, _luck, _losses)
    others = [finding for look in looks if (finding := look(series, frames, field)) is not None]
    return [_favour(series, frames, field), *others, *_kinds(frames, field)]


def scenario_word(field: Field) -> str:
    """How a scenario is called on the command line: by its name, or as the file that its author has of it."""
    known = any((entry.game.name, entry.name) == (field.game, field.name) for entry in listed(field.game))
    return f"{field.game}/{field.name}" if known else f"{field.name}.toml"


def _favour(series: Series, frames: Frames, field: Field) -> Finding:
    """Whom the scenario favours, and the search for a setting that favours nobody."""
    said = verdict(frames, field.name)
    players = set(series.players)
    who, best = side_title(said.who), said.best
    if best.value <= best.margin:
        more = 4 * max(best.games, 1)
        return Finding(
            f"Neither side is favoured, as far as {best.games} games can tell: to within {100 * best.margin:.1f} "
            "games in a hundred.",
            f"Four times as many games ({more:,}) would halve that margin.",
        )
    if len(players) > 1 and len(series.seatings) == 1:
        return Finding(
            f"{who} wins more often, but the sides were played by different players.",
            "Play every game again with the players swapped (--swap) to separate the side from the player.",
        )
    player = series.players[0] if len(players) == 1 else PLAYER
    return Finding(
        f"{who} is favoured by {100 * best.value:.1f} ± {100 * best.margin:.1f} games in a hundred.",
        "Let the lab look for the smallest change that makes it even:",
        f"grognard balance {scenario_word(field)} --games {max(GAMES, series.games)} --players {player},{player} "
        f"--out {field.name}_even.toml",
    )


def _drawn(series: Series, frames: Frames, field: Field) -> Finding | None:
    games = frames.games.filter(scenario=field.name)
    drawn = games.filter(finished=True, winner="").height
    if drawn < DRAWN * games.height:
        return None
    return Finding(
        f"{drawn} of {games.height} games are drawn.",
        "To decide more of them, lower the lead that wins, add an objective, or say who wins a tie.",
    )


def _unfinished(series: Series, frames: Frames, field: Field) -> Finding | None:
    stopped = frames.games.filter(scenario=field.name, finished=False).height
    if not stopped:
        return None
    return Finding(f"{stopped} games were stopped before they ended.", "Raise --limit, or set a last turn.")


def _first_shot(series: Series, frames: Frames, field: Field) -> Finding | None:
    fire = first_fire(frames, field.name)
    if fire is None or len(set(series.players)) > 1:
        return None
    gain, low, high = fire.gain
    if low <= 0 <= high:
        return None
    better = "more" if gain > 0 else "fewer"
    return Finding(
        f"{side_title(fire.side)} wins {100 * abs(gain):.0f} {better} games in a hundred when it fires first.",
        "Lines of sight in the first turn matter a lot: look at the set-up zones and the cover between them.",
    )


def _luck(series: Series, frames: Frames, field: Field) -> Finding | None:
    explained = verdict(frames, field.name).explained
    if explained < LUCK:
        return None
    return Finding(
        f"The dice explain {100 * explained:.0f} % of who wins.",
        "With more turns or more units, luck would even out.",
    )


def _losses(series: Series, frames: Frames, field: Field) -> Finding | None:
    parts = {}
    for side in field.sides[:2]:
        rows = frames.sides.filter(scenario=field.name, side=side)
        parts[side] = mean((rows["lost"] / rows["force"].clip(1e-9)).to_numpy()).value
    (less, few), (more, many) = sorted(parts.items(), key=lambda each: each[1])
    won = shares(frames, field.name)
    if not many or many < BLOODIER * few or won[more].rate < won[less].rate:
        return None
    return Finding(
        f"{side_title(more)} loses {100 * many:.0f} % of its force, {side_title(less)} {100 * few:.0f} %, yet it "
        "wins at least as often.",
        "Its objectives outweigh its losses; to make losses count, give points for casualties.",
    )


def _kinds(frames: Frames, field: Field) -> list[Finding]:
    """Kinds of units that do nearly all, and those that never fire."""
    table = kinds_table(frames, field.name)
    found = []
    for side in field.sides[:2]:
        rows = table.filter(pl.col("side") == side)
        total = float(rows["inflicted"].sum())
        for row in rows.head(1).iter_rows(named=True):
            if total and row["inflicted"] > DEADLY * total and rows.filter(pl.col("fires") > 0).height > 2:
                part = 100 * row["inflicted"] / total
                found.append(
                    Finding(
                        f"{side_title(side)}'s {row['kind']} destroys {part:.0f} % of all that its side destroys.",
                        "Adding or removing one of these changes this battle most.",
                    )
                )
        idle = rows.filter((pl.col("fires") == 0) & (pl.col("worth") > 0))["kind"].to_list()
        if idle:
            found.append(
                Finding(
                    f"{side_title(side)}'s {_listed(idle)} never fired in any game.",
                    "If it has weapons, can it take part from where it starts, and does its player know how to use it?",
                )
            )
    return found


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
