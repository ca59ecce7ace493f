# make e2e-aarch64, e2e-s390x: end-to-end tests in JVMs for another CPU, under QEMU. The second is
# big-endian. Debian has HotSpot 17 for both; others for 64-bit ARM are images as in
# tests/images/check.mk. Read by tests/check.mk.

EMULATED = $(BUILD)/emulated
EMULATED_ROOT = $(abspath $(EMULATED)/$*/root)
EMULATED_CC = $(abspath $(EMULATED)/$*/cc)
EMULATED_LIBRARY = $(BUILD)/$*-linux-gnu/libhprof.so
EMULATED_PLATFORM = manylinux_2_17_aarch64
EMULATED_VERSIONS = 21.0.8.2 25.0.2.1
EMULATED_IMAGES = $(EMULATED_VERSIONS:%=$(EMULATED)/aarch64/%/bin/java)
# The JVMs for a CPU, as their launchers.
EMULATED_JVMS = $(EMULATED)/$(1)/jdk/bin/java $(if $(filter aarch64,$(1)),$(EMULATED_IMAGES))

$(EMULATED)/%/jdk/bin/java: tests/ports/emulated_jvm.sh tests/ports/emulated_launcher.sh
	sh $< $* $(EMULATED)/$*

$(EMULATED_IMAGES): $(EMULATED)/aarch64/%/bin/java: $(EMULATED)/aarch64/jdk/bin/java | $(BUILD)/images/%-$(EMULATED_PLATFORM)
	sh tests/ports/emulated_launcher.sh aarch64 $(EMULATED)/aarch64/root $(firstword $|) $(EMULATED)/aarch64/$*

.PHONY: emulated-jvms
emulated-jvms: $(call EMULATED_JVMS,aarch64) $(call EMULATED_JVMS,s390x)

# On s390x, HotSpot's first compiler fails at an array's element 1,200,000, with the agent or
# without.
e2e-s390x e2e-s390x-subset: export HPROF_TEST_JAVA_OPTS = -XX:CompileCommand=quiet -XX:CompileCommand=exclude,HeapGraph::main

# $(call emulated_tests,MARKS,LAUNCHERS): the command is this system's: it checks what the other CPU
# has written.
define emulated_tests
	PKG_CONFIG_LIBDIR=$(EMULATED_ROOT)/usr/lib/$*-linux-gnu/pkgconfig PKG_CONFIG_SYSROOT_DIR=$(EMULATED_ROOT) \
		$(MAKE) -j$(JOBS) CROSS=$*-linux-gnu- CC=$(EMULATED_CC) \
		PKG_CONFIG=pkg-config CFLAGS='-O2 -g1' BUILD=$(BUILD)/$*-linux-gnu $(EMULATED_LIBRARY)
	CC=$(EMULATED_CC) HPROF_TEST_JDKS=$(subst $(empty) ,:,$(strip $(patsubst %/bin/java,%,$(abspath $(2))))) \
		HPROF_AGENT=$(abspath $(EMULATED_LIBRARY)) HPROF_COMMAND=$(abspath $(COMMAND)) \
		$(PYTEST) -n $(JOBS) -m '$(1)' tests/e2e
endef

.PHONY: e2e-aarch64 e2e-s390x e2e-aarch64-subset e2e-s390x-subset
e2e-aarch64 e2e-s390x e2e-aarch64-subset e2e-s390x-subset: export HPROF_TEST_TIMES = n
e2e-aarch64: $(call EMULATED_JVMS,aarch64)
e2e-s390x: $(call EMULATED_JVMS,s390x)
e2e-aarch64 e2e-s390x: e2e-%: all
	$(call emulated_tests,$(EMULATED_MARKS),$(call EMULATED_JVMS,$*))

# A subset for the checks, in the JVMs that `make deps-all` could get; with WHOLE=1 all for 64-bit ARM.
EMULATED_MARKS = emulated or emulated_more
EMULATED_SUBSET_MARKS = $(if $(and $(WHOLE),$(filter aarch64,$*)),$(EMULATED_MARKS),emulated)
EMULATED_HERE = $(wildcard $(call EMULATED_JVMS,$*))
e2e-aarch64-subset e2e-s390x-subset: e2e-%-subset: all
	$(if $(EMULATED_HERE),$(call emulated_tests,$(EMULATED_SUBSET_MARKS),$(EMULATED_HERE)), \
		@echo "no JVM for $* is here: make emulated-jvms brings them")
