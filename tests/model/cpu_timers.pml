/*
 * Start, stop and end of a thread's CPU timer, src/os/posix/cpu_timers.c. The agent starts a
 * timer for another thread, which finds it in the list at its first signal, or the thread starts its
 * own. The agent or, at its end, the thread stops it; meanwhile, at any time, another thread ends all
 * timers (os_cpu_timers_end()). Then the timer is freed, and the agent installs timers again: a new
 * generation, in which the thread's pointer to the old timer counts for nothing. All operations are
 * sequentially consistent, as in the source, so any interleaving is all that can happen. Signals
 * come at any time, also late, and from other sources than the timer, but only between the steps that
 * the thread itself takes.
 *
 * Checked: no handler uses a timer that has been freed, or calls back with one that is not of its
 * generation; a thread that has its timer knows by what descriptor this signals; the waits end.
 * LATE_COUNT counts a handler after it has looked at the timers, NO_GENERATION trusts the thread's
 * pointer, NO_WAIT frees at once, STAYS_LISTED leaves a timer in its place that was armed too late,
 * TAKEN_ONCE does not look again at one that was found before it was armed, and CLOSED_FIRST closes
 * the list of all timers while handlers still look at them.
 */
#define TIMERS 2
#define NONE 255
#define SIGNALS 3

bool valid[TIMERS];      /* its memory belongs to it */
byte timer_generation[TIMERS];
byte listed = NONE;      /* the place in which a thread finds its timer first */
bool slot_known[TIMERS]; /* timer->slot: where the thread keeps it */
byte signalling = NONE;  /* the timer that is armed, whose descriptor has been stored */

/* cpu_timer_list.c; each change is one step, under its lock */
bool open, running, armed;

byte current = NONE;     /* the thread's own variables */
byte current_generation;
byte own_fd = NONE;

byte generation, under_way;
bool ended = true;

byte wanted = NONE;      /* the thread is to start this timer itself; */
byte started = NONE;     /* this one it may stop */
bool busy;               /* it stops one */
byte round;              /* what has begun, and may be ended, */
byte rounds_ended;       /* and what has */
bool over;

inline own_timer(found) {
	found = current;
#ifndef NO_GENERATION
	if
	:: current_generation != generation -> found = NONE
	:: else
	fi
#endif
}

inline unlist(timer, was_listed) {
	atomic {
		was_listed = (listed == timer);
		if
		:: was_listed -> listed = NONE
		:: else
		fi
	}
}

inline set_own(timer) {
	current = NONE;
	current_generation = generation;
	slot_known[timer] = true;
	current = timer
}

/* cpu_timer_taken() */
inline taken(timer) {
	assert(valid[timer]);
	if
	:: signalling == timer -> own_fd = timer
	:: else
	fi
}

inline list_add(was_open) {
	atomic { was_open = open; running = open; armed = false }
}

inline list_remove(was_running) {
	atomic { was_running = running; running = false; armed = false }
}

/* arm(), of a timer that is in the list of all */
inline arm(timer) {
	signalling = timer;
	atomic { was = open; running = open; armed = open };
	if
	:: !was ->
#ifndef STAYS_LISTED
		unlist(timer, was);
#endif
		signalling = NONE
	:: else
	fi
}

/* on_signal() */
inline handle() {
	/* find_own_timer() */
#ifndef LATE_COUNT
	under_way++;
#endif
	sender = signalling;
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
				unlist(place, was);
				if
				:: was -> taken(place); set_own(place)
				:: else
				fi
			:: else
			fi
		:: else ->
#ifndef TAKEN_ONCE
			taken(found)
#endif
		fi;
		assert(sender == NONE || sender != signalling || sender != current || sender == own_fd)
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
	under_way--
}

active proctype thread() {
	byte signals, found, place, sender, mine;
	bool was;
	do
	:: signals < SIGNALS -> handle(); signals++
	:: wanted != NONE ->
		/* os_cpu_timer_start() */
		mine = wanted;
		list_add(was);
		if
		:: was ->
			set_own(mine);
			own_fd = mine;
			arm(mine)
		:: else
		fi;
		atomic { wanted = NONE; started = mine }
	:: atomic { started != NONE -> mine = started; started = NONE; busy = true };
		/* os_cpu_timer_stop(), at the thread's end; then it is freed */
		list_remove(was);
		if
		:: was ->
			unlist(mine, was);
			if
			:: !was -> current = NONE
			:: else
			fi;
			signalling = NONE
		:: else
		fi;
		atomic { valid[mine] = false; busy = false }
	:: over -> break
	od
}

inline wait_for_handlers() {
#ifdef NO_WAIT
	skip
#else
	under_way == 0
#endif
}

/* os_cpu_timer_stop(), on another thread than the timer's */
inline stop(timer) {
	list_remove(was);
	if
	:: was ->
		unlist(timer, was);
		if
		:: !was ->
			wait_for_handlers();
			if
			:: slot_known[timer] -> current = NONE
			:: else
			fi
		:: else
		fi;
		wait_for_handlers();
		signalling = NONE
	:: else
	fi
}

/* os_cpu_timer_start_on() */
inline start_on(timer) {
	list_add(was);
	if
	:: was ->
		listed = timer;
		arm(timer)
	:: else
	fi
}

active proctype agent() {
	bool was;
	do
	:: round == TIMERS -> break
	:: else ->
		/* os_cpu_timers_install() */
		generation++;
		ended = false;
		open = true;
		valid[round] = true;
		timer_generation[round] = generation;
		slot_known[round] = false;
		round++;
		if
		:: start_on(round - 1); stop(round - 1)
		:: start_on(round - 1); started = round - 1
		:: wanted = round - 1; wanted == NONE
		fi;
		atomic {
			rounds_ended == round && !busy -> valid[round - 1] = false; started = NONE
		}
	od;
	over = true
}

/* os_cpu_timers_end() */
active proctype ender() {
	bool was;
	do
	:: rounds_ended == TIMERS -> break
	:: else ->
		round > rounds_ended;
#ifdef CLOSED_FIRST
		open = false;
		ended = true;
#else
		ended = true;
		open = false;
#endif
		wait_for_handlers();
		/* cpu_timer_list_take_all() */
		atomic {
			if
			:: running && armed ->
				running = false;
				armed = false;
				unlist(round - 1, was);
				signalling = NONE
			:: else
			fi
		};
		rounds_ended++
	od
}
