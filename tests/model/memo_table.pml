/*
 * The value of a node with its epoch, src/hotspot/memo_table.c: memo_set_value() takes the epoch away
 * while it changes the value, under the table's lock, and memo_value() looks at the epoch before and
 * after it reads the value, without. A garbage collection begins a new epoch (gc_epoch.h) at any
 * time: a thread may set, late, what it has found in an earlier one.
 *
 * Memory is weakly ordered: stores are seen later, in any order, except that a release waits for
 * what was stored before it; the load after an acquire is not executed before it.
 *
 * Checked: a value that is returned for an epoch was found in that epoch. NOT_TAKEN_AWAY and
 * NO_SECOND_LOOK leave out these steps, LATE_SETTERS lets an earlier epoch replace a later one, the
 * others leave out the order of the store or load in their name.
 */
#define EPOCHS 3
#define SETTERS 3
#define FOUND_IN(number) (1 + number % 2) /* epochs 1 and 3 have the same value */

byte now = 1;
byte epoch, value;     /* as others see them */
bool taken_away;       /* 0 is stored in epoch, and not seen yet */
byte stored_value;     /* the same of value; or 0 */
bool locked;

active proctype memory() {
end:
	do
	:: atomic { taken_away -> epoch = 0; taken_away = false }
#ifdef RELAXED_VALUE_STORE
	:: atomic { stored_value != 0 -> value = stored_value; stored_value = 0 }
#else
	:: atomic { stored_value != 0 && !taken_away -> value = stored_value; stored_value = 0 }
#endif
	od
}

active proctype collector() {
	do
	:: now < EPOCHS -> now++
	:: now == EPOCHS -> break
	od
}

active [SETTERS] proctype setter() {
	byte mine;
	mine = now;
	/* memo_set_value() */
	atomic { !locked -> locked = true };
#ifndef LATE_SETTERS
	if
	:: epoch > mine -> goto unlock
	:: else
	fi;
#endif
	if
	:: value != FOUND_IN(mine) ->
#ifndef NOT_TAKEN_AWAY
		taken_away = true;
#endif
		stored_value = FOUND_IN(mine)
	:: else
	fi;
#ifdef RELAXED_EPOCH_STORE
	atomic { taken_away = false; epoch = mine };
#else
	atomic { !taken_away && stored_value == 0 -> epoch = mine };
#endif
unlock:	/* a release, too */
	atomic { !taken_away && stored_value == 0 -> locked = false }
}

active proctype reader() {
	byte mine, before, found, after;
	do
	:: mine == EPOCHS -> break
	:: else ->
		mine = now;
		/* memo_value() */
#ifdef RELAXED_EPOCH_LOAD
		found = value;
#endif
		before = epoch;
#ifdef RELAXED_VALUE_LOAD
		after = epoch;
#endif
#ifndef RELAXED_EPOCH_LOAD
		found = value;
#endif
#ifdef NO_SECOND_LOOK
		after = before;
#else
#ifndef RELAXED_VALUE_LOAD
		after = epoch;
#endif
#endif
		assert(before != mine || after != before || found == FOUND_IN(mine))
	od
}
