# All that tests: read by the Makefile, which is the build. tests/README.md is the map of the tests.

.PHONY: check check-more check-all check-summary programs unit-programs unit e2e e2e-build-jdk e2e-other-jdks verify \
	asan e2e-asan tsan lint bench

# ---- check: stages -----------------------------------------------------
# What a change needs: unit tests, and end-to-end tests on the JDK that it is built with. Each is a
# stage with a log of its own, build/check/STAGE.log; the last lines say what came of all, and a
# test that fails runs again, alone: tests/check/check.py.
STAGES = HPROF_CHECK_BUILD=$(BUILD) MAKE='$(MAKE)' $(PYTHON) tests/check/check.py $(if $(GO_ON),--go-on)
CHECK_STAGES = programs rooms unit e2e-build-jdk
check:
	@$(STAGES) $(CHECK_STAGES)

# What a release needs besides: the linters, the other JDKs, the JDKs' own classes rewritten and
# verified, the sanitizers, and other systems. `make deps-all` brings the tools. With GO_ON=1 it goes
# on after stages that have run, lint among them; check-summary then prints what came of all.
MORE_STAGES = $(if $(GO_ON),,lint) e2e-other-jdks e2e-images-subset browser $(SHORT_FORMS) verify \
	asan e2e-asan tsan host check-readers check-dist check-jar check-windows+check-aarch64 \
	e2e-windows-here check-dist-windows e2e-aarch64-subset check-solaris e2e-solaris models
check-more: | prerequisites
	@$(STAGES) $(MORE_STAGES)

# All of that with WHOLE=1: all tests on all JDKs, and what else takes long and rarely finds what the
# rest does not.
check-all: export WHOLE = 1
check-all:
	@$(STAGES) lint $(CHECK_STAGES) $(MORE_STAGES) e2e-s390x-subset check-deb-root check-dist-root

check-summary:
	@$(STAGES:--go-on=) --summary

# ---- unit tests --------------------------------------------------------
TESTED_OBJECTS = $(AGENT_OBJECTS) $(filter-out %/main.o,$(COMMAND_OBJECTS))
TESTED = $(BUILD)/tests/tested.a

