/*
 * CPU time of methods that call one another, 20, 30 and 50% of it in their own code.
 * The slices are so long that a timer of a millisecond sees them.
 * usage: TimesShares CPU_MS
 */
public final class TimesShares {
	static volatile long sink;
	static long outerNs;
	static long middleNs;
	static long innerNs;

	static void inner(long ns) {
		long start = Truth.cpuNs();
		long x = sink;
		while (Truth.cpuNs() - start < ns) {
			for (int i = 0; i < 200_000; i++) {
				x = x * 6364136223846793005L + (i ^ (x >>> 7));
			}
		}
		sink = x;
		innerNs += Truth.cpuNs() - start;
	}

	static void middle(long ns) {
		long start = Truth.cpuNs();
		long x = sink;
		while (Truth.cpuNs() - start < ns * 3 / 10) {
			for (int i = 0; i < 200_000; i++) {
				x = x * 6364136223846793005L + (i ^ (x >>> 7));
			}
		}
		sink = x;
		middleNs += Truth.cpuNs() - start;
		inner(ns * 5 / 10);
	}

	static void outer(long ns) {
		long start = Truth.cpuNs();
		long x = sink;
		while (Truth.cpuNs() - start < ns * 2 / 10) {
			for (int i = 0; i < 200_000; i++) {
				x = x * 6364136223846793005L + (i ^ (x >>> 7));
			}
		}
		sink = x;
		outerNs += Truth.cpuNs() - start;
		middle(ns);
	}

	public static void main(String[] args) {
		Truth.cpuNs();
		int rounds = Integer.parseInt(args[0]) / 20;
		long start = Truth.cpuNs();
		for (int i = 0; i < rounds; i++) {
			outer(20_000_000);
		}
		Truth.say("total.cpu_ns", Truth.cpuNs() - start);
		Truth.say("outer.cpu_ns", outerNs);
		Truth.say("middle.cpu_ns", middleNs);
		Truth.say("inner.cpu_ns", innerNs);
	}
}
