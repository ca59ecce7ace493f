/*
 * Sleeps and computes for known times, in methods of their own.
 * usage: TimesSleep SLEEP_MS CPU_MS
 */
public final class TimesSleep {
	static volatile long sink;

	static long restNs; /* as the two methods see them from inside */
	static long offNs;

	static void rest(long ms) throws InterruptedException {
		long start = System.nanoTime();
		Thread.sleep(ms);
		restNs = System.nanoTime() - start;
	}

	static void compute(long cpuNs) {
		long startNs = System.nanoTime();
		long start = Truth.cpuNs();
		long x = sink;
		while (Truth.cpuNs() - start < cpuNs) {
			for (int i = 0; i < 50_000; i++) {
				x = x * 6364136223846793005L + (i ^ (x >>> 7));
			}
		}
		sink = x;
		offNs = -(Truth.cpuNs() - start);
		offNs += System.nanoTime() - startNs;
	}

	public static void main(String[] args) throws InterruptedException {
		Truth.cpuNs();
		long start = System.nanoTime();
		rest(Long.parseLong(args[0]));
		long between = System.nanoTime();
		Truth.say("rest.wall_ns", between - start);
		long cpuNs = Truth.cpuNs();
		between = System.nanoTime();
		compute(Long.parseLong(args[1]) * 1_000_000);
		long wallNs = System.nanoTime() - between;
		cpuNs = Truth.cpuNs() - cpuNs;
		Truth.say("compute.cpu_ns", cpuNs);
		Truth.say("compute.most_off_ns", wallNs - cpuNs);
		Truth.say("compute.least_off_ns", offNs);
		Truth.say("rest.least_ns", restNs);
	}
}
