"""The player is asked in the middle of the other's move: what the panel says, orders, reloads, kills, two windows."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from grognard.core.open_files import open_save
from tests.browser.conftest import Window
from tests.browser.desk import Desk, Opponent, path, sit_down, until
from tests.server.live import Live, Table

Picture = Callable[[Page, str], None]
#: With this seed the Germans begin.
GERMANS_FIRST = {"game": "ost", "scenario": "training_ground", "seed": "7"}


def walk_into_fire(table: Table) -> Opponent:
    """The Germans move in sight of the Americans, who are asked now."""
    german = Opponent(table, "german")
    german.answers("move g1", "step G2")
    return german


def in_reaction(desk: Desk, place: str = "G2") -> None:
    """Wait until the player is asked about the unit in this hex."""
    expect(desk.reaction).to_contain_text(f"Opportunity Fire at German Rifle Squad in {place}?")


def test_a_reaction_shows_shooter_mover_and_odds(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(**GERMANS_FIRST)
    desk = sit_down(window, table, "american")
    desk.is_asked("Waiting for German")
    german = walk_into_fire(table)
    in_reaction(desk)
    desk.is_asked("Opportunity Fire at German Rifle Squad in G2?")
    session = open_save("battle.save", table.call("GET", "/save", "american").content)
    ways = [option["key"] for option in table.state("american")["view"]["ask"]["options"] if option["key"] != "pass"]
    chances = sorted((round(float(session.odds(key).to_them) * 100) for key in ways), reverse=True)
    buttons = desk.reaction.get_by_role("list", name="Who reacts").get_by_role("button")
    expect(buttons).to_have_count(len(ways))
    for at, chance in enumerate(chances):  # the best first
        expect(buttons.nth(at)).to_contain_text(f"{chance} %")
    for text in buttons.all_inner_texts():
        assert re.search(r"(MMG|American Rifle Squad \d): .*German Rifle Squad", " ".join(text.split())), text
        assert "range" in text
    expect(desk.unit("g1")).to_have_attribute("aria-label", re.compile("target"))
    picture(desk.page, "reaction")

    # One key lets it be, and the move goes on.
    desk.press("p")
    expect(desk.reaction).to_have_count(0)
    # As long as the odds are not there, the order is not final, and no number fires the wrong gun.
    held: list[Route] = []
    open_at_last: list[bool] = []
    desk.page.route("**/odds", lambda route: route.continue_() if open_at_last else held.append(route))
    german.answers("step G3")
    in_reaction(desk, "G3")
    number = buttons.first.get_by_text("1", exact=True)
    expect(number).to_be_hidden()
    desk.press("1")
    open_at_last.append(True)
    for route in held:
        route.continue_()
    expect(number).to_be_visible()
    in_reaction(desk, "G3")
    # Then a number fires.
    first = " ".join(buttons.first.inner_text().split())
    desk.press("1")
    expect(desk.log_line("ICT attack")).to_contain_text("German Rifle Squad")
    declared = [line["text"] for line in table.state("american")["view"]["log"] if line["kind"] == "Declared"]
    shooter = re.match(r"1 (.*?): ", first)
    assert shooter is not None and shooter[1] in declared[-1], (first, declared)


def test_a_reload_in_the_middle_of_a_reaction(window: Window, live: Live) -> None:
    table = live.make(**GERMANS_FIRST)
    desk = sit_down(window, table, "american")
    german = walk_into_fire(table)
    in_reaction(desk)
    before = table.state("american")
    desk.page.reload()
    in_reaction(desk)
    assert table.state("american")["seq"] == before["seq"]
    desk.reaction.locator("[data-part=pass]").click()
    expect(desk.reaction).to_have_count(0)
    assert german.asked()["view"]["ask"]["prompt"].startswith("Move German Rifle Squad in G2")


@contextmanager
def serving(port: int, database: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server of its own, as a user starts it; killed at the end."""
    command = [sys.executable, "-m", "grognard", "serve", "--port", str(port), "--database", database]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        until(lambda: is_up(port), "the server is up")
        yield server
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait(20)


