/*
 * Callbacks in flight, src/vm/active_callbacks.c: a callback is counted and then reads what leads
 * to the profile, by a plain load of the VM; the end makes that unreachable by a plain store,
 * waits for a count of 0 and frees the profile.
 *
 * Memory is weakly ordered: an addition and a store can be seen by others later than loads
 * that follow them have been executed, as on 64-bit ARM. A load that is sequentially consistent, or an
 * addition, waits until what the thread has stored before is seen.
 *
 * Checked: no callback uses a freed profile. NO_READ_OF_WAITS and NO_COUNT_OF_WAITS take out what
 * active_callbacks.c does about it.
 */
#define CALLBACKS 2

byte inside, waits;
bool reachable = true, freed;

/* What a thread has stored and others can't see yet. */
bool entered[CALLBACKS];
bool detached;

active proctype memory() {
end:
	do
	:: atomic { entered[0] -> entered[0] = false; inside++ }
	:: atomic { entered[1] -> entered[1] = false; inside++ }
	:: atomic { detached -> detached = false; reachable = false }
	od
}

active [CALLBACKS] proctype callback() {
	byte me = _pid - 1;
	bool found;

	/* active_callbacks_enter() */
	entered[me] = true;
#ifndef NO_READ_OF_WAITS
	!entered[me];
	byte seen = waits;
#endif
	/* GetEnvironmentLocalStorage() */
	found = reachable;
	if
	:: found -> assert(!freed)
	:: else
	fi;
	/* active_callbacks_leave(): a release, after the callback's own addition */
	!entered[me];
	inside--
}

active proctype end_of_profile() {
	/* SetEnvironmentLocalStorage() */
	detached = true;
	/* active_callbacks_wait() */
#ifndef NO_COUNT_OF_WAITS
	!detached;
	waits++;
#endif
	inside == 0;
	freed = true
}
