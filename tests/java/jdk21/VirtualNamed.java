/*
 * Virtual threads with names, each with a known part of the work. Worker i has i % 4 + 1 parts.
 *   work THREADS ROUNDS      each does ROUNDS loops per part, and parks after each loop
 *   attached THREADS MS [ROUNDS]  the same in an endless loop, beside two threads that never park, busy-0
 *                            and busy-1, and run before the others start; a line from stdin, or its
 *                            end, ends them all MS later, but not before each has done so many ROUNDS
 *   allocate THREADS OBJECTS each makes OBJECTS objects per part and loads a class of its own
 *   storm COUNT              COUNT short threads, at most 200 at once
 * The truth: for work the CPU time of each worker in spin(), and how many carriers there were.
 */
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicIntegerArray;

public final class VirtualNamed {
	static class Item {
		Object value;
	}

	static class Late0 {
		static Object made = new Item();
	}

	static class Late1 {
		static Object made = new Item();
	}

	static final int LOOPS = 3_000_000;
	static final Map<String, Long> CARRIERS = new ConcurrentHashMap<>(); /* ids by name */
	static volatile Object kept;
	static volatile long sink;
	static volatile boolean over;
	static final CountDownLatch BUSY = new CountDownLatch(2);

	static int parts(int number) {
		return number % 4 + 1;
	}

	static long spin(long x, int rounds) {
		for (int i = 0; i < rounds; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	static void park() {
		try {
			Thread.sleep(1);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	/** That of the carrier, which a thread that does not park keeps. */
	static long cpuNs() {
		String self = Thread.currentThread().toString();
		String carrier = self.substring(self.lastIndexOf('@') + 1);
		return Truth.cpuNs(CARRIERS.computeIfAbsent(carrier, Truth::threadId));
	}

	static void work(int number, int rounds) {
		long usedNs = 0;
		for (int i = 0; i < rounds; i++) {
			long start = cpuNs();
			sink = spin(sink, LOOPS);
			usedNs += cpuNs() - start;
			park();
		}
		Truth.say("worker-" + number + ".cpu_ns", usedNs);
	}

	static AtomicIntegerArray rounds;

	static void workOn(int number, int parts) {
		while (!over) {
			sink = spin(sink, LOOPS / 10 * parts);
			park();
			rounds.incrementAndGet(number);
		}
	}

	static void busy() {
		BUSY.countDown();
		while (!over) {
			sink = spin(sink, LOOPS);
		}
	}

	static void allocate(int number, int count) {
		for (int i = 0; i < count; i++) {
			kept = new Item();
			if (i % 16 == 0) {
				park();
			}
		}
		if (number == 0) {
			kept = Late0.made;
		} else if (number == 1) {
			kept = Late1.made;
		}
	}

	static Thread start(String name, Runnable body) {
		return Thread.ofVirtual().name(name).start(body);
	}

	static void join(List<Thread> threads) throws InterruptedException {
		for (Thread thread : threads) {
			thread.join();
		}
	}

	static long residentKb() throws Exception {
		System.gc();
		for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
			if (line.startsWith("VmRSS:")) {
				return Long.parseLong(line.replaceAll("\\D", ""));
			}
		}
		return 0;
	}

	static void storm(int from, int to) throws InterruptedException {
		Semaphore places = new Semaphore(200);
		List<Thread> threads = new ArrayList<>();
		for (int i = from; i < to; i++) {
			places.acquire();
			threads.add(start("short-" + i, () -> {
				sink = spin(sink, 5_000);
				places.release();
			}));
		}
		join(threads);
	}

	static void stormAll(int count) throws Exception {
		storm(0, count / 5);
		Truth.say("before.rss_kb", residentKb());
		storm(count / 5, count);
		Truth.say("after.rss_kb", residentKb());
	}

	/** Beside workers, which the scheduler may prefer, they could wait for a carrier to the end. */
	static void startBusy(List<Thread> threads) throws InterruptedException {
		threads.add(start("busy-0", VirtualNamed::busy));
		threads.add(start("busy-1", VirtualNamed::busy));
		BUSY.await();
	}

	static void attached(int ms, int least) throws InterruptedException {
		Thread.sleep(200);
		Truth.say("pid", ProcessHandle.current().pid());
		Truth.say("ready", 1);
		Truth.waitForLine();
		int[] before = new int[rounds.length()];
		Arrays.setAll(before, rounds::get);
		Thread.sleep(ms);
		for (int i = 0; i < before.length; i++) {
			while (rounds.get(i) - before[i] < least) {
				Thread.sleep(1);
			}
		}
		over = true;
	}

	public static void main(String[] arguments) throws Exception {
		String mode = arguments[0];
		int count = Integer.parseInt(arguments[1]);
		if (mode.equals("storm")) {
			stormAll(count);
			return;
		}
		int amount = Integer.parseInt(arguments[2]);
		rounds = new AtomicIntegerArray(count);
		List<Thread> threads = new ArrayList<>();
		if (mode.equals("attached")) {
			startBusy(threads);
		}
		for (int i = 0; i < count; i++) {
			int number = i;
			int parts = parts(i);
			threads.add(start("worker-" + i, switch (mode) {
			case "work" -> () -> work(number, parts * amount);
			case "attached" -> () -> workOn(number, parts);
			default -> () -> allocate(number, parts * amount);
			}));
		}
		if (mode.equals("attached")) {
			attached(amount, arguments.length > 3 ? Integer.parseInt(arguments[3]) : 0);
		}
		join(threads);
		if (mode.equals("work")) {
			Truth.say("carriers.count", CARRIERS.size());
		}
	}
}
