/*
 * Virtual threads that call, park in mid-method, and call again when they may be on
 * another carrier; and some that are parked for good when the program ends.
 * usage: TimesVirtual THREADS ROUNDS FOREVER
 */
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

public final class TimesVirtual {
	static volatile int sink;
	static final AtomicInteger PARKS = new AtomicInteger();
	static CountDownLatch waiting;

	static void before() {
		sink++;
	}

	static void after() {
		sink++;
	}

	static void pause(int i) {
		PARKS.incrementAndGet();
		if (i % 2 == 0) {
			Thread.yield();
		} else {
			LockSupport.parkNanos(100_000);
		}
	}

	static void parkHere(int i) {
		before();
		pause(i);
		after();
	}

	static void thrower(int i) {
		pause(i);
		throw new IllegalStateException();
	}

	static void catcher(int i) {
		try {
			thrower(i);
		} catch (IllegalStateException e) {
			after();
		}
	}

	static void body(int rounds, int start) {
		for (int i = start; i < start + rounds; i++) {
			parkHere(i);
			catcher(i);
		}
	}

	static void forever() {
		waiting.countDown();
		while (true) {
			LockSupport.park();
		}
	}

	/** Not looked at. */
	static final class Expected {
		static void say(long count, String path) {
			TimesTruth.calls(TimesVirtual.class, count, path);
		}

		static void print(long threads, int rounds, int forever) {
			long all = threads * rounds;
			String body = "body lambda$main$0 ~";
			say(1, "main");
			say(1, "<clinit>");
			say(threads, "lambda$main$0 ~");
			say(threads, body);
			say(all, "parkHere " + body);
			say(all, "before parkHere " + body);
			say(all, "pause parkHere " + body);
			say(all, "after parkHere " + body);
			say(all, "catcher " + body);
			say(all, "thrower catcher " + body);
			say(all, "pause thrower catcher " + body);
			say(all, "after catcher " + body);
			say(forever, "forever ~");
		}
	}

	public static void main(String[] args) throws InterruptedException {
		int threads = Integer.parseInt(args[0]);
		int rounds = Integer.parseInt(args[1]);
		int stuck = Integer.parseInt(args[2]);
		ThreadFactory factory = Thread.ofVirtual().name("virtual-", 0).factory();
		try (ExecutorService executor = Executors.newThreadPerTaskExecutor(factory)) {
			for (int i = 0; i < threads; i++) {
				int start = i;
				executor.execute(() -> body(rounds, start));
			}
		}
		waiting = new CountDownLatch(stuck);
		for (int i = 0; i < stuck; i++) {
			Thread.ofVirtual().start(TimesVirtual::forever);
		}
		waiting.await();
		Expected.print(threads, rounds, stuck);
		System.out.println("parks=" + PARKS.get());
	}
}
