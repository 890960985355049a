# jawari: two commands are enough.
#   make run      set up, build, render the tromba marina into out/
#   make test     set up, build, run every test
#   make          set up and build: build/jawari
#   make setup    install what is missing (as root or with sudo), or say what to install
#   make install  the program, library, manual page and completions
#   make clean    remove build/ and out/
# Variables: BUILD=folder OUT=folder.
# Everything else is Meson's: see meson.build and meson_options.txt.

BUILD ?= build
OUT   ?= out
MESON ?= /usr/bin/meson
JAWARI = $(BUILD)/jawari

.PHONY: all setup build run test install clean help

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

run: build
	@scripts/run.sh $(JAWARI) $(OUT)

test: build
	@scripts/test.sh $(BUILD)

install: build
	@$(MESON) install -C $(BUILD)

clean:
	rm -rf $(BUILD) $(OUT)
