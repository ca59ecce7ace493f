# hprof: GNU make, no configure step. `make help` lists the targets.
#
#   JAVA_HOME=DIR   a JDK from 11 on, for jvmti.h; default: that of javac
#   OS=windows CROSS=x86_64-w64-mingw32-   cross builds
#   BUILD=DIR       where objects go (build, or build/TARGET of a cross build)
#   SANITIZE=address,undefined   adds sanitizers
#   WERROR=1        a warning is an error, as in the project's own checks

.DEFAULT_GOAL = all

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
# Looked for when they are first needed, so that `make deps check` finds what
# deps has just installed. once = expand at the first use, then keep.
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

# What is missing is named with the package that brings it.
missing = { echo "$(1) not found: install $(2); \`make deps\` does on Debian" >&2; exit 1; }
.PHONY: prerequisites
prerequisites: | $(filter deps,$(MAKECMDGOALS))
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
	$(INCLUDES) $(BSD_CFLAGS) $(ZLIB_CFLAGS) $(SANITIZE_FLAGS) $(CPPFLAGS) $(CFLAGS)
ALL_LDFLAGS = -pthread $(SANITIZE_FLAGS) $(LDFLAGS)
LIBS = $(BSD_LIBS) $(ZLIB_LIBS) -lm

# ---- sources -----------------------------------------------------------
# Rooms of src/: those of the agent alone, and those that the hprof command has too.
AGENT_ROOMS = agent heapdump alloc monitor calls sampling vm profile hotspot output classfile
SHARED_ROOMS = hprof model base
AGENT_SOURCES = $(wildcard $(foreach room,$(AGENT_ROOMS) $(SHARED_ROOMS),src/$(room)/*.c) $(OS_DIRS:%=%/*.c))
COMMAND_SOURCES = $(wildcard src/command/*.c)
BOOT_CLASSES = $(BUILD)/src/java/HprofTracker $(BUILD)/src/java/HprofHeap
AGENT_OBJECTS = $(AGENT_SOURCES:%.c=$(BUILD)/%.o) $(SHIM_SOURCES:%.c=$(BUILD)/%.o) $(BOOT_CLASSES:%=%.o)
COMMAND = $(BUILD)/hprof$(EXE)
COMMAND_OBJECTS = $(COMMAND_SOURCES:%.c=$(BUILD)/%.o)
COMMAND_SHARED = $(filter $(foreach room,$(SHARED_ROOMS) $(OS_DIRS:src/%=%),$(BUILD)/src/$(room)/%) $(SHIM_SOURCES:%.c=$(BUILD)/%.o),$(AGENT_OBJECTS))
# Tests of units that call the VM are linked with a test double of it.
FAKE_VM = $(BUILD)/tests/support/fake_vm.o
TESTED_OBJECTS = $(AGENT_OBJECTS) $(filter-out %/main.o,$(COMMAND_OBJECTS)) $(FAKE_VM)
TESTED = $(BUILD)/tests/tested.a
UNIT_SOURCES = $(filter-out $(LEFT_OUT:%=tests/unit/%_test.c),$(wildcard tests/unit/*/*_test.c))
UNIT_TESTS = $(UNIT_SOURCES:tests/unit/%.c=$(BUILD)/tests/%$(EXE))

# What differs on the platform.
-include src/os/$(OS)/platform.mk

.PHONY: all deps deps-all visualvm demo check check-more check-all unit-programs unit e2e e2e-build-jdk \
	e2e-other-jdks verify asan tsan lint bench install install-strip uninstall clean help
.DELETE_ON_ERROR:

all: $(LIBRARY) $(COMMAND)

