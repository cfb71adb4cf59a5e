# Every target makes .venv by itself when it is missing or older than pyproject.toml.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: page run cluster test lint format publish bench clean help

help:
	@echo "make run     start the server on this machine, with a store of its own"
	@echo "make cluster start two nodes on this machine that are one parlour"
	@echo "make test    everything that must pass: lint, types, import rules, tests"
	@echo "make lint    the first three of these"
	@echo "make format  put the code into the project's format"
	@echo "make publish write the protocol's reference, types and vectors anew"
	@echo "make bench   measure rules, bots, pairing, and the server against others (half an hour)"
	@echo "make clean   remove what the others made"

$(READY): pyproject.toml
	@echo "==> virtual environment .venv"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Parlour needs Python 3.11 or newer; say which with make PYTHON=...")'
	@$(PYTHON) -m venv .venv
	@echo "==> installing parlour and its tools (a minute the first time)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

# The browser client, if it is missing or its sources have changed.
page: $(READY)
	@$(BIN)/python hatch_build.py build

run: page
	@$(BIN)/parlour serve

cluster: $(READY)
	@$(BIN)/parlour cluster

lint: $(READY)
	@echo "==> ruff"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo "==> mypy"
	@$(BIN)/mypy
	@echo "==> import rules"
	@$(BIN)/lint-imports
	@echo "==> tsc and prettier"
	@$(BIN)/python hatch_build.py check

test: lint page
	@echo "==> pytest"
	@$(BIN)/pytest --numprocesses auto --dist worksteal

format: $(READY)
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/python hatch_build.py format

publish: $(READY)
	@$(BIN)/python -m publish

bench: $(READY)
	@$(BIN)/python -m bench.rules
	@$(BIN)/python -m bench.updates
	@$(BIN)/python -m bench.bots
	@$(BIN)/python -m bench.pairing
	@$(BIN)/python -m bench.moves
	@$(BIN)/python -m bench.load --json bench/results/load.json

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis dist bench/results client/web/node_modules client/parlour/client/page
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
