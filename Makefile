# `make start` opens the course; `make test` proves it. `make help` lists the rest.

BIN = .venv/bin
# Where a learner works: make start FOLDER=~/transformers
FOLDER = my-course
# What is compiled is kept: tests start the grader many times.
unexport PYTHONDONTWRITEBYTECODE
# What this repository runs never asks a model hub.
OFFLINE = HF_HUB_OFFLINE=1 HF_HUB_DISABLE_TELEMETRY=1
# Processes of one thread each, as two threads each on two cores take many times as long.
# The tests of one file stay together, and so do the cells of one notebook.
PYTEST = $(OFFLINE) OMP_NUM_THREADS=1 $(BIN)/python -m pytest -p tests.light_start -p tests.warm_kernels -p tests.nothing_skipped --dist loadfile

.PHONY: help env start test lint format unit notebooks grade doctor mutation mutants corpus attacks in-notebooks fuzz bench bench-peers hub lock clean wall-packages test-packages

help:
	@echo 'make start        open a copy of the course of your own in JupyterLab'
	@echo 'make test         run every test'
	@echo 'make grade        grade the sample class'
	@echo 'make doctor       what isolation this machine gives, versions, kernel'
	@echo 'make env          make .venv from requirements.lock'
	@echo 'make lint         ruff and mypy          make format      let ruff rewrite'
	@echo 'make unit         tests/ alone           make notebooks   the solved notebooks under nbval'
	@echo 'make mutation     do the checks notice broken references?'
	@echo 'make mutants      do they notice small changes to the solutions?'
	@echo 'make corpus       does all right and wrong code by many hands, and the course in all forms, get what it deserves?'
	@echo 'make attacks      does every attack fail?'
	@echo 'make in-notebooks do cases get the same verdict in a notebook as in a file?'
	@echo 'make fuzz         throw random submissions at the grader'
	@echo 'make bench        time the grader        make bench-peers beside other graders'
	@echo 'make hub          two learners, the checker and a real JupyterHub'
	@echo 'make lock         write requirements.lock anew from pyproject.toml'
	@echo 'make clean        remove .venv, build and caches'

env: .venv/.made

.venv/.made: requirements.lock requirements.hashes pyproject.toml settings/jupyter_lab_config.json settings/transformer-course.json
	@python=$$(PYTHON='$(PYTHON)' scripts/python.sh) && { [ -x $(BIN)/python ] || "$$python" -m venv .venv; }
	@$(BIN)/python scripts/install.py
	@touch .venv/.made

wall-packages:
	@scripts/system-packages.sh wall

test-packages:
	@scripts/system-packages.sh tests

start: env
	@scripts/start.sh '$(FOLDER)'

# The unit tests wait for browsers, kernels and limits of time: beside them runs the rest, one after the other.
test: env test-packages
	$(MAKE) --jobs 2 unit lint notebooks

lint: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy

format: env
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# On two cores a third process computes while another waits, a quarter of the time. Files come by their names, which
# puts those that take long at the beginning. Other packages' plugins, which no test asks for, stay away.
unit: env test-packages
	$(PYTEST) -n 3 --no-loadscope-reorder -p no:anyio -p no:nbval -p no:platformdirs

# All is solved: there is no line to look for.
notebooks: env
	rm -rf build/solved
	$(BIN)/grader solve build/solved
	GRADER_LINE_SECONDS=0 $(PYTEST) -n 1 -p tests.checks_passed --nbval build/solved

grade: env wall-packages
	rm -rf build/sample_report
	$(BIN)/grader grade tests/sample_class --out build/sample_report

doctor: env
	$(BIN)/grader doctor

mutation: env wall-packages
	$(BIN)/python -m benchmarks.mutation --seeds 2 --jobs 2

mutants: env wall-packages
	$(BIN)/python -m benchmarks.mutation --mutants --names --jobs 2

corpus: env test-packages
	WHOLE_CORPUS=1 $(PYTEST) -n 2 tests/test_corpus.py tests/test_corpus_wrong.py tests/test_forms.py

attacks: env test-packages
	WHOLE_CORPUS=1 $(PYTEST) -n 2 tests/test_attacks.py tests/test_wall_attacks.py

in-notebooks: env wall-packages
	$(BIN)/python -m benchmarks.in_notebooks

fuzz: env wall-packages
	$(BIN)/python -m benchmarks.fuzz

bench: env wall-packages
	$(BIN)/python -m benchmarks.bench

bench-peers: env wall-packages
	$(BIN)/python -m benchmarks.peers

# Needs npm; fetches JupyterHub and its proxy into build/hub.
hub: env wall-packages
	$(BIN)/python -m benchmarks.hub

lock:
	PYTHON='$(PYTHON)' scripts/lock.sh

clean:
	rm -rf .venv build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
