import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;

/*
 * Loads one class after the other through a loader of its own, has it make objects
 * of itself in interpreted code, drops it and has it unloaded, so that the next one
 * may take its place in memory.
 * usage: SitesUnloading COUNT OBJECTS
 */
public final class SitesUnloading {
	static final class OneClassLoader extends ClassLoader {
		OneClassLoader() {
			super(SitesUnloading.class.getClassLoader());
		}

		Class<?> define(String name, byte[] bytes) {
			return defineClass(name, bytes, 0, bytes.length);
		}
	}

	@SuppressWarnings("unchecked")
	static WeakReference<Class<?>> make(byte[] original, String name, int objects)
			throws Exception {
		String text = new String(original, StandardCharsets.ISO_8859_1);
		byte[] renamed = text.replace("Maker00", name).getBytes(StandardCharsets.ISO_8859_1);
		Class<?> made = new OneClassLoader().define(name, renamed);
		IntFunction<Object> maker =
			(IntFunction<Object>) made.getDeclaredConstructor().newInstance();
		maker.apply(objects - 1);
		return new WeakReference<>(made);
	}

	public static void main(String[] args) throws Exception {
		int count = Integer.parseInt(args[0]);
		byte[] original;
		try (InputStream in = SitesUnloading.class.getResourceAsStream("Maker00.class")) {
			original = in.readAllBytes();
		}
		int unloaded = 0;
		for (int i = 1; i <= count; i++) {
			WeakReference<Class<?>> made =
				make(original, String.format("Maker%02d", i), Integer.parseInt(args[1]));
			System.gc();
			unloaded += made.get() == null ? 1 : 0;
		}
		System.out.println("unloaded=" + unloaded);
	}
}
