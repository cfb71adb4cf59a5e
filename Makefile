# Every target prepares what it needs. `make run` installs only what a server needs; the other targets add the
# development tools. Both live in .venv and are renewed when pyproject.toml changes.
PYTHON ?= python3
BIN := .venv/bin
SERVE := .venv/serve
DEV := .venv/dev

SHELL := bash
.SHELLFLAGS := -o pipefail -ec
.DELETE_ON_ERROR:

# Without bytecode compilation an installation takes a third less time; Python compiles what it imports. The sed prints
# one line per package instead of pip's three.
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --no-compile
PROGRESS := | sed -un 's/^Collecting \([^ ;(]*\).*/    \1/p'

# Two workers more than there are processors: many tests wait for processes that restart.
PYTEST := $(BIN)/pytest --numprocesses $$(( $$(nproc) + 2 )) --dist worksteal
CORE_TESTS := tests/games tests/protocol tests/server/rooms tests/server/test_outages.py tests/server/players/test_glicko2.py tests/server/matchmaking/test_pairing.py tests/tournaments tests/chaos/test_checker.py tests/chaos/test_evidence.py tests/chaos/test_faults.py tests/chaos/test_observations.py tests/chaos/test_planner.py tests/chaos/test_takeover.py

.PHONY: help run cluster page docs tools test lint coverage format publish bench build clean

help:
	@echo "make run       start a server on this machine, with its own embedded store"
	@echo "make cluster   start a two-node cluster on this machine"
	@echo "make test      run everything that must pass: linters, type checks, import contracts, tests, coverage"
	@echo "make lint      run only the linters, type checks and import contracts"
	@echo "make coverage  run only the tests of the pure core, and fail if they cover too little of it"
	@echo "make format    format the code"
	@echo "make publish   regenerate the references, the TypeScript types and the test vectors"
	@echo "make docs      build the documentation, which every server has at /docs"
	@echo "make bench     run the benchmarks (half an hour)"
	@echo "make build     build the Python and npm packages into dist/"
	@echo "make clean     remove everything that these commands created"

# -- environments

# The build requirements go into .venv because `make run` needs them anyway to rebuild the page. With them there, pip
# need not install them a second time into an isolated build environment. Setuptools is for http-ece, which has no wheel.
$(SERVE): pyproject.toml client/pyproject.toml
	@echo "==> creating .venv"
	@PYTHON='$(PYTHON)' deploy/install-packages.sh venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Parlour needs Python 3.11 or newer; choose one with make PYTHON=...")'
	@$(PYTHON) -m venv .venv
	@echo "==> installing what builds the page and the documentation"
	@$(PIP_INSTALL) 'setuptools>=70.1' $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])') $(PROGRESS)
	@echo "==> installing Parlour and building its page and documentation"
	@$(PIP_INSTALL) --no-build-isolation --editable ./client --editable . $(PROGRESS)
	@touch $@

$(DEV): $(SERVE)
	@echo "==> installing the development tools"
	@$(PIP_INSTALL) --no-build-isolation --editable ./client --editable '.[dev]' $(PROGRESS)
	@touch $@

# The page and the documentation are rebuilt only if their sources have changed.
page: $(SERVE)
	@$(BIN)/python hatch_build.py build

docs: $(SERVE)
	@$(BIN)/python hatch_build.py docs

# -- serving

# With `exec` there is no shell between make and the server, and Ctrl-C reaches the server once.
run: page
	@exec $(BIN)/parlour serve

cluster: page
	@exec $(BIN)/parlour cluster

# -- checking

# Chromium runs the browser tests (its headless shell has no notifications), the C compiler builds the load generator,
# openssl makes a test certificate, faketime lets `parlour chaos` shift the clock of a store, PostgreSQL is one of the two
# databases of the archive, and promtool, nginx and caddy check the alerts and the examples for proxies.
tools:
	@deploy/install-packages.sh chromium-headless-shell chromium tmux cc curl openssl faketime postgresql promtool nginx caddy

lint: $(DEV)
	@echo "==> ruff"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo "==> mypy"
	@$(BIN)/mypy
	@echo "==> import contracts"
	@$(BIN)/lint-imports
	@echo "==> tsc and prettier"
	@$(BIN)/python hatch_build.py check

# Tracing makes the rules about three times slower, so coverage is measured only where it has a floor: the tests of the
# pure core, with the settings in pyproject.toml. `test` runs them once, here, and all others at full speed.
coverage: $(DEV)
	@echo "==> pytest, pure core with coverage"
	@$(PYTEST) --cov --cov-report=term $(CORE_TESTS)

test: tools lint page coverage
	@echo "==> pytest, everything else"
	@$(PYTEST) $(CORE_TESTS:%=--ignore=%)

format: $(DEV)
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/python hatch_build.py format

# -- making

publish: $(DEV)
	@$(BIN)/python -m publish
	@$(BIN)/python docs/website/sdk_pages.py

bench: $(DEV)
	@$(BIN)/python -m bench.rules
	@$(BIN)/python -m bench.updates
	@$(BIN)/python -m bench.bots
	@$(BIN)/python -m bench.pairing
	@$(BIN)/python -m bench.moves
	@$(BIN)/python -m bench.workers
	@$(BIN)/python -m bench.load --json bench/results/load.json

build: $(DEV)
	@cd client && ../$(BIN)/hatchling build --directory ../dist
	@$(BIN)/hatchling build
	@$(BIN)/python hatch_build.py sdk

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .coverage dist bench/results client/web/node_modules client/parlour/web/page client/parlour/web/admin_page client/parlour/web/site
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