# The first line of a test's file may have marks: /* marks: timed, posix */
#   timed         states times, or has threads that compete: runs alone, where times are judged
#   tsan          has concurrent threads: runs with the thread sanitizer, too
#   loops         has long loops of its own: optimized in every build
#   posix         asks for POSIX, or replaces what is one object on Windows: not there
#   linux         of Linux's own calls: not on Solaris
#   not_shimmed   not on the shim of Solaris
#   not_emulated  not under QEMU: tests/ports/check.mk has the reasons
# LEFT_OUT: marks whose tests a build leaves out.
MARKS = timed tsan loops posix linux not_shimmed not_emulated
MARKED := $(shell sh tests/support/marks.sh $(wildcard tests/unit/*/*_test.c tests/unit/*/*/*_test.c))
marked = $(patsubst $(1):%,%,$(filter $(1):%,$(MARKED)))
unit_programs = $(patsubst tests/unit/%.c,$(BUILD)/tests/%$(EXE),$(1))

UNIT_SOURCES = $(filter-out $(foreach mark,$(LEFT_OUT),$(call marked,$(mark))) $(if $(PROTOBUF_C),,tests/unit/export/pprof%) \
	$(if $(JANSSON),,tests/unit/export/json% tests/unit/views/json% tests/unit/mcp/%),$(wildcard $(foreach room,$(or $(UNIT_ROOMS),*),tests/unit/$(room)/*_test.c tests/unit/$(room)/$(CPU)/*_test.c)))
UNIT_TESTS = $(call unit_programs,$(UNIT_SOURCES))
CHECK_CFLAGS = $(call once,CHECK_CFLAGS,$(shell $(PKG_CONFIG) --cflags check))
CHECK_LIBS = $(call once,CHECK_LIBS,$(shell $(PKG_CONFIG) --libs check))

# What tests share: a test is linked with each of these whose header it includes.
FIXTURES = $(patsubst tests/support/%.c,%,$(wildcard tests/support/*.c))
FIXTURE_OBJECTS = $(FIXTURES:%=$(BUILD)/tests/support/%.o)

# What differs on the platform.
-include tests/ports/$(OS)/platform.mk

UNKNOWN_MARKS = $(filter-out $(MARKS:%=%:%),$(MARKED)) $(filter-out $(MARKS),$(LEFT_OUT))
$(if $(strip $(UNKNOWN_MARKS)),$(error marks of tests that tests/check.mk does not know: $(strip $(UNKNOWN_MARKS))))

-include $(UNIT_TESTS:=.d) $(FIXTURE_OBJECTS:.o=.d)

WRAP_ALLOCATION = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=os_pages_alloc \
	-Wl,--wrap=os_pages_reserve -Wl,--wrap=os_pages_commit

$(BUILD)/tests/%_oom_test$(EXE): LINK_EXTRA = $(WRAP_ALLOCATION)
$(BUILD)/tests/os/cpu_timer_cost_test$(EXE): LINK_EXTRA = -Wl,--wrap=getrusage
$(BUILD)/tests/output/sink_closing_test$(EXE): LINK_EXTRA = -Wl,--wrap=os_monotonic_ns -Wl,--wrap=os_socket_write_some
$(BUILD)/tests/os/perf_timer_test$(EXE): LINK_EXTRA = -Wl,--wrap=syscall -Wl,--wrap=ioctl

$(FIXTURE_OBJECTS): $(BUILD)/%.o: %.c | prerequisites
	@mkdir -p $(@D)
	$(call say,CC)
	$(QUIET)$(CC) $(CHECK_CFLAGS) $(ALL_CFLAGS) -Itests/support -MMD -MP $(TEST_CFLAGS) -c -o $@ $<

# An archive, so that each test is linked with what it uses alone, which is faster.
$(TESTED): $(TESTED_OBJECTS)
	@mkdir -p $(@D)
	$(QUIET)rm -f $@ && $(AR) rcs $@ $^

# TEST_CFLAGS=-O0 is for the builds after the first, which has compiled the tests' own code with
# all warnings of the optimizer: half the compilers' time, and the tests run as fast, except those
# with long loops of their own.
define make_test
	@mkdir -p $(@D)
	$(call say,TEST)
	$(QUIET)$(CC) $(CHECK_CFLAGS) $(ALL_CFLAGS) -Wno-missing-prototypes -Itests/support -MMD -MP -MF $@.d -MT $@ \
		$(if $(filter $(call marked,loops),$<),,$(TEST_CFLAGS)) -c -o $@.o $<
	$(QUIET)$(CC) $(ALL_LDFLAGS) $(TEST_LDFLAGS) $(LINK_EXTRA) -o $@ $@.o $(included_fixtures) $(TEST_OBJECTS) $(TESTED) \
		$(CHECK_LIBS) $(COMMAND_LIBS)
endef

# By the list of headers that the compiler has written.
included_fixtures = $$(grep -owE 'tests/support/($(subst $(empty) ,|,$(FIXTURES)))\.h' $@.d | sort -u | sed 's|\(.*\)h$$|$(BUILD)/\1o|')

$(BUILD)/tests/%_test$(EXE): tests/unit/%_test.c $(TESTED) $(FIXTURE_OBJECTS) $(TEST_OBJECTS)
	$(make_test)

programs:
	$(MAKE) -j$(JOBS) all unit-programs

# Compilers run in parallel, and so do all tests except those about time.
JOBS ?= $(call once,JOBS,$(shell getconf _NPROCESSORS_ONLN))
unit-programs: $(UNIT_TESTS)

# The limit ends a test that hangs. Check's own, 4 s of the wall clock, ends also one
# that is slow under a sanitizer on a busy machine.
unit unit-solaris: export CK_DEFAULT_TIMEOUT ?= 60
unit: $(UNIT_TESTS)
	$(call unit_tests,$(UNIT_TESTS),$(RUN_TEST))

# In parallel, except those marked timed, which run one by one after them, where times are judged.
UNIT_JOBS ?= $(JOBS)
timed_of = $(if $(filter n,$(HPROF_TEST_TIMES)),,$(filter $(call unit_programs,$(call marked,timed)),$(1)))
define unit_tests
	@rm -f $(BUILD)/tests/failed
	@printf '%s\n' $(filter-out $(timed_of),$(1)) | xargs -r -n 1 $(if $(filter-out 1,$(UNIT_JOBS)),-P $(UNIT_JOBS)) sh tests/support/run.sh $(BUILD)/tests/failed $(2)
	@printf '%s\n' $(timed_of) | xargs -r -n 1 sh tests/support/run.sh $(BUILD)/tests/failed $(2)
	@test ! -e $(BUILD)/tests/failed || { echo "failed:" $$(cat $(BUILD)/tests/failed) >&2; exit 1; }
endef

# ---- end-to-end tests --------------------------------------------------
# End-to-end tests with those marks: the crowd, four at a time, since many of them wait, and
# then those that need the machine alone.
# Python keeps their compiled code for the next run, whatever the environment says.
PYTEST = PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(abspath $(BUILD))/pycache PYTHONPATH=$(abspath tests/check) \
	$(PYTHON) -m pytest -q -p no:cacheprovider -p pytest_failures
E2E_JOBS ?= 4
e2e_crowd = $(PYTEST) -n $(E2E_JOBS) --dist loadfile -m '$(if $(1),$(1) and )not alone and not browser and not readers' tests/e2e
e2e_alone = $(PYTEST) -m '$(if $(1),$(1) and )alone' tests/e2e
# pytest exits with 5 where none is alone.
e2e_tests = failed=0; $(call e2e_crowd,$(1)) || failed=1; $(call e2e_alone,$(1)) || [ $$? = 5 ] || failed=1; exit $$failed

e2e e2e-build-jdk e2e-other-jdks browser screenshots: export HPROF_AGENT = $(abspath $(LIBRARY))
e2e: all
	$(call e2e_tests)

e2e-build-jdk: all
	export HPROF_TEST_JDKS=$(JAVA_HOME); $(call e2e_tests,$(if $(WHOLE),,not thorough))

# The page in headless Chromium and Firefox; its pictures are kept in build/screenshots.
.PHONY: browser screenshots
browser: all
	$(PYTEST) -m browser tests/e2e

screenshots: all
	HPROF_SCREENSHOTS=$(abspath $(BUILD))/screenshots $(PYTEST) -m browser -k pictures tests/e2e
	@ls $(BUILD)/screenshots

# Those of HPROF_TEST_JDKS, or else of the system, less the one that check has tested.
empty =
OTHER_JDKS = $(filter-out $(realpath $(JAVA_HOME)),$(realpath $(subst :, ,$(or $(HPROF_TEST_JDKS),$(subst $(empty) ,:,$(VERIFY_JDKS))))))
e2e-other-jdks: all
	$(if $(OTHER_JDKS),export HPROF_TEST_JDKS=$(subst $(empty) ,:,$(strip $(OTHER_JDKS))); \
		$(call e2e_tests,$(if $(WHOLE),,not thorough and not any_jvm)), \
		@echo "no JDK but $(JAVA_HOME) is here: name others in HPROF_TEST_JDKS")

# ---- the JDKs' own classes ---------------------------------------------
# `make verify PART=1/1` takes all classes of the JDKs; a part is every N-th.
PART ?= 1/20
VERIFY_JDKS ?= $(sort $(realpath $(patsubst %/lib/modules,%,$(wildcard /usr/lib/jvm/*/lib/modules))))
verify: $(LIBRARY)
	@printf '%s\n' $(or $(VERIFY_JDKS),$(JAVA_HOME)) | BUILD=$(abspath $(BUILD)) HPROF_AGENT=$(abspath $(LIBRARY)) \
		xargs -n 1 -P $(JOBS) sh tests/classfile/verify_jdk.sh $(PART)

