/*
 * Virtual threads that burn CPU in a named method and park in between, so that
 * they move between carriers. The truth is the CPU time of the carriers, which
 * do nothing else; ThreadMXBean doesn't know virtual threads.
 * usage: VirtualBurn THREADS ROUNDS
 */
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

public final class VirtualBurn {
	static volatile long sink;
	static final Set<String> CARRIERS = ConcurrentHashMap.newKeySet();

	static long spin(long x, int rounds) {
		for (int i = 0; i < rounds; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	static void virtualWork(int rounds) {
		for (int i = 0; i < rounds; i++) {
			String self = Thread.currentThread().toString();
			CARRIERS.add(self.substring(self.lastIndexOf('@') + 1));
			sink = spin(sink, 15_000_000);
			try {
				Thread.sleep(2);
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		}
	}

	/** Nanoseconds on a processor of the threads that the system calls by a carrier's name. */
	static long carriersCpuNs() throws IOException {
		long sum = 0;
		for (File task : new File("/proc/self/task").listFiles()) {
			String name = Files.readString(Path.of(task.getPath(), "comm"));
			if (name.startsWith("ForkJoinPool-")) {
				String stat = Files.readString(Path.of(task.getPath(), "schedstat"));
				sum += Long.parseLong(stat.split(" ")[0]);
			}
		}
		return sum;
	}

	public static void main(String[] args) throws Exception {
		int count = Integer.parseInt(args[0]);
		int rounds = Integer.parseInt(args[1]);
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			threads.add(Thread.ofVirtual().name("virtual-" + i).start(() -> virtualWork(rounds)));
		}
		for (Thread thread : threads) {
			thread.join();
		}
		Thread.sleep(100);
		System.out.println("carriers.cpu_ns=" + carriersCpuNs());
		System.out.println("carriers.count=" + new HashSet<>(CARRIERS).size());
	}
}
