# Foley: everything a newcomer or a build machine needs. `make` lists it.

.DEFAULT_GOAL := help
.PHONY: help setup demo gallery test measure bench quality realism bench-eigen bench-waves neon targets wasm rtsan fuzz licences

help: ## list these targets
	@echo "Foley hears physics. Targets:"
	@sed -n 's/^\([a-z-]*\): ## /\1\t/p' $(MAKEFILE_LIST) | while IFS="	" read -r name text; \
	do printf '  make %-11s %s\n' "$$name" "$$text"; done

setup: ## install what building and testing need (Debian, Ubuntu)
	@scripts/setup test

demo: ## hail on a picnic, rendered to sound and pictures in out/
	@scripts/setup demo
	cargo run --release -p foley-cli -- demo

gallery: ## the README's pictures of the built-in scenes (ImageMagick)
	@scripts/setup demo
	@scripts/gallery

test: ## format, lints, tests, docs, other systems and the map of the code
	@scripts/test

measure: ## write MEASURED.md from one run of all tests and benchmarks (an hour)
	@scripts/measure

bench: ## how many modes and objects sound at once here, and how long a large mesh takes
	@scripts/setup bench
	cargo run --release -p foley-cli -- bench modes
	cargo run --release -p foley-cli -- bench pruning
	cargo run --release -p foley-cli -- bench objects
	cargo run --release -p foley-cli -- bench hail
	cargo test --release -p foley-hail --test it speed -- --ignored --nocapture --test-threads 1
	cargo test --release -p foley-dsp --test it gains_cost -- --ignored --nocapture
	cargo test --release -p foley-scene --test it hail_cost -- --ignored --nocapture
	cargo test --release -p foley-engine --test it emitters -- --ignored --nocapture
	cargo run --release -p foley-cli -- bench bake

quality: ## how computing only what can be heard sounds, in figures and a picture in out/
	@scripts/setup demo
	@scripts/quality $(ARGUMENTS)

realism: ## what a classifier hears in strikes and demos, next to recordings (EARS names judge and recordings)
	@scripts/realism

TARGET := $(or $(CARGO_TARGET_DIR),target)

bench-eigen: ## the eigensolver against SciPy and its factor against faer's (SciPy comes under target/; minutes)
	test -x $(TARGET)/scipy/bin/python || python3 -m venv $(TARGET)/scipy
	$(TARGET)/scipy/bin/python -c 'import scipy' 2>/dev/null || \
		$(TARGET)/scipy/bin/pip install --quiet scipy
	cargo test --release -p foley-eigen --lib own_multifrontal -- --ignored --nocapture
	cargo build --release -p foley-eigen --example solve_block
	$(TARGET)/scipy/bin/python benches/scipy_eigsh.py \
		--program $(TARGET)/release/examples/solve_block $(ARGUMENTS)

bench-waves: ## radiated power of plates against bempp-cl (comes under target/; a minute)
	test -x $(TARGET)/bempp/bin/python || python3 -m venv $(TARGET)/bempp
	$(TARGET)/bempp/bin/python -c 'import bempp_cl' 2>/dev/null || \
		$(TARGET)/bempp/bin/pip install --quiet bempp-cl
	cargo build --release -p foley-waves --example radiate_plate
	$(TARGET)/bempp/bin/python benches/bempp_radiation.py \
		--program $(TARGET)/release/examples/radiate_plate $(ARGUMENTS)

neon: ## compile the ARM kernels
	@scripts/neon

targets: ## check the libraries for Windows, macOS and WebAssembly
	@scripts/targets

wasm: ## render the rings by WebAssembly under Node and compare with native code
	@scripts/wasm

rtsan: ## play live under the real-time sanitizer (nightly Rust)
	@scripts/rtsan

fuzz: ## feed every reader with mutated files, FUZZ_SECONDS each (cargo-fuzz comes under target/)
	@scripts/fuzz $(ARGUMENTS)

licences: ## check the licences of all dependencies (cargo-deny)
	cargo deny check licenses bans sources
	cd fuzz && cargo deny check --config ../deny.toml licenses bans sources
