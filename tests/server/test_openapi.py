"""The OpenAPI document is complete, has plain names, and the client's copy of it is not old."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.server.live import Live

COPY = Path(__file__).parents[2] / "web" / "openapi.json"


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("openapi") / "openapi.json"
    subprocess.run([sys.executable, "-m", "grognard.server.openapi", str(path)], check=True)
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_client_s_copy_is_not_old(document: Any) -> None:
    assert json.loads(COPY.read_text(encoding="utf-8")) == document, (
        "run: python -m grognard.server.openapi web/openapi.json, then npm run types in web/"
    )


def test_the_server_tells_the_same(live: Live, document: Any) -> None:
    assert live.web.get("/api/openapi.json").json() == document


def test_where_to_write_it_must_be_said() -> None:
    done = subprocess.run([sys.executable, "-m", "grognard.server.openapi"], capture_output=True, text=True)
    assert done.returncode == 1 and "web/openapi.json" in done.stderr


def test_names_are_plain_and_every_reference_leads_somewhere(document: Any) -> None:
    components = document["components"]["schemas"]
    assert all(re.fullmatch(r"[A-Z][A-Za-z]+", name) for name in components)
    references = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(document)))
    assert references <= components.keys()
    assert {
        "Update",
        "View",
        "UnitView",
        "AskView",
        "Option",
        "LogLine",
        "TallyView",
        "Prospect",
        "Lesson",
    } <= references


def test_every_operation_is_described(document: Any) -> None:
    ids = set()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            ids.add(operation["operationId"])
            assert re.fullmatch(r"[a-z]+[A-Za-z]*", operation["operationId"]), where
            assert operation["description"], where
            assert "429" in operation["responses"], where
            seated = path.startswith("/api/battles/{id}") and not path.endswith("land.svg")
            assert bool(operation.get("security")) == seated, where
            assert ("401" in operation["responses"]) == seated, where
            for status, response in operation["responses"].items():
                if status >= "400":
                    schema = response["content"]["application/json"]["schema"]
                    assert schema == {"$ref": "#/components/schemas/Problem"}, f"{where} {status}"
    assert len(ids) == sum(len(operations) for operations in document["paths"].values())


def test_what_the_server_always_sends_is_required(document: Any) -> None:
    components = document["components"]["schemas"]
    assert "ask" in components["View"]["required"] and "log" in components["View"]["required"]
    assert "facing" not in components["UnitView"]["required"], "it is left out where it is 0"
    assert components["NewBattle"]["required"] == ["game"]
    assert components["NewBattle"]["additionalProperties"] is False
