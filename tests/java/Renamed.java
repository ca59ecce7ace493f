/**
 * Threads that use CPU time under more than one name: one that ends, one that another thread names
 * and that is alive at the end, and one that keeps its name.
 *
 * <p>Argument: "wait" to wait for a line before the last names.
 */
public final class Renamed {
	static final long PART_NS = 60_000_000;

	static volatile long sink;

	static void spin(long ns) {
		long end = Truth.cpuNs() + ns;
		while (Truth.cpuNs() < end) {
			for (int i = 0; i < 10_000; i++) {
				sink = sink * 31 + i;
			}
		}
	}

	static Thread start(String name, Runnable body) {
		Thread thread = new Thread(body, name);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	static void spinAndSleep() {
		spin(2 * PART_NS);
		try {
			Thread.sleep(1_000_000);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void spinAndEnd() {
		Thread.currentThread().setName("middle ended");
		spin(PART_NS);
		Thread.currentThread().setName("last ended");
		spin(PART_NS);
	}

	public static void main(String[] arguments) throws InterruptedException {
		Thread alive = start("first alive", Renamed::spinAndSleep);
		Thread never = start("never", Renamed::spinAndSleep);
		start("first ended", Renamed::spinAndEnd).join();
		alive.setName("middle alive");
		Truth.say("ready", 1);
		if (arguments.length > 0) {
			Truth.waitForLine();
		}
		while (alive.getState() != Thread.State.TIMED_WAITING
				|| never.getState() != Thread.State.TIMED_WAITING) {
			Thread.sleep(1);
		}
		alive.setName("last alive");
	}
}
