package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The methods that instrumented code calls at method entries and exits (cpu=times,
 * cpu=old). The agent defines the class in the boot loader in the live phase, so that
 * every class can link to it.
 *
 * Compilers inline enter, exit and leaf where they are hot. What is rare is in methods of
 * its own, so that as little as possible is inlined.
 *
 * A thread's position in the call graph is kept outside the Java heap: a state per native
 * thread (calls/call_state.h) has the index of the node (calls/call_graph.h) of the open
 * calls. An instrumented method saves the previous value in a local variable and restores
 * it at its exit. So the shadow stack needs no memory of its own, moves with a virtual
 * thread to another carrier, and is correct again after a method exits by an exception.
 * Without clocks the variable has the state's address, too, so that exit need not look for
 * it; except on a virtual thread, which may have another carrier by then.
 *
 * When a profile ends and the program continues, frames that were entered before still
 * have indexes of its nodes. These have no callees, so native code handles calls from
 * them, and later nodes have other indexes.
 *
 * The offsets below are those of struct call_state.
 */
public final class HprofTracker {
	private static final Unsafe UNSAFE = Unsafe.getUnsafe();

	/** Thread.eetop: the address of the VM's thread object, the key of states. */
	private static final long VM_THREAD = UNSAFE.objectFieldOffset(Thread.class, "eetop");

	/** Slots of two words, key and state, hashed by key; 0 is a free slot. */
	private static final long TABLE = table();
	private static final int TABLE_SHIFT = tableShift();
	private static final long TABLE_END = tableEnd();
	private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;
	private static final int SLOT_BYTES = 16;
	private static final int SLOT_STATE = 8;

	/**
	 * The open word: from bit 0, the node of the open call. With both clocks, from bit
	 * CHARGED_SHIFT, the node to which time is charged, that of the innermost open call
	 * that reads the clocks, and from bit SHORT_SHIFT, the number of calls of short
	 * methods open within it.
	 */
	private static final int STATE_OPEN = 0;
	private static final long NODE_MASK = (1L << 23) - 1;
	private static final int CHARGED_SHIFT = 32;
	private static final int SHORT_SHIFT = 56;
	private static final long ONE_SHORT = 1L << SHORT_SHIFT;

	/** At this depth of nested short methods, the innermost reads the clocks. */
	private static final int SHORT_MAX = 4;

	private static final int STATE_WALL_NS = 8;
	private static final int STATE_UNTIL_NS = 16;
	private static final int STATE_WORD = 24;

	/** A byte for each block of nodes: whether they have new costs. */
	private static final int STATE_BLOCKS = 0x10000;
	private static final int BLOCK_SHIFT = 9;
	private static final byte BLOCK_IS_NEW = 1;

	/** For each node its calls, and its CPU time. */
	private static final int STATE_CALLS = 0x60000;
	private static final int STATE_CPU_NS = STATE_CALLS + (8 << 23);

	/**
	 * What enter returns: from bit 0, the caller's node; MOVES for a frame of a virtual
	 * thread; and from bit STATE_SHIFT, the state's address in units of pages.
	 */
	private static final long MOVES = 1L << 23;
	private static final int STATE_SHIFT = 24;
	private static final int PAGE_SHIFT = 12;

	/** The value of a state's word while its thread runs without interruption. */
	private static final long MARK = mark();

	/** The lines of callees by node index: call_graph_lines(). */
	private static final long LINES = lines();
	private static final int LINE_SHIFT = 6;
	private static final int LINE_MASK = 7;

	/** The tables of callees by node index, in words: call_graph_callees(). */
	private static final long CALLEES = callees();
	private static final int ADDRESS_BITS = 48;
	private static final int UNIT_SHIFT = 3;

	/** A call of it leads to the root and is not counted. */
	private static final int NO_METHOD = -1;

	private HprofTracker() {
	}

	private static native long table();

	private static native int tableShift();

	private static native long tableEnd();

	/** The calling thread's state, which is entered into the table if there is room. */
	private static native long attach(long vmThread);

	private static native long lines();

	private static native long callees();

	/** The node for a call of method from caller, added if necessary. */
	private static native long callee(long caller, int method);

	private static native long mark();

	/** Charges the thread's time, by both clocks or only that of its breaks, to its open call. */
	private static native void charge();

	/**
	 * The same; and from now on the breaks of that call are waits for that cause
	 * (vm/wait_calls.h), or, with 0, for none that is known. Called before and after a
	 * native method that waits.
	 */
	public static native void waits(int cause);

	/**
	 * Calls each native method once, on the thread that starts tracking, before classes
	 * are instrumented. The VM links a native method at its first call by running Java
	 * code; if that were instrumented, it would recurse.
	 */
	static void link() {
		long state = attach(UNSAFE.getLong(Thread.currentCarrierThread(), VM_THREAD));
		callee(UNSAFE.getLong(state + STATE_OPEN), NO_METHOD);
		charge();
		waits(0);
	}

