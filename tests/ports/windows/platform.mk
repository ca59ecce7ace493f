# The tests on Windows, under Wine: read by tests/check.mk.

# Most of them ask the platform layer in POSIX's terms; the tests of tests/ports/windows ask it in
# the terms of this system. Others replace clocks and accounts, which are one object here together
# with what others need.
LEFT_OUT += posix
UNIT_TESTS := $(UNIT_TESTS) $(BUILD)/tests/os_windows_test$(EXE) $(BUILD)/tests/os_windows_temporary_test$(EXE)
TEST_OBJECTS = $(BUILD)/tests/ports/check/check.o $(BUILD)/tests/ports/windows/posix.o
TEST_LDFLAGS = -static
CHECK_CFLAGS = -Itests/ports/windows/include -Itests/ports/check
CHECK_LIBS = -lpthread
HOST_LIBS = -lpthread -lshell32

$(TEST_OBJECTS): $(BUILD)/%.o: %.c | prerequisites
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(CHECK_CFLAGS) $(ALL_CFLAGS) -Wno-missing-prototypes -c -o $@ $<

$(BUILD)/tests/os_windows%test$(EXE): tests/ports/windows/os_windows%test.c $(TESTED) $(FIXTURE_OBJECTS) $(TEST_OBJECTS)
	$(make_test)

# Under Wine, whose programs have one server: one at a time. It is kept from setting up a
# directory in its own way, which copies 700 MB: its libraries are linked to.
WINE ?= $(firstword $(wildcard /usr/lib/wine/wine64) wine64)
WINE_DIRECTORY = $(abspath $(BUILD))/wine
UNIT_JOBS = 1
RUN_TEST = env WINEPREFIX=$(WINE_DIRECTORY) WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;mshtml=' \
	TZ=UTC LC_ALL=C.UTF-8 sh $(abspath tests/ports/windows/wine.sh) $(WINE)

unit host: export HPROF_TEST_TIMES = n
unit host: | $(WINE_DIRECTORY)
$(WINE_DIRECTORY):
	@test -d $(WINE_LIBRARIES) || $(call missing,Wine,wine64)
	@mkdir -p $@/drive_c/windows $@/dosdevices
	@ln -sfn $(WINE_LIBRARIES) $@/drive_c/windows/system32
	@ln -sfn ../drive_c $@/dosdevices/c:
	@ln -sfn / $@/dosdevices/z:
	@echo disable > $@/.update-timestamp

# ---- a JVM ---------------------------------------------------------------
# The end-to-end tests for a JVM for Windows, of each image of WINDOWS_JDKS.
PRESS_BREAK = $(BUILD)/tests/press_break$(EXE)
$(PRESS_BREAK): tests/ports/windows/press_break.c | prerequisites
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(WARNINGS) $(CFLAGS) -std=gnu11 -o $@ $<

# $(call in_jvms,COMMAND,LIBRARY,arguments of pytest). Paths reach Wine in the encoding of the locale.
LAUNCHERS = $(abspath $(BUILD))/launchers
define in_jvms
	HPROF_TEST_JDKS=$$($(PYTHON) tests/ports/windows/launchers.py $(LAUNCHERS) '$(1)' $(PRESS_BREAK) $(subst :, ,$(WINDOWS_JDKS))) && \
	export HPROF_TEST_JDKS && TZ=UTC LC_ALL=C.UTF-8 HPROF_TEST_PLATFORM=windows HPROF_TEST_JAVA_OPTS=-XX:-PrintWarnings \
		HPROF_AGENT="$$(realpath '$(2)')" HPROF_COMMAND=$(LAUNCHERS)/bin/hprof \
		HPROF_TEST_PRESS_BREAK=$(LAUNCHERS)/bin/press_break $(PYTEST) -n $(E2E_JOBS) $(3) tests/e2e/test_windows.py
endef
JVM_TARGETS = e2e-under-wine dist-under-wine
.PHONY: $(JVM_TARGETS)
$(JVM_TARGETS): export HPROF_TEST_TIMES = n
$(JVM_TARGETS): export WINEPREFIX = $(WINE_DIRECTORY)
$(JVM_TARGETS): export WINEDEBUG = -all
$(JVM_TARGETS): export WINEDLLOVERRIDES = mscoree=;mshtml=
$(JVM_TARGETS): export WINE := $(WINE)
$(JVM_TARGETS): $(PRESS_BREAK) | $(WINE_DIRECTORY)
e2e-under-wine: all
	$(call in_jvms,$(COMMAND),$(LIBRARY))

# What `make dist` gives, from where its user has unpacked it: tests/dist/check.mk.
dist-under-wine: dist
	sh tests/dist/windows_needs.sh $(CROSS)objdump $(WINDOWS_COMMAND) $(WINDOWS_LIBRARY)
	$(PYTHON) tests/dist/windows_zip.py $(ZIP) '$(WINDOWS_TESTED)'
	mv $(ZIP) $(ZIP).first && rm $(WINDOWS_COMMAND) $(WINDOWS_LIBRARY)
	TZ=Asia/Tokyo $(MAKE) dist SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH)
	cmp $(ZIP).first $(ZIP)
	$(call in_jvms,$(WINDOWS_TESTED)/$(WINDOWS_NAME)/bin/hprof.exe,$(WINDOWS_TESTED)/$(WINDOWS_NAME)/bin/hprof.dll,-m package)
