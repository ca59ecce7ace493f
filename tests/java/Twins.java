/*
 * Two threads burn known CPU times in the same method.
 * usage: Twins APPLES_CPU_MS ORANGES_CPU_MS
 */
public final class Twins {
	static volatile long sink;

	static void burn(long cpuNs) {
		long x = sink;
		while (Truth.cpuNs() < cpuNs) {
			/* burn begins */
			for (int i = 0; i < 300_000; i++) {
				x = x * 6364136223846793005L + (i ^ (x >>> 7));
			}
			/* burn ends */
		}
		sink = x;
	}

	static Thread start(String name, String cpuMs) {
		Thread thread = new Thread(() -> {
			burn(Long.parseLong(cpuMs) * 1_000_000);
			Truth.say(name.concat(".cpu_ns"), Truth.cpuNs());
		}, name);
		thread.start();
		return thread;
	}

	public static void main(String[] args) throws InterruptedException {
		Truth.cpuNs(); /* loads its classes before anything is measured */
		Thread apples = start("apples", args[0]);
		Thread oranges = start("oranges", args[1]);
		apples.join();
		oranges.join();
	}
}
