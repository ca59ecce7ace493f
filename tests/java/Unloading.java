/*
 * Loads one class after the other through a loader of its own, lets it burn CPU,
 * drops it and has it unloaded at once.
 * usage: Unloading COUNT CPU_MS_EACH
 */
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

public final class Unloading {
	static final class OneClassLoader extends ClassLoader {
		OneClassLoader() {
			super(Unloading.class.getClassLoader());
		}

		Class<?> define(String name, byte[] bytes) {
			return defineClass(name, bytes, 0, bytes.length);
		}
	}

	/** The bytes of Burner00 with another pair of digits. */
	static byte[] renamed(byte[] original, String name) {
		String text = new String(original, StandardCharsets.ISO_8859_1);
		return text.replace("Burner00", name).getBytes(StandardCharsets.ISO_8859_1);
	}

	static WeakReference<Class<?>> burn(byte[] original, String name, long cpuNs) throws Exception {
		Class<?> made = new OneClassLoader().define(name, renamed(original, name));
		LongUnaryOperator burner =
			(LongUnaryOperator) made.getDeclaredConstructor().newInstance();
		Truth.say(name.concat(".cpu_ns"), burner.applyAsLong(cpuNs));
		return new WeakReference<>(made);
	}

	static long unloaded(List<WeakReference<Class<?>>> classes) {
		return classes.stream().filter(ref -> ref.get() == null).count();
	}

	public static void main(String[] args) throws Exception {
		Truth.cpuNs(); /* loads its classes before anything is measured */
		int count = Integer.parseInt(args[0]);
		long cpuNs = Long.parseLong(args[1]) * 1_000_000;
		byte[] original;
		try (InputStream in = Unloading.class.getResourceAsStream("Burner00.class")) {
			original = in.readAllBytes();
		}
		List<WeakReference<Class<?>>> classes = new ArrayList<>();
		for (int i = 1; i <= count; i++) {
			classes.add(burn(original, String.format("Burner%02d", i), cpuNs));
			System.gc();
		}
		for (int i = 0; i < 10 && unloaded(classes) < count; i++) {
			System.gc();
			Thread.sleep(50);
		}
		Truth.say("unloaded", unloaded(classes));
	}
}
