"""Platoons of stands with the mouse: the lesson's first shot, a move by a good place, Reaction Fire, dealing hits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from playwright.sync_api import Page, Request, expect

from grognard.core.session import Session
from tests.browser.conftest import Window
from tests.browser.desk import sit_down
from tests.browser.rooms import take_in
from tests.browser.test_lesson import Learner, seat
from tests.browser.test_stands import mark
from tests.browser.test_table import TableDesk
from tests.games.company.playing import line, platoon, play, team
from tests.server.live import Live

Picture = Callable[[Page, str], None]
RIFLES = [(20.0 + 2.5 * column, 27.0 + 2.0 * row) for row in (0, 1) for column in range(4)]


def sessions(side: str) -> Iterator[Session]:
    """One position after the other, each with dice of its own: rifles and tanks below, Germans above."""
    for seed in range(60):
        yield play(
            platoon("us_rifles", "a1", *RIFLES, marks=0, moved=True),
            platoon("us_m4_platoon", "a2", team(36, 30, turret=330), team(39, 30, marks=2), team(42, 30)),
            platoon("us_hmg_platoon", "a3", (10, 32), (13, 32), (16, 32), watch=True),
            platoon("ger_grenadiers", "g1", *[(18 + 2.5 * column, 18) for column in range(5)], heading=180),
            platoon("ger_hmg_platoon", "g2", (34, 16), (37, 16), (40, 16), heading=180, acted=1),
            terrain=[line("hedge", (10, 22), (30, 22))],
            smoke=[{"at": [12, 12], "heading": 30, "until": 3}],
            lost={"american": ["a9"]},  # the mortars that laid it
            size=(48, 36),
            turn=1,
            side=side,
            seed=seed.to_bytes(16, "big"),
        )


@cache
def asked(side: str, words: str, *keys: str, begins: str = "american") -> str:
    """A game saved where a side is asked something, after answers; with dice by which it comes to that.

    A key with a question mark is answered where it is offered, of one with a star the first that begins like it.
    """
    for session in sessions(begins):
        if all(answered(session, key) or key.endswith("?") for key in keys):
            if session.ask is not None and session.ask.side == side and words in session.ask.prompt:
                return session.save().decode()
    raise AssertionError(f"never asked with any dice: {words}")


def answered(session: Session, key: str) -> bool:
    """Give an answer if it is offered."""
    offered = [option.key for option in session.ask.options] if session.ask is not None else []
    key = key.rstrip("?")
    found = [each for each in offered if each == key or (key.endswith("*") and each.startswith(key[:-1]))]
    if found:
        session.answer(found[0])
    return bool(found)


def sit(window: Window, live: Live, save: str, side: str) -> TableDesk:
    table = take_in(live, save, players={"american": "human", "german": "human"})
    desk = TableDesk(sit_down(window, table, side))
    expect(desk.board).to_have_attribute("data-drawn", "true")
    return desk


def test_the_first_shot_of_the_lesson_is_three_answers_away(window: Window, live: Live, picture: Picture) -> None:
    page = window("/", pace="off", theme="light")
    game = page.get_by_role("region", name="Company")
    game.get_by_role("button", name="Guided first battle").click()
    desk = TableDesk(seat(live, page))
    card = Learner(desk).card
    given: list[Request] = []
    page.on("request", lambda sent: given.append(sent) if re.search("/(answer|plan)$", sent.url) else None)
    expect(card).to_contain_text("Welcome")
    card.get_by_role("button", name="Next").click()
    expect(card).to_contain_text("Activate a Unit")
    desk.unit("a2").click()
    expect(card).to_contain_text("What to do")
    desk.order("Aimed Fire").click()
    expect(card).to_contain_text("Open fire")
    odds = desk.aim_at("g2")
    expect(odds).to_contain_text("loses")
    picture(page, "company-lesson")
    odds.get_by_role("button", name="Confirm").click()
    expect(desk.log_line("Sherman section fires at HMG section")).to_be_visible()
    assert len(given) <= 3, [sent.post_data for sent in given]
    expect(card).not_to_contain_text("Open fire")


def test_the_table_shows_stands_markers_turrets_smoke_and_who_has_acted(
    window: Window, live: Live, picture: Picture
) -> None:
    desk = sit(window, live, asked("american", "Activate which Unit?"), "american")
    rifles, tanks, guns = (desk.unit(unit) for unit in ("a1", "a2", "a3"))
    expect(rifles.locator(".gb-stand")).to_have_count(len(RIFLES))
    expect(rifles.locator(".gb-figure").first).to_be_attached()
    expect(rifles.locator(".gb-letter")).to_have_text(["PL", *["R"] * (len(RIFLES) - 1)])
    expect(guns.locator(".gb-piece")).to_have_count(2)  # the Leader of gunners is a stand
    expect(tanks.locator("[data-turret]").first).to_have_attribute("data-turret", "330")
    expect(tanks.locator('[data-badges="t2"]')).to_be_attached()
    expect(tanks).to_have_attribute("aria-label", re.compile("suppressed"))
    for _ in range(3):
        desk.page.get_by_role("button", name="Zoom in").click()
    expect(tanks.locator('[data-badges="t2"]')).to_contain_text("2S")
    expect(guns).to_have_attribute("aria-label", re.compile("overwatch"))
    expect(desk.board.locator('[data-marker="smoke"]')).to_be_attached()
    expect(desk.unit("g2")).to_have_class(re.compile("spent"))
    expect(rifles).not_to_have_class(re.compile("spent"))
    expect(desk.page.get_by_role("banner")).to_contain_text("American Initiative")
    tracks = desk.page.locator("[data-part=tracks]")
    expect(tracks.get_by_title("Ready")).to_contain_text(re.compile(r"American\s*3\s*German\s*1"))
    picture(desk.page, "company-near")


def test_a_platoon_takes_a_good_place(window: Window, live: Live, picture: Picture) -> None:
    desk = sit(window, live, asked("american", "move where", "activate a1", "all move"), "american")
    before = desk.seen("a1")["place"]
    _, goal = desk.good_place()
    desk.page.mouse.click(*desk.at(*goal))
    expect(desk.hand.get_by_role("button", name="Confirm")).to_be_enabled()
    ghosts = desk.board.locator('[data-ghost="a1"] .gb-ghost-model')
    expect(ghosts).to_have_count(len(RIFLES))
    picture(desk.page, "company-move")
    desk.hand.get_by_role("button", name="Confirm").click()
    expect(desk.hand).to_be_hidden()
    expect(desk.unit("a1")).not_to_have_attribute("data-place", before)
    expect(desk.log_line("Rifle platoon").first).to_be_visible()


def test_hits_are_dealt_by_clicking_a_stand(window: Window, live: Live, picture: Picture) -> None:
    save = asked("german", "who takes a hit?", "activate a1", "all fire", "at g1", "pass?")
    desk = sit(window, live, save, "german")
    desk.is_asked("who takes a hit?")
    stand = next(option for option in desk.view()["ask"]["options"] if option.get("model") == "t4")
    mark(desk, "g1", "t4").click()
    expect(mark(desk, "g1", "t4")).to_have_class(re.compile("chosen"))
    chip = desk.chip
    expect(chip).to_contain_text(stand["label"])
    picture(desk.page, "company-hits")
    chip.get_by_role("button", name="Confirm").click()
    expect(desk.log_line("deals the hits")).to_contain_text("1 on Rifle and MG42 team 4")


def test_who_waits_fires_at_whoever_moves(window: Window, live: Live, picture: Picture) -> None:
    save = asked("american", "is on the move", "activate g1", "all move", "pose *", begins="german")
    desk = sit(window, live, save, "american")
    expect(desk.reaction).to_contain_text("Grenadier platoon is on the move: 2 Units could fire")
    who = desk.reaction.get_by_role("list", name="Who reacts").get_by_role("button")
    expect(who.filter(has_text="American HMG platoon fires")).to_contain_text("%")
    picture(desk.page, "company-reaction")
    who.filter(has_text="American HMG platoon fires").click()
    confirm = desk.page.get_by_role("button", name=re.compile("^Confirm"))
    expect(confirm.or_(desk.log_line("American HMG platoon fires")).first).to_be_visible()
    if confirm.count():
        confirm.first.click()
    expect(desk.log_line("American HMG platoon fires at Grenadier platoon")).to_be_visible()