$(LIBRARY): $(AGENT_OBJECTS)
	$(call say,LINK)
	$(QUIET)$(CC) $(SHARED_FLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(COMMAND): $(COMMAND_OBJECTS) $(COMMAND_SHARED)
	$(call say,LINK)
	$(QUIET)$(CC) $(COMMAND_FLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/src/command/%.o: CPPFLAGS += -DHPROF_VERSION='"$(VERSION)"'

# The classes of the boot loader are compiled as a part of java.base and embedded as bytes.
$(BOOT_CLASSES:%=%.class): $(BUILD)/src/java/%.class: src/java/java/lang/%.java | prerequisites
	@mkdir -p $(@D)
	$(call say,JAVAC)
	$(QUIET)$(JAVA_HOME)/bin/javac -proc:none -nowarn -Xlint:-options -source 11 -target 11 \
		--patch-module java.base=src/java -d $(@D) $< 2>$@.log || { cat $@.log >&2; exit 1; }
	@mv $(@D)/java/lang/$*.class $@

$(BOOT_CLASSES:%=%.c): %.c: %.class
	$(QUIET){ printf '#include "java/boot_classes.h"\n\nconst unsigned char $(*F)_bytes[] = {\n'; \
		od -An -v -tx1 $< | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'; \
		printf '};\nconst size_t $(*F)_length = sizeof($(*F)_bytes);\n'; } > $@

$(BOOT_CLASSES:%=%.o): %.o: %.c
	$(QUIET)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/%.o: %.c | prerequisites $(HEADER_LINKS)
	@mkdir -p $(@D)
	$(call say,CC)
	$(QUIET)$(CC) $(ALL_CFLAGS) $(DEPEND_FLAGS) -c -o $@ $<

-include $(AGENT_OBJECTS:.o=.d) $(COMMAND_OBJECTS:.o=.d) $(UNIT_TESTS:=.d)

# ---- tests -------------------------------------------------------------
WRAP_ALLOCATION = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=os_pages_alloc

$(BUILD)/tests/%_oom_test$(EXE): LINK_EXTRA = $(WRAP_ALLOCATION)
$(BUILD)/tests/os/perf_timer_test$(EXE): LINK_EXTRA = -Wl,--wrap=syscall -Wl,--wrap=ioctl

$(BUILD)/tests/support/%.o: tests/support/%.c tests/support/%.h | prerequisites
	@mkdir -p $(@D)
	$(call say,CC)
	$(QUIET)$(CC) $(ALL_CFLAGS) -Itests/support -MMD -MP -c -o $@ $<

# An archive, so that each test is linked with what it uses alone, which is faster.
$(TESTED): $(TESTED_OBJECTS)
	@mkdir -p $(@D)
	$(QUIET)rm -f $@ && $(AR) rcs $@ $^

define make_test
	@mkdir -p $(@D)
	$(call say,TEST)
	$(QUIET)$(CC) $(CHECK_CFLAGS) $(ALL_CFLAGS) -Wno-missing-prototypes -Itests/support -MMD -MP -MF $@.d \
		$(ALL_LDFLAGS) $(TEST_LDFLAGS) $(LINK_EXTRA) -o $@ $< $(TEST_OBJECTS) $(TESTED) $(CHECK_LIBS) $(LIBS)
endef

$(BUILD)/tests/%_test$(EXE): tests/unit/%_test.c $(TESTED) $(TEST_OBJECTS)
	$(make_test)

# What a change needs: unit tests, and end-to-end tests on the JDK that it is built with.
check:
	$(MAKE) -j$(JOBS) all unit-programs
	$(MAKE) -k rooms unit e2e-build-jdk

# What a release needs besides: the other JDKs, the JDKs' own classes rewritten and verified,
# the sanitizers, other systems, and the linters. `make deps-all` brings the tools.
check-more:
	$(MAKE) -k e2e-other-jdks $(SHORT_FORMS) verify asan tsan lint check-ports

check-all:
	$(MAKE) -k check check-more

# Compilers run in parallel, and so do all tests except those about time.
JOBS ?= $(call once,JOBS,$(shell getconf _NPROCESSORS_ONLN))
unit-programs: $(UNIT_TESTS)

# The limit ends a test that hangs. Check's own, 4 s of the wall clock, ends also one
# that is slow under a sanitizer on a busy machine.
unit unit-solaris: export CK_DEFAULT_TIMEOUT ?= 60
unit: $(UNIT_TESTS)
	$(call unit_tests,$(UNIT_TESTS),$(RUN_TEST))

# In parallel, except tests of time and of concurrent threads, which run one by one after them.
UNIT_JOBS ?= $(JOBS)
TIMED = $(foreach name,os/% os_% output/sink_test vm/active_callbacks_test sampling/sample_ring% output/writer_threads_test,$(BUILD)/tests/$(name))
define unit_tests
	@rm -f $(BUILD)/tests/failed
	@printf '%s\n' $(filter-out $(TIMED),$(1)) | xargs -r -n 1 $(if $(filter-out 1,$(UNIT_JOBS)),-P $(UNIT_JOBS)) sh tests/support/run.sh $(BUILD)/tests/failed $(2)
	@printf '%s\n' $(filter $(TIMED),$(1)) | xargs -r -n 1 sh tests/support/run.sh $(BUILD)/tests/failed $(2)
	@test ! -e $(BUILD)/tests/failed || { echo "failed:" $$(cat $(BUILD)/tests/failed) >&2; exit 1; }
endef

# End-to-end tests with that mark: three at a time, since many of them wait, and then those
# that need the machine alone.
PYTEST = $(PYTHON) -m pytest -q -p no:cacheprovider
E2E_JOBS ?= 3
e2e_tests = failed=0; \
	$(PYTEST) -n $(E2E_JOBS) --dist loadfile -m '$(if $(1),$(1) and )not alone' tests/e2e || failed=1; \
	$(PYTEST) -m '$(if $(1),$(1) and )alone' tests/e2e || failed=1; exit $$failed

e2e e2e-build-jdk e2e-other-jdks: export HPROF_AGENT = $(abspath $(LIBRARY))
e2e: all
	$(call e2e_tests)

e2e-build-jdk: all
	export HPROF_TEST_JDKS=$(JAVA_HOME); $(call e2e_tests)

# Those of HPROF_TEST_JDKS, or else of the system, less the one that check has tested.
empty =
OTHER_JDKS = $(filter-out $(realpath $(JAVA_HOME)),$(realpath $(subst :, ,$(or $(HPROF_TEST_JDKS),$(subst $(empty) ,:,$(VERIFY_JDKS))))))
e2e-other-jdks: all
	$(if $(OTHER_JDKS),export HPROF_TEST_JDKS=$(subst $(empty) ,:,$(strip $(OTHER_JDKS))); $(call e2e_tests), \
		@echo "no JDK but $(JAVA_HOME) is here: name others in HPROF_TEST_JDKS")

# `make verify PART=1/1` takes all classes of the JDKs; a part is every N-th.
PART ?= 1/20
VERIFY_JDKS ?= $(sort $(realpath $(patsubst %/lib/modules,%,$(wildcard /usr/lib/jvm/*/lib/modules))))
verify: $(LIBRARY)
	@printf '%s\n' $(or $(VERIFY_JDKS),$(JAVA_HOME)) | BUILD=$(abspath $(BUILD)) HPROF_AGENT=$(abspath $(LIBRARY)) \
		xargs -n 1 -P $(JOBS) sh tests/classfile/verify_jdk.sh $(PART)

# The JVM handles its own signals, never unloads the agent and keeps memory at
# exit; the sanitizer's runtime has to be loaded before it. On the last of the JDKs
# found, unless HPROF_TEST_JDKS says otherwise.
ASAN_OPTIONS = handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:detect_leaks=0:allow_user_segv_handler=1
ASAN_RUNTIME = $(shell $(CC) -print-file-name=libasan.so)
# Half the compilers' time of -O2 -g; reports name lines all the same.
ASAN = BUILD=$(BUILD)/asan SANITIZE=address,undefined CFLAGS='-O1 -g1'
asan:
	$(MAKE) -j$(JOBS) $(ASAN) all unit-programs
	$(MAKE) $(ASAN) unit
	export HPROF_TEST_JDKS=$${HPROF_TEST_JDKS:-$(or $(lastword $(VERIFY_JDKS)),$(JAVA_HOME))} HPROF_AGENT=$(abspath $(BUILD)/asan/libhprof.so) HPROF_TEST_ENV_PRELOAD=$(ASAN_RUNTIME) \
		HPROF_TEST_ASAN_OPTIONS=$(ASAN_OPTIONS); \
		$(call e2e_tests,asan)

# Tests of concurrent threads under the thread sanitizer. It does not support fences, and
# requires the default layout of addresses (setarch -R).
TSAN = BUILD=$(BUILD)/tsan SANITIZE=thread CFLAGS='-O1 -g1 -Wno-tsan'
TSAN_TESTS = $(foreach name,calls/call_graph calls/call_state calls/instrumented_methods alloc/source_jni \
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

# Faults put in, load, and random input: what takes hours has a short form for check.
SHORT_FORMS = faults-sample stress-short
include tests/faults/check.mk
include tests/fuzz/check.mk
include tests/stress/check.mk

# Checks which rooms include which, and tests the check itself.
.PHONY: rooms rooms-table
CHECK_ROOMS = $(PYTHON) tests/rooms/check_rooms.py
rooms:
	$(CHECK_ROOMS) tests/rooms/rooms.rules src
	$(PYTEST) tests/rooms

rooms-table:
	@$(CHECK_ROOMS) --table tests/rooms/rooms.rules src

LINT_SOURCES = $(AGENT_SOURCES) $(COMMAND_SOURCES)
TIDY_CHECKS = -*,bugprone-*,clang-analyzer-*,-bugprone-easily-swappable-parameters,-bugprone-reserved-identifier,-bugprone-sizeof-expression,-clang-analyzer-valist.Uninitialized,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling
UTLIST = $(shell printf '\043include <utlist.h>\n' | $(CC) -x c -M - | grep -o '[^ ]*/utlist.h')
lint: rooms
	cppcheck -j $(JOBS) --quiet --error-exitcode=1 --std=c11 --enable=warning,portability \
		--inline-suppr --include=$(UTLIST) -Isrc -Isrc/os $(OS_DIRS:%=-I%) $(LINT_SOURCES)
	@printf '%s\n' $(LINT_SOURCES) | xargs -n 8 -P $(JOBS) sh -c 'clang-tidy --quiet --warnings-as-errors="*" \
		--checks="$(TIDY_CHECKS)" "$$@" -- $(filter-out -Werror,$(ALL_CFLAGS))' clang-tidy
	clang-format --dry-run --Werror $(LINT_SOURCES) $(wildcard src/*/*.h src/os/*/*.h)

bench: $(LIBRARY)
	HPROF_AGENT=$(abspath $(LIBRARY)) $(PYTHON) bench/closure.py

# ---- a first profile -------------------------------------------------------
DEMO = $(BUILD)/demo/java.hprof.txt
demo: all
	@mkdir -p $(BUILD)/demo && rm -f $(BUILD)/demo/flame.svg
	$(JAVA_HOME)/bin/javac -d $(BUILD)/demo docs/Demo.java
	$(COMMAND) run cpu=samples,depth=30,file=$(DEMO) -- $(JAVA_HOME)/bin/java -cp $(BUILD)/demo Demo
	@$(COMMAND) report --top 3 $(DEMO)
	@$(COMMAND) report --flame -o $(BUILD)/demo/flame.svg $(DEMO)
	@echo 'The profile is $(DEMO), a flame graph of it $(BUILD)/demo/flame.svg.'

# ---- packages ------------------------------------------------------------
DEBIAN_PACKAGES = gcc make pkg-config libc6-dev libbsd-dev zlib1g-dev uthash-dev check \
	openjdk-17-jdk-headless python3 python3-pytest python3-pytest-xdist
# For check-more: another compiler for each system, what runs its programs, and for
# 64-bit ARM its libraries; linters.
MORE_PACKAGES = gcc-mingw-w64-x86-64-win32 libz-mingw-w64-dev wine64 gcc-aarch64-linux-gnu \
	qemu-user libbsd-dev:arm64 zlib1g-dev:arm64 check:arm64 clang clang-tidy clang-format cppcheck
deps:
	apt-get update
	apt-get install -y --no-install-recommends $(DEBIAN_PACKAGES)
	@$(MAKE) visualvm || echo "no package visualvm here: its comparison of heap dumps is left out"

deps-all: deps
	dpkg --add-architecture arm64
	apt-get update
	apt-get install -y --no-install-recommends $(MORE_PACKAGES)

# VisualVM's library that reads heap dumps, with which tests/e2e compare ours. It is taken
# out of the package, a download of 4 MB that is not installed: that would be a desktop.
HEAP_LIBRARY = build/visualvm/org-graalvm-visualvm-lib-jfluid-heap.jar
visualvm: $(HEAP_LIBRARY)

$(HEAP_LIBRARY):
	@rm -rf $(@D) && mkdir -p $(@D)
	cd $(@D) && apt-get download visualvm
	cd $(@D) && dpkg-deb --fsys-tarfile visualvm_*.deb | \
		tar -xf - --strip-components=6 ./usr/share/visualvm/visualvm/modules/$(@F)
	@rm -f $(@D)/*.deb && touch $@

# ---- installation ----------------------------------------------------------
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
	@echo 'make check-more the other JDKs, verify, asan, tsan, lint, check-ports (each is a target too)'
	@echo 'make check-all  check and check-more'
	@echo 'make check-ports     what can be shown here of other systems: check-windows,'
	@echo '                     check-aarch64, check-solaris'
	@echo 'make faults     calls of the system fail, each in turn; faults-sample: 200 of them'
	@echo 'make stress     programs that are hard on the agent, T=SECONDS of them; stress-short: 120'
	@echo 'make soak       a server under load in each mode, MINUTES=30'
	@echo 'make fuzz       random input for every reader, T=SECONDS each'
	@echo 'make rooms      includes between rooms of src/, against tests/rooms/rooms.rules'
	@echo 'make rooms-table     the rooms: files, lines, what each may include'
	@echo 'make lint       rooms, cppcheck, clang-tidy, clang-format'
	@echo 'make bench      ratio to no agent on a real program'
	@echo 'make install    (or install-strip) to DESTDIR, PREFIX ($(PREFIX)); make uninstall; make clean'
