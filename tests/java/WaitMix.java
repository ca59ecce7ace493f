import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/*
 * Threads that wait in three methods by turns, for 1, 3 and 6 ms: a round takes about the interval
 * of a sampler. Prints how long each method took, summed over the threads, how long these were there,
 * and, on Linux, the CPU time of the JVM's threads whose names begin with NAME.
 * usage: WaitMix THREADS MS NAME [pace]
 * pace: says that of a thread that wakes up each 10 ms, too.
 */
public final class WaitMix {
	static final AtomicLong SLEEPING = new AtomicLong();
	static final AtomicLong PARKING = new AtomicLong();
	static final AtomicLong WAITING = new AtomicLong();

	static void sleeping() throws InterruptedException {
		Thread.sleep(1);
	}

	static void parking() {
		LockSupport.parkNanos(3_000_000);
	}

	static void waiting(Object monitor) throws InterruptedException {
		synchronized (monitor) {
			monitor.wait(6);
		}
	}

	static void turns(long endNs) {
		Object monitor = new Object();
		long[] ns = new long[3];
		long now = System.nanoTime();
		try {
			while (now < endNs) {
				long start = now;
				sleeping();
				long slept = System.nanoTime();
				parking();
				long parked = System.nanoTime();
				waiting(monitor);
				now = System.nanoTime();
				ns[0] += slept - start;
				ns[1] += parked - slept;
				ns[2] += now - parked;
			}
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
		SLEEPING.addAndGet(ns[0]);
		PARKING.addAndGet(ns[1]);
		WAITING.addAndGet(ns[2]);
	}

	/** The kernel's account of the threads with such a name, in ns; 0 where there is none. */
	static long cpuNs(String name) throws IOException {
		Path tasks = Path.of("/proc/self/task");
		long ns = 0;
		if (!Files.isDirectory(tasks)) {
			return 0;
		}
		try (var directories = Files.newDirectoryStream(tasks)) {
			for (Path task : directories) {
				try {
					if (Files.readString(task.resolve("comm")).startsWith(name)) {
						ns += Long.parseLong(Files.readString(task.resolve("schedstat")).split(" ")[0]);
					}
				} catch (IOException e) {
					continue; /* it has ended */
				}
			}
		}
		return ns;
	}

	public static void main(String[] arguments) throws Exception {
		Truth.Pace pace = arguments.length > 3 ? new Truth.Pace(10) : null;
		long startNs = System.nanoTime();
		long endNs = startNs + Long.parseLong(arguments[1]) * 1_000_000;
		List<Thread> threads = new ArrayList<>();
		long livedNs = 0;
		for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
			Thread thread = new Thread(() -> turns(endNs), "turn-" + i);
			livedNs -= System.nanoTime();
			thread.start();
			threads.add(thread);
		}
		for (Thread thread : threads) {
			thread.join();
			livedNs += System.nanoTime();
		}
		System.out.println("lived_ns=" + livedNs);
		System.out.println("sleeping_ns=" + SLEEPING.get());
		System.out.println("parking_ns=" + PARKING.get());
		System.out.println("waiting_ns=" + WAITING.get());
		System.out.println("named.cpu_ns=" + cpuNs(arguments[2]));
		System.out.println("wall_ns=" + (System.nanoTime() - startNs));
		if (pace != null) {
			pace.say();
		}
	}
}
