/*
 * Virtual threads that live when an agent is attached: half of them work in rounds
 * with pauses, the rest sleep. It goes on for MS of wall time after a line comes in.
 * usage: AttachedVirtual THREADS MS
 */
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

public final class AttachedVirtual {
	static volatile long sink;
	static volatile boolean over;
	static final AtomicLong rounds = new AtomicLong();

	static long round(long x) {
		rounds.incrementAndGet();
		for (int i = 0; i < 20_000; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	static void work() {
		while (!over) {
			sink = round(sink);
			pause(1);
		}
	}

	static void pause(long ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	public static void main(String[] args) throws Exception {
		int count = Integer.parseInt(args[0]);
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			boolean works = i % 2 == 0;
			threads.add(Thread.ofVirtual().start(() -> {
				if (works) {
					work();
				} else {
					while (!over) {
						pause(5);
					}
				}
			}));
		}
		pause(100);
		Truth.say("pid", ProcessHandle.current().pid());
		Truth.say("ready", 1);
		System.in.read();
		long before = rounds.get();
		pause(Long.parseLong(args[1]));
		over = true;
		for (Thread thread : threads) {
			thread.join();
		}
		Truth.say("rounds", rounds.get() - before);
	}
}
