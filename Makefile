# jawari: two commands are enough.
#   make run             set up, build, render ten instruments and a page to hear them on: out/index.html
#   make test            set up, build, run every test
#   make rounds          the core's tests again under sanitizers, as 32 bit and under valgrind
#   make lint            format, licence lines, scripts, clang-tidy
#   make docs            the reference of the public headers, by Doxygen: out/api/index.html
#   make                 set up and build: build/jawari
#   make setup           install what is missing (as root or with sudo), or say what to install
#   make install         program, library, headers, manual page, completions, scenes, documents: PREFIX=/usr/local DESTDIR=
#   make python          the Python package, usable from the build folder: PYTHONPATH=build/python
#   make wheel           the same as a wheel for pip, built without network: out/jawari-*.whl
#   make deb             Debian packages: jawari, libjawari0, libjawari-dev, jawari-lv2, into out/
#   make test-hosts      what takes minutes: Ardour exports what jawari renders, a minute of random MIDI under the real-time guard
#   make test-cluster    a sweep on a cluster of two nodes, one of which dies; Dask; the notebooks; the wheel in a fresh environment
#   make sweep-speed     what sweeps cost against single renderings, over cores and points, and the picture of docs/sweeps.md
#   make release         archives of the committed source and of what is installed, with checksums, into out/
#   make web             the core in WebAssembly, the page, the page as one file, the npm package: web/dist/
#   make test-web        the page in Chromium: samples, every control, hostile scenes, links, files; some minutes
#   make web-pictures    the page's pictures in docs/pictures anew, light and dark, wide and on a phone
#   make clean           remove build/ and out/
#   make gallery         every built-in scene on one page: out/gallery/index.html
#   make golden          write the hashes of the built-in scenes, songs and outputs, and the tests' figure, anew, after a change of sound that is meant
#   make pictures        draw the pictures of the documents anew, after a change of sound or of drawing that is meant
#   make test-instruments  what the instruments' texts say, at their rates and converged: a table, some minutes
#   make determinism     compare gcc and clang, -O0 to -O3, every kernel width
#   make wasm            the core in WebAssembly, run by node: the same samples to the bit, and how fast
#   make arm             the core for ARM with NEON, run by qemu: the same samples to the bit
#   make windows         program and library for Windows by mingw-w64, run by wine: the same samples to the bit
#   make i686            the core as 32 bit under sanitizers: the same samples, limits, and what fuzzing found
#   make study-contacts  ten thousand random contacts a set: refined against Newton and bounded
#   make sanitize        every test under the address and undefined-behaviour sanitizers
#   make tsan            commands from another thread, and components side by side, under the thread sanitizer
#   make rtsan           running worlds under clang's realtime sanitizer, which needs clang 20
#   make valgrind        the core's quick tests under valgrind
#   make coverage        which lines and branches of the core the tests reach
#   make operations      instructions a sample of a string at rest, free, rattling and pressed, by callgrind
#   make mutate          change one thing at a time in the numeric files: MUTANTS=300
#   make mutate-rest     the same in scenes, player, command and plots: MUTANTS=20 SEED=1
#   make soak            random scenes: SCENES=100000 REGIME=nominal|wide|nonlinear|hostile SECONDS=1 FIRST=1
#   make soak-strikes    an hour of blows on a plate that stretches, in some minutes
#   make soak-live       play the tromba for ten minutes in a JACK server, block 64, random MIDI: SECONDS=600
# Variables: BUILD=folder OUT=folder.
# Everything else is Meson's: see meson.build and meson_options.txt.

BUILD ?= build
OUT   ?= out
MESON ?= /usr/bin/meson
JAWARI = $(BUILD)/jawari

.PHONY: windows rounds lint docs all setup build run test install clean help golden pictures determinism wasm arm i686 study-contacts sanitize tsan rtsan valgrind coverage operations mutate mutate-rest soak soak-strikes soak-live python wheel deb test-hosts release web web-pictures test-web test-instruments gallery test-cluster sweep-speed

all: build

help:
	@sed -n 's/^#   //p' Makefile

# Installs what is missing when root (or with sudo), otherwise says what to install.
setup:
	@scripts/setup.sh

$(BUILD)/build.ninja: | setup
	@scripts/configure.sh $(BUILD)

build: setup $(BUILD)/build.ninja
	@scripts/build.sh $(BUILD)

# Without the tests, which it does not need.
run: setup $(BUILD)/build.ninja
	@scripts/build.sh $(BUILD) tools/jawari.stamp
	@scripts/run.sh $(JAWARI) $(OUT)

gallery: build
	@scripts/gallery.py $(JAWARI) $(OUT)/gallery

test: build
	@scripts/setup.sh test
	@scripts/test.sh $(BUILD)

# Some four minutes more.
rounds: build
	@scripts/setup.sh test
	@scripts/test.sh $(BUILD) rounds

lint: build
	@scripts/setup.sh lint
	@scripts/lint.sh $(BUILD)

docs:
	@scripts/setup.sh docs
	@scripts/api.sh $(OUT)/api

