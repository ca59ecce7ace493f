# What can be shown of other systems on this one: make check-windows, check-aarch64. Read by
# tests/check.mk.

.PHONY: check-windows check-aarch64 windows-programs aarch64-programs host host-program ifdefs
# A program that plays a JVM to the library (jvmti_host.c), on this system and others.
HOST = $(BUILD)/tests/jvmti_host$(EXE)
HOST_SYSTEM = tests/ports/$(if $(filter windows,$(OS)),windows,posix)/host_library.c
HOST_LIBS ?= -ldl
# The agent looks for AsyncGetCallTrace among what the program exports.
HOST_EXPORTS = $(if $(filter windows,$(OS)),,-rdynamic)

$(HOST): tests/ports/jvmti_host.c tests/support/fake_vm.c $(HOST_SYSTEM) tests/support/fake_vm.h \
		tests/ports/host_library.h src/hotspot/async_call_trace.h | prerequisites
	@mkdir -p $(@D)
	$(call say,HOST)
	$(QUIET)$(CC) $(ALL_CFLAGS) -Itests/ports -Itests/support $(ALL_LDFLAGS) $(TEST_LDFLAGS) $(HOST_EXPORTS) -o $@ $(filter %.c,$^) $(HOST_LIBS)

# Any class will do that has methods to be counted.
HOST_CLASS = $(BUILD)/tests/classes/Hello.class
$(HOST_CLASS): tests/java/Hello.java | prerequisites
	@mkdir -p $(@D)
	$(QUIET)$(JAVA_HOME)/bin/javac -d $(@D) $<

host-program: $(HOST) $(HOST_CLASS)
host: all host-program
	HPROF_HOST="$(RUN_TEST) $(abspath $(HOST))" HPROF_LIBRARY=$(abspath $(LIBRARY)) HPROF_HOST_OS=$(OS) \
		HPROF_HOST_CLASS=$(abspath $(HOST_CLASS)) OBJDUMP=$(CROSS)objdump \
		$(PYTEST) tests/ports/test_host.py

ifdefs:
	sh tests/ports/no_os_ifdefs.sh $(filter-out src/os,$(patsubst %/,%,$(wildcard src/*/)))

# Units that differ there; all with WHOLE=1.
WINDOWS = OS=windows CROSS=x86_64-w64-mingw32- CFLAGS='-O2 -g1' TEST_CFLAGS=-O0 \
	UNIT_ROOMS='$(if $(WHOLE),,os output base options)'
windows-programs:
	$(MAKE) -j$(JOBS) $(WINDOWS) all unit-programs host-program

# One program at a time, since Wine has one server; the checks run those for 64-bit ARM beside.
check-windows: windows-programs
	$(MAKE) -j1 $(WINDOWS) unit host

# The agent in JVMs for Windows under Wine: those that pip downloads (tests/images/check.mk), or the
# images of WINDOWS_JDKS, separated by colons. e2e-windows-here: if Wine and JVMs are here.
.PHONY: e2e-windows e2e-windows-here
WINE_LIBRARIES ?= /usr/lib/x86_64-linux-gnu/wine/x86_64-windows
WINDOWS_JDKS_HERE = $(or $(subst :, ,$(WINDOWS_JDKS)),$(realpath $(WINDOWS_IMAGE_DIRECTORIES)))
define in_windows_jvms
	$(MAKE) -j$(JOBS) $(WINDOWS) all
	$(MAKE) $(WINDOWS) e2e-under-wine WINDOWS_JDKS='$(subst $(empty) ,:,$(strip $(WINDOWS_JDKS_HERE)))'
endef
e2e-windows: $(if $(WINDOWS_JDKS),,windows-images)
	$(in_windows_jvms)
e2e-windows-here:
	$(if $(and $(WINDOWS_JDKS_HERE),$(wildcard $(WINE_LIBRARIES))),$(in_windows_jvms), \
		@echo "Wine or a JVM for Windows is not here: make deps-all brings them")

# 64-bit ARM under QEMU, with this system's libraries for that processor. Left out is
# what QEMU's user mode has not: timers on CPU clocks that come in time, limits of
# memory; and what takes long there and tells nothing of the processor: tests of many
# threads at once, since QEMU keeps the order of memory that x86 has, those of all
# allocations failing in turn, and those of a CPU clock that is the emulator's.
# Nor does a program for ARM start another one there, and QEMU catches all signals, which is
# what others see of the process.
AARCH64 = CROSS=aarch64-linux-gnu- PKG_CONFIG=pkg-config RUN_TEST=qemu-aarch64 \
	LEFT_OUT=not_emulated CFLAGS='-O2 -g1' TEST_CFLAGS=-O0 UNIT_ROOMS='$(if $(WHOLE),,os hotspot calls)'
aarch64-programs check-aarch64: export PKG_CONFIG_LIBDIR = /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig
aarch64-programs:
	$(MAKE) -j$(JOBS) $(AARCH64) all unit-programs host-program

check-aarch64: export HPROF_TEST_TIMES = n
check-aarch64: aarch64-programs
	@echo "not run under QEMU: $(patsubst tests/unit/%_test.c,%,$(call marked,not_emulated))"
	$(MAKE) -j1 $(AARCH64) unit host
