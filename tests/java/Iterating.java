/*
 * Keeps so many MB of byte arrays and of arrays of references alive and does the same
 * work over and over: computes, allocates, now and then starts a thread. Says ten times
 * a second how often it has done so by then, "tick NANOTIME ITERATIONS", until a line
 * comes on its standard input.
 * usage: Iterating BYTES_MB REFERENCES_MB
 */
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

public final class Iterating {
	static final int ARRAY_LENGTH = 1000;
	static final int BYTES_PER_REFERENCE = 4;
	static final int MB = 1_000_000;
	static final int SPINS = 20_000;
	static final int ALLOCATIONS = 20;
	static final int ITERATIONS_PER_THREAD = 5000;
	static final long TICK_NS = 100_000_000;

	static final List<Object> KEPT = new ArrayList<>();
	static volatile boolean over;
	static volatile long sink;
	static volatile Object made;

	static void keep(int bytesMb, int referencesMb) {
		for (long i = 0; i < (long) bytesMb * MB / ARRAY_LENGTH; i++) {
			KEPT.add(new byte[ARRAY_LENGTH]);
		}
		for (long i = 0; i < (long) referencesMb * MB / ARRAY_LENGTH / BYTES_PER_REFERENCE; i++) {
			Object[] references = new Object[ARRAY_LENGTH];
			for (int j = 0; j < ARRAY_LENGTH; j++) {
				references[j] = KEPT.get(j % KEPT.size());
			}
			KEPT.add(references);
		}
	}

	static void iterate(long number) throws InterruptedException {
		long x = sink;
		for (int i = 0; i < SPINS; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		sink = x;
		for (int i = 0; i < ALLOCATIONS; i++) {
			made = new long[4];
		}
		if (number % ITERATIONS_PER_THREAD == 0) {
			Thread thread = new Thread(() -> made = new int[4], "iteration " + number);
			thread.start();
			thread.join();
		}
	}

	static void waitForLine() {
		try {
			System.in.read();
		} catch (IOException e) {
			Truth.say("exception", e);
		}
		over = true;
	}

	static void iterate() {
		try {
			long iterations = 0;
			long nextNs = System.nanoTime();
			while (!over) {
				iterate(iterations++);
				long nowNs = System.nanoTime();
				if (nowNs >= nextNs) {
					System.out.println("tick " + nowNs + " " + iterations);
					nextNs = nowNs + TICK_NS;
				}
			}
			Truth.say("iterations", iterations);
		} catch (InterruptedException e) {
			Truth.say("exception", e);
		}
	}

	public static void main(String[] args) throws InterruptedException {
		keep(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
		Thread reader = new Thread(Iterating::waitForLine, "reader");
		reader.setDaemon(true);
		reader.start();
		/* A test finds the thread by its name, as the system has it. */
		Thread iterating = new Thread(Iterating::iterate, "iterating");
		iterating.start();
		Truth.say("ready", 1);
		iterating.join();
		System.exit(7);
	}
}
