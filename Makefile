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

.PHONY: play client test check format bench system clean

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

test: check system client  ## install, and run every check and every test
	$(NPM) run check
	$(NPM) test
	rm -f .coverage .coverage.*
	$(BIN)/python -m coverage run -m pytest -n auto --dist worksteal --ignore tests/browser --ignore tests/conformance
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report
	$(BIN)/python -m pytest -n auto --dist worksteal tests/conformance
	$(BIN)/python -m pytest -n auto --dist worksteal tests/browser
	$(BIN)/grognard rules bolt_action --coverage
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

check: $(STAMP)  ## format, lint, types
	$(BIN)/ruff format --check src tests benchmarks hatch_build.py
	$(BIN)/ruff check src tests benchmarks hatch_build.py
	$(BIN)/mypy

format: $(STAMP)  ## put the sources in order
	$(BIN)/ruff format src tests benchmarks hatch_build.py
	$(BIN)/ruff check --fix src tests benchmarks hatch_build.py

bench: $(STAMP)  ## measure, as ratios within one run
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) web/node_modules src/grognard/server/client .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.*
