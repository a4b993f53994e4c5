"""The lobby: what can be played, how a battle is set up, and how one comes back to it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import DESK, PHONE
from tests.browser.rooms import saved, take_in
from tests.server.live import Live

Window = Callable[..., Page]
Picture = Callable[[Page, str], None]
QUICK = "Training Ground"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def ask_for(page: Page, title: str) -> Locator:
    """The dialog that sets a scenario up."""
    page.get_by_role("button", name=f"Play {title}").click()
    dialog = page.get_by_role("dialog", name=title)
    expect(dialog).to_be_visible()
    return dialog


def start(dialog: Locator) -> dict[str, Any]:
    """Start the battle, and give what was asked of the server."""
    page = dialog.page
    with page.expect_request(lambda asked: asked.method == "POST" and "/api/battles" in asked.url) as sent:
        dialog.get_by_role("button", name="Start the battle").click()
    return dict(json.loads(sent.value.post_data or "{}"))


def test_every_scenario_is_shown(window: Window, live: Live) -> None:
    page = window("/")
    lobby = live.web.get("/api/lobby").json()
    for game in lobby["games"]:
        expect(page.get_by_role("heading", name=game["title"], exact=True)).to_be_visible()
        assert len(game["scenarios"]) > 5
        for card in game["scenarios"]:
            shown = page.get_by_role("article", name=card["title"])
            expect(shown).to_contain_text(f"{card['turns']} turns")
            expect(shown).to_contain_text(f"{card['units']} units")
            expect(shown).to_contain_text(card["place"])
            for force in card["forces"]:
                expect(shown).to_contain_text(force["units"][0].lstrip("0123456789 "))
            shown.scroll_into_view_if_needed()
            page.wait_for_function(
                "picture => picture.complete && picture.naturalWidth > 50", arg=shown.locator("img").element_handle()
            )
    last = lobby["games"][0]["scenarios"][-1]
    card = page.get_by_role("article", name=last["title"])
    card.get_by_text("Briefing and forces").click()
    expect(card).to_contain_text(last["briefing"].strip().split(". ")[0][:40])


@pytest.mark.parametrize("look", ["light", "dark", "phone"])
def test_looks(look: str, window: Window, picture: Picture) -> None:
    phone = look == "phone"
    page = window("/", PHONE if phone else DESK, touch=phone, theme="dark" if look == "dark" else "light")
    expect(page.get_by_role("button", name=f"Play {QUICK}")).to_be_attached()
    for each in page.locator("img").all()[:5]:
        page.wait_for_function("picture => picture.complete", arg=each.element_handle())
    assert page.evaluate("document.documentElement.dataset.theme") == ("dark" if look == "dark" else "light")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the window"
    picture(page, f"lobby-{look}")
    page.locator("#scenarios").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('#scenarios').scrollIntoView()")
    picture(page, f"lobby-{look}-scenarios")


def test_solo_against_a_level(window: Window, picture: Picture) -> None:
    page = window("/", pace="off")
    dialog = ask_for(page, "First Patrol")
    expect(dialog.get_by_role("radio", name="The computer")).to_be_checked()
    dialog.get_by_role("radio", name="German").check()
    dialog.get_by_role("radio", name="Recruit").check()
    expect(dialog).to_contain_text("without a plan")
    dialog.get_by_role("checkbox", name="Free undo").set_checked(False)
    picture(page, "new-battle")
    asked = start(dialog)
    assert asked["scenario"] == "first_patrol"
    assert asked["players"] == {"american": "random", "german": "human"}
    assert not asked.get("free_undo") and not asked.get("own_dice") and not asked.get("invite")
    expect(page.get_by_role("region", name="Your move")).to_be_visible()
    expect(page.get_by_role("heading", name="First Patrol", level=1)).to_be_visible()
    assert re.search(r"/play/[\w-]+#[\w-]{20,}$", page.url)


def test_hot_seat_with_own_dice(window: Window) -> None:
    page = window("/", pace="off")
    dialog = ask_for(page, QUICK)
    dialog.get_by_role("radio", name="Two at this screen").check()
    expect(dialog.get_by_text("You command")).to_have_count(0)
    expect(dialog.get_by_text("Level")).to_have_count(0)
    dialog.get_by_role("checkbox", name="Own dice").check()
    dialog.get_by_role("checkbox", name="Free undo").check()
    asked = start(dialog)
    assert set(asked["players"].values()) == {"human"}
    assert asked["own_dice"] and asked["free_undo"] and not asked.get("invite")
    page.wait_for_url(re.compile(r"/play/[\w-]+#[\w-]+,[\w-]+$"))
    expect(page.get_by_role("form", name="Your dice").or_(page.get_by_role("dialog", name="to decide"))).to_be_visible()


def test_nothing_is_begun_by_cancel(window: Window) -> None:
    page = window("/")
    dialog = ask_for(page, QUICK)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name=f"Play {QUICK}")).to_be_focused()
    assert page.evaluate("localStorage.getItem('grognard.battles')") is None


def test_random_battle(window: Window) -> None:
    page = window("/", pace="off")
    game = page.get_by_role("region", name="Old School Tactical")
    game.get_by_role("button", name="Make one").click()
    dialog = page.get_by_role("dialog", name="Random battle")
    dialog.get_by_label("Nations").select_option("soviet/german")
    dialog.get_by_label("Terrain").select_option("town")
    asked = start(dialog)
    assert asked["random"]["nations"] == "soviet/german"
    assert asked["random"]["terrain"] == "town"
    expect(page.get_by_role("application")).to_be_visible()
    expect(page.get_by_role("region", name="Your move")).to_be_visible()


def test_go_on_after_leaving_and_reloading(window: Window) -> None:
    page = window("/", pace="off")
    start(ask_for(page, QUICK))
    page.wait_for_url(re.compile("/play/"))
    address = page.url
    expect(page.get_by_role("region", name="Your move")).to_be_visible()
    page.get_by_role("link", name="To the lobby").click()
    again = page.get_by_role("link", name=f"Continue {QUICK}")
    expect(again).to_be_visible()
    page.reload()
    again.click()
    page.wait_for_url(address)
    expect(page.get_by_role("region", name="Your move")).to_be_visible()
    page.goto(page.url.split("#")[0])  # this browser knows the seat
    page.wait_for_url(address)
    page.goto("/")
    page.get_by_role("button", name=f"Remove {QUICK} from this list").click()
    expect(again).to_have_count(0)
    page.reload()
    expect(page.get_by_role("button", name=f"Play {QUICK}")).to_be_visible()
    expect(again).to_have_count(0)


def test_save_and_import(window: Window, tmp_path: Path) -> None:
    page = window("/", pace="off")
    start(ask_for(page, QUICK))
    bar = page.get_by_role("region", name="Your move")
    expect(page.get_by_text("Your decision", exact=True)).to_be_visible()
    prompt = bar.get_by_role("paragraph").first.inner_text()
    page.get_by_role("button", name="Menu").click()
    with page.expect_download() as loaded:
        page.get_by_role("menuitem", name="Save to a file").click()
    file = tmp_path / loaded.value.suggested_filename
    loaded.value.save_as(file)
    assert re.fullmatch(r"training_ground-turn-\d+\.save", file.name)

    other = window("/", pace="off")
    other.get_by_role("button", name="Open a file").click()
    dialog = other.get_by_role("dialog", name="Open a file")
    expect(dialog.get_by_role("button", name="Continue")).to_be_disabled()
    dialog.get_by_label("A saved game, a situation or a scenario").set_input_files(file)
    expect(dialog).to_contain_text("American against German")
    dialog.get_by_role("radio", name="American").check()
    dialog.get_by_role("button", name="Continue").click()
    other.wait_for_url(re.compile("/play/"))
    expect(other.get_by_role("region", name="Your move").get_by_role("paragraph").first).to_have_text(prompt)
    assert other.url != page.url


def choose_file(page: Page, file: Path) -> Locator:
    """The dialog in which a file is opened, with that file chosen."""
    page.get_by_role("button", name="Open a file").click()
    dialog = page.get_by_role("dialog", name="Open a file")
    dialog.get_by_label("A saved game, a situation or a scenario").set_input_files(file)
    return dialog


def test_a_file_that_is_no_save_is_refused(window: Window, tmp_path: Path) -> None:
    page = window("/", refusals="400")
    wrong = tmp_path / "notes.save"
    wrong.write_text("Dear diary")
    dialog = choose_file(page, wrong)
    dialog.get_by_role("button", name="Play", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text(re.compile("the file", re.I))


def test_a_situation_is_played_from_its_file(window: Window) -> None:
    page = window("/", pace="off")
    dialog = choose_file(page, EXAMPLES / "hedge.toml")
    dialog.get_by_role("radio", name="German").check()
    dialog.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(re.compile("/play/"))
    expect(page.get_by_role("application").locator('[data-unit="g1"]')).to_have_attribute("data-place", "C4")


def test_what_is_wrong_with_a_situation_is_told_line_by_line(window: Window) -> None:
    page = window("/", refusals="400")
    dialog = choose_file(page, EXAMPLES / "faulty.toml")
    dialog.get_by_role("button", name="Play", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("ger_rifel")


def test_a_finished_battle_is_replayed_from_the_lobby(window: Window, live: Live) -> None:
    table = take_in(live, saved("training_ground", seed=5))
    page = window(f"/play/{table.id}#{table.tokens['american']}", pace="off")
    expect(page.get_by_role("dialog", name=QUICK)).to_contain_text("Casualties")
    page.goto("/")
    page.get_by_role("link", name=f"Replay {QUICK}").click()
    page.get_by_role("button", name="Watch the replay").click()
    expect(page.get_by_role("region", name="Replay")).to_be_visible()
