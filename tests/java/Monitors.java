/*
 * Threads that wait for monitors for as long as they know themselves. Those of deadlock and
 * wait stay as they are from ready=1 until a line comes from stdin.
 * usage: Monitors contend MS | deadlock | wait MS | storm THREADS MS
 */
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

public final class Monitors {
	static class Slow {
	}

	static class Medium {
	}

	static class Quick {
	}

	static final class Fork {
	}

	static final class Knife {
	}

	static final class Bell {
		int listeners; /* guarded by the bell's monitor */
	}

	static void sleep(long ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static Thread start(String name, Runnable run) {
		Thread thread = new Thread(run, name);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	/** Until each of them wants a monitor that it doesn't get. */
	static void blocked(Thread... threads) {
		for (Thread thread : threads) {
			while (!Truth.wantsMonitor(thread)) {
				sleep(1);
			}
		}
	}

	/** The caller sleeps from before ready=1 is printed until a line comes from stdin. */
	static void sleepUntilDumped() {
		Thread sleeper = Thread.currentThread();
		start("alarm", () -> {
			while (sleeper.getState() != Thread.State.TIMED_WAITING) {
				sleep(1);
			}
			Truth.say("pid", ProcessHandle.current().pid());
			Truth.say("ready", 1);
			Truth.waitForLine();
			sleeper.interrupt();
		});
		try {
			Thread.sleep(1_000_000);
		} catch (InterruptedException e) {
			return;
		}
	}

	static void join(Iterable<Thread> threads) throws InterruptedException {
		for (Thread thread : threads) {
			thread.join();
		}
	}

	/** One thread holds the monitor, asleep; others want it meanwhile. */
	static final class Duel {
		final String name;
		final Object monitor;
		final long holdMs;
		final int rounds;
		volatile int held; /* the round in which the monitor is held */
		volatile int entered; /* by those who waited, in all rounds */
		long leastNs; /* that the others have waited surely, and at most: all together */
		long mostNs;

		Duel(String name, Object monitor, long holdMs, int rounds) {
			this.name = name;
			this.monitor = monitor;
			this.holdMs = holdMs;
			this.rounds = rounds;
		}

		/** Holds it for that long after all the others have begun to wait. */
		void hold(List<Thread> waiters) {
			for (int round = 1; round <= rounds; round++) {
				synchronized (monitor) {
					held = round;
					long sinceNs = 0;
					for (Thread waiter : waiters) {
						while (waiter.getState() != Thread.State.BLOCKED
								|| !Truth.isAsleep(waiter.getName())) {
							sleep(1);
						}
						sinceNs += System.nanoTime();
					}
					sleep(holdMs);
					leastNs += waiters.size() * System.nanoTime() - sinceNs;
				}
				while (entered < round * waiters.size()) {
					sleep(1);
				}
				Truth.say(name + ".over", round);
			}
		}

		void enter() {
			long start = System.nanoTime();
			synchronized (monitor) {
				mostNs += System.nanoTime() - start;
				entered++;
			}
		}

		void enterDeeply(int depth) {
			if (depth == 0) {
				enter();
			} else {
				enterDeeply(depth - 1);
			}
		}

		void wantIt() {
			for (int round = 1; round <= rounds; round++) {
				while (held < round) {
					sleep(1);
				}
				enterDeeply(100);
			}
		}

		List<Thread> start(int waiters) {
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < waiters; i++) {
				threads.add(Monitors.start(name + "-" + i, this::wantIt));
			}
			List<Thread> all = new ArrayList<>(threads);
			all.add(Monitors.start(name + "-holder", () -> hold(threads)));
			return all;
		}

		void say(int waiters) {
			Truth.say(name + ".count", (long) rounds * waiters);
			Truth.say(name + ".least_ns", leastNs);
			Truth.say(name + ".most_ns", mostNs);
		}
	}

	static void contend(long ms) throws InterruptedException {
		Duel[] duels = { new Duel("Slow", new Slow(), 6 * ms, 3),
			new Duel("Medium", new Medium(), 3 * ms, 4),
			new Duel("Quick", new Quick(), ms, 5) };
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < duels.length; i++) {
			threads.addAll(duels[i].start(i + 1));
		}
		Truth.say("ready", 1);
		join(threads);
		for (int i = 0; i < duels.length; i++) {
			duels[i].say(i + 1);
		}
	}

