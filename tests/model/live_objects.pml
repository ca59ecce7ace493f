/*
 * Chunks of tracked objects, src/alloc/live_objects.c: threads take places in the open chunk of
 * their lane without a lock, the sweep empties chunks in which all objects have been collected. A
 * thread can be delayed anywhere.
 *
 * Chunks of two places; one lane. Objects are collected as soon as they are there.
 *
 * Checked: no place is used in a chunk without objects, no place is given to two threads, each object is
 * reported once, none is lost; and a visit, of the open chunk first and then of those handed over,
 * misses no object that was there when it began. FREED_CHUNKS frees the chunk itself with its
 * objects, so that its count of places is used after that; VISIT_WITHOUT_LOCK looks at the open
 * chunk without the lane's lock, when the one that it has replaced may not be handed over yet.
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
byte dump_lock;                         /* a sweep or a visit */
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

inline sweep(chunk) {
	atomic { dump_lock == 0 && has_objects[chunk] -> dump_lock = 1 };
	sweep_chunk(chunk);
	dump_lock = 0
}

active proctype sweeper() {
	do
	:: sweep(0)
	:: sweep(1)
	:: sweep(2)
	:: sweep(3)
	:: collected == THREADS * EACH -> break
	od;
	assert(added == collected)
}

#define HAS(chunk) (places[chunk * PLACES] == THERE || places[chunk * PLACES + 1] == THERE)
#define VISITED(chunk) (handed_over[chunk] || seen_open == chunk)

/* live_objects_visit(), once at any time. */
active proctype visitor() {
	bool had[CHUNKS];
	byte seen_open;
	d_step {
		dump_lock == 0 -> dump_lock = 1;
		had[0] = HAS(0);
		had[1] = HAS(1);
		had[2] = HAS(2);
		had[3] = HAS(3)
	};
	/* open_of() */
#ifdef VISIT_WITHOUT_LOCK
	seen_open = open;
#else
	atomic { lane_lock == 0 -> seen_open = open };
#endif
	/* the full ones */
	d_step {
		assert(!had[0] || VISITED(0));
		assert(!had[1] || VISITED(1));
		assert(!had[2] || VISITED(2));
		assert(!had[3] || VISITED(3));
		seen_open = 0;
		had[0] = false;
		had[1] = false;
		had[2] = false;
		had[3] = false;
		dump_lock = 0
	}
}
