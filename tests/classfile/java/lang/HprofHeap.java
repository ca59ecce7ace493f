package java.lang;

/**
 * Takes what classes tell that were rewritten to tell of their allocations, and fails
 * where that can't be true. In java.base, as the agent's own class of that name.
 *
 * <p>A mark stands for the object's class, so that one that reaches another object is found.
 */
public final class HprofHeap {
	/** Any class: a name is not resolved. Identity hashes have 31 bits. */
	private static final int NAMED = -1;

	private HprofHeap() {
	}

	public static int allocated(Class<?> ofClass) {
		if (ofClass == null || ofClass.isArray() || ofClass.isInterface())
			throw new InternalError("no class of an object");
		return System.identityHashCode(ofClass);
	}

	public static int allocatedNamed(String ofClass) {
		if (ofClass == null)
			throw new InternalError("no class of an object");
		return NAMED;
	}

	public static int allocated(Object object) {
		if (object == null)
			throw new InternalError("nothing was made");
		return System.identityHashCode(object.getClass());
	}

	public static int allocatedArray(int length, Class<?> ofClass) {
		if (length < 0 || ofClass == null || !ofClass.isArray())
			throw new InternalError("no class of an array");
		return System.identityHashCode(ofClass);
	}

	public static void allocatedArrays(Object array, int dimensions) {
		if (!array.getClass().isArray() || dimensions < 1)
			throw new InternalError("no arrays");
	}

	public static byte[] rewritten(byte[] classFile) {
		return classFile;
	}

	public static int allocatedUnless(Object object, Object given) {
		return allocated(object);
	}

	public static void mark(Object object, int mark) {
		if (object == null)
			throw new InternalError("nothing is marked");
		if (mark != NAMED && mark != System.identityHashCode(object.getClass()))
			throw new InternalError("the mark of another object");
	}
}
