# make fuzz: random input for each reader, with clang's libFuzzer and sanitizers. Read by
# tests/check.mk.
#
#   T=SECONDS     for each harness (60)
#   FUZZERS=...   of them: those alone

.PHONY: fuzz fuzz-programs fuzz-syntax
FUZZERS ?= classfile command options text binary merge gzip gate page perf_data \
	$(if $(and $(PROTOBUF_C),$(JANSSON)),export) $(if $(JANSSON),json mcp)
FUZZ_BUILD = $(BUILD)/fuzz
FUZZ_PROGRAMS = $(FUZZERS:%=$(FUZZ_BUILD)/%_fuzz)
FUZZ_SANITIZE = address,undefined
# What the harnesses are linked with, built for them.
FUZZ_TESTED = $(FUZZ_BUILD)/tests/tested.a
FUZZ_MAKE = $(MAKE) -j$(JOBS) BUILD=$(FUZZ_BUILD) CC='$(CLANG)' SANITIZE=fuzzer-no-link,$(FUZZ_SANITIZE) \
	CFLAGS='-O1 -g1'
FUZZ_CFLAGS = -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror $(INCLUDES) $(FORMAT_CFLAGS) -Itests/fuzz -Itests/classfile

# Limits of one input: length, and seconds.
FUZZ_FLAGS = -timeout=25 -rss_limit_mb=4096 -print_final_stats=1
FUZZ_FLAGS_classfile = -dict=tests/fuzz/classfile.dict -max_len=4096
FUZZ_FLAGS_command = -max_len=256
FUZZ_FLAGS_options = -dict=tests/fuzz/options.dict -max_len=600
FUZZ_FLAGS_text = -dict=tests/fuzz/text.dict -max_len=8192
FUZZ_FLAGS_binary = -max_len=8192
FUZZ_FLAGS_merge = -max_len=8192
FUZZ_FLAGS_gzip = -max_len=8192
FUZZ_FLAGS_gate = -dict=tests/fuzz/text.dict -max_len=8192
FUZZ_FLAGS_page = -dict=tests/fuzz/text.dict -max_len=8192
FUZZ_FLAGS_export = -dict=tests/fuzz/text.dict -max_len=8192
FUZZ_FLAGS_json = -dict=tests/fuzz/text.dict -max_len=8192 -close_fd_mask=2
FUZZ_FLAGS_mcp = -max_len=1024
FUZZ_FLAGS_perf_data = -max_len=1024

fuzz-programs:
	+$(FUZZ_MAKE) $(FUZZ_TESTED)
	$(MAKE) $(FUZZ_PROGRAMS)

$(FUZZ_BUILD)/%_fuzz: tests/fuzz/%_fuzz.c $(FUZZ_TESTED) tests/fuzz/reading.h tests/classfile/test_plans.c
	$(call say,FUZZ)
	$(QUIET)$(CLANG) $(FUZZ_CFLAGS) -isystem $(FUZZ_BUILD)/src -g -O1 -fsanitize=fuzzer,$(FUZZ_SANITIZE) \
		-fno-sanitize-recover=all -o $@ $< \
		$(if $(filter classfile,$*),tests/classfile/test_plans.c) $(FUZZ_TESTED) $(COMMAND_LIBS)

# Whether they compile, which no other check shows.
fuzz-syntax: $(if $(PROTOBUF_C),$(PPROF_MESSAGES).h)
	$(CLANG) $(FUZZ_CFLAGS) -isystem $(BUILD)/src -fsyntax-only $(FUZZERS:%=tests/fuzz/%_fuzz.c)

# Inputs that reach new code stay in build/fuzz/found; a failing one in build/fuzz/failed.
fuzz: fuzz-programs
	@mkdir -p $(FUZZ_BUILD)/failed $(FUZZERS:%=$(FUZZ_BUILD)/found/%)
	@$(PYTHON) tests/fuzz/run.py $(FUZZ_BUILD) $(or $(T),60) \
		$(foreach name,$(FUZZERS),'$(name) $(FUZZ_FLAGS) $(FUZZ_FLAGS_$(name))')
