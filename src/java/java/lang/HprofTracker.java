package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What instrumented code calls at method entries and exits (cpu=times, cpu=old).
 * Defined by the agent in the boot loader when the VM is up, so that every class
 * can reach it.
 *
 * enter and exit are compiled once and called, not inlined: inlined, they make
 * every compiled method so much larger that the compilers' time, and that of the
 * program while it waits for them, outweighs the calls.
 *
 * The place where a thread is in the call graph is kept outside the Java heap: a
 * state per thread of the system (profile/call_state.h) has the index of a node
 * (calls/call_graph.h) for the open calls. An instrumented method keeps what was
 * open before in a local variable and gives it back at the exit, so that the
 * shadow stack needs no memory of its own, follows a virtual thread to another
 * carrier, and is right again after any exit that went unseen.
 *
 * When a profile ends and the program goes on, frames that were entered before keep
 * indexes of nodes that are no more. Those have no callees, so that native code
 * decides where they lead, and later nodes have other indexes.
 *
 * The offsets below are those of struct call_state.
 */
public final class HprofTracker {
	private static final Unsafe UNSAFE = Unsafe.getUnsafe();

	/** Thread.eetop: the VM's own thread, by which states are found. */
	private static final long VM_THREAD = UNSAFE.objectFieldOffset(Thread.class, "eetop");

	/** Slots of two words, key and state, hashed by key; 0 is a free slot. */
	private static final long TABLE = table();
	private static final int TABLE_SHIFT = tableShift();
	private static final long TABLE_END = tableEnd();
	private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;
	private static final int SLOT_BYTES = 16;
	private static final int SLOT_STATE = 8;

	/**
	 * What is open: from bit 0 on the node of the open call. With both clocks, from bit
	 * CHARGED_SHIFT on the node that time is charged to, that of the innermost open call
	 * that reads them, and from bit SHORT_SHIFT on how many calls of short methods are
	 * open in it.
	 */
	private static final int STATE_OPEN = 0;
	private static final long NODE_MASK = (1L << 24) - 1;
	private static final int CHARGED_SHIFT = 32;
	private static final int SHORT_SHIFT = 56;
	private static final long ONE_SHORT = 1L << SHORT_SHIFT;

	/** Of so many short methods in one another the last reads the clocks after all. */
	private static final int SHORT_MAX = 4;

	private static final int STATE_CHUNKS = 8;
	private static final int STATE_WALL_NS = 16;
	private static final int STATE_UNTIL_NS = 24;
	private static final int STATE_WORD = 32;

	/** What a state's word holds while its thread runs without a break. */
	private static final long MARK = mark();

	/** Costs are in chunks of 512 nodes, two words each: calls, CPU time. */
	private static final int CHUNK_SHIFT = 9;
	private static final int CHUNK_MASK = (1 << CHUNK_SHIFT) - 1;
	private static final int CELL_SHIFT = 4;
	private static final int CELL_CPU_NS = 8;

	/** By index of a node, where its callees are: call_graph_callees(). */
	private static final long CALLEES = callees();
	private static final int CALLEES_ADDRESS_BITS = 48;

	/** Leads to the root, from anywhere, and is not counted. */
	private static final int NO_METHOD = -1;

	private HprofTracker() {
	}

	private static native long table();

	private static native int tableShift();

	private static native long tableEnd();

	/** The calling thread's state, entered into the table if there is room. */
	private static native long attach(long vmThread);

	private static native long callees();

	/** The node of method called from caller, made if there is none. */
	private static native long callee(long caller, int method);

	/** The state's chunk of counts for the index, made; 0 if it can't be. */
	private static native long chunk(long state, int index);

	private static native long mark();

	/** Charges the thread's time, by both its clocks, to its open call. */
	private static native void charge();

	/**
	 * Calls each native method once, on the thread that starts the tracking. The VM
	 * links a native method at its first call by running Java code, which must not
	 * be instrumented yet: it would get here again.
	 */
	static void link() {
		long state = attach(UNSAFE.getLong(Thread.currentThread(), VM_THREAD));
		chunk(state, 0);
		callee(UNSAFE.getLong(state + STATE_OPEN), NO_METHOD);
		charge();
	}

	/** A method has been entered; returns what was open. */
	@DontInline
	public static long enter(int method) {
		return enter(state(), method);
	}

	@ForceInline
	private static long enter(long state, int method) {
		long caller = UNSAFE.getLong(state + STATE_OPEN);
		long node = node(caller, method);
		if (count(state, node)) {
			UNSAFE.putLong(state + STATE_OPEN, caller & ~NODE_MASK | node);
		}
		return caller;
	}

	/** Adds a call of the node; false if there is no memory to count in. */
	@ForceInline
	private static boolean count(long state, long node) {
		long chunks = UNSAFE.getLong(state + STATE_CHUNKS);
		long chunk = UNSAFE.getLong(chunks + (node >>> CHUNK_SHIFT << 3));
		if (chunk == 0 && (chunk = chunk(state, (int) node)) == 0) {
			return false;
		}
		long count = chunk + ((node & CHUNK_MASK) << CELL_SHIFT);
		UNSAFE.putLong(count, UNSAFE.getLong(count) + 1);
		return true;
	}

