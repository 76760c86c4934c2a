# Every target makes .venv and installs what it needs, once.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
# Small matrices: threads cost more than they give, and one thread gives the same bits on every machine.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1

.PHONY: demo test bench bakes check clean

$(VENV)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[bullet,mujoco,pictures,test,check]"
	touch $@

demo: $(VENV)/ready
	mkdir -p demo
	$(BIN)/python -m sim_core sample walk -o demo/walk.bvh
	$(BIN)/python -m sim_core bake demo/walk.bvh -o demo/walk_baked.bvh --report demo/report.json --picture demo/before_and_after.png
	@echo demo/before_and_after.png

test: $(VENV)/ready
	$(BIN)/python -m pytest -q -n 2

check: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/ready
	$(BIN)/python -m bench

CLIPS ?= ../shared/mocap
bakes: $(VENV)/ready
	$(BIN)/python -m bench.bake_matrix $(CLIPS) docs/bakes.md

clean:
	rm -rf $(VENV) demo build dist *.egg-info
