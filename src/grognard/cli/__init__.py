"""The command line. Commands are declared here and do their work in the modules beside, imported when they run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from grognard.cli import lab

__all__ = ["app", "main"]


class _Friendly(TyperGroup):
    """Whatever Grognard refuses is told on stderr, without a traceback, and ends with code 2."""

    def invoke(self, ctx: Any) -> Any:
        from grognard.core.errors import GrognardError, MalformedError

        try:
            return super().invoke(ctx)
        except MalformedError as error:
            typer.echo(str(error), err=True)
        except GrognardError as error:
            typer.echo(f"grognard: {error}", err=True)
        except BrokenPipeError:
            raise
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            typer.echo(f"grognard: {place}{error.strerror or error}", err=True)
        raise typer.Exit(2)


app = typer.Typer(
    cls=_Friendly,
    help="World War II tactical wargames by the book: every die roll explains itself.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
AsSide = Annotated[str, typer.Option("--as", metavar="SIDE", help="See what this side may see; all of it if left out.")]
GameName = Annotated[str, typer.Option("--game", metavar="GAME", help="Only this game.")]
Port = Annotated[
    int | None, typer.Option(min=0, max=65535, metavar="N", help="Where to listen; 8642 or any free one if left out.")
]
Database = Annotated[
    str,
    typer.Option(metavar="URL", help="Where games are kept: sqlite:///FILE or postgresql://…; your own if left out."),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Tell of every call.")]
Position = Annotated[str, typer.Argument(metavar="SITUATION", help="A situation, a scenario or a saved game.")]


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"grognard {version('grognard')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    pass


@app.command()
def scenarios(game: GameName = "", json: Json = False) -> None:
    """List the scenarios that can be played."""
    from grognard.cli.library import list_scenarios

    list_scenarios(game, json)


@app.command()
def play(
    scenario: Annotated[
        str,
        typer.Argument(
            metavar="[SCENARIO]",
            help="A name, a .toml file, or random:size=small,seed=7. Left out: the battle that you were in, or else "
            "a guided one; with --text the smallest.",
        ),
    ] = "",
    text: Annotated[bool, typer.Option("--text", help="Play in the terminal, by typing.")] = False,
    sides: Annotated[
        str, typer.Option(metavar="WHO,WHO", help="Who plays each side, in order, such as human,random.")
    ] = "",
    seed: Annotated[str, typer.Option(metavar="N", help="The seed of the dice: any number or word.")] = "",
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the game in this file.")] = None,
    load: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a saved game.")] = None,
    solo: Annotated[bool, typer.Option("--solo", help="Undo goes back past dice and secrets.")] = False,
    own_dice: Annotated[bool, typer.Option("--own-dice", help="You throw real dice and type what they show.")] = False,
    board: Annotated[bool, typer.Option(help="Draw the board whenever it has changed.")] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Without the log, when no human plays.")] = False,
    game: GameName = "",
    json: Json = False,
    browser: Annotated[
        bool, typer.Option(help="Open a browser on the battle; the link is printed in any case.")
    ] = True,
    port: Port = None,
    database: Database = "",
    verbose: Verbose = False,
) -> None:
    """Play a battle in the browser, or in the terminal with --text."""
    from grognard.cli.play import Wishes, play_battle

    play_battle(
        Wishes(
            scenario=scenario,
            text=text,
            sides=sides,
            seed=seed,
            save=save,
            load=load,
            solo=solo,
            own_dice=own_dice,
            board=board,
            quiet=quiet,
            game=game,
            json=json,
            browser=browser,
            port=port,
            database=database,
            verbose=verbose,
        )
    )


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 for all there is.")
    ] = "127.0.0.1",
    port: Port = None,
    database: Database = "",
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A name that the server may be called by; repeat it.")
    ] = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="A proxy on this machine tells who calls (X-Forwarded-For).")
    ] = False,
    verbose: Verbose = False,
) -> None:
    """Serve battles to browsers until Ctrl-C."""
    from grognard.cli.serve import serve_battles

    serve_battles(host, port, database, allow_host or [], behind_proxy, verbose)


@app.command("try")
def try_(
    situation: Position,
    do: Annotated[
        list[str] | None, typer.Option("--do", metavar="KEY", help="Answer with this option; repeat it.")
    ] = None,
    dice: Annotated[str, typer.Option(metavar="3,4,6", help="The faces of the dice to come.")] = "",
    side: AsSide = "",
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the position, to go on from it.")] = None,
    game: GameName = "",
    json: Json = False,
) -> None:
    """Referee a position: what may be done, and what comes of it with the dice you rolled."""
    from grognard.cli.referee import try_position

    try_position(situation, do or [], dice, side, save, game, json)


@app.command()
def odds(
    situation: Position,
    keys: Annotated[list[str], typer.Argument(metavar="KEY", help="The answers, one after the other.")],
    game: GameName = "",
    json: Json = False,
) -> None:
    """The exact chances of what an answer leads to, and the tallies behind them."""
    from grognard.cli.referee import show_odds

    show_odds(situation, keys, game, json)


@app.command()
def advise(
    situation: Position,
    player: Annotated[
        str, typer.Option(metavar="PLAYER", help="Who advises: greedy is quick, search looks ahead.")
    ] = "greedy",
    seconds: Annotated[float, typer.Option(min=0.05, metavar="S", help="How long it may think.")] = 2.0,
    side: Annotated[str, typer.Option(metavar="SIDE", help="Refuse if it is not this side that is asked.")] = "",
    do: Annotated[
        list[str] | None, typer.Option("--do", metavar="KEY", help="First answer with this option; repeat it.")
    ] = None,
    options: Annotated[int, typer.Option(min=1, max=8, metavar="N", help="How many options are shown.")] = 5,
    workers: Annotated[int, typer.Option(min=1, max=64, metavar="N", help="Processes that search together.")] = 1,
    seed: Annotated[str, typer.Option(metavar="N", help="The seed of dice thrown before the question.")] = "1",
    game: GameName = "",
    json: Json = False,
) -> None:
    """What a good player would do here, and why."""
    from grognard.cli.advise import Question, advise_position

    advise_position(Question(situation, player, seconds, side, do or [], options, workers, seed, game, json))


@app.command()
def tournament(
    players: Annotated[str, typer.Option(metavar="A,B,…", help="The programs that take part.")] = "greedy,random",
    scenarios: Annotated[str, typer.Option(metavar="X,Y,…", help="Where they meet, or all.")] = "all",
    games: Annotated[
        int, typer.Option(min=1, metavar="N", help="Games of each pair in each scenario; sides swap after every game.")
    ] = 2,
    seconds: Annotated[
        float | None, typer.Option(min=0.01, metavar="S", help="How long each may think; its own time if left out.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, max=256, metavar="J", help="Processes that play at once.")] = 1,
    by_work: Annotated[
        bool, typer.Option("--by-work", help="Count a player's own work, not the time of day: for a busy machine.")
    ] = False,
    seed: Annotated[str, typer.Option(metavar="N", help="The seed of all dice: any number or word.")] = "1",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every game and the ratings as JSON.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the tournament in that file.")] = False,
    game: GameName = "",
    json: Json = False,
) -> None:
    """Let programs play against each other, and say how strong they are."""
    from grognard.cli.tournament import Wishes, hold_tournament

    hold_tournament(Wishes(players, scenarios, games, seconds, jobs, by_work, seed, out, game, json, resume))


@app.command()
def los(
    situation: Position,
    start: Annotated[str, typer.Argument(metavar="FROM", help="A unit or a place.")],
    end: Annotated[str, typer.Argument(metavar="TO", help="A unit or a place.")],
    side: AsSide = "",
    game: GameName = "",
    json: Json = False,
) -> None:
    """Line of sight: the answer, what was crossed, and the rules."""
    from grognard.cli.referee import show_sight

    show_sight(situation, start, end, side, game, json)


@app.command()
def rules(
    game: Annotated[str, typer.Argument(help="The game.")],
    id: Annotated[str, typer.Argument(metavar="[ID]", help="A rule such as 88.2, or a section such as 88.")] = "",
    coverage: Annotated[bool, typer.Option("--coverage", help="Which rules no test proves; code 1 if any.")] = False,
    search: Annotated[str, typer.Option(metavar="WORDS", help="The rules that have all of these words.")] = "",
    tests: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the tests are.")] = None,
    json: Json = False,
) -> None:
    """The rules of a game, in our own words."""
    from grognard.cli.library import show_coverage, show_rules

    if coverage:
        show_coverage(game, tests, json)
    else:
        show_rules(game, id, search, json)


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Scenarios, situations, maps, charts, saves.")],
    game: GameName = "",
    json: Json = False,
) -> None:
    """Say whether files are as they should be, and if not, everything that is wrong with them."""
    from grognard.cli.library import check_files

    check_files(files, game, json)


@app.command()
def force(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A force: the units that a player brings.")],
    game: GameName = "",
    json: Json = False,
) -> None:
    """Say what a force costs, and whether it keeps to the limits of its game."""
    from grognard.cli.library import show_force

    show_force(file, game, json)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved game.")],
    side: AsSide = "",
    json: Json = False,
) -> None:
    """Play a saved game again: its log, and whether it leads to the same state."""
    from grognard.cli.replay import replay_save

    replay_save(file, side, json)


@app.command()
def draw(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A map, a scenario, a situation or a saved game.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="OUT", help="A .svg, .geojson or .txt file; -")
    ] = "-",
    format: Annotated[str, typer.Option(metavar="FORMAT", help="svg, geojson or txt, where OUT does not tell.")] = "",
    side: AsSide = "",
    game: GameName = "",
) -> None:
    """Draw a map or a battle."""
    from grognard.cli.pictures import draw_file

    draw_file(file, output, format, side, game)


lab.add_commands(app)


def main() -> None:
    """The entry point of ``grognard``."""
    import sys

    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            # A terminal without some letter shows a question mark instead of ending the game.
            reconfigure(errors="replace")
    app()
