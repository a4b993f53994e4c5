"""Two at a battle: at one screen, by link, as a watcher; and moments given away. Nobody learns what is not theirs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.desk import path, sit_down, until
from tests.browser.rooms import Secrets, Wire, mentions, play_by_call, saved, secrets, set_up, take_in
from tests.server.live import Live, Table

Window = Callable[..., Page]
Picture = Callable[[Page, str], None]
WAITING = re.compile("Waiting for ")


def read(text: str) -> list[Any]:
    """The updates in what was told: messages of the socket and states."""
    body = text[text.index("{") :] if "{" in text else "null"
    try:
        told = json.loads(body)
    except ValueError:
        return []
    return [update for update in (told, told.get("update") if isinstance(told, dict) else None) if _is_update(update)]


def _is_update(told: Any) -> bool:
    return isinstance(told, dict) and "view" in told


def search(told: list[str], hidden: Secrets) -> int:
    """Fail if something that was told gives away what is hidden; how many views were searched."""
    for unit in hidden.units:
        assert not (found := mentions(told, unit)), f"{unit} is named: {found[0]}"
    views = [update["view"] for text in told for update in read(text)]
    for view in views:
        standing = {unit.get("place", "") for unit in view["units"] if unit["side"] == "german"}
        assert not standing & set(hidden.units.values())
        for marker in view["markers"]:
            assert hidden.fields.get(marker["place"]) != marker["kind"], marker
        for line in view.get("log", []):
            assert not tells_of_a_field(line, hidden), line
    return len(views)


def tells_of_a_field(line: Any, hidden: Secrets) -> bool:
    """Whether a line of the log is for the enemy alone, or speaks of what is hidden where it is hidden.

    Other things happen in the same hexes for all to see: smoke lies there, and who fires names his target.
    """
    kinds = {hidden.fields[place] for place in line.get("places", ()) if place in hidden.fields}
    return line["text"] in hidden.lines or any(kind in line["text"].lower() for kind in kinds)


def test_the_second_side_by_link_sees_no_secret(window: Window, live: Live) -> None:
    """A set-up with hidden guns and mines and two turns, with all traffic of the other side and a watcher searched."""
    table = live.make(scenario="mill_farm", seed="", invite=True, dice=b"two turns at the mill")
    pages = {side: window("about:blank", pace="off") for side in ("american", "watcher")}
    wires = {side: Wire(page) for side, page in pages.items()}
    for side, page in pages.items():
        page.goto(path(table, side))
        expect(page.get_by_role("application")).to_be_visible()
        if side != "watcher":
            page.get_by_role("button", name="To the map").click()
    play_by_call(table, 200, Random(5), lambda state: state["view"]["phase"] != "Set-up")
    hidden = secrets(live, table, "american")
    assert hidden.units and hidden.fields, "nothing is hidden, so nothing is tested"
    for side, page in pages.items():
        page.wait_for_function("() => document.querySelectorAll('[data-unit]').length > 10")
        assert search(wires[side].told(), hidden) > 10
    play_by_call(table, 25, Random(6))
    for side, page in pages.items():
        # The panels fetch more: log, tools, rules.
        for tab in ("Log", "Tools", "Orders"):
            page.get_by_role("tab", name=tab).click()
        hidden = secrets(live, table, side)  # some of it may have been found by now
        assert hidden.units or hidden.fields
        told = wires[side].told()
        assert search(told, hidden) > 10
        assert sum(map(len, told)) > 20_000
        for unit in hidden.units:
            expect(page.locator(f'[data-unit="{unit}"]')).to_have_count(0)
            assert not mentions([page.content()], unit)
    # The search itself would find them: their owner is told.
    own = table.state("german")
    assert all(mentions([json.dumps(own)], unit) for unit in hidden.units)
    assert any(tells_of_a_field(line, hidden) for line in own["view"]["log"])


def test_an_invitation(window: Window, live: Live, picture: Picture) -> None:
    """One makes a battle and copies the link; the other opens it elsewhere, and they play."""
    page = window("/", pace="off", theme="light")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Play Training Ground").click()
    dialog = page.get_by_role("dialog", name="Training Ground")
    dialog.get_by_role("radio", name="A friend, by link").check()
    dialog.get_by_role("radio", name="American").check()
    expect(dialog.get_by_role("checkbox", name="Free undo")).to_have_count(0)
    dialog.get_by_role("button", name="Start the battle").click()
    invite = page.get_by_role("dialog", name="Invite")
    link = invite.get_by_role("textbox", name="German").input_value()
    watch = invite.get_by_role("textbox", name="For a spectator").input_value()
    assert len({link, watch}) == 2
    picture(page, "invitation")
    invite.get_by_role("button", name="Copy").first.click()
    expect(invite.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied in (link, watch)
    invite.get_by_role("button", name="To the battle").click()
    bar = page.get_by_role("region", name="Your move")
    expect(bar).to_be_visible()

    friend = window(link.removeprefix(live.url), pace="off")
    watcher = window(watch.removeprefix(live.url), pace="off")
    expect(friend.get_by_role("application")).to_be_visible()
    expect(watcher.get_by_role("application")).to_be_visible()
    # Whoever comes by the link reads which side is his, what it must do to win, and whose move it is.
    welcome = friend.get_by_role("dialog")
    expect(welcome).to_contain_text("You play")
    expect(welcome).to_contain_text("To win")
    expect(welcome).to_contain_text(re.compile("your move|is to move"))
    picture(friend, "invited")
    welcome.get_by_role("button", name="To the map").click()
    expect(watcher.get_by_role("dialog")).to_have_count(0)
    # One of the two is asked; the other and the watcher wait, and can do nothing.
    decides = page.get_by_text("Your decision")
    expect(decides.or_(page.get_by_text(WAITING)).first).to_be_visible()
    mine = decides.count() > 0
    active, idle = (page, friend) if mine else (friend, page)
    expect(active.get_by_text("Your decision")).to_be_visible()
    expect(idle.get_by_text(WAITING).first).to_be_visible()
    expect(idle.locator("[data-part=pass]")).to_be_disabled()
    expect(watcher.locator("[data-part=pass]")).to_have_count(0)
    lines = watcher.locator("[data-part=log] li").last
    before = lines.inner_text()
    bar = active.get_by_role("region", name="Your move")
    bar.locator("button:enabled").filter(has_text=re.compile("^(Pass|Spend)")).first.click()
    # What one does the others see without touching anything.
    expect(lines).not_to_have_text(before)
    # The link can be had again later.
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("menuitem", name="Invitation link").click()
    again = page.get_by_role("dialog", name="Invite")
    expect(again.get_by_role("textbox", name="German")).to_have_value(link)


def test_a_wrong_seat_opens_nothing(window: Window, live: Live) -> None:
    table = live.make(scenario="training_ground", seed="", invite=True)
    page = window(f"/play/{table.id}#{'x' * 32}")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("application")).to_have_count(0)
    page.goto(f"/play/{table.id}")
    expect(page.get_by_role("alert")).to_contain_text("isn’t complete")


def test_hot_seat(window: Window, live: Live, picture: Picture) -> None:
    """Two at one screen: a curtain between the sides, and nothing of one side behind it or before the other."""
    table = take_in(live, set_up("mill_farm"))
    hidden = secrets(live, table, "american")
    assert hidden.units
    page = window(path(table, "german", "american"), pace="off", theme="light")
    seen: set[str] = set()
    for _ in range(12):
        curtain = page.get_by_role("dialog", name="to decide")
        bar = page.get_by_role("region", name="Your move")
        free, dear = (
            bar.locator("[data-part=pass]:enabled"),
            bar.get_by_role("button", name="Spend a point without acting"),
        )
        expect(curtain.or_(free).or_(dear).first).to_be_visible()
        if seen and table.asked() not in seen:  # what was asked before may still stand there
            expect(curtain).to_be_visible()
        if curtain.is_visible():
            # Behind the curtain there is no map, no unit, no log.
            expect(page.locator("[data-unit]")).to_have_count(0)
            expect(page.locator("[data-part=log]")).to_have_count(0)
            if not seen:
                picture(page, "hot-seat-curtain")
            page.keyboard.press("Enter")
            expect(curtain).to_have_count(0)
        side = table.asked()
        seen.add(side)
        expect(page.locator(f'[data-unit][data-side="{side}"]').first).to_be_visible()
        for unit in hidden.units:
            expect(page.locator(f'[data-unit="{unit}"]')).to_have_count(1 if side == "german" else 0)
            if side == "american":
                assert not mentions([page.locator("body").inner_html()], unit)
        if len(seen) == 2:
            break
        number = table.state(side)["number"]
        shown = page.locator("[data-update]")
        until(partial(_has_caught_up, shown, number), "the page has caught up")
        free.or_(dear).first.click()
        until(partial(_is_newer, table, side, number), "the answer is taken")
    assert seen == {"german", "american"}


def _has_caught_up(shown: Locator, number: int) -> bool:
    return int(shown.get_attribute("data-update") or -1) >= number


def _is_newer(table: Table, side: str, number: int) -> bool:
    return bool(table.state(side)["number"] > number)


def test_a_moment_as_a_link(window: Window, live: Live, picture: Picture) -> None:
    table = take_in(live, saved("first_patrol", 1))
    desk = sit_down(window, table, "american", theme="light")
    page = desk.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("menuitem", name="Replay").click()
    bar = page.get_by_role("region", name="Replay")
    bar.get_by_role("button", name="First moment").click()
    for _ in range(3):
        bar.get_by_role("button", name="Next moment").click()
    expect(bar.get_by_role("slider")).to_have_value("3")
    bar.get_by_role("button", name="Share this moment").click()
    expect(bar.get_by_text("The link to this moment is copied.")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert "/moment/" in link

    other = window(link.removeprefix(live.url), pace="off", theme="light")
    expect(other.get_by_text("A shared moment")).to_be_visible()
    then = table.get("/frames/3", "american")["view"]
    for unit in then["units"]:
        if unit["place"]:
            expect(other.locator(f'[data-unit="{unit["id"]}"]')).to_have_attribute("data-place", unit["place"])
    expect(other.get_by_text("as American saw it")).to_be_visible()
    picture(other, "moment")
    other.get_by_role("button", name="Play on from here").click()
    dialog = other.get_by_role("dialog", name="Play on from here")
    dialog.get_by_role("radio", name="Recruit").check()
    dialog.get_by_role("button", name="Start").click()
    other.wait_for_url(re.compile("/play/"))
    expect(other.get_by_role("region", name="Your move")).to_be_visible()
    assert table.id not in other.url
    # The battle that it came from goes on as before.
    assert table.state("american")["waiting"] in ("you", "other")


def test_the_present_as_a_link(window: Window, live: Live) -> None:
    table = live.make(scenario="training_ground")
    desk = sit_down(window, table, table.asked())
    desk.page.get_by_role("button", name="Menu").click()
    desk.page.get_by_role("menuitem", name="Share this moment").click()
    link = desk.page.get_by_role("dialog", name="A link to this moment").get_by_role("textbox").input_value()
    other = window(link.removeprefix(live.url))
    expect(other.get_by_text("A shared moment")).to_be_visible()
    missing = window("/moment/" + "x" * 32)
    expect(missing.get_by_role("alert")).to_be_visible()
