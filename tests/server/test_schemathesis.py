"""Calls made up from the OpenAPI document: none is the server's fault, and every answer is as the document says."""

from __future__ import annotations

from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import CHECKS, load_all_checks

from tests.server.live import Live, Table

load_all_checks()
DOCUMENT = Path(__file__).parents[2] / "web" / "openapi.json"
schema = schemathesis.openapi.from_path(DOCUMENT)
schema.config.generation.update(modes=list(schemathesis.GenerationMode))

#: What the document allows may still be refused: no schema says which scenarios there are, or what may be answered.
UNTOLD = [CHECKS.get_one("positive_data_acceptance")]

#: Where the battle and the seat are put right, a call that was meant to be wrong in them is not.
MENDED = [*UNTOLD, CHECKS.get_one("negative_data_rejection")]

few = settings(
    max_examples=20,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def table(live: Live) -> Table:
    """A battle for all calls that need one."""
    return live.make(free_undo=True)


@pytest.fixture(scope="module")
def moment(table: Table) -> str:
    """The token of a shared moment."""
    side = table.asked()
    if not table.state(side)["frames"]:
        table.post("/answer", side, {"seq": table.state(side)["seq"], "key": "done"})
    link: str = table.post("/share", side, {"frame": 0})["link"]
    return link.rpartition("/")[2]


@schema.parametrize()
@few
def test_calls_to_what_is_there(case: schemathesis.Case, live: Live, table: Table, moment: str) -> None:
    real = {"id": table.id, "game": "ost", "name": "first_patrol", "token": moment}
    for name in case.path_parameters or {}:
        if name in real:
            case.path_parameters[name] = real[name]
    seat = {"Authorization": f"Bearer {table.tokens['american']}"}
    case.call_and_validate(base_url=live.url, headers=seat, excluded_checks=MENDED)


@schema.parametrize()
@few
def test_calls_to_anywhere(case: schemathesis.Case, live: Live) -> None:
    case.call_and_validate(base_url=live.url, excluded_checks=UNTOLD)