	/** Two threads that wait for each other, one that waits for one of them. */
	static void deadlock() throws InterruptedException {
		Fork fork = new Fork();
		Knife knife = new Knife();
		CountDownLatch both = new CountDownLatch(2);
		Thread left = start("left", () -> {
			synchronized (fork) {
				synchronized (fork) {
					meet(both);
					synchronized (knife) {
						throw new IllegalStateException();
					}
				}
			}
		});
		Thread right = start("right", () -> {
			synchronized (knife) {
				meet(both);
				synchronized (fork) {
					throw new IllegalStateException();
				}
			}
		});
		both.await();
		Thread third = start("third", () -> {
			synchronized (knife) {
				throw new IllegalStateException();
			}
		});
		blocked(left, right, third);
		sleepUntilDumped();
	}

	static void meet(CountDownLatch latch) {
		latch.countDown();
		try {
			latch.await();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	/** Waits, and says for how long by a clock read before the wait and after it. */
	static void listen(Bell bell, String name, long timeoutMs) {
		synchronized (bell) {
			bell.listeners++;
			long start = System.nanoTime();
			try {
				bell.wait(timeoutMs);
			} catch (InterruptedException e) {
				Truth.say(name + ".interrupted", 1);
			}
			Truth.say(name + ".most_ns", System.nanoTime() - start);
		}
	}

	/** When all of them were waiting: each has given the monitor away since it counted itself. */
	static long allListen(Bell bell, int listeners) {
		for (;;) {
			synchronized (bell) {
				if (bell.listeners == listeners) {
					return System.nanoTime();
				}
			}
			sleep(1);
		}
	}

	/** Waits that end by a notification, by an interrupt, and, after the dump, by time. */
	static void await(long ms) throws InterruptedException {
		Bell bell = new Bell();
		List<Thread> threads = new ArrayList<>();
		threads.add(start("interrupted", () -> listen(bell, "interrupted", 100_000)));
		threads.add(start("notified", () -> listen(bell, "notified", 0)));
		threads.add(start("notified-too", () -> listen(bell, "notified-too", 0)));
		long since = allListen(bell, threads.size());
		start("busy", () -> {
			while (true) {
				Thread.onSpinWait();
			}
		}).interrupt();
		sleepUntilDumped();
		Thread timed = start("timed", () -> listen(bell, "timed", ms));
		timed.join();
		Truth.say("timed.least_ns", ms * 1_000_000);
		Truth.say("interrupted.least_ns", System.nanoTime() - since);
		threads.get(0).interrupt();
		threads.get(0).join();
		long least = System.nanoTime() - since;
		Truth.say("notified.least_ns", least);
		Truth.say("notified-too.least_ns", least);
		synchronized (bell) {
			bell.notifyAll();
		}
		join(threads);
	}

	private static volatile long stormEnd = Long.MAX_VALUE;

	/** Returns when all threads, which hold no other monitor meanwhile, wait for this one. */
	private static void obstruct(Object monitor, List<Thread> threads)
			throws InterruptedException {
		synchronized (monitor) {
			do {
				Thread.sleep(1);
			} while (!threads.stream().allMatch(t -> t.getState() == Thread.State.BLOCKED));
		}
	}

	/** Many threads that want one monitor, or one of a few, all the time. */
	static void storm(int threads, long ms) throws InterruptedException {
		Object[] monitors = { new Slow(), new Medium(), new Quick(), new int[0] };
		int[] counts = new int[monitors.length];
		long[] own = new long[threads];
		List<Thread> started = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			int number = i;
			started.add(start("storm-" + i, () -> {
				for (int at = number; System.nanoTime() < stormEnd; at++) {
					int which = at % monitors.length;
					synchronized (monitors[which]) {
						counts[which]++;
						own[number]++;
						if (at % 64 == 0) {
							try {
								monitors[which].wait(1);
							} catch (InterruptedException e) {
								throw new IllegalStateException(e);
							}
						}
					}
				}
			}));
		}
		/* By chance alone, a monitor held for less than a microsecond may have no waiters. */
		obstruct(monitors[0], started);
		obstruct(monitors[3], started);
		stormEnd = System.nanoTime() + ms * 1_000_000;
		Truth.say("ready", 1);
		join(started);
		long sum = 0;
		for (long count : own) {
			sum += count;
		}
		for (int count : counts) {
			sum -= count;
		}
		Truth.say("lost", sum);
	}

	public static void main(String[] args) throws InterruptedException {
		long number = args.length > 1 ? Long.parseLong(args[1]) : 0;
		switch (args[0]) {
		case "contend":
			contend(number);
			break;
		case "deadlock":
			deadlock();
			break;
		case "wait":
			await(number);
			break;
		case "storm":
			storm((int) number, Long.parseLong(args[2]));
			break;
		default:
			throw new IllegalArgumentException(args[0]);
		}
	}
}
