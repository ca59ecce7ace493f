/*
 * mounted_serial.c: see mounted_serial.h.
 */
#include "vm/mounted_serial.h"

bool mounted_serial_change(struct mounted_serial *mounted, uint32_t from, uint32_t to)
{
	return atomic_compare_exchange_strong(&mounted->state, &from, to);
}

uint32_t mounted_serial_sample(struct mounted_serial *mounted, struct thread_table *threads)
{
	uint32_t state = mounted_serial_state(mounted);

	if (state == MOUNTED_NOTHING || state == MOUNTED_UNKNOWN)
		return 0;
	if (state != MOUNTED_UNNUMBERED)
		return state;
	/* No other thread changes this state, and the carrier is in its handler. */
	state = thread_table_next_serial(threads) | MOUNTED_NEW;
	atomic_store_explicit(&mounted->state, state, memory_order_release);
	return state;
}
