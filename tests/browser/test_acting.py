"""Acting at the table with the mouse: choosing, moving, firing, taking back, rallying, asking why not, laying out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction

from playwright.sync_api import Page, Route, expect

from grognard.core.open_files import open_save
from grognard.core.session import Session
from tests.browser.conftest import Window
from tests.browser.desk import Desk, Opponent, sit_down, until
from tests.server.live import Live, Table

Picture = Callable[[Page, str], None]
#: With this seed the Americans begin, with ten points to two.
AMERICANS_FIRST = {"scenario": "training_ground", "seed": "20"}


def as_the_engine_has_it(table: Table, side: str) -> Session:
    """The same battle without server and browser."""
    answer = table.call("GET", "/save", side)
    assert answer.status_code == 200, answer.text
    return open_save("battle.save", answer.content)


def whole(chance: Fraction) -> str:
    return f"{round(float(chance) * 100)} %"


def test_a_battle_is_started_from_the_lobby(window: Window, live: Live, picture: Picture) -> None:
    page = window("/", pace="off")

    def same_dice(route: Route) -> None:
        new = json.loads(route.request.post_data or "{}")
        assert new["players"] == {"american": "human", "german": "random"}
        route.continue_(post_data=json.dumps(new | {"seed": "20"}))

    page.route("**/api/battles", same_dice)
    page.get_by_role("button", name="Play Training Ground").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("American", exact=True).click()
    dialog.get_by_text("Recruit", exact=True).click()
    picture(page, "lobby-new-battle")
    with page.expect_response("**/api/battles") as answered:
        dialog.get_by_role("button", name="Start the battle").click()
    page.wait_for_url("**/play/**")
    desk = Desk(page, Table(live, answered.value.json()), "american")
    desk.is_asked("Your Impulse (10 points left)")
    desk.is_asked("choose a unit")

    desk.select("a1")
    # On the map: the hexes that it can reach with their cost, and the target with its chance.
    desk.lights("C3", "E4", "F5")
    assert "G3" not in desk.lit()
    expect(desk.board.locator('[data-reach="E4"]')).to_contain_text("3")
    expect(desk.unit("g1")).to_have_attribute("aria-label", re.compile(r"target \d+ %"))
    # And as buttons.
    for name in ("Move", "Fire", "Try for Cover"):
        expect(desk.order(name)).to_be_enabled()
    picture(page, "unit-selected")

    desk.unit("a1").click()
    expect(desk.unit("a1")).to_have_attribute("aria-pressed", "false")
    expect(desk.board.locator("[data-reach]")).to_have_count(0)


def test_a_far_move_says_its_cost_and_who_could_react(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(**AMERICANS_FIRST)
    desk, german = sit_down(window, table, "american"), Opponent(table, "german")
    desk.select("a1")
    chip = desk.plan_to("F3")
    expect(chip).to_contain_text("Move: to F3")
    expect(chip).to_contain_text("4 MP")
    expect(chip).to_contain_text("May react on the way: German Rifle Squad")
    picture(desk.page, "path-planned")
    assert table.state("american")["view"]["ask"]["prompt"] == "Your Impulse (10 points left)"
    chip.get_by_role("button", name="Go").click()

    # Nobody shoots: the plan goes on by itself, hex by hex, as far as it was meant.
    for place in ("C3", "D2", "E3", "F3"):
        expect_reaction_at(german, place)
        german.answers("pass")
    desk.stands_in("a1", "F3")
    expect(desk.page.get_by_text("Stopped:")).to_have_count(0)


def test_a_click_may_come_before_it_is_known_what_the_unit_can_do(window: Window, live: Live) -> None:
    desk = sit_down(window, live.make(**AMERICANS_FIRST), "american")
    held: list[Route] = []
    desk.page.route("**/prospect?*", lambda route: held.append(route))
    desk.unit("a1").click()
    expect(desk.unit("a1")).to_have_attribute("aria-pressed", "true")
    desk.unit("g1").click()
    desk.page.wait_for_timeout(300)
    expect(desk.page.get_by_role("region", name="Why not")).to_have_count(0)
    assert len(held) == 1
    held[0].continue_()
    expect(desk.card(f"→ {desk.name('g1')}")).to_contain_text(re.compile(r"\d+ %"))
    expect(desk.page.get_by_role("button", name=re.compile("^Confirm"))).to_be_visible()


def expect_reaction_at(side: Opponent, place: str) -> None:
    ask = side.asked()["view"]["ask"]
    assert ask["reaction"] == "opportunity fire"
    assert f"in {place}?" in ask["prompt"]


def test_a_move_is_interrupted_by_opportunity_fire(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(**AMERICANS_FIRST)
    desk, german = sit_down(window, table, "american", refusals="403"), Opponent(table, "german")
    desk.select("a3")
    desk.go("F4")
    expect_reaction_at(german, "D3")
    german.answers("g1 at a3 own")
    expect(desk.page.get_by_text("Stopped:")).to_be_visible()
    desk.stands_in("a3", "D3")

    # The log explains the roll: dice, what came of it, the chance, and where each number comes from.
    line = desk.log_line("ICT attack")
    rolls = [
        roll for roll in table.state("american")["view"]["log"] if roll["kind"] == "Rolled" and roll["side"] == "german"
    ]
    told = rolls[-1]
    assert told["text"] == "ICT attack, American Rifle Squad 3: 2d6 (3 5) → B"
    expect(line).to_contain_text("American Rifle Squad 3")
    line.get_by_role("button", name="How this adds up").click()
    tallies = line.get_by_role("table")
    expect(tallies.first).to_be_visible()
    assert told["tallies"], "the roll has nothing to explain"
    for tally in told["tallies"]:
        shown = line.get_by_role("table").filter(has=desk.page.get_by_text(tally["what"], exact=True)).first
        for part in tally.get("lines", []):
            expect(shown).to_contain_text(part["text"])
        expect(shown.get_by_role("rowheader")).to_have_text(str(tally["total"]).replace("-", "−"))
    # What the other side could have had instead is its own business until the battle is over.
    expect(line).to_contain_text("Can’t show the odds of this answer")
    expect(line.get_by_text("Can’t show the odds of this answer")).to_be_in_viewport()
    picture(desk.page, "opportunity-fire-explained")


def test_the_odds_are_those_of_the_engine(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(**AMERICANS_FIRST)
    desk = sit_down(window, table, "american")
    session = as_the_engine_has_it(table, "american")
    ways = {key: session.odds("fire a4", key) for key in ("at g1 own", "sustained g1 g1")}
    best = max(ways, key=lambda key: ways[key].to_them)

    desk.select("a4")
    # Resting on the target is enough to see them.
    desk.hover("G3")
    resting = desk.card("→ German Rifle Squad")
    expect(resting).to_contain_text("Click the target to aim.")
    expect(resting).to_contain_text(f"{whole(ways[best].to_them)} you to them")
    card = desk.aim_at("g1")
    radios = card.get_by_role("radiogroup").get_by_role("radio")
    expect(radios).to_have_count(len(ways))
    for at, key in enumerate(sorted(ways, key=lambda key: ways[key].to_them, reverse=True)):
        expect(radios.nth(at)).to_contain_text(whole(ways[key].to_them))
    odds = ways[best]
    assert odds.exact
    expect(card).to_contain_text(f"{whole(odds.to_them)} you to them")
    expect(card).to_contain_text(f"{odds.to_them}, exact")
    picture(desk.page, "odds-before-fire")
    card.get_by_text(re.compile(r"^All \d+ possible outcomes")).click()
    outcomes = card.get_by_role("list").last.get_by_role("listitem")
    expect(outcomes).to_have_count(len(odds.outcomes))
    shown = [" ".join(text.split()) for text in outcomes.all_inner_texts()]
    for outcome in odds.outcomes:
        mine = [line for line in shown if line.endswith(str(outcome.probability))]
        assert any(f"{float(outcome.probability) * 100:.1f} %" in line for line in mine), (outcome, shown)
    for tally in session.odds_view("fire a4", best).tallies:
        expect(card.get_by_role("caption").filter(has_text=tally.what).first).to_be_visible()

    # A rule beside a number opens its text.
    rule = card.get_by_role("button", name=re.compile(r"^Rule \d")).first
    number = str(rule.get_attribute("aria-label")).removeprefix("Rule ")
    rule.click()
    rules = live.web.get("/api/rules/ost", params={"id": number}).json()
    opened = desk.page.get_by_role("region", name="Rules").locator("[aria-current=true]")
    expect(opened).to_contain_text(number)
    expect(opened).to_contain_text(" ".join(re.split(r"\W*\[", rules[0]["text"])[0].split()[:5]))
    picture(desk.page, "rule-opened")

    # Nothing was done so far; now it is.
    assert table.state("american")["waiting"] == "you"
    card.get_by_role("button", name="Confirm").click()
    expect(desk.log_line("ICT attack")).to_contain_text("German Rifle Squad")
    Opponent(table, "german").asked()


def test_a_move_is_taken_back_and_a_die_is_not(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(**AMERICANS_FIRST)
    desk, german = sit_down(window, table, "american"), Opponent(table, "german")
    desk.select("a1")
    desk.go("A3")  # out of sight: nobody is asked in between
    desk.stands_in("a1", "A3")
    desk.is_asked("2 MP left")
    # A whole order is taken back at once, or one step of it.
    desk.undo()
    desk.stands_in("a1", "B3")
    desk.is_asked("Your Impulse (10 points left)")
    desk.go("A3")  # it is still selected
    desk.is_asked("2 MP left")
    desk.press("Shift+U")
    desk.stands_in("a1", "B3")
    desk.is_asked("4 MP left")
    desk.undo()
    desk.is_asked("Your Impulse (10 points left)")
    desk.undo()
    expect(
        desk.page.get_by_role("status").filter(has_text="You can’t undo: nothing has been answered yet.")
    ).to_be_visible()

    desk.select("a3")
    desk.order("Try for Cover").click()
    german.answers("pass")
    desk.is_asked("Your Impulse (9 points left)")
    reason = table.state("american")["may_undo"]
    assert "has been rolled" in reason or "gone on" in reason
    expect(desk.undo_button).to_have_attribute("title", f"You can’t undo: {reason}")
    desk.undo()
    expect(desk.page.get_by_role("status").filter(has_text=f"You can’t undo: {reason}.")).to_be_visible()
    picture(desk.page, "undo-refused")
    desk.is_asked("Your Impulse (9 points left)")


def test_a_move_ends_where_it_leads(window: Window, live: Live) -> None:
    table = live.make(**AMERICANS_FIRST)
    desk, german = sit_down(window, table, "american"), Opponent(table, "german")
    desk.select("a1")
    desk.go("A3", stop=True)
    assert german.asked()["view"]["ask"]["prompt"] == "Your Impulse (2 points left)"
    desk.stands_in("a1", "A3")
    expect(desk.unit("a1")).to_have_attribute("aria-label", re.compile("moved"))
    desk.is_asked("Waiting for German")


def test_a_shaken_squad_is_rallied(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(**AMERICANS_FIRST)
    desk, german = sit_down(window, table, "american"), Opponent(table, "german")
    expect(desk.unit("a2")).to_have_attribute("aria-label", re.compile("shaken"))
    chance = as_the_engine_has_it(table, "american").odds("rally a2").besides
    desk.select("a2")
    desk.order("Rally").hover()
    expect(desk.options).to_contain_text(f"{whole(chance)} chance of an effect")
    picture(desk.page, "rally-odds")
    desk.order("Rally").click()
    german.asked()
    for _ in range(4):
        log = [line["text"] for line in table.state("american")["view"]["log"] if line["text"].startswith("Rally")]
        if "passed" in log[-1]:
            break
        german.answers("pass")
        desk.is_asked("Your Impulse")
        desk.select("a2")
        desk.order("Rally").click()
        german.asked()
    expect(desk.unit("a2")).not_to_have_attribute("aria-label", re.compile("shaken"))
    expect(desk.log_line("Rally, American Rifle Squad 2")).to_contain_text("passed")


def test_a_whole_turn_against_a_program(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(**AMERICANS_FIRST, players={"german": "random"})
    desk = sit_down(window, table, "american")
    desk.is_asked("Your Impulse")
    first = table.state("american")["view"]["turn"]
    desk.select("a4")
    desk.fire_at("g1")
    me = Opponent(table, "american")
    for _ in range(60):
        state = me.asked()
        if state["view"]["turn"] != first:
            break
        desk.is_asked(state["view"]["ask"]["prompt"])
        desk.let_be()
        me.taken(state["number"])
    assert table.state("american")["view"]["turn"] == first - 1
    desk.is_asked("Your Impulse")
    expect(desk.log_line("ICT attack")).to_contain_text("German Rifle Squad")
    picture(desk.page, "turn-finished")


def test_why_not(window: Window, live: Live, picture: Picture) -> None:
    desk = sit_down(window, live.make(**AMERICANS_FIRST), "american")
    desk.select("a1")
    desk.lights("C3")
    desk.click("I6")
    expect(desk.why).to_contain_text("Why not American Rifle Squad 1 → I6?")
    reason = desk.why.get_by_role("listitem").filter(has_text="the way costs 7 of its 4 Movement Points")
    expect(reason.get_by_role("button", name="Rule 75.6")).to_be_visible()
    picture(desk.page, "why-not")
    reason.get_by_role("button", name="Rule 75.6").click()
    expect(desk.page.get_by_role("region", name="Rules").locator("[aria-current=true]")).to_contain_text("75.6")
    # A right-click asks the same of anything.
    desk.unit("g1").click(button="right")
    expect(desk.why).to_contain_text("Why not American Rifle Squad 1 → German Rifle Squad?")
    expect(desk.why).to_contain_text("Look in the list of orders")  # it can fire at it


def test_units_are_laid_out(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(scenario="causeway", seed="7", players={"soviet": "random"})
    desk = sit_down(window, table, "german")
    desk.is_asked("Set up: roadblock")
    desk.lights("Q4")
    desk.click("Q4")  # laying out takes one click
    desk.is_asked("Set up: JgPz 38(t) Hetzer")
    expect(desk.board.locator("[data-marker]").filter(visible=True).first).to_be_visible()
    desk.lights("R5")
    desk.click("R5")
    desk.is_asked("Which way does JgPz 38(t) Hetzer")
    expect(desk.options).to_contain_text("Choose one of the buttons below the map.")
    picture(desk.page, "set-up-facing")
    desk.bar.get_by_role("button", name="Face south-west").click()
    desk.is_asked("Hide JgPz 38(t) Hetzer")
    picture(desk.page, "set-up-hiding")
    desk.bar.get_by_role("button", name=re.compile("^Hide")).click()
    desk.is_asked("Set up: JgPz 38(t) Hetzer 2")
    hidden = next(unit for unit in table.state("german")["view"]["units"] if unit.get("place") == "R5")
    assert hidden["facing"] == 5
    expect(desk.unit(hidden["id"])).to_have_attribute("aria-label", re.compile("[Hh]idden"))

    desk.options.get_by_role("button", name="Place the rest for me").click()
    desk.is_asked(re.compile("Your Impulse|Opportunity Fire|Soviet is thinking"))

    def placed() -> int:
        units = table.state("german")["view"]["units"]
        return sum(unit["side"] == "german" and bool(unit.get("place")) for unit in units)

    until(lambda: placed() >= 7, "the rest is placed")
    desk.stands_in(hidden["id"], "R5")
    picture(desk.page, "set-up-done")


def test_dice_of_ones_own(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(scenario="training_ground", seed="", own_dice=True, players={"german": "random"})
    desk = sit_down(window, table, "american")
    desk.is_asked("Result of 2d6 for Rally?")
    send = desk.dice.get_by_role("button", name=re.compile("Enter die|Use these dice"))
    expect(send).to_be_disabled()
    desk.dice.get_by_role("button", name="Die 1 shows 6").click()
    expect(send).to_be_disabled()
    desk.dice.get_by_role("button", name="Die 2 shows 4").click()
    picture(desk.page, "own-dice")
    expect(send).to_have_text("Use these dice: 6 4")
    send.click()
    # The next throws are typed: both sides' Initiative, then their Impulse Points.
    for prompt, faces in (("Initiative", "64"), ("Initiative", "11"), ("Impulse Points", "5"), ("Impulse Points", "2")):
        desk.is_asked(f"for {prompt}?")
        expect(send).to_have_text(re.compile("Enter die"))
        desk.press(*("1", "Backspace"), *faces)
        expect(send).to_have_text(f"Use these dice: {' '.join(faces)}")
        desk.press("Enter")
    desk.is_asked("Your Impulse (10 points left)")
    expect(desk.unit("a2")).not_to_have_attribute("aria-label", re.compile("shaken"))
    expect(desk.log_line("Rally, American Rifle Squad 2")).to_contain_text("passed")
    expect(desk.log_line("American has the Initiative")).to_contain_text("10 to 2")
