/*
 * Start, stop and end of a thread's CPU timer, src/os/posix/cpu_timers.c. The agent starts a
 * timer for another thread, which finds it in the list at its first signal, and stops it or ends all
 * timers, and frees it. Then it installs timers again: a new generation, in which the
 * thread's pointer to the old timer counts for nothing. All operations are sequentially consistent, as
 * in the source, so any interleaving is all that can happen. Signals can come at any time, also late.
 *
 * Checked: no handler uses a timer that has been freed, or calls back with one that is not of its
 * generation; the waits end. LATE_COUNT counts a handler after it has looked at the timers,
 * NO_GENERATION trusts the thread's pointer, NO_WAIT frees at once.
 */
#define TIMERS 2
#define NONE 255
#define SIGNALS 3

bool valid[TIMERS];      /* its memory belongs to it */
byte timer_generation[TIMERS];
byte listed = NONE;      /* the place in which a thread finds its timer first */
bool slot_known[TIMERS]; /* timer->slot: where the thread keeps it */

byte current = NONE;     /* the thread's own variables */
byte current_generation;

byte generation, under_way;
bool ended = true;

inline own_timer(found) {
	found = current;
#ifndef NO_GENERATION
	if
	:: current_generation != generation -> found = NONE
	:: else
	fi
#endif
}

active proctype thread() {
	byte signals, found, place;
	do
	:: signals == SIGNALS -> break
	:: else ->
		/* find_own_timer() */
#ifndef LATE_COUNT
		under_way++;
#endif
		if
		:: ended
		:: else ->
			own_timer(found);
			if
			:: found == NONE ->
				place = listed;
				if
				:: place != NONE ->
					assert(valid[place]); /* timer->thread */
					/* unlist() */
					atomic {
						if
						:: listed == place -> listed = NONE
						:: else -> place = NONE
						fi
					};
					if
					:: place != NONE ->
						assert(valid[place]);
						current = NONE;
						current_generation = generation;
						slot_known[place] = true;
						current = place
					:: else
					fi
				:: else
				fi
			:: else
			fi
		fi;
#ifndef LATE_COUNT
		under_way--;
#endif
		/* expire() */
#ifndef LATE_COUNT
		under_way++;
#endif
		if
		:: ended -> found = NONE
		:: else -> own_timer(found)
		fi;
#ifdef LATE_COUNT
		under_way++;
#endif
		if
		:: found != NONE ->
			assert(valid[found] && timer_generation[found] == generation)
		:: else
		fi;
		under_way--;
		signals++
	od
}

inline wait_for_handlers() {
#ifdef NO_WAIT
	skip
#else
	under_way == 0
#endif
}

/* os_cpu_timer_stop(), on another thread than the timer's; the list of all timers has its own lock. */
inline stop(timer) {
	atomic {
		unlisted = (listed == timer);
		if
		:: unlisted -> listed = NONE
		:: else
		fi
	};
	if
	:: !unlisted ->
		wait_for_handlers();
		if
		:: slot_known[timer] -> current = NONE
		:: else
		fi
	:: else
	fi;
	wait_for_handlers()
}

/* os_cpu_timers_end() */
inline end_all(timer) {
	ended = true;
	wait_for_handlers();
	atomic {
		if
		:: listed == timer -> listed = NONE
		:: else
		fi
	}
}

active proctype agent() {
	byte i;
	bool unlisted;
	do
	:: i == TIMERS -> break
	:: else ->
		/* os_cpu_timers_install() */
		generation++;
		ended = false;
		/* os_cpu_timer_start_on() */
		valid[i] = true;
		timer_generation[i] = generation;
		slot_known[i] = false;
		listed = i;
		if
		:: stop(i); end_all(i)
		:: end_all(i)
		fi;
		valid[i] = false;
		i++
	od
}
