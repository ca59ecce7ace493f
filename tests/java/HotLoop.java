/*
 * A hot counted loop, which compiled code runs without a safepoint poll, beside
 * a cheap method that polls. A profiler that stops threads at safepoints blames
 * the cheap method or the caller.
 * usage: HotLoop CPU_MS, with the loop optimisations that add polls off.
 */
public final class HotLoop {
	static volatile int sink;
	static volatile boolean more;

	static int hot(int n, int x) {
		for (int i = 0; i < n; i++) {
			x = x * 31 + (i ^ (x >>> 3));
		}
		return x;
	}

	static int cheap(long n, int x) {
		for (long i = 0; i < n; i++) {
			x = x * 17 + (more ? 1 : 2);
		}
		return x;
	}

	public static void main(String[] args) {
		long endNs = Truth.cpuNs() + Long.parseLong(args[0]) * 1_000_000;
		long hotNs = 0;
		long cheapNs = 0;
		while (Truth.cpuNs() < endNs) {
			long start = Truth.cpuNs();
			sink = hot(20_000_000, sink);
			long middle = Truth.cpuNs();
			sink = cheap(2_000_000, sink);
			hotNs += middle - start;
			cheapNs += Truth.cpuNs() - middle;
		}
		Truth.say("hot.cpu_ns", hotNs);
		Truth.say("cheap.cpu_ns", cheapNs);
	}
}
