/*
 * The class that Unloading loads under other names, by patching the digits in
 * its bytes. Burns the CPU time it is given and returns what it used.
 */
import java.util.function.LongUnaryOperator;

public final class Burner00 implements LongUnaryOperator {
	static volatile long sink;

	static long spin(long x, int rounds) {
		for (int i = 0; i < rounds; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	@Override
	public long applyAsLong(long cpuNs) {
		long start = Truth.cpuNs();
		long x = sink;
		while (Truth.cpuNs() - start < cpuNs) {
			x = spin(x, 100_000);
		}
		sink = x;
		return Truth.cpuNs() - start;
	}
}
