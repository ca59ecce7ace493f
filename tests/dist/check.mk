# make check-dist: what `make dist` gives, as its user has it. Read by tests/check.mk.
#   what glibc 2.17 lacks; what the binaries ask of a system; end-to-end tests of every mode from an unpacked tarball, on the
#   JDK of the build or, with WHOLE=1, on all; a root directory that has glibc and nothing else
# make check-dist-root: the same in a Debian of SUITE, the oldest that is still served, without libbsd
# and zlib. It downloads that system, 60 MB, and needs debootstrap: deps-all.
# make check-dist-windows: the zip of `make dist` for Windows, unpacked and run under Wine in the last of
# the JVMs for Windows that are here.
.PHONY: check-dist check-dist-root check-dist-windows
$(DIST)/old_glibc_test: tests/dist/old_glibc_test.c $(DIST)/old_glibc.o $(OLD_GLIBC)/stamp
	$(QUIET)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(DIST_LINK)

DIST_TESTED = $(DIST)/a place with blanks
DIST_JVM = $(BUILD)/images/21.0.8.2-manylinux_2_17_x86_64
check-dist: export HPROF_AGENT = $(abspath $(BUILD))/dist/a place with blanks/$(DIST_NAME)/lib/libhprof.so
check-dist: export HPROF_COMMAND = $(abspath $(BUILD))/dist/a place with blanks/$(DIST_NAME)/bin/hprof
check-dist: dist $(DIST)/old_glibc_test
	$(DIST)/old_glibc_test
	sh tests/dist/needs.sh $(OLDEST_GLIBC) $(DIST_COMMAND) $(DIST_LIBRARY)
	rm -rf '$(DIST_TESTED)' && mkdir -p '$(DIST_TESTED)' && tar -C '$(DIST_TESTED)' -xf $(TARBALL)
	$(if $(WHOLE),,HPROF_TEST_JDKS=$(JAVA_HOME)) $(PYTEST) -n $(E2E_JOBS) -m emulated tests/e2e
	$(if $(realpath $(DIST_JVM)),sh tests/dist/bare_root.sh $(DIST)/bare-root && \
		sh tests/dist/in_root.sh $(DIST)/bare-root $(TARBALL) $(DIST_JVM) $(JAVA_HOME), \
		@echo "no JVM that runs without zlib is here: make images brings one")

SUITE = bullseye
check-dist-root: dist images
	rm -rf $(DIST)/$(SUITE) && debootstrap --variant=minbase $(SUITE) $(DIST)/$(SUITE) $(MIRROR)
	find $(DIST)/$(SUITE) \( -name 'libz.so*' -o -name 'libbsd.so*' \) -delete
	sh tests/dist/in_root.sh $(DIST)/$(SUITE) $(TARBALL) $(DIST_JVM) $(JAVA_HOME)

# Letters that the code page of Wine has, and such that it has not.
WINDOWS_TESTED = $(DIST)/ein Pfad mit Blänks и буквами
check-dist-windows:
	$(if $(and $(WINDOWS_JDKS_HERE),$(wildcard $(WINE_LIBRARIES))), \
		$(MAKE) -j$(JOBS) $(WINDOWS) dist && $(MAKE) $(WINDOWS) dist-under-wine WINDOWS_JDKS=$(lastword $(WINDOWS_JDKS_HERE)), \
		@echo "Wine or a JVM for Windows is not here: make deps-all brings them")
