# make check-readers: the exports of hprof report, read by the programs that they are for. make readers
# fetches these, once: pprof with Go from 1.19 on, speedscope with npm, inferno with Rust's cargo, from
# 1.71 on. A program that is not here is no failure: its tests are skipped. Read by tests/check.mk.

.PHONY: readers check-readers
READERS = $(BUILD)/readers
PPROF_VERSION = v0.0.0-20240727154555-813a5fbdbec8
SPEEDSCOPE_VERSION = 1.25.0
INFERNO_VERSION = 0.12.2
GO ?= go
NPM ?= npm
CARGO ?= cargo

readers: $(READERS)/pprof/pprof $(READERS)/speedscope/dist/release/index.html $(READERS)/inferno/bin/inferno-flamegraph

# They are fetched again when this file, which has their versions, changes.
$(READERS)/pprof/pprof: tests/readers/check.mk
	@rm -rf $(@D) && mkdir -p $(@D)
	GOBIN=$(abspath $(@D)) $(GO) install github.com/google/pprof@$(PPROF_VERSION)
	@touch $@

$(READERS)/speedscope/dist/release/index.html: tests/readers/check.mk
	@rm -rf $(READERS)/speedscope && mkdir -p $(READERS)/speedscope
	cd $(READERS)/speedscope && $(NPM) pack --silent speedscope@$(SPEEDSCOPE_VERSION)
	@cd $(READERS)/speedscope && tar -xzf speedscope-*.tgz --strip-components=1 && rm speedscope-*.tgz
	@touch $@

$(READERS)/inferno/bin/inferno-flamegraph: tests/readers/check.mk
	@rm -rf $(READERS)/inferno
	$(CARGO) install --quiet --locked --root $(READERS)/inferno --no-default-features --features cli \
		--bin inferno-flamegraph inferno@$(INFERNO_VERSION)
	@touch $@

check-readers: export HPROF_AGENT = $(abspath $(LIBRARY))
check-readers: export HPROF_READERS = $(abspath $(READERS))
check-readers: all
	HPROF_TEST_JDKS=$(JAVA_HOME) $(PYTEST) -rs -m readers tests/e2e
