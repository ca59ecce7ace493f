# make faults, faults-sample: calls of the system made from the agent fail, one after the
# other, in every mode and on every JDK. Read by tests/check.mk.

.PHONY: faults faults-sample
FAILING_CALLS = $(BUILD)/tests/libfailing_calls.so
$(FAILING_CALLS): tests/faults/failing_calls.c
	@mkdir -p $(@D)
	$(call say,LINK)
	$(QUIET)$(CC) -std=gnu11 -D_GNU_SOURCE $(filter-out -Wconversion,$(WARNINGS)) -O2 -g -fPIC -shared -o $@ $< -ldl

FAULTS = $(PYTHON) tests/faults/driver.py $(LIBRARY) $(FAILING_CALLS) $(BUILD)/faults --jobs $(JOBS)

# All points: about two hours on two CPUs. Interrupted, it goes on where it stopped, as long
# as the library is the same; ONLY=jdk17/times/malloc/ takes those alone.
faults: all $(FAILING_CALLS)
	$(FAULTS) $(if $(ONLY),--only '$(ONLY)')

# Half a minute. POINTS of all calls and modes, chosen by SEED.
SEED ?= 1
POINTS ?= $(if $(WHOLE),1000,120)
faults-sample: all $(FAILING_CALLS)
	$(FAULTS) --sample $(POINTS) --seed $(SEED)
