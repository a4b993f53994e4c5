"""The commands of the lab, declared; they do their work in the modules beside, imported when they run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Words = Annotated[
    list[str],
    typer.Argument(metavar="SCENARIO…", help="Scenario names or .toml files; a game's name for all its scenarios."),
]
Games = Annotated[int, typer.Option("--games", "-n", min=1, metavar="N", help="Games per scenario and seating.")]
Players = Annotated[str, typer.Option(metavar="WHO,WHO", help="Who plays each side, in the order of the sides.")]
Seed = Annotated[str, typer.Option(metavar="WORD", help="The seed of the whole run; a random one if left out.")]
Seconds = Annotated[
    float,
    typer.Option(min=0.0, metavar="S", help="Seconds per decision; 0 counts playouts instead, so that runs repeat."),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=0, metavar="J", help="Processes; 0 for one per core.")]
Ray = Annotated[
    str, typer.Option(metavar="ADDRESS", help="Play on a Ray cluster: auto, an address, or local to start one.")
]
Limit = Annotated[int, typer.Option(min=1, metavar="N", help="Stop a game after this many answers.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run.")]


def add_commands(app: typer.Typer) -> None:
    """Put the lab's commands beside the others."""
    app.command()(simulate)
    app.command()(balance)
    app.command()(report)
    app.command()(extract)


def simulate(
    scenarios: Words,
    games: Games = 100,
    players: Players = "greedy,greedy",
    swap: Annotated[bool, typer.Option("--swap", help="Play every game again with the players swapped.")] = False,
    seed: Seed = "",
    seconds: Seconds = 0.0,
    limit: Limit = 20_000,
    jobs: Jobs = 0,
    ray: Ray = "",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Keep rows and report in this folder.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the run in that folder.")] = False,
    json: Json = False,
) -> None:
    """Play scenarios many times and tell whom they favour, with a report."""
    from grognard.cli.simulate import Plan, run

    run(
        Plan(
            scenarios=scenarios,
            games=games,
            players=players,
            swap=swap,
            seed=seed,
            seconds=seconds,
            limit=limit,
            jobs=jobs,
            ray=ray,
            out=out,
            resume=resume,
            json=json,
        )
    )


def balance(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A name or a .toml file.")],
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, metavar="N", help="Games played with the best settings.")
    ] = 200,
    players: Players = "greedy,greedy",
    knobs: Annotated[
        str, typer.Option(metavar="NAME,NAME", help="Change only these: turns, impulse, lead, unit; all if left out.")
    ] = "",
    seed: Seed = "",
    limit: Limit = 20_000,
    jobs: Jobs = 0,
    ray: Ray = "",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the changed scenario here.")] = None,
    json: Json = False,
) -> None:
    """Look for the setting of a scenario that is nearest to even, and write it."""
    from grognard.cli.balance import Wish, run

    run(
        Wish(
            scenario=scenario,
            games=games,
            players=players,
            seed=seed,
            limit=limit,
            jobs=jobs,
            ray=ray,
            knobs=knobs,
            out=out,
            json=json,
        )
    )


def report(
    folder: Folder,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file to write; report.html in the folder if left out."
        ),
    ] = None,
) -> None:
    """Make the report of a run anew: one page with plots and maps."""
    from grognard.cli.simulate import write_report

    write_report(folder, output)


def extract(
    folder: Folder,
    number: Annotated[int, typer.Argument(metavar="NUMBER", min=0, help="The game's number in its row.")],
    output: Annotated[Path, typer.Argument(metavar="FILE", help="The saved game to write.")],
) -> None:
    """Take a game of a run out as a saved game, to replay or to play on from."""
    from grognard.cli.simulate import extract_game

    extract_game(folder, number, output)
