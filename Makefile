# Every target makes .venv by itself when it is missing or older than pyproject.toml.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: run test lint format publish bench clean help

help:
	@echo "make run     start the server on this machine, with a store of its own"
	@echo "make test    everything that must pass: lint, types, import rules, tests"
	@echo "make lint    the first three of these"
	@echo "make format  put the code into the project's format"
	@echo "make publish write the protocol's reference, types and vectors anew"
	@echo "make bench   measure the rule engines against a naive reference"
	@echo "make clean   remove what the others made"

$(READY): pyproject.toml
	@echo "==> virtual environment .venv"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Parlour needs Python 3.11 or newer; say which with make PYTHON=...")'
	@$(PYTHON) -m venv .venv
	@echo "==> installing parlour and its tools (a minute the first time)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

run: $(READY)
	@$(BIN)/parlour serve

lint: $(READY)
	@echo "==> ruff"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo "==> mypy"
	@$(BIN)/mypy
	@echo "==> import rules"
	@$(BIN)/lint-imports

test: lint
	@echo "==> pytest"
	@$(BIN)/pytest --numprocesses auto --dist worksteal

format: $(READY)
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

publish: $(READY)
	@$(BIN)/python -m publish

bench: $(READY)
	@$(BIN)/python -m bench.rules
	@$(BIN)/python -m bench.updates

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis dist bench/results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
