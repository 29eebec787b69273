# make demo: a game on the simulated board, page included.  make test: every check.  Both do all the set-up.
# make hub-demo: sixteen simulated boards on one wall; needs Debian's mosquitto and postgresql.
# sudo make install, sudo make uninstall: the service of a Raspberry Pi or another Debian machine; docs/install.md.
# sudo make install-hub, sudo make uninstall-hub: the hub of many boards, with broker, database and backups; docs/hub.md.
VENV := .venv
PY := $(VENV)/bin/python
DEMO_ARGS ?=
HUB_DEMO_ARGS ?=
# A program whose bytecode may not be kept compiles all of itself at every start, and the tests start it a hundred times.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo hub-demo test suite lint setup train clean install uninstall install-hub uninstall-hub
demo: $(VENV)/.installed
	$(VENV)/bin/vrhcab demo $(DEMO_ARGS)

hub-demo: $(VENV)/.hub
	$(VENV)/bin/vrhcab hub demo $(HUB_DEMO_ARGS)

test: $(VENV)/.tested
	tests/system-packages.sh
	$(MAKE) --jobs=2 lint suite

# Pytest writes every assertion anew and keeps what it wrote; four workers would all do so at the same time.
$(VENV)/.rewritten: $(VENV)/.tested
	$(VENV)/bin/pytest --collect-only --quiet > $@ || true

suite: $(VENV)/.rewritten
	OPENBLAS_NUM_THREADS=1 $(VENV)/bin/pytest --numprocesses 4 --dist loadfile --no-loadscope-reorder

lint: $(VENV)/.tested
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

$(VENV)/bin/python:
	./setup-venv.sh $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(PY) -m pip install --quiet --editable .
	install/pi-camera.sh $(PY)
	touch $@

$(VENV)/.tested: pyproject.toml $(VENV)/.installed
	$(PY) -m pip install --quiet --editable '.[test]'
	touch $@

$(VENV)/.hub: pyproject.toml $(VENV)/.installed
	$(PY) -m pip install --quiet --editable '.[hub]'
	touch $@

install:
	install/install.sh

uninstall:
	install/uninstall.sh

install-hub:
	install/install-hub.sh

uninstall-hub:
	install/uninstall-hub.sh

clean:
	rm -rf $(VENV) build *.egg-info
