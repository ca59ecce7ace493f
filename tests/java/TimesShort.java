/*
 * Short methods, with msa=y: one that calls itself, one that waits for a monitor in
 * another's synchronized method, one that sleeps in a native one.
 * usage: TimesShort CPU_MS HELD_MS
 */
public final class TimesShort {
	static volatile long sink;

	static int fibonacci(int n) {
		return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
	}

	static long recurse(long cpuNs) {
		long begin = Truth.cpuNs();
		long rounds = 0;
		while (Truth.cpuNs() < begin + cpuNs) {
			sink += fibonacci(20);
			rounds++;
		}
		Truth.say("recurse.cpu_ns", Truth.cpuNs() - begin);
		return rounds;
	}

	static final class Door {
		synchronized void pass() {
			sink++;
		}

		/** For so long after the other waits for it, which is what this returns. */
		long hold(long ms, Thread other) throws InterruptedException {
			synchronized (this) {
				other.start();
				while (!Truth.wantsMonitor(other)) {
					Thread.sleep(1);
				}
				long begin = System.nanoTime();
				Thread.sleep(ms);
				return System.nanoTime() - begin;
			}
		}
	}

	static final class Comer extends Thread {
		final Door door;
		long waitedNs;

		Comer(Door door) {
			this.door = door;
		}

		void enter() {
			door.pass();
		}

		@Override
		public void run() {
			for (int i = 0; i < 1; i++) {
				long begin = System.nanoTime();
				enter();
				waitedNs = System.nanoTime() - begin;
			}
		}
	}

	public static void main(String[] args) throws InterruptedException {
		Truth.cpuNs();
		Truth.say("rounds", recurse(Long.parseLong(args[0]) * 1_000_000));
		Door door = new Door();
		Comer comer = new Comer(door);
		Truth.say("enter.least_ns", door.hold(Long.parseLong(args[1]), comer));
		comer.join();
		Truth.say("enter.most_ns", comer.waitedNs);
	}
}