	/** At the entry of a method; returns what exit restores. */
	public static long enter(int method) {
		Thread thread = Thread.currentCarrierThread();
		long vmThread = UNSAFE.getLong(thread, VM_THREAD);
		long slot = slot(vmThread);
		if (UNSAFE.getLong(slot) != vmThread) {
			return enterSlowly(method);
		}
		long state = UNSAFE.getLong(slot + SLOT_STATE);
		long caller = UNSAFE.getLong(state + STATE_OPEN) & NODE_MASK;
		long place = place(caller, method);
		if ((int) (place >>> 32) != method) {
			return enterSlowly(method);
		}
		return enter(thread, state, caller, (int) place);
	}

	@DontInline
	private static long enterSlowly(int method) {
		long state = state();
		long caller = UNSAFE.getLong(state + STATE_OPEN) & NODE_MASK;
		return enter(Thread.currentCarrierThread(), state, caller, node(caller, method));
	}

	@ForceInline
	private static long enter(Thread thread, long state, long caller, long node) {
		count(state, node);
		UNSAFE.putLong(state + STATE_OPEN, node);
		long word = state << STATE_SHIFT - PAGE_SHIFT | caller;
		return Thread.currentThread() == thread ? word : word | MOVES;
	}

	/** Counts a call of the node. */
	@ForceInline
	private static void count(long state, long node) {
		long calls = state + STATE_CALLS + (node << 3);
		UNSAFE.putLong(calls, UNSAFE.getLong(calls) + 1);
		UNSAFE.putByte(state + STATE_BLOCKS + (node >>> BLOCK_SHIFT), BLOCK_IS_NEW);
	}

	/**
	 * At the entry of a method that makes no calls and returns soon: counts it; the
	 * caller stays the open call.
	 */
	public static void leaf(int method) {
		long vmThread = UNSAFE.getLong(Thread.currentCarrierThread(), VM_THREAD);
		long slot = slot(vmThread);
		if (UNSAFE.getLong(slot) != vmThread) {
			leafSlowly(method);
			return;
		}
		long state = UNSAFE.getLong(slot + SLOT_STATE);
		long place = place(UNSAFE.getLong(state + STATE_OPEN) & NODE_MASK, method);
		if ((int) (place >>> 32) != method) {
			leafSlowly(method);
			return;
		}
		count(state, (int) place);
	}

	@DontInline
	private static void leafSlowly(int method) {
		long state = state();
		count(state, node(UNSAFE.getLong(state + STATE_OPEN), method));
	}

	/** The open word, for a method that is not counted. */
	@DontInline
	public static long open() {
		return UNSAFE.getLong(state() + STATE_OPEN);
	}

	/** At the start of an exception handler of such a method. */
	@DontInline
	public static void reopen(long open) {
		UNSAFE.putLong(state() + STATE_OPEN, open);
	}

	/** At the exit of a method: restores the open word. */
	public static void exit(long entered) {
		if ((entered & MOVES) != 0) {
			reopen(entered & NODE_MASK);
		} else {
			UNSAFE.putLong((entered >> STATE_SHIFT << PAGE_SHIFT) + STATE_OPEN, entered & NODE_MASK);
		}
	}

	/** At the start of an exception handler of the method. */
	@DontInline
	public static void resume(long entered, int method) {
		UNSAFE.putLong(state() + STATE_OPEN, node(entered, method));
	}

	/**
	 * enter, exit, resume and reopen with msa=y where a mark shows that the thread had a break,
	 * left its CPU or handled a signal. A break since the last call or return was in the open
	 * call, to which it is charged here before another call is open. CPU time is charged
	 * by a timer, as without msa=y.
	 */
	public static long enterMarked(int method) {
		Thread thread = Thread.currentCarrierThread();
		long vmThread = UNSAFE.getLong(thread, VM_THREAD);
		long slot = slot(vmThread);
		if (UNSAFE.getLong(slot) != vmThread) {
			return enterMarkedSlowly(method);
		}
		long state = UNSAFE.getLong(slot + SLOT_STATE);
		long caller = UNSAFE.getLong(state + STATE_OPEN) & NODE_MASK;
		long place = place(caller, method);
		if ((int) (place >>> 32) != method || hadBreak(state)) {
			return enterMarkedSlowly(method);
		}
		return enter(thread, state, caller, (int) place);
	}

	@DontInline
	private static long enterMarkedSlowly(int method) {
		chargeBreak(state());
		return enterSlowly(method);
	}

