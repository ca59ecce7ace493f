/*
 * The main thread burns a known CPU time, then exits with a code, after a
 * shutdown hook that takes its time.
 * usage: Burn CPU_MS [EXIT_CODE [HOOK_MS]]
 */
public final class Burn {
	static volatile long sink;

	static {
		Truth.cpuNs(); /* loads its classes before anything is measured */
	}

	static void work(long cpuNs) {
		long start = Truth.cpuNs();
		long x = sink;
		while (Truth.cpuNs() - start < cpuNs) {
			for (int i = 0; i < 100_000; i++) {
				x = x * 6364136223846793005L + (i ^ (x >>> 7));
			}
		}
		sink = x;
		Truth.say("work.cpu_ns", Truth.cpuNs() - start);
	}

	public static void main(String[] args) {
		if (args.length > 2) {
			long hookNs = Long.parseLong(args[2]) * 1_000_000;
			Runtime.getRuntime().addShutdownHook(new Thread(() -> work(hookNs), "hook"));
		}
		Truth.say("pid", ProcessHandle.current().pid());
		Truth.say("ready", 1);
		work(Long.parseLong(args[0]) * 1_000_000);
		if (args.length > 1) {
			System.exit(Integer.parseInt(args[1]));
		}
	}
}
