# make models: spin searches all interleavings of models of lock-free parts; docs/INTERNALS.md,
# Memory order. Each is also searched with one part of its protocol left out, which must be found.

.PHONY: models
models:
	@command -v spin >/dev/null || $(call missing,spin,spin)
	@run() { BUILD=$(abspath $(BUILD))/models CC='$(CC)' sh tests/model/run.sh "$$@"; }; failed=0; \
		run sample_ring NO_ROOM_FOR_FILLER RELAXED_HEAD_STORE RELAXED_HEAD_LOAD RELAXED_TAIL_STORE || failed=1; \
		run cpu_timers LATE_COUNT NO_GENERATION NO_WAIT STAYS_LISTED TAKEN_ONCE CLOSED_FIRST || failed=1; \
		run active_callbacks NO_READ_OF_WAITS NO_COUNT_OF_WAITS NO_FENCE SHARED_FIRST || failed=1; \
		run live_objects FREED_CHUNKS VISIT_WITHOUT_LOCK || failed=1; \
		run memo_table NOT_TAKEN_AWAY NO_SECOND_LOOK LATE_SETTERS RELAXED_VALUE_STORE RELAXED_EPOCH_STORE RELAXED_EPOCH_LOAD \
			RELAXED_VALUE_LOAD || failed=1; \
		run call_state RELAXED_WALL_STORE RELAXED_WALL_LOAD NO_FIRST_LOOK || failed=1; exit $$failed
