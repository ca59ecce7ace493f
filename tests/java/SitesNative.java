import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes objects by JNI, each kind in a native method of its own, and objects of several shapes in
 * Java; says what JVM TI calls the size of each.
 *
 * <p>Arguments: the native library; objects of each kind, a multiple of 8.
 */
public class SitesNative {
	static class ByAllocObject {
		int value;
	}

	static class ByNewObject {
		final long value;

		ByNewObject(int value) {
			this.value = value;
		}
	}

	static class ByThrowNew extends RuntimeException {
		private static final long serialVersionUID = 1;

		ByThrowNew(String message) {
			super(message);
		}
	}

	static class Element {}

	static class Empty {}

	static class OneByte {
		byte value;
	}

	static class Mixed {
		byte small;
		long large;
		Object object;
		double real;
		char letter;
	}

	static class Below extends Mixed {
		int more;
		Object other;
	}

	static native void byAllocObject(Object[] kept, int count);

	static native void byNewObject(Object[] kept, int count);

	static native void byThrowNew(Object[] kept, int count);

	static native void byNewString(Object[] kept, int count);

	static native void byNewObjectArray(Object[] kept, int count);

	static native void byNewArrays(Object[] kept, int count);

	static native long size(Object object);

	static Object[] shapes() {
		return new Object[] {
			new Empty(),
			new OneByte(),
			new Mixed(),
			new Below(),
			new boolean[13],
			new byte[13],
			new char[13],
			new short[13],
			new int[13],
			new long[13],
			new float[13],
			new double[13],
			new Element[13],
			new Mixed[0],
			new int[3][0][],
		};
	}

	static void byNative(Object[][] kept, int count) {
		byAllocObject(kept[0], count);
		byNewObject(kept[1], count);
		byThrowNew(kept[2], count);
		byNewString(kept[3], count);
		byNewObjectArray(kept[4], count);
		byNewArrays(kept[5], count);
	}

	static Object[][] byJava(int count) {
		Object[][] shapes = new Object[count][];
		for (int i = 0; i < count; i++) {
			shapes[i] = shapes();
		}
		return shapes;
	}

	/* The first call of a method may make strings: it links the method, and loads classes. */
	static Object first() {
		byNative(new Object[6][8], 8);
		return byJava(1);
	}

	static Object[][] kept;
	static Object[][] shapes;

	static void counted(int count) {
		byNative(kept, count);
		shapes = byJava(count);
	}

	public static void main(String[] arguments) {
		System.load(arguments[0]);
		int count = Integer.parseInt(arguments[1]);
		first();
		kept = new Object[6][count];
		counted(count);
		Map<String, Long> sizes = new LinkedHashMap<>();
		for (Object shape : shapes[0]) {
			sizes.put(shape.getClass().getTypeName(), size(shape));
		}
		sizes.forEach((name, size) -> System.out.println("size " + name + " " + size));
		System.out.println("kept " + (kept.length + shapes.length));
	}
}
