/*
 * Callbacks in flight, src/vm/active_callbacks.c: a callback is counted and then reads what leads
 * to the profile, by a plain load of the VM; the end makes that unreachable by a plain store,
 * waits for a count of 0 and frees the profile.
 *
 * Memory is weakly ordered: an addition and a store can be seen by others later than loads
 * that follow them have been executed, as on 64-bit ARM. A load that is sequentially consistent, or an
 * addition, waits until what the thread has stored before is seen.
 *
 * A thread has a callback in the shared count. Another has two. If the system can fence threads by
 * then, it becomes the owner in the first, so that the shared count has the beginning and the owner's
 * the end; the second is the owner's, in its own count, and waits for nothing. Whether threads can be
 * fenced is found out at any time, or never.
 *
 * Checked: no callback uses a freed profile. NO_READ_OF_WAITS, NO_COUNT_OF_WAITS, NO_FENCE and
 * SHARED_FIRST take out what active_callbacks.c does about it.
 */
byte own, shared, waits;
bool reachable = true, freed;
bool can_fence;

/* What a thread has stored and others can't see yet. */
bool entered_first, entered_second, entered_own;
bool detached;

active proctype system() {
	if
	:: can_fence = true
	:: true
	fi
}

active proctype memory() {
end:
	do
	:: atomic { entered_first -> entered_first = false; shared++ }
	:: atomic { entered_second -> entered_second = false; shared++ }
	:: atomic { entered_own -> entered_own = false; own++ }
	:: atomic { detached -> detached = false; reachable = false }
	od
}

/* GetEnvironmentLocalStorage() */
inline read_profile(found) {
	found = reachable;
	if
	:: found -> assert(!freed)
	:: else
	fi
}

inline read_waits(entered) {
#ifndef NO_READ_OF_WAITS
	!entered;
	seen = waits
#else
	skip
#endif
}

active proctype other_thread() {
	bool found;
	byte seen;

	/* active_callbacks_enter() */
	entered_first = true;
	read_waits(entered_first);
	read_profile(found);
	/* active_callbacks_leave(): a release, after the callback's own addition */
	!entered_first;
	shared--
}

active proctype owning_thread() {
	bool found;
	byte seen;
	bool owner;

	entered_second = true;
	read_waits(entered_second);
	owner = can_fence;
	read_profile(found);
	!entered_second;
	if
	:: owner -> own--
	:: else -> shared--; goto ended
	fi;

	entered_own = true;
	read_profile(found);
	!entered_own;
	own--;
ended:
	skip
}

active proctype end_of_profile() {
	byte first;

	/* SetEnvironmentLocalStorage() */
	detached = true;
	/* active_callbacks_wait() */
#ifndef NO_COUNT_OF_WAITS
	!detached;
	waits++;
#endif
#ifndef NO_FENCE
	/* os_fence_threads(): its own stores, and each thread's at some moment */
	if
	:: can_fence -> !detached; !entered_first; !entered_second; !entered_own
	:: else
	fi;
#endif
	do
#ifdef SHARED_FIRST
	:: first = shared;
	   if
	   :: (first + own) % 256 == 0 -> break
	   :: else
	   fi
#else
	:: first = own;
	   if
	   :: (first + shared) % 256 == 0 -> break
	   :: else
	   fi
#endif
	od;
	freed = true
}
