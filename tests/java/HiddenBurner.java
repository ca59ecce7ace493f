/*
 * The class that Lambdas defines as a hidden class. Its loop is in a method of
 * its own, so that the hidden class itself is on top of the stack.
 */
import java.util.function.LongConsumer;

public final class HiddenBurner implements LongConsumer {
	static volatile long sink;

	static long hiddenSpin(long x, int rounds) {
		for (int i = 0; i < rounds; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	@Override
	public void accept(long cpuNs) {
		long end = Truth.cpuNs() + cpuNs;
		long x = sink;
		while (Truth.cpuNs() < end) {
			x = hiddenSpin(x, 100_000);
		}
		sink = x;
	}
}
