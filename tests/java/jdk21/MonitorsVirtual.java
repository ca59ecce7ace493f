/*
 * Virtual threads that wait for monitors and own them, on their carriers and off.
 * usage: MonitorsVirtual contend MS | dump | dump_unfinished | storm THREADS MS
 */
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

public final class MonitorsVirtual {
	static final class Door {
	}

	static final class Asleep {
	}

	static final class Busy {
	}

	static final class Bell {
	}

	static final class Fork {
	}

	static final class Knife {
	}

	/** Before 24 one that waits for a monitor keeps its carrier. */
	static final boolean PINNED = Runtime.version().feature() < 24;

	static volatile boolean over;

	static void sleep(long ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static Thread start(String name, Runnable run) {
		return Thread.ofVirtual().name(name).start(run);
	}

	static long releasedNs; /* when the last owner of the door was about to let it go */

	/** Each of many wants a door that one of them holds asleep. */
	static void contend(long ms) throws InterruptedException {
		Door door = new Door();
		int count = 8;
		long[] least = new long[count]; /* that each has waited surely, and at most */
		long[] most = new long[count];
		long[] sinceNs = new long[count];
		CountDownLatch held = new CountDownLatch(1);
		CountDownLatch wanted = new CountDownLatch(1);
		Thread holder = start("holder", () -> {
			synchronized (door) {
				held.countDown();
				awaitLatch(wanted);
				sleep(ms);
				releasedNs = System.nanoTime();
			}
		});
		held.await();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			int number = i;
			threads.add(start("guest-" + i, () -> {
				long start = System.nanoTime();
				synchronized (door) {
					most[number] = System.nanoTime() - start;
					least[number] = sinceNs[number] > 0 ? releasedNs - sinceNs[number] : 0;
					sleep(ms / 10);
					releasedNs = System.nanoTime();
				}
			}));
		}
		if (PINNED) {
			sleep(200); /* not all have a carrier to come to the door on */
		} else {
			reach(Thread.State.BLOCKED, threads);
		}
		for (int i = 0; i < count; i++) {
			sinceNs[i] = threads.get(i).getState() == Thread.State.BLOCKED ? System.nanoTime() : 0;
		}
		wanted.countDown();
		holder.join();
		for (Thread thread : threads) {
			thread.join();
		}
		Truth.say("Door.count", count);
		Truth.say("Door.least_ns", LongStream.of(least).sum());
		Truth.say("Door.most_ns", LongStream.of(most).sum());
	}

	static void hold(Object monitor, CountDownLatch ready, Runnable inside) {
		synchronized (monitor) {
			ready.countDown();
			inside.run();
		}
	}

	static void awaitLatch(CountDownLatch latch) {
		try {
			latch.await();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void eatWith(Object first, Object second, CountDownLatch both) {
		synchronized (first) {
			both.countDown();
			awaitLatch(both);
			synchronized (second) {
				throw new IllegalStateException();
			}
		}
	}

	/** Until each is in that state: twice, as one on a carrier has it shortly before it waits. */
	static void reach(Thread.State state, List<Thread> threads) {
		for (int time = 0; time < 2; time++) {
			for (Thread thread : threads) {
				while (thread.getState() != state) {
					sleep(1);
				}
			}
			sleep(20);
		}
	}

	static volatile Object unfinished;

	/** A virtual thread as others can see it while its constructor runs, here for long. */
	static Object unfinished() throws ReflectiveOperationException {
		Class<?> unsafe = Class.forName("sun.misc.Unsafe");
		Field instance = unsafe.getDeclaredField("theUnsafe");
		instance.setAccessible(true);
		return unsafe.getMethod("allocateInstance", Class.class)
				.invoke(instance.get(null), Class.forName("java.lang.VirtualThread"));
	}

	/** All ways to own a monitor and to wait for it. */
	static void dump() throws InterruptedException {
		Asleep asleep = new Asleep();
		Busy busy = new Busy();
		Bell bell = new Bell();
		Fork fork = new Fork();
		Knife knife = new Knife();
		CountDownLatch owned = new CountDownLatch(2);
		Thread sleeper = start("sleeper", () -> hold(asleep, owned, LockSupport::park));
		start("spinner", () -> hold(busy, owned, () -> {
			while (!over) {
				Thread.onSpinWait();
			}
		}));
		owned.await();
		List<Thread> blocked = new ArrayList<>();
		List<Thread> waiting = new ArrayList<>();
		blocked.add(start("virtual-guest", () -> hold(asleep, owned, () -> { })));
		Thread platform = new Thread(() -> hold(asleep, owned, () -> { }), "platform-guest");
		platform.setDaemon(true);
		platform.start();
		blocked.add(platform);
		blocked.add(start("busy-guest", () -> hold(busy, owned, () -> { })));
		waiting.add(start("listener", () -> {
			synchronized (bell) {
				try {
					bell.wait();
				} catch (InterruptedException e) {
					throw new IllegalStateException(e);
				}
			}
		}));
		CountDownLatch both = new CountDownLatch(2);
		blocked.add(start("left", () -> eatWith(fork, knife, both)));
		blocked.add(start("right", () -> eatWith(knife, fork, both)));
		waiting.add(sleeper);
		waiting.add(start("idle", LockSupport::park));
		reach(Thread.State.BLOCKED, blocked);
		reach(Thread.State.WAITING, waiting);
		Truth.say("ready", 1);
		Truth.waitForLine();
		over = true;
	}

	/** Short-lived ones that hold monitors asleep, and wait. */
	static void storm(int count, long ms) throws InterruptedException {
		Object[] monitors = { new Door(), new Bell(), new Fork() };
		long[] entered = new long[monitors.length];
		long end = System.nanoTime() + ms * 1_000_000;
		long wanted = 0;
		Truth.say("ready", 1);
		while (System.nanoTime() < end) {
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				int which = i % monitors.length;
				boolean waits = i % 7 == 0;
				threads.add(start("storm", () -> {
					synchronized (monitors[which]) {
						entered[which]++;
						if (waits) {
							try {
								monitors[which].wait(1);
							} catch (InterruptedException e) {
								throw new IllegalStateException(e);
							}
						} else {
							Thread.yield();
						}
					}
				}));
			}
			for (Thread thread : threads) {
				thread.join();
			}
			wanted += count;
		}
		for (long count1 : entered) {
			wanted -= count1;
		}
		Truth.say("lost", wanted);
	}

	public static void main(String[] args) throws Exception {
		long number = args.length > 1 ? Long.parseLong(args[1]) : 0;
		switch (args[0]) {
		case "contend":
			contend(number);
			break;
		case "dump":
			dump();
			break;
		case "dump_unfinished":
			unfinished = unfinished();
			dump();
			break;
		case "storm":
			storm((int) number, Long.parseLong(args[2]));
			break;
		default:
			throw new IllegalArgumentException(args[0]);
		}
	}
}
