/*
 * Threads whose lives go to a known end, and what each knows of its own life.
 * usage: Lives locks|sleep|busy|crowd|mixed MS [THREADS [stays|leaves]]
 * crowd: busy, once all of them live.
 * stays: says ready=1 at the end, and ends when a line comes from stdin.
 * leaves: main computes for 200 ms and ends before the others do.
 */
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

public final class Lives {
	static volatile long sink;
	static final Object MONITOR = new Object();
	static volatile boolean held;
	static volatile Thread waiter;
	static final Map<String, Long> KNOWN = new ConcurrentHashMap<>();

	/** Said when all have ended: threads that speak wait for each other's monitors. */
	static void know(String key, long value) {
		KNOWN.put(key, value);
	}

	static void await(CountDownLatch others) {
		others.countDown();
		try {
			others.await();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void burn(long endNs) {
		long x = sink;
		while (System.nanoTime() < endNs) {
			for (int i = 0; i < 10_000; i++) {
				x = x * 6364136223846793005L + (i ^ (x >>> 7));
			}
		}
		sink = x;
	}

	static void sleep(long ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	/** Holds the monitor, asleep, for so long after the other has begun to wait for it. */
	static void hold(long ms, int times) {
		long sleptNs = 0;
		long waitedNs = 0; /* by the other, surely */
		for (int i = 0; i < times; i++) {
			synchronized (MONITOR) {
				held = true;
				while (waiter == null || waiter.getState() != Thread.State.BLOCKED
						|| !Truth.isAsleep("waiter")) {
					sleep(1);
				}
				long start = System.nanoTime();
				sleep(ms);
				waitedNs += System.nanoTime() - start;
				sleptNs += ms * 1_000_000;
			}
			while (held) {
				sleep(1);
			}
		}
		know("waiter.least_ns", waitedNs);
		know("holder.slept_ns", sleptNs);
	}

	/** Waits for the monitor several times, and sleeps between. */
	static void waitForMonitor(long ms, int times) {
		long waitedNs = 0;
		waiter = Thread.currentThread();
		for (int i = 0; i < times; i++) {
			while (!held) {
				sleep(1);
			}
			long start = System.nanoTime();
			synchronized (MONITOR) {
				waitedNs += System.nanoTime() - start;
			}
			sleep(ms);
			held = false;
		}
		know("waiter.most_ns", waitedNs);
		know("waiter.slept_ns", times * ms * 1_000_000);
	}

	static Thread start(String name, Runnable life) {
		Thread thread = new Thread(() -> {
			long start = System.nanoTime();
			life.run();
			know(name.concat(".blocked"), Truth.blockedCount());
			know(name.concat(".queued_ns"), Truth.queuedNs());
			know(name.concat(".wall_ns"), System.nanoTime() - start);
			know(name.concat(".cpu_ns"), Truth.cpuNs());
		}, name);
		know(name.concat(".begun_ns"), System.nanoTime());
		thread.start();
		return thread;
	}

	static Thread[] lives(String kind, long ms, int threads) {
		switch (kind) {
		case "locks":
			return new Thread[] { start("holder", () -> hold(ms, 5)),
				start("waiter", () -> waitForMonitor(ms / 4, 5)) };
		case "sleep":
			return new Thread[] { start("sleeper", () -> sleep(ms)) };
		case "busy":
		case "crowd":
			CountDownLatch others = new CountDownLatch(kind.equals("crowd") ? threads : 0);
			Thread[] busy = new Thread[threads];
			for (int i = 0; i < threads; i++) {
				busy[i] = start("busy-" + i, () -> {
					await(others);
					burn(System.nanoTime() + ms * 1_000_000);
				});
			}
			return busy;
		case "mixed":
			return new Thread[] { start("mixed", () -> {
				for (int i = 0; i < 10; i++) {
					burn(System.nanoTime() + ms * 100_000);
					sleep(ms / 10);
				}
			}) };
		default:
			throw new IllegalArgumentException(kind);
		}
	}

	public static void main(String[] args) throws InterruptedException {
		start("first", () -> { }).join(); /* loads what the others need at their ends */
		int threads = args.length > 2 ? Integer.parseInt(args[2]) : 1;
		Thread[] lives = lives(args[0], Long.parseLong(args[1]), threads);
		Truth.say("begun", 1);
		if (args.length > 3 && args[3].equals("leaves")) {
			burn(System.nanoTime() + 200_000_000);
			Truth.say("main.cpu_ns", Truth.cpuNs());
			return;
		}
		for (Thread life : lives) {
			life.join();
			know(life.getName().concat(".ended_ns"), System.nanoTime());
		}
		KNOWN.forEach(Truth::say);
		if (args.length > 3) {
			Truth.say("pid", ProcessHandle.current().pid());
			Truth.say("ready", 1);
			Truth.waitForLine();
		}
	}
}
