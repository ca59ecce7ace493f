/*
 * A charge and a dump, src/calls/call_state.c and collect_state() of cost_collector.c. A running
 * thread adds to a node's costs the time that has passed, and then stores the time up to which it has
 * charged, wall_ns (call_state_charge_both()). A dump reads wall_ns (call_state_uncharged()), collects
 * the costs (call_state_collect()) and reads wall_ns again: if it has not changed, the dump shows the
 * time since then, too, which the thread has not charged yet.
 *
 * Memory is weakly ordered: stores are seen later, in any order, except that a release waits for
 * what was stored before it; a load after an acquire is not executed before it.
 *
 * Checked: a dump that shows uncharged time misses none that had passed when it began. What a charge
 * meanwhile adds may be in it twice; uncharged_costs.c corrects that. NO_FIRST_LOOK leaves that out,
 * the others leave out the order of the store or load in their name.
 */
#define CHARGES 3
#define DUMPS 2
#define END 5

byte clock = 1;
byte costs, wall;    /* as others see them */
byte stored_costs;   /* the same of costs, not seen yet; or 0 */

active proctype memory() {
end:
	do
	:: atomic { stored_costs != 0 -> costs = stored_costs; stored_costs = 0 }
	od
}

active proctype time() {
	do
	:: clock < END -> clock++
	:: clock == END -> break
	od
}

active proctype thread() {
	byte now, i;
	do
	:: i == CHARGES -> break
	:: else ->
		now = clock;
		stored_costs = now; /* all time up to it has been added */
#ifndef RELAXED_WALL_STORE
		stored_costs == 0;
#endif
		wall = now;
		i++
	od
}

active proctype dump() {
	byte begun, before, collected, after, i;
	do
	:: i == DUMPS -> break
	:: else ->
		begun = clock;
#ifdef RELAXED_WALL_LOAD
		collected = costs;
#endif
		before = wall;
#ifndef RELAXED_WALL_LOAD
		collected = costs;
#endif
		after = wall;
#ifdef NO_FIRST_LOOK
		before = after;
#endif
		assert(before != after || collected + clock - after >= begun);
		i++
	od
}
