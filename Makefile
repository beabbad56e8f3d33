PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export POLYGAUGE_SHARED ?= ../shared

.PHONY: help example test test-all check docs bench clean

help:
	@echo "make example   evaluate a made-up town; ends with the path of a report"
	@echo "make test      install the development extras and run the tests"
	@echo "make test-all  the slow tests too"
	@echo "make check     ruff, mypy, import layers, docs"
	@echo "make bench     ratios against the usual implementations, in one run"
	@echo "make docs      build the documentation; warnings are errors"

$(VENV)/base: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e .
	touch $@

$(VENV)/dev: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev]'
	touch $@ $(VENV)/base

example: $(VENV)/base
	$(BIN)/polygauge example -o example/town --overwrite
	$(BIN)/polygauge evaluate example/town/reference.gpkg example/town/prediction.gpkg \
		--id id --score score --gsd 0.3 --strata kind,area -o example/run --overwrite
	@echo "the report: example/run/report.html"

test: $(VENV)/dev
	$(BIN)/python -m pytest -m "not slow"

test-all: $(VENV)/dev
	$(BIN)/python -m pytest

check: $(VENV)/dev docs
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/dev
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html

bench: $(VENV)/dev
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) example docs/_build build dist
