# Every target installs what it needs, and no more: `make train` only PyTorch and what learns with it.

BIN := .venv/bin
TRAIN := .venv/.installed-train
PLAY := .venv/.installed-play
DEV := .venv/.installed-dev
DOCS := .venv/.installed-docs
RAY := .venv-rllib/bin

.DEFAULT_GOAL := help
.PHONY: help install train play test quick lint rllib hubs agilerl bench soak docs wheel wasm clean

help:
	@echo "make train   train and evaluate the quickstart agent"
	@echo "make play    play in the browser, against greedy (GAME=orbis)"
	@echo "make test    lint, types and tests, and what they need; ALL=1: those too that only a change of their files calls for"
	@echo "make quick   ruff and the tests that matter while working"
	@echo "make lint    ruff and pyright only"
	@echo "make rllib   install Ray in .venv-rllib and test engine: rllib, and core and wrappers with the gymnasium that Ray wants"
	@echo "make hubs    install the libraries of hubs for language models in .venv-hubs, and let them play"
	@echo "make agilerl install AgileRL in .venv-agilerl, and let it play"
	@echo "make bench   measure decisions per second"
	@echo "make soak    play, read and kill for two hours; writes docs/reliability.md, goes on where it was stopped"
	@echo "make docs    write the generated tables of docs/ anew, then the site into site/, with pages to play on"
	@echo "make wheel   a wheel in dist/ that carries compiled rules, for this Python and system (BASELINE=x86-64-v3)"
	@echo "make wasm    the rules of all games as WebAssembly, in build/wasm (THEOGONY_WASM names it), and a game in each"
	@echo "make install everything into .venv; every target above installs only what it needs"
	@echo "make clean   remove .venv, .venv-rllib and the like, build products and caches"

install: $(DEV)
	$(BIN)/python tests/needs.py

# Always with the constraints: without them pip may fetch another torch of several gigabytes.
PIP := $(BIN)/python -m pip install -c constraints.txt

# A candidate must run, not only exist: version managers leave names that start nothing.
$(TRAIN): pyproject.toml setup.py constraints.txt
	@for python in $(PYTHON) python3 python3.13 python3.12 python3.11; do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
			echo "Installing into .venv with $$("$$python" --version)"; \
			exec "$$python" -m venv .venv; \
		fi; \
	done; \
	echo "Theogony needs Python 3.11 or newer, and none was found. Install one, or name it: make PYTHON=/path/to/python3" >&2; \
	exit 1
	$(PIP) -e ".[train]"
	@touch $@

$(PLAY): $(TRAIN)
	$(PIP) -e ".[train,play]"
	@touch $@

$(DEV): $(TRAIN)
	$(PIP) -e ".[train,render,play,dev,docs,examples,video,mcp,models,onnx,hub,tune,web,data,report]"
	@$(PIP) -q --only-binary :all: open_spiel || echo "OpenSpiel has no wheel here: its tests are skipped"
	@touch $@

$(DOCS): $(TRAIN)
	$(PIP) -e ".[train,render,play,docs,web,report]"
	@touch $@

train: $(TRAIN)
	$(BIN)/theogony train configs/push_of_faith/quickstart.yaml

# GAME=innovation is another game.
GAME := orbis
play: $(PLAY)
	$(BIN)/theogony play $(GAME)

# tests/needs.py installs programs where the system lets it; the end of the run says what was skipped for want of one.
# What plays at random does so with array bounds checked, which compiled code leaves out; the rest plays the code that users run.
test: $(DEV)
	$(BIN)/python tests/needs.py
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@mkdir -p build; $(BIN)/pyright > build/pyright.txt & types=$$!; \
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -n 2 --dist loadgroup -m random_play; random=$$?; \
	wait $$types; types=$$?; cat build/pyright.txt; \
	ALL=$(ALL) DURATIONS=$(DURATIONS) $(BIN)/pytest -n 2 --dist loadgroup --no-loadscope-reorder --durations=15 \
		-m "not random_play" && exit $$((random || types))

# CONTRIBUTING.md says what is left out.
quick: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pytest -n 2 --dist loadgroup -q -m "not slow and not random_play and not conformance"

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

# The version of Python is that of .venv.
.venv-rllib/.installed: pyproject.toml setup.py constraints-rllib.txt | $(TRAIN)
	$(BIN)/python -m venv .venv-rllib
	$(RAY)/python -m pip install -c constraints-rllib.txt -e ".[train,render,rllib]" pytest hypothesis pygame onnx
	@touch $@

rllib: .venv-rllib/.installed
	$(RAY)/python -m pytest tests/rllib
	$(RAY)/python -m pytest tests/core tests/wrappers tests/libraries -m "not slow"

hubs: $(DEV)
	$(BIN)/python tests/hubs/install.py .venv-hubs
	$(BIN)/python -m pytest tests/hubs

# AgileRL wants PettingZoo before 1.27, and peft without saying so. The version of torch is that of constraints.txt.
.venv-agilerl/.installed: pyproject.toml setup.py | $(TRAIN)
	$(BIN)/python -m venv .venv-agilerl
	.venv-agilerl/bin/python -m pip install agilerl==2.58.0 peft==0.21.0 torch==2.13.0 -e .
	@touch $@

agilerl: $(DEV) .venv-agilerl/.installed
	$(BIN)/python -m pytest tests/libraries/test_agilerl.py

bench: $(TRAIN)
	$(BIN)/theogony bench

# SOAK="--scale 0.01" is a quick trial.
soak: $(DEV)
	$(BIN)/python tests/soak/soak.py $(SOAK)

# --strict: a broken link is an error. PYODIDE=FOLDER: files of Pyodide and NumPy's wheel for it, which the site then
# serves itself, for its pages to play on.
docs: $(DOCS)
	$(BIN)/python docs/generate.py
	$(BIN)/theogony benchmark report leaderboard/results --out docs
	$(BIN)/python docs/pages.py $(if $(PYODIDE),--bundle "$(PYODIDE)")
	$(BIN)/mkdocs build --strict

# The pure wheel, without compiled rules, is `python -m build`. On aarch64: BASELINE=generic.
BASELINE := x86-64-v3
wheel: $(DEV)
	$(BIN)/theogony compile --all --into build/compiled --baseline $(BASELINE)
	THEOGONY_COMPILED="$(CURDIR)/build/compiled" $(BIN)/python -m pip wheel --no-deps --no-build-isolation -w dist .

wasm: $(DEV)
	$(BIN)/theogony compile --all --wasm --into build/wasm
	$(BIN)/pytest -q -rs tests/web/test_layouts.py

clean:
	rm -rf .venv .venv-rllib .venv-hubs .venv-agilerl build dist site src/*.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
