/*
 * Starts and ends many short threads, each with a little CPU time (less than a sampling
 * interval), and reports what the process holds before and after. However busy the
 * machine is, ALIVE of them are alive at once: no thread ends before that was so.
 * usage: ManyThreads COUNT ALIVE WALL_MS CPU_US_EACH
 */
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public final class ManyThreads {
	static volatile long sink;
	static final AtomicLong CPU_NS = new AtomicLong();
	static final AtomicInteger ALIVE = new AtomicInteger();
	static final AtomicInteger MOST = new AtomicInteger();
	static final AtomicInteger ENDED = new AtomicInteger();

	static long spin(long x, int rounds) {
		for (int i = 0; i < rounds; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	static void body(long cpuNs, long lifeMs, CountDownLatch all) {
		MOST.accumulateAndGet(ALIVE.incrementAndGet(), Math::max);
		long start = System.nanoTime();
		long x = sink;
		while (Truth.cpuNs() < cpuNs) {
			x = spin(x, 10_000);
		}
		sink = x;
		long leftMs = lifeMs - (System.nanoTime() - start) / 1_000_000;
		try {
			Thread.sleep(Math.max(0, leftMs));
			all.countDown();
			all.await();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
		ALIVE.decrementAndGet();
		ENDED.incrementAndGet();
		CPU_NS.addAndGet(Truth.cpuNs());
	}

	static void round(String name, int count, int alive, long lifeMs, long cpuNs)
			throws InterruptedException {
		Semaphore places = new Semaphore(alive);
		CountDownLatch all = new CountDownLatch(Math.min(alive, count));
		Thread[] threads = new Thread[count];
		for (int i = 0; i < count; i++) {
			places.acquire();
			threads[i] = new Thread(() -> {
				try {
					body(cpuNs, lifeMs, all);
				} finally {
					places.release();
				}
			}, name + i);
			threads[i].start();
		}
		for (Thread thread : threads) {
			thread.join();
		}
	}

	/** Until the process holds for a second what it held; at most a minute. */
	static void settle() throws InterruptedException {
		int held = -1;
		int times = 0;
		for (int i = 0; i < 300 && times < 5; i++) {
			int now = new File("/proc/self/fd").list().length
				+ new File("/proc/self/task").list().length;
			times = now == held ? times + 1 : 0;
			held = now;
			Thread.sleep(200);
		}
	}

	static void holdings(String when) throws IOException, InterruptedException {
		System.gc();
		settle();
		Truth.say(when + ".fds", new File("/proc/self/fd").list().length);
		Truth.say(when + ".tasks", new File("/proc/self/task").list().length);
		long timers = -1;
		try {
			timers = Files.readAllLines(Paths.get("/proc/self/timers")).stream()
				.filter(line -> line.startsWith("ID:")).count();
		} catch (IOException e) {
			/* A kernel without that file: said as -1. */
		}
		Truth.say(when + ".timers", timers);
		for (String line : Files.readAllLines(Paths.get("/proc/self/status"))) {
			if (line.startsWith("VmRSS:")) {
				Truth.say(when + ".rss_kb", line.replaceAll("[^0-9]", ""));
			}
		}
	}

	public static void main(String[] args) throws Exception {
		int count = Integer.parseInt(args[0]);
		int alive = Integer.parseInt(args[1]);
		long lifeMs = Long.parseLong(args[2]) * alive / count;
		long cpuNs = Long.parseLong(args[3]) * 1000;

		round("warm-", alive, alive, 200, 0);
		CPU_NS.set(0);
		ENDED.set(0);
		MOST.set(0);
		holdings("before");
		round("many-", count, alive, lifeMs, cpuNs);
		holdings("after");
		Truth.say("ended", ENDED.get());
		Truth.say("most_alive", MOST.get());
		Truth.say("workers.cpu_ns", CPU_NS.get());
	}
}
