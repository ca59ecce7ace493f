/*
 * Does what the lines of its standard input say, and answers each by a line; a thread
 * computes all the time, under many frames. Ends with its input.
 *   make N      a new thread makes N more objects, which stay; made=ALL
 *   burn NAME   a new thread of that name computes for 300 ms of CPU time; says how much it was, at
 *               least and at most; burned=NAME
 *   cpu         the CPU time of the thread that computes; cpu_ns=N
 */
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

public final class LateCommands {
	static final class Kept {
		long word;
	}

	static final int WORK_FRAMES = 20;
	static final long BURN_NS = 300_000_000;
	static final List<Kept> KEPT = new ArrayList<>();
	static volatile long sink;

	static long spin(long x) {
		for (int i = 0; i < 10_000; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	static void work(int frames) {
		if (frames > 1) {
			work(frames - 1);
			return;
		}
		while (true) {
			sink = spin(sink);
		}
	}

	static void burn() {
		long start = Truth.cpuNs();
		while (Truth.cpuNs() - start < BURN_NS) {
			sink = spin(sink);
		}
		Truth.say("burn.least_ns", Truth.cpuNs() - start);
	}

	static void make(int count) {
		for (int i = 0; i < count; i++) {
			KEPT.add(new Kept());
		}
	}

	static void run(String name, Runnable body) throws InterruptedException {
		Thread thread = new Thread(body, name);
		thread.start();
		thread.join();
	}

	public static void main(String[] args) throws Exception {
		Thread worker = new Thread(() -> work(WORK_FRAMES), "worker");
		worker.setDaemon(true);
		worker.start();
		Truth.say("ready", 1);
		BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
		for (String line = lines.readLine(); line != null; line = lines.readLine()) {
			String[] words = line.split(" ");
			switch (words[0]) {
			case "make":
				run("maker", () -> make(Integer.parseInt(words[1])));
				Truth.say("made", KEPT.size());
				break;
			case "burn":
				run(words[1], () -> {
					burn();
					Truth.say("burn.most_ns", Truth.cpuNs());
				});
				System.out.println("burned=" + words[1]);
				break;
			default:
				Truth.say("cpu_ns", Truth.cpuNs(worker));
				break;
			}
		}
		Truth.say("end", 1);
	}
}
