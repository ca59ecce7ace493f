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
		long endNs = Truth.cpuNs() + cpuNs;
		long callsNs = 0;
		long rounds = 0;
		for (long now = 0; now < endNs; rounds++) {
			long start = Truth.cpuNs();
			sink += fibonacci(20);
			now = Truth.cpuNs();
			callsNs += now - start;
		}
		Truth.say("fibonacci.cpu_ns", callsNs);
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
		long cpuNs; /* of that, and more */

		Comer(Door door) {
			this.door = door;
		}

		void enter() {
			door.pass();
		}

		@Override
		public void run() {
			for (int i = 0; i < 1; i++) {
				long cpu = Truth.cpuNs();
				long begin = System.nanoTime();
				enter();
				waitedNs = System.nanoTime() - begin;
				cpuNs = Truth.cpuNs() - cpu;
			}
		}
	}

	public static void main(String[] args) throws InterruptedException {
		Truth.cpuNs();
		Truth.say("rounds", recurse(Long.parseLong(args[0]) * 1_000_000));
		Door door = new Door();
		Comer comer = new Comer(door);
		long heldNs = door.hold(Long.parseLong(args[1]), comer);
		comer.join();
		Truth.say("enter.least_ns", heldNs - comer.cpuNs);
		Truth.say("enter.most_ns", comer.waitedNs);
	}
}
