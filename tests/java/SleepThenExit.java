/*
 * Sleeps in short naps and exits. With "clock" it says the CPU time of that.
 * usage: SleepThenExit MS [clock]
 */
public final class SleepThenExit {
	static void nap(long ms) throws InterruptedException {
		long end = System.nanoTime() + ms * 1_000_000;
		while (System.nanoTime() < end) {
			Thread.sleep(10);
		}
	}

	public static void main(String[] args) throws InterruptedException {
		System.out.println("pid=" + ProcessHandle.current().pid());
		System.out.println("ready=1");
		/* Without it, no other class is needed. */
		long start = args.length > 1 ? Truth.cpuNs() : 0;
		nap(Long.parseLong(args[0]));
		if (args.length > 1) {
			Truth.say("nap.cpu_ns", Truth.cpuNs() - start);
		}
		System.out.println("slept=1");
	}
}
