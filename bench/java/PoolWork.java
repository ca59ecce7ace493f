import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/*
 * Many threads that compute for a short time and park, by turns, a fixed number of times: together
 * they want more CPUs than there are. Prints the sum of what they computed.
 * usage: PoolWork THREADS TURNS
 */
public final class PoolWork {
	static long burn(long x) {
		for (int i = 0; i < 40_000; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	static long turn(long x) {
		long result = burn(x);
		LockSupport.parkNanos(500_000);
		return result;
	}

	public static void main(String[] arguments) throws InterruptedException {
		int count = Integer.parseInt(arguments[0]);
		int turns = Integer.parseInt(arguments[1]);
		long[] results = new long[count];
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			int number = i;
			Thread thread = new Thread(() -> {
				long x = number;
				for (int turn = 0; turn < turns; turn++) {
					x = turn(x);
				}
				results[number] = x;
			});
			thread.start();
			threads.add(thread);
		}
		long sum = 0;
		for (int i = 0; i < count; i++) {
			threads.get(i).join();
			sum += results[i];
		}
		System.out.println(sum);
	}
}
