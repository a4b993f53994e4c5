"""What people read in the terminal: questions, events with their tallies, the state, odds, luck."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from textwrap import wrap
from typing import Any

import typer

from grognard.core.aid_views import UnitSheet
from grognard.core.ask import Ask, FacesAsk, Option, name_of_thing
from grognard.core.dice import FairDice, fair_faces, pool
from grognard.core.drafts import Draft
from grognard.core.events import NO_NAMES, Asked, Event, Rolled
from grognard.core.forms import Field
from grognard.core.luck import Luck
from grognard.core.odds import Odds
from grognard.core.poses import Area, place
from grognard.core.session import Session
from grognard.core.tally import Tally
from grognard.core.view import MarkerView, PreviewView, UnitView, View
from grognard.core.words import side_name

#: From how many options on that differ in their last word alone a list tells them as a row.
ROW = 8
#: From how many outcomes on odds tell besides how likely each thing is by itself.
PARTS_FROM = 12
#: So many outcomes are listed one by one, the likeliest; the others are added up.
OUTCOMES = 25
#: How dice that few people have are thrown with one that everybody has.
SMALL = {2: " (on a D6: 1–3 is 1, 4–6 is 2)", 3: " (on a D6: 1–2 is 1, 3–4 is 2, 5–6 is 3)"}


def say(text: str = "") -> None:
    """A line for people."""
    typer.echo(text)


def table(headings: Sequence[str], rows: Iterable[Sequence[object]], right: Sequence[int] = ()) -> None:
    """A table; the columns of the numbers given stand to the right. It is cut to fit only on a terminal."""
    from rich.console import Console
    from rich.table import Table

    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for number, heading in enumerate(headings):
        drawn.add_column(heading, justify="right" if number in right else "left")
    for row in rows:
        drawn.add_row(*[_escaped(cell) for cell in row])
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 2000)
    with console.capture() as captured:
        console.print(drawn)
    for line in captured.get().splitlines():
        say(line.rstrip())


def _escaped(cell: object) -> str:
    from rich.markup import escape

    return escape("" if cell is None else str(cell))


# ---- questions ---------------------------------------------------------------------------------------


def option_line(number: int, option: Option, names: Mapping[str, str], hint: str = "") -> str:
    """An option with its number, who acts, what to know of it, and the key by which it can be answered too."""
    label = f"{option.label or option.key}{f' ({hint})' if hint else ''}"
    if option.unit in names and option.unit not in label.split() and names[option.unit] not in label:
        label = f"{names[option.unit]}: {label}"
    notes = [note for note in (option.distance, option.cost, f"[{option.rule}]" if option.rule else "") if note]
    key = f"  ({option.key})" if label != option.key else ""
    return f"{number:>4}  {' '.join([label, *notes])}{key}"


def option_lines(
    ask: Ask, names: Mapping[str, str], words: str = "", hints: Mapping[str, str] = NO_NAMES
) -> Iterator[str]:
    """The options of a question, all or those that have the words."""
    wanted = words.casefold().split()
    for number, option in enumerate(ask.options, 1):
        line = option_line(number, option, names, hints.get(option.key, ""))
        if all(word in f"{option.key} {line}".casefold() for word in wanted):
            yield line
    if ask.area is not None and not wanted:
        yield from area_lines(ask.area)
    if ask.draft is not None and not wanted:
        yield from draft_lines(ask.draft)


def draft_lines(draft: Draft) -> Iterator[str]:
    """What can be drawn or filled in: what to type, and which fields there are."""
    yield f"  or draw it yourself: {draft.verb} FORM, the form as JSON, or draft FILE with a TOML file of it; fields:"
    yield from _field_lines(draft.fields(), "    ")


def _field_lines(fields: Iterable[Field], indent: str) -> Iterator[str]:
    for field in fields:
        words = f": {', '.join(field.words)}" if field.kind == "choice" else ""
        left_out = "" if field.required else ", may be left out"
        rule = f" [{field.rule}]" if field.rule else ""
        yield f"{indent}{field.id}  {field.title} ({field.kind}{words}{left_out}){rule}"
        yield from _field_lines(field.fields, indent + "  ")


def area_lines(area: Area) -> Iterator[str]:
    """How to place a unit freely: what to type, in which forms, and how far the legal area goes."""
    start = area.start
    forms = [form.name for form in area.forms()]
    shown = area.polygons(start.form or next(iter(forms), ""), start.heading)
    if points := [point for polygon in shown for point in polygon[0]]:
        across, down = [x for x, _ in points], [y for _, y in points]
        reach = f", from {place(min(across), min(down))} to {place(max(across), max(down))}"
    else:
        reach = ""
    word = " [" + "|".join(forms) + "]" if len(forms) > 1 else ""
    yield f"  or anywhere in reach: {area.verb} ACROSS DOWN HEADING{word} [MODEL@ACROSS,DOWN …]{reach}"
    yield f"  it is now at: {start.key(area.verb)}"


def preview_lines(preview: PreviewView) -> Iterator[str]:
    """What a pose would come to: whether it is legal, what it costs, where each model would stand."""
    for bar in preview.bars or [bar for bar in (preview.bar,) if bar is not None]:
        rule, source = f" [{bar.rule}]" if bar.rule else "", f" ({bar.source})" if preview.bars and bar.source else ""
        yield f"Not allowed: {bar.reason}{source}{rule}"
    yield from filter(None, [preview.cost, *preview.lines])
    for model in preview.models:
        yield f"  {model.id} at {place(model.x, model.y)}, heading {model.heading}"


def _alike(option: Option) -> tuple[str, str, str]:
    return option.key.rpartition(" ")[0], option.unit, option.rule


def brief_option_lines(ask: Ask, names: Mapping[str, str], hints: Mapping[str, str] = NO_NAMES) -> Iterator[str]:
    """The options of a question; a long row of keys that differ in their last word alone is told as a row."""
    numbered = list(enumerate(ask.options, 1))
    for (stem, unit, rule), found in groupby(numbered, key=lambda each: _alike(each[1])):
        row = list(found)
        if not stem or len(row) < ROW:
            yield from (option_line(number, option, names, hints.get(option.key, "")) for number, option in row)
            continue
        who = f"{names[unit]}: " if unit in names else ""
        ends = " ".join(option.key.rpartition(" ")[2] for _, option in row)
        yield f"{row[0][0]:>4}–{row[-1][0]}  {who}{stem} …" + (f" [{rule}]" if rule else "") + " with one of"
        yield from wrap(ends, 100, initial_indent=" " * 10, subsequent_indent=" " * 10)
    if ask.area is not None:
        yield from area_lines(ask.area)
    if ask.draft is not None:
        yield from draft_lines(ask.draft)


def ask_head(ask: Ask) -> str:
    """The question itself."""
    return f"{side_name(ask.side)}: {ask.prompt}" + (f" [{ask.rule}]" if ask.rule else "")


def faces_wanted(session: Session, ask: FacesAsk, side: str = "") -> Iterator[str]:
    """Whose dice are wanted, what they decide, which faces there are and what each means."""
    throw, game = ask.throw, session.game
    known = not throw.seen_by or side in ("", throw.seen_by)
    about = game.names(session.seen).get(throw.unit, throw.unit) if known else ""
    purpose = "".join([f" for {ask.what}" if ask.what else "", f", {about}" if about else ""])
    rules = f" [{', '.join(throw.rules)}]" if throw.rules else ""
    by = f" by {side_name(throw.side)}" if throw.side else ""
    if ask.names:
        yield f"To be drawn{by}: {ask.what}{f', {about}' if about else ''}{rules}, one of these"
        for thing, many in ask.things.items():
            yield f"    {name_of_thing(thing)}: {many} of {ask.sides}"
        return
    yield f"Dice wanted: {ask.number}d{ask.sides}{by}{purpose}{rules}"
    for tally in ask.tallies:
        yield f"    {tally.say(game.phrases)}"
    small = SMALL.get(ask.sides, "")
    yield f"    {'each die' if ask.number > 1 else 'the die'} shows 1 to {ask.sides}{small}"
    if not throw.seen_by or not side:
        for faces, meaning in session.readings():
            yield f"    {faces}: {meaning}"


# ---- what happened -----------------------------------------------------------------------------------


def event_lines(
    events: Iterable[Event],
    phrases: Mapping[str, str],
    names: Mapping[str, str],
    *,
    side: str = "",
    tallies: bool = True,
    answers: bool = False,
) -> Iterator[str]:
    """Events as sentences with their rules, the tallies of a roll below it; for one side, or for the referee."""
    for event in events:
        if (side and event.seen_by not in ("", side)) or (isinstance(event, Asked) and not answers):
            continue
        rules = f" [{', '.join(event.rules)}]" if event.rules else ""
        who = f"{side_name(event.side)}: " if isinstance(event, Rolled) and event.side else ""
        yield f"{who}{event.say(names)}{rules}"
        if tallies and isinstance(event, Rolled):
            for tally in event.tallies:
                yield f"    {tally.say(phrases)}"


# ---- the state ---------------------------------------------------------------------------------------


def referee_view(session: Session) -> View:
    """Everything there is: the view of each side taken together."""
    views = [session.game.view(session.seen, side) for side in session.scenario.sides]
    units: dict[str, UnitView] = {}
    for view in views:
        for unit in view.units:
            if unit.id not in units or unit.side == view.side:
                units[unit.id] = unit
    markers: list[MarkerView] = []
    for view in views:
        markers += [marker for marker in view.markers if marker not in markers]
    first = views[0]
    tracks: dict[str, dict[str, Any]] = {}
    for view in views:
        for name, values in view.tracks.items():
            track = tracks.setdefault(name, {})
            track.update({key: value for key, value in values.items() if key not in track or key == view.side})
    return View(
        game=first.game,
        scenario=first.scenario,
        side="",
        map=first.map,
        turn=first.turn,
        phase=first.phase,
        active=first.active,
        tracks=tracks,
        units=list(units.values()),
        markers=markers,
    )


def view_of(session: Session, side: str) -> View:
    """What a side may see, or all there is for the referee ("")."""
    return session.game.view(session.seen, side) if side else referee_view(session)


def head_line(view: View) -> str:
    """Where the battle stands."""
    parts = [f"Turn {view.turn}", view.phase.replace("_", " ")]
    for name, values in view.tracks.items():
        filled = [f"{key} {_short(value)}" for key, value in values.items() if value not in ("", [], {}, None)]
        if filled and any(values.values()) and name.casefold() != "turn":
            parts.append(f"{name.replace('_', ' ')}: {', '.join(filled)}")
    return " · ".join(parts)


def show_units(view: View, side: str = "") -> None:
    """The units of a view as a table."""
    units = [unit for unit in view.units if not side or unit.side == side]
    rows = [
        (
            unit.id,
            unit.name,
            unit.side,
            unit.place + (f" facing {unit.facing}" if unit.facing else ""),
            ", ".join([*unit.states, *([f"with {unit.with_unit}"] if unit.with_unit else [])]),
            ", ".join(f"{key.replace('_', ' ')} {_short(value)}" for key, value in unit.stats.items()),
        )
        for unit in units
    ]
    table(("unit", "name", "side", "place", "states", "values"), rows)


def _short(value: Any) -> str:
    """A figure in a cell; of a list of records only what each is and how many, for the rest is in the JSON."""
    if isinstance(value, list | tuple) and len(value) and all(isinstance(each, dict) for each in value):
        if any("no." in each for each in value):  # a row of weapons: their names and how many
            named = [(next(iter(each.values()), ""), each["no."]) for each in value]
            return ", ".join(str(name) if number == 1 else f"{number} × {name}" for name, number in named)
        return "; ".join(_record_words(each) for each in value)
    if isinstance(value, dict):
        return " ".join(f"{key} {_short(each)}" for key, each in value.items())
    return "/".join(map(_short, value)) if isinstance(value, list | tuple) else str(value)


def _record_words(record: Mapping[str, Any]) -> str:
    """A record of a list: what it is, then its figures."""
    first, *rest = record.items()
    return " ".join([str(first[1]), *(f"{key} {_short(value)}" for key, value in rest)])


def figures_line(figures: Mapping[str, Any]) -> str:
    """Figures in a row: "fp 4, range 6"."""
    return ", ".join(f"{key} {_short(value)}" for key, value in figures.items())


def unit_sheet(sheet: UnitSheet) -> Iterator[str]:
    """A unit of the roster with all its figures, and each weapon with what it does at which range."""
    years = f" {sheet.years[0]}-{sheet.years[1]}" if sheet.years[1] else ""
    yield f"{sheet.id}: {sheet.name}, {sheet.nation} {sheet.kind}{years} ({sheet.provenance})"
    yield f"    {figures_line(sheet.figures)}"
    for weapon in sheet.weapons:
        yield f"    {weapon.name}: {figures_line(weapon.figures)}".rstrip(": ")
        for band in weapon.bands:
            (first, where), *rest = band.items()
            yield f"        {first} {where}: {figures_line(dict(rest))}"


def show_state(view: View) -> None:
    """The state: tracks, units and markers."""
    say(head_line(view))
    show_units(view)
    for marker in view.markers:
        facing = f"facing {marker.facing}" if marker.facing else ""
        words = (marker.side, marker.kind.replace("_", " "), marker.text, facing)
        say(f"* {marker.place}: {' '.join(word for word in words if word)}")


# ---- odds and luck -----------------------------------------------------------------------------------


def percent(probability: Fraction) -> str:
    """A probability for people."""
    return f"{float(probability) * 100:.2f} %"


def show_odds(odds: Odds, phrases: Mapping[str, str]) -> None:
    """A distribution with the tallies behind it, what is assumed, and what each side does to the other."""
    said: dict[tuple[str, str], list[Tally]] = {}
    for roll, tally, side in odds.tallies:
        said.setdefault((roll, side), []).append(tally)
    both = len({side for _, side in said}) > 1
    for (roll, side), tallies in said.items():
        say(f"{roll} ({side_name(side)}):" if both else f"{roll}:")
        for tally in tallies:
            say(f"    {tally.say(phrases)}")
    for assumed in odds.assumed:
        say(assumed.text)
    if odds.reached < 1:
        say(f"Play gets as far as the last answer {percent(odds.reached)} of the time; otherwise it ends sooner.")
    for prompt in odds.ends if not any(outcome.changes for outcome in odds.outcomes) else ():
        say(f"These odds stop at the question “{prompt}”")
    if odds.anyway:
        say(f"In any case: {'; '.join(change.say(odds.names) for change in odds.anyway)}")
    likely, rare = odds.outcomes[:OUTCOMES], odds.outcomes[OUTCOMES:]
    chances = [(outcome.probability, outcome.text) for outcome in likely]
    if rare:
        chances.append(
            (sum((outcome.probability for outcome in rare), Fraction()), f"one of {len(rare)} rarer outcomes")
        )
    _lines(odds, chances)
    if len(odds.outcomes) > PARTS_FROM:
        say("Each on its own (they overlap, so they don't add up to 100 %):")
        _lines(odds, [(part.probability, part.text) for part in odds.parts])
    how = "exact" if odds.exact else f"about, from {odds.paths} samples"
    say(f"Any harm ({how}):")
    sums = [(odds.to_them, typer.style("you to them", fg="green")), (odds.to_us, typer.style("they to you", fg="red"))]
    if odds.besides:
        sums.append((odds.besides, "anything else"))
    _lines(odds, sums)


def _lines(odds: Odds, chances: Sequence[tuple[Fraction, str]]) -> None:
    """Chances in lines, each with its fraction where that is exact."""
    width = max((len(str(probability)) for probability, _ in chances), default=0)
    for probability, text in chances:
        fraction = f"  {probability!s:>{width}}" if odds.exact else ""
        say(f"{percent(probability):>9}{fraction}  {text}")


def show_luck(report: Mapping[str, Mapping[str, Luck]]) -> None:
    """What each side rolled against what it could expect."""
    rows = []
    for side, kinds in report.items():
        for what, luck in kinds.items():
            rows.append((side, what, luck.rolls, f"{luck.value:g}", f"{luck.expected:.1f}", f"{luck.deviations:+.2f}"))
    if rows:
        table(("side", "roll", "rolls", "value", "expected", "deviations"), rows, right=(2, 3, 4, 5))
    else:
        say("No dice have been rolled.")


# ---- honesty -----------------------------------------------------------------------------------------


def wrong_rolls(session: Session) -> list[int]:
    """The rolls of the log that do not follow from the seed: none, unless somebody changed a die.

    A roll without faces was made in secret, and the log does not keep what it showed.
    """
    dice = session.dice
    assert isinstance(dice, FairDice)
    wrong = []
    for count, event in enumerate(rolls(session), 1):
        number, sides, _ = pool(event.dice)
        if event.faces and fair_faces(dice.seed, count, number, sides) != event.faces:
            wrong.append(count)
    return wrong


def rolls(session: Session) -> list[Rolled]:
    """Every roll that has been made."""
    return [event for event in session.log if isinstance(event, Rolled)]
