import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/*
 * Many threads that compute for a short time and give up their CPU, by turns, a fixed number of
 * times: together they want more CPUs than there are. Prints the sum of what they computed.
 * Platform threads compute for 50 microseconds and park for 500; virtual threads (JDK 21 on)
 * compute for 100 and yield, and no more than 10,000 of them live at a time.
 * usage: PoolWork THREADS TURNS [virtual]
 */
public final class PoolWork {
	/* Main waits once for so many threads to end, not for each. */
	static final int BATCH = 1_000;

	static long burn(long x) {
		for (int i = 0; i < 40_000; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	static long turn(long x, boolean isVirtual) {
		long result = burn(x);
		if (isVirtual) {
			result = burn(result);
			Thread.yield();
		} else {
			LockSupport.parkNanos(500_000);
		}
		return result;
	}

	static long work(int number, int turns, boolean isVirtual) {
		long x = number;
		for (int turn = 0; turn < turns; turn++) {
			x = turn(x, isVirtual);
		}
		return x;
	}

	/* By reflection, for older JDKs. */
	static void start(Runnable run, boolean isVirtual) throws ReflectiveOperationException {
		if (isVirtual) {
			Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
			start.invoke(null, run);
		} else {
			new Thread(run).start();
		}
	}

	public static void main(String[] arguments) throws Exception {
		int count = Integer.parseInt(arguments[0]);
		int turns = Integer.parseInt(arguments[1]);
		boolean isVirtual = arguments.length > 2;
		AtomicLong sum = new AtomicLong();
		CountDownLatch ended = new CountDownLatch(count);
		Semaphore living = new Semaphore(10_000);
		for (int i = 0; i < count; i++) {
			int number = i;
			if (i % BATCH == 0) {
				living.acquire(BATCH);
			}
			start(() -> {
				sum.addAndGet(work(number, turns, isVirtual));
				living.release();
				ended.countDown();
			}, isVirtual);
		}
		ended.await();
		System.out.println(sum.get());
	}
}
