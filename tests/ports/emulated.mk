# make e2e-aarch64, e2e-s390x: end-to-end tests in a JVM for another CPU, under QEMU. The
# second is big-endian. Read by tests/check.mk.

EMULATED = $(BUILD)/emulated
EMULATED_ROOT = $(abspath $(EMULATED)/$*/root)
EMULATED_CC = $(abspath $(EMULATED)/$*/cc)
EMULATED_LIBRARY = $(BUILD)/$*-linux-gnu/libhprof.so

$(EMULATED)/%/jdk/bin/java: tests/ports/emulated_jvm.sh
	sh $< $* $(EMULATED)/$*

# On s390x, HotSpot's first compiler fails at an array's element 1,200,000, with the agent or
# without.
e2e-s390x: export HPROF_TEST_JAVA_OPTS = -XX:CompileCommand=quiet -XX:CompileCommand=exclude,HeapGraph::main

# The command is this system's: it checks what the other CPU has written.
.PHONY: e2e-aarch64 e2e-s390x
e2e-aarch64 e2e-s390x: export HPROF_TEST_TIMES = n
e2e-aarch64 e2e-s390x: e2e-%: $(EMULATED)/%/jdk/bin/java all
	PKG_CONFIG_LIBDIR=$(EMULATED_ROOT)/usr/lib/$*-linux-gnu/pkgconfig PKG_CONFIG_SYSROOT_DIR=$(EMULATED_ROOT) \
		$(MAKE) -j$(JOBS) CROSS=$*-linux-gnu- CC=$(EMULATED_CC) \
		PKG_CONFIG=pkg-config CFLAGS='-O2 -g1' BUILD=$(BUILD)/$*-linux-gnu $(EMULATED_LIBRARY)
	CC=$(EMULATED_CC) HPROF_TEST_JDKS=$(abspath $(EMULATED)/$*/jdk) HPROF_AGENT=$(abspath $(EMULATED_LIBRARY)) \
		HPROF_COMMAND=$(abspath $(COMMAND)) $(PYTEST) -n $(JOBS) -m emulated tests/e2e