# ---- sanitizers --------------------------------------------------------
# The JVM handles its own signals, never unloads the agent and keeps memory at
# exit; the sanitizer's runtime has to be loaded before it. On the last of the JDKs
# found, unless HPROF_TEST_JDKS says otherwise. HPROF_TEST_TIMES=n: times are judged natively alone.
asan e2e-asan tsan: export HPROF_TEST_TIMES = n
ASAN_OPTIONS = handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:detect_leaks=0:allow_user_segv_handler=1
ASAN_RUNTIME = $(shell $(CC) -print-file-name=libasan.so)
# Half the compilers' time of -O2 -g; reports name lines all the same.
ASAN = BUILD=$(BUILD)/asan SANITIZE=address,undefined CFLAGS='-O1 -g1' TEST_CFLAGS=-O0
asan:
	$(MAKE) -j$(JOBS) $(ASAN) all unit-programs
	$(MAKE) $(ASAN) unit

e2e-asan:
	$(MAKE) -j$(JOBS) $(ASAN) all
	export HPROF_TEST_JDKS=$${HPROF_TEST_JDKS:-$(or $(lastword $(VERIFY_JDKS)),$(JAVA_HOME))} HPROF_AGENT=$(abspath $(BUILD)/asan/libhprof.so) HPROF_TEST_ENV_PRELOAD=$(ASAN_RUNTIME) \
		HPROF_TEST_ASAN_OPTIONS=$(ASAN_OPTIONS); \
		$(call e2e_tests,asan)

