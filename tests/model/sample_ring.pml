/*
 * The ring of src/sampling/sample_ring.c: one producer, one consumer, records without gaps, a
 * filler before the end. Memory is weakly ordered: what the producer writes reaches the consumer in
 * any order, except that a release waits for all that was written before it. The consumer may
 * read memory before the head that it compares with, unless the load of the head acquires.
 *
 * Words stand for bytes: a header has 2, a sample 0 or 1 word of frames. Of 7 words, the
 * end is met with room for a filler, with room too short for one, and exactly.
 *
 * Checked: each sample that was committed is read once, in order and whole.
 */
#define SIZE 7
#define HEADER 2
#define LARGEST 3
#define SAMPLES 5
#define FILLER 255

byte memory[SIZE];  /* what the consumer can see: the number of the sample, or FILLER */
byte written[SIZE]; /* what the producer has written and the consumer can't see yet */
bool pending[SIZE];
byte bytes[SIZE];   /* of the record that begins there; as visible as its first word */
byte head, tail;    /* ever */
byte produced, read;

inline release_all() {
	d_step {
		for (i : 0 .. SIZE - 1) {
			if
			:: pending[i] -> memory[i] = written[i]; pending[i] = false
			:: else
			fi
		}
		i = 0
	}
}

inline write_word(place, value) {
	written[place] = value;
	pending[place] = true
}

inline reveal(at) {
	d_step { pending[at] -> memory[at] = written[at]; pending[at] = false }
}

active proctype bus() {
end:
	do
	:: reveal(0) :: reveal(1) :: reveal(2) :: reveal(3) :: reveal(4) :: reveal(5) :: reveal(6)
	od
}

active proctype producer() {
	byte seen_tail, left, skipped, own_head, words, i, w;
	do
	:: produced == SAMPLES -> break
	:: else ->
		/* sample_ring_reserve() */
		seen_tail = tail;
		left = SIZE - own_head % SIZE;
		skipped = (left < LARGEST -> left : 0);
#ifdef NO_ROOM_FOR_FILLER
		if
		:: SIZE - (own_head - seen_tail) < LARGEST -> goto no_room
		:: else
		fi;
#else
		if
		:: SIZE - (own_head - seen_tail) < LARGEST + skipped -> goto no_room
		:: else
		fi;
#endif
		if
		:: skipped >= HEADER ->
			d_step {
				for (w : 0 .. HEADER - 1) {
					write_word((own_head + w) % SIZE, FILLER)
				}
			}
		:: else
		fi;
		if
		:: skipped > 0 ->
			atomic { release_all(); head = own_head + skipped };
			own_head = own_head + skipped
		:: else
		fi;
		/* the walk, then sample_ring_commit() */
		if
		:: words = HEADER
		:: words = HEADER + 1
		fi;
		/* In one step: each word is seen later, in any order. */
		d_step {
			for (w : 0 .. words - 1) {
				write_word((own_head + w) % SIZE, produced)
			}
			bytes[own_head % SIZE] = words;
			w = 0
		};
#ifndef RELAXED_HEAD_STORE
		d_step { release_all(); head = own_head + words };
#else
		head = own_head + words;
#endif
		own_head = own_head + words;
		produced++;
		goto next;
no_room:	seen_tail != tail; /* a sample is dropped; the next timer finds room */
next:		skip
	od
}

active proctype consumer() {
	byte own_tail, left, i, words, seen_head;
	byte early[SIZE];
	do
	:: read == SAMPLES -> break
	:: else ->
#ifdef RELAXED_HEAD_LOAD
		d_step { for (i : 0 .. SIZE - 1) { early[i] = memory[i] } i = 0 };
#endif
		own_tail != head;
		seen_head = head;
#ifndef RELAXED_HEAD_LOAD
		d_step { for (i : 0 .. SIZE - 1) { early[i] = memory[i] } i = 0 };
#endif
		left = SIZE - own_tail % SIZE;
		if
		:: left < HEADER || early[own_tail % SIZE] == FILLER ->
			own_tail = own_tail + left;
			tail = own_tail
		:: else ->
			words = bytes[own_tail % SIZE];
			assert(own_tail + words <= seen_head);
#ifdef RELAXED_TAIL_STORE
			/* the words are read when the producer has the space already */
			tail = own_tail + words;
#endif
			i = 0;
			do
			:: i < words ->
#ifdef RELAXED_TAIL_STORE
				assert(memory[(own_tail + i) % SIZE] == read);
#else
				assert(early[(own_tail + i) % SIZE] == read);
				assert(memory[(own_tail + i) % SIZE] == read);
#endif
				i++
			:: else -> break
			od;
			i = 0;
			own_tail = own_tail + words;
			tail = own_tail;
			read++
		fi
	od;
	assert(read == produced || produced < SAMPLES)
}
