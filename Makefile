# jawari: two commands are enough.
#   make run    set up, build, render the tromba marina into out/
#   make test   set up, build, run every test
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
	@ninja -C $(BUILD) --quiet

run: build
	@scripts/run.sh $(JAWARI) $(OUT)

test: build
	@scripts/test.sh $(BUILD)

install: build
	@$(MESON) install -C $(BUILD)

clean:
	rm -rf $(BUILD) $(OUT)
