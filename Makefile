# `make demo` and `make test` are all there is to know; both make .venv first, once.
# Paths are relative, so the folder's own name may hold spaces.
PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test test-cluster docs lint format install clean

demo: .venv/ready
	$(BIN)/python -m gordium demo

test: lint
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses auto

# Ray is large and slow to start, so it is no part of `make test`.
test-cluster: .venv/ready
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev,cluster]'
	GORDIUM_TEST_CLUSTER=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/study/test_ray.py

# The site in docs/_build/html: tutorials are run, warnings and broken links are errors.
docs: .venv/ready
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev,docs]'
	OMP_NUM_THREADS=1 $(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	$(BIN)/python docs/figures/links.py docs/_build/html

lint: .venv/ready
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m ruff check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports

format: .venv/ready
	$(BIN)/python -m ruff format .
	$(BIN)/python -m ruff check --fix .

# It holds what .venv was made from: files that are newer but the same ask for no network.
.venv/ready: pyproject.toml constraints.txt
	cat $^ | cmp -s - $@ || $(MAKE) install
	cat $^ > $@

install:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
