package java.lang;

/**
 * What instrumented code calls behind each place where it allocates (heap=sites with live=n).
 * Defined by the agent in the boot loader when the VM is up, so that every class can reach it.
 *
 * <p>Of an object that is not constructed yet nothing may be passed but its class. Nor is an array
 * passed whose length and class say all: so the compilers may go on to remove objects that
 * nobody needs. All methods are the agent's, and run no Java code.
 */
public final class HprofHeap {
	private HprofHeap() {}

	/** An instance of a class. */
	public static native void made(Class<?> type);

	/** An instance of a class of that internal name, which the calling class knows. */
	public static native void madeNamed(String name);

	/** An array of a class of arrays. */
	public static native void madeArray(int length, Class<?> type);

	/** An object that is there, of whatever class. */
	public static native void made(Object object);

	/** The result of a call that may have been its argument, and then was there before. */
	public static native void madeUnless(Object result, Object argument);

	/**
	 * The class file that a hidden class is to be defined by, which the VM shows no agent: the
	 * same array, or one in which allocations are told.
	 */
	public static native byte[] rewritten(byte[] classFile);

	/** An array of arrays, so many dimensions of which are there. */
	public static native void madeArrays(Object array, int dimensions);
}
