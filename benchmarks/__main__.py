"""Run every benchmark and print one table."""

from __future__ import annotations

import sys
from importlib import import_module

from rich.console import Console
from rich.table import Table

NAMES = (
    "playouts",
    "sight",
    "copies",
    "odds",
    "imports",
    "load",
    "board",
    "reach",
    "relief",
    "table-sight",
    "company",
    "lab",
    "env",
    "profile",
)


def main(names: list[str]) -> None:
    """Run the benchmarks named, or all of them."""
    console = Console()
    for name in names or NAMES:
        module = import_module(f"benchmarks.bench_{name.replace('-', '_')}")
        table = Table(title=name, show_header=False, title_justify="left")
        for row in module.run():
            table.add_row(*map(str, row))
        console.print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