	/**
	 * A method has been entered that calls nothing and returns at once: it is
	 * counted, and its caller stays the open call.
	 */
	@DontInline
	public static void leaf(int method) {
		long state = state();
		count(state, node(UNSAFE.getLong(state + STATE_OPEN), method));
	}

	/** What is open, for a method that is not counted itself. */
	@DontInline
	public static long open() {
		return UNSAFE.getLong(state() + STATE_OPEN);
	}

	/** The method that was called from there is being left. */
	@DontInline
	public static void exit(long caller) {
		UNSAFE.putLong(state() + STATE_OPEN, caller);
	}

	/** The method goes on in one of its exception handlers. */
	public static void resume(long caller, int method) {
		UNSAFE.putLong(state() + STATE_OPEN, caller & ~NODE_MASK | node(caller, method));
	}

	/** The same three with both clocks (msa=y). */
	@DontInline
	public static long enterClocked(int method) {
		return enterClocked(state(), method);
	}

	@ForceInline
	private static long enterClocked(long state, int method) {
		chargeBoth(state);
		long caller = UNSAFE.getLong(state + STATE_OPEN);
		long node = node(caller, method);
		if (count(state, node)) {
			UNSAFE.putLong(state + STATE_OPEN, node << CHARGED_SHIFT | node);
		}
		return caller;
	}

	@DontInline
	public static void exitClocked(long caller) {
		long state = state();
		chargeBoth(state);
		UNSAFE.putLong(state + STATE_OPEN, caller);
	}

	/**
	 * The first two for short methods, whose own instructions take less time than a look
	 * at the clocks: it is charged to the method that reads them further out.
	 */
	@DontInline
	public static long enterShort(int method) {
		long state = state();
		long caller = UNSAFE.getLong(state + STATE_OPEN);
		if (caller >>> SHORT_SHIFT == SHORT_MAX - 1) {
			return enterClocked(state, method);
		}
		long node = node(caller, method);
		if (count(state, node)) {
			UNSAFE.putLong(state + STATE_OPEN, (caller & ~NODE_MASK | node) + ONE_SHORT);
		}
		return caller;
	}

	@DontInline
	public static void exitShort(long caller) {
		long state = state();
		if (UNSAFE.getLong(state + STATE_OPEN) >>> SHORT_SHIFT == 0) {
			chargeBoth(state);
		}
		UNSAFE.putLong(state + STATE_OPEN, caller);
	}

	@DontInline
	public static void resumeClocked(long caller, int method) {
		long state = state();
		chargeBoth(state);
		long node = node(caller, method);
		UNSAFE.putLong(state + STATE_OPEN, node << CHARGED_SHIFT | node);
	}

	/**
	 * While the thread's word is marked it has run since the last charge, so that
	 * the wall clock tells the CPU time. The word has to be read after the clock,
	 * which its address therefore depends on: the clock's top bit is 0.
	 */
	@ForceInline
	private static void chargeBoth(long state) {
		long now = System.nanoTime();
		long word = UNSAFE.getLong(state + STATE_WORD) + (now >>> 63);
		if (UNSAFE.getLong(word) == MARK && now < UNSAFE.getLong(state + STATE_UNTIL_NS)) {
			long node = UNSAFE.getLong(state + STATE_OPEN) >>> CHARGED_SHIFT & NODE_MASK;
			long chunks = UNSAFE.getLong(state + STATE_CHUNKS);
			long chunk = UNSAFE.getLong(chunks + (node >>> CHUNK_SHIFT << 3));
			if (chunk != 0) {
				long cost = chunk + ((node & CHUNK_MASK) << CELL_SHIFT) + CELL_CPU_NS;
				long passed = now - UNSAFE.getLong(state + STATE_WALL_NS);
				UNSAFE.putLong(cost, UNSAFE.getLong(cost) + passed);
				UNSAFE.putLong(state + STATE_WALL_NS, now);
			}
		} else {
			charge();
		}
	}

	@ForceInline
	private static long state() {
		long vmThread = UNSAFE.getLong(Thread.currentThread(), VM_THREAD);
		long slot = TABLE + ((vmThread * HASH_FACTOR) >>> TABLE_SHIFT) * SLOT_BYTES;
		if (UNSAFE.getLong(slot) == vmThread)
			return UNSAFE.getLong(slot + SLOT_STATE);
		return probe(slot, vmThread);
	}

	@DontInline
	private static long probe(long slot, long vmThread) {
		for (long at = slot + SLOT_BYTES; at < TABLE_END; at += SLOT_BYTES) {
			long key = UNSAFE.getLong(at);
			if (key == vmThread)
				return UNSAFE.getLong(at + SLOT_STATE);
			if (key == 0)
				break;
		}
		return attach(vmThread);
	}

	/** The node that calling the method from what is open leads to. */
	@ForceInline
	private static long node(long open, int method) {
		long caller = open & NODE_MASK;
		long word = UNSAFE.getLong(CALLEES + (caller << 3));
		long table = word << 64 - CALLEES_ADDRESS_BITS >> 64 - CALLEES_ADDRESS_BITS;
		long place = UNSAFE.getLong(table + ((word >>> CALLEES_ADDRESS_BITS & method) << 3));
		return (int) (place >>> 32) == method ? (int) place : callee(caller, method);
	}
}
