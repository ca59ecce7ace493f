# make check-solaris: what can be shown of the Solaris build without Solaris.
# Read by tests/check.mk.

SOLARIS_TARGETS = sparcv9-sun-solaris2.11 $(if $(WHOLE),x86_64-pc-solaris2.11)
SOLARIS_SOURCES = $(filter-out $(WITH_PROTOBUF) $(WITH_JSON),$(wildcard $(foreach dir,$(AGENT_ROOMS) $(SHARED_ROOMS) $(COMMAND_ROOMS:attach/%=attach/solaris) attach/by_jcmd os/solaris os/posix os/any,src/$(dir)/*.c))) \
	tests/ports/solaris/layouts.c
SOLARIS_BUILD = $(BUILD)/solaris

.PHONY: check-solaris solaris-programs compile-solaris shim-solaris unit-solaris e2e-solaris
check-solaris: solaris-programs
	$(MAKE) unit-solaris

solaris-programs:
	$(MAKE) -j$(JOBS) compile-solaris shim-solaris

# ---- 1: the whole agent, compiled for Solaris ------------------------------
# Against declarations of our own, which layouts.c checks, and the headers of uthash and
# zlib. Warnings of casts to stricter alignment are on, for SPARC.
CLANG = clang
CLANG_DIR = $(call once,CLANG_DIR,$(shell $(CLANG) -print-resource-dir))
SOLARIS_CFLAGS = -std=gnu11 -D_GNU_SOURCE -D__EXTENSIONS__ -D_POSIX_PTHREAD_SEMANTICS \
	-D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64 -include src/os/solaris/libbsd.h \
	$(WARNINGS) -Wcast-align -O0 -fPIC -fvisibility=hidden -ftls-model=initial-exec \
	-nostdinc -isystem tests/ports/solaris/include -isystem $(SOLARIS_BUILD)/include \
	-isystem $(CLANG_DIR)/include -Isrc -Isrc/os -Isrc/os/solaris -Isrc/os/posix -Isrc/os/any \
	-isystem $(JAVA_HOME)/include -isystem $(JAVA_HOME)/include/linux

# They are taken from where the compiler finds them, without the others there.
SOLARIS_HEADERS = $(SOLARIS_BUILD)/include/uthash.h
$(SOLARIS_HEADERS): | prerequisites
	@mkdir -p $(@D)
	@printf '#include <%s>\n' utlist.h zlib.h uthash.h | $(CC) $(ZLIB_CFLAGS) -x c -M - | tr ' ' '\n' | \
		grep -E '/(uthash|utlist|zlib|zconf)\.h$$' | xargs -I{} cp {} $(@D)

define solaris_object
$(SOLARIS_BUILD)/$(1)/%.o: %.c $(SOLARIS_HEADERS)
	@mkdir -p $$(@D)
	$$(QUIET)$$(CLANG) --target=$(1) $$(SOLARIS_CFLAGS) -MD -MP -c -o $$@ $$<

SOLARIS_OBJECTS += $(patsubst %.c,$(SOLARIS_BUILD)/$(1)/%.o,$(SOLARIS_SOURCES) $(call cpu_sources,$(firstword $(subst -, ,$(1)))))
endef
$(foreach target,$(SOLARIS_TARGETS),$(eval $(call solaris_object,$(target))))

compile-solaris: $(SOLARIS_OBJECTS)
	@echo "compiled for: $(SOLARIS_TARGETS)"

ifneq ($(filter %-solaris solaris-programs,$(MAKECMDGOALS)),)
-include $(SOLARIS_OBJECTS:.o=.d)
endif

# ---- 2: the Solaris platform under the agent on Linux ----------------------
SOLARIS_SHIM = $(MAKE) OS=solaris SHIM=1 BUILD=$(SOLARIS_BUILD)/shim CFLAGS='-O2 -g1' TEST_CFLAGS=-O0
SOLARIS_UNIT_TESTS = $(patsubst tests/unit/%.c,$(SOLARIS_BUILD)/shim/tests/%, \
	$(filter-out $(call marked,linux) $(call marked,not_shimmed),$(wildcard tests/unit/os/*_test.c))) \
	$(SOLARIS_BUILD)/shim/tests/solaris_test

shim-solaris:
	+$(SOLARIS_SHIM) all $(SOLARIS_UNIT_TESTS)

unit-solaris: export CK_EXCLUDE_TAGS = linux system_clock
unit-solaris: export HPROF_TEST_TIMES = $(if $(WHOLE),y,n)
unit-solaris: UNIT_JOBS = $(if $(WHOLE),1,$(JOBS))
unit-solaris: shim-solaris
	$(call unit_tests,$(SOLARIS_UNIT_TESTS))

# On one JDK, unless HPROF_TEST_JDKS says otherwise: the platform is what is tested.
# check-solaris runs those that depend on the platform; with SOLARIS_MARKS='(ports or emulated)'
# all modes.
SOLARIS_MARKS ?= ports
e2e-solaris: shim-solaris
	export HPROF_TEST_JDKS=$${HPROF_TEST_JDKS:-$(JAVA_HOME)} \
		HPROF_AGENT=$(abspath $(SOLARIS_BUILD))/shim/libhprof.so HPROF_TEST_PLATFORM=solaris; \
		$(call e2e_tests,$(SOLARIS_MARKS))
