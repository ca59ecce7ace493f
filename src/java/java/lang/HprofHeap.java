package java.lang;

/**
 * The methods that instrumented code calls after each allocation (heap=sites with live=n). The
 * agent defines the class in the boot loader in the live phase, so that every class can link to it.
 *
 * <p>An object whose constructor has not run can't be passed; its class is passed instead. An array
 * is not passed either if its length and class are sufficient, so that compilers can still
 * eliminate allocations. All methods are native, and run no Java code.
 */
public final class HprofHeap {
	private HprofHeap() {}

	/** An instance of a class. */
	public static native void allocated(Class<?> type);

	/** An instance of the class with that internal name, as seen from the calling class. */
	public static native void allocatedNamed(String name);

	/** An array; type is its array class. */
	public static native void allocatedArray(int length, Class<?> type);

	/** An initialized object of any class. */
	public static native void allocated(Object object);

	/** The result of a call, unless it is the argument, which existed before. */
	public static native void allocatedUnless(Object result, Object argument);

	/**
	 * Instruments the class file of a hidden class, which the VM does not pass to agents. Returns
	 * the same array if the class stays unchanged.
	 */
	public static native byte[] rewritten(byte[] classFile);

	/** An array of arrays, of which this number of dimensions are allocated. */
	public static native void allocatedArrays(Object array, int dimensions);
}
