/*
 * One thread that spends 60, 30 and 10% of its CPU time in three methods.
 * usage: Methods CPU_MS
 */
public final class Methods {
	static volatile long sink;

	static long loop(long x) {
		for (int i = 0; i < 100_000; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	static void most(long endNs) {
		long x = sink;
		while (Truth.cpuNs() < endNs) {
			x = loop(x);
		}
		sink = x;
	}

	static void some(long endNs) {
		long x = sink;
		while (Truth.cpuNs() < endNs) {
			x = loop(x);
		}
		sink = x;
	}

	static void little(long endNs) {
		long x = sink;
		while (Truth.cpuNs() < endNs) {
			x = loop(x);
		}
		sink = x;
	}

	public static void main(String[] args) throws InterruptedException {
		Truth.cpuNs(); /* loads its classes before anything is measured */
		long cpuNs = Long.parseLong(args[0]) * 1_000_000;
		Thread thread = new Thread(() -> {
			long[] at = new long[4];
			at[0] = Truth.cpuNs();
			most(cpuNs * 60 / 100);
			at[1] = Truth.cpuNs();
			some(cpuNs * 90 / 100);
			at[2] = Truth.cpuNs();
			little(cpuNs);
			at[3] = Truth.cpuNs();
			Truth.say("most.cpu_ns", at[1] - at[0]);
			Truth.say("some.cpu_ns", at[2] - at[1]);
			Truth.say("little.cpu_ns", at[3] - at[2]);
			Truth.say("worker.cpu_ns", Truth.cpuNs());
		}, "worker");
		thread.start();
		thread.join();
	}
}
