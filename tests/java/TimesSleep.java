/*
 * Sleeps and computes for known times, in methods of their own. Says of both how much CPU time they
 * used and how long they were off the CPU: at least, by clocks that they read themselves, and at
 * most, by clocks around their calls.
 * usage: TimesSleep SLEEP_MS CPU_MS [pace]
 * pace: says that of a thread that wakes up each ms, too.
 */
public final class TimesSleep {
	static volatile long sink;

	/* At least. */
	static long restOffNs;
	static long computeOffNs;
	static long computeCpuNs;
	/* The longest CPU time between two looks. */
	static long computeStepNs;

	static void rest(long ms) throws InterruptedException {
		long cpuNs = Truth.cpuNs();
		long start = System.nanoTime();
		Thread.sleep(ms);
		restOffNs = System.nanoTime() - start;
		restOffNs -= Truth.cpuNs() - cpuNs;
	}

	static void compute(long ns) {
		long cpuNs = Truth.cpuNs();
		long start = System.nanoTime();
		long x = sink;
		long seenNs = cpuNs;
		while (seenNs - cpuNs < ns) {
			for (int i = 0; i < 50_000; i++) {
				x = x * 6364136223846793005L + (i ^ (x >>> 7));
			}
			long nextNs = Truth.cpuNs();
			computeStepNs = Math.max(computeStepNs, nextNs - seenNs);
			seenNs = nextNs;
		}
		sink = x;
		computeOffNs = System.nanoTime() - start;
		computeCpuNs = Truth.cpuNs() - cpuNs;
		computeOffNs -= computeCpuNs;
	}

	public static void main(String[] args) throws InterruptedException {
		Truth.cpuNs();
		Truth.Pace pace = args.length > 2 ? new Truth.Pace(1) : null;
		long start = System.nanoTime();
		long cpuNs = Truth.cpuNs();
		rest(Long.parseLong(args[0]));
		cpuNs = Truth.cpuNs() - cpuNs;
		Truth.say("rest.most_off_ns", System.nanoTime() - start - cpuNs);
		Truth.say("rest.cpu_ns", cpuNs);
		start = System.nanoTime();
		cpuNs = Truth.cpuNs();
		compute(Long.parseLong(args[1]) * 1_000_000);
		cpuNs = Truth.cpuNs() - cpuNs;
		Truth.say("compute.most_off_ns", System.nanoTime() - start - cpuNs);
		Truth.say("compute.cpu_ns", cpuNs);
		Truth.say("compute.least_cpu_ns", computeCpuNs);
		Truth.say("compute.least_off_ns", computeOffNs);
		Truth.say("compute.step_ns", computeStepNs);
		Truth.say("rest.least_off_ns", restOffNs);
		if (pace != null) {
			pace.say();
		}
	}
}
