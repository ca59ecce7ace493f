/**
 * Counts what rewritten classes report. Rewritten code calls it from everywhere,
 * so it calls nothing that is rewritten, but for Thread.currentThread, which is
 * native. Counts are of one watched thread and therefore exact.
 */
public final class HprofTestTracker {
	public static final int[] NUMBERS = new int[1];

	/** The thread whose calls count; null for none. */
	public static volatile Thread watched;
	/** Methods of the watched thread entered and not yet left. */
	public static long depth;
	public static long enters;
	public static long exits;
	public static long unwinds;
	public static long sites;
	public static long wrong;
	/** Methods left by an exception that went past their handler. */
	public static long unseen;

	private static final int UNWATCHED = Integer.MIN_VALUE;

	/** Ids of the methods that are open, to see that each leaves in its turn. */
	private static final int[] open = new int[1 << 16];

	private HprofTestTracker() {
	}

	public static void enter(int id) {
		if (watched != null && Thread.currentThread() == watched) {
			enters++;
			if (depth >= 0 && depth < open.length)
				open[(int) depth] = id;
			depth++;
		}
	}

	private static void leave(int id) {
		depth--;
		/* Methods that were open before the count began leave below depth 0. */
		if (depth >= 0 && depth < open.length && open[(int) depth] != id)
			wrong++;
	}

	public static void exit(int id) {
		if (watched != null && Thread.currentThread() == watched) {
			exits++;
			leave(id);
		}
	}

	public static void unwind(int id) {
		if (watched != null && Thread.currentThread() == watched) {
			unwinds++;
			leave(id);
		}
	}

	/** As enter; returns the depth to give to exitAt, unwindAt and caughtAt. */
	public static int enterAt(int id) {
		if (watched == null || Thread.currentThread() != watched)
			return UNWATCHED;
		enters++;
		return (int) depth++;
	}

	/** The method that was entered at a depth returns; none above it may be open. */
	public static void exitAt(int entered) {
		if (watched == null || Thread.currentThread() != watched || entered == UNWATCHED)
			return;
		exits++;
		if (--depth != entered)
			wrong++;
		depth = entered;
	}

	/** The method is left by an exception, which may have gone through others unseen. */
	public static void unwindAt(int entered) {
		if (watched == null || Thread.currentThread() != watched || entered == UNWATCHED)
			return;
		unwinds++;
		if (depth <= entered)
			wrong++;
		unseen += depth - 1 - entered;
		depth = entered;
	}

	/** The method has caught an exception: it is the innermost open one. */
	public static void caughtAt(int entered) {
		if (watched == null || Thread.currentThread() != watched || entered == UNWATCHED)
			return;
		if (depth <= entered)
			wrong++;
		unseen += depth - 1 - entered;
		depth = entered + 1;
	}

	public static void site(int id) {
		if (watched != null && Thread.currentThread() == watched)
			sites++;
	}

	public static void array(Object made, int id) {
		if (made == null)
			wrong++;
		site(id);
	}

	public static Thread current() {
		return watched;
	}

	public static void check(long number, Thread thread, int[] numbers) {
		if ((int) number != (int) (number >> 32) || numbers != NUMBERS)
			wrong++;
	}
}
