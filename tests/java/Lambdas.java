/*
 * CPU time in a lambda, behind a method reference and in a hidden class.
 * usage: Lambdas CPU_MS_EACH
 */
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.function.LongConsumer;

public final class Lambdas {
	static volatile long sink;

	static long spin(long x, int rounds) {
		for (int i = 0; i < rounds; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	static void byReference(long cpuNs) {
		long end = Truth.cpuNs() + cpuNs;
		long x = sink;
		while (Truth.cpuNs() < end) {
			x = spin(x, 100_000);
		}
		sink = x;
	}

	/** Lookup.defineHiddenClass(bytes, true), which Java 11 doesn't have; null there. */
	static LongConsumer hidden() throws Exception {
		Class<?> option;
		try {
			option = Class.forName("java.lang.invoke.MethodHandles$Lookup$ClassOption");
		} catch (ClassNotFoundException e) {
			return null;
		}
		byte[] bytes;
		try (InputStream in = Lambdas.class.getResourceAsStream("HiddenBurner.class")) {
			bytes = in.readAllBytes();
		}
		Object noOptions = Array.newInstance(option, 0);
		Method define = MethodHandles.Lookup.class.getMethod(
			"defineHiddenClass", byte[].class, boolean.class, noOptions.getClass());
		MethodHandles.Lookup lookup = (MethodHandles.Lookup) define.invoke(
			MethodHandles.lookup(), bytes, true, noOptions);
		return (LongConsumer) lookup.lookupClass().getDeclaredConstructor().newInstance();
	}

	static void measure(String name, LongConsumer body, long cpuNs) {
		long start = Truth.cpuNs();
		body.accept(cpuNs);
		Truth.say(name.concat(".cpu_ns"), Truth.cpuNs() - start);
	}

	public static void main(String[] args) throws Exception {
		long cpuNs = Long.parseLong(args[0]) * 1_000_000;
		LongConsumer lambda = ns -> {
			long end = Truth.cpuNs() + ns;
			long x = sink;
			while (Truth.cpuNs() < end) {
				x = spin(x, 100_000);
			}
			sink = x;
		};
		measure("lambda", lambda, cpuNs);
		measure("reference", Lambdas::byReference, cpuNs);
		LongConsumer hidden = hidden();
		if (hidden != null) {
			Truth.say("hidden.name", hidden.getClass().getName());
			measure("hidden", hidden, cpuNs);
		}
		Truth.say("lambda.name", lambda.getClass().getName());
	}
}
