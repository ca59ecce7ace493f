# make stress, soak: load on the agent. Read by tests/check.mk.

.PHONY: stress stress-short soak
STRESS = $(PYTHON) tests/stress/stress.py $(LIBRARY) $(BUILD)/stress

# All cases, once each: more than an hour. T=SECONDS runs cases, as SEED orders them, for so
# long; ONLY=TEXT those whose line has the text.
stress: all
	$(STRESS) --seed $(SEED) $(if $(T),--seconds $(T)) $(if $(ONLY),--only '$(ONLY)')

stress-short: all
	$(STRESS) --seed $(SEED) --seconds $(if $(WHOLE),600,45)

# A server under load, MINUTES in all.
MINUTES ?= 30
soak: all
	$(PYTHON) tests/stress/soak.py $(LIBRARY) $(BUILD)/soak $(MINUTES)
