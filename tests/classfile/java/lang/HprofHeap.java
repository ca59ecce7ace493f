package java.lang;

/**
 * Takes what classes tell that were rewritten to tell of their allocations, and fails
 * where that can't be true. In java.base, as the agent's own class of that name.
 */
public final class HprofHeap {
	private HprofHeap() {
	}

	public static void allocated(Class<?> ofClass) {
		if (ofClass == null || ofClass.isArray() || ofClass.isInterface())
			throw new InternalError("no class of an object");
	}

	public static void allocatedNamed(String ofClass) {
		if (ofClass == null)
			throw new InternalError("no class of an object");
	}

	public static void allocated(Object object) {
		if (object == null)
			throw new InternalError("nothing was made");
	}

	public static void allocatedArray(int length, Class<?> ofClass) {
		if (length < 0 || ofClass == null || !ofClass.isArray())
			throw new InternalError("no class of an array");
	}

	public static void allocatedArrays(Object array, int dimensions) {
		if (!array.getClass().isArray() || dimensions < 1)
			throw new InternalError("no arrays");
	}

	public static byte[] rewritten(byte[] classFile) {
		return classFile;
	}

	public static void allocatedUnless(Object object, Object given) {
		if (object == null)
			throw new InternalError("nothing was made");
	}
}
