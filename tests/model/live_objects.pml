/*
 * Chunks of tracked objects, src/alloc/live_objects.c: threads take places in the open chunk of
 * their lane without a lock, the sweep empties chunks in which all objects have been collected. A
 * thread can be delayed anywhere.
 *
 * Chunks of two places; one lane. Objects are collected as soon as they are there.
 *
 * Checked: no place is used in a chunk without objects, no place is given to two threads, each object is
 * reported once, none is lost. FREED_CHUNKS frees the chunk itself with its objects, so
 * that its count of places is used after that.
 */
#define CHUNKS 4
#define PLACES 2
#define THREADS 2
#define EACH 2
#define NONE 255

#define UNTAKEN 0
#define THERE 1
#define DROPPED 2

byte open = NONE;
byte used[CHUNKS];
bool exists[CHUNKS], has_objects[CHUNKS];
bool handed_over[CHUNKS];               /* handed over to the sweep */
byte places[CHUNKS * PLACES];
bool taken[CHUNKS * PLACES];
byte lane_lock;
byte collected, added;

inline new_chunk(chunk) {
	d_step {
		chunk = 0;
		do
		:: has_objects[chunk] -> chunk++
		:: else -> break
		od;
		assert(chunk < CHUNKS);
		exists[chunk] = true;
		has_objects[chunk] = true;
		places[chunk * PLACES] = UNTAKEN;
		places[chunk * PLACES + 1] = UNTAKEN;
		taken[chunk * PLACES] = false;
		taken[chunk * PLACES + 1] = false;
		used[chunk] = 0
	}
}

active [THREADS] proctype adder() {
	byte chunk, at, fresh, i;
	do
	:: i == EACH -> break
	:: else ->
again:		chunk = open;
		/* the thread may be delayed here */
		if
		:: chunk != NONE ->
			atomic {
				assert(exists[chunk]);
				at = used[chunk];
				used[chunk] = (at < 6 -> at + 1 : at)
			};
			if
			:: at < PLACES -> goto place
			:: else
			fi
		:: else
		fi;
		/* replace_open() */
		atomic { lane_lock == 0 -> lane_lock = 1 };
		if
		:: open == chunk ->
			new_chunk(fresh);
			open = fresh;
			if
			:: chunk != NONE -> handed_over[chunk] = true
			:: else
			fi
		:: else
		fi;
		lane_lock = 0;
		goto again;
place:		skip;
		d_step {
			assert(has_objects[chunk] && !taken[chunk * PLACES + at]);
			taken[chunk * PLACES + at] = true
		};
		d_step {
			assert(has_objects[chunk]);
			places[chunk * PLACES + at] = THERE;
			added++
		};
		i++
	od
}

inline sweep_place(place) {
	d_step {
		if
		:: places[place] == THERE -> places[place] = DROPPED; collected++
		:: else
		fi
	}
}

inline sweep_chunk(chunk) {
	sweep_place(chunk * PLACES);
	sweep_place(chunk * PLACES + 1);
	/* an empty chunk, in which no place is pending */
	d_step {
		if
		:: handed_over[chunk] && places[chunk * PLACES] == DROPPED &&
				places[chunk * PLACES + 1] == DROPPED ->
			handed_over[chunk] = false;
			has_objects[chunk] = false;
#ifdef FREED_CHUNKS
			exists[chunk] = false
#endif
		:: else
		fi
	}
}

active proctype sweeper() {
	do
	:: has_objects[0] -> sweep_chunk(0)
	:: has_objects[1] -> sweep_chunk(1)
	:: has_objects[2] -> sweep_chunk(2)
	:: has_objects[3] -> sweep_chunk(3)
	:: collected == THREADS * EACH -> break
	od;
	assert(added == collected)
}
