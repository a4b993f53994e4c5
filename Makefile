# Two commands do everything on a fresh machine: `make play` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PLAY := $(VENV)/.playable
STAMP := $(VENV)/.installed
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# What the browser client is made of; the package's build makes it anew when one of these is newer.
CLIENT := $(shell find web -name node_modules -prune -o -name test -prune -o -type f -print 2>/dev/null)
PAGE := src/grognard/server/client/index.html
MODULES := web/node_modules/.package-lock.json
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web
# One more than there are cores: servers, browsers and databases are waited for.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
# Two things at a time; where this make can do it, each tells what it has to tell in one piece.
TWO := $(MAKE) --no-print-directory -j2 $(if $(filter output-sync,$(.FEATURES)),-Otarget)
# Where somebody has turned Python's bytecode off, every process of the tests would read and rewrite all of them again.
unexport PYTHONDONTWRITEBYTECODE
# A server writes every answer through to the disk. Where there is room, its tests have their files in memory.
MEMORY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 1000000 { print $$6 }')
ifneq ($(MEMORY),)
export PYTEST_DEBUG_TEMPROOT := $(MEMORY)
endif

.PHONY: play client test check lint types client-check client-test format coverage mutants fuzz bench system clean

$(VENV):
	$(PYTHON) -m venv $(VENV)

$(PLAY): pyproject.toml constraints.txt hatch_build.py $(CLIENT) | $(VENV)
	$(PIP) -e .
	touch $(PLAY)

$(STAMP): pyproject.toml constraints.txt hatch_build.py | $(VENV)
	$(PIP) -e '.[dev]'
	touch $(STAMP)

play: $(PLAY)  ## install, build the client, and open a browser on a battle that can be played at once
	$(BIN)/grognard play

client: $(PAGE)  ## build the browser client

$(MODULES): web/package-lock.json | $(STAMP)
	$(NPM) install --no-save --no-audit --no-fund
	touch $@

$(PAGE): $(CLIENT) $(MODULES)
	$(NPM) run build

test: system $(STAMP)  ## install, and run every check and every test
	$(TWO) client lint types client-check client-test
	$(PYTEST) --ignore tests/browser
	$(PYTEST) -p no:schemathesis tests/browser
	$(BIN)/grognard rules bolt_action --coverage
	$(BIN)/grognard rules company --coverage
	$(BIN)/grognard rules ost --coverage

system:  ## what the tests need of the system: a browser and PostgreSQL
	@missing=""; \
	command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
	  || missing="$$missing chromium"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing="$$missing postgresql"; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing; \
	else \
	  echo "The browser and database tests need:$$missing. Install them with your system's packages; without them those tests are skipped."; \
	fi

check: lint types  ## format, lint, types

lint: $(STAMP)
	$(BIN)/ruff format --check src tests benchmarks mutants hatch_build.py
	$(BIN)/ruff check src tests benchmarks mutants hatch_build.py

types: $(STAMP)
	$(BIN)/mypy

client-check: $(MODULES)
	$(NPM) run check

client-test: $(MODULES)
	$(NPM) test

coverage: $(STAMP)  ## which lines of the package no test runs; the browser's tests are not counted
	rm -f .coverage .coverage.*
	$(BIN)/python -m coverage run -m pytest -n auto --dist worksteal --ignore tests/browser
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

mutants: $(STAMP)  ## put single faults into rules and figures, and say which the tests notice; FAULTS="ost --seed 2"
	$(BIN)/python -m mutants $(FAULTS)

fuzz: $(STAMP)  ## play anything that is legal, with the invariants after every answer; FUZZ="--games 3000 --seed 2"
	$(BIN)/python -m tests.fuzz $(FUZZ)

format: $(STAMP)  ## put the sources in order
	$(BIN)/ruff format src tests benchmarks mutants hatch_build.py
	$(BIN)/ruff check --fix src tests benchmarks mutants hatch_build.py

bench: $(STAMP)  ## measure, as ratios within one run
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) web/node_modules src/grognard/server/client .mypy_cache .ruff_cache .pytest_cache .hypothesis .mutants .coverage .coverage.*
