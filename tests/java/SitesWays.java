import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Makes objects in all the ways there are, a class for each way, and says how many.
 *
 * <p>Arguments: objects of each kind; then "wait" to stay until killed.
 */
public class SitesWays {
	static class ByNew {
		int value;
	}

	static class ByReflection {
		long value;

		ByReflection() {}
	}

	static class ByClone implements Cloneable {
		Object value;

		ByClone copy() throws CloneNotSupportedException {
			return (ByClone) clone();
		}
	}

	static class BySerial implements Serializable {
		private static final long serialVersionUID = 1;
		int value = 7;
	}

	static class ByHandle {
		short value;

		ByHandle() {}
	}

	static class ByUnsafe {
		double value;
	}

	static class Element {}

	static class ByException extends RuntimeException {
		private static final long serialVersionUID = 1;
	}

	static Object[] sink;
	static int at;

	static void keep(Object object) {
		sink[at++] = object;
	}

	static void byNew(int count) {
		for (int i = 0; i < count; i++) {
			keep(new ByNew());
		}
	}

	static void byReflection(int count) throws Exception {
		Constructor<ByReflection> constructor = ByReflection.class.getDeclaredConstructor();
		for (int i = 0; i < count; i++) {
			keep(constructor.newInstance());
		}
	}

	static void byClone(int count) throws Exception {
		ByClone original = new ByClone();
		keep(original);
		for (int i = 1; i < count; i++) {
			keep(original.copy());
		}
	}

	static void bySerial(int count) throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
			out.writeObject(new BySerial());
		}
		for (int i = 1; i < count; i++) {
			try (ObjectInputStream in =
					new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
				keep(in.readObject());
			}
		}
	}

	static void byHandle(int count) throws Throwable {
		MethodHandle handle =
				MethodHandles.lookup()
						.findConstructor(ByHandle.class, MethodType.methodType(void.class));
		for (int i = 0; i < count; i++) {
			keep((Object) handle.invoke());
		}
	}

	static void byUnsafe(int count) throws Exception {
		Class<?> type = Class.forName("sun.misc.Unsafe");
		var field = type.getDeclaredField("theUnsafe");
		field.setAccessible(true);
		Object unsafe = field.get(null);
		var allocate = type.getMethod("allocateInstance", Class.class);
		for (int i = 0; i < count; i++) {
			keep(allocate.invoke(unsafe, ByUnsafe.class));
		}
	}

	static void byLambda(int count) {
		for (int i = 0; i < count; i++) {
			int value = i;
			Supplier<Integer> lambda = () -> value;
			keep(lambda);
		}
	}

	static void byException(int count) {
		for (int i = 0; i < count; i++) {
			try {
				throw new ByException();
			} catch (ByException exception) {
				keep(exception);
			}
		}
	}

	/* Element[] in five ways. */
	static void arrays(int count) {
		Element[] original = new Element[3];
		keep(original);
		for (int i = 1; i < count; i++) {
			switch (i % 4) {
				case 0:
					keep(new Element[i % 10]);
					break;
				case 1:
					keep(Array.newInstance(Element.class, i % 10));
					break;
				case 2:
					keep(original.clone());
					break;
				default:
					keep(Arrays.copyOf(original, i % 10));
					break;
			}
		}
	}

	public static void main(String[] arguments) throws Throwable {
		int count = Integer.parseInt(arguments[0]);
		sink = new Object[count * 9];
		byNew(count);
		byReflection(count);
		byClone(count);
		bySerial(count);
		byHandle(count);
		byUnsafe(count);
		byLambda(count);
		byException(count);
		arrays(count);
		System.out.println("ready=1");
		System.out.flush();
		if (arguments.length > 1) {
			Thread.sleep(600_000);
		}
	}
}