def is_up(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/api/health").status_code == 200
    except httpx.TransportError:
        return False


class Elsewhere(Live):
    """A server in another process."""

    def __init__(self, url: str) -> None:
        self.url, self.web = url, httpx.Client(base_url=url, timeout=30)


def test_the_server_is_killed_in_the_middle_of_a_reaction(window: Window, tmp_path: Path, picture: Picture) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    database, there = f"sqlite:///{tmp_path / 'games.sqlite'}", Elsewhere(f"http://127.0.0.1:{port}")
    with serving(port, database):
        table = there.make(**GERMANS_FIRST)
        desk = sit_down(window, table, "american", home=there.url)
        # It dies before it has told the odds.
        desk.page.route("**/odds", lambda route: route.abort("connectionrefused"))
        german = walk_into_fire(table)
        in_reaction(desk)
        before = table.state("american")
    lost = desk.page.get_by_role("status").filter(has_text=re.compile("offline|connect", re.IGNORECASE))
    expect(lost.first).to_be_visible()
    in_reaction(desk)  # what is known stays on the table
    picture(desk.page, "server-gone")
    desk.page.unroute("**/odds")
    with serving(port, database):
        expect(lost).to_have_count(0, timeout=30_000)
        in_reaction(desk)
        assert table.state("american")["view"]["ask"] == before["view"]["ask"]
        for way in desk.reaction.get_by_role("list", name="Who reacts").get_by_role("button").all():
            expect(way).to_contain_text(re.compile(r"\d %"))
        desk.press("p")
        expect(desk.reaction).to_have_count(0)
        german.answers("step G3")
        in_reaction(desk, "G3")  # the line to the new server is open: it is told without a reload
    there.web.close()


def test_standing_orders(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(**GERMANS_FIRST)
    desk = sit_down(window, table, "american")
    german = walk_into_fire(table)
    in_reaction(desk)
    desk.reaction.get_by_role("button", name="Standing orders").click()
    orders = desk.page.get_by_role("dialog", name="Standing orders")
    expect(orders).to_contain_text("You have no standing orders")
    orders.get_by_role("combobox", name="Pass").select_option("opportunity fire")
    orders.get_by_role("radio", name="when the chance of an effect is below").check()
    orders.get_by_role("spinbutton", name="Percent").fill("99")
    orders.get_by_role("button", name="Add this order").click()
    expect(orders.get_by_role("listitem")).to_contain_text(
        "Pass “opportunity fire” when the chance of an effect is below 99 %."
    )
    picture(desk.page, "standing-orders")
    orders.get_by_role("button", name="Close").click()

    # It answers the question that stands, and the next one.
    german.answers("step G1", "stop")
    desk.is_asked("Your Impulse")
    expect(desk.reaction).to_have_count(0)
    given = [line["text"] for line in table.state("american")["view"]["log"] if "standing order" in line["text"]]
    assert len(given) == 2, given

    desk.open_tab("Orders")
    desk.options.get_by_role("button", name="Standing orders").click()
    orders.get_by_role("button", name="Take back").click()
    expect(orders).to_contain_text("You have no standing orders")
    orders.get_by_role("button", name="Close").click()
    until(lambda: table.state("american")["orders"] == [], "the order is taken back")


def test_a_card_has_the_usual_standing_order_on_itself(window: Window, live: Live) -> None:
    table = live.make(**GERMANS_FIRST)
    desk = sit_down(window, table, "american")
    walk_into_fire(table)
    in_reaction(desk)
    less = desk.reaction.get_by_role("button", name="Don’t ask me below 15 %")
    less.click()
    until(lambda: table.state("american")["orders"], "the order is given")
    (order,) = table.state("american")["orders"]
    assert (order["reaction"], order["below"]) == ("opportunity fire", 0.15)
    # It is likelier than that here: the question stands, and the order need not be given twice.
    in_reaction(desk)
    expect(less).to_have_count(0)


def test_no_more_reactions_this_turn(window: Window, live: Live) -> None:
    table = live.make(**GERMANS_FIRST)
    desk = sit_down(window, table, "american")
    german = walk_into_fire(table)
    in_reaction(desk)
    desk.reaction.get_by_role("button", name="for the rest of this turn").click()
    german.answers("step G1", "stop")
    desk.is_asked("Your Impulse")
    until(lambda: len(table.state("american")["orders"]) == 1, "the order is given")
    assert [order["reaction"] for order in table.state("american")["orders"]] == ["opportunity fire"]


def test_two_windows_of_one_seat(window: Window, live: Live) -> None:
    table = live.make(**GERMANS_FIRST)
    one = sit_down(window, table, "american")
    news = News()
    page = window("/", pace="off")
    page.route_web_socket("**/socket", news.pass_on)
    page.goto(path(table, "american"))
    two = Desk(page, table, "american")
    german = walk_into_fire(table)
    in_reaction(one)
    in_reaction(two)
    one.press("p")
    for desk in (one, two):  # the other window follows
        expect(desk.reaction).to_have_count(0)
    german.answers("step G3")
    in_reaction(one, "G3")
    in_reaction(two, "G3")

    # One window is cut off and answers an old question: it is refused, says so, and catches up.
    news.held = True
    one.press("p")
    german.answers("step G4")
    in_reaction(one, "G4")
    in_reaction(two, "G3")
    two.page.keyboard.press("p")
    in_reaction(two, "G4")
    expect(two.page.get_by_role("alert").filter(has_text=re.compile(r"\w"))).to_be_visible()
    # The refused answer has not passed the new question.
    assert table.state("american")["waiting"] == "you"
    two.press("p")
    for desk in (one, two):
        expect(desk.reaction).to_have_count(0)


class News:
    """What the server tells a window by itself; it can be held back."""

    def __init__(self) -> None:
        self.held = False

    def pass_on(self, socket: WebSocketRoute) -> None:
        """Stand between a window and the server."""
        server = socket.connect_to_server()
        server.on_message(lambda said: None if self.held else socket.send(said))


def test_a_doubled_click_answers_once(window: Window, live: Live) -> None:
    table = live.make(**GERMANS_FIRST)
    desk = sit_down(window, table, "american")
    german = walk_into_fire(table)
    in_reaction(desk)
    sent: list[str] = []
    desk.page.on("request", lambda asked: sent.append(asked.url) if asked.url.endswith("/answer") else None)
    desk.reaction.locator("[data-part=pass]").dblclick()
    expect(desk.reaction).to_have_count(0)
    german.answers("step G3")
    in_reaction(desk, "G3")
    assert len(sent) == 1, sent
    # A doubled key neither.
    desk.press("p", "p")
    expect(desk.reaction).to_have_count(0)
    german.answers("step G4")
    in_reaction(desk, "G4")
    assert len(sent) == 2, sent