golden: build
	@$(BUILD)/test/golden write test/golden.txt && test/command/test_songs.py $(JAWARI) . write && \
	  test/command/test_outputs.py $(JAWARI) . write && \
	  $(BUILD)/test/test_plot write test/figures.svg && $(BUILD)/test/test_figures write test/figures.txt && \
	  git --no-pager diff --stat -- test/golden.txt test/songs.txt test/outputs.txt test/figures.svg test/figures.txt

pictures: build
	@scripts/pictures.sh $(JAWARI) docs/pictures && git --no-pager diff --stat -- docs/pictures

test-instruments: build
	@$(BUILD)/test/test_instruments converged
	@$(BUILD)/test/test_piano thorough

determinism: build
	@test/determinism/builds.sh $(BUILD)-determinism $(BUILD)/test/golden

# What is missing is named, not installed: some 500 MB.
wasm: build
	@scripts/elsewhere.sh wasm $(BUILD)-wasm check
	@ninja -C $(BUILD) --quiet test/portable/portable_speed
	@scripts/speed.sh $(BUILD) $(BUILD)-wasm

arm: setup
	@scripts/elsewhere.sh arm $(BUILD)-arm check

windows: build
	@scripts/setup.sh hosts
	@scripts/elsewhere.sh windows $(BUILD)-windows check

i686: setup
	@scripts/elsewhere.sh i686 $(BUILD)-i686 check

study-contacts: build
	@$(BUILD)/test/study_contacts 10000

sanitize: setup
	@scripts/sanitize.sh $(BUILD)-sanitize address,undefined

tsan: setup
	@scripts/sanitize.sh $(BUILD)-tsan thread queue threads components

rtsan: setup
	@scripts/sanitize.sh $(BUILD)-rtsan realtime sanitizer queue control snapshot rest golden \
	  threads life group island along bow modes objects systems scenes play live random-nominal random-found

valgrind: build
	@scripts/valgrind.sh $(BUILD)

coverage: setup
	@scripts/coverage.sh $(BUILD)-coverage

operations: build
	@scripts/operations.sh $(BUILD)

MUTANTS ?= 300
mutate: setup
	@scripts/mutate.py --sample $(MUTANTS) --folder $(BUILD)-mutate

SEED ?= 1
mutate-rest: MUTANTS = 20
mutate-rest: setup
	@scripts/mutate_rest.py --sample $(MUTANTS) --seed $(SEED) --folder $(BUILD)-mutate-rest

# Random scenes in two processes.  A scene that fails is shrunk and kept in out/soak.
SCENES  ?= 10000
REGIME  ?= wide
SECONDS ?= 1
FIRST   ?= 1
soak: build
	@mkdir -p $(OUT)/soak
	@$(BUILD)/test/random/random_scenes --regime $(REGIME) --scenes $(SCENES) --first $(FIRST) \
	  --seconds $(SECONDS) --timed --keep $(OUT)/soak

soak-strikes: build
	@$(BUILD)/test/test_plate_modes hour

# A report: how loaded the process thread is, how many blocks were late.
soak-live: SECONDS = 600
soak-live: build
	@$(BUILD)/test/test_live soak $(SECONDS)

# What its tests use is installed with it, where that can be done.
python: build
	@scripts/setup.sh python
	@PYTHONPATH=$(BUILD)/python /usr/bin/python3 -c 'import jawari; print("jawari", jawari.version(), "in", jawari.__path__[0])'

wheel: python
	@scripts/wheel.sh $(BUILD) $(OUT)

test-hosts: build
	@scripts/setup.sh hosts
	@scripts/configure.sh $(BUILD) && ninja -C $(BUILD) --quiet
	@$(MESON) test -C $(BUILD) --setup long --suite hosts --print-errorlogs --timeout-multiplier 4

test-cluster: python
	@scripts/setup.sh cluster
	@$(MESON) test -C $(BUILD) --setup long --suite cluster --print-errorlogs

# On an idle machine.
sweep-speed: python
	@PYTHONPATH=$(BUILD)/python /usr/bin/python3 scripts/sweep_speed.py $(JAWARI) docs/sweep-scaling.svg

deb: setup
	@scripts/setup.sh hosts
	@scripts/deb.sh $(OUT)

release: build
	@scripts/release.sh $(BUILD) $(OUT)
web: setup
	@scripts/setup.sh web
	@web/build.sh $(BUILD)-web

web-pictures: web
	@node web/scripts/pictures.mjs docs/pictures

test-web: build web
	@node web/test/test_node.mjs $(JAWARI) web/dist/package
	@node web/test/test_page.mjs all $(JAWARI)

install: build
	@$(if $(PREFIX),$(MESON) configure $(BUILD) -Dprefix=$(abspath $(PREFIX)))
	@$(if $(DESTDIR),DESTDIR=$(abspath $(DESTDIR))) $(MESON) install -C $(BUILD)

clean:
	rm -rf $(BUILD) $(BUILD)-determinism $(BUILD)-wasm $(BUILD)-web $(BUILD)-arm $(BUILD)-i686 $(BUILD)-windows $(BUILD)-sanitize $(BUILD)-tsan $(BUILD)-rtsan $(BUILD)-coverage $(BUILD)-mutate $(BUILD)-mutate-rest $(OUT) web/dist
