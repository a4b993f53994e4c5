"""The command line. Commands are declared here and do their work in the modules beside, imported when they run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from grognard.cli import lab

__all__ = ["app", "main"]

#: An error is told in so many letters; what somebody typed may be longer.
MOST_SAID = 4000


class _Friendly(TyperGroup):
    """Whatever Grognard refuses is told on stderr, without a traceback, and ends with code 2."""

    def invoke(self, ctx: Any) -> Any:
        from grognard.core.errors import GrognardError, MalformedError, plain

        try:
            return super().invoke(ctx)
        except MalformedError as error:
            typer.echo(str(error), err=True)
        except GrognardError as error:
            typer.echo(plain(f"grognard: {error}", MOST_SAID), err=True)
        except BrokenPipeError:
            raise
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            typer.echo(plain(f"grognard: {place}{error.strerror or error}", MOST_SAID), err=True)
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
AsSide = Annotated[
    str, typer.Option("--as", metavar="SIDE", help="Show only what this side can see; everything if left out.")
]
GameName = Annotated[str, typer.Option("--game", metavar="GAME", help="Only this game.")]
Port = Annotated[
    int | None, typer.Option(min=0, max=65535, metavar="N", help="The port; 8642, or any free one, if left out.")
]
Database = Annotated[
    str,
    typer.Option(
        metavar="URL", help="Where to keep games: sqlite:///FILE or postgresql://…; your own file if left out."
    ),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Log every request.")]
Position = Annotated[str, typer.Argument(metavar="SITUATION", help="A situation, a scenario or a saved game.")]


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"grognard {version('grognard')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


@app.command()
def scenarios(game: GameName = "", json: Json = False) -> None:
    """List the scenarios you can play."""
    from grognard.cli.library import list_scenarios

    list_scenarios(game, json)


@app.command()
def play(
    scenario: Annotated[
        str,
        typer.Argument(
            metavar="[SCENARIO]",
            help="A name, a .toml file, or random:size=small,seed=7. If left out: your last battle, or else "
            "a guided one; with --text, the smallest.",
        ),
    ] = "",
    text: Annotated[bool, typer.Option("--text", help="Play in the terminal by typing.")] = False,
    sides: Annotated[
        str, typer.Option(metavar="WHO,WHO", help="Who plays each side, in order, such as human,random.")
    ] = "",
    seed: Annotated[str, typer.Option(metavar="N", help="The seed of the dice: any number or word.")] = "",
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the game in this file.")] = None,
    load: Annotated[Path | None, typer.Option(metavar="FILE", help="Continue a saved game.")] = None,
    solo: Annotated[bool, typer.Option("--solo", help="Undo anything, even dice and secrets.")] = False,
    own_dice: Annotated[bool, typer.Option("--own-dice", help="Roll real dice and type the results.")] = False,
    board: Annotated[bool, typer.Option(help="Draw the board whenever it changes.")] = True,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Don't print the log (only if no person plays).")
    ] = False,
    game: GameName = "",
    json: Json = False,
    browser: Annotated[bool, typer.Option(help="Open the battle in a browser; the link is printed either way.")] = True,
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
        str, typer.Option(metavar="ADDRESS", help="The address to listen on; 0.0.0.0 for all.")
    ] = "127.0.0.1",
    port: Port = None,
    database: Database = "",
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A host name the server answers to; may be repeated.")
    ] = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="Trust X-Forwarded-For from a proxy on this machine.")
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
        list[str] | None, typer.Option("--do", metavar="KEY", help="Give this answer; may be repeated.")
    ] = None,
    dice: Annotated[str, typer.Option(metavar="3,4,6", help="The dice you rolled, in order.")] = "",
    side: AsSide = "",
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Save the position to this file.")] = None,
    game: GameName = "",
    json: Json = False,
) -> None:
    """Referee a position: what you can do, and what happens with the dice you rolled."""
    from grognard.cli.trying import try_position

    try_position(situation, do or [], dice, side, save, game, json)


@app.command()
def odds(
    situation: Position,
    keys: Annotated[list[str], typer.Argument(metavar="KEY", help="The answers, in order.")],
    game: GameName = "",
    json: Json = False,
) -> None:
    """The exact chances of what an answer leads to, and the tallies behind them."""
    from grognard.cli.referee import show_odds

    show_odds(situation, keys, game, json)


@app.command()
def why(
    situation: Position,
    words: Annotated[
        str, typer.Argument(metavar="WORDS", help="What you want to do, such as 'g3 fire a7' or 'move g3 D8'.")
    ],
    do: Annotated[
        list[str] | None, typer.Option("--do", metavar="KEY", help="Give this answer first; may be repeated.")
    ] = None,
    side: AsSide = "",
    game: GameName = "",
    json: Json = False,
) -> None:
    """Why something is not allowed here, with the rule."""
    from grognard.cli.referee import explain

    explain(situation, words, do or [], side, game, json)


@app.command()
def advise(
    situation: Position,
    player: Annotated[
        str, typer.Option(metavar="PLAYER", help="Who advises: greedy is quick, search looks ahead.")
    ] = "greedy",
    seconds: Annotated[float, typer.Option(min=0.05, metavar="S", help="How long it may think.")] = 2.0,
    side: Annotated[str, typer.Option(metavar="SIDE", help="Stop if another side is to answer.")] = "",
    do: Annotated[
        list[str] | None, typer.Option("--do", metavar="KEY", help="Give this answer first; may be repeated.")
    ] = None,
    options: Annotated[int, typer.Option(min=1, max=8, metavar="N", help="How many options to show.")] = 5,
    workers: Annotated[int, typer.Option(min=1, max=64, metavar="N", help="How many processes search together.")] = 1,
    seed: Annotated[str, typer.Option(metavar="N", help="The seed for dice rolled before the question.")] = "1",
    game: GameName = "",
    json: Json = False,
) -> None:
    """What a good player would do here, and why."""
    from grognard.cli.advise import Question, advise_position

    advise_position(Question(situation, player, seconds, side, do or [], options, workers, seed, game, json))


@app.command()
def tournament(
    players: Annotated[
        str, typer.Option(metavar="A,B,…", help="The computer players that take part.")
    ] = "greedy,random",
    scenarios: Annotated[str, typer.Option(metavar="X,Y,…", help="The scenarios they play, or all.")] = "all",
    games: Annotated[
        int, typer.Option(min=1, metavar="N", help="Games per pair and scenario; players swap sides after every game.")
    ] = 2,
    seconds: Annotated[
        float | None, typer.Option(min=0.01, metavar="S", help="How long each may think; its usual time if left out.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, max=256, metavar="J", help="How many games run at once.")] = 1,
    by_work: Annotated[
        bool, typer.Option("--by-work", help="Measure processor time, not clock time: for a busy machine.")
    ] = False,
    seed: Annotated[str, typer.Option(metavar="N", help="The seed of all dice: any number or word.")] = "1",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every game and the ratings as JSON.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the tournament in that file.")] = False,
    game: GameName = "",
    json: Json = False,
) -> None:
    """Let computer players play each other, and rate them."""
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
    """Line of sight: clear or blocked, what it crosses, and the rules."""
    from grognard.cli.referee import show_sight

    show_sight(situation, start, end, side, game, json)


@app.command()
def units(
    game: Annotated[str, typer.Argument(help="The game.")],
    word: Annotated[str, typer.Argument(metavar="[WORD]", help="Only units with this word, such as tank.")] = "",
    json: Json = False,
) -> None:
    """The units of a game with their figures: counters, types and weapons."""
    from grognard.cli.library import show_units

    show_units(game, word, json)


@app.command()
def rules(
    game: Annotated[str, typer.Argument(help="The game.")],
    id: Annotated[
        str, typer.Argument(metavar="[ID]", help="A rule such as 88.2, a section such as 88, or a tag from a counter.")
    ] = "",
    coverage: Annotated[
        bool, typer.Option("--coverage", help="List rules no test proves; exit code 1 if any.")
    ] = False,
    search: Annotated[str, typer.Option(metavar="WORDS", help="Find the rules with all of these words.")] = "",
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
    """Check files and list everything that is wrong with them."""
    from grognard.cli.library import check_files

    check_files(files, game, json)


@app.command()
def force(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A force: the units a player brings.")],
    game: GameName = "",
    json: Json = False,
) -> None:
    """What a force costs, and whether it keeps to the limits of its game."""
    from grognard.cli.library import show_force

    show_force(file, game, json)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved game.")],
    side: AsSide = "",
    json: Json = False,
) -> None:
    """Replay a saved game: print its log and check that it ends in the same state."""
    from grognard.cli.replay import replay_save

    replay_save(file, side, json)


@app.command()
def draw(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A map, a scenario, a situation or a saved game.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="OUT", help="A .svg, .geojson or .txt file; -")
    ] = "-",
    format: Annotated[str, typer.Option(metavar="FORMAT", help="svg, geojson or txt, if OUT doesn't say.")] = "",
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
