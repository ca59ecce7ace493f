package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * The methods that instrumented code calls after each allocation (heap=sites). The
 * agent defines the class in the boot loader in the live phase, so that every class can link to it.
 *
 * <p>An object whose constructor has not run can't be passed; its class is passed instead. An array
 * is not passed either if its length and class are sufficient, so that compilers can still
 * eliminate allocations.
 *
 * <p>They return the object's birth mark, which stands for the allocation site
 * (alloc/birth_marks.h), or 0 for none. mark() makes it the object's identity hash.
 */
public final class HprofHeap {
	private static final Unsafe UNSAFE = Unsafe.getUnsafe();

	/** An object's first word: locks from bit 0 on, and the identity hash, 0 for none. */
	private static final long HEADER = 0;
	private static final long LOCK_MASK = 7;
	private static final long UNLOCKED = 1;
	private static final long HASH_MASK = 0x7FFFFFFF;

	/** The lowest bit of the hash; -1 if it is not where it is expected. */
	private static final int HASH_SHIFT = hashShift();

	private static final int TRIALS = 8;

	private HprofHeap() {}

	/** An instance of a class. */
	public static native int allocated(Class<?> type);

	/** An instance of the class with that internal name, as seen from the calling class. */
	public static native int allocatedNamed(String name);

	/** An array; type is its array class. */
	public static native int allocatedArray(int length, Class<?> type);

	/** An initialized object of any class. */
	public static native int allocated(Object object);

	/** The result of a call, unless it is the argument, which existed before. */
	public static native int allocatedUnless(Object result, Object argument);

	/** An array of arrays, of which this number of dimensions are allocated. These are marked. */
	public static native void allocatedArrays(Object array, int dimensions);

	/** An object that can't be marked: it is locked, or has an identity hash. */
	private static native void unmarked(Object object, int mark);

	/**
	 * Instruments the class file of a hidden class, which the VM does not pass to agents. Returns
	 * the same array if the class stays unchanged.
	 */
	public static native byte[] rewritten(byte[] classFile);

	/** Makes the mark the identity hash of an object that is new. */
	public static void mark(Object object, int mark) {
		if (mark == 0) {
			return;
		}
		long header = UNSAFE.getLong(object, HEADER);
		long hash = (long) mark << HASH_SHIFT;
		boolean isNew = (header & (HASH_MASK << HASH_SHIFT | LOCK_MASK)) == UNLOCKED;
		if (!isNew || !UNSAFE.compareAndSetLong(object, HEADER, header, header | hash)) {
			markAgain(object, mark);
		}
	}

	/** Whether an object has no hash; one that is locked may have one. */
	static boolean isNew(Object object) {
		return (UNSAFE.getLong(object, HEADER) & (HASH_MASK << HASH_SHIFT | LOCK_MASK)) == UNLOCKED;
	}

	/** The collector may have changed the header's other bits. */
	private static void markAgain(Object object, int mark) {
		for (int i = 0; i < TRIALS; i++) {
			long header = UNSAFE.getLong(object, HEADER);
			if ((header & (HASH_MASK << HASH_SHIFT | LOCK_MASK)) != UNLOCKED) {
				break;
			}
			long marked = header | (long) mark << HASH_SHIFT;
			if (UNSAFE.compareAndSetLong(object, HEADER, header, marked)) {
				return;
			}
		}
		unmarked(object, mark);
	}

	/** Where the VM keeps the identity hash, found by what it writes. */
	private static int hashShift() {
		int found = -1;
		int agreed = 0;
		for (int i = 0; i < TRIALS && agreed < TRIALS / 2; i++) {
			int shift = hashShift(new Object());
			agreed = shift >= 0 && shift == found ? agreed + 1 : 0;
			found = shift;
		}
		return agreed < TRIALS / 2 ? -1 : found;
	}

	private static int hashShift(Object object) {
		long before = UNSAFE.getLong(object, HEADER);
		int hash = System.identityHashCode(object);
		long after = UNSAFE.getLong(object, HEADER);
		if ((before & LOCK_MASK) != UNLOCKED || before == after) {
			return -1;
		}
		int shift = Long.numberOfTrailingZeros(before ^ after) - Integer.numberOfTrailingZeros(hash);
		boolean isIt = shift > 0 && (before ^ after) == (long) hash << shift
				&& (before & HASH_MASK << shift) == 0;
		return isIt ? shift : -1;
	}

	/**
	 * Marks three objects of this class and calls tried() while one is free, one is locked here, and
	 * the agent can lock the third: as objects are on the heap. False if marks can't be used.
	 */
	static boolean tryMarks(int free, int locked, int waited) {
		HprofHeap[] objects = {new HprofHeap(), new HprofHeap(), new HprofHeap()};
		int[] marks = {free, locked, waited};
		if (HASH_SHIFT < 0) {
			return false;
		}
		for (int i = 0; i < objects.length; i++) {
			mark(objects[i], marks[i]);
		}
		synchronized (objects[1]) {
			tried(objects[2], HASH_SHIFT);
		}
		for (int i = 0; i < objects.length; i++) {
			synchronized (objects[i]) {
				if (System.identityHashCode(objects[i]) != marks[i]) {
					return false;
				}
			}
			if (System.identityHashCode(objects[i]) != marks[i]) {
				return false;
			}
		}
		return true;
	}

	/** Walks the heap while waited has a monitor of the VM's. */
	private static native void tried(Object waited, int hashShift);
}