# Tests of concurrent threads under the thread sanitizer. It does not support fences, and
# requires the default layout of addresses (setarch -R).
# None of them is of the command, whose objects are left out.
TSAN = BUILD=$(BUILD)/tsan SANITIZE=thread CFLAGS='-O1 -g1 -Wno-tsan' COMMAND_OBJECTS=
TSAN_TESTS = $(patsubst tests/unit/%.c,$(BUILD)/tsan/tests/%,$(call marked,tsan))
tsan: export CK_DEFAULT_TIMEOUT ?= 120
tsan:
	$(MAKE) -j$(JOBS) $(TSAN) $(TSAN_TESTS)
	$(call unit_tests,$(TSAN_TESTS),setarch -R)

# ---- other systems, long tests, packages -------------------------------
# The Solaris platform, as far as it can be shown on Linux.
include tests/ports/solaris/check.mk

# The same tests on other systems.
include tests/ports/check.mk
include tests/ports/emulated.mk

# Faults put in, load, and random input: what takes hours has a short form for check.
SHORT_FORMS = faults-sample stress-short
include tests/faults/check.mk
include tests/fuzz/check.mk
include tests/stress/check.mk

# JVMs of other versions.
include tests/images/check.mk

# The programs that exports of profiles are for.
include tests/readers/check.mk

# Models of lock-free parts.
include tests/model/check.mk

# The packages.
include tests/debian/check.mk
include tests/dist/check.mk

# ---- the sources themselves --------------------------------------------
# Checks which rooms include which, and that docs/INTERNALS.md names what orders memory; and tests
# the checks themselves.
.PHONY: rooms rooms-table
CHECK_ROOMS = $(PYTHON) tests/rooms/check_rooms.py
rooms: ifdefs all
	$(CHECK_ROOMS) --objects $(BUILD)/src tests/rooms/rooms.rules src
	$(PYTHON) tests/rooms/check_memory_order.py docs/INTERNALS.md src
	$(PYTEST) tests/rooms tests/faults tests/check tests/bench

rooms-table:
	@$(CHECK_ROOMS) --table tests/rooms/rooms.rules src

LINT_SOURCES = $(AGENT_SOURCES) $(COMMAND_SOURCES) $(if $(filter x86_64,$(CPU)),dist/old_glibc.c)
# The checks are those of .clang-tidy. The analyzer looks less deep, in a sixth of the time, except
# in check-all.
TIDY_DEPTH = $(if $(WHOLE),,--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=mode=shallow)
UTLIST = $(shell printf '\043include <utlist.h>\n' | $(CC) -x c -M - | grep -o '[^ ]*/utlist.h')
lint: rooms fuzz-syntax $(if $(PROTOBUF_C),$(PPROF_MESSAGES).h)
	cppcheck -j $(JOBS) --quiet --error-exitcode=1 --std=c11 --enable=warning,portability \
		--inline-suppr --include=$(UTLIST) -Isrc -Isrc/os $(OS_DIRS:%=-I%) $(LINT_SOURCES)
	@printf '%s\n' $(LINT_SOURCES) | xargs -n 8 -P $(JOBS) sh -c 'clang-tidy --quiet --warnings-as-errors="*" \
		$(TIDY_DEPTH) "$$@" -- $(filter-out -Werror,$(ALL_CFLAGS))' clang-tidy
	clang-format --dry-run --Werror $(LINT_SOURCES) $(wildcard src/*/*.h src/os/*/*.h)

bench: $(LIBRARY)
	HPROF_AGENT=$(abspath $(LIBRARY)) $(PYTHON) bench/suite.py
