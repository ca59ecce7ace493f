/*
 * Does what it is told on standard input, so that an agent can be attached between
 * two commands:
 *   calls N     calls methods known numbers of times on the main thread
 *   work N      has each worker that lives call them N times, and waits for it
 *   spin N      runs a loop so often on the main thread
 *   burn MS     has the two oldest workers, heavy and light, use 70% and 30% of MS of
 *               CPU time
 *   threads N   starts N more workers
 *   make N      makes N objects on the main thread, and keeps one in four
 *   drop N      makes N objects on the main thread, and keeps none
 *   all N       has each worker that lives make them, and waits for it
 *   lock MS     the workers hold a monitor for that long, one after the other; says how long
 *               the second waited for it, at least and at most
 *   end
 * Each answers "did COMMAND=NUMBER" when it is done, with the CPU time in ns that it
 * took on its threads.
 * usage: Attached
 */
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

public final class Attached {
	static volatile long sink;
	static final AtomicLong usedNs = new AtomicLong();
	static final List<Worker> workers = new ArrayList<>();

	static long spin(long x, int rounds) {
		for (int i = 0; i < rounds; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	static void burn(long ns) {
		long start = Truth.cpuNs();
		long x = sink;
		while (Truth.cpuNs() - start < ns) {
			x = spin(x, 100_000);
		}
		sink = x;
		Truth.say(Thread.currentThread().getName().concat(".least_ns"), Truth.cpuNs() - start);
	}

	static long leaf(long x) {
		return x * 31 + 7;
	}

	static long middle(long x) {
		return leaf(leaf(x));
	}

	static void calls(int n) {
		long x = sink;
		for (int i = 0; i < n; i++) {
			x = middle(x);
		}
		sink = x;
	}

	static void heavy(long ns) {
		burn(ns * 7 / 10);
	}

	static void light(long ns) {
		burn(ns * 3 / 10);
	}

	/** The first does so when the other wants to. */
	static void hold(long ns, Worker other) {
		long cpuNs = Truth.cpuNs();
		long start = System.nanoTime();
		synchronized (Attached.class) {
			if (heldNs > 0) {
				long mostNs = System.nanoTime() - start;
				long leastNs = heldNs - (Truth.cpuNs() - cpuNs);
				Truth.say("lock.most_ns", mostNs);
				Truth.say("lock.least_ns", leastNs);
				burn(ns);
				return;
			}
			while (!Truth.wantsMonitor(other)) {
				Thread.onSpinWait();
			}
			start = System.nanoTime();
			burn(ns);
			heldNs = System.nanoTime() - start;
		}
	}

	static long heldNs; /* by the first, while the other wanted it; guarded by the class's monitor */

	static final class Thing {
		long number;
		Thing other;
	}

	static final List<Thing> kept = Collections.synchronizedList(new ArrayList<>());

	static void make(int n) {
		for (int i = 0; i < n; i++) {
			Thing thing = new Thing();
			thing.number = i;
			if (i % 4 == 0) {
				kept.add(thing);
			} else {
				last = thing;
			}
		}
	}

	static volatile Thing last;

	static void drop(int n) {
		for (int i = 0; i < n; i++) {
			last = new Thing();
		}
	}

	static final class Worker extends Thread {
		final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();

		Worker(String name) {
			super(name);
			setDaemon(true);
			start();
		}

		@Override
		public void run() {
			while (true) {
				try {
					queue.take().run();
				} catch (InterruptedException e) {
					return;
				}
			}
		}
	}

	static void timed(String what, Runnable task) {
		long start = Truth.cpuNs();
		task.run();
		long used = Truth.cpuNs() - start;
		usedNs.addAndGet(used);
		if (what != null) {
			Truth.say(what, used);
		}
	}

	interface Share {
		Runnable of(int worker);
	}

	static void onWorkers(int count, boolean said, Share share) throws InterruptedException {
		CountDownLatch done = new CountDownLatch(count);
		for (int i = 0; i < count; i++) {
			Runnable task = share.of(i);
			String name = said ? workers.get(i).getName() + ".cpu_ns" : null;
			workers.get(i).queue.add(() -> {
				timed(name, task);
				done.countDown();
			});
		}
		done.await();
	}

	static void command(String name, int number) throws InterruptedException {
		switch (name) {
		case "calls":
			timed(null, () -> calls(number));
			break;
		case "spin":
			timed(null, () -> sink = spin(sink, number));
			break;
		case "work":
			onWorkers(workers.size(), false, i -> () -> calls(number));
			break;
		case "burn":
			long ns = number * 1_000_000L;
			onWorkers(2, true, i -> i == 0 ? () -> heavy(ns) : () -> light(ns));
			break;
		case "make":
			timed(null, () -> make(number));
			break;
		case "drop":
			timed(null, () -> drop(number));
			break;
		case "all":
			onWorkers(workers.size(), false, i -> () -> make(number));
			break;
		case "lock":
			heldNs = 0;
			onWorkers(2, false, i -> () -> hold(number * 1_000_000L, workers.get(1 - i)));
			break;
		case "threads":
			for (int i = 0; i < number; i++) {
				workers.add(new Worker("worker-" + workers.size()));
			}
			break;
		default:
			throw new IllegalArgumentException(name);
		}
	}

	public static void main(String[] args) throws Exception {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		workers.add(new Worker("heavy"));
		workers.add(new Worker("light"));
		Truth.say("pid", ProcessHandle.current().pid());
		timed(null, () -> calls(1));
		Truth.say("ready", 1);
		for (String line = in.readLine(); line != null && !line.equals("end");
				line = in.readLine()) {
			String[] words = line.split(" ");
			usedNs.set(0);
			command(words[0], Integer.parseInt(words[1]));
			System.out.println("did " + words[0] + "=" + usedNs.get());
			System.out.flush();
		}
	}
}
