/*
 * Virtual threads that call for a while, and then go on on another carrier, whose threads are in
 * their calls meanwhile.
 * usage: TimesHops THREADS ROUNDS CALLS
 */
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

public final class TimesHops {
	static final AtomicLong SINK = new AtomicLong();
	static final AtomicLong HOPS = new AtomicLong();

	static int step(int i) {
		return deeper(i) + 1;
	}

	static int deeper(int i) {
		return (i & 1) == 0 ? i / 3 : i;
	}

	static int work(int calls) {
		int sum = 0;
		for (int i = 0; i < calls; i++) {
			sum += step(i);
		}
		return sum;
	}

	static String carrier() {
		String thread = Thread.currentThread().toString();
		return thread.substring(thread.indexOf('@') + 1);
	}

	static void round(int calls) {
		SINK.addAndGet(work(calls));
		String before = carrier();
		Thread.yield();
		if (!carrier().equals(before)) {
			HOPS.incrementAndGet();
		}
		SINK.addAndGet(work(calls));
	}

	static void body(int rounds, int calls) {
		for (int i = 0; i < rounds; i++) {
			round(calls);
		}
	}

	public static void main(String[] args) {
		int threads = Integer.parseInt(args[0]);
		int rounds = Integer.parseInt(args[1]);
		int calls = Integer.parseInt(args[2]);
		try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < threads; i++) {
				executor.execute(() -> body(rounds, calls));
			}
		}
		long all = (long) threads * rounds;
		TimesTruth.calls(TimesHops.class, all, "round body lambda$main$0 ~");
		TimesTruth.calls(TimesHops.class, 1, "main");
		TimesTruth.calls(TimesHops.class, 1, "<clinit>");
		TimesTruth.calls(TimesHops.class, threads, "lambda$main$0 ~");
		TimesTruth.calls(TimesHops.class, threads, "body lambda$main$0 ~");
		TimesTruth.calls(TimesHops.class, 2 * all, "carrier round body lambda$main$0 ~");
		TimesTruth.calls(TimesHops.class, 2 * all, "work round body lambda$main$0 ~");
		TimesTruth.calls(TimesHops.class, 2 * all * calls, "step work round body lambda$main$0 ~");
		TimesTruth.calls(TimesHops.class, 2 * all * calls, "deeper step work round body ~");
		System.out.println("hops=" + HOPS.get());
	}
}
