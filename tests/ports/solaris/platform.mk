# The tests on Solaris: read by tests/check.mk.

# Its xargs need not know -P.
UNIT_JOBS = 1

# Of Linux's calls.
LEFT_OUT += linux

ifdef SHIM
$(BUILD)/tests/solaris_test: tests/ports/solaris/solaris_test.c $(AGENT_OBJECTS)
	@mkdir -p $(@D)
	$(call say,TEST)
	$(QUIET)$(CC) $(ALL_CFLAGS) -Wno-missing-prototypes $(CHECK_CFLAGS) -Itests/support -MMD -MP -MF $@.d \
		$(ALL_LDFLAGS) -o $@ $< $(AGENT_OBJECTS) $(CHECK_LIBS) $(LIBS)
endif
