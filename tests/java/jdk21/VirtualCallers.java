/*
 * Virtual threads of two kinds that burn CPU in the same method, under callers
 * of their own that are not on the stack of the carrier any more once the thread
 * was parked. Of every three bursts, red has two and blue has one.
 * usage: VirtualCallers PAIRS ROUNDS BURST
 */
import java.util.ArrayList;
import java.util.List;

public final class VirtualCallers {
	static volatile long sink;

	static void burst(int length) throws InterruptedException {
		Thread.sleep(1);
		long x = sink;
		for (int i = 0; i < length; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		sink = x;
	}

	static void red(int rounds, int length) throws InterruptedException {
		for (int i = 0; i < rounds; i++) {
			burst(2 * length);
		}
	}

	static void blue(int rounds, int length) throws InterruptedException {
		for (int i = 0; i < rounds; i++) {
			burst(length);
		}
	}

	interface Body {
		void run() throws InterruptedException;
	}

	static Thread start(Body body) {
		return Thread.ofVirtual().start(() -> {
			try {
				body.run();
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		});
	}

	public static void main(String[] args) throws Exception {
		int rounds = Integer.parseInt(args[1]);
		int length = Integer.parseInt(args[2]);
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < Integer.parseInt(args[0]); i++) {
			threads.add(start(() -> red(rounds, length)));
			threads.add(start(() -> blue(rounds, length)));
		}
		for (Thread thread : threads) {
			thread.join();
		}
	}
}