	public static void exitMarked(long entered) {
		long state = entered >> STATE_SHIFT << PAGE_SHIFT;
		if ((entered & MOVES) != 0 || hadBreak(state)) {
			reopenMarked(entered & NODE_MASK);
		} else {
			UNSAFE.putLong(state + STATE_OPEN, entered & NODE_MASK);
		}
	}

	@DontInline
	public static void resumeMarked(long entered, int method) {
		chargeBreak(state());
		resume(entered, method);
	}

	@DontInline
	public static void reopenMarked(long open) {
		chargeBreak(state());
		reopen(open);
	}

	@ForceInline
	private static boolean hadBreak(long state) {
		return UNSAFE.getLong(UNSAFE.getLong(state + STATE_WORD)) != MARK;
	}

	@ForceInline
	private static void chargeBreak(long state) {
		if (hadBreak(state)) {
			charge();
		}
	}

	/**
	 * enter, exit and resume with both clocks (msa=y without such marks or timers). They keep the caller's whole open word, and
	 * look for the state again.
	 */
	@DontInline
	public static long enterClocked(int method) {
		return enterClocked(state(), method);
	}

	@ForceInline
	private static long enterClocked(long state, int method) {
		chargeBoth(state);
		long caller = UNSAFE.getLong(state + STATE_OPEN);
		long node = node(caller, method);
		count(state, node);
		UNSAFE.putLong(state + STATE_OPEN, node << CHARGED_SHIFT | node);
		return caller;
	}

	@DontInline
	public static void exitClocked(long caller) {
		long state = state();
		chargeBoth(state);
		UNSAFE.putLong(state + STATE_OPEN, caller);
	}

	/**
	 * enter and exit for short methods, whose own instructions take less time than reading
	 * the clocks: their time is charged to the innermost open method that reads them.
	 */
	@DontInline
	public static long enterShort(int method) {
		long state = state();
		long caller = UNSAFE.getLong(state + STATE_OPEN);
		if (caller >>> SHORT_SHIFT == SHORT_MAX - 1) {
			return enterClocked(state, method);
		}
		long node = node(caller, method);
		count(state, node);
		UNSAFE.putLong(state + STATE_OPEN, (caller & ~NODE_MASK | node) + ONE_SHORT);
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
	 * While the thread's word has the mark, the thread has run without interruption since
	 * the last charge, and the elapsed time is the CPU time. The word must be read after
	 * the clock; therefore its address depends on the clock's value, whose top bit is 0.
	 */
	@ForceInline
	private static void chargeBoth(long state) {
		long now = System.nanoTime();
		long word = UNSAFE.getLong(state + STATE_WORD) + (now >>> 63);
		if (UNSAFE.getLong(word) == MARK && now < UNSAFE.getLong(state + STATE_UNTIL_NS)) {
			long node = UNSAFE.getLong(state + STATE_OPEN) >>> CHARGED_SHIFT & NODE_MASK;
			long cost = state + STATE_CPU_NS + (node << 3);
			long passed = now - UNSAFE.getLong(state + STATE_WALL_NS);
			UNSAFE.putLong(cost, UNSAFE.getLong(cost) + passed);
			UNSAFE.putByte(state + STATE_BLOCKS + (node >>> BLOCK_SHIFT), BLOCK_IS_NEW);
			UNSAFE.putLong(state + STATE_WALL_NS, now);
			return;
		}
		charge();
	}

	@ForceInline
	private static long state() {
		long vmThread = UNSAFE.getLong(Thread.currentCarrierThread(), VM_THREAD);
		long slot = slot(vmThread);
		if (UNSAFE.getLong(slot) == vmThread)
			return UNSAFE.getLong(slot + SLOT_STATE);
		return probe(slot, vmThread);
	}

	@ForceInline
	private static long slot(long vmThread) {
		return TABLE + ((vmThread * HASH_FACTOR) >>> TABLE_SHIFT) * SLOT_BYTES;
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

	/** The node for a call of the method from the open call. */
	@ForceInline
	private static long node(long open, int method) {
		long caller = open & NODE_MASK;
		long place = place(caller, method);
		return (int) (place >>> 32) == method ? (int) place : callee(caller, method);
	}

	/** The method and node at the place of a callee: its own, or those of another one. */
	@ForceInline
	private static long place(long caller, int method) {
		long place = UNSAFE.getLong(LINES + (caller << LINE_SHIFT) + ((method & LINE_MASK) << 3));
		if ((int) (place >>> 32) == method) {
			return place;
		}
		long word = UNSAFE.getLong(CALLEES + (caller << 3));
		long table = word << 64 - ADDRESS_BITS >> 64 - ADDRESS_BITS - UNIT_SHIFT;
		return UNSAFE.getLong(table + ((word >>> ADDRESS_BITS & method) << 3));
	}
}
