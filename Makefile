# Every target makes the environments it needs, once.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
# Real Blenders as Python modules: the oldest supported, the long-term one, the newest for this Python.
BLENDERS := 4.2.23 4.5.15 5.0.1
BLENDER := 4.5.15
BLENDER_PYTHON := .venv-bpy/$(BLENDER)/bin/python
QUICK := build/zip
# Small matrices: threads cost more than they give, and one thread gives the same bits on every machine.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1

.PHONY: demo test extension zip samples bench bakes results worlds actuators rolls falls tables remember sheets check clean

$(VENV)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[bullet,mujoco,pictures,cluster,test,check]"
	touch $@

.venv-bpy/%/ready: constraints.txt
	$(PYTHON) -m venv .venv-bpy/$*
	.venv-bpy/$*/bin/pip install --quiet --disable-pip-version-check -c constraints.txt bpy==$* numpy pytest
	touch $@

# The zips an animator installs, one for each platform.
extension: .venv-bpy/$(BLENDER)/ready
	$(BLENDER_PYTHON) -m scripts.build_extension

# Only for the Blenders on this machine: what tests, demo and benchmarks install.
zip: .venv-bpy/$(BLENDER)/ready
	$(BLENDER_PYTHON) -m scripts.build_extension --platform here --python cp311 --output $(QUICK)

demo: zip
	$(BLENDER_PYTHON) -m scripts.demo demo

test: $(VENV)/ready $(BLENDERS:%=.venv-bpy/%/ready) zip
	$(BIN)/python -m pytest -q -n 2
	$(MAKE) --no-print-directory --jobs 2 --output-sync --keep-going $(BLENDERS:%=test-in-%)

test-in-%:
	@echo Blender $*
	@.venv-bpy/$*/bin/python -m pytest -q -p no:cacheprovider tests/blender

# Written by the oldest Blender, so that all can open them.
samples: .venv-bpy/$(firstword $(BLENDERS))/ready zip
	.venv-bpy/$(firstword $(BLENDERS))/bin/python -m sample_blends.build

check: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/basedpyright --level error

bench: $(VENV)/ready $(BLENDERS:%=.venv-bpy/%/ready) zip
	$(BIN)/python -m bench
	for version in $(BLENDERS); do .venv-bpy/$$version/bin/python -m bench.blender_speed || exit 1; done

CLIPS ?= ../shared/mocap
# An hour or more; BAKES=--resume goes on with what an earlier run has baked.
BAKES ?=
bakes: $(VENV)/ready
	$(BIN)/python -m bench.tracking_matrix $(CLIPS) docs/tracking.md $(BAKES)

# Every clip on both engines with both budgets: hours, resumed in the same way.
results: $(VENV)/ready
	$(BIN)/python -m bench.results $(CLIPS) docs/results.md $(BAKES)

# A walk and a stand on slopes, stairs, rubble, ice and what moves, pushed and thrown at: hours, resumed in the same way.
worlds: $(VENV)/ready
	$(BIN)/python -m bench.worlds $(CLIPS) docs/worlds.md $(BAKES)

# The experiments of the paper on virtual actuators, and what its dial does: an hour or two, resumed in the same way;
# BAKES="--part dial --resume" bakes one part.
actuators: $(VENV)/ready
	$(BIN)/python -m bench.virtual_actuators $(CLIPS) docs/virtual_actuators.md $(BAKES)

# Rolls of all kinds on all kinds of ground: hours; goes on with what an earlier run has baked.
# ROLLS="--only beam" bakes some of them, ROLLS="--budget best" takes longer.
ROLLS ?=
rolls: $(VENV)/ready
	$(BIN)/python -m bench.rolls $(CLIPS) --output docs/rolling.md --pictures build/rolls/pictures $(ROLLS)
	$(BIN)/python -m bench.rolls $(CLIPS) --output docs/rolling.md --ablations

# Falls of many kinds, and what they spare: an hour or two; goes on with what an earlier run has baked.
# FALLS="--part head" bakes some of them.
FALLS ?=
falls: $(VENV)/ready
	$(BIN)/python -m bench.falls $(CLIPS) --output docs/falling.md --pictures build/falls/pictures $(FALLS)

tables: $(VENV)/ready
	$(BIN)/python -m bench.peers docs/peers.md
	$(BIN)/python -m bench.ablations $(CLIPS) docs/ablations.md

# What a search tries first; from the tuning half, half an hour.
remember: $(VENV)/ready
	$(BIN)/python -m bench.remember $(CLIPS)
	$(BIN)/python -m bench.remember_falls

sheets: $(VENV)/ready
	$(BIN)/python -m bench.contact_sheets $(CLIPS) build/sheets

clean:
	rm -rf $(VENV) .venv-bpy demo build dist wheels *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
