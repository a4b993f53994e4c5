"""A real Ray cluster of two nodes on this machine: the same games, none lost and none twice when a worker is killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grognard.lab.game_rows import GameRecord
from grognard.lab.ray_pool import play_on_ray
from grognard.lab.run import play_numbers
from tests.lab.test_series import small

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes with a core each."""
    from ray.cluster_utils import Cluster

    store: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}
    cluster = Cluster()
    try:
        cluster.add_node(**store)
        cluster.add_node(num_cpus=1, object_store_memory=80 * 2**20)
        ray.init(address=cluster.address, log_to_driver=False)
        yield cluster
    finally:
        # Whatever failed before, no process of the cluster stays.
        ray.shutdown()
        cluster.shutdown()  # type: ignore[no-untyped-call]


def test_the_same_games_though_a_worker_is_killed(cluster: Any) -> None:
    """A worker is killed in the midst of the run; every game is there once, bit for bit as on one machine."""
    assert len([node for node in ray.nodes() if node["Alive"]]) == 2
    series = small(16)
    found = []
    killed = 0
    for record in play_on_ray(series, range(series.size), "auto"):
        assert isinstance(record, GameRecord)
        found.append(record)
        if len(found) == 4:
            killed = _kill_a_worker()
    assert killed
    assert sorted(record.number for record in found) == list(range(series.size))
    alone = {record.number: record.outcome for record in play_numbers(series, range(series.size), jobs=1)}
    assert {record.number: record.outcome for record in found} == alone


def _kill_a_worker() -> int:
    """Kill a worker of this test's own cluster that is playing a game; its process id, or 0 if none is found."""
    for _ in range(200):
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and _plays(entry) and _is_ours(entry):
                os.kill(int(entry.name), signal.SIGKILL)
                return int(entry.name)
        time.sleep(0.02)
    return 0


def _plays(process: Path) -> bool:
    """Whether a worker is in the midst of a game: Ray writes its task into the name of the process."""
    try:
        return (process / "cmdline").read_bytes().startswith(b"ray::_play")
    except OSError:
        return False


def _is_ours(process: Path) -> bool:
    """Whether a process descends from this one."""
    while process.name not in ("0", "1"):
        if process.name == str(os.getpid()):
            return True
        try:
            parent = (process / "stat").read_text().rsplit(")", 1)[1].split()[1]
        except OSError:
            return False
        process = process.parent / parent
    return False
